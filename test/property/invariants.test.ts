/** The invariants themselves: each of them sees the harm that it is there to see. */
import { expect, test } from 'vitest';
import { change, plan } from '../report/documents.ts';
import {
  asPlanned,
  endsWell,
  looked,
  mayGo,
  noTwins,
  partsAreNoWhole,
  staticKeyInBounds,
  staticKeyKept,
  unmanagedLeftAlone,
} from './invariants.ts';
import type { Handled } from './request-tap.ts';

const write: Handled = {
  emulation: 'static-key',
  method: 'POST',
  path: '/p',
  body: {},
  usage: new Set(['a']),
  at: 0,
  shown: [],
  byName: false,
  namesakes: [],
};

test('a static key that more slicers use for a moment, or that a slicer loses for a moment, is seen', () => {
  expect(() => staticKeyInBounds([write], [new Set(['b']), new Set(['c'])])).toThrow('slicers on the static key');
  expect(() => staticKeyInBounds([{ ...write, usage: 'all' }], [new Set(['b'])])).toThrow('slicers on the static key');
  expect(() => staticKeyKept([write], 'all', [new Set(['b'])])).toThrow('lost the static key');
  expect(() => staticKeyKept([{ ...write, usage: new Set() }], new Set(['b']), ['all'])).toThrow('lost the static key');
  expect(() => staticKeyKept([write], new Set(['a', 'b']), [new Set(['a', 'c'])])).not.toThrow();
});

test('a create beside an object of our own is seen, one beside a stranger is not', () => {
  const twin = { ...write, namesakes: ['1'] };
  expect(() => noTwins([twin], new Set(['1']), new Set(['1']))).toThrow('a second create');
  expect(() => noTwins([twin], new Set(), new Set())).toThrow('a second create');
  expect(() => noTwins([twin], new Set(), new Set(['1']))).not.toThrow();
});

test('a write that no plan shows, and phases out of order, are seen', () => {
  const request = (path: string) => ({ method: 'POST' as const, path, body: {}, addresses: [path] });
  const changes = [change('/first', { phase: 'tighten' }), change('/second', { phase: 'update' })];
  const shown = plan(changes, { requests: changes.map(({ address }) => request(address)) });
  const [first, second] = [
    { ...write, path: '/first' },
    { ...write, path: '/second' },
  ];
  expect(() => asPlanned([first, second], shown)).not.toThrow();
  expect(() => asPlanned([write], shown)).toThrow('not in the plan');
  expect(() => asPlanned([second, first], shown)).toThrow('phases out of order');
});

test('a request to a kind that is not managed, a stack trace, a secret and a code outside the contract are seen', () => {
  expect(() => unmanagedLeftAlone([write], { playlists: {} })).toThrow('not managed');
  expect(() => endsWell({ code: 0, stdout: '', stderr: 'error\n    at main (main.js:1:2)' })).toThrow();
  expect(() => endsWell({ code: 0, stdout: '0123456789abcdef0123456789abcdef', stderr: '' })).toThrow();
  expect(() => endsWell({ code: 1, stdout: '', stderr: '' })).toThrow('exit code 1');
});

test('a write without a look in the last 30 s, or of what such a look showed to have moved, is seen', () => {
  const path = '/api/v4/linear-playlist/x';
  const read = (at: number, desc: string): Handled => ({
    ...write,
    emulation: 'playlist',
    method: 'GET',
    path,
    at,
    shown: [{ id: 'x', desc }],
  });
  const patch: Handled = { ...write, emulation: 'playlist', method: 'PATCH', path, at: 40_000 };
  expect(() => looked([read(0, 'a'), patch])).toThrow('not looked at before');
  expect(() => looked([read(0, 'a'), read(39_000, 'b'), patch])).toThrow('moved before');
  expect(() => looked([read(0, 'a'), read(39_000, 'a'), patch])).not.toThrow();
});

test('a part that is taken for the whole, and a delete of what is not ours, are seen', () => {
  const part = { method: 'GET', path: '/api/v4/linear-playlist', nth: 1, truncateList: true } as const;
  expect(() => partsAreNoWhole({ code: 0, stdout: '', stderr: '' }, [part], [], { playlists: {} })).toThrow('taken for the whole');
  const path = '/api/v4/linear-playlist/x';
  const read: Handled = { ...write, method: 'GET', path: '/', shown: [{ id: 'x', playlist: [{ beam: { id: 'x' } }] }] };
  const removal: Handled = { ...write, method: 'DELETE', path };
  expect(() => mayGo([read, removal], { playlists: {} }, { ownership: 'exclusive', ledger: 'none' })).toThrow('not ours');
  expect(() => mayGo([read, removal], { smart_starts: {} }, { ownership: 'exclusive', ledger: 'none' })).not.toThrow();
  expect(() => mayGo([read, removal], { smart_starts: {} }, { ownership: 'shared', ledger: 'none' })).toThrow('not ours');
});
