/** Reads and validates `adopt`: the remote IDs of live objects by the addresses that they are bound to (design section 3, identity). */
import type { DesiredResource, Kind, UnlocatedFinding } from '../kinds/kind.ts';
import { kindOfAddress } from '../model/address.ts';
import type { FindingText } from '../model/finding.ts';
import { isJsonObject, type JsonObject } from '../model/json.ts';
import { suggest } from './did-you-mean.ts';
import type { PathSet } from './path-set.ts';
import type { SourceModel } from './source-model.ts';

/** Reads `adopt` from the merged sources: remote ID by address. Leaves out lines whose ID is no text. */
export function readAdopt(merged: JsonObject): ReadonlyMap<string, string> {
  const { adopt } = merged;
  const entries = isJsonObject(adopt) ? Object.entries(adopt) : [];
  return new Map(entries.flatMap(([address, id]) => (typeof id === 'string' ? [[address, id]] : [])));
}

/**
 * Returns errors about lines of `adopt` whose address belongs to no kind, cannot be bound or is not declared, and about lines with the
 * remote ID of an earlier line. No error is about a missing declaration in a section that `incomplete` affects, since it may be declared.
 */
export function adoptFindings(
  adopt: ReadonlyMap<string, string>,
  { kinds, collectionPrefixes }: SourceModel,
  resources: readonly DesiredResource[],
  incomplete: PathSet,
): readonly UnlocatedFinding[] {
  const declared = new Map(resources.map((resource) => [resource.address, resource]));
  const addressByObject = new Map<string, string>();
  return [...adopt].flatMap(([address, id]) => {
    const kind = kindOfAddress(kinds, address);
    const error =
      kind === undefined
        ? unknownAddress(address, collectionPrefixes)
        : (invalidAdoptLine(address, kind, declared, incomplete) ?? duplicateAdopt(address, id, kind, addressByObject));
    return error === undefined ? [] : [{ ...error, address, path: ['adopt', address] }];
  });
}

/**
 * Returns errors about resources without a match key and without a line in `adopt`: without a ledger every apply would create them again.
 */
export function unmatchableFindings(
  resources: readonly DesiredResource[],
  adopt: ReadonlyMap<string, string>,
  incomplete: PathSet,
): readonly UnlocatedFinding[] {
  if (incomplete.affectsSection('adopt')) return [];
  return resources
    .filter(({ address, mayMatchByBinding, matchKeys }) => mayMatchByBinding && matchKeys.length === 0 && !adopt.has(address))
    .map(({ address, path }) => ({
      code: 'unrecognisable',
      summary: `\`${address}\` has no name by which it could be matched with an object of the account`,
      hint: `Give it one, or bind it to its live object: \`adopt: { ${address}: <remote ID> }\`.`,
      address,
      path,
    }));
}

function unknownAddress(address: string, known: readonly string[]): FindingText {
  return {
    code: 'unknown-address',
    summary: `\`${address}\` is not an address`,
    hint: `Addresses of objects begin with ${known.join(' or ')}.`,
  };
}

function invalidAdoptLine(
  address: string,
  kind: Kind,
  declared: ReadonlyMap<string, DesiredResource>,
  incomplete: PathSet,
): FindingText | undefined {
  const resource = declared.get(address);
  if (kind.type === 'setting' || resource?.mayMatchByBinding === false) {
    return {
      code: 'not-adoptable',
      summary: `\`${address}\` cannot be bound to another object`,
      hint: 'Its live object is known without `adopt`; leave the line out.',
    };
  }
  if (resource !== undefined || kind.sections.some(({ key }) => incomplete.affectsSection(key))) return undefined;
  const hint = (): string => {
    const near = suggest(address, declared);
    return near === undefined ? 'Declare the resource, or leave the line out.' : `Did you mean \`${near}\`?`;
  };
  return { code: 'undeclared-address', summary: `\`${address}\` is adopted but not declared`, hint };
}

/** A live object belongs to at most one address (design section 3, identity); IDs of different kinds are unrelated. */
function duplicateAdopt(
  address: string,
  id: string,
  kind: Kind,
  addressByObject: Map<string, string>,
): Omit<UnlocatedFinding, 'path'> | undefined {
  const object = JSON.stringify([kind.name, id]);
  const otherAddress = addressByObject.get(object);
  if (otherAddress === undefined) addressByObject.set(object, address);
  return otherAddress === undefined
    ? undefined
    : {
        code: 'duplicate-binding',
        summary: `\`${address}\` is bound to the object that \`${otherAddress}\` is bound to`,
        hint: 'One object belongs to one address: leave one of the two lines out, or correct its ID.',
        other: { path: ['adopt', otherAddress], part: 'key' },
      };
}
