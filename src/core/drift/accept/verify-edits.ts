/** Verifies edits before files are written, by loading the edited sources as every command does. */

import type { DesiredState } from '../../config/desired-state.ts';
import type { DesiredResource, Kind, LiveResource } from '../../kinds/kind.ts';
import { listOf } from '../../model/collections.ts';
import { equal, type Json } from '../../model/json.ts';
import type { ProjectFiles } from '../../model/project-files.ts';
import { differencesOf } from '../../plan/diff-resources.ts';
import { withIgnoredList } from '../../plan/ignored-fields.ts';

/** A resource whose live object is to be declared; `live` is null if the object is gone. */
export interface AcceptRequest {
  readonly kind: Kind;
  readonly desired: DesiredResource;
  readonly live: LiveResource | null;
}

/** An edited file: its content before and after. */
export interface FileEdit {
  readonly file: string;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  /** Lines of `after` that were edited, ascending. */
  readonly lines: readonly number[];
}

/** Returns the project files with some of them edited. */
export function withEdits(files: ProjectFiles, edits: readonly FileEdit[]): ProjectFiles {
  const byFile = new Map(edits.map(({ file, after }) => [file, after]));
  const editedContent = (path: string): Uint8Array | undefined =>
    files.typeOf(path) === 'file' ? byFile.get(files.resolve?.(path) ?? path) : undefined;
  return {
    ...files,
    size: (path) => editedContent(path)?.length ?? files.size(path),
    read: (path) => editedContent(path) ?? files.read(path),
  };
}

/** How many resources, values or problems a refusal names. */
export const MAX_NAMED = 5;

/** Returns what the edits would do wrong, one clause each; empty where they do exactly what was requested. `now` in Unix milliseconds. */
export function verifyEdits(requests: readonly AcceptRequest[], before: DesiredState, after: DesiredState, now: number): readonly string[] {
  const errors = after.findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return errors.map(({ file, line, summary }) => `${file}:${line} would be refused: ${summary}`);
  const requested = new Map(requests.map((each) => [each.desired.address, each]));
  const declared = new Map(after.resources.map((each) => [each.address, each]));
  const unmet = requests.flatMap(({ kind, desired, live }): readonly string[] => {
    const edited = declared.get(desired.address);
    const found = edited && withSameAssets(kind, edited, desired);
    if (live === null) return found ? [`${desired.address} would still be declared`] : [];
    if (!found) return [`${desired.address} would not be declared any more`];
    // Of the ignored fields, those that are accepted are compared.
    const paths = differencesOf(kind, withIgnoredList(found, desired.ignored ?? []), live, now).map(({ path }) => path);
    return paths.length === 0 ? [] : [`${desired.address} would still differ in ${paths.join(', ')}`];
  });
  const others = changedAddresses(before, after).filter((address) => !requested.has(address));
  const changed = others.length === 0 ? [] : [`${listOf(others, MAX_NAMED)} would change too`];
  return [...unmet, ...changed, ...otherDifferences(before, after, requested)];
}

/** Puts the assets that the external IDs of a resource named into an edited declaration of it. */
function withSameAssets(kind: Kind, edited: DesiredResource, { externalIds = {} }: DesiredResource): DesiredResource {
  const { external } = kind.referenceLookup ?? {};
  const idOf = (externalId: string) => (Object.hasOwn(externalIds, externalId) ? externalIds[externalId] : undefined);
  return external ? external.resolver().resolve(edited, idOf) : edited;
}

/** Returns the addresses whose resources differ between two desired states. */
export function changedAddresses(before: DesiredState, after: DesiredState): readonly string[] {
  const [oldResources, newResources] = [before, after].map(({ resources }) => new Map(resources.map((each) => [each.address, each])));
  const addresses = [...new Set([...(oldResources?.keys() ?? []), ...(newResources?.keys() ?? [])])];
  return addresses.filter((address) => !isSame(oldResources?.get(address), newResources?.get(address)));
}

function isSame(a: DesiredResource | undefined, b: DesiredResource | undefined): boolean {
  if (!a || !b) return a === b;
  return (
    a.remoteName === b.remoteName &&
    equal(a.fields, b.fields) &&
    equal(a.declaredFields, b.declaredFields) &&
    equal(a.kindData, b.kindData) &&
    equal(ignoredBy(a), ignoredBy(b))
  );
}

/** Returns what a resource leaves to others, without the places, which edits may shift. */
function ignoredBy({ ignored = [] }: DesiredResource): Json {
  return ignored.map(({ path, until = null, why = null }) => [path, until, why]);
}

/** Compares all but the resources: managed sections, `adopt`, `moved`, `removed`. */
function otherDifferences(before: DesiredState, after: DesiredState, requested: ReadonlyMap<string, AcceptRequest>): readonly string[] {
  const isKept = ([address]: readonly [string, string]) => requested.get(address)?.live !== null;
  const settingsOf = ({ presentKeys, adopt, moved, removed }: DesiredState): Json => [
    [...presentKeys].sort(),
    [...adopt].filter(isKept),
    [...moved],
    [...removed],
  ];
  return equal(settingsOf(before), settingsOf(after)) ? [] : ['what is managed, adopted, moved or removed would change too'];
}
