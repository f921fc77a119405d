/** One run on a bad day: cut by the user, by the network, or by SIGKILL. */
import { expect } from 'vitest';
import type { FaultRule } from '../../src/emulator/server.ts';
import type { GitStage } from '../git-stage.ts';
import type { Ran, Stage } from '../harness.ts';
import { killed } from '../killing.ts';
import type { RequestProxy } from '../proxy.ts';
import type { BadRun, History } from './histories.ts';
import * as invariants from './invariants.ts';
import type { Tap } from './tap.ts';

/** One account on its way. */
export interface Life {
  readonly set: Stage;
  readonly git: GitStage | null;
  readonly tap: Tap;
  readonly history: History;
  readonly proxy: RequestProxy | null;
  /** The bystanders before anything happened, as text. */
  readonly bystanders: string;
  /** IDs of what the program created. */
  readonly created: Set<string>;
  runs: number;
  writes: number;
  faults: number;
  cuts: number;
}

/** From the cut on, the network is gone. */
export function outage({ cut }: BadRun): readonly FaultRule[] {
  if (cut?.by !== 'outage') return [];
  const later = Array.from({ length: 500 }, (_, index) => cut.nth + index);
  return [
    { nth: cut.nth, reset: cut.boundary },
    { nth: later, reset: 'before' },
  ];
}

/** The run itself; null where it was killed and so said nothing. */
export async function badly(life: Life, { cut }: BadRun, argv: readonly string[]): Promise<Ran | null> {
  const { set, git, proxy } = life;
  life.tap.begin();
  if (cut?.by === 'kill' && proxy) {
    const dead = await killed({ folder: set.folder, env: git?.env ?? { PATH: process.env.PATH }, argv }, proxy, cut);
    life.cuts += dead ? 1 : 0;
    if (dead) await unlocked(life);
    return null;
  }
  if (cut?.by !== 'abort') {
    life.cuts += cut ? 1 : 0;
    return set.run(...argv, '--format', 'json');
  }
  const aborter = new AbortController();
  let late = 0;
  life.tap.begin((nth, boundary) => {
    if (boundary === 'before' && aborter.signal.aborted) late += 1;
    if (nth === cut.nth && boundary === cut.boundary) aborter.abort();
  });
  const ran = await set.runWith({ signal: aborter.signal }, ...argv, '--format', 'json');
  if (aborter.signal.aborted) {
    life.cuts += 1;
    // A read that failed may have ended the run already, while others were still in flight.
    const codes = invariants.writesOf(life.tap.handled()).length === 0 ? [130, 7, 10] : [130];
    expect(codes, `interrupted: ${ran.stderr}`).toContain(ran.code);
    expect(late, 'begun after the interrupt').toBeLessThan(life.history.concurrency);
  }
  return ran;
}

/** What was killed while it held the lock left it behind. */
async function unlocked({ git }: Life): Promise<void> {
  if (!git || !Object.keys(git.refs()).some((ref) => ref.includes('locks'))) return;
  const refused = await git.run('apply', '--yes');
  const [, id = ''] = /unlock -t live --id ([0-9a-f]+)/.exec(refused.stderr) ?? [];
  expect(refused.code, refused.stderr).toBe(9);
  expect((await git.run('unlock', '--id', id)).code).toBe(0);
}
