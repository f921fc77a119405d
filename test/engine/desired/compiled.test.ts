/** What the build compiles ahead of time says of every value what ajv says at run time. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import configurationSchema from '../../../schemas/configuration.schema.json' with { type: 'json' };
import ledgerSchema from '../../../schemas/ledger.schema.json' with { type: 'json' };
import type { Verdict } from '../../../src/engine/desired/compiled.ts';
import { digestOf } from '../../../src/engine/desired/dialect.js';
import { parseYaml } from '../../../src/engine/desired/parse.ts';
import { checker } from '../../../src/engine/desired/schema.ts';
import { sourceSchema } from '../../../src/engine/desired/validate.ts';
import { kinds } from '../../../src/kinds/kinds.ts';
import { isObject } from '../../../src/model/json.ts';
import { verdicts } from '../../../verdicts.mjs';

const top = fileURLToPath(new URL('../../..', import.meta.url));

let compiled: ReadonlyMap<string, () => Verdict> = new Map();

beforeAll(async () => {
  const entryPoints = ['src/engine/desired/compiled.ts'];
  const built = await build({ absWorkingDir: top, entryPoints, bundle: true, format: 'esm', write: false, plugins: [verdicts] });
  compiled = (await import(`data:text/javascript,${encodeURIComponent(built.outputFiles[0]?.text ?? '')}`)).compiled;
});

function documentsIn(file: string): readonly unknown[] {
  return parseYaml(readFileSync(`${top}/examples/streaming-account/${file}`)).documents.map((document) =>
    JSON.parse(JSON.stringify(document)),
  );
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
  standing: { 'playlist/b': COMMIT, 'playlist/c': null },
  bindings: { 'playlist/a': { id: 'a1', origin: 'created' } },
};

const CASES: readonly (readonly [name: string, schema: object, defaults: boolean, documents: readonly unknown[]])[] = [
  ['upkeep.yaml', configurationSchema, true, documentsIn('upkeep.yaml')],
  [
    'a source file',
    sourceSchema(kinds),
    false,
    ['assets', 'drm-policies', 'playlists', 'protection', 'smart-starts'].flatMap((name) => documentsIn(`config/common/${name}.yaml`)),
  ],
  ['an entry of the ledger', ledgerSchema, false, [ENTRY]],
];

const VALUES: readonly unknown[] = [null, '', 'x', 'a/b', 0, 1, -1, 1.5, 1e300, Number.NaN, true, [], ['x', 'x'], [{}], {}, { x: 1 }];

/** The document with something changed at every place in turn: another value, a member too few, one too many, an item twice. */
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

describe.each(CASES)('%s', (_name, schema, defaults, documents) => {
  test('is compiled, and accepted and refused as by ajv itself', () => {
    const verdict = compiled.get(digestOf(schema, defaults))?.();
    const check = checker<unknown>(schema, defaults);
    const tally = { accepted: 0, refused: 0 };
    for (const value of [...documents, ...documents.flatMap((document) => [...mutants(document)])]) {
      const [own, other] = [structuredClone(value), structuredClone(value)];
      const checked = check(other);
      expect(verdict?.(own), JSON.stringify(value)).toBe('value' in checked);
      if ('value' in checked) expect(own).toEqual(checked.value);
      tally['value' in checked ? 'accepted' : 'refused']++;
    }
    expect(tally.accepted).toBeGreaterThan(0);
    expect(tally.refused).toBeGreaterThan(100);
  });
});
