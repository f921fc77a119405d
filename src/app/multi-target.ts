/**
 * Runs a command for several targets in this process, a few at a time; the output of each target stays together, in the order of
 * upkeep.yaml.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { limitConcurrency } from '../api-client/concurrency.ts';
import type { Target } from '../config/project.ts';
import { EXIT_CODES, type ExitCode, interrupted, toCliError } from './exit-codes.ts';
import type { Reports } from './output.ts';
import { createOutputOrder, type OutputOrder } from './output-order.ts';
import { createProgress } from './progress.ts';
import { createStatus } from './progress-display.ts';
import type { OpenProject } from './project.ts';
import type { CliContext, TextWriter } from './runtime.ts';
import { withStatusLine } from './status-line.ts';
import { separateRun, type TargetReports, type TargetRun } from './target-run.ts';
import { withErrorHandler } from './unhandled-errors.ts';
import { orFailure, reportFailure } from './with-reports.ts';

/** Most targets that run at a time. */
export const CONCURRENT_TARGETS = 8;

/** Milliseconds that a target may take after an unhandled error to finish its requests in flight. */
const GRACE = 60_000;

/** The targets of a run and the work for each. */
export interface MultiTargetRun {
  readonly session: OpenProject;
  /** The chosen targets, in the order in which they are reported. */
  readonly targets: readonly Target[];
  readonly quiet: boolean;
  /**
   * Whether the user will be prompted: then one target runs at a time, so that no lock is held and no plan becomes stale during a prompt.
   */
  readonly asks: boolean;
  work(run: TargetRun): Promise<readonly ExitCode[]>;
}

/** The run of one target. */
interface SingleRun {
  readonly run: TargetRun;
  /** Stops this target alone. */
  readonly stop: AbortController;
  readonly exits: ExitCode[];
  /** Reports an unhandled error of this target and stops it. Returns false if the run has already ended. */
  fail(error: unknown): boolean;
}

/**
 * Runs all targets and returns their exit codes. A failing target does not stop the others. An interrupt stops all: running targets finish
 * their requests in flight, and targets that have not started are reported as interrupted.
 */
export async function runTargets(
  io: CliContext,
  reports: Reports,
  { session, targets, quiet, asks, work }: MultiTargetRun,
): Promise<readonly ExitCode[]> {
  const order = createOutputOrder();
  const reportErrors: unknown[] = [];
  let [done, ended] = [0, false];
  const runs = targets.map((target, place): SingleRun => {
    const stop = new AbortController();
    const own = ioOf(target, { ...io, signal: AbortSignal.any([io.signal, stop.signal]) });
    const run = separateRun(session, target, own, inOrder(reports, order, place, reportErrors));
    const exits: ExitCode[] = [];
    const fail = (error: unknown): boolean => {
      if (ended) return false;
      exits.push(reportFailure(target.name, run.reports, error));
      stop.abort();
      return true;
    };
    return { run, stop, exits, fail };
  });
  const status = createStatus(io, quiet);
  const progress = createProgress('targets', targets.length, io.now);
  status.show(progress.line);
  await collectSecrets(runs);
  const limit = limitConcurrency(asks ? 1 : CONCURRENT_TARGETS);
  const runInPlace = async (single: SingleRun, place: number): Promise<void> => {
    single.exits.push(...(await withErrorHandler(single.fail, () => runTarget(io, single, work))));
    order.close(place);
    done += 1;
    progress.reached(done, targets.length);
    status.show(progress.line);
  };
  await Promise.all(runs.map((single, place) => limit(() => runInPlace(single, place))));
  // Node reports the last unhandled rejection only in the next turn of the event loop.
  await yieldToEventLoop();
  ended = true;
  status.clear();
  if (reportErrors.length > 0) throw reportErrors[0];
  return runs.flatMap(({ exits }) => exits);
}

/**
 * Reads the credentials of all targets before the first one starts, so that the output of no target shows a key of another. A failure is
 * reported by the target that needs them.
 */
async function collectSecrets(runs: readonly SingleRun[]): Promise<void> {
  const limit = limitConcurrency(CONCURRENT_TARGETS);
  await Promise.allSettled(runs.map(({ run, fail }) => limit(() => withErrorHandler(fail, () => run.credentials()))));
}

/** Runs one target and reports the error that stopped it. An unhandled error, already reported, stops it as an interrupt would. */
async function runTarget(io: CliContext, { run, stop }: SingleRun, work: MultiTargetRun['work']): Promise<readonly ExitCode[]> {
  const isStoppedAlone = (exit: ExitCode): boolean => exit === EXIT_CODES.interrupted && stop.signal.aborted && !io.signal.aborted;
  const exits = await orFailure(run.target.name, run.reports, async () => {
    try {
      if (run.io.signal.aborted) throw interrupted();
      return await withGracePeriod(work(run), stop.signal);
    } catch (error) {
      if (isStoppedAlone(toCliError(error).exit)) return [];
      throw error;
    }
  });
  return exits.filter((exit) => !isStoppedAlone(exit));
}

/**
 * Returns the result of the work, or `EXIT_CODES.error` if it does not end within `GRACE` after `stopped`: an unhandled error may leave it
 * waiting forever.
 */
async function withGracePeriod(work: Promise<readonly ExitCode[]>, stopped: AbortSignal): Promise<readonly ExitCode[]> {
  let timer: NodeJS.Timeout | undefined;
  const givenUp = new Promise<readonly ExitCode[]>((resolve) => {
    const giveUpLater = (): void => {
      timer = setTimeout(() => resolve([EXIT_CODES.error]), GRACE);
    };
    stopped.addEventListener('abort', giveUpLater, { once: true });
  });
  try {
    return await Promise.race([work, givenUp]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the context of one of several targets: its lines on stderr begin with its name, and it has no status line. */
function ioOf(target: Target, io: CliContext): CliContext {
  const stderr: TextWriter = { write: (text) => io.stderr.write(withName(target.name, text)) };
  const terminal = { stdin: io.terminal.stdin, stdout: false, stderr: false, columns: io.terminal.columns };
  return { ...io, terminal, ...withStatusLine({ stdout: io.stdout, stderr, terminal, env: io.env }) };
}

/** Prefixes each line with the name of the target; a JSON log entry gets a `target` member instead. */
function withName(target: string, text: string): string {
  return text.replace(/^.+$/gm, (line) =>
    line.startsWith('{') ? `{"target":${JSON.stringify(target)},${line.slice(1)}` : `${target}: ${line}`,
  );
}

/** Returns reports whose documents wait for those of the earlier targets. Events name their target and are emitted at once. */
function inOrder(reports: Reports, order: OutputOrder, place: number, reportErrors: unknown[]): TargetReports {
  const writeInOrder = (write: () => void): void =>
    order.at(place, () => {
      try {
        write();
      } catch (error) {
        // An error of the reports is not the target's: it fails the run after all targets have ended.
        reportErrors.push(error);
      }
    });
  return {
    add: (document, look) => writeInOrder(() => reports.add(document, look)),
    show: (document, look) => writeInOrder(() => reports.show(document, look)),
    emit: (events) => reports.emit(events),
  };
}
