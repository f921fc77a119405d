/** Runs a use case for a program: with a context that collects instead of printing, and with typed results and errors. */
import { randomUUID } from 'node:crypto';
import { failureOf, toCliError } from '../app/run/exit-codes.ts';
import type { TargetOptions } from '../app/run/options.ts';
import type { AppContext, Status } from '../app/run/runtime.ts';
import { createSecrets } from '../app/run/secrets.ts';
import { monotonicClock } from '../core/api-client/monotonic.ts';
import type { ExitCode } from '../core/model/exit-codes.ts';
import type { ErrorReport, Plan } from '../core/model/plan.ts';
import type { Document } from '../report/document.ts';
import type { AccountOptions, ExitName, Logger, LogLevel, Operation, ProjectOptions, Result } from './types.ts';
import { UpkeepError } from './upkeep-error.ts';

/** The options of a call, with the working directory of the process and its environment, which git and the commands of credentials need. */
export type Called<Options> = Options & { readonly cwd: string; readonly env: AppContext['env'] };

/** The name of each exit code. */
const EXIT_NAMES: { readonly [code in ExitCode]: ExitName } = {
  0: 'done',
  1: 'error',
  2: 'changes',
  3: 'drift',
  4: 'blocked',
  5: 'failed',
  6: 'stale',
  7: 'credentials',
  8: 'invalid',
  9: 'locked',
  10: 'incomplete',
  130: 'interrupted',
};

/**
 * Runs a use case and returns its documents; `select` returns the document of a target, or null for any other. @throws UpkeepError if a
 * target got none, and what the logger threw
 */
export async function run<Selected extends object>(
  operation: Operation,
  options: Called<ProjectOptions>,
  useCase: (io: AppContext, options: TargetOptions) => Promise<ExitCode>,
  select: (document: Document) => Selected | null,
): Promise<Result<Selected>> {
  const documents: Selected[] = [];
  const failures: { readonly failure: ErrorReport; readonly plan?: Plan }[] = [];
  const loggerErrors: unknown[] = [];
  const collect = (document: Document): void => {
    if (document.type === 'failure') failures.push(document);
    const selected = select(document);
    if (selected) documents.push(selected);
  };
  const io = contextFor(operation, options, collect, (error) => void loggerErrors.push(error));
  const code = await useCase(io, commandOptions(options)).catch((error: unknown) => {
    const cliError = toCliError(error);
    failures.push({ failure: io.secrets.redactIn(failureOf(null, cliError)) });
    return cliError.exit;
  });
  if (loggerErrors.length > 0) throw loggerErrors[0];
  const exit = EXIT_NAMES[code];
  const [first] = failures;
  if (!first) return { exit, code, documents };
  throw new UpkeepError(
    operation,
    exit,
    failures.map(({ failure }) => failure),
    first.plan ?? null,
    documents,
  );
}

/** Returns the flags of the command line that every use case reads. */
function commandOptions({ project, targets = [], logLevel = 'warn' }: ProjectOptions): TargetOptions {
  return { project, target: targets, format: 'json', out: [], color: false, quiet: true, logLevel, logFormat: 'text' };
}

const NO_STATUS: Status = { show: () => undefined, say: () => undefined, line: () => undefined, clear: () => undefined };

/**
 * Creates the context of a run. What the command line prints on stderr goes to the logger; what that throws must not end an apply half way,
 * and is passed to `onLoggerError`.
 */
function contextFor(
  operation: Operation,
  options: Called<AccountOptions>,
  collect: (document: Document) => void,
  onLoggerError: (error: unknown) => void,
): AppContext {
  const { env, cwd, signal, logger, fetch } = options;
  const toLogger = (text: string): void => {
    try {
      if (logger) log(logger, text);
    } catch (error) {
      onLoggerError(error);
    }
  };
  const secrets = createSecrets();
  const silent = { write: () => undefined };
  return {
    stdout: silent,
    stderr: { write: (text) => toLogger(secrets.redact(text)) },
    stdin: noInput(),
    env,
    cwd,
    now: Date.now,
    elapsed: monotonicClock(Date.now, () => performance.now()),
    // A signal of its own: the caller's may live long, and gets no listeners and no settings.
    signal: AbortSignal.any(signal ? [signal] : []),
    terminal: { stdin: false, stdout: false, stderr: false, columns: 100 },
    onUnhandledError: () => undefined,
    argv: [operation],
    runId: randomUUID(),
    secrets,
    collect,
    fetch,
    startStatus: () => NO_STATUS,
  };
}

async function* noInput(): AsyncIterable<string> {}

/** The levels by the word with which a message or an entry of the log begins; those of several targets begin with its name. */
const LEVELS: { readonly [word: string]: LogLevel } = {
  error: 'error',
  warning: 'warn',
  note: 'info',
  info: 'info',
  debug: 'debug',
  trace: 'trace',
};

function log(logger: Logger, text: string): void {
  const [, word = ''] = /^(?:[\w-]+: )?(error|warning|note|info|debug|trace): /.exec(text) ?? [];
  logger.log(LEVELS[word] ?? 'info', text.trimEnd());
}
