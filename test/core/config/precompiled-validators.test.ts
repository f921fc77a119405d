/** Compares the validators that the build compiles with ajv at run time: both have the same result for every value. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { describe, expect, test, vi } from 'vitest';
import configurationSchema from '../../../schemas/configuration.schema.json' with { type: 'json' };
import ledgerSchema from '../../../schemas/ledger.schema.json' with { type: 'json' };
import { AJV_OPTIONS, digestOf } from '../../../src/core/config/ajv.cjs';
import { loadDesiredState } from '../../../src/core/config/load-desired-state.ts';
import { loadProject } from '../../../src/core/config/load-project.ts';
import validators from '../../../src/core/config/precompiled-validators.cjs';
import { diskFiles } from '../../../src/core/config/project-folder.ts';
import { expandedSchema } from '../../../src/core/config/source-schema.ts';
import { createValidator } from '../../../src/core/config/validator.ts';
import { parseYaml } from '../../../src/core/config/yaml/parse.ts';
import { kinds } from '../../../src/core/kinds/index.ts';
import { isObject } from '../../../src/core/model/json.ts';
import { sourceModel } from '../../support/source-model.ts';

vi.mock('../../../src/core/config/ajv.cjs', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  loadAjv() {
    throw new Error('ajv was loaded');
  },
}));

const top = fileURLToPath(new URL('../../..', import.meta.url));

function documentsIn(file: string): readonly unknown[] {
  return parseYaml(readFileSync(`${top}/examples/streaming-account/${file}`)).documents.map((document) =>
    JSON.parse(JSON.stringify(document)),
  );
}

/** Returns the section `playlists` of the example, expanded. */
function expandedPlaylists(): unknown {
  const files = diskFiles(`${top}/examples/streaming-account`);
  const { project } = loadProject(files, '2027-01-01');
  const target = project?.targets.find(({ name }) => name === 'production');
  if (!project || !target) throw new Error('the example has no target production');
  return JSON.parse(JSON.stringify({ playlists: loadDesiredState(files, project, target, sourceModel).merged.playlists }));
}

const COMMIT = 'c'.repeat(40);
const DIGEST = `sha256:${'d'.repeat(64)}`;

const ENTRY = {
  schemaVersion: 1,
  target: 'production',
  at: '2026-01-02T03:04:05Z',
  by: 'somebody',
  where: 'somewhere',
  tool: '1.0.0',
  config: { commit: COMMIT, digest: DIGEST },
  fingerprint: DIGEST,
  summary: { created: 1, updated: 0, deleted: 0, adopted: 0, moved: 0, forgotten: 0, failed: 1, skipped: 0 },
  verified: true,
  outcomes: [
    { address: 'playlist/a', result: 'created', tookMs: 1.5 },
    { address: 'playlist/b', result: 'failed', error: 'no', because: 'of this', tookMs: 0 },
  ],
  owner: null,
  forgotten: ['some-id'],
  pendingSince: { 'playlist/b': COMMIT, 'playlist/c': null },
  bindings: { 'playlist/a': { id: 'a1', origin: 'created' } },
};

const CASES: readonly (readonly [name: string, schema: object, defaults: boolean, documents: readonly unknown[]])[] = [
  ['upkeep.yaml', configurationSchema, true, documentsIn('upkeep.yaml')],
  [
    'a source file',
    expandedSchema(kinds),
    false,
    [
      ...['assets', 'drm-policies', 'protection', 'smart-starts'].flatMap((name) => documentsIn(`config/common/${name}.yaml`)),
      expandedPlaylists(),
    ],
  ],
  ['an entry of the ledger', ledgerSchema, false, [ENTRY]],
];

const VALUES: readonly unknown[] = [null, '', 'x', 'a/b', 0, 1, -1, 1.5, 1e300, Number.NaN, true, [], ['x', 'x'], [{}], {}, { x: 1 }];

/** Returns copies of a document, each with one change: another value, a missing or an additional member, a repeated item. */
function* mutants(document: unknown): Generator<unknown> {
  yield* VALUES;
  if (Array.isArray(document)) {
    yield [...document, ...document];
    for (const [index, item] of document.slice(0, 3).entries()) for (const other of mutants(item)) yield document.with(index, other);
  } else if (isObject(document)) {
    yield { ...document, foreign: 1 };
    for (const [key, value] of Object.entries(document)) {
      const { [key]: _, ...rest } = document;
      yield rest;
      yield { ...rest, [`${key} `]: value };
      for (const other of mutants(value)) yield { ...document, [key]: other };
    }
  }
}

describe.each(CASES)('the schema %s', (_name, schema, defaults, documents) => {
  test('has a precompiled validator with the same results as ajv', () => {
    const precompiled = validators.get(digestOf(schema, defaults));
    const validate = new Ajv({ ...AJV_OPTIONS, useDefaults: defaults }).compile(schema);
    const tally = { accepted: 0, rejected: 0 };
    for (const value of [...documents, ...documents.flatMap((document) => [...mutants(document)])]) {
      const [own, other] = [structuredClone(value), structuredClone(value)];
      const accepted = validate(other);
      expect(precompiled?.(own), JSON.stringify(value)).toBe(accepted);
      if (accepted) expect(own).toEqual(other);
      tally[accepted ? 'accepted' : 'rejected']++;
    }
    expect(tally.accepted).toBeGreaterThan(0);
    expect(tally.rejected).toBeGreaterThan(100);
  });

  test('is validated without ajv, which is loaded only for an invalid value', () => {
    const check = createValidator<unknown>(schema, defaults);
    for (const document of documents) expect(check(structuredClone(document))).toMatchObject({ value: document });
    expect(() => check({ foreign: 1 })).toThrow('ajv was loaded');
  });
});
