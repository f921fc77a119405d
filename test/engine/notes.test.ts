import { describe, expect, it } from 'vitest';
import type { Run } from '../../src/engine/run.ts';
import { FakeAccount } from './fake-account.ts';
import { FIRST, knowing, recalled } from './pasts.ts';
import { aRule, aSong, declaring, target } from './runs.ts';

const shared = { target: { ...target, ownership: 'shared' } } as const;

async function findings(
  declaration: Parameters<typeof recalled>[1],
  bindings: { readonly [address: string]: string },
  more: Partial<Run> = shared,
) {
  const songs = { one: { title: 'a', guard: 1, list: ['x', 'y'] }, two: { title: 'b', guard: 0, list: ['x', 'z'] } };
  const account = new FakeAccount({ songs, rules: { r: { name: 'p', strength: 4 } } });
  const { plan } = await recalled(account, declaration, { ...FIRST, memory: knowing(bindings) }, more);
  return plan.findings;
}

describe('what is left behind', () => {
  it('is counted by section, with a way to have it deleted or forgotten', async () => {
    const found = await findings(declaring([], {}, ['singles']), { 'song/a': 'one', 'song/b': 'two', 'single/q': 'q', 'rule/p': 'r' });
    expect(found.map(({ code, summary }) => `${code} ${summary}`).sort()).toEqual([
      'left-behind `rules` is not declared any more: 1 of its objects that were applied are left as they are',
      'left-behind `songs` is not declared any more: 2 of its objects that were applied are left as they are',
    ]);
    expect(found[0]?.hint).toBe(
      'Write `rules: {}` to have them deleted; name them under `removed` as well to have them forgotten instead.',
    );
  });

  it('is nothing where nothing was applied, and silent where the rules say so', async () => {
    expect(await findings(declaring([], {}, ['singles']), {})).toEqual([]);
    expect(
      await findings(declaring([], {}, ['songs', 'singles']), { 'rule/p': 'r' }, { ...shared, rules: { 'left-behind': 'off' } }),
    ).toEqual([]);
  });
});

describe('a delete and a create that look like one rename', () => {
  it('give the line that says so, at the new declaration', async () => {
    const found = await findings(declaring([aSong('c', { guard: 1 })]), { 'song/a': 'one' });
    expect(found).toMatchObject([{ code: 'looks-like-rename', severity: 'warning', address: 'song/c', file: 'songs/c.yaml' }]);
    expect(found[0]?.summary).toBe('song/a is deleted and song/c created alike: is this a rename?');
    expect(found[0]?.hint).toBe('Then say so, and nothing is deleted: `moved: [{ from: song/a, to: song/c }]`.');
  });

  it('are recognised whatever the order of their fields', async () => {
    const fields = { list: ['x', 'y'], title: 'c', guard: 1 };
    expect(await findings(declaring([{ ...aSong('c'), fields }]), { 'song/a': 'one' })).toHaveLength(1);
  });

  it.each([
    ['they differ in more than the name', [aSong('c')], { 'song/a': 'one' }, shared],
    ['they are of two kinds', [aRule('q', 1)], { 'song/a': 'one' }, shared],
  ])('are two things where %s', async (_why, resources, bindings, more) => {
    expect(await findings(declaring(resources), bindings, more)).toEqual([]);
  });

  it.each([
    ['is deleted', {}],
    ['stays', shared],
  ])('give the line that binds an object that nobody declares, where it %s', async (_what, more) => {
    const found = await findings(declaring([aSong('c', { guard: 1 })]), {}, more);
    expect(found).toMatchObject([{ code: 'looks-like-rename', severity: 'warning', address: 'song/c', file: 'songs/c.yaml' }]);
    expect(found[0]?.summary).toContain('the live object one (a), which is the same but for its name');
    expect(found[0]?.hint).toBe('Then bind it, and nothing is created: `adopt: { "song/c": "one" }`.');
  });

  it('are none where one address only gets another object', async () => {
    const account = new FakeAccount({ songs: { x: { title: 'p', guard: 0, list: ['x'] } } });
    const past = { ...FIRST, memory: knowing({ 'song/p': 'x' }) };
    const { plan } = await recalled(account, declaring([aSong('p', { list: ['x', 'y'] })]), past, shared);
    expect(plan.findings.map(({ code }) => code)).toEqual(['id-changes']);
  });
});
