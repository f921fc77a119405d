/** The invariants themselves: each of them sees the harm that it is there to see. */
import { expect, test } from 'vitest';
import { converge } from './converge.ts';
import type { History } from './histories.ts';
import { endsWell, noTwins, staticKeyInBounds, staticKeyKept, unmanagedLeftAlone } from './invariants.ts';
import type { Handled } from './tap.ts';

const write: Handled = { emulation: 'static-key', method: 'POST', path: '/p', body: {}, usage: new Set(['a']), namesakes: [] };

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

test('a request to a kind that is not managed, a stack trace, a secret and a code outside the contract are seen', () => {
  expect(() => unmanagedLeftAlone([write], { playlists: {} })).toThrow('not managed');
  expect(() => endsWell({ code: 0, stdout: '', stderr: 'error\n    at main (main.js:1:2)' })).toThrow();
  expect(() => endsWell({ code: 0, stdout: '0123456789abcdef0123456789abcdef', stderr: '' })).toThrow();
  expect(() => endsWell({ code: 1, stdout: '', stderr: '' })).toThrow('exit code 1');
});

const BEAMS = ['1', '2'].map((digit) => ({ beam: { id: digit.repeat(32) } }));

test('a history in which the answer to a create is lost, and one in which the scope of the static key narrows, come to rest', async () => {
  const run = { edits: [], cut: null, allow: ['loosening'], skipHeld: false, saved: false };
  const history: History = {
    account: { 'static-key': { use_static_encryption_key: true, static_key_slicer_ids: ['b'] } },
    manners: {},
    ownership: 'shared',
    ledger: 'none',
    concurrency: 1,
    giveUp: 0,
    chapters: [
      {
        sections: { playlists: { p1: { playlist: BEAMS } } },
        byHand: [],
        run: { ...run, faults: [{ method: 'POST', path: '/api/v4/linear-playlist', reset: 'after', nth: 1 }] },
      },
      { sections: { static_key: { scope: 'specific', slicer_ids: ['a'] } }, byHand: [], run: { ...run, faults: [] } },
    ],
  };
  expect(await converge(history)).toMatchObject({ runs: 2, writes: 3, quiet: 0, empty: true });
});
