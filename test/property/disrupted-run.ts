/** One disrupted run: interrupted by the user or the network, or killed by SIGKILL. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect } from 'vitest';
import type { AccountEdit } from '../../src/emulator/edits.ts';
import { createFaultSelector } from '../../src/emulator/faults.ts';
import type { FaultRule } from '../../src/emulator/server.ts';
import type { GitProject } from '../support/git-project.ts';
import type { RunResult, TestProject } from '../support/harness.ts';
import { runAndKill } from '../support/kill.ts';
import type { RequestProxy } from '../support/proxy.ts';
import type { DisruptedRun, Interruption } from './disruptions.ts';
import type { History } from './histories.ts';
import * as invariants from './invariants.ts';
import type { RequestTap } from './request-tap.ts';

/** The state of a history while it runs. */
export interface HistoryRun {
  readonly project: TestProject;
  readonly git: GitProject | null;
  readonly tap: RequestTap;
  readonly history: History;
  readonly proxy: RequestProxy | null;
  /** The undeclared objects at the start, as text. */
  readonly undeclared: string;
  /** IDs of what the program created. */
  readonly created: Set<string>;
  runs: number;
  /** Requests of the disrupted runs. */
  requests: number;
  writes: number;
  /** Faults and edits that took place. */
  faults: number;
  /** Interruptions that took place, including kills. */
  interruptions: number;
  kills: number;
  /** Whether the last run, without edits or incomplete lists, reported that all is applied. */
  isDone: boolean;
}

/** Returns the faults of an outage: from this request on, there is no network. */
function outageFaults({ interruption }: Disruptions): readonly FaultRule[] {
  if (interruption?.by !== 'outage') return [];
  const later = Array.from({ length: 500 }, (_, index) => interruption.nth + index);
  return [
    { nth: interruption.nth, reset: interruption.boundary },
    { nth: later, reset: 'before' },
  ];
}

/** The disruptions of one run. */
export interface Disruptions extends Pick<DisruptedRun, 'faults' | 'interruption'> {
  /** The number of the request at which somebody edits the account, from 1, and the seconds that pass at that moment. */
  readonly edits: readonly { readonly nth: number; readonly edit: AccountEdit; readonly seconds: number }[];
}

/** Runs a command with disruptions. Returns null where it was killed and so has no result. */
export async function runDisrupted(run: HistoryRun, disruptions: Disruptions, argv: readonly string[]): Promise<RunResult | null> {
  const { project, git, proxy } = run;
  const settings = project.read('upkeep.yaml');
  // A committed file cannot be changed for one run, and a proxy cannot forward an endless response: there the connection breaks.
  const canStall = !git && !proxy;
  const faults = canStall
    ? disruptions.faults
    : disruptions.faults.map(({ stall, ...fault }): FaultRule => (stall ? { ...fault, reset: 'after' } : fault));
  const hasShortTimeout = faults.some(({ stall }) => stall !== undefined);
  if (hasShortTimeout) project.write('upkeep.yaml', settings.replace(/timeout_seconds: \d+/, `timeout_seconds: ${SHORT_TIMEOUT}`));
  const rules = [...outageFaults(disruptions), ...faults, ...disruptions.edits.map(({ nth, edit }) => ({ nth, edit }))];
  project.emulator.setFaults(rules);
  project.emulator.clearRequests();
  const result =
    disruptions.interruption?.by === 'kill'
      ? await runAndKillOnce(run, disruptions.interruption, argv)
      : await runInProcess(run, disruptions, argv);
  // What the run gave up may arrive when it is over; it belongs to this run all the same.
  await (proxy ?? project.emulator).idle();
  project.emulator.setFaults([]);
  const requests = project.emulator.requests();
  const hasFault = createFaultSelector(rules);
  run.requests += requests.length;
  run.faults += requests.filter(({ method, path }) => hasFault(method, path)).length;
  if (hasShortTimeout) project.write('upkeep.yaml', settings);
  return result;
}

