import type { Check } from '../../model/diagnosis.ts';
import { type Exit, Stop, stopOf } from '../exit.ts';

/** A check, and what it means for the exit code; undefined where runs are not stopped by it. */
export interface Examined extends Check {
  readonly exit?: Exit;
}

/** As it should be. */
export function ok(check: string, summary: string): Examined {
  return { check, state: 'ok', summary };
}

/** Runs go on, and somebody should know. */
export function warning(check: string, summary: string, remedy: string): Examined {
  return { check, state: 'warning', summary, remedy };
}

/** Runs are stopped by it, with this exit code. */
export function failed(check: string, summary: string, remedy: string, exit: Exit): Examined {
  return { check, state: 'failed', summary, remedy, exit };
}

/** Not looked at. */
export function skipped(check: string, summary: string): Examined {
  return { check, state: 'skipped', summary };
}

/** What the work finds, or as a check what stopped it; an interrupt stops the doctor too. @throws Stop where interrupted */
export async function orFailed(check: string, work: () => Promise<readonly Examined[]>): Promise<readonly Examined[]> {
  try {
    return await work();
  } catch (error) {
    const stop = stopOf(error);
    if (stop.code === 'interrupted') throw stop;
    return [failed(check, stop.message, stop.hint, stop.exit)];
  }
}

/** What the work refuses, as a warning: what stops one command need not stop the others. @throws what is no Stop */
export async function orWarning(check: string, work: () => Promise<Examined>): Promise<Examined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Stop) return warning(check, error.message, error.hint);
    throw error;
  }
}
