/**
 * A project with a leak check: owner, API key, and every `msg` and `sig` that was sent are searched for in everything that upkeep
 * prints, writes or passes to another program (design section 4, rule 10).
 */
import { basename } from 'node:path';
import { afterAll, expect } from 'vitest';
import { CREDENTIALS, expectNoLeak, type OutputText, searched, textsIn } from '../../support/canary.ts';
import { record } from '../../support/figures.ts';
import { createGitProject, type GitProject } from '../../support/git-project.ts';
import { projectFile, type RunOptions, type RunResult, type TestProject } from '../../support/harness.ts';
import { stateHomeOf } from '../../support/local-files.ts';
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
export interface LeakChecked<Of extends TestProject> {
  readonly project: Of;
  readonly recorder: Recorder;
  /** Runs a command and keeps its output. */
  run(...argv: readonly string[]): Promise<RunResult>;
  runWith(options: RunOptions, ...argv: readonly string[]): Promise<RunResult>;
  /** Fails where a secret is in an output, in the project, in its records, in any git object, or in one of these texts. */
  expectNoLeak(more?: readonly OutputText[]): void;
}

/** Puts a recorder between a project and its account, with more lines for the target. */
export async function withLeakCheck<Of extends TestProject>(project: Of, target = ''): Promise<LeakChecked<Of>> {
  const recorder = await startRecorder(project.emulator.url);
  project.write('upkeep.yaml', projectFile(recorder.url, `weakening: allow\n${target}`));
  const outputs: OutputText[] = [];
  const runWith: LeakChecked<Of>['runWith'] = async (options, ...argv) => {
    const result = await project.runWith(options, ...argv);
    outputs.push(
      { where: `stdout of ${argv.join(' ')}`, text: result.stdout },
      { where: `stderr of ${argv.join(' ')}`, text: result.stderr },
    );
    return result;
  };
  return {
    project,
    recorder,
    run: (...argv) => runWith({}, ...argv),
    runWith,
    expectNoLeak(more = []) {
      expectNoLeak(
        [...outputs, ...textsIn(project.folder), ...textsIn(stateHomeOf(project.folder)), ...more],
        [...CREDENTIALS, ...recorder.signatures()],
      );
    },
  };
}

/** The same with a ledger. */
export async function withLedgerLeakCheck(): Promise<LeakChecked<GitProject>> {
  const checked = await withLeakCheck(await createGitProject(DESIRED, { seed: { playlist: manyLive(2) } }), 'ledger: git');
  checked.project.commit();
  return { ...checked, expectNoLeak: (more = []) => checked.expectNoLeak([...textsIn(checked.project.remote), ...more]) };
}
