/** The names of what a run may override, as `--allow` and the library take them. */
import { describe, expect, it, test } from 'vitest';
import { OVERRIDABLE_CHECKS } from '../../../src/core/model/change.ts';
import { letsThrough, NO_OVERRIDES, OVERRIDES, withOverride, writtenOverrides } from '../../../src/core/safety/overrides.ts';
import { allowed } from './fixtures.ts';

test('what a run may override is the deletes, each check that has an override, the conditions of a run, and a dirty work tree', () => {
  expect(OVERRIDES).toEqual(['deletes', ...OVERRIDABLE_CHECKS, 'deletes=N', 'CHECK=GLOB', 'promotion', 'window', 'dirty']);
});

describe('withOverride', () => {
  it.each([
    ['deletes', Number.POSITIVE_INFINITY],
    ['deletes=0', 0],
    ['deletes=7', 7],
    ['deletes=12', 12],
    ['deletes=999999999', 999_999_999],
  ])('reads %s as %d deletes at most, and overrides no check', (name, deletes) => {
    expect(withOverride(NO_OVERRIDES, name)).toStrictEqual(allowed(deletes));
  });

  it.each(OVERRIDABLE_CHECKS)('overrides %s by its name alone, and no delete', (check) => {
    expect(withOverride(NO_OVERRIDES, check)).toStrictEqual(allowed(0, check));
    for (const other of [`${check}=1`, ` ${check}`, `${check}s`, check.toUpperCase()]) expect(withOverride(NO_OVERRIDES, other)).toBeNull();
  });

  it.each(['deletes', ...OVERRIDABLE_CHECKS] as const)('overrides %s for addresses, each glob once, and for no other', (check) => {
    const globs = ['drm-policy/hd', 'playlist/main-*', 'drm-policy/hd', 'static-key'];
    const all = globs.reduce((before, glob) => withOverride(before, `${check}=${glob}`) ?? before, NO_OVERRIDES);
    expect(all).toStrictEqual({ ...NO_OVERRIDES, only: new Map([[check, ['drm-policy/hd', 'playlist/main-*', 'static-key']]]) });
    expect(writtenOverrides(all)).toEqual([`${check}=drm-policy/hd`, `${check}=playlist/main-*`, `${check}=static-key`]);
    const addresses = ['drm-policy/hd', 'drm-policy/hd2', 'playlist/main-a', 'playlist/other', 'static-key'];
    expect(addresses.filter((address) => letsThrough(all, check, address))).toEqual(['drm-policy/hd', 'playlist/main-a', 'static-key']);
  });

  it('writes what it was told', () => {
    const names = ['deletes=3', 'weakening', 'updates=playlist/*', 'dirty'];
    expect(writtenOverrides(names.reduce((before, name) => withOverride(before, name) ?? before, NO_OVERRIDES))).toEqual(names);
    expect(writtenOverrides(withOverride(NO_OVERRIDES, 'deletes') ?? NO_OVERRIDES)).toEqual(['deletes']);
  });

  it('permits a dirty work tree, which overrides no check', () => {
    expect(withOverride(NO_OVERRIDES, 'dirty')).toStrictEqual({ ...NO_OVERRIDES, dirty: true });
  });

  it('keeps what was overridden before; of two numbers of deletes the later one counts', () => {
    const names = ['deletes=3', 'weakening', 'dirty', 'rollback', 'deletes=2', 'weakening'];
    const all = names.reduce((before, name) => withOverride(before, name) ?? before, NO_OVERRIDES);
    expect(all).toStrictEqual({ ...allowed(2, 'weakening', 'rollback'), dirty: true });
    expect(NO_OVERRIDES).toStrictEqual(allowed(0));
  });

  it.each([
    '',
    'protect',
    'identity',
    'observe',
    'guard',
    'ignored-value',
    'all',
    'Dirty',
    'deletes=',
    'deletes=N',
    'deletes=-1',
    'deletes=1.5',
    'deletes=1000000000',
    'deletes=5x',
    'deletes=5\n',
    'all deletes',
    'all deletes=5',
    'toString',
    'weakening=',
    'weakening=1',
    'weakening=a b/c',
    'protect=playlist/a',
  ])('knows no override of the name %j', (name) => {
    expect(withOverride(NO_OVERRIDES, name)).toBeNull();
  });
});
