/** Builds desired resources in the kinds' canonical form from the merged sources, and validates the bindings of `adopt`. */
import type { DeclareServices, DesiredResource, Kind, UnlocatedFinding } from '../kinds/kind.ts';
import { addressPatterns, kindOfAddress } from '../model/address.ts';
import { isJsonObject, type JsonObject } from '../model/json.ts';
import { type InvalidPaths, sectionsOf } from './source-schema.ts';

/** A finding, and the kind that found it. */
export interface KindFinding {
  readonly kind: Kind;
  readonly finding: UnlocatedFinding;
}

/** The desired resources and the findings of all kinds with valid sections. */
export interface BuiltResources {
  readonly resources: readonly DesiredResource[];
  readonly findings: readonly KindFinding[];
}

/** Declares the resources of every kind. `accepted` are the sections without invalid parts, because a kind relies on its schema. */
export function buildResources(accepted: JsonObject, kinds: readonly Kind[], context: DeclareServices): BuiltResources {
  const resources: DesiredResource[] = [];
  const problems: KindFinding[] = [];
  for (const kind of kinds) {
    const sections = sectionsOf(kind, accepted);
    if (sections === undefined) continue;
    const declared = kind.declare(sections, context);
    for (const resource of declared.resources) resources.push(resource);
    for (const finding of declared.findings) problems.push({ kind, finding: finding });
  }
  return { resources, findings: problems };
}

/** Returns the bindings of `adopt`: address to remote ID. */
export function adoptOf(merged: JsonObject): ReadonlyMap<string, string> {
  const { adopt } = merged;
  const entries = isJsonObject(adopt) ? Object.entries(adopt) : [];
  return new Map(entries.flatMap(([address, id]) => (typeof id === 'string' ? [[address, id]] : [])));
}

/**
 * Returns errors about bindings whose address belongs to no kind, has an object without an ID, is not declared, or whose ID another address
 * has. A resource in a section that `gaps` affects may be declared although it is not in `resources`.
 */
export function adoptFindings(
  adopt: ReadonlyMap<string, string>,
  kinds: readonly Kind[],
  resources: readonly DesiredResource[],
  gaps: InvalidPaths,
): readonly UnlocatedFinding[] {
  const declared = new Map(resources.map((resource) => [resource.address, resource]));
  const addressByObject = new Map<string, string>();
  return [...adopt].flatMap(([address, id]) => {
    const kind = kindOfAddress(kinds, address);
    const finding =
      kind === undefined
        ? unknownAddress(address, kinds)
        : (invalidBinding(address, kind, declared, gaps) ?? duplicateBinding(address, id, kind, addressByObject));
    return finding === undefined ? [] : [{ severity: 'error', ...finding, address, path: ['adopt', address] }];
  });
}

/** Returns errors about resources without match key and binding: every apply would create them again. */
export function unmatchableResources(
  resources: readonly DesiredResource[],
  adopt: ReadonlyMap<string, string>,
  gaps: InvalidPaths,
): readonly UnlocatedFinding[] {
  if (gaps.affectsSection('adopt')) return [];
  return resources
    .filter(({ address, adoptable, matchKeys }) => adoptable && matchKeys.length === 0 && !adopt.has(address))
    .map(({ address, path }) => ({
      severity: 'error',
      code: 'unrecognisable',
      summary: `\`${address}\` has no name by which it could be matched with an object of the account`,
      hint: `Give it one, or bind it to its live object: \`adopt: { ${address}: <remote ID> }\`.`,
      address,
      path,
    }));
}

type ErrorText = Pick<UnlocatedFinding, 'code' | 'summary' | 'hint'>;

function unknownAddress(address: string, kinds: readonly Kind[]): ErrorText {
  const known = kinds.filter(({ type }) => type === 'collection').flatMap(addressPatterns);
  return {
    code: 'unknown-address',
    summary: `\`${address}\` is not an address`,
    hint: `Addresses that can be adopted begin with ${known.join(' or ')}.`,
  };
}

function invalidBinding(
  address: string,
  kind: Kind,
  declared: ReadonlyMap<string, DesiredResource>,
  gaps: InvalidPaths,
): ErrorText | undefined {
  const resource = declared.get(address);
  if (kind.type === 'setting' || resource?.adoptable === false) {
    return {
      code: 'not-adoptable',
      summary: `\`${address}\` cannot be bound to another object`,
      hint: 'Its live object is known without `adopt`; leave the line out.',
    };
  }
  if (resource !== undefined || kind.sections.some(({ key }) => gaps.affectsSection(key))) return undefined;
  return {
    code: 'undeclared-address',
    summary: `\`${address}\` is adopted but not declared`,
    hint: 'Declare the resource, or leave the line out.',
  };
}

/** A live object belongs to at most one address (design section 3, identity); IDs of different kinds are unrelated. */
function duplicateBinding(address: string, id: string, kind: Kind, addressByObject: Map<string, string>): ErrorText | undefined {
  const object = JSON.stringify([kind.name, id]);
  const otherAddress = addressByObject.get(object);
  if (otherAddress === undefined) addressByObject.set(object, address);
  return otherAddress === undefined
    ? undefined
    : {
        code: 'duplicate-binding',
        summary: `\`${address}\` is bound to the object that \`${otherAddress}\` is bound to`,
        hint: 'One object belongs to one address: leave one of the two lines out, or correct its ID.',
      };
}
