/**
 * A project that is watched: owner, API key, and every `msg` and `sig` that was really on the wire are looked for in all that upkeep
 * says, writes or hands to another program (design section 4, rule 10).
 */
import { basename } from 'node:path';
import { afterAll, expect } from 'vitest';
import { CREDENTIALS, expectNoLeak, searched, type Trace, tracesIn } from '../../support/canary.ts';
import { record } from '../../support/figures.ts';
import { type GitStage, gitStage } from '../../support/git-project.ts';
import { projectFile, type Ran, type RunOptions, type Stage } from '../../support/harness.ts';
import { type Recorder, startRecorder } from '../../support/recorder.ts';
import { asset, beams, config, manyLive } from '../accounts.ts';

afterAll(() => {
  const name = `leaks, ${basename(expect.getState().testPath ?? '', '.test.ts')}: ${searched.secrets} secrets in ${searched.texts} texts`;
  record({ proof: 'secrets', name, value: searched.leaks, wanted: '0', holds: searched.leaks === 0 && searched.texts > 0 });
});

/** Something of every kind, so that every endpoint is spoken to. */
export const DESIRED = config({
  playlists: { evening: { repeat: -1, playlist: beams(1, 2) }, single: { playlist: beams(3) } },
  smart_starts: { vod: { assets: [asset(4), asset(5)] } },
  drm_policies: { premium: { fairplay: { persistence: true } } },
  vmp_reject_statuses: ['PLATFORM_TAMPERED'],
  static_key: { scope: 'specific', slicer_ids: ['studio-a'] },
  key_rotation_schedule: { enabled: true, frequency: 1, unit: 'd', hour: 20 },
});

/** A project whose account is reached through a recorder. */
export interface Guarded<Set extends Stage> {
  readonly set: Set;
  readonly recorder: Recorder;
  /** Runs a command and keeps what it says. */
  run(...argv: readonly string[]): Promise<Ran>;
  runWith(how: RunOptions, ...argv: readonly string[]): Promise<Ran>;
  /** Fails where a secret was said, or lies in the project, in its `.upkeep`, in any git object, or in one of these. */
  expectNoLeak(more?: readonly Trace[]): void;
}

/** Puts a recorder between a stage and its account, with more lines for the target. */
export async function guard<Set extends Stage>(set: Set, target = ''): Promise<Guarded<Set>> {
  const recorder = await startRecorder(set.emulator.url);
  set.write('upkeep.yaml', projectFile(recorder.url, `loosening: allow\n${target}`));
  const said: Trace[] = [];
  const runWith: Guarded<Set>['runWith'] = async (how, ...argv) => {
    const ran = await set.runWith(how, ...argv);
    said.push({ where: `stdout of ${argv.join(' ')}`, text: ran.stdout }, { where: `stderr of ${argv.join(' ')}`, text: ran.stderr });
    return ran;
  };
  return {
    set,
    recorder,
    run: (...argv) => runWith({}, ...argv),
    runWith,
    expectNoLeak(more = []) {
      expectNoLeak([...said, ...tracesIn(set.folder), ...more], [...CREDENTIALS, ...recorder.signatures()]);
    },
  };
}

/** The same with a ledger. */
export async function guardLedger(): Promise<Guarded<GitStage>> {
  const guarded = await guard(await gitStage(DESIRED, { seed: { playlist: manyLive(2) } }), 'ledger: git');
  guarded.set.commit();
  return { ...guarded, expectNoLeak: (more = []) => guarded.expectNoLeak([...tracesIn(guarded.set.remote), ...more]) };
}
