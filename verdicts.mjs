// Compiles the schemas that nearly every command reads with, so that the program starts without ajv: an esbuild plugin.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { transformSync } from 'esbuild';
import { DIALECT, digestOf } from './src/engine/desired/dialect.js';

/** Schemas by file, and whether absent members take their defaults. */
const SCHEMAS = { configuration: true, source: false, ledger: false };

/** Puts the compiled schemas into the place of src/engine/desired/compiled.ts, with the few lines of ajv that they call. */
export const verdicts = {
  name: 'verdicts',
  setup(build) {
    build.onLoad({ filter: /\/engine\/desired\/compiled\.ts$/ }, () => ({
      contents: verdictCode(),
      loader: 'js',
      resolveDir: import.meta.dirname,
    }));
    build.onResolve({ filter: /^ajv\/dist\/runtime\/|^fast-deep-equal$/ }, ({ path }) => ({
      path: createRequire(import.meta.url).resolve(path),
    }));
  },
};

/** A module that exports `compiled`: the verdicts by the digests of their schemas. */
function verdictCode() {
  const entries = Object.entries(SCHEMAS).map(([name, useDefaults]) => {
    const schema = JSON.parse(readFileSync(new URL(`schemas/${name}.schema.json`, import.meta.url), 'utf8'));
    const ajv = new Ajv({ ...DIALECT, useDefaults, messages: false, inlineRefs: false, code: { source: true } });
    const code = standalone.default(ajv, ajv.compile(wordless(schema)));
    return `[${JSON.stringify(digestOf(schema, useDefaults))}, () => { const module = {}; ${code}; return module.exports; }]`;
  });
  return transformSync(`export const compiled = new Map([${entries.join(',')}]);`, { minify: true }).code;
}

/** A schema without the texts for people: they decide nothing, and would be half of the code. */
function wordless(schema) {
  const texts = ['$schema', '$comment', 'title', 'description'];
  const isWords = (keyword, value) =>
    typeof value === 'string' ? texts.includes(keyword) : Array.isArray(value) && ['enumDescriptions', 'examples'].includes(keyword);
  return JSON.parse(JSON.stringify(schema, (keyword, value) => (isWords(keyword, value) ? undefined : value)));
}
