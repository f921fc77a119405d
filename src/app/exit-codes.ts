import { GitError, LedgerError } from '../ledger/errors.ts';
import { LockHeldError } from '../ledger/lock-held-error.ts';
import type { Finding } from '../model/finding.ts';
import type { ErrorReport, Plan } from '../model/plan.ts';

/** Exit codes, a contract (design section 5). */
export const EXIT_CODES = {
  done: 0,
  error: 1,
  changes: 2,
  drift: 3,
  blocked: 4,
  failed: 5,
  stale: 6,
  credentials: 7,
  invalid: 8,
  locked: 9,
  incomplete: 10,
  interrupted: 130,
} as const;

/** One of the exit codes. */
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

/** Which code wins when several apply, strongest first. */
const PRECEDENCE: readonly ExitCode[] = [130, 8, 7, 10, 9, 6, 5, 4, 1, 3, 2, 0];

/** The exit code of a run to which all of these apply. */
export function highestPrecedence(exits: Iterable<ExitCode>): ExitCode {
  const all = new Set(exits);
  return PRECEDENCE.find((exit) => all.has(exit)) ?? EXIT_CODES.done;
}

/** A run that cannot go on: what happened, and what the user can do now. */
export class CliError extends Error {
  readonly exit: ExitCode;
  /** Short stable name, as in `error.code` of the JSON documents. */
  readonly code: string;
  readonly hint: string;
  readonly findings: readonly Finding[];
  /** The plan that was not to be carried out; null where it did not come to one. */
  readonly plan: Plan | null;

  constructor(exit: ExitCode, code: string, summary: string, hint: string, findings: readonly Finding[] = [], plan: Plan | null = null) {
    super(summary);
    this.name = 'CliError';
    this.exit = exit;
    this.code = code;
    this.hint = hint;
    this.findings = findings;
    this.plan = plan;
  }
}

/** The stop of a run that the user has interrupted. */
export function interrupted(): CliError {
  return new CliError(EXIT_CODES.interrupted, 'interrupted', 'interrupted', 'run again: nothing is lost, and what is left is planned anew');
}

/** Any error as a Stop: a fault of the file system is the user's to mend, everything else is ours; no stack trace in either. */
export function toCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  if (error instanceof LockHeldError) return new CliError(EXIT_CODES.locked, 'locked', error.message, error.hint);
  if (error instanceof GitError) return new CliError(EXIT_CODES.error, `git-${error.code}`, error.message, error.hint);
  if (error instanceof LedgerError) return new CliError(EXIT_CODES.error, 'ledger', error.message, error.hint);
  if (isSystemError(error)) {
    return new CliError(EXIT_CODES.error, 'file-system', error.message, 'check the path, its permissions and the disk');
  }
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new CliError(
    EXIT_CODES.error,
    'unexpected',
    `unexpected: ${what}`,
    'this is a fault of upkeep itself: please report it with the command that you ran',
  );
}

/** The document that stands in place of a plan or an outcome; `target` null where none was chosen. */
export function failureOf(target: string | null, error: CliError): ErrorReport {
  const { exit, code, message: summary, hint, findings } = error;
  return { schemaVersion: 1, target, error: { exit, code, summary, hint }, findings };
}

/** Whether it was the system that refused something: a path, a permission, a full disk. */
export function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}

/** The code of a system error for a sentence in brackets, for example ENOENT. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'failed';
}
