/** Proof of an edit before it is written: the sources are read back as every command reads them. */

import type { DesiredState, ProjectFiles } from '../../config/desired-state.ts';
import type { DesiredResource, Kind, LiveResource } from '../../kinds/kind.ts';
import { equal, type Json } from '../../model/json.ts';
import { differencesOf } from '../../plan/diff-resources.ts';

/** A resource, and what is live; null = it is gone. */
export interface AcceptRequest {
  readonly kind: Kind;
  readonly desired: DesiredResource;
  readonly live: LiveResource | null;
}

/** A file with other content. `before` is what the content was made from. */
export interface FileEdit {
  readonly file: string;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  /** Lines of `after` that were edited, ascending. */
  readonly lines: readonly number[];
}

/** The same files with some of them amended. */
export function withEdits(tree: ProjectFiles, amendments: readonly FileEdit[]): ProjectFiles {
  const byFile = new Map(amendments.map(({ file, after }) => [file, after]));
  const amended = (path: string): Uint8Array | undefined => (tree.at(path) === 'file' ? byFile.get(tree.real?.(path) ?? path) : undefined);
  return {
    ...tree,
    size: (path) => amended(path)?.length ?? tree.size(path),
    read: (path) => amended(path) ?? tree.read(path),
  };
}

/** What an edit would do beyond what it is to do, one clause each. `now` in Unix milliseconds. */
export function verifyEdits(asked: readonly AcceptRequest[], before: DesiredState, after: DesiredState, now: number): readonly string[] {
  const mistakes = after.findings.filter(({ severity }) => severity === 'error');
  if (mistakes.length > 0) return mistakes.map(({ file, line, summary }) => `${file}:${line} would be refused: ${summary}`);
  const wanted = new Map(asked.map((each) => [each.desired.address, each]));
  const known = new Map(after.resources.map((each) => [each.address, each]));
  const missed = asked.flatMap(({ kind, desired, live }): readonly string[] => {
    const found = known.get(desired.address);
    if (live === null) return found ? [`${desired.address} would still be declared`] : [];
    if (!found) return [`${desired.address} would not be declared any more`];
    const paths = differencesOf(kind, found, live, now).map(({ path }) => path);
    return paths.length === 0 ? [] : [`${desired.address} would still differ in ${paths.join(', ')}`];
  });
  const moved = changedAddresses(before, after).filter((address) => !wanted.has(address));
  return [...missed, ...moved.map((address) => `${address} would change too`), ...otherwise(before, after, wanted)];
}

/** The addresses that two declarations do not declare alike. */
export function changedAddresses(before: DesiredState, after: DesiredState): readonly string[] {
  const [old, young] = [before, after].map(({ resources }) => new Map(resources.map((each) => [each.address, each])));
  const addresses = [...new Set([...(old?.keys() ?? []), ...(young?.keys() ?? [])])];
  return addresses.filter((address) => !alike(old?.get(address), young?.get(address)));
}

function alike(a: DesiredResource | undefined, b: DesiredResource | undefined): boolean {
  if (!a || !b) return a === b;
  return a.label === b.label && equal(a.fields, b.fields) && equal(a.declared, b.declared) && equal(a.context, b.context);
}

/** What stands beside the resources: kinds that are managed, bindings, moves. */
function otherwise(before: DesiredState, after: DesiredState, wanted: ReadonlyMap<string, AcceptRequest>): readonly string[] {
  const stays = ([address]: readonly [string, string]) => wanted.get(address)?.live !== null;
  const told = ({ managedSections, adopt, moved, removed }: DesiredState): Json => [
    [...managedSections].sort(),
    [...adopt].filter(stays),
    [...moved],
    [...removed],
  ];
  return equal(told(before), told(after)) ? [] : ['what is managed, adopted, moved or removed would change too'];
}
