import type { Desired, Kind, Live } from '../kinds/kind.ts';
import { compareText } from '../model/finding.ts';
import { grouped } from './group.ts';
import { NOTHING_RECALLED, type Recall } from './memory.ts';

/** Which live object belongs to which address; every object to at most one (design section 3, identity). */
export interface Identified {
  readonly pairs: ReadonlyMap<string, Live>;
  /** Addresses whose object cannot be told for certain, and why: held by the brake `identity`. */
  readonly contested: ReadonlyMap<string, string>;
  /** Objects that no address matched and none contests. */
  readonly undeclared: readonly Live[];
  /** Warnings: an `adopt` that binds nothing, a list that cannot move into an asset-ID playlist. */
  readonly warnings: readonly { readonly code: string; readonly address: string; readonly summary: string; readonly hint: string }[];
}

/** Recognises live objects: first what is bound (`adopt`, then the ledger), then IDs, then labels; order of neither side matters. */
export function identify(
  kind: Kind,
  resources: readonly Desired[],
  objects: readonly Live[],
  adopt: ReadonlyMap<string, string>,
  recalled: Recall = NOTHING_RECALLED,
): Identified {
  if (kind.singleton) return identifySingleton(resources, objects);
  const byId = new Map<string, Live>();
  for (const object of objects) byId.set(object.id, object);
  const claims = new Claims();
  const warnings = [...claimAdopted(resources, byId, adopt, kind, claims), ...claimRecalled(resources, byId, recalled, kind, claims)];
  for (const desired of resources) {
    if (!claims.has(desired.address)) claimById(desired, byId, kind, claims);
  }
  claimByLabel(resources, objects, claims, namesIn);
  claimByLabel(resources, objects, claims, ({ address, adoptable }) => {
    const former = adoptable ? recalled.formerNames.get(address) : undefined;
    return former === undefined ? [] : [former];
  });
  const contested = claims.contested();
  const meant = meantBy(resources.filter((desired) => contested.has(desired.address)));
  return {
    pairs: claims.pairs(),
    contested,
    undeclared: objects.filter((object) => !claims.touches(object) && !meant(object)),
    warnings,
  };
}

/** The names that a resource is recognised by. */
function namesIn({ clues }: Desired): readonly string[] {
  const names: string[] = [];
  for (const clue of clues) if ('name' in clue) names.push(clue.name);
  return names;
}

/** Whether an object fits a clue of one of these resources: what a contested address may mean stays out of every delete. */
function meantBy(resources: readonly Desired[]): (object: Live) => boolean {
  const clues = resources.flatMap((desired) => desired.clues);
  const ids = new Set(clues.flatMap((clue) => ('id' in clue ? clue.id : [])));
  const names = new Set(resources.flatMap(namesIn));
  return (object) => ids.has(object.id) || (object.nameable && names.has(object.label));
}

function identifySingleton(resources: readonly Desired[], objects: readonly Live[]): Identified {
  const [desired] = resources;
  const [object] = objects;
  return { pairs: new Map(desired && object ? [[desired.address, object]] : []), contested: new Map(), undeclared: [], warnings: [] };
}

/** Claims on objects: an object that two addresses claim is contested, and stays with neither. */
class Claims {
  /** The object of each address that claims one. */
  readonly #claimed = new Map<string, Live>();
  /** Who claimed an object first, by its ID. */
  readonly #claimants = new Map<string, string>();
  /** All who claim an object, where it is more than one. */
  readonly #rivals = new Map<string, string[]>();
  readonly #candidates = new Map<string, readonly string[]>();
  /** Objects that several addresses may mean, none of which has claimed them. */
  readonly #disputed = new Set<string>();

  has(address: string): boolean {
    return this.#claimed.has(address) || this.#candidates.has(address);
  }

  touches({ id }: Live): boolean {
    return this.#claimants.has(id) || this.#disputed.has(id);
  }

  claim({ address }: Desired, object: Live): void {
    const first = this.#claimants.get(object.id);
    const rivals = this.#rivals.get(object.id);
    if (rivals) rivals.push(address);
    else if (first !== undefined) this.#rivals.set(object.id, [first, address]);
    else this.#claimants.set(object.id, address);
    this.#claimed.set(address, object);
  }

