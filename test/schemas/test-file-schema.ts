/** The schema of files of tests: what is written by hand about cases, and the schema of source files for the sources that a case holds. */

/** The definitions that are written by hand in schemas/test.schema.json. */
const OWN = ['target', 'case', 'sources', 'run', 'expect', 'change'];

interface Schema {
  readonly definitions?: { readonly [name: string]: unknown };
}

/** Returns the schema of files of tests with these sources in place of those that it had. */
export function withSources(schema: Required<Schema>, source: Schema): object {
  const { definitions = {}, $schema: _draft, ...root } = { $schema: '', ...source };
  const own = OWN.map((name) => [name, schema.definitions[name]] as const);
  return { ...schema, definitions: { ...Object.fromEntries(own), source: root, ...definitions } };
}
