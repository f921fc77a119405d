/** normalise: what the sources say, as desired resources in the kinds' canonical form, and the bindings that `adopt` asks for. */
import type { Desired, Kind, Problem, Tools } from '../kinds/kind.ts';
import { type Fields, isFields } from '../model/json.ts';
import { sectionsOf } from './validate.ts';

/** A problem, and the kind that found it. */
export interface KindProblem {
  readonly kind: Kind;
  readonly problem: Problem;
}

/** The desired resources of all kinds whose sections are accepted. */
export interface Normalised {
  readonly resources: readonly Desired[];
  readonly problems: readonly KindProblem[];
}

/** Lets every kind declare its resources; a kind with a refused section is left out, because it may rely on its schema. */
export function normalise(merged: Fields, refused: ReadonlySet<string>, kinds: readonly Kind[], tools: Tools): Normalised {
  const resources: Desired[] = [];
  const problems: KindProblem[] = [];
  for (const kind of kinds) {
    const sections = sectionsOf(kind, merged);
    if (sections === undefined || kind.sections.some(({ key }) => refused.has(key))) continue;
    const declared = kind.declare(sections, tools);
    for (const resource of declared.resources) resources.push(resource);
    for (const problem of declared.problems) problems.push({ kind, problem });
  }
  return { resources, problems };
}

/** The bindings of `adopt`: address to remote ID. */
export function bindings(merged: Fields): ReadonlyMap<string, string> {
  const { adopt } = merged;
  const entries = isFields(adopt) ? Object.entries(adopt) : [];
  return new Map(entries.flatMap(([address, id]) => (typeof id === 'string' ? [[address, id]] : [])));
}

/**
 * Bindings that bind nothing: no kind has such an address, its object has no ID of its own, or it is not declared.
 * `resources` is null where not all of them could be declared.
 */
export function adoptProblems(
  adopt: ReadonlyMap<string, string>,
  kinds: readonly Kind[],
  resources: readonly Desired[] | null,
): readonly Problem[] {
  const declared = resources && new Map(resources.map((resource) => [resource.address, resource]));
  return [...adopt.keys()].flatMap((address) => {
    const words = misbinding(address, kinds, declared);
    return words === undefined ? [] : [{ severity: 'error', ...words, address, path: ['adopt', address] }];
  });
}

/** Resources that nothing but `adopt` could recognise, and that it does not: every apply would create them anew. */
export function unrecognisable(resources: readonly Desired[], adopt: ReadonlyMap<string, string>): readonly Problem[] {
  return resources
    .filter(({ address, adoptable, clues }) => adoptable && clues.length === 0 && !adopt.has(address))
    .map(({ address, path }) => ({
      severity: 'error',
      code: 'unrecognisable',
      summary: `\`${address}\` has no name by which it could be recognised on the account`,
      hint: `Give it one, or bind it to its live object: \`adopt: { ${address}: <remote ID> }\`.`,
      address,
      path,
    }));
}

type Words = Pick<Problem, 'code' | 'summary' | 'hint'>;

function misbinding(address: string, kinds: readonly Kind[], declared: ReadonlyMap<string, Desired> | null): Words | undefined {
  const kind = kinds.find(({ addresses }) =>
    addresses.some((prefix) => (prefix.endsWith('/') ? address.startsWith(prefix) : address === prefix)),
  );
  if (kind === undefined) {
    const known = kinds.filter(({ singleton }) => !singleton).flatMap(({ addresses }) => addresses);
    return {
      code: 'unknown-address',
      summary: `\`${address}\` is no address`,
      hint: `Addresses that can be adopted begin with ${known.join(' or ')}.`,
    };
  }
  const resource = declared?.get(address);
  if (kind.singleton || resource?.adoptable === false) {
    return {
      code: 'not-adoptable',
      summary: `\`${address}\` cannot be bound to another object`,
      hint: 'Its live object is known without `adopt`; leave the line out.',
    };
  }
  if (declared === null || resource !== undefined) return undefined;
  return {
    code: 'undeclared-address',
    summary: `\`${address}\` is adopted but not declared`,
    hint: 'Declare the resource, or leave the line out.',
  };
}
