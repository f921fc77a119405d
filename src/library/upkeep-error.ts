import type { Finding } from '../core/model/finding.ts';
import type { ErrorReport, Plan } from '../core/model/plan.ts';
import type { ExitName, Operation } from './types.ts';

/** A run in which a target, or the whole project, got no document. It tells what was being done, to what, and what to do now. */
export class UpkeepError extends Error {
  override readonly name: 'UpkeepError' = 'UpkeepError';
  /** The function that was called. */
  readonly operation: Operation;
  /** The target of the first failure; null where none was chosen yet. */
  readonly target: string | null;
  /** The name of the exit code of the run. */
  readonly exit: ExitName;
  /** The code of the first failure, as in the JSON documents. */
  readonly code: string;
  /** What to do now. */
  readonly hint: string;
  /** The findings of the first failure. */
  readonly findings: readonly Finding[];
  /** The plan that was not applied; null if planning did not finish. */
  readonly plan: Plan | null;
  /** All failures, as the command line prints them. */
  readonly failures: readonly ErrorReport[];
  /** The documents of the targets that did not fail. */
  readonly documents: readonly object[];

  constructor(operation: Operation, exit: ExitName, failures: readonly ErrorReport[], plan: Plan | null, documents: readonly object[]) {
    // An old Node reads this file before `node-version.ts` refuses it, and knows neither `?.` nor `??`.
    const [first = { target: null, error: { summary: exit, code: exit, hint: '' }, findings: [] }] = failures;
    const { target, error, findings } = first;
    const more = failures.length > 1 ? ` (and ${failures.length - 1} more)` : '';
    super(`${operation}${target === null ? '' : ` of ${target}`}: ${error.summary}${more}`);
    this.operation = operation;
    this.target = target;
    this.exit = exit;
    this.code = error.code;
    this.hint = error.hint;
    this.findings = findings;
    this.plan = plan;
    this.failures = failures;
    this.documents = documents;
  }
}
