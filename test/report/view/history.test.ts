/** What the history of an address says below each of its changes. */
import { describe, expect, it } from 'vitest';
import type { HistoryEntry, RecordedChange } from '../../../src/report/documents/history.ts';
import { historyView } from '../../../src/report/view/history.ts';
import { field, history, historyEntry } from '../documents.ts';

const updated: RecordedChange = { address: 'playlist/x', result: 'updated', tookMs: 1, fields: [field('/repeat', 1, 2)] };

/** The notes of a change, without the line on its entry. */
function notesOf(change: Partial<RecordedChange>, entry: Partial<HistoryEntry> = {}): readonly string[] {
  const { sections } = historyView(history([historyEntry({ ...entry, changes: [{ ...updated, ...change }] })], { address: 'playlist/x' }));
  return (sections[0]?.items[0]?.notes ?? []).slice(1).map(({ text }) => text);
}

const withoutFields = ({ fields: _fields, ...change }: RecordedChange): RecordedChange => change;

/** The notes of a change of which the entry records no fields. */
function notesWithoutFields(change: Partial<RecordedChange>): readonly string[] {
  const changes = [{ ...withoutFields(updated), ...change }];
  const { sections } = historyView(history([historyEntry({ changes })], { address: 'playlist/x' }));
  return (sections[0]?.items[0]?.notes ?? []).slice(1).map(({ text }) => text);
}

describe('the notes of a change in the history of an address', () => {
  it('say nothing where all is recorded and usual', () => {
    expect(notesOf({})).toEqual([]);
  });

  it('say that an older entry does not record fields, and not so of what only the ledger holds', () => {
    expect(notesWithoutFields({})).toEqual(['its fields were not recorded']);
    for (const result of ['adopted', 'moved', 'forgotten'] as const) expect(notesWithoutFields({ result })).toEqual([]);
  });

  it('name the fields whose values were too large to be recorded', () => {
    expect(notesWithoutFields({ paths: ['/playlist', '/a~1b'] })).toEqual([
      'the values of its fields were too large to be recorded',
      'changed: playlist, a/b',
    ]);
  });

  it('say what stands for a text that was hidden', () => {
    const text = '[hidden] stands for a text that repeated a secret';
    expect(notesOf({ fields: [field('/desc', 'a', { is: ['b [hidden]'] })] })).toEqual([text]);
  });

  it('name the overrides, those of the whole apply where an older entry does not say more, the address before, and the edits by hand that were overwritten', () => {
    const overrides = [{ check: 'weakening', count: 2 }] as const;
    expect(notesOf({ movedFrom: 'playlist/y', overwritten: ['/repeat'] }, { overrides })).toEqual([
      'moved from playlist/y',
      'overridden by this apply: weakening (2 changes)',
      'overwrote edits by hand: repeat',
    ]);
    const own = { overridden: ['weakening'] } as const;
    expect(notesOf(own, { overrides })).toEqual(['overridden: weakening']);
    expect(notesOf({ overridden: [] }, { overrides })).toEqual([]);
    expect(notesOf({ overwritten: [] })).toEqual(['overwrote edits by hand: the object itself']);
  });
});

describe('the history of an address', () => {
  it('says of an interrupted apply that nobody knows what it changed, also where nothing else changed', () => {
    const { opening, sections } = historyView(history([historyEntry({ fingerprint: null, changes: [] })], { address: 'playlist/x' }));
    expect(opening).toMatchObject([{ text: 'The ledger records no such change of playlist/x.' }]);
    expect(sections[0]?.items).toMatchObject([
      { subject: 'e'.repeat(12), notes: [{ text: 'The apply was interrupted, so what it changed is not known.' }, {}] },
    ]);
  });
});
