import type { Desired, Kind, Live } from '../kinds/kind.ts';

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
): Identified {
  if (kind.singleton) return identifySingleton(resources, objects);
  const byId = new Map(objects.map((object) => [object.id, object]));
  const claims = new Claims();
  const warnings = claimBound(resources, byId, adopt, kind, claims);
  for (const desired of resources) {
    if (!claims.has(desired.address)) claimById(desired, byId, kind, claims);
  }
  claimByLabel(resources, objects, claims);
  return {
    pairs: claims.pairs(),
    contested: claims.contested,
    undeclared: objects.filter((object) => !claims.touches(object.id)),
    warnings,
  };
}

function identifySingleton(resources: readonly Desired[], objects: readonly Live[]): Identified {
  const [desired] = resources;
  const [object] = objects;
  return { pairs: new Map(desired && object ? [[desired.address, object]] : []), contested: new Map(), undeclared: [], warnings: [] };
}

/** Claims on objects: an object that two addresses claim is contested, and stays with neither. */
class Claims {
  readonly contested = new Map<string, string>();
  readonly #owner = new Map<string, Desired>();
  readonly #object = new Map<string, Live>();
  readonly #disputed = new Set<string>();

  has(address: string): boolean {
    return this.#object.has(address) || this.contested.has(address);
  }

  touches(id: string): boolean {
    return this.#owner.has(id) || this.#disputed.has(id);
  }

  claim(desired: Desired, object: Live): void {
    const other = this.#owner.get(object.id);
    if (!other) {
      this.#owner.set(object.id, desired);
      this.#object.set(desired.address, object);
      return;
    }
    this.#object.delete(other.address);
    this.contested.set(other.address, `${desired.address} is bound to the same object (${object.id})`);
    this.contested.set(desired.address, `${other.address} is bound to the same object (${object.id})`);
  }

  dispute(desired: Desired, candidates: readonly Live[]): void {
    for (const candidate of candidates) this.#disputed.add(candidate.id);
    this.contested.set(
      desired.address,
      `${candidates.length} live objects fit it: ${candidates
        .map((candidate) => candidate.id)
        .sort()
        .join(', ')}`,
    );
  }

  pairs(): ReadonlyMap<string, Live> {
    return this.#object;
  }
}

function claimBound(
  resources: readonly Desired[],
  byId: ReadonlyMap<string, Live>,
  adopt: ReadonlyMap<string, string>,
  kind: Kind,
  claims: Claims,
): Identified['warnings'] {
  return resources.flatMap((desired) => {
    const id = adopt.get(desired.address);
    if (id === undefined) return [];
    const { address } = desired;
    const object = byId.get(id);
    if (!object)
      return [
        { code: 'adopt-gone', address, summary: `adopt names ${id}, which the account does not have`, hint: 'remove the line from adopt' },
      ];
    const refusal = kind.refuses?.(desired, object);
    if (refusal !== undefined)
      return [{ code: 'id-changes', address, summary: refusal, hint: `a new object is created instead of ${id}, and the ID changes` }];
    claims.claim(desired, object);
    return [];
  });
}

function claimById(desired: Desired, byId: ReadonlyMap<string, Live>, kind: Kind, claims: Claims): void {
  const named = desired.clues.flatMap((clue) => ('id' in clue ? (byId.get(clue.id) ?? []) : []));
  const object = named.find((candidate) => kind.refuses?.(desired, candidate) === undefined);
  if (object) claims.claim(desired, object);
}

function claimByLabel(resources: readonly Desired[], objects: readonly Live[], claims: Claims): void {
  const byLabel = new Map<string, Live[]>();
  for (const object of objects) {
    if (!object.nameable || claims.touches(object.id)) continue;
    const same = byLabel.get(object.label);
    if (same) same.push(object);
    else byLabel.set(object.label, [object]);
  }
  for (const desired of resources) {
    if (claims.has(desired.address)) continue;
    const candidates = desired.clues.flatMap((clue) => ('name' in clue ? (byLabel.get(clue.name) ?? []) : []));
    const [only] = candidates;
    if (candidates.length > 1) claims.dispute(desired, candidates);
    else if (only) claims.claim(desired, only);
  }
}
