/** Turns what cannot be read into a fact that is not known. */
import type { Fact } from '../../core/decide/facts.ts';
import { GitError, LedgerError } from '../../core/ledger/errors.ts';
import { CliError } from '../run/exit-codes.ts';

/** Returns a value as a fact; an error of git, of a ledger or of a configuration as the reason why it is not known. Throws any other error. */
export async function known<Value>(fetch: () => Promise<Value>): Promise<Fact<Value>> {
  try {
    return { known: await fetch() };
  } catch (error) {
    if (error instanceof GitError || error instanceof LedgerError || error instanceof CliError) return { unknown: error.message };
    throw error;
  }
}
