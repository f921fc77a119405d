/** The safety checks of fields that are, or were, left to others (design section 3, fields left to others). */
import { describe, expect, it } from 'vitest';
import { OVERRIDABLE_CHECKS } from '../../../src/core/model/change.ts';
import type { IgnoredField } from '../../../src/core/model/ignored-fields.ts';
import { aSong } from '../../support/planning.ts';
import { allowed, blockingCheck, blockOf, changeOf, fieldOf, safetyInput } from './fixtures.ts';

const EVERYTHING = allowed(Number.POSITIVE_INFINITY, ...OVERRIDABLE_CHECKS);

describe('ignored-value', () => {
  it('blocks an update whose ignored live values make the whole invalid, and no flag overrides that', () => {
    const update = changeOf('update', { whyNotSendable: 'level 9 needs a title' });
    const expected = {
      check: 'ignored-value',
      reason: 'it would be sent with live values of ignored fields, and the whole could not be declared: level 9 needs a title',
      lift: { edit: 'correct the account, or declare these fields and shorten `ignore_changes`' },
    };
    for (const overrides of [allowed(0), EVERYTHING]) expect(blockOf(update, safetyInput({ overrides }))).toStrictEqual(expected);
  });

  it('blocks no update that can be sent', () => {
    expect(blockingCheck([changeOf('update')], safetyInput())).toBeNull();
  });
});

describe('ignore-expired', () => {
  const expiredAt = (path: string, line: number): IgnoredField => ({
    path,
    until: '2027-03-31',
    declared: { file: 'songs.yaml', line, column: 5 },
  });
  /** An update of fields of a song, of which `/level`, `/list` and `/wall/height` are not ignored any more. */
  const updateOf = (...paths: readonly string[]) =>
    changeOf('update', {
      desired: { ...aSong('a'), expired: [expiredAt('/level', 3), expiredAt('/list', 4), expiredAt('/wall/height', 5)] },
      fields: paths.map(fieldOf),
    });

  it('blocks an update of a field that was ignored until a day that is over, naming the entry and the day', () => {
    expect(blockOf(updateOf('/title', '/level'), safetyInput())).toStrictEqual({
      check: 'ignore-expired',
      reason: '`ignore_changes` left /level until 2027-03-31 (songs.yaml:3) to others, which is over',
      lift: { edit: 'renew or remove the entry of `ignore_changes`', allow: 'ignore-expired' },
    });
  });

  it('names each of several entries, and an entry also where only a part of its field changes', () => {
    expect(blockOf(updateOf('/level', '/list/0/title'), safetyInput()).reason).toBe(
      '`ignore_changes` left /level until 2027-03-31 (songs.yaml:3); /list until 2027-03-31 (songs.yaml:4) to others, which is over',
    );
  });

  it.each([
    ['of other fields', ['/title']],
    ['of a field whose name begins alike', ['/levels']],
    ['of a whole object with such a field, which was not left to others with it', ['/wall']],
    ['of no field', []],
  ])('does not block an update %s', (_what, paths) => {
    expect(blockingCheck([updateOf(...paths)], safetyInput())).toBeNull();
  });

  it('blocks nothing where no entry is over, and nothing but updates', () => {
    expect(blockingCheck([changeOf('update', { fields: [fieldOf('/level')] })], safetyInput())).toBeNull();
    const desired = { ...aSong('a'), expired: [expiredAt('/level', 3)] };
    expect(blockingCheck([changeOf('create', { desired, fields: [fieldOf('/level')] })], safetyInput())).toBeNull();
  });

  it('is overridden by its name alone', () => {
    const all = [...EVERYTHING.checks].filter((check) => check !== 'ignore-expired');
    expect(blockingCheck([updateOf('/level')], safetyInput({ overrides: allowed(9, ...all) }))).toBe('ignore-expired');
    expect(blockingCheck([updateOf('/level')], safetyInput({ overrides: allowed(0, 'ignore-expired') }))).toBeNull();
  });
});
