import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressOf, askedAddress } from '../../../../src/core/kinds/drm-policy/address.ts';
import { matchesGlob } from '../../../../src/core/model/glob.ts';
import { anyText, assertProperty } from '../../../support/property.ts';

test.each([
  ['drm-policy/Kids & Co', 'drm-policy/Kids%20%26%20Co'],
  ['drm-policy/Kids%20%26%20Co', 'drm-policy/Kids%20%26%20Co'],
  ['drm-policy/Kids & *', 'drm-policy/Kids%20%26%20*'],
  ['drm-policy/a/b', 'drm-policy/a%2Fb'],
  ['drm-policy/100%', 'drm-policy/100%25'],
  ['drm-policy/50%20 off', 'drm-policy/50%2520%20off'],
  ['drm-policy/é', 'drm-policy/%C3%A9'],
  ['drm-policy/*', 'drm-policy/*'],
  ['drm-policy/~ab c', 'drm-policy/~ab c'],
  ['playlist/Kids & Co', 'playlist/Kids & Co'],
  ['*', '*'],
  ['drm_policies.Kids & Co', 'drm_policies.Kids & Co'],
])('the address %s that a user writes means %s', (asked, meant) => {
  expect(askedAddress(asked)).toBe(meant);
});

test('the address of any policy is found by its name as it is written, and means itself where it is encoded', () => {
  assertProperty(
    fc.property(anyText(), (name) => {
      const address = addressOf(name);
      expect(askedAddress(address)).toBe(address);
      const isEncoded = /^(?:[A-Za-z0-9._*-]|%[0-9A-F]{2})*$/.test(name);
      if (!name.startsWith('~') && !isEncoded) expect(matchesGlob(askedAddress(`drm-policy/${name}`), address)).toBe(true);
    }),
  );
});
