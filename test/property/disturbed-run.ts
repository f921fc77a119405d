/** One run on a bad day: cut by the user, by the network, or by SIGKILL. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect } from 'vitest';
import type { AccountEdit } from '../../src/emulator/edits.ts';
import { createFaultSelector } from '../../src/emulator/faults.ts';
import type { FaultRule } from '../../src/emulator/server.ts';
import type { GitStage } from '../support/git-project.ts';
import type { Ran, Stage } from '../support/harness.ts';
import { killed } from '../support/kill.ts';
import type { RequestProxy } from '../support/proxy.ts';
import type { BadRun, Cut } from './disturbances.ts';
import type { History } from './histories.ts';
import * as invariants from './invariants.ts';
import type { Tap } from './request-tap.ts';

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
  /** Requests of the bad runs. */
  requests: number;
  writes: number;
  /** Faults and edits that came to pass. */
  faults: number;
  /** Cuts that came to pass, kills among them. */
  cuts: number;
  kills: number;
  /** Whether the last run, which nobody disturbed or lied to, said that all is done. */
  done: boolean;
}

/** From the cut on, the network is gone. */
function outage({ cut }: Day): readonly FaultRule[] {
  if (cut?.by !== 'outage') return [];
  const later = Array.from({ length: 500 }, (_, index) => cut.nth + index);
  return [
    { nth: cut.nth, reset: cut.boundary },
    { nth: later, reset: 'before' },
  ];
}

/** What a run is to meet. */
export interface Day extends Pick<BadRun, 'faults' | 'cut'> {
  /** The number of the request at which somebody edits the account, from 1, and the seconds that pass meanwhile. */
  readonly edits: readonly { readonly nth: number; readonly edit: AccountEdit; readonly seconds: number }[];
}

/** The run itself; null where it was killed and so said nothing. */
export async function badly(life: Life, day: Day, argv: readonly string[]): Promise<Ran | null> {
  const { set, git, proxy } = life;
  const settings = set.read('upkeep.yaml');
  // A committed file cannot be changed for one run, and a proxy passes on no answer that does not end: there the connection ends.
  const mayStall = !git && !proxy;
  const faults = mayStall ? day.faults : day.faults.map(({ stall, ...fault }): FaultRule => (stall ? { ...fault, reset: 'after' } : fault));
  const hurried = faults.some(({ stall }) => stall !== undefined);
  if (hurried) set.write('upkeep.yaml', settings.replace(/timeout_seconds: \d+/, `timeout_seconds: ${IMPATIENT}`));
  const rules = [...outage(day), ...faults, ...day.edits.map(({ nth, edit }) => ({ nth, edit }))];
  set.emulator.setFaults(rules);
  set.emulator.clearRequests();
  const ran = day.cut?.by === 'kill' ? await slain(life, day.cut, argv) : await alive(life, day, argv);
  // What the run gave up may arrive when it is over; it belongs to this run all the same.
  await (proxy ?? set.emulator).idle();
  set.emulator.setFaults([]);
  const requests = set.emulator.requests();
  const fired = createFaultSelector(rules);
  life.requests += requests.length;
  life.faults += requests.filter(({ method, path }) => fired(method, path)).length;
  if (hurried) set.write('upkeep.yaml', settings);
  return ran;
}

/** How long a run waits for an answer that never ends, seconds. */
const IMPATIENT = 0.25;

async function slain(life: Life, cut: Cut, argv: readonly string[]): Promise<null> {
  const { set, git, proxy } = life;
  if (!proxy) throw new Error('a run is killed at a boundary of the proxy');
  life.tap.begin();
  const dead = await killed({ folder: set.folder, env: git?.env ?? { PATH: process.env.PATH }, argv }, proxy, cut);
  life.cuts += dead ? 1 : 0;
  life.kills += dead ? 1 : 0;
  if (dead) await unlocked(life);
  return null;
}

async function alive(life: Life, { cut, edits }: Day, argv: readonly string[]): Promise<Ran> {
  const { set, tap, history } = life;
  const aborter = new AbortController();
  const traffic = listen((life.proxy ?? set.emulator).url, aborter.signal);
  tap.begin((nth, boundary) => {
    if (cut?.by === 'abort' && nth === cut.nth && boundary === cut.boundary) aborter.abort();
    const pause = edits.find((each) => each.nth === nth && boundary === 'after' && history.concurrency === 1);
    if (pause) tap.pass(pause.seconds);
  });
  const ran = await set.runWith({ signal: aborter.signal, now: tap.now }, ...argv, '--format', 'json');
  const { late, open } = traffic();
  life.cuts += aborter.signal.aborted || cut?.by === 'outage' ? 1 : 0;
  if (aborter.signal.aborted) {
    const codes = mayHaveEnded(ran, tap) ? [130, 7, 10] : [130];
    expect(codes, `interrupted: ${ran.stderr}`).toContain(ran.code);
    // What waits for its connection then is in flight too, beside what waits for its answer.
    expect(late, 'sent after the interrupt').toBeLessThanOrEqual(history.concurrency - open);
  }
  return ran;
}

/**
 * Counts what is sent after an interrupt, and what waited for its answer when it came. Counted where it is sent, by who sends it: what was
 * given up before the interrupt may arrive after it. Whoever asks for the counts ends the counting.
 */
function listen(url: string, interrupt: AbortSignal): () => { readonly late: number; readonly open: number } {
  const waiting = new Set<unknown>();
  const counts = { late: 0, open: 0 };
  const own = (event: unknown): unknown => {
    const { request } = Object(event);
    return request?.origin === url ? request : undefined;
  };
  const sent = (event: unknown): void => {
    const request = own(event);
    if (request === undefined) return;
    waiting.add(request);
    if (interrupt.aborted) counts.late += 1;
  };
  const ended = (event: unknown): void => void waiting.delete(own(event));
  const channels = [
    ['undici:client:sendHeaders', sent],
    ['undici:request:trailers', ended],
    ['undici:request:error', ended],
  ] as const;
  interrupt.addEventListener('abort', () => {
    counts.open = waiting.size;
  });
  for (const [channel, listener] of channels) subscribe(channel, listener);
  return () => {
    for (const [channel, listener] of channels) unsubscribe(channel, listener);
    return counts;
  };
}

/**
 * Whether a read that failed may have ended the run while others were still in flight: before the first write, or when reading back, which
 * comes when each change is written, has failed or was left out, none of them by the interrupt.
 */
function mayHaveEnded(ran: Ran, { handled }: Tap): boolean {
  if (invariants.writesOf(handled()).length === 0) return true;
  const outcome = invariants.outcomeOf(ran);
  if (outcome?.verified !== false) return false;
  return !outcome.outcomes.some(({ error = '', because = '' }) => `${error} ${because}`.includes('interrupted'));
}

/** What was killed while it held the lock left it behind. */
async function unlocked({ git }: Life): Promise<void> {
  if (!git || !Object.keys(git.refs()).some((ref) => ref.includes('locks'))) return;
  const refused = await git.run('apply', '--yes');
  const [, id = ''] = /unlock -t live --id ([0-9a-f]+)/.exec(refused.stderr) ?? [];
  expect(refused.code, refused.stderr).toBe(9);
  expect((await git.run('unlock', '--id', id)).code).toBe(0);
}
