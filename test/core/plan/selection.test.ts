import { describe, expect, it } from 'vitest';
import { selectionOf } from '../../../src/core/plan/selection.ts';
import { whyNotRead } from '../../../src/core/plan/why-not-read.ts';
import { dial, song } from '../../support/fake-kinds.ts';
import { desiredStateOf } from '../../support/planning.ts';

describe('a selection', () => {
  it.each([
    [[], 'song/a', true],
    [['song/*'], 'song/a', true],
    [['rule/*', 'song/b'], 'song/a', false],
  ])('with --only %j, returns for %s: %s', (only, address, isSelected) => {
    expect(selectionOf(only, null).has({ address })).toBe(isSelected);
  });

  it.each([
    [['song/a'], 'song/a', true],
    [['song/*'], 'song/a', false],
    [['song/*'], 'song/*', false],
    [[], 'song/a', false],
  ])('with --only %j, names %s in full: %s', (only, address, isNamed) => {
    expect(selectionOf(only, null).names({ address })).toBe(isNamed);
  });

  it.each([
    ['change', ['change', 'both', 'unknown']],
    ['drift', ['drift', 'both', 'unknown']],
    [null, ['change', 'drift', 'both', 'unknown']],
  ] as const)('with --only-origin %s, selects what may come from there: %j', (origin, selected) => {
    const origins = ['change', 'drift', 'both', 'unknown'] as const;
    expect(origins.filter(selectionOf([], origin).hasOrigin)).toEqual(selected);
  });
});

describe('whyNotRead', () => {
  it.each([
    ['nothing where the kind is managed and --only is absent', song, [], undefined],
    ['nothing where a glob may match an address of the kind', song, ['rule/*', 'so*'], undefined],
    ['nothing where a glob matches the address of a setting', dial, ['di*'], undefined],
    ['`skipped` where no glob can match an address of the kind', song, ['rule/*', 'dial'], 'skipped'],
  ] as const)('returns %s', (_what, kind, only, reason) => {
    expect(whyNotRead(kind, { desiredState: desiredStateOf([]), selection: selectionOf(only, null) })).toBe(reason);
  });

  it('returns `unmanaged` where no section of the kind is present, whatever --only says', () => {
    expect(whyNotRead(song, { desiredState: desiredStateOf([], {}, ['rules']), selection: selectionOf(['song/*'], null) })).toBe(
      'unmanaged',
    );
  });
});
