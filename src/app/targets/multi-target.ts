/**
 * Runs a command for several targets in this process, a few at a time; the output of each target stays together, in the order of
 * upkeep.yaml.
 */

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { limitConcurrency } from '../../core/api-client/concurrency.ts';
import type { Target } from '../../core/config/project.ts';
import { EXIT_CODES, type ExitCode, highestPrecedence } from '../../core/model/exit-codes.ts';
import { hideOwners, type Purpose } from '../account/credentials.ts';
import { separateRun, type TargetReports, type TargetRun } from '../account/target-run.ts';
import { CliError, interrupted, toCliError } from '../run/exit-codes.ts';
import { createProgress } from '../run/progress.ts';
import type { OpenProject } from '../run/project.ts';
import { orFailure, type Reports, reportFailure } from '../run/reports.ts';
import { type AppContext, type Status, type StatusText, type TextWriter, withErrorHandler } from '../run/runtime.ts';

/** Maximum number of targets that run at a time. */
export const CONCURRENT_TARGETS = 8;

/** Time for a target to finish its requests in flight after an unhandled error, milliseconds. */
const GRACE_MS = 60_000;

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
  /** Whether the command writes, and so needs the credentials that do. */
  readonly writes: boolean;
  /** Returns the targets of this run that must be done before a target begins. They never wait for each other in a ring. */
  before?(target: Target): readonly Target[];
  work(run: TargetRun): Promise<readonly ExitCode[]>;
  /** Called when a target is done, with its exit codes. */
  ended?(run: TargetRun, exits: readonly ExitCode[]): void;
}

/** The run of one target. */
interface SingleRun {
  readonly run: TargetRun;
  /** Stops only this target. */
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
  io: AppContext,
  reports: Reports,
  { session, targets, quiet, asks, writes, before = () => [], work, ended }: MultiTargetRun,
): Promise<readonly ExitCode[]> {
  const order = createOutputOrder();
  const reportErrors: unknown[] = [];
  const running = new Map<string, StatusText>();
  let done = 0;
  let hasEnded = false;
  const runs = targets.map((target, index): SingleRun => {
    const stop = new AbortController();
    const targetIo = contextOf(target, running, { ...io, signal: AbortSignal.any([io.signal, stop.signal]) });
    const run = separateRun(session, target, targetIo, inOrder(reports, order, index, reportErrors));
    const exits: ExitCode[] = [];
    const fail = (error: unknown): boolean => {
      if (hasEnded) return false;
      exits.push(reportFailure(target.name, run.reports, error));
      stop.abort();
      return true;
    };
    return { run, stop, exits, fail };
  });
  const status = io.startStatus(quiet);
  const progress = createProgress('targets', targets.length, io.now);
  const statusText: StatusText = (now, lastEvent) => [progress.text(now, lastEvent), ...phases(running, now)].join(' · ');
  status.show(statusText);
  for (const { run } of runs) await hideOwners(run.target, session, run.io);
  await collectSecrets(runs, writes ? ['read', 'write'] : ['read']);
  const limit = limitConcurrency(asks ? 1 : CONCURRENT_TARGETS);
  const runInOrder = async (single: SingleRun, index: number, failed: FailedTarget | null): Promise<void> => {
    const workOrRefuse = failed === null ? work : () => Promise.reject(notBegun(single.run.target, failed));
    single.exits.push(...(await withErrorHandler(single.fail, () => runTarget(io, single, workOrRefuse))));
    order.close(index);
    ended?.(single.run, single.exits);
    running.delete(single.run.target.name);
    done += 1;
    progress.update(done, targets.length);
    status.show(statusText);
  };
  const ends = new Map<string, Promise<ExitCode>>();
  const endOf = (name: string): Promise<ExitCode> => {
    const end = ends.get(name) ?? runAfterOthers(targets.findIndex((target) => target.name === name));
    ends.set(name, end);
    return end;
  };
  const runAfterOthers = async (index: number): Promise<ExitCode> => {
    const single = runs[index];
    if (single === undefined) return EXIT_CODES.done;
    const others = before(single.run.target).map(({ name }) => name);
    const otherEnds = await Promise.all(others.map(async (name) => ({ name, exit: await endOf(name) })));
    const failed = otherEnds.find(({ exit }) => exit !== EXIT_CODES.done) ?? null;
    await limit(() => runInOrder(single, index, failed));
    return highestPrecedence(single.exits);
  };
  await Promise.all(targets.map(({ name }) => endOf(name)));
  // Node reports the last unhandled rejection only in the next turn of the event loop.
  await yieldToEventLoop();
  hasEnded = true;
  status.clear();
  if (reportErrors.length > 0) throw reportErrors[0];
  return runs.flatMap(({ exits }) => exits);
}

