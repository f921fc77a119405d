import type { DesiredResource, Kind, LiveResource } from '../kinds/kind.ts';
import { compareStrings } from '../model/finding.ts';
import { groupBy } from '../model/group-by.ts';
import { type MovedBindings, NO_STATE } from '../state/state.ts';

/** Which live object belongs to which address; every object to at most one (design section 3, identity). */
export interface MatchResult {
  readonly pairs: ReadonlyMap<string, LiveResource>;
  /** Addresses whose object cannot be told for certain, and why: held by the brake `identity`. */
  readonly ambiguous: ReadonlyMap<string, string>;
  /** Objects that no address matched and none contests. */
  readonly unmatched: readonly LiveResource[];
  /** Warnings: an `adopt` that binds nothing, a list that cannot move into an asset-ID playlist. */
  readonly warnings: readonly { readonly code: string; readonly address: string; readonly summary: string; readonly hint: string }[];
}

/** Recognises live objects: first what is bound (`adopt`, then the ledger), then IDs, then labels; order of neither side matters. */
export function matchResources(
  kind: Kind,
  resources: readonly DesiredResource[],
  objects: readonly LiveResource[],
  adopt: ReadonlyMap<string, string>,
  recalled: MovedBindings = NO_STATE,
): MatchResult {
  if (kind.singleton) return matchSingleton(resources, objects);
  const byId = new Map<string, LiveResource>();
  for (const object of objects) byId.set(object.id, object);
  const claims = new Claims();
  const warnings = [...claimAdopted(resources, byId, adopt, kind, claims), ...claimBound(resources, byId, recalled, kind, claims)];
  for (const desired of resources) {
    if (!claims.has(desired.address)) claimById(desired, byId, kind, claims);
  }
  claimByLabel(resources, objects, claims, namesIn);
  claimByLabel(resources, objects, claims, ({ address, adoptable }) => {
    const former = adoptable ? recalled.formerNames.get(address) : undefined;
    return former === undefined ? [] : [former];
  });
  const contested = claims.contested();
  const meant = mayBeMeantBy(resources.filter((desired) => contested.has(desired.address)));
  return {
    pairs: claims.pairs(),
    ambiguous: contested,
    unmatched: objects.filter((object) => !claims.touches(object) && !meant(object)),
    warnings,
  };
}

/** The names that a resource is recognised by. */
function namesIn({ matchKeys }: DesiredResource): readonly string[] {
  const names: string[] = [];
  for (const matchKey of matchKeys) if ('name' in matchKey) names.push(matchKey.name);
  return names;
}

/** Whether an object fits a clue of one of these resources: what a contested address may mean stays out of every delete. */
function mayBeMeantBy(resources: readonly DesiredResource[]): (object: LiveResource) => boolean {
  const matchKeys = resources.flatMap((desired) => desired.matchKeys);
  const ids = new Set(matchKeys.flatMap((matchKey) => ('id' in matchKey ? matchKey.id : [])));
  const names = new Set(resources.flatMap(namesIn));
  return (object) => ids.has(object.id) || (object.matchableByName && names.has(object.label));
}

function matchSingleton(resources: readonly DesiredResource[], objects: readonly LiveResource[]): MatchResult {
  const [desired] = resources;
  const [object] = objects;
  return { pairs: new Map(desired && object ? [[desired.address, object]] : []), ambiguous: new Map(), unmatched: [], warnings: [] };
}

/** Claims on objects: an object that two addresses claim is contested, and stays with neither. */
class Claims {
  /** The object of each address that claims one. */
  readonly #claimed = new Map<string, LiveResource>();
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

  touches({ id }: LiveResource): boolean {
    return this.#claimants.has(id) || this.#disputed.has(id);
  }

  claim({ address }: DesiredResource, object: LiveResource): void {
    const first = this.#claimants.get(object.id);
    const rivals = this.#rivals.get(object.id);
    if (rivals) rivals.push(address);
    else if (first !== undefined) this.#rivals.set(object.id, [first, address]);
    else this.#claimants.set(object.id, address);
    this.#claimed.set(address, object);
  }

  dispute({ address }: DesiredResource, candidates: readonly LiveResource[]): void {
    const ids = candidates.map((candidate) => candidate.id);
    this.#candidates.set(address, ids);
    for (const id of ids) this.#disputed.add(id);
  }