/** How long a run waits for an endless response, seconds. */
const SHORT_TIMEOUT = 0.25;

async function runAndKillOnce(run: HistoryRun, interruption: Interruption, argv: readonly string[]): Promise<null> {
  const { project, git, proxy } = run;
  if (!proxy) throw new Error('a run is killed at a boundary of the proxy');
  run.tap.begin();
  const wasKilled = await runAndKill({ folder: project.folder, env: git?.env ?? { PATH: process.env.PATH }, argv }, proxy, interruption);
  run.interruptions += wasKilled ? 1 : 0;
  run.kills += wasKilled ? 1 : 0;
  if (wasKilled) await unlockAfterKill(run);
  return null;
}

async function runInProcess(run: HistoryRun, { interruption, edits }: Disruptions, argv: readonly string[]): Promise<RunResult> {
  const { project, tap, history } = run;
  const aborter = new AbortController();
  const stopCounting = countRequests((run.proxy ?? project.emulator).url, aborter.signal);
  tap.begin((nth, boundary) => {
    if (interruption?.by === 'abort' && nth === interruption.nth && boundary === interruption.boundary) aborter.abort();
    const pause = edits.find((each) => each.nth === nth && boundary === 'after' && history.concurrency === 1);
    if (pause) tap.advanceClock(pause.seconds);
  });
  const result = await project.runWith({ signal: aborter.signal, now: tap.now }, ...argv, '--format', 'json');
  const { sentLate, openRequests } = stopCounting();
  run.interruptions += aborter.signal.aborted || interruption?.by === 'outage' ? 1 : 0;
  if (aborter.signal.aborted) {
    const codes = mayHaveEndedBefore(result, tap) ? [130, 7, 10] : [130];
    expect(codes, `interrupted: ${result.stderr}`).toContain(result.code);
    // A request that waits for its connection is in flight too, as one that waits for its response.
    expect(sentLate, 'sent after the interrupt').toBeLessThanOrEqual(history.concurrency - openRequests);
  }
  return result;
}

/**
 * Counts the requests sent after an interrupt, and those open at that moment. Counted where they are sent: a request that was
 * aborted before the interrupt may arrive after it. Calling the returned function ends the counting.
 */
function countRequests(url: string, interrupt: AbortSignal): () => { readonly sentLate: number; readonly openRequests: number } {
  const waiting = new Set<unknown>();
  const counts = { sentLate: 0, openRequests: 0 };
  const requestOf = (event: unknown): unknown => {
    const { request } = Object(event);
    return request?.origin === url ? request : undefined;
  };
  const sent = (event: unknown): void => {
    const request = requestOf(event);
    if (request === undefined) return;
    waiting.add(request);
    if (interrupt.aborted) counts.sentLate += 1;
  };
  const ended = (event: unknown): void => void waiting.delete(requestOf(event));
  const channels = [
    ['undici:client:sendHeaders', sent],
    ['undici:request:trailers', ended],
    ['undici:request:error', ended],
  ] as const;
  interrupt.addEventListener('abort', () => {
    counts.openRequests = waiting.size;
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
function mayHaveEndedBefore(result: RunResult, { handled }: RequestTap): boolean {
  if (invariants.writesOf(handled()).length === 0) return true;
  const outcome = invariants.outcomeOf(result);
  if (outcome?.verified !== false) return false;
  return !outcome.outcomes.some(({ error = '', because = '' }) => `${error} ${because}`.includes('interrupted'));
}

/** Releases the lock that a killed run has left behind. */
async function unlockAfterKill({ git }: HistoryRun): Promise<void> {
  if (!git || !Object.keys(git.refs()).some((ref) => ref.includes('locks'))) return;
  const refused = await git.run('apply', '--yes');
  const [, id = ''] = /unlock --target live --id ([0-9a-f]+)/.exec(refused.stderr) ?? [];
  expect(refused.code, refused.stderr).toBe(9);
  expect((await git.run('unlock', '--id', id)).code).toBe(0);
}
