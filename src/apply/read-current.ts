import type { ApiService, CollectionKind, DesiredResource, Kind, LiveObject, LiveResource } from '../kinds/kind.ts';
import { groupBy } from '../model/collections.ts';
import { equal } from '../model/json.ts';
import type { ExecutableChange } from '../plan/plan-document.ts';

/** Up to this many objects are read one by one. For more, the list takes fewer requests. */
const SINGLE_READS = 5;

/** The current live objects of each change, by address, likeliest first. Several if a create was made twice or by somebody else. */
export type CurrentObjects = ReadonlyMap<string, readonly LiveResource[]>;

/**
 * Reads the objects of some changes of one kind, one by one where they are few, else through the list. A setting is read whole.
 * `idsAtPlan` are the IDs that were live when the plan was made: no create of this plan made these objects.
 * `ids` are the remote IDs that responses to writes named, by address.
 * @throws ApiError
 */
export async function readCurrent(
  kind: Kind,
  changes: readonly ExecutableChange[],
  service: ApiService,
  idsAtPlan: ReadonlySet<string>,
  ids: ReadonlyMap<string, string> = new Map(),
): Promise<CurrentObjects> {
  if (kind.type === 'setting') {
    const { objects } = await kind.read(service);
    return new Map(changes.map(({ change }) => [change.address, objects]));
  }
  const finder = changes.length <= SINGLE_READS ? readOneByOne(kind, service) : await readList(kind, service);
  const otherIds = new Set([...idsAtPlan, ...ids.values()]);
  const found = await Promise.all(
    changes.map(async ({ change: { address }, live, desired }): Promise<[string, readonly LiveObject[]]> => {
      if (live) return [address, live.id === null ? [] : await finder.byId(live.id)];
      return [address, desired ? await createdBy(desired, finder, otherIds, ids.get(address)) : []];
    }),
  );
  return new Map(found);
}

/**
 * Finds the objects that a create may have made, except those in `otherIds`. With `id`, the object that has it comes first, and there are
 * none if it does not exist; without, those that are as desired come first.
 */
async function createdBy(
  desired: DesiredResource,
  finder: Finder,
  otherIds: ReadonlySet<string>,
  id: string | undefined,
): Promise<readonly LiveObject[]> {
  const matching = await finder.byMatchKeys(desired);
  const others = [...new Map(matching.map((object) => [object.id, object])).values()].filter((object) => !otherIds.has(object.id));
  if (id === undefined) return others.sort((a, b) => Number(isAsDesired(desired, b)) - Number(isAsDesired(desired, a)));
  const own = matching.filter((object) => object.id === id).slice(0, 1);
  const created = own.length > 0 ? own : await finder.byId(id);
  return created.length > 0 ? [...created, ...others] : [];
}

function isAsDesired(desired: DesiredResource, { fields }: LiveResource): boolean {
  return equal(fields, desired.fields);
}

/** Decides whether two reads of an object are equal, unknown members included. */
export function isUnchanged(a: LiveResource, b: LiveResource): boolean {
  return equal(a.fields, b.fields) && equal(unknownOf(a), unknownOf(b));
}

interface Finder {
  byId(id: string): Promise<readonly LiveObject[]>;
  byMatchKeys(desired: DesiredResource): Promise<readonly LiveObject[]>;
}

function readOneByOne(kind: CollectionKind, service: ApiService): Finder {
  return {
    byId: async (id) => toList(await kind.get(service, id)),
    byMatchKeys: (desired) => kind.find(service, desired),
  };
}

async function readList(kind: CollectionKind, service: ApiService): Promise<Finder> {
  const { objects } = await kind.read(service);
  const byId = new Map(objects.map((object) => [object.id, object]));
  const matchable = objects.filter((object) => object.isMatchableByRemoteName);
  const byRemoteName = groupBy(matchable, (object) => object.remoteName);
  return {
    byId: async (id) => toList(byId.get(id)),
    byMatchKeys: async (desired) =>
      desired.matchKeys.flatMap((matchKey) => ('id' in matchKey ? byId.get(matchKey.id) : byRemoteName.get(matchKey.remoteName)) ?? []),
  };
}

function toList(object: LiveObject | null | undefined): readonly LiveObject[] {
  return object ? [object] : [];
}

function unknownOf(live: LiveResource) {
  return live.unknownMembers.map(({ path, value }) => ({ path, value }));
}
