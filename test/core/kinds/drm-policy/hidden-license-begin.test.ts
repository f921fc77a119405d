import { describe, expect, test } from 'vitest';
import { hiddenLicenseBeginWarnings } from '../../../../src/core/kinds/drm-policy/hidden-license-begin.ts';
import type { AddressedChange } from '../../../../src/core/kinds/kind.ts';

const PATH = '/playready/license_begin_seconds';

/** Returns the update of a policy of which the service hides these settings, to this value. */
function update(key: string, seconds: number, { hidden = [PATH], paths = ['/playready/can_persist'] } = {}): AddressedChange {
  const fields = (value: number) => ({ policy_name: key, playready: { license_begin_seconds: value } });
  return {
    address: `drm-policy/${key}`,
    action: 'update',
    before: { id: key, fields: fields(3600), ...(hidden.length > 0 ? { maybeMissingInRead: hidden } : {}) },
    after: { fields: fields(seconds) },
    fields: paths.map((path) => ({ path, before: 0, after: 1 })),
  };
}

describe('the warning about a license_begin_seconds that the service does not show', () => {
  test('names the policies that are updated, and what it will be', () => {
    expect(hiddenLicenseBeginWarnings([update('a', 3600), update('b', 3600)])).toEqual([
      {
        code: 'hidden-license-begin',
        address: 'drm-policy/a',
        summary:
          'the service does not show `license_begin_seconds`, and whatever it is now, an update makes it 3600: drm-policy/a, drm-policy/b',
        hint: 'Where somebody has set another value, declare it as `playready.license_begin_seconds`.',
      },
    ]);
  });

  test('is one for each value', () => {
    const warnings = hiddenLicenseBeginWarnings([update('a', 3600), update('b', 60), update('c', 3600)]);
    expect(warnings.map(({ summary }) => summary.replace(/^.* makes it /, ''))).toEqual([
      '3600: drm-policy/a, drm-policy/c',
      '60: drm-policy/b',
    ]);
  });

  test.each<[string, AddressedChange]>([
    ['the service shows the setting', update('a', 3600, { hidden: [] })],
    ['the change shows the setting', update('a', 60, { paths: [PATH] })],
    ['a policy is created', { ...update('a', 3600), action: 'create', before: null }],
    ['a policy is deleted', { ...update('a', 3600), action: 'delete', after: null }],
  ])('is absent where %s', (_name, change) => {
    expect(hiddenLicenseBeginWarnings([change])).toEqual([]);
  });
});
