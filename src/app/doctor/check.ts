import type { Check } from '../../model/diagnosis.ts';
import { CliError, type ExitCode, toCliError } from '../exit-codes.ts';

/** A check, and what it means for the exit code; undefined where runs are not stopped by it. */
export interface CheckResult extends Check {
  readonly exit?: ExitCode;
}

/** As it should be. */
export function ok(check: string, summary: string): CheckResult {
  return { check, state: 'ok', summary };
}

/** Runs go on, and somebody should know. */
export function warning(check: string, summary: string, remedy: string): CheckResult {
  return { check, state: 'warning', summary, remedy };
}

/** Runs are stopped by it, with this exit code. */
export function failed(check: string, summary: string, remedy: string, exit: ExitCode): CheckResult {
  return { check, state: 'failed', summary, remedy, exit };
}

/** Not looked at. */
export function skipped(check: string, summary: string): CheckResult {
  return { check, state: 'skipped', summary };
}

/** What the work finds, or as a check what stopped it; an interrupt stops the doctor too. @throws Stop where interrupted */
export async function failedOnError(check: string, work: () => Promise<readonly CheckResult[]>): Promise<readonly CheckResult[]> {
  try {
    return await work();
  } catch (error) {
    const stop = toCliError(error);
    if (stop.code === 'interrupted') throw stop;
    return [failed(check, stop.message, stop.hint, stop.exit)];
  }
}

/** What the work refuses, as a warning: what stops one command need not stop the others. @throws what is no Stop */
export async function warningOnError(check: string, work: () => Promise<CheckResult>): Promise<CheckResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CliError) return warning(check, error.message, error.hint);
    throw error;
  }
}
