import { describe, expect, it } from 'vitest';
import { isAddressSelected, whyNotRead } from '../../../src/core/plan/filter-by-address.ts';
import { dial, song } from '../../support/fake-kinds.ts';
import { desiredStateOf } from '../../support/planning.ts';

describe('isAddressSelected', () => {
  it.each([
    [[], 'song/a', true],
    [['song/*'], 'song/a', true],
    [['rule/*', 'song/b'], 'song/a', false],
  ])('with --only %j, returns for %s: %s', (only, address, isSelected) => {
    expect(isAddressSelected(only, address)).toBe(isSelected);
  });
});

describe('whyNotRead', () => {
  it.each([
    ['nothing where the kind is managed and --only is absent', song, [], undefined],
    ['nothing where a glob may match an address of the kind', song, ['rule/*', 'so*'], undefined],
    ['nothing where a glob matches the address of a setting', dial, ['di*'], undefined],
    ['`skipped` where no glob can match an address of the kind', song, ['rule/*', 'dial'], 'skipped'],
  ] as const)('returns %s', (_what, kind, only, reason) => {
    expect(whyNotRead(kind, { desiredState: desiredStateOf([]), only })).toBe(reason);
  });

  it('returns `unmanaged` where no section of the kind is present, whatever --only says', () => {
    expect(whyNotRead(song, { desiredState: desiredStateOf([], {}, ['rules']), only: ['song/*'] })).toBe('unmanaged');
  });
});
