import { expect, it } from 'vitest';
import { ObjectsOfOthers } from '../../../src/core/apply/objects-of-others.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { aLiveSong, aRule, aSong, desiredStateOf, planFor } from '../../support/planning.ts';

/** Three creates of two kinds, in an account in which one song was live. */
async function creates() {
  const { changes } = await planFor(new FakeAccount(), desiredStateOf([aSong('a'), aSong('b'), aRule('a')]));
  const others = new ObjectsOfOthers(changes, new Map([['song', new Set(['elder'])]]));
  const changeOf = (address: string) => {
    const planned = changes.find(({ change }) => change.address === address);
    if (!planned) throw new Error(`no change has the address ${address}`);
    return planned;
  };
  return { others, changeOf };
}

it('a create cannot have made an object that was live at the plan, or one of another create, of its kind', async () => {
  const { others, changeOf } = await creates();
  expect(others.recordCreate(changeOf('song/a'), 'elder')).toContain('elder');
  expect(others.recordCreate(changeOf('song/a'), 'born')).toBeUndefined();
  expect(others.recordCreate(changeOf('song/a'), 'born')).toBeUndefined();
  expect(others.recordCreate(changeOf('song/b'), 'born')).toContain('born');
  expect(others.recordCreate(changeOf('rule/a'), 'born')).toBeUndefined();
  expect([others.has(changeOf('song/b'), 'elder'), others.has(changeOf('rule/a'), 'elder')]).toEqual([true, false]);
});

it('an object with exactly the name that another change desires is that of the other change', async () => {
  const { others, changeOf } = await creates();
  expect(others.hasNameOf(changeOf('song/b'), aLiveSong('1', { title: 'a' }))).toBe(true);
  expect(others.hasNameOf(changeOf('song/a'), aLiveSong('1', { title: 'a' }))).toBe(false);
  expect(others.hasNameOf(changeOf('song/a'), aLiveSong('1', { title: 'a ' }))).toBe(false);
});
