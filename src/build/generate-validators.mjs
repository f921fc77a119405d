// Compiles the schemas that nearly every command needs, so that valid files are read without ajv, which takes about 150 ms to compile them.
import { readFile, writeFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { AJV_OPTIONS, digestOf } from '../core/config/ajv.cjs';

/** Schemas by file, and whether absent members take their defaults. */
const SCHEMAS = { configuration: true, expanded: false, language: false, ledger: false };

/** Keywords that do not affect validation; these texts for people are half of a schema. */
const ANNOTATIONS = ['$schema', '$id', '$comment', 'title', 'description', 'examples', 'enumDescriptions'];

const FILE = new URL('../core/config/precompiled-validators.cjs', import.meta.url);

/** Whether the validators are missing, or those of other schemas. */
export async function areValidatorsStale() {
  const code = await readFile(FILE, 'utf8').catch(() => '');
  const schemas = await Promise.all(
    Object.entries(SCHEMAS).map(async ([name, useDefaults]) => digestOf(await schemaNamed(name), useDefaults)),
  );
  return !schemas.every((digest) => code.includes(digest));
}

async function schemaNamed(name) {
  return JSON.parse(await readFile(new URL(`../../schemas/${name}.schema.json`, import.meta.url), 'utf8'));
}

/** Writes the validators, by the digests of their schemas, to src/core/config/precompiled-validators.cjs. */
export async function generateValidators() {
  const ajv = new Ajv({ ...AJV_OPTIONS, useDefaults: true, messages: false, inlineRefs: false, code: { source: true } });
  const digests = new Map();
  for (const [name, useDefaults] of Object.entries(SCHEMAS)) {
    const schema = await schemaNamed(name);
    ajv.addSchema(stripped(schema, useDefaults ? ANNOTATIONS : [...ANNOTATIONS, 'default']), name);
    digests.set(name, digestOf(schema, useDefaults));
  }
  const code = standalone.default(ajv, Object.fromEntries([...digests.keys()].map((name) => [name, name])));
  const entries = [...digests].map(([name, digest]) => `[${JSON.stringify(digest)}, exports.${name}]`);
  await writeFile(FILE, `${code}\nmodule.exports = new Map([${entries.join(', ')}]);\n`);
}

/** Returns a schema without these keywords. Below `properties` and the like the same words are names of members, which stay. */
function stripped(schema, keywords) {
  const isMap = (name) => ['properties', 'patternProperties', 'definitions'].includes(name);
  const walk = (value, isSchema) => {
    if (Array.isArray(value)) return value.map((each) => walk(each, isSchema));
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value).filter(([name]) => !(isSchema && keywords.includes(name)));
    return Object.fromEntries(kept.map(([name, each]) => [name, walk(each, !isSchema || !isMap(name))]));
  };
  return walk(schema, true);
}