  pairs(): MatchResult['pairs'] {
    if (this.#rivals.size === 0) return this.#claimed;
    return new Map([...this.#claimed].filter(([, { id }]) => !this.#rivals.has(id)));
  }

  contested(): MatchResult['ambiguous'] {
    return new Map([
      ...[...this.#rivals].flatMap(([id, addresses]) => {
        const reason = `one live object (${id}) is claimed by ${formatList(addresses)}`;
        return addresses.map((address): [string, string] => [address, reason]);
      }),
      ...[...this.#candidates].map(([address, ids]): [string, string] => [
        address,
        `${ids.length} live objects fit it: ${formatList(ids)}`,
      ]),
    ]);
  }
}

/** Names in order; of many only the first, so that a reason stays short. */
function formatList(names: readonly string[]): string {
  const shown = [...names].sort(compareStrings).slice(0, 5);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

function claimAdopted(
  resources: readonly DesiredResource[],
  byId: ReadonlyMap<string, LiveResource>,
  adopt: ReadonlyMap<string, string>,
  kind: Kind,
  claims: Claims,
): MatchResult['warnings'] {
  if (adopt.size === 0) return [];
  return resources.flatMap((desired) => {
    const id = adopt.get(desired.address);
    if (id === undefined) return [];
    const { address } = desired;
    const object = byId.get(id);
    if (!object)
      return [
        {
          code: 'adopt-target-missing',
          address,
          summary: `adopt names ${id}, which the account does not have`,
          hint: 'remove the line from adopt',
        },
      ];
    return claimOrWarn(desired, object, kind, claims);
  });
}

/** What was applied stays bound; a binding whose object is gone counts as none. */
function claimBound(
  resources: readonly DesiredResource[],
  byId: ReadonlyMap<string, LiveResource>,
  { ids }: MovedBindings,
  kind: Kind,
  claims: Claims,
): MatchResult['warnings'] {
  if (ids.size === 0) return [];
  return resources.flatMap((desired) => {
    const object = byId.get(ids.get(desired.address) ?? '');
    return object && desired.adoptable && !claims.has(desired.address) ? claimOrWarn(desired, object, kind, claims) : [];
  });
}

function claimOrWarn(desired: DesiredResource, object: LiveResource, kind: Kind, claims: Claims): MatchResult['warnings'] {
  const refusal = kind.whyNotBindable?.(desired, object);
  if (refusal === undefined) {
    claims.claim(desired, object);
    return [];
  }
  const hint = `a new object is created instead of ${object.id}, and the ID changes`;
  return [{ code: 'id-changes', address: desired.address, summary: refusal, hint }];
}

function claimById(desired: DesiredResource, byId: ReadonlyMap<string, LiveResource>, kind: Kind, claims: Claims): void {
  for (const matchKey of desired.matchKeys) {
    const object = 'id' in matchKey ? byId.get(matchKey.id) : undefined;
    if (object && kind.whyNotBindable?.(desired, object) === undefined) {
      claims.claim(desired, object);
      return;
    }
  }
}

function claimByLabel(
  resources: readonly DesiredResource[],
  objects: readonly LiveResource[],
  claims: Claims,
  namesOf: (desired: DesiredResource) => readonly string[],
): void {
  const left = resources.filter(({ address }) => !claims.has(address));
  if (left.length === 0) return;
  const free = objects.filter((object) => object.matchableByName && !claims.touches(object));
  const byLabel = groupBy(free, (object) => object.label);
  for (const desired of left) {
    const candidates = candidatesNamed(namesOf(desired), byLabel);
    const [only] = candidates;
    if (candidates.length > 1) claims.dispute(desired, candidates);
    else if (only) claims.claim(desired, only);
  }
}

/** The objects that have one of the names, each once. */
function candidatesNamed(names: readonly string[], byLabel: ReadonlyMap<string, readonly LiveResource[]>): readonly LiveResource[] {
  let found: readonly LiveResource[] = [];
  for (const name of names) {
    const group = byLabel.get(name);
    if (group) found = found.length === 0 ? group : [...new Set([...found, ...group])];
  }
  return found;
}
