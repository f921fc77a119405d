/** The types of configuration files: written from the schemas, and as strict as a program that generates files needs. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import type { ProjectFile, SourceFile } from '../../src/library/index.ts';
import { configurationTypes } from './configuration-types.ts';

const schema = (name: string) => JSON.parse(readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), 'utf8'));

test('the types of configuration are those of the schemas (`npm run generate` writes them)', async () => {
  const types = configurationTypes({ ProjectFile: schema('configuration'), SourceFile: schema('source') });
  await expect(types).toMatchFileSnapshot('../../src/library/configuration.ts');
});

test('a schema with a keyword that no type expresses is refused', () => {
  expect(() => configurationTypes({ File: { type: 'object', patternProperties: {} } })).toThrow('keyword patternProperties');
});

/** A list of values that the compiler checks; those marked below are the ones that it refuses. */
const SOURCES: readonly SourceFile[] = [
  {},
  { playlists: { evening: { desc: 'Evening', active: true, playlist: [{ beam: '10c5467d77c54dc4b739db2cd832143a' }, { ad: 90 }] } } },
  { playlists: { evening: { repeat: '${times}', playlist: [{ beam: { id: '10c5467d77c54dc4b739db2cd832143a' } }, { ad: { dur: 3 } }] } } },
  { drm_policies: { premium: { fairplay: { persistence: true } } }, vmp_reject_statuses: ['PLATFORM_TAMPERED'] },
];
const WRONG_SOURCES: readonly SourceFile[] = [
  // @ts-expect-error A key that no source has.
  { playlist: {} },
  // @ts-expect-error A text in place of a number, which is no variable.
  { playlists: { evening: { repeat: 'always', playlist: [] } } },
  // @ts-expect-error A key that no entry has.
  { playlists: { evening: { playlist: [{ asset: '10c5467d77c54dc4b739db2cd832143a' }] } } },
];
const TARGET = {
  base_url: 'https://example.com',
  credentials: { owner: { env: 'OWNER' }, api_key: { file: '/run/key' } },
  sources: ['config'],
};
const PROJECTS: readonly ProjectFile[] = [
  { version: 1, targets: { live: TARGET } },
  {
    version: 1,
    targets: { live: { ...TARGET, ownership: 'exclusive', sources: [{ path: 'config' }] } },
    devices: { tv: { expected: false } },
  },
];
const WRONG_PROJECTS: readonly ProjectFile[] = [
  // @ts-expect-error No target.
  { version: 1 },
  // @ts-expect-error No ownership of this name.
  { version: 1, targets: { live: { ...TARGET, ownership: 'mine' } } },
];

test.each([
  ['source', SOURCES, WRONG_SOURCES],
  ['configuration', PROJECTS, WRONG_PROJECTS],
] as const)('the compiler and the schema agree about values of the %s schema', (name, right, wrong) => {
  const accepts = new Ajv({ strict: false }).compile(schema(name));
  for (const value of right) expect(accepts(value), JSON.stringify(value)).toBe(true);
  for (const value of wrong) expect(accepts(value), JSON.stringify(value)).toBe(false);
});
