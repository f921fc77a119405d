/** Builds the view of a history. */

import type { Outcome } from '../../core/model/outcome.ts';
import { REDACTED } from '../../core/model/visible-text.ts';
import type { AcceptedEdit, History, HistoryEntry, RecordedChange } from '../documents/history.ts';
import { fieldLines, fieldName } from '../text/field-diff.ts';
import { overrideText } from './labels.ts';
import { type Line, noDetail, type View, type ViewItem, type ViewSection } from './model.ts';
import { outcomeItem } from './outcome.ts';

/** Builds the view of a history: an item for each apply, or of an address for each change. */
export function historyView({ target, address, near, entries, more }: History): View {
  const isEmpty = !entries.some(({ changes, accepted }) => changes === undefined || changes.length > 0 || accepted !== undefined);
  const opening: readonly Line[] = isEmpty ? [{ style: 'plain', text: emptyText(address, near) }] : [];
  const closing: readonly Line[] = [
    ...unreadLine(entries),
    ...(more ? [{ style: 'quiet', text: 'Older ones are left out by --limit.' } as const] : []),
  ];
  const section: ViewSection =
    address === undefined
      ? { title: 'Applies, newest first', columns: ['', 'Entry', 'Remarks'], items: entries.map(applyItem) }
      : { title: 'Changes, newest first', columns: ['Result', 'Address', 'Remarks'], items: entries.flatMap(changeItems) };
  return { title: `History of ${address === undefined ? target : `${address} in ${target}`}`, opening, sections: [section], closing };
}

function emptyText(address: string | undefined, near: string | undefined): string {
  if (address === undefined) return 'The ledger records no such apply.';
  return `The ledger records no such change of ${address}.${near === undefined ? '' : ` Did you mean ${near}?`}`;
}

function applyItem(entry: HistoryEntry): ViewItem {
  return {
    style: entry.verified ? 'plain' : 'warning',
    sign: '*',
    word: 'apply',
    subject: entry.id.slice(0, 12),
    remarks: [...whenAndWho(entry), ...resultRemarks(entry)],
    notes: [{ style: 'quiet', text: placeOf(entry).join(', ') }],
    detail: noDetail,
  };
}

/** Maximum number of entries that a line names. */
const MAX_NAMED = 3;

/** Names the entries of which nobody knows what their configurations accepted. */
function unreadLine(entries: readonly HistoryEntry[]): readonly Line[] {
  const unread = entries.flatMap(({ id, commit, unread: why }) =>
    why === undefined ? [] : [`entry ${id.slice(0, 12)}${commit === null ? '' : `, commit ${commit.slice(0, 12)}`}: ${why}`],
  );
  if (unread.length === 0) return [];
  const others = unread.length > MAX_NAMED ? [`${unread.length - MAX_NAMED} more`] : [];
  const head = 'The configurations of these applies cannot be read, so that an edit that they accepted stands at a later one, or nowhere';
  return [{ style: 'warning', text: `${head}: ${[...unread.slice(0, MAX_NAMED), ...others].join('; ')}.` }];
}

/** Builds the items of the changes of an apply: one that says that nobody knows them, where the apply was killed. */
function changeItems(entry: HistoryEntry): readonly ViewItem[] {
  const { changes = [], accepted = [], fingerprint } = entry;
  if (fingerprint === null) {
    const unknown: Line = { style: 'warning', text: 'The apply was interrupted, so what it changed is not known.' };
    return [{ ...applyItem(entry), notes: [unknown, ...applyItem(entry).notes] }];
  }
  const place: Line = { style: 'quiet', text: [`entry ${entry.id.slice(0, 12)}`, ...placeOf(entry)].join(', ') };
  const items = changes.map((change): ViewItem => {
    const item = outcomeItem(change, undefined, new Set());
    const notes = notesOf(change, entry).map((text): Line => ({ style: 'plain', text }));
    return { ...item, remarks: whenAndWho(entry), notes: [place, ...notes, ...item.notes] };
  });
  // They were in the account before the apply began.
  return [...items, ...accepted.map((edit) => editItem(edit, entry, place))];
}

/** Builds the item of an edit by hand that an apply found as declared. */
function editItem({ address, deleted, interrupted, fields }: AcceptedEdit, entry: HistoryEntry, place: Line): ViewItem {
  const [what, wrote] = deleted ? ['deleted', 'deleted'] : ['edited', 'wrote'];
  const text = interrupted
    ? `${what} by hand and accepted, or by the apply that was interrupted before: no other apply ${wrote} it`
    : `${what} by hand and accepted: no apply ${wrote} it`;
  const change = { fields, action: deleted ? 'delete' : 'update', origin: 'drift' } as const;
  return {
    style: deleted ? 'removed' : 'changed',
    sign: 'accepted',
    subject: address,
    remarks: whenAndWho(entry),
    notes: [place, ...[text, ...hiddenNotes(fields)].map((note): Line => ({ style: 'plain', text: note }))],
    detail: fields.length === 0 ? noDetail : (paint, width) => fieldLines(change, null, paint, width),
  };
}

function notesOf(
  { result, movedFrom, overwritten, fields, paths, overridden }: RecordedChange,
  { overrides }: HistoryEntry,
): readonly string[] {
  const isOfLedger = result === 'adopted' || result === 'moved' || result === 'forgotten';
  const notes = [
    movedFrom === undefined ? null : `moved from ${movedFrom}`,
    overrides === undefined || overridden ? null : `overridden by this apply: ${overrides.map(overrideText).join(', ')}`,
    overwritten === undefined
      ? null
      : `overwrote edits by hand: ${overwritten.length === 0 ? 'the object itself' : overwritten.map(fieldName).join(', ')}`,
    isOfLedger || fields || paths ? null : 'its fields were not recorded',
    paths ? 'the values of its fields were too large to be recorded' : null,
  ];
  return [...notes.filter((note) => note !== null), ...hiddenNotes(fields)];
}

function hiddenNotes(fields: RecordedChange['fields']): readonly string[] {
  return JSON.stringify(fields ?? []).includes(REDACTED) ? [`${REDACTED} stands for a text that repeated a secret`] : [];
}

function whenAndWho({ at, by }: HistoryEntry): readonly string[] {
  return [at, ...(by === undefined ? [] : [`by ${by}`])];
}

/** Returns the commit, the machine or CI job, and the version of upkeep. */
function placeOf({ commit, where, tool }: HistoryEntry): readonly string[] {
  return [commit === null ? 'uncommitted' : `commit ${commit.slice(0, 12)}`, ...(where === undefined ? [] : [where]), `upkeep ${tool}`];
}

function resultRemarks(entry: HistoryEntry): readonly string[] {
  if (entry.fingerprint === null) return ['interrupted'];
  const { summary, inPart = [], verified } = entry;
  const part = inPart.length === 0 ? [] : [`in part: ${inPart.join(', ')}`];
  const remarks = [formatResults(summary), ...overrideRemarks(entry), ...part];
  // What is in part says it already.
  return verified || inPart.length > 0 ? remarks : [...remarks, 'not verified'];
}

function overrideRemarks({ overrides }: HistoryEntry): readonly string[] {
  return overrides ? [`overridden: ${overrides.map(overrideText).join(', ')}`] : [];
}

function formatResults(summary: Outcome['summary']): string {
  const counts = Object.entries(summary).flatMap(([result, count]) => (count > 0 ? [`${count} ${result}`] : []));
  return counts.length > 0 ? counts.join(', ') : 'nothing changed';
}
