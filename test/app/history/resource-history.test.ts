/** Which changes of the entries of a ledger belong to an address. */
import { expect, test } from 'vitest';
import { changesOf } from '../../../src/app/history/resource-history.ts';
import type { LedgerEntry, RecordedBinding } from '../../../src/core/ledger/entry.ts';
import type { Result } from '../../../src/core/model/outcome.ts';
import { entry } from '../../core/ledger/repositories.ts';

/** An entry with these results and bindings, by address: an ID, with the first letters of its origin behind a colon. */
function applied(
  results: { readonly [address: string]: Result },
  bindings: { readonly [address: string]: string },
  more: Partial<LedgerEntry> = {},
) {
  return entry({
    outcomes: Object.entries(results).map(([address, result]) => ({ address, result, tookMs: 1 })),
    bindings: Object.fromEntries(Object.entries(bindings).map(([address, id]): [string, RecordedBinding] => [address, bindingOf(id)])),
    ...more,
  });
}

function bindingOf(written: string): RecordedBinding {
  const [id = '', origin] = written.split(':');
  return { id, origin: origin === 'adopted' ? 'adopted' : 'created' };
}

/** The changes of an address in a history, oldest entry first, as words, newest first: `2 moved playlist/b from playlist/a`. */
function wordsOf(address: string, entries: readonly LedgerEntry[]): readonly string[] {
  const changes = changesOf(address);
  return entries.toReversed().flatMap((each, index) => {
    const place = entries.length - 1 - index;
    return changes(each, entries[place - 1] ?? null).changes.map(
      ({ address: at, result, movedFrom }) => `${place} ${result} ${at}${movedFrom === undefined ? '' : ` from ${movedFrom}`}`,
    );
  });
}

test('changes of other addresses and what was skipped are left out, and what failed is listed', () => {
  const ledger = [
    applied({ 'playlist/a': 'created', 'playlist/b': 'created' }, { 'playlist/a': '1', 'playlist/b': '2' }),
    applied({ 'playlist/a': 'skipped', 'playlist/b': 'updated' }, { 'playlist/a': '1', 'playlist/b': '2' }),
    applied({ 'playlist/a': 'failed' }, { 'playlist/a': '1', 'playlist/b': '2' }),
    applied({ 'playlist/a': 'deleted' }, { 'playlist/b': '2' }),
  ];
  expect(wordsOf('playlist/a', ledger)).toEqual(['3 deleted playlist/a', '2 failed playlist/a', '0 created playlist/a']);
});

test('a setting, which no entry binds, has its changes', () => {
  const ledger = [applied({ 'static-key': 'updated' }, {}), applied({}, {}), applied({ 'static-key': 'updated' }, {})];
  expect(wordsOf('static-key', ledger)).toEqual(['2 updated static-key', '0 updated static-key']);
});

/** An object that was renamed twice, the second time by an update, before another one got its first address. */
const renamed = [
  applied({ 'playlist/a': 'created' }, { 'playlist/a': '1' }),
  applied({ 'playlist/b': 'moved' }, { 'playlist/b': '1' }),
  applied({ 'playlist/c': 'updated', 'playlist/a': 'created' }, { 'playlist/c': '1', 'playlist/a': '2' }),
  applied({ 'playlist/c': 'updated', 'playlist/a': 'deleted' }, { 'playlist/c': '1' }),
];

test('a renamed resource has the changes under each of its addresses, and none of the objects that got them later', () => {
  expect(wordsOf('playlist/c', renamed)).toEqual([
    '3 updated playlist/c',
    '2 updated playlist/c from playlist/b',
    '1 moved playlist/b from playlist/a',
    '0 created playlist/a',
  ]);
});

test('an earlier address has the changes of all objects that had it, and the move by which one left it', () => {
  expect(wordsOf('playlist/a', renamed)).toEqual([
    '3 deleted playlist/a',
    '2 created playlist/a',
    '1 moved playlist/b from playlist/a',
    '0 created playlist/a',
  ]);
});

test('of two objects that exchange their addresses only the one that is asked for is followed', () => {
  const ledger = [
    applied({ 'playlist/a': 'created', 'playlist/b': 'created' }, { 'playlist/a': '1', 'playlist/b': '2' }),
    applied({ 'playlist/b': 'updated' }, { 'playlist/a': '1', 'playlist/b': '2' }),
    applied({ 'playlist/a': 'moved', 'playlist/b': 'moved' }, { 'playlist/a': '2', 'playlist/b': '1' }),
  ];
  expect(wordsOf('playlist/a', ledger)).toEqual(['2 moved playlist/a from playlist/b', '1 updated playlist/b', '0 created playlist/b']);
});

test('an adopted object has the changes from before it was forgotten under another address', () => {
  const ledger = [
    applied({ 'playlist/a': 'created' }, { 'playlist/a': '1' }),
    applied({ 'playlist/a': 'forgotten', 'playlist/z': 'created' }, { 'playlist/z': '3' }),
    applied({ 'playlist/z': 'updated' }, { 'playlist/z': '3' }),
    applied({ 'playlist/b': 'adopted' }, { 'playlist/b': '1:adopted', 'playlist/z': '3' }),
  ];
  expect(wordsOf('playlist/b', ledger)).toEqual(['3 adopted playlist/b', '1 forgotten playlist/a', '0 created playlist/a']);
});

test('objects of different kinds with one ID are not taken for each other', () => {
  const ledger = [
    applied({ 'drm-policy/a': 'created' }, { 'drm-policy/a': '1' }),
    applied({ 'playlist/b': 'adopted' }, { 'playlist/b': '1:adopted' }),
  ];
  expect(wordsOf('playlist/b', ledger)).toEqual(['1 adopted playlist/b']);
});

test('a glob lists the changes of every address that matches it, also of those that a move left', () => {
  expect(wordsOf('playlist/*', renamed)).toHaveLength(6);
  expect(wordsOf('*/b', renamed)).toEqual(['2 updated playlist/c from playlist/b', '1 moved playlist/b from playlist/a']);
});

test('a change names the edits by hand that it overwrote', () => {
  const overwritten = { 'playlist/a': ['/repeat'], 'playlist/b': [] };
  const last = applied({ 'playlist/a': 'updated' }, { 'playlist/a': '1' }, { overwritten });
  expect(changesOf('playlist/a')(last, null).changes).toEqual([
    { address: 'playlist/a', result: 'updated', tookMs: 1, overwritten: ['/repeat'] },
  ]);
});