/**
 * Reads the credentials of all targets before the first one starts, so that the output of no target shows a key of another. A failure is
 * reported by the target that needs them.
 */
async function collectSecrets(runs: readonly SingleRun[], purposes: readonly Purpose[]): Promise<void> {
  const limit = limitConcurrency(CONCURRENT_TARGETS);
  const readAll = (run: TargetRun) => Promise.allSettled(purposes.map((purpose) => run.credentials(purpose)));
  await Promise.allSettled(runs.map(({ run, fail }) => limit(() => withErrorHandler(fail, () => readAll(run)))));
}

/** A target of this run that was not done. */
interface FailedTarget {
  readonly name: string;
  readonly exit: ExitCode;
}

/** The error of a target that comes after one that was not done. */
function notBegun({ name }: Target, failed: FailedTarget): CliError {
  const summary = `${name} was not begun, because it comes after ${failed.name}, which ended with exit code ${failed.exit}`;
  return new CliError(EXIT_CODES.blocked, 'target-before', summary, `see what ${failed.name} reports, and apply both again`);
}

/** Runs one target and reports the error that stopped it. An unhandled error, already reported, stops it as an interrupt would. */
async function runTarget(io: AppContext, { run, stop }: SingleRun, work: MultiTargetRun['work']): Promise<readonly ExitCode[]> {
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
 * Returns the result of the work, or `EXIT_CODES.error` if it does not end within `GRACE_MS` after `stopped`: after an unhandled error it
 * may wait forever.
 */
async function withGracePeriod(work: Promise<readonly ExitCode[]>, stopped: AbortSignal): Promise<readonly ExitCode[]> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<readonly ExitCode[]>((resolve) => {
    const startTimer = (): void => {
      timer = setTimeout(() => resolve([EXIT_CODES.error]), GRACE_MS);
    };
    stopped.addEventListener('abort', startTimer, { once: true });
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Says of each target that runs what it does: `acme applying 12/300`. */
function phases(running: ReadonlyMap<string, StatusText>, now: number): readonly string[] {
  return [...running].map(([target, text]) => `${target} ${text(now, '').split(' · ')[0] ?? ''}`);
}

/**
 * Returns the context of one of several targets: its lines on stderr begin with its name, and its status is a part of that of all targets,
 * `running`, but for single lines.
 */
function contextOf(target: Target, running: Map<string, StatusText>, io: AppContext): AppContext {
  const stderr: TextWriter = { write: (text) => io.stderr.write(withName(target.name, text)) };
  const terminal = { stdin: io.terminal.stdin, stdout: false, stderr: false, columns: io.terminal.columns };
  const startStatus = (quiet: boolean): Status => {
    const status = io.startStatus(quiet);
    return {
      show: (text) => void running.set(target.name, text),
      say: () => undefined,
      line: (text) => status.line(`${target.name}: ${text}`),
      clear: () => void running.delete(target.name),
    };
  };
  return { ...io, stderr, terminal, startStatus };
}

/** Prefixes each line with the name of the target; a JSON log entry names it in its member `target`. */
function withName(target: string, text: string): string {
  return text.replace(/^[^{\n].*$/gm, (line) => `${target}: ${line}`);
}

/** Returns reports whose documents wait for those of the earlier targets. Events name their target and are emitted at once. */
function inOrder(reports: Reports, order: OutputOrder, index: number, reportErrors: unknown[]): TargetReports {
  const writeInOrder = (write: () => void): void =>
    order.at(index, () => {
      try {
        write();
      } catch (error) {
        // An error of the reports is not the target's: it fails the run after all targets have ended.
        reportErrors.push(error);
      }
    });
  return {
    add: (document, options) => writeInOrder(() => reports.add(document, options)),
    show: (document, options) => writeInOrder(() => reports.show(document, options)),
    emit: (events) => reports.emit(events),
  };
}

/** Keeps output in the order of the targets, whichever is ready first. */
interface OutputOrder {
  /**
   * Writes at once if the output of all earlier targets is complete, else as soon as it is. Output after `close` is written at once.
   * `index` is that of the target, from 0.
   */
  at(index: number, write: () => void): void;
  /** Marks the output of this target as complete. */
  close(index: number): void;
}

/** Creates the output order of one run; the target with index 0 comes first. */
export function createOutputOrder(): OutputOrder {
  const waiting = new Map<number, (() => void)[]>();
  const closed = new Set<number>();
  let current = 0;
  return {
    at(index, write) {
      if (index <= current) write();
      else waiting.set(index, [...(waiting.get(index) ?? []), write]);
    },
    close(index) {
      closed.add(index);
      while (closed.has(current)) {
        current += 1;
        for (const write of waiting.get(current) ?? []) write();
        waiting.delete(current);
      }
    },
  };
}
