/** Runs a command over several targets in this process, a few at a time; what each of them reports stays together, in the order of upkeep.yaml. */
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

/** How long a target in which an unhandled error arose may take to finish what is in flight, milliseconds. */
const GRACE = 60_000;

/** What is to be run. */
export interface MultiTargetRun {
  readonly session: OpenProject;
  /** The chosen ones, in the order in which they are reported. */
  readonly targets: readonly Target[];
  readonly quiet: boolean;
  /** Whether the user will be asked about targets: then one runs at a time, so that no lock is held and no plan grows old behind a question. */
  readonly asks: boolean;
  work(run: TargetRun): Promise<readonly ExitCode[]>;
}

/** One of the targets on its way. */
interface SingleRun {
  readonly run: TargetRun;
  /** Stops this target alone. */
  readonly stop: AbortController;
  readonly exits: ExitCode[];
  /** Reports an error of this target that nobody handled, and stops it; false where the run has ended by then. */
  fail(error: unknown): boolean;
}

/**
 * Runs all targets and gives their exit codes. A failing target stops no other. An interrupt stops all: what runs finishes what is in
 * flight, and what has not begun is reported as interrupted.
 */
export async function runTargets(
  io: CliContext,
  reports: Reports,
  { session, targets, quiet, asks, work }: MultiTargetRun,
): Promise<readonly ExitCode[]> {
  const order = createOutputOrder();
  const faults: unknown[] = [];
  let [done, ended] = [0, false];
  const runs = targets.map((target, place): SingleRun => {
    const stop = new AbortController();
    const own = ioOf(target, { ...io, signal: AbortSignal.any([io.signal, stop.signal]) });
    const run = separateRun(session, target, own, inOrder(reports, order, place, faults));
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
  // A rejection that nobody handles is noticed only now where it came last.
  await yieldToEventLoop();
  ended = true;
  status.clear();
  if (faults.length > 0) throw faults[0];
  return runs.flatMap(({ exits }) => exits);
}

/**
 * Reads the credentials of all targets before the first of them begins, so that no output of one shows a key of another. Where that fails
 * it is reported by the target that needs them.
 */
async function collectSecrets(runs: readonly SingleRun[]): Promise<void> {
  const limit = limitConcurrency(CONCURRENT_TARGETS);
  await Promise.allSettled(runs.map(({ run, fail }) => limit(() => withErrorHandler(fail, () => run.credentials()))));
}

/** Runs one target, and reports what stopped it. An unhandled error stops it as an interrupt would, but was reported already. */
async function runTarget(io: CliContext, { run, stop }: SingleRun, work: MultiTargetRun['work']): Promise<readonly ExitCode[]> {
  const isStoppedAlone = (exit: ExitCode): boolean => exit === EXIT_CODES.interrupted && stop.signal.aborted && !io.signal.aborted;
  const exits = await orFailure(run.target.name, run.reports, async () => {
    try {
      if (run.io.signal.aborted) throw interrupted();
      return await orGivenUp(work(run), stop.signal);
    } catch (error) {
      if (isStoppedAlone(toCliError(error).exit)) return [];
      throw error;
    }
  });
  return exits.filter((exit) => !isStoppedAlone(exit));
}

/** The work's result, unless it does not end in time once it is stopped: an error that nobody handled may have left it waiting for ever. */
async function orGivenUp(work: Promise<readonly ExitCode[]>, stopped: AbortSignal): Promise<readonly ExitCode[]> {
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

/** The outside world of one of several targets: its lines on stderr begin with its name, and it has no line of progress of its own. */
function ioOf(target: Target, io: CliContext): CliContext {
  const stderr: TextWriter = { write: (text) => io.stderr.write(withName(target.name, text)) };
  const terminal = { stdin: io.terminal.stdin, stdout: false, stderr: false, columns: io.terminal.columns };
  return { ...io, terminal, ...withStatusLine({ stdout: io.stdout, stderr, terminal, env: io.env }) };
}

/** Begins each line with the name of the target; a log entry in JSON stays one, with a member more. */
function withName(target: string, text: string): string {
  return text.replace(/^.+$/gm, (line) =>
    line.startsWith('{') ? `{"target":${JSON.stringify(target)},${line.slice(1)}` : `${target}: ${line}`,
  );
}

/** The same reports, whose documents wait for those of the targets before. Events name their target, and are told at once. */
function inOrder(reports: Reports, order: OutputOrder, place: number, faults: unknown[]): TargetReports {
  const later = (write: () => void): void =>
    order.at(place, () => {
      try {
        write();
      } catch (error) {
        // The targets cannot help what goes wrong with the reports; it fails the run when all of them have ended.
        faults.push(error);
      }
    });
  return {
    add: (document, look) => later(() => reports.add(document, look)),
    show: (document, look) => later(() => reports.show(document, look)),
    emit: (events) => reports.emit(events),
  };
}
