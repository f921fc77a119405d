import type { CollectionKind, DesiredResource, LiveObject, LiveResource, LiveSetting, LiveWarning } from '../kinds/kind.ts';
import { groupBy } from '../model/collections.ts';
import type { MatchedBy } from '../model/explanation.ts';
import { compareStrings } from '../model/finding.ts';
import { type EffectiveBindings, NO_BINDINGS } from '../state/moves.ts';
import { createNameFormSearch, hasContentOf } from './name-forms.ts';

/** Which live object or setting belongs to which desired resource (design section 3, identity). */
export interface MatchResult<Live extends LiveResource = LiveResource> {
  /** The live object or setting of each matched address. No two addresses have the same one. */
  readonly liveByAddress: ReadonlyMap<string, Live>;
  /**
   * Why it cannot be told which object an address has: several fit it, another address claims the same one, the name of an object may be
   * the desired name in another form, or another address without an object has the same match key. The safety check `identity` blocks the
   * create of such an address.
   */
  readonly identityProblems: ReadonlyMap<string, string>;
  /** Objects that no address claims, except those that fit an address with an identity problem. */
  readonly unclaimed: readonly LiveObject[];
  /** Warnings about an object of `adopt` that does not exist, and about one of `adopt` or the ledger that `whyNotBindable` refuses. */
  readonly warnings: readonly LiveWarning[];
}

/**
 * Matches live objects to desired resources (design section 3, identity). Rules, strongest first: `adopt`, the binding in the ledger, the
 * ID, the name, the key of the old address under `moved`. A resource takes the object of the first rule that fits. The order of `resources`
 * and of `objects` does not matter.
 *
 * The change of a desired resource:
 *
 *   object by these rules                    | fields    | the ledger binds it to | change
 *   -----------------------------------------+-----------+------------------------+---------------------------------------
 *   one                                      | equal     | this address           | none
 *   one                                      | equal     | another address        | move
 *   one                                      | equal     | no address             | adopt
 *   one                                      | different | this address           | update
 *   one                                      | different | another address        | update with `movedFrom`
 *   one                                      | different | no address             | update with `adopts`
 *   none                                     |           |                        | create
 *   only one that `whyNotBindable` refuses   |           |                        | create; warning `id-changes` if `adopt` or the ledger names it
 *   several                                  |           |                        | create with an identity problem
 *   one that another address claims as well  |           |                        | create with an identity problem
 *   none; equal match key of another create  |           |                        | create with an identity problem
 *   none, but one with a similar name        |           |                        | create with an identity problem
 *
 * The third column is the ledger as it is, before `moved`: the object of a move is bound to the old address. This function decides the first
 * column, core/plan/diff-resources.ts the second and core/state/bindings.ts the third. What becomes of an unclaimed object is decided in
 * core/state/prune.ts. A binding whose object no longer exists counts as no binding. Without a ledger no object is bound: the actions `move`
 * and `adopt` do not occur, and an update carries `adopts` only for an object that the sources name under `adopt:`. Under `observe` the two
 * actions do not occur either.
 *
 * `isIdentified` is true for an object that the ledger binds or records as forgotten, or whose ID `removed` names (`~ID`). Such an object
 * never counts as one with a similar name.
 */
export function matchResources(
  kind: CollectionKind,
  resources: readonly DesiredResource[],
  objects: readonly LiveObject[],
  adopt: ReadonlyMap<string, string>,
  bindings: EffectiveBindings = NO_BINDINGS,
  isIdentified: (object: LiveObject) => boolean = () => false,
): MatchResult<LiveObject> {
  const byId = new Map<string, LiveObject>();
  for (const object of objects) byId.set(object.id, object);
  const claims = new Claims();
  const warnings = [...claimAdopted(resources, byId, adopt, kind, claims), ...claimBound(resources, byId, bindings, kind, claims)];
  for (const desired of resources) {
    if (!claims.hasAddress(desired.address)) claimById(desired, byId, kind, claims);
  }
  claimByRemoteName(resources, objects, claims, remoteNamesIn);
  claimByRemoteName(resources, objects, claims, ({ address, mayMatchByBinding }) => {
    const oldKey = mayMatchByBinding ? bindings.oldKeys.get(address) : undefined;
    return oldKey === undefined ? [] : [oldKey];
  });
  findOtherForms(resources, objects, claims, kind, isIdentified);
  const identityProblems = new Map([...indistinguishableCreates(resources, claims), ...claims.identityProblems()]);
  const fitsAddressWithProblem = fitsAnyOf(resources.filter((desired) => identityProblems.has(desired.address)));
  return {
    liveByAddress: claims.liveByAddress(),
    identityProblems,
    unclaimed: objects.filter((object) => !claims.hasObject(object) && !fitsAddressWithProblem(object)),
    warnings,
  };
}

