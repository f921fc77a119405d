/** One entry of the ledger: the results of an apply, and the bindings after it (design section 6, entries). */
import type { CheckOverride } from '../model/decision.ts';
import { compareStrings } from '../model/finding.ts';
import { isDeeperThan, isObject } from '../model/json.ts';
import type { ChangeOutcome, Outcome } from '../model/outcome.ts';
import { LedgerError } from './errors.ts';

/** A live object that is bound to an address. */
export interface RecordedBinding {
  readonly id: string;
  readonly origin: 'created' | 'adopted' | 'recognized';
  /** Of an object that the service has not shown yet: when its create was answered, ISO 8601. */
  readonly unseen?: string;
  /** Of an object that the service still showed after its delete: when that was answered, ISO 8601. */
  readonly deleted?: string;
}

/** One apply, or one that was killed: its results are not known, and all else is as the entry before it says. */
export interface LedgerEntry {
  /** 1 where neither project nor base URL were recorded. */
  readonly schemaVersion: 1 | 2;
  readonly target: string;
  /** The project to which the ledger belongs: `project` of upkeep.yaml, or its folder in the repository. */
  readonly project?: string;
  /** Scheme and host of the service; absent where that is this machine. */
  readonly baseUrl?: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Who applied. */
  readonly by: string;
  /** The machine, or the address of the CI job. */
  readonly where: string;
  /** Version of upkeep. */
  readonly tool: string;
  /**
   * The configuration that was applied; no commit where the work tree was dirty or its commit is unknown. `digest` is that of its files,
   * `declared` that of what the target declares (`declarationDigest`), absent in older entries and where it is not known.
   */
  readonly config: { readonly commit: string | null; readonly digest: string; readonly declared?: string };
  /**
   * In a repository of its own: the commits without parents that hold the files of a configuration, by the commit of the project. Absent
   * where there are none.
   */
  readonly snapshots?: { readonly [commit: string]: string };
  /** Null for an apply that was killed. */
  readonly fingerprint: string | null;
  /** The overridden safety checks, sorted by name; absent where none was. `by` and `where` say who overrode them. */
  readonly overrides?: readonly CheckOverride[];
  /**
   * The commits of applies that were killed, the newest first: what equals their configurations counts as created, until an apply has read
   * everything. Absent where there are none.
   */
  readonly interrupted?: readonly string[];
  readonly summary: Outcome['summary'];
  readonly verified: boolean;
  readonly outcomes: readonly ChangeOutcome[];
  /** `sha256:` and the hash of the account's owner; null where no response named one. */
  readonly owner: string | null;
  /** The same of the owner with which the requests were signed, which tells accounts apart where no response names one; absent in older entries. */
  readonly configuredOwner?: string;
  /** The settings that the target has written, and declares; absent where there are none, and in older entries. */
  readonly settings?: readonly string[];
  /** By address. */
  readonly bindings: { readonly [address: string]: RecordedBinding };
  /** The sections of which this apply or an earlier one left nothing out; absent where there are none. */
  readonly managed?: readonly string[];
  /** Remote IDs that `removed` forgot. */
  readonly forgotten: readonly string[];
  /** The addresses that this apply did not include, with the commit last applied to each; null where there is none. */
  readonly pendingSince: { readonly [address: string]: string | null };
  /**
   * The assets that external IDs of the declarations named when these were last applied: by address, then by external ID. Absent where
   * there are none.
   */
  readonly externalIds?: { readonly [address: string]: { readonly [externalId: string]: string } };
  /**
   * The edits by hand that this apply overwrote: by address, the fields as JSON Pointers; none where it is the object itself. Absent where
   * there are none.
   */
  readonly overwritten?: { readonly [address: string]: readonly string[] };
}

/** Decides whether a value has the form of an entry, by schemas/ledger.schema.json. */
export type EntryCheck = (value: unknown) => value is LedgerEntry;

/** Maximum nesting depth of an entry: the values of its fields stay far below it. */
const MAX_DEPTH = 200;

/** Maximum size of an entry in bytes: enough for a million bindings. */
export const MAX_ENTRY_BYTES = 128 * 1024 * 1024;

