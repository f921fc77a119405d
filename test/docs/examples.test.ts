/** The examples in YAML are valid by the schemas that editors use, as far as they show a file: what they leave out is not asked for. */
import { readdirSync, readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import configuration from '../../schemas/configuration.schema.json' with { type: 'json' };
import source from '../../schemas/source.schema.json' with { type: 'json' };
import tests from '../../schemas/test.schema.json' with { type: 'json' };
import { isJsonObject, type Json, type JsonObject } from '../../src/core/model/json.ts';

const top = new URL('../../', import.meta.url);
const pages = ['README.md', ...readdirSync(new URL('docs/', top)).map((name) => `docs/${name}`)];

/** Returns a schema that asks for no member, since an example is a part of a file; members tell alternatives apart, and stay. */
function withoutRequired(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutRequired);
  if (!isJsonObject(schema)) return schema;
  const members = Object.entries(schema).filter(([key, value]) => !(key === 'required' && Array.isArray(value)));
  return Object.fromEntries(members.map(([key, value]) => [key, key === 'oneOf' ? value : withoutRequired(value)]));
}

function validatorOf(schema: JsonObject): ValidateFunction {
  return new Ajv({ strict: false, validateFormats: false }).compile(Object(withoutRequired(schema)));
}

/** The parts of a target, which some examples show alone. */
const target = { ...configuration.definitions.target, definitions: configuration.definitions };

const SCHEMAS = [configuration, target, source, tests].map((schema) => ({
  keys: Object.keys(schema.properties),
  validate: validatorOf(schema),
}));

/** An example with its first line, as findings name it. */
interface Example {
  readonly page: string;
  readonly text: string;
}

function examplesIn(page: string): readonly Example[] {
  const blocks = readFileSync(new URL(page, top), 'utf8').matchAll(/^( *)```yaml\n([\s\S]*?)^ *```/gm);
  return [...blocks].map(([, indent = '', text = '']) => ({ page, text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), '') }));
}

/** Returns what is wrong with an example of a file of upkeep; undefined for an example of something else. */
function problemsOf(text: string): readonly string[] | undefined {
  const value: unknown = parse(text.replace(/, \.\.\. \}/g, ' }'));
  const keys = Object.keys(Object(value));
  const schemas = SCHEMAS.filter((each) => keys.length > 0 && keys.every((key) => each.keys.includes(key)));
  if (schemas.length === 0) return undefined;
  if (schemas.some(({ validate }) => validate(value))) return [];
  return schemas.flatMap(({ validate }) => (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`));
}

test('each example of upkeep.yaml and of a source in the documentation is valid', () => {
  const examples = pages.flatMap(examplesIn).map((example) => ({ ...example, problems: problemsOf(example.text) }));
  const checked = examples.filter(({ problems }) => problems !== undefined);
  expect(checked.length).toBeGreaterThan(25);
  expect(checked.filter(({ problems }) => problems?.length !== 0)).toEqual([]);
  // A line for editors, an alert of Prometheus, a collector, and files of CI systems.
  const others = examples.filter(({ page, problems }) => problems === undefined && page !== 'docs/ci.md');
  expect(others.map(({ text }) => text.split(/[ \n]/).slice(0, 2).join(' '))).toEqual([
    '# yaml-language-server:',
    '- alert:',
    'receivers: ',
  ]);
});

test('an example with an unknown key or a wrong value is noticed', () => {
  expect(problemsOf('targets: { live: { ownership: mine } }')).toEqual([expect.stringContaining('/targets/live/ownership')]);
  expect(problemsOf('playlists: { a: { repeats: 1 } }')).toEqual(expect.arrayContaining([expect.stringContaining('/playlists/a')]));
  expect(problemsOf('receivers: {}')).toBeUndefined();
});
