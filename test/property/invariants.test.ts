/** The invariants themselves: each of them sees the harm that it is there to see. */
import { expect, test } from 'vitest';
import { change, plan } from '../report/documents.ts';
import {
  checkDeletes,
  checkExit,
  checkFreshReads,
  checkIncompleteList,
  checkNoDuplicates,
  checkPlanned,
  checkStaticKeyKept,
  checkStaticKeyUsers,
  checkUnmanagedKinds,
} from './invariants.ts';
import type { HandledRequest } from './request-tap.ts';

const write: HandledRequest = {
  emulation: 'static-key',
  method: 'POST',
  path: '/p',
  body: {},
  usage: new Set(['a']),
  at: 0,
  returnedPlaylists: [],
  heldPlaylists: [],
  isNameLookup: false,
  namesakes: [],
};

test('the invariants notice a static key that more slicers use, or that a slicer loses, for a moment', () => {
  expect(() => checkStaticKeyUsers([write], [new Set(['b']), new Set(['c'])])).toThrow('slicers on the static key');
  expect(() => checkStaticKeyUsers([{ ...write, usage: 'all' }], [new Set(['b'])])).toThrow('slicers on the static key');
  expect(() => checkStaticKeyKept([write], 'all', [new Set(['b'])])).toThrow('lost the static key');
  expect(() => checkStaticKeyKept([{ ...write, usage: new Set() }], new Set(['b']), ['all'])).toThrow('lost the static key');
  expect(() => checkStaticKeyKept([write], new Set(['a', 'b']), [new Set(['a', 'c'])])).not.toThrow();
});

test('the invariants notice a create beside an object of upkeep, but not one beside a foreign object', () => {
  const twin = { ...write, namesakes: ['1'] };
  expect(() => checkNoDuplicates([twin], new Set(['1']), new Set(['1']))).toThrow('a second create');
  expect(() => checkNoDuplicates([twin], new Set(), new Set())).toThrow('a second create');
  expect(() => checkNoDuplicates([twin], new Set(), new Set(['1']))).not.toThrow();
});

test('the invariants notice a write that no plan shows, and phases out of order', () => {
  const request = (path: string) => ({ method: 'POST' as const, path, body: {}, addresses: [path] });
  const changes = [change('/first', { phase: 'strengthen' }), change('/second', { phase: 'update' })];
  const shown = plan(changes, { requests: changes.map(({ address }) => request(address)) });
  const [first, second] = [
    { ...write, path: '/first' },
    { ...write, path: '/second' },
  ];
  expect(() => checkPlanned([first, second], shown)).not.toThrow();
  expect(() => checkPlanned([write], shown)).toThrow('not in the plan');
  expect(() => checkPlanned([second, first], shown)).toThrow('phases out of order');
});

test('the invariants notice a request to an undeclared kind, a stack trace, a secret and an undocumented exit code', () => {
  expect(() => checkUnmanagedKinds([write], { playlists: {} })).toThrow('not managed');
  expect(() => checkExit({ code: 0, stdout: '', stderr: 'error\n    at main (main.js:1:2)' })).toThrow('not to match');
  expect(() => checkExit({ code: 0, stdout: '0123456789abcdef0123456789abcdef', stderr: '' })).toThrow('to deeply equal');
  expect(() => checkExit({ code: 1, stdout: '', stderr: '' })).toThrow('exit code 1');
});

test('the invariants notice a write without a read in the last 30 s, and a write to an object that such a read showed as changed', () => {
  const path = '/api/v4/linear-playlist/x';
  const read = (at: number, desc: string): HandledRequest => ({
    ...write,
    emulation: 'playlist',
    method: 'GET',
    path,
    at,
    returnedPlaylists: [{ id: 'x', desc }],
  });
  const patch: HandledRequest = { ...write, emulation: 'playlist', method: 'PATCH', path, at: 40_000 };
  expect(() => checkFreshReads([read(0, 'a'), patch])).toThrow('not looked at before');
  expect(() => checkFreshReads([read(0, 'a'), read(39_000, 'b'), patch])).toThrow('moved before');
  expect(() => checkFreshReads([read(0, 'a'), read(39_000, 'a'), patch])).not.toThrow();
});

test('the invariants notice an incomplete list that is treated as complete, and a delete of a foreign object', () => {
  const part = { method: 'GET', path: '/api/v4/linear-playlist', nth: 1, truncateList: true } as const;
  expect(() => checkIncompleteList({ code: 0, stdout: '', stderr: '' }, [part], [], { playlists: {} })).toThrow('taken for the whole');
  const path = '/api/v4/linear-playlist/x';
  const shown = [{ id: 'x', playlist: [{ beam: { id: 'x' } }] }];
  const read: HandledRequest = { ...write, method: 'GET', path: '/', returnedPlaylists: shown, heldPlaylists: shown };
  const removal: HandledRequest = { ...write, method: 'DELETE', path };
  expect(() => checkDeletes([read, removal], { playlists: {} }, { ownership: 'exclusive', ledger: 'none' })).toThrow('not ours');
  expect(() => checkDeletes([read, removal], { smart_starts: {} }, { ownership: 'exclusive', ledger: 'none' })).not.toThrow();
  expect(() => checkDeletes([read, removal], { smart_starts: {} }, { ownership: 'shared', ledger: 'none' })).toThrow('not ours');
  // Reads may still show what the account does not hold any more.
  const late: HandledRequest = { ...read, heldPlaylists: [{ id: 'x', playlist: [] }] };
  expect(() => checkDeletes([late, removal], { playlists: {} }, { ownership: 'exclusive', ledger: 'none' })).not.toThrow();
});
