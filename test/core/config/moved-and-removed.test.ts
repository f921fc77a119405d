import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMovedAndRemoved } from '../../../src/core/config/moved-and-removed.ts';
import { createSourceModel } from '../../../src/core/config/source-model.ts';
import { kinds } from '../../support/fake-kinds.ts';
import { aRule, aSong } from '../../support/planning.ts';
import { assertProperty } from '../../support/property.ts';
import { findingLines, loadConfig } from './fixture.ts';

type Move = readonly [string, string];

function moves(lines: readonly Move[], resources: readonly ReturnType<typeof aSong>[] | null = null, removed: readonly string[] = []) {
  const merged = { moved: lines.map(([from, to]) => ({ from, to })), removed: [...removed] };
  const result = readMovedAndRemoved(merged, createSourceModel(kinds), resources);
  return { ...result, messages: result.findings.map(({ path, summary }) => `${path.join('/')} ${summary}`) };
}

describe('`moved`', () => {
  it('maps new addresses to old addresses', () => {
    const { moved, findings } = moves(
      [
        ['song/a', 'song/b'],
        ['rule/p', 'rule/q'],
      ],
      [aSong('b'), aRule('q')],
    );
    expect([...moved]).toEqual([
      ['song/b', 'song/a'],
      ['rule/q', 'rule/p'],
    ]);
    expect(findings).toEqual([]);
  });

  it('may form a chain', () => {
    expect(
      moves(
        [
          ['song/a', 'song/b'],
          ['song/b', 'song/c'],
        ],
        [aSong('b'), aSong('c')],
      ).findings,
    ).toEqual([]);
  });

  it('leaves no old address to a new resource, and names the place of that', () => {
    const { findings } = moves([['rule/p', 'rule/q']], [aRule('p'), aRule('q')]);
    expect(findings).toMatchObject([
      { path: ['moved', 0], summary: expect.stringContaining('rule/p is still declared'), other: { path: ['rules', 'p'] } },
    ]);
  });

  it.each<[string, readonly Move[], string]>([
    ['between kinds', [['song/a', 'rule/a']], 'keeps the prefix of the address'],
    ['between two prefixes of a kind', [['song/a', 'single/a']], 'keeps the prefix of the address'],
    ['of a setting', [['dial', 'song/b']], 'keeps the prefix of the address'],
    ['of an invalid address', [['song/', 'song/b']], 'keeps the prefix of the address'],
    ['to an undeclared resource', [['song/a', 'song/z']], 'song/z is not declared'],
    ['to the same address', [['song/b', 'song/b']], 'part of a cycle of moves'],
  ])('rejects a move %s', (_what, lines, why) => {
    expect(moves(lines, [aSong('b'), aRule('a')]).messages).toEqual([expect.stringContaining(why)]);
  });

  it('gives advice that fits a move to the same address', () => {
    expect(moves([['song/b', 'song/b']], [aSong('b')]).findings).toMatchObject([{ hint: 'Remove this line: the address stays as it is.' }]);
  });

  it('rejects both of two moves from or to one address', () => {
    const resources = [aSong('b'), aSong('c')];
    for (const lines of [
      [
        ['song/a', 'song/b'],
        ['song/a', 'song/c'],
      ],
      [
        ['song/a', 'song/b'],
        ['song/d', 'song/b'],
      ],
    ] as const) {
      expect(moves(lines, resources).messages).toEqual([
        expect.stringMatching(/^moved\/0 .*contradicts/),
        expect.stringMatching(/^moved\/1 .*contradicts/),
      ]);
    }
  });

  it('rejects a swap and a longer cycle, once each', () => {
    const resources = ['a', 'b', 'c', 'd', 'e'].map((key) => aSong(key));
    const cycles: readonly Move[] = [
      ['song/a', 'song/b'],
      ['song/b', 'song/a'],
      ['song/c', 'song/d'],
      ['song/d', 'song/e'],
      ['song/e', 'song/c'],
    ];
    expect(moves(cycles, resources).messages).toEqual([
      expect.stringMatching(/^moved\/0 .*cycle/),
      expect.stringMatching(/^moved\/2 .*cycle/),
    ]);
  });

  it('reports a cycle if and only if a chain of moves returns to its first address', () => {
    const size = 6;
    const targets = fc.shuffledSubarray(
      Array.from({ length: size }, (_, index) => index),
      { minLength: size },
    );
    assertProperty(
      fc.property(targets, fc.integer({ min: 0, max: size }), (to, count) => {
        const lines = to.slice(0, count).map((target, from): Move => [`song/${from}`, `song/${target}`]);
        const next = new Map(lines);
        const returns = [...next.keys()].filter((start) => {
          let at = next.get(start);
          for (let step = 0; step < size && at !== undefined && at !== start; step += 1) at = next.get(at);
          return at === start;
        });
        expect(moves(lines).findings.length > 0).toBe(returns.length > 0);
      }),
    );
  });

  it('takes linear time', () => {
    const count = 20_000;
    const lines = Array.from({ length: count }, (_, index): Move => [`song/${index}`, `song/${index + 1}`]);
    expect(moves(lines).findings).toEqual([]);
  });
});

describe('`removed`', () => {
  it('contains addresses that are not declared', () => {
    expect(moves([], [aSong('b')], ['song/a', 'rule/p', 'song/~8bd3'])).toMatchObject({
      findings: [],
      removed: new Set(['song/a', 'rule/p', 'song/~8bd3']),
    });
  });

  it.each([
    ['song/b', 'removed and declared'],
    ['dial', 'not an address that can be removed'],
    ['nothing', 'not an address that can be removed'],
  ])('rejects %s', (address, why) => {
    expect(moves([], [aSong('b')], [address]).messages).toEqual([expect.stringContaining(why)]);
  });
});

describe('`moved` and `removed` in a source file', () => {
  it('are read, and errors are reported at their lines', () => {
    const text =
      'shelves: { b: { width: 3 } }\nmoved:\n  - { from: shelf/a, to: shelf/b }\n  - { from: shelf/x, to: loan/x }\nremoved:\n  - shelf/c\n  - lamp\n';
    const desiredState = loadConfig({ 'a.yaml': text });
    expect(findingLines(desiredState)).toEqual(['a.yaml:4:5 error move', 'a.yaml:7:5 error removed']);
    expect(desiredState.moved.get('shelf/b')).toBe('shelf/a');
    expect(desiredState.removed.has('shelf/c')).toBe(true);
  });

  it('are rejected where they have another form', () => {
    expect(findingLines(loadConfig({ 'a.yaml': 'moved: { a: b }\n' }))).toEqual(['a.yaml:1:8 error wrong-type']);
    expect(findingLines(loadConfig({ 'a.yaml': 'removed:\n  - shelf/c\n  - shelf/c\n' }))).toEqual([expect.stringContaining('error')]);
    expect(loadConfig({ 'a.yaml': 'shelves: {}\n' })).toMatchObject({ moved: new Map(), removed: new Set() });
  });
});
