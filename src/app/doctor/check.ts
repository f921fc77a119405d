import type { ExitCode } from '../../core/model/exit-codes.ts';
import type { Check } from '../../report/documents/diagnosis.ts';
import { CliError, toCliError } from '../run/exit-codes.ts';

/** A check and its exit code; undefined if it would not stop a run. */
export interface CheckResult extends Check {
  readonly exit?: ExitCode;
}

/** Creates the result of a passed check. */
export function ok(check: string, summary: string): CheckResult {
  return { check, state: 'ok', summary };
}

/** Creates a warning, which does not stop a run. */
export function warning(check: string, summary: string, remedy: string): CheckResult {
  return { check, state: 'warning', summary, remedy };
}

/** Creates the result of a failed check, which stops a run with this exit code. */
export function failed(check: string, summary: string, remedy: string, exit: ExitCode): CheckResult {
  return { check, state: 'failed', summary, remedy, exit };
}

/** Creates the result of a check that was not made. */
export function skipped(check: string, summary: string): CheckResult {
  return { check, state: 'skipped', summary };
}

/** Runs checks and turns an error into a failed check. @throws CliError when interrupted */
export async function failedOnError(check: string, work: () => Promise<readonly CheckResult[]>): Promise<readonly CheckResult[]> {
  try {
    return await work();
  } catch (error) {
    const cliError = toCliError(error);
    if (cliError.code === 'interrupted') throw cliError;
    return [failed(check, cliError.message, cliError.hint, cliError.exit)];
  }
}

/** Runs a check and turns a CliError into a warning, for errors that stop some commands only. @throws any error that is not a CliError */
export async function warningOnError(check: string, work: () => Promise<CheckResult>): Promise<CheckResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CliError) return warning(check, error.message, error.hint);
    throw error;
  }
}
