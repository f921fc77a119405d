/** The process as the use cases see it, and the attribution of unhandled errors to targets. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ObserveExchange } from '../../core/api-client/transport.ts';
import type { Fetch } from '../../core/model/fetch.ts';
import type { Document } from '../../report/document.ts';
import type { Telemetry } from './run-events.ts';
import type { Secrets } from './secrets.ts';

/** The process environment, passed to `main` so that tests run whole commands in process. */
export interface Runtime {
  readonly stdout: TextWriter;
  readonly stderr: TextWriter;
  /** The standard input, for the prompt of `apply`. */
  readonly stdin: AsyncIterable<string | Uint8Array>;
  readonly env: { readonly [name: string]: string | undefined };
  /** The working directory, absolute. */
  readonly cwd: string;
  /** Unix milliseconds, for texts and for what the service compares with its own clock. */
  now(): number;
  /** Milliseconds from some time on, for ages and waits: it never goes back, and counts while the process or the machine stood still. */
  elapsed(): number;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
  /** Which streams are a terminal, and its current number of columns; 80 where there is none. */
  readonly terminal: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean; readonly columns: number };
  /**
   * Registers what is to be said if the process ends at once: a sentence, or null for nothing. Returns a function that takes it back. Absent
   * where nothing ends the process.
   */
  onImmediateExit?(sentence: () => string | null): () => void;
  /** Registers a handler for unhandled rejections and uncaught exceptions. */
  onUnhandledError(handle: (error: unknown) => void): void;
}

/** The runtime as use cases see it: output to stderr is redacted. `argv` are the arguments of the program. */
export interface AppContext extends Runtime {
  readonly argv: readonly string[];
  /** Names this run in its log and notifications. */
  readonly runId: string;
  readonly secrets: Secrets;
  /** Observes the run, or the target whose context this is; absent where nobody asked for a log. */
  readonly telemetry?: Telemetry | undefined;
  /** Receives each document, without secrets, in place of stdout and stderr: a program runs the use case, and nobody reads reports. */
  readonly collect?: ((document: Document) => void) | undefined;
  /** Sends the requests to the services in place of the network. */
  readonly fetch?: Fetch | undefined;
  /** Observes the requests to the service; absent where nobody asked for a recording. */
  readonly observe?: ObserveExchange | undefined;
  /** Starts to show the status of a run; with `quiet` nothing is shown. */
  startStatus(quiet: boolean): Status;
}

/** The status of a run, as shown to the user. */
export interface Status {
  /** Shows the status of a piece of work and refreshes it. */
  show(text: StatusText): void;
  /** Sets the text of the last event. */
  say(text: string): void;
  /** Writes a line at once, where the status cannot be rewritten in place: into the log of a CI job, a pipe or a file. */
  line(text: string): void;
  /** Removes the status. */
  clear(): void;
}

/** Formats the status of a piece of work. `now` is in Unix milliseconds, `lastEvent` the last text passed to `say`. */
export type StatusText = (now: number, lastEvent: string) => string;

/** A sink for text. */
export interface TextWriter {
  write(text: string): unknown;
}

/** Resolves when the user interrupts. */
export function waitForInterrupt(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Handles an unhandled error of a target; returns false if it is too late to report it. */
type ErrorHandler = (error: unknown) => boolean;

const handlerOfTarget = new AsyncLocalStorage<ErrorHandler>();

/** Runs the work of a target; unhandled errors (`unhandledRejection`, `uncaughtException`) of that work are passed to `handle`. */
export function withErrorHandler<Result>(handle: ErrorHandler, work: () => Result): Result {
  return handlerOfTarget.run(handle, work);
}

/** Passes an unhandled error to the target whose work caused it. Returns false if no target reported it. */
export function handledByTarget(error: unknown): boolean {
  return handlerOfTarget.getStore()?.(error) === true;
}
