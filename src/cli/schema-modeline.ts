import { relative, sep } from 'node:path';

/** Tells the YAML language server of any editor the schema, as `npm install --save-dev upkeep` puts it there. `way` leads from the file's folder to that of the packages. */
export function schemaModeline(schema: 'configuration' | 'source', way = ''): string {
  return `# yaml-language-server: $schema=${way}node_modules/upkeep/schemas/${schema}.schema.json`;
}

/** The way from one folder to another, both absolute, as `schemaLine` takes it: empty, or with a slash at its end. */
export function wayTo(from: string, to: string): string {
  const steps = relative(from, to).split(sep).join('/');
  return steps === '' ? '' : `${steps}/`;
}
