import type { ApiError } from '../../core/api-client/errors.ts';
import type { ApplyResult } from '../../core/apply/input.ts';
import { GitError, LedgerError, LockHeldError } from '../../core/ledger/errors.ts';
import type { Decision } from '../../core/model/decision.ts';
import { EXIT_CODES, type ExitCode } from '../../core/model/exit-codes.ts';
import type { Finding } from '../../core/model/finding.ts';
import type { ErrorReport, Plan } from '../../core/model/plan.ts';
import type { PlannedChange } from '../../core/state/planned-change.ts';
import { CodeHostError, type CodeHostErrorCategory } from '../../integrations/code-hosts/errors.ts';

/** Returns the exit code of an error of the service (design section 5, exit codes). */
export function exitCodeOf({ category }: ApiError): ExitCode {
  if (category === 'interrupted') return EXIT_CODES.interrupted;
  return category === 'credentials' ? EXIT_CODES.credentials : EXIT_CODES.incomplete;
}

/** Returns the exit code of a plan: whether it has changes, and whether one of them is blocked (`--detailed-exitcode`). */
export function exitCodeOfPlan({ decision, summary }: Plan): ExitCode {
  if (decision?.holds.some(({ status }) => status === 'blocked')) return EXIT_CODES.blocked;
  return summary.create + summary.update + summary.delete > 0 ? EXIT_CODES.changes : EXIT_CODES.done;
}

/** Returns the exit codes of an apply of these changes: what failed, and what was blocked. */
export function exitCodesOfApply({ outcome, errors }: ApplyResult, changes: readonly PlannedChange[]): readonly ExitCode[] {
  return [
    ...(outcome.summary.failed + (outcome.summary.unseen ?? 0) > 0 ? [EXIT_CODES.failed] : []),
    ...(errors.some((error) => exitCodeOf(error) === EXIT_CODES.credentials) ? [EXIT_CODES.credentials] : []),
    ...(changes.some(({ change }) => change.blocked !== null) ? [EXIT_CODES.blocked] : []),
  ];
}

/** An error that ends a command: what happened, and what the user can do now. */
export class CliError extends Error {
  readonly exit: ExitCode;
  /** Short stable name, as in `error.code` of the JSON documents. */
  readonly code: string;
  readonly hint: string;
  readonly findings: readonly Finding[];
  /** The plan that was not applied; null if planning did not finish. */
  readonly plan: Plan | null;
  /** What held the run back; null where that was not decided. */
  readonly decision: Decision | null;

  constructor(
    exit: ExitCode,
    code: string,
    summary: string,
    hint: string,
    findings: readonly Finding[] = [],
    plan: Plan | null = null,
    decision: Decision | null = null,
  ) {
    super(summary);
    this.name = 'CliError';
    this.exit = exit;
    this.code = code;
    this.hint = hint;
    this.findings = findings;
    this.plan = plan;
    this.decision = decision;
  }
}

/** Creates the error of a run that the user interrupted. */
export function interrupted(): CliError {
  return new CliError(
    EXIT_CODES.interrupted,
    'interrupted',
    'interrupted',
    'run again: nothing is lost, and the remaining changes are planned again',
  );
}

/**
 * Converts any error to a CliError without a stack trace: the user can fix file system errors; any other unknown error is a bug in upkeep.
 */
export function toCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  if (error instanceof LockHeldError) return new CliError(EXIT_CODES.locked, 'locked', error.message, error.hint);
  if (error instanceof CodeHostError) return fromCodeHostError(error);
  if (error instanceof GitError) return new CliError(EXIT_CODES.error, `git-${error.code}`, error.message, error.hint);
  if (error instanceof LedgerError)
    return new CliError(error.isNewer ? EXIT_CODES.invalid : EXIT_CODES.error, 'ledger', error.message, error.hint);
  if (isSystemError(error)) {
    const isOutOfFiles = codeOf(error) === 'EMFILE';
    const hint = isOutOfFiles ? 'allow more open files, for example: ulimit -n 1024' : 'check the path, its permissions and the disk';
    return new CliError(EXIT_CODES.error, 'file-system', error.message, hint);
  }
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new CliError(
    EXIT_CODES.error,
    'unexpected',
    `unexpected: ${what}`,
    'this is a bug in upkeep: please report it with the command that you ran',
  );
}

const CODE_HOST_EXITS: { readonly [kind in Exclude<CodeHostErrorCategory, 'interrupted'>]: ExitCode } = {
  usage: EXIT_CODES.invalid,
  credentials: EXIT_CODES.credentials,
  failed: EXIT_CODES.error,
};

function fromCodeHostError({ category, code, message, hint }: CodeHostError): CliError {
  return category === 'interrupted' ? interrupted() : new CliError(CODE_HOST_EXITS[category], code, message, hint);
}

/** Builds the error report that replaces a plan or an outcome; `target` is null if none was chosen. */
export function failureOf(target: string | null, error: CliError): ErrorReport {
  const { exit, code, message: summary, hint, findings, decision } = error;
  return { schemaVersion: 1, target, error: { exit, code, summary, hint }, ...(decision === null ? {} : { decision }), findings };
}

/** Decides whether an error comes from the operating system: a path, a permission, a full disk. */
export function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}

/** Returns the code of a system error, for example ENOENT, or `failed` if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'failed';
}
