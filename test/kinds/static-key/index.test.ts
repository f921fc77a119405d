import { describe, expect, test } from 'vitest';
import { staticKey } from '../../../src/kinds/static-key/index.ts';
import type { Json } from '../../../src/model/json.ts';
import { live, theOnly, tools } from '../answers.ts';

function effects(before: { scope: string; slicer_ids: string[] }, static_key: { scope: string; slicer_ids?: string[] }) {
  const desired = theOnly(staticKey.declare({ static_key }, tools).resources);
  const object = live(before);
  const sides = staticKey.compared?.(desired, object, 0) ?? { before: {}, after: {} };
  const judge = (member: string) => {
    const [was, is]: [Json, Json] = [sides.before[member] ?? null, sides.after[member] ?? null];
    const field = { path: `/${member}`, before: was, after: is };
    return JSON.stringify(was) === JSON.stringify(is)
      ? []
      : staticKey.effects({ action: 'update', fields: [field], desired, live: object });
  };
  return ['scope', 'slicer_ids'].flatMap(judge);
}

const all = { scope: 'all', slicer_ids: [] };
const none = { scope: 'none', slicer_ids: [] };
const specific = (...slicer_ids: string[]) => ({ scope: 'specific', slicer_ids });

describe('what counts are the slicers that use the static key', () => {
  test.each([
    ['all to specific', all, specific('a'), ['tightens', 'neutral']],
    ['all to none', all, { scope: 'none' }, ['tightens']],
    ['specific to all', specific('a'), { scope: 'all' }, ['loosens']],
    ['specific to none', specific('a'), { scope: 'none' }, ['tightens', 'neutral']],
    ['none to all', none, { scope: 'all' }, ['loosens']],
    ['none to specific', none, specific('a'), ['loosens', 'neutral']],
    ['one slicer more', specific('a'), specific('a', 'b'), ['loosens']],
    ['one slicer less', specific('a', 'b'), specific('a'), ['tightens']],
    ['one slicer for another', specific('a'), specific('b'), ['loosens']],
    ['all with another list left over to specific', { scope: 'all', slicer_ids: ['x'] }, specific('a'), ['tightens', 'neutral']],
  ])('%s', (_name, before, after, expected) => {
    expect(effects(before, after).map(({ effect }) => effect)).toEqual(expected);
  });

  test('and the reason names what would change', () => {
    expect(effects(specific('a'), specific('a', 'b', 'c'))).toMatchObject([{ reasons: [{ text: 'b, c would use the static key' }] }]);
    expect(effects(specific('a'), { scope: 'all' })).toMatchObject([
      { reasons: [{ text: expect.stringContaining('all instead of specific') }] },
    ]);
    expect(effects(all, { scope: 'none' })).toMatchObject([{ reasons: [{ text: expect.stringContaining('fewer') }] }]);
  });
});

test('a singleton has a phase by effect, one address, and nothing to look up', () => {
  expect((['tightens', 'neutral', 'loosens'] as const).map((effect) => staticKey.phase('update', effect))).toEqual([1, 2, 4]);
  expect(staticKey.undeclared(live({}))).toBe('static-key');
  expect(staticKey.defaults()).toEqual(none);
  expect([staticKey.singleton, staticKey.probes, staticKey.get, staticKey.find]).toEqual([true, 0, undefined, undefined]);
});
