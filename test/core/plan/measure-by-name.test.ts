/**
 * What the outside calls by name is measured by name. Rules are called by their names here, and less strength weakens; a name that nobody
 * has counts like one of strength 5, as a policy that does not exist counts like the default one.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assess, type CollectionKind, strengthens, weakens } from '../../../src/core/kinds/kind.ts';
import { NO_OVERRIDES } from '../../../src/core/safety/overrides.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { rule } from '../../support/fake-kinds.ts';
import { aRule, desiredStateOf, only, planFor, target } from '../../support/planning.ts';
import { stateWith } from '../../support/previous-states.ts';
import { assertAsyncProperty } from '../../support/property.ts';

const DEFAULT = 5;

const named: CollectionKind = {
  ...rule,
  assessRisk({ before, after, fields }) {
    const [from, to] = [before, after].map((each) => Number(each?.fields.strength ?? DEFAULT));
    const reasons = from === to ? [] : [(from ?? 0) > (to ?? 0) ? weakens(`${from} to ${to}`) : strengthens(`${from} to ${to}`)];
    return fields.map((_field, index) => (index === 0 ? assess(...reasons) : assess()));
  },
};

interface Case {
  /** Live rules: name and strength, by ID. */
  readonly live: { readonly [id: string]: readonly [name: string, strength: number] };
  /** Declared rules: strength by name, and the ID of the live rule that each is. */
  readonly declared: { readonly [name: string]: readonly [strength: number, id?: string | undefined] };
  readonly selected?: readonly string[];
}

/** The effects of a plan, by address; blocked ones are not weakened away, because nothing is blocked for it. */
async function effectsOf({ live, declared, selected = [] }: Case) {
  const account = new FakeAccount({
    rules: Object.fromEntries(Object.entries(live).map(([id, [name, strength]]) => [id, { name, strength }])),
  });
  const bindings = Object.entries(declared).flatMap(([name, [, id]]) => (id === undefined ? [] : [[`rule/${name}`, id] as const]));
  const { plan } = await planFor(account, desiredStateOf(Object.entries(declared).map(([name, [strength]]) => aRule(name, strength))), {
    kinds: [named],
    ledgerState: stateWith(Object.fromEntries(bindings)),
    target: { ...target, ownership: 'exclusive', weakening: 'allow', limits: { ...target.limits, delete: { count: 99, percent: 100 } } },
    overrides: { ...NO_OVERRIDES, deletes: Number.POSITIVE_INFINITY },
    ...only(...selected),
  });
  return plan.changes.map(({ address, effect, blocked }) => ({ address, effect, check: blocked?.check }));
}

describe('the effect of', () => {
  it.each<readonly [string, Case, { readonly [address: string]: string }]>([
    ['an update in place', { live: { o: ['a', 9] }, declared: { a: [1, 'o'] } }, { 'rule/a': 'weakens' }],
    ['a rename of a strong one, whose name nobody has then', { live: { o: ['a', 9] }, declared: { b: [9, 'o'] } }, { 'rule/b': 'weakens' }],
    ['a rename of a weak one, whose name nobody has then', { live: { o: ['a', 1] }, declared: { b: [1, 'o'] } }, { 'rule/b': 'weakens' }],
    ['a rename at the default', { live: { o: ['a', 5] }, declared: { b: [5, 'o'] } }, { 'rule/b': 'neutral' }],
    [
      'a weak one that takes the name of a strong one',
      { live: { o: ['a', 9], p: ['b', 1] }, declared: { z: [9, 'o'], a: [1, 'p'] } },
      { 'rule/z': 'strengthens', 'rule/a': 'weakens' },
    ],
    [
      'a create of a weak one under the name that a rename frees',
      { live: { o: ['a', 9] }, declared: { z: [9, 'o'], a: [1] } },
      { 'rule/z': 'strengthens', 'rule/a': 'weakens' },
    ],
    [
      'a create as strong as the one whose name it takes',
      { live: { o: ['a', 9] }, declared: { z: [5, 'o'], a: [9] } },
      { 'rule/z': 'neutral', 'rule/a': 'neutral' },
    ],
    [
      'a rename of which only the first half is selected',
      { live: { o: ['a', 9], p: ['b', 9] }, declared: { z: [9, 'o'], a: [9, 'p'] }, selected: ['rule/z'] },
      { 'rule/z': 'weakens' },
    ],
    ['a create under a new name', { live: {}, declared: { a: [1] } }, { 'rule/a': 'weakens' }],
    ['a delete', { live: { o: ['a', 9] }, declared: {} }, { 'rule/~o': 'weakens' }],
  ])('%s', async (_what, situation, effects) => {
    const found = await effectsOf(situation);
    expect(Object.fromEntries(found.map(({ address, effect }) => [address, effect]))).toEqual(effects);
  });

  it('a plan is to weaken exactly where a name has less strength afterwards, whatever moves, swaps and creates are behind it', async () => {
    const NAMES = ['a', 'b', 'c', 'd'];
    const strength = fc.constantFrom(1, 5, 9);
    const situations = fc.record({
      live: fc.array(strength, { minLength: 0, maxLength: 3 }),
      order: fc.shuffledSubarray([...NAMES, 'e'], { minLength: 1 }),
      strengths: fc.array(strength, { minLength: 5, maxLength: 5 }),
    });
    let weakened = 0;
    await assertAsyncProperty(
      fc.asyncProperty(situations, async ({ live, order, strengths }) => {
        const before = new Map(live.map((each, index) => [NAMES[index] ?? '', each]));
        const after = new Map(order.map((name, index) => [name, strengths[index] ?? DEFAULT]));
        const found = await effectsOf({
          live: Object.fromEntries(live.map((each, index) => [`o${index}`, [NAMES[index] ?? '', each] as const])),
          declared: Object.fromEntries(
            order.map((name, index) => [name, [strengths[index] ?? DEFAULT, index < live.length ? `o${index}` : undefined] as const]),
          ),
        });
        // Renames in a circle are blocked, and so are those of names that others keep.
        fc.pre(found.every(({ check }) => check !== 'identity'));
        const names = [...new Set([...before.keys(), ...after.keys()])];
        const isWeaker = names.some((name) => (after.get(name) ?? DEFAULT) < (before.get(name) ?? DEFAULT));
        const isStronger = names.some((name) => (after.get(name) ?? DEFAULT) > (before.get(name) ?? DEFAULT));
        weakened += isWeaker ? 1 : 0;
        expect(found.some(({ effect }) => effect === 'weakens')).toBe(isWeaker);
        if (!isWeaker) expect(found.some(({ effect }) => effect === 'strengthens')).toBe(isStronger);
      }),
      { numRuns: 200 },
    );
    expect(weakened).toBeGreaterThan(20);
  });
});

it('the effect of a name that several live objects have does not depend on the order of the list', async () => {
  const [weak, strong] = [['a', 1] as const, ['a', 9] as const];
  const declared: Case['declared'] = { a: [5] };
  const expected = [expect.objectContaining({ address: 'rule/a', effect: 'strengthens', check: 'identity' })];
  expect(await effectsOf({ live: { o: weak, p: strong }, declared })).toEqual(expected);
  expect(await effectsOf({ live: { p: strong, o: weak }, declared })).toEqual(expected);
});
