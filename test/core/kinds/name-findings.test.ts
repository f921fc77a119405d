import { describe, expect, test } from 'vitest';
import { NAME_CODES, nameWarnings } from '../../../src/core/kinds/name-findings.ts';

const path = ['drm_policies', 'p'];
const why = 'and the service may store it in another form, under which it is not found again';

describe('the warnings about a name', () => {
  test('are none where the service cannot store it in another form', () => {
    for (const name of ['', 'a', 'a b', 'Am\u00e9lie', 'a\u00a0b']) expect(nameWarnings('the name', name, path)).toEqual([]);
  });

  test.each([' a', 'a ', '\ta', 'a\u00a0', ' '])('name the space at an end of %j', (name) => {
    expect(nameWarnings('the name', name, path)).toEqual([
      {
        severity: 'warning',
        code: 'name-spaces',
        path,
        summary: `the name begins or ends with a space, ${why}`,
        hint: 'Remove the space.',
      },
    ]);
  });

  test('say that accents are written as characters of their own', () => {
    expect(nameWarnings('the description', 'Ame\u0301lie', path)).toEqual([
      {
        severity: 'warning',
        code: 'name-not-nfc',
        path,
        summary: `the description is not in Unicode form NFC, ${why}`,
        hint: 'Write its accents as single characters (NFC).',
      },
    ]);
  });

  test('are two where both hold, and each code has a meaning', () => {
    expect(nameWarnings('the name', ' e\u0301', path).map(({ code }) => code)).toEqual(Object.keys(NAME_CODES));
    for (const { meaning } of Object.values(NAME_CODES)) expect(meaning).toMatch(/^a `desc` or a policy name /);
  });
});
