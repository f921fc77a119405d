/** A digest of what a target declares, by which two commits are compared (design section 6, entries). */
import { createHash } from 'node:crypto';
import { compareStrings } from '../model/finding.ts';
import { stableJson } from '../model/json.ts';
import type { DesiredState } from './desired-state.ts';

/**
 * Returns `sha256:` and the hash of the declarations of a target, with variables, templates and defaults expanded. It does not depend on how
 * files write them, nor on what other targets declare.
 */
export function declarationDigest({ resources, presentKeys, adopt, moved, removed }: DesiredState): string {
  const hash = createHash('sha256');
  const add = (...parts: readonly unknown[]) => hash.update(`${JSON.stringify(parts)}\n`);
  for (const resource of resources.toSorted((a, b) => compareStrings(a.address, b.address))) {
    // Which asset an external ID names is no part of a declaration.
    const { address, fields, ignored = [] } = resource.beforeResolving ?? resource;
    add('resource', address, stableJson(fields), ...ignored.map(({ path, until = null }) => [path, until]));
  }
  for (const key of [...presentKeys].sort()) add('section', key);
  for (const [name, pairs] of Object.entries({ adopt, moved }))
    for (const pair of [...pairs].sort(([a], [b]) => compareStrings(a, b))) add(name, ...pair);
  for (const address of [...removed].sort()) add('removed', address);
  return `sha256:${hash.digest('hex')}`;
}