/**
 * Writes an entry as JSON with one line for each binding, outcome and ID, sorted where order means nothing. Two entries then differ only in
 * the lines that changed, and git stores little more than these for the second.
 * Measured with 100,000 bindings: 8.7 MB of text, 2.2 MB compressed, recorded in 1 s. An apply that adds three bindings adds 0.6 KiB to a
 * pack. Until the remote packs (its own `git gc`), each entry is a loose object of 2.2 MB there.
 * @throws LedgerError where it would be larger than `maxBytes`, which `parseLedgerEntry` could not read
 */
export function writeEntry(entry: LedgerEntry, maxBytes = MAX_ENTRY_BYTES): string {
  const lines = linesOf(entry);
  const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  if (bytes > maxBytes) throw tooLarge(bytes, maxBytes);
  return `${lines.join('\n')}\n`;
}

const MIB = 1024 * 1024;

function tooLarge(bytes: number, maxBytes: number): LedgerError {
  return new LedgerError(
    `the entry of this apply takes ${Math.ceil(bytes / MIB)} MiB, and an entry of the ledger holds ${maxBytes / MIB} MiB`,
    'apply fewer changes at once (`--only`), or divide what the target manages among several targets',
  );
}

function linesOf({ bindings, forgotten, outcomes, pendingSince, ...head }: LedgerEntry): readonly string[] {
  const rows = [
    ...Object.entries(head).map(([member, value]) => row(member, [JSON.stringify(value)])),
    row(
      'outcomes',
      block(
        '[',
        outcomes.map((outcome) => [JSON.stringify(outcome)]),
        ']',
      ),
    ),
    row(
      'forgotten',
      block(
        '[',
        [...forgotten].sort(compareStrings).map((id) => [JSON.stringify(id)]),
        ']',
      ),
    ),
    row('pendingSince', map(pendingSince)),
    row('bindings', map(bindings)),
  ];
  return block('{', rows, '}');
}

/** Reads the text of an entry, which anybody with access to the remote may have written. @throws LedgerError, also above `maxBytes` */
export function parseLedgerEntry(text: string, check: EntryCheck, maxBytes = MAX_ENTRY_BYTES): LedgerEntry {
  if (Buffer.byteLength(text) > maxBytes) throw unusable('it is too large');
  return toEntry(parseJson(text), check);
}

/** Converts a JSON value to an entry. @throws LedgerError */
export function toEntry(value: unknown, check: EntryCheck): LedgerEntry {
  if (check(value) && !Number.isNaN(Date.parse(value.at))) return value;
  const version = isObject(value) ? value.schemaVersion : undefined;
  if (typeof version === 'number' && version > 2)
    throw new LedgerError('it was written by a newer version of upkeep', 'update upkeep', true);
  throw unusable('it does not have the form of an entry');
}

/** Parses a text as JSON. @throws LedgerError */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (isDeeperThan(value, MAX_DEPTH)) throw unusable('it is nested too deep');
    return value;
  } catch (error) {
    if (error instanceof SyntaxError) throw unusable('it is not JSON');
    throw error;
  }
}

function unusable(why: string): LedgerError {
  return new LedgerError(why, 'somebody else wrote it: see `git log` of the ref, and set the ref back to the last entry of upkeep');
}

/** Puts the name of a member before its first line. */
function row(member: string, [first = '', ...rest]: readonly string[]): readonly string[] {
  return [`${JSON.stringify(member)}:${first}`, ...rest];
}

function map(members: { readonly [name: string]: RecordedBinding | string | null }): readonly string[] {
  const sorted = Object.entries(members).sort(([a], [b]) => compareStrings(a, b));
  const rows = sorted.map(([name, value]) =>
    row(name, [
      JSON.stringify(isObject(value) ? { id: value.id, origin: value.origin, unseen: value.unseen, deleted: value.deleted } : value),
    ]),
  );
  return block('{', rows, '}');
}

/** Returns the lines of a list or an object, of which each row may have several, with a comma after all rows but the last. */
function block(open: string, rows: readonly (readonly string[])[], close: string): readonly string[] {
  if (rows.length === 0) return [open + close];
  const lines = rows.flatMap((each, index) => (index < rows.length - 1 ? each.with(-1, `${each.at(-1) ?? ''},`) : each));
  return [open, ...lines, close];
}