function remoteNamesIn({ matchKeys }: DesiredResource): readonly string[] {
  const names: string[] = [];
  for (const matchKey of matchKeys) if ('remoteName' in matchKey) names.push(matchKey.remoteName);
  return names;
}

/** Returns a function that decides whether an object fits a match key of one of these resources. */
function fitsAnyOf(resources: readonly DesiredResource[]): (object: LiveObject) => boolean {
  const matchKeys = resources.flatMap((desired) => desired.matchKeys);
  const ids = new Set(matchKeys.flatMap((matchKey) => ('id' in matchKey ? matchKey.id : [])));
  const names = new Set(resources.flatMap(remoteNamesIn));
  return (object) => ids.has(object.id) || (object.isMatchableByRemoteName && names.has(object.remoteName));
}

/** Matches a setting, which has no identity: the account has exactly one, and so has the configuration. */
export function matchSetting([desired]: readonly DesiredResource[], [live]: readonly LiveSetting[]): MatchResult<LiveSetting> {
  return {
    liveByAddress: new Map(desired && live ? [[desired.address, live]] : []),
    identityProblems: new Map(),
    unclaimed: [],
    warnings: [],
  };
}

/** Collects which address claims which object. An object that two addresses claim belongs to neither. */
class Claims {
  /** The object that each address claims. */
  readonly #objectByAddress = new Map<string, LiveObject>();
  /** The addresses that claim their object by its name alone. */
  readonly #byName = new Set<string>();
  /** The first address that claims an object, by the ID of the object. */
  readonly #firstAddressById = new Map<string, string>();
  /** The addresses that claim the same object, by the ID of the object. */
  readonly #contestedBy = new Map<string, string[]>();
  /** The IDs of several objects that fit one address, by the address. */
  readonly #candidateIdsByAddress = new Map<string, readonly string[]>();
  /** By address: a text that lists the objects with a similar name, each of which may be its object. */
  readonly #otherFormByAddress = new Map<string, string>();
  /** The IDs of all objects in `#candidateIdsByAddress` and `#otherFormByAddress`. */
  readonly #allCandidateIds = new Set<string>();

  /** Decides whether the address claims an object, or several objects fit it. */
  hasAddress(address: string): boolean {
    return this.#objectByAddress.has(address) || this.#candidateIdsByAddress.has(address);
  }

  /** Decides whether an address claims the object, or may have it: one of several that fit it, or one with a similar name. */
  hasObject(object: LiveObject): boolean {
    return this.isClaimed(object) || this.#allCandidateIds.has(object.id);
  }

  /** Decides whether an address claims the object. */
  isClaimed({ id }: LiveObject): boolean {
    return this.#firstAddressById.has(id);
  }

  /** Returns the object that the address claims by its name alone. */
  objectByName({ address }: DesiredResource): LiveObject | undefined {
    return this.#byName.has(address) ? this.#objectByAddress.get(address) : undefined;
  }

  claim({ address }: DesiredResource, object: LiveObject, by: 'name' | 'identity' = 'identity'): void {
    if (by === 'name') this.#byName.add(address);
    const first = this.#firstAddressById.get(object.id);
    const addresses = this.#contestedBy.get(object.id);
    if (addresses) addresses.push(address);
    else if (first !== undefined) this.#contestedBy.set(object.id, [first, address]);
    else this.#firstAddressById.set(object.id, address);
    this.#objectByAddress.set(address, object);
  }

