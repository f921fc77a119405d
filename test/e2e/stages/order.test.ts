/** The order in which one apply goes through its targets (design section 15). */
import { describe, expect, test } from 'vitest';
import { manyPlaylists } from '../accounts.ts';
import { createRings, type Ring, type Rings } from './rings.ts';

/** Ten targets in three rings: one, three and six, in an order of upkeep.yaml that is not theirs. */
const RINGS: readonly Ring[] = [
  ...['outer-1', 'outer-2', 'outer-3', 'outer-4'].map((name) => ({ name, lines: 'after: [middle-1, middle-2]' })),
  ...['outer-5', 'outer-6'].map((name) => ({ name, lines: 'after: [middle-3]' })),
  ...['middle-1', 'middle-2', 'middle-3'].map((name) => ({ name, lines: 'after: [inner]' })),
  { name: 'inner', lines: '' },
];

const FILES = { 'config/account.yaml': JSON.stringify({ playlists: manyPlaylists(1) }) };

/** The outcome of each target of one apply to all of them: `done`, or the code of its failure. */
async function applyAll(rings: Rings, ...argv: readonly string[]) {
  const { code, stdout, stderr } = await rings.run('apply', '--target', '*', '--yes', '--format', 'json', ...argv);
  const documents: readonly { readonly target: string; readonly error?: { readonly code: string } }[] = [JSON.parse(stdout)].flat();
  return { code, stderr, ends: Object.fromEntries(documents.map(({ target, error }) => [target, error?.code ?? 'done'])) };
}

describe('an apply to several targets', () => {
  test('goes ring by ring, whatever their order in upkeep.yaml, and reports them in that order', async () => {
    const rings = await createRings(RINGS, FILES);
    const { code, ends, stderr } = await applyAll(rings);
    expect([code, ends], stderr).toEqual([0, Object.fromEntries(RINGS.map(({ name }) => [name, 'done']))]);
    expect(Object.keys(ends)).toEqual(RINGS.map(({ name }) => name));
  });

  test('does not begin what comes after a target that failed, and goes on with the others', async () => {
    const rings = await createRings(RINGS, FILES);
    const { project } = rings;
    const broken = rings.settings(RINGS.map((ring) => (ring.name === 'middle-2' ? { ...ring, sources: '[missing]' } : ring)));
    project.write('upkeep.yaml', broken);
    project.commit();
    const { code, ends } = await applyAll(rings);
    expect(code).toBe(8);
    expect(ends).toEqual({
      inner: 'done',
      'middle-1': 'done',
      'middle-2': 'invalid-configuration',
      'middle-3': 'done',
      'outer-1': 'target-before',
      'outer-2': 'target-before',
      'outer-3': 'target-before',
      'outer-4': 'target-before',
      'outer-5': 'done',
      'outer-6': 'done',
    });
    expect(rings.playlists('outer-1')).toEqual([]);
    expect(rings.playlists('outer-6')).toHaveLength(1);
  });

  test('begins nothing after a target that waits itself', async () => {
    const [outer, inner, ...rest] = [
      { name: 'outer', lines: 'after: [middle]' },
      { name: 'inner', lines: '' },
    ];
    expect(rest).toEqual([]);
    const middle = { name: 'middle', lines: 'after: [inner]\nsoak: 1h' };
    const rings = await createRings(
      [outer, middle, inner].flatMap((ring) => ring ?? []),
      FILES,
    );
    const { code, ends } = await applyAll(rings);
    expect([code, ends]).toEqual([4, { outer: 'target-before', middle: 'waits', inner: 'done' }]);
  });

  test('looks at the ledgers only, where its targets are divided among machines', async () => {
    const rings = await createRings(RINGS, FILES);
    expect((await rings.run('apply', '--target', 'inner', '--yes')).code).toBe(0);
    const { ends } = await applyAll(rings, '--shard', '1/1');
    const waiting = Object.entries(ends).filter(([name, end]) => name.startsWith('outer') && end === 'waits');
    expect(waiting.length).toBeGreaterThan(0);
    expect(Object.values(ends)).not.toContain('target-before');
  });
});