  dispute({ address }: Desired, candidates: readonly Live[]): void {
    const ids = candidates.map((candidate) => candidate.id);
    this.#candidates.set(address, ids);
    for (const id of ids) this.#disputed.add(id);
  }

  pairs(): Identified['pairs'] {
    if (this.#rivals.size === 0) return this.#claimed;
    return new Map([...this.#claimed].filter(([, { id }]) => !this.#rivals.has(id)));
  }

  contested(): Identified['contested'] {
    return new Map([
      ...[...this.#rivals].flatMap(([id, addresses]) => {
        const reason = `one live object (${id}) is claimed by ${listed(addresses)}`;
        return addresses.map((address): [string, string] => [address, reason]);
      }),
      ...[...this.#candidates].map(([address, ids]): [string, string] => [address, `${ids.length} live objects fit it: ${listed(ids)}`]),
    ]);
  }
}

/** Names in order; of many only the first, so that a reason stays short. */
function listed(names: readonly string[]): string {
  const shown = [...names].sort(compareText).slice(0, 5);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

function claimAdopted(
  resources: readonly Desired[],
  byId: ReadonlyMap<string, Live>,
  adopt: ReadonlyMap<string, string>,
  kind: Kind,
  claims: Claims,
): Identified['warnings'] {
  if (adopt.size === 0) return [];
  return resources.flatMap((desired) => {
    const id = adopt.get(desired.address);
    if (id === undefined) return [];
    const { address } = desired;
    const object = byId.get(id);
    if (!object)
      return [
        { code: 'adopt-gone', address, summary: `adopt names ${id}, which the account does not have`, hint: 'remove the line from adopt' },
      ];
    return claimOrWarn(desired, object, kind, claims);
  });
}

/** What was applied stays bound; a binding whose object is gone counts as none. */
function claimRecalled(
  resources: readonly Desired[],
  byId: ReadonlyMap<string, Live>,
  { ids }: Recall,
  kind: Kind,
  claims: Claims,
): Identified['warnings'] {
  if (ids.size === 0) return [];
  return resources.flatMap((desired) => {
    const object = byId.get(ids.get(desired.address) ?? '');
    return object && desired.adoptable && !claims.has(desired.address) ? claimOrWarn(desired, object, kind, claims) : [];
  });
}

function claimOrWarn(desired: Desired, object: Live, kind: Kind, claims: Claims): Identified['warnings'] {
  const refusal = kind.refuses?.(desired, object);
  if (refusal === undefined) {
    claims.claim(desired, object);
    return [];
  }
  const hint = `a new object is created instead of ${object.id}, and the ID changes`;
  return [{ code: 'id-changes', address: desired.address, summary: refusal, hint }];
}

function claimById(desired: Desired, byId: ReadonlyMap<string, Live>, kind: Kind, claims: Claims): void {
  for (const clue of desired.clues) {
    const object = 'id' in clue ? byId.get(clue.id) : undefined;
    if (object && kind.refuses?.(desired, object) === undefined) {
      claims.claim(desired, object);
      return;
    }
  }
}

function claimByLabel(
  resources: readonly Desired[],
  objects: readonly Live[],
  claims: Claims,
  namesOf: (desired: Desired) => readonly string[],
): void {
  const left = resources.filter(({ address }) => !claims.has(address));
  if (left.length === 0) return;
  const free = objects.filter((object) => object.nameable && !claims.touches(object));
  const byLabel = grouped(free, (object) => object.label);
  for (const desired of left) {
    const candidates = fitting(namesOf(desired), byLabel);
    const [only] = candidates;
    if (candidates.length > 1) claims.dispute(desired, candidates);
    else if (only) claims.claim(desired, only);
  }
}

/** The objects that have one of the names, each once. */
function fitting(names: readonly string[], byLabel: ReadonlyMap<string, readonly Live[]>): readonly Live[] {
  let found: readonly Live[] = [];
  for (const name of names) {
    const group = byLabel.get(name);
    if (group) found = found.length === 0 ? group : [...new Set([...found, ...group])];
  }
  return found;
}