  addCandidates({ address }: DesiredResource, candidates: readonly LiveObject[]): void {
    const ids = candidates.map((candidate) => candidate.id);
    this.#candidateIdsByAddress.set(address, ids);
    for (const id of ids) this.#allCandidateIds.add(id);
  }

  addOtherForms({ address }: DesiredResource, candidates: readonly LiveObject[], { remoteNameField, idAddress }: CollectionKind): void {
    const sorted = candidates.toSorted((a, b) => compareStrings(a.id, b.id));
    const named = sorted.map((object) => `${object.id} (${JSON.stringify(object.remoteName)})`);
    const [first] = sorted;
    this.#otherFormByAddress.set(
      address,
      `the \`${remoteNameField}\` of ${formatList(named)} may be that of this address, as the service stored it; ` +
        `if ${first?.id ?? ''} is another object, write \`removed: [${first ? idAddress(first) : ''}]\``,
    );
    for (const { id } of candidates) this.#allCandidateIds.add(id);
  }

  liveByAddress(): MatchResult<LiveObject>['liveByAddress'] {
    return new Map([...this.#objectByAddress].filter(([, { id }]) => !this.#contestedBy.has(id)));
  }

  identityProblems(): MatchResult['identityProblems'] {
    return new Map([
      ...[...this.#contestedBy].flatMap(([id, addresses]) => {
        const reason = `one live object (${id}) is claimed by ${formatList(addresses)}`;
        return addresses.map((address): [string, string] => [address, reason]);
      }),
      ...[...this.#candidateIdsByAddress].map(([address, ids]): [string, string] => [
        address,
        `${ids.length} live objects fit it: ${formatList(ids)}`,
      ]),
      ...this.#otherFormByAddress,
    ]);
  }
}

/**
 * Returns the identity problems of addresses that have no object and share a match key: after the creates, nothing could tell their
 * objects apart. Validation refuses equal match keys without `adopt`, so this happens only if the objects named under `adopt` are gone or
 * cannot be bound, or if an external ID was resolved to an asset ID that another playlist names.
 */
function indistinguishableCreates(resources: readonly DesiredResource[], claims: Claims): ReadonlyMap<string, string> {
  const keys = resources
    .filter(({ address }) => !claims.hasAddress(address))
    .flatMap(({ address, matchKeys }) =>
      matchKeys.map((matchKey) => ({ address, key: 'id' in matchKey ? `ID ${matchKey.id}` : `name ${matchKey.remoteName}` })),
    );
  return new Map(
    [...groupBy(keys, ({ key }) => key)].flatMap(([key, group]) => {
      if (group.length === 1) return [];
      const addresses = group.map(({ address }) => address);
      return addresses.map((address): [string, string] => [address, `${formatList(addresses)} would be created with the same ${key}`]);
    }),
  );
}

/** Joins the sorted names. Lists only the first five, so that a reason stays short. */
function formatList(names: readonly string[]): string {
  const shown = [...names].sort(compareStrings).slice(0, 5);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

function claimAdopted(
  resources: readonly DesiredResource[],
  byId: ReadonlyMap<string, LiveObject>,
  adopt: ReadonlyMap<string, string>,
  kind: CollectionKind,
  claims: Claims,
): MatchResult['warnings'] {
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
          summary: `\`adopt\` names ${id}, which the account does not have`,
          hint: 'Remove the line from `adopt`.',
        },
      ];
    return claimOrWarn(desired, object, kind, claims);
  });
}

/** Claims the objects that the ledger binds. A binding whose object no longer exists counts as no binding. */
function claimBound(
  resources: readonly DesiredResource[],
  byId: ReadonlyMap<string, LiveObject>,
  { ids }: EffectiveBindings,
  kind: CollectionKind,
  claims: Claims,
): MatchResult['warnings'] {
  return resources.flatMap((desired) => {
    const object = byId.get(ids.get(desired.address) ?? '');
    return object && desired.mayMatchByBinding && !claims.hasAddress(desired.address) ? claimOrWarn(desired, object, kind, claims) : [];
  });
}

