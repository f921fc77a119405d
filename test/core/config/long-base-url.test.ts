import { expect, test } from 'vitest';
import { normalizeBaseUrl } from '../../../src/core/config/project.ts';

test('reads an address with millions of slashes in linear time', () => {
  const slashes = '/'.repeat(3_000_000);
  expect(normalizeBaseUrl(`https://services.example.com/a${slashes}`)).toBe('https://services.example.com/a');
  expect(normalizeBaseUrl(`https://services.example.com${slashes}a`)).toBe(`https://services.example.com${slashes}a`);
  expect(normalizeBaseUrl(`https://services.example.com${'\\'.repeat(3_000_000)}a`)).toBe(`https://services.example.com${slashes}a`);
});
