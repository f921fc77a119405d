import { relative, sep } from 'node:path';

/**
 * Returns the modeline that names the installed schema for the YAML language server. `path` leads from the file's folder to that of
 * node_modules.
 */
export function schemaModeline(schema: 'configuration' | 'source', path = ''): string {
  return `# yaml-language-server: $schema=${path}node_modules/upkeep/schemas/${schema}.schema.json`;
}

/** Returns the relative path from one absolute folder to another: empty, or with a trailing slash. */
export function relativePath(from: string, to: string): string {
  const path = relative(from, to).split(sep).join('/');
  return path === '' ? '' : `${path}/`;
}
