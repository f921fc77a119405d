/** What the history of an address says below each of its changes. */
import { describe, expect, it } from 'vitest';
import type { AcceptedEdit, HistoryEntry, RecordedChange } from '../../../src/report/documents/history.ts';
import { historyView } from '../../../src/report/view/history.ts';
import { field, history, historyEntry } from '../documents.ts';

const updated: RecordedChange = { address: 'playlist/x', result: 'updated', tookMs: 1, fields: [field('/repeat', 1, 2)] };

/** The notes of a change, without the line on its entry. */
function notesOf(change: Partial<RecordedChange>, entry: Partial<HistoryEntry> = {}): readonly string[] {
  const { sections } = historyView(history([historyEntry({ ...entry, changes: [{ ...updated, ...change }] })], { address: 'playlist/x' }));
  return (sections[0]?.items[0]?.notes ?? []).slice(1).map(({ text }) => text);
}

/** The items of the history of an address whose one entry accepted this edit. */
function editItems(edit: Partial<AcceptedEdit>, changes: readonly RecordedChange[] = []) {
  const accepted = [{ address: 'playlist/x', fields: [field('/repeat', 1, 2, { origin: 'drift', effect: 'weakens' })], ...edit }];
  const { sections } = historyView(history([historyEntry({ changes, accepted })], { address: 'playlist/x' }));
  return sections[0]?.items ?? [];
}

const paint = (_style: unknown, text: string) => text;

const withoutFields = ({ fields: _fields, ...change }: RecordedChange): RecordedChange => change;

/** The notes of a change of which the entry records no fields. */
function notesWithoutFields(change: Partial<RecordedChange>): readonly string[] {
  const changes = [{ ...withoutFields(updated), ...change }];
  const { sections } = historyView(history([historyEntry({ changes })], { address: 'playlist/x' }));
  return (sections[0]?.items[0]?.notes ?? []).slice(1).map(({ text }) => text);
}

describe('the notes of a change in the history of an address', () => {
  it('leave the effect of a field to its line, also where it is the only one', () => {
    const { sections } = historyView(
      history([historyEntry({ changes: [{ ...updated, fields: [field('/skip_drm', 0, 1, { effect: 'weakens' })] }] })], {
        address: 'playlist/x',
      }),
    );
    expect(sections[0]?.items[0]?.detail(paint, 100)).toEqual(['skip_drm: 0 -> 1  (weakens protection)']);
  });

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

describe('an accepted edit in the history of an address', () => {
  it('stands below the changes of its apply, with who recorded it, the entry, and its fields with their effect', () => {
    const [change, edit] = editItems({}, [updated]);
    expect(change).toMatchObject({ sign: 'updated' });
    expect(edit).toMatchObject({ sign: 'accepted', subject: 'playlist/x', remarks: ['2026-03-01T10:00:00.000Z', 'by ada'] });
    expect(edit?.notes.map(({ text }) => text)).toEqual([
      `entry ${'e'.repeat(12)}, commit ${'c'.repeat(12)}, build-1, upkeep 1.0.0`,
      'edited by hand and accepted: no apply wrote it',
    ]);
    expect(edit?.detail(paint, 100)).toEqual(['repeat: 1 -> 2  (weakens protection)']);
  });

  it.each<[string, Partial<AcceptedEdit>, string]>([
    ['that deleted the object', { deleted: true }, 'deleted by hand and accepted: no apply deleted it'],
    [
      'that an interrupted apply may have made',
      { interrupted: true },
      'edited by hand and accepted, or by the apply that was interrupted before: no other apply wrote it',
    ],
  ])('says of one %s so', (_what, edit, text) => {
    expect(editItems(edit)[0]?.notes[1]?.text).toBe(text);
  });

  it('says what stands for a text that was hidden', () => {
    const [item] = editItems({ fields: [field('/desc', 'a', 'b [hidden]')] });
    expect(item?.notes[2]?.text).toBe('[hidden] stands for a text that repeated a secret');
  });

  it('shows the values that a deleted object had', () => {
    const [item] = editItems({ deleted: true, fields: [field('/repeat', 2, null)] });
    expect(item?.detail(paint, 100)).toEqual(['repeat: 2']);
    expect(editItems({ deleted: true, fields: [] })[0]?.detail(paint, 100)).toEqual([]);
  });
});

describe('the history of an address', () => {
  it('names the entries whose configurations cannot be read, the first three of them', () => {
    const unread = ['a', 'b', 'c', 'd', '9'].map((digit) =>
      historyEntry({ id: digit.repeat(40), changes: [], unread: `why ${digit}`, ...(digit === 'b' ? { commit: null } : {}) }),
    );
    const { opening, closing, sections } = historyView(history(unread, { address: 'playlist/x', more: true }));
    expect(opening).toMatchObject([{ text: 'The ledger records no such change of playlist/x.' }]);
    expect(sections[0]?.items).toEqual([]);
    const [a, b, c] = ['a', 'b', 'c'].map((digit) => `entry ${digit.repeat(12)}`);
    const commit = `commit ${'c'.repeat(12)}`;
    expect(closing.map(({ text }) => text)).toEqual([
      `The configurations of these applies cannot be read, so that an edit that they accepted stands at a later one, or nowhere: ${a}, ${commit}: why a; ${b}: why b; ${c}, ${commit}: why c; 2 more.`,
      'Older ones are left out by --limit.',
    ]);
  });

  it('is not empty where it holds an accepted edit alone', () => {
    const accepted = [{ address: 'playlist/x', fields: [field('/repeat', 1, 2)] }];
    expect(historyView(history([historyEntry({ changes: [], accepted })], { address: 'playlist/x' })).opening).toEqual([]);
  });

  it('says of an interrupted apply that nobody knows what it changed, also where nothing else changed', () => {
    const { opening, sections } = historyView(history([historyEntry({ fingerprint: null, changes: [] })], { address: 'playlist/x' }));
    expect(opening).toMatchObject([{ text: 'The ledger records no such change of playlist/x.' }]);
    expect(sections[0]?.items).toMatchObject([
      { subject: 'e'.repeat(12), notes: [{ text: 'The apply was interrupted, so what it changed is not known.' }, {}] },
    ]);
  });
});
