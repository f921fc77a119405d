/** One entry of the ledger: the results of an apply, and the bindings after it (design section 6). */
import { compareStrings } from '../model/finding.ts';
import { isObject } from '../model/json.ts';
import type { ChangeOutcome, Outcome } from '../model/outcome.ts';
import { LedgerError } from './errors.ts';

/** A live object that is bound to an address. */
export interface RecordedBinding {
  readonly id: string;
  readonly origin: 'created' | 'adopted';
}

/** One apply. */
export interface LedgerEntry {
  readonly schemaVersion: 1;
  readonly target: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Who applied. */
  readonly by: string;
  /** The machine, or the address of the CI job. */
  readonly where: string;
  /** Version of upkeep. */
  readonly tool: string;
  /** What was applied; no commit where the work tree was dirty or no commit could be told. */
  readonly config: { readonly commit: string | null; readonly digest: string };
  readonly fingerprint: string;
  readonly summary: Outcome['summary'];
  readonly verified: boolean;
  readonly outcomes: readonly ChangeOutcome[];
  /** `sha256:` and the hash of the account's owner; null where no answer named one. */
  readonly owner: string | null;
  /** By address. */
  readonly bindings: { readonly [address: string]: RecordedBinding };
  /** Remote IDs that `removed` forgot. */
  readonly forgotten: readonly string[];
  /** The addresses that this apply did not include, with the commit last applied to each; null where there is none. */
  readonly standing: { readonly [address: string]: string | null };
}

/** Whether a value has the form of an entry; made from schemas/ledger.schema.json where everything is wired. */
export type EntryCheck = (value: unknown) => value is LedgerEntry;

/** Maximum size of an entry in bytes: enough for a million bindings. */
export const MAX_ENTRY_BYTES = 128 * 1024 * 1024;

/**
 * The entry as JSON in which every binding, outcome and ID is a line of its own, sorted where order means nothing: two entries differ
 * in the lines of what changed, and git stores the second as little more than these.
 * Measured with 100,000 bindings: 8.7 MB of text, 2.2 MB compressed, recorded in 1 s. An apply that adds three adds 0.6 KiB to a pack;
 * until the remote packs (its own `git gc`), each entry is a loose object of 2.2 MB there.
 */
export function writeEntry(entry: LedgerEntry): string {
  const { bindings, forgotten, outcomes, standing, ...head } = entry;
  const rows = [
    ...Object.entries(head).map(([member, value]) => row(member, JSON.stringify(value))),
    row(
      'outcomes',
      block(
        '[',
        outcomes.map((outcome) => JSON.stringify(outcome)),
        ']',
      ),
    ),
    row(
      'forgotten',
      block(
        '[',
        [...forgotten].sort(compareStrings).map((id) => JSON.stringify(id)),
        ']',
      ),
    ),
    row('standing', map(standing)),
    row('bindings', map(bindings)),
  ];
  return `${block('{', rows, '}')}\n`;
}

/** Reads the text of an entry, which anybody with access to the remote may have written. @throws LedgerError */
export function readEntry(text: string, check: EntryCheck): LedgerEntry {
  if (Buffer.byteLength(text) > MAX_ENTRY_BYTES) throw unusable('it is too large');
  return toEntry(parsed(text), check);
}

/** Converts a JSON value to an entry. @throws LedgerError */
export function toEntry(value: unknown, check: EntryCheck): LedgerEntry {
  if (check(value)) return value;
  const version = isObject(value) ? value.schemaVersion : undefined;
  if (typeof version === 'number' && version > 1) throw new LedgerError('it was written by a newer version of upkeep', 'update upkeep');
  throw unusable('it does not have the form of an entry');
}

/** Parses a text as JSON. @throws LedgerError */
export function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (error) {
    if (error instanceof SyntaxError) throw unusable('it is not JSON');
    throw error;
  }
}

function unusable(why: string): LedgerError {
  return new LedgerError(why, 'somebody else wrote it: see `git log` of the ref, and set the ref back to the last entry of upkeep');
}

function row(member: string, text: string): string {
  return `${JSON.stringify(member)}:${text}`;
}

function map(members: { readonly [name: string]: RecordedBinding | string | null }): string {
  const sorted = Object.entries(members).sort(([a], [b]) => compareStrings(a, b));
  const rows = sorted.map(([name, value]) => row(name, JSON.stringify(isObject(value) ? { id: value.id, origin: value.origin } : value)));
  return block('{', rows, '}');
}

function block(open: string, rows: readonly string[], close: string): string {
  return rows.length === 0 ? open + close : `${open}\n${rows.join(',\n')}\n${close}`;
}
