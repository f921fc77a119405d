import { describe, expect, test } from 'vitest';
import type { DesiredResource, LiveResource } from '../../src/kinds/kind.ts';
import type { IdentityRule } from '../../src/model/explanation.ts';
import { matchResources } from '../../src/plan/match.ts';
import { matchRuleOf } from '../../src/plan/match-rule.ts';
import { applyMoves, NO_STATE } from '../../src/state/state.ts';
import { dial, song } from './fakes.ts';
import { knowing } from './pasts.ts';
import { aLiveSong, aSong, theDial } from './runs.ts';

type Case = [
  rule: IdentityRule,
  when: string,
  desired: DesiredResource,
  live: LiveResource,
  told?: {
    readonly adopt?: { readonly [address: string]: string };
    readonly bindings?: { readonly [address: string]: string };
    readonly moved?: { readonly [to: string]: string };
  },
];

const named = (title: string) => aLiveSong('one', { title });
/** A song of one asset, which is also its ID. */
const sole = aSong('a', { list: ['one'] });

describe('a live object is recognised', () => {
  test.each<Case>([
    ['adopt', 'it is named there', aSong('a'), named('other'), { adopt: { 'song/a': 'one' } }],
    [
      'adopt',
      'the ledger, its ID and its name say the same',
      sole,
      named('a'),
      { adopt: { 'song/a': 'one' }, bindings: { 'song/a': 'one' } },
    ],
    ['binding', 'the ledger knows it', aSong('a'), named('other'), { bindings: { 'song/a': 'one' } }],
    ['binding', 'its ID and name say the same', sole, named('a'), { bindings: { 'song/a': 'one' } }],
    [
      'binding',
      '`adopt` and the ledger name it for others',
      aSong('a'),
      named('other'),
      { adopt: { 'song/b': 'one' }, bindings: { 'song/a': 'one' } },
    ],
    [
      'binding',
      'what the ledger knows was moved',
      aSong('a'),
      named('b'),
      { bindings: { 'song/b': 'one' }, moved: { 'song/a': 'song/b' } },
    ],
    ['id', 'it has the ID, whatever its name', sole, named('other'), { adopt: { 'song/a': 'gone' }, bindings: { 'song/a': 'gone' } }],
    ['id', 'it has the ID and the name', sole, named('a')],
    ['id', 'the ledger has no say', { ...sole, adoptable: false }, named('other'), { bindings: { 'song/a': 'one' } }],
    ['name', 'it has the name', aSong('a'), named('a'), { bindings: { 'song/b': 'one' } }],
    ['name', 'it has the name, and not the ID', aSong('a', { list: ['two'] }), named('a')],
    ['former-name', 'it has the name before `moved`', aSong('a'), named('b'), { moved: { 'song/a': 'song/b' } }],
  ])('by %s where %s', (rule, _when, desired, live, { adopt = {}, bindings = {}, moved = {} } = {}) => {
    const recalled = applyMoves(knowing(bindings), new Map(Object.entries(moved)));
    const adopted = new Map(Object.entries(adopt));
    expect(matchResources(song, [desired], [live], adopted, recalled).pairs.get(desired.address)).toBe(live);
    expect(matchRuleOf(song, desired, live, adopted, recalled)).toBe(rule);
  });

  test('as the only one of its kind, whatever `adopt` says', () => {
    const live = { ...aLiveSong(''), section: 'dial' };
    expect(matchRuleOf(dial, theDial(true, []), live, new Map([['dial', '']]), NO_STATE)).toBe('singleton');
  });
});