function claimOrWarn(desired: DesiredResource, object: LiveObject, kind: CollectionKind, claims: Claims): MatchResult['warnings'] {
  const reason = kind.whyNotBindable?.(desired, object);
  if (reason === undefined) {
    claims.claim(desired, object);
    return [];
  }
  const hint = `upkeep does not use ${object.id} for this address. It takes another object that fits, or creates one, with another ID.`;
  return [{ code: 'id-changes', address: desired.address, summary: reason, hint }];
}

function claimById(desired: DesiredResource, byId: ReadonlyMap<string, LiveObject>, kind: CollectionKind, claims: Claims): void {
  for (const matchKey of desired.matchKeys) {
    const object = 'id' in matchKey ? byId.get(matchKey.id) : undefined;
    if (object && kind.whyNotBindable?.(desired, object) === undefined) {
      claims.claim(desired, object);
      return;
    }
  }
}

function claimByRemoteName(
  resources: readonly DesiredResource[],
  objects: readonly LiveObject[],
  claims: Claims,
  namesOf: (desired: DesiredResource) => readonly string[],
): void {
  const resourcesWithoutObject = resources.filter(({ address }) => !claims.hasAddress(address));
  if (resourcesWithoutObject.length === 0) return;
  const unclaimedObjects = objects.filter((object) => object.isMatchableByRemoteName && !claims.hasObject(object));
  const byRemoteName = groupBy(unclaimedObjects, (object) => object.remoteName);
  for (const desired of resourcesWithoutObject) {
    const candidates = candidatesNamed(namesOf(desired), byRemoteName);
    const [only] = candidates;
    if (candidates.length > 1) claims.addCandidates(desired, candidates);
    else if (only) claims.claim(desired, only, 'name');
  }
}

/**
 * Finds the objects that may be those of the remaining resources, under another form of their names. One that another address has by its name
 * alone is claimed by both, where its content is that of this resource and not of the other.
 */
function findOtherForms(
  resources: readonly DesiredResource[],
  objects: readonly LiveObject[],
  claims: Claims,
  kind: CollectionKind,
  isIdentified: (object: LiveObject) => boolean,
): void {
  const resourcesWithoutObject = resources.filter(({ address }) => !claims.hasAddress(address));
  if (resourcesWithoutObject.length === 0) return;
  const doubtful = new Set(
    resources.flatMap((desired) => {
      const object = claims.objectByName(desired);
      return object && !hasContentOf(kind, desired, object) ? [object] : [];
    }),
  );
  const search = createNameFormSearch(
    kind,
    objects.filter((object) => !isIdentified(object) && (!claims.isClaimed(object) || doubtful.has(object))),
  );
  for (const desired of resourcesWithoutObject) {
    const candidates = search(desired).filter((object) => !doubtful.has(object) || hasContentOf(kind, desired, object));
    const contested = candidates.find((object) => doubtful.has(object));
    if (contested) claims.claim(desired, contested);
    else if (candidates.length > 0) claims.addOtherForms(desired, candidates, kind);
  }
}

/** Returns the objects that have one of the names, each once. */
function candidatesNamed(names: readonly string[], byRemoteName: ReadonlyMap<string, readonly LiveObject[]>): readonly LiveObject[] {
  return [...new Set(names.flatMap((name) => byRemoteName.get(name) ?? []))];
}

/** Returns the rule by which `matchResources` matched `live` to `desired`, for `explain` (design section 3, identity). */
export function matchedBy(
  desired: DesiredResource,
  live: LiveResource,
  adopt: ReadonlyMap<string, string>,
  bindings: EffectiveBindings,
): MatchedBy {
  const { address, matchKeys } = desired;
  if (live.id === null) return 'setting';
  if (adopt.get(address) === live.id) return 'adopt';
  if (desired.mayMatchByBinding && bindings.ids.get(address) === live.id) return 'binding';
  if (matchKeys.some((matchKey) => 'id' in matchKey && matchKey.id === live.id)) return 'id';
  return matchKeys.some((matchKey) => 'remoteName' in matchKey && matchKey.remoteName === live.remoteName) ? 'name' : 'old-key';
}
