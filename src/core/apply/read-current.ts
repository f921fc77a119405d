import type { ApiService, CollectionKind, DesiredResource, Kind, LiveObject, LiveResource } from '../kinds/kind.ts';
import { groupBy } from '../model/collections.ts';
import { equal } from '../model/json.ts';
import { createNameFormSearch, hasContentOf, hasNameToMatch } from '../plan/name-forms.ts';
import type { PlannedChange } from '../state/planned-change.ts';
import type { ObjectsOfOthers } from './objects-of-others.ts';

/** Up to this many objects are read one by one. For more, the list takes fewer requests. */
const SINGLE_READS = 5;

/** The current live objects of each change, by address, likeliest first. Several if a create was made twice or by somebody else. */
export type CurrentObjects = ReadonlyMap<string, readonly LiveResource[]>;

/**
 * Reads the objects of some changes of one kind, one by one where they are few, else through the list. A setting is read whole.
 * `objectsOfOthers` are the objects that no create among them made.
 * `ids` are the remote IDs that responses to writes named, by address.
 * @throws ApiError
 */
export async function readCurrent(
  kind: Kind,
  changes: readonly PlannedChange[],
  service: ApiService,
  objectsOfOthers: ObjectsOfOthers,
  ids: ReadonlyMap<string, string> = new Map(),
): Promise<CurrentObjects> {
  if (kind.type === 'setting') {
    const { objects } = await kind.read(service);
    return new Map(changes.map(({ change }) => [change.address, objects]));
  }
  const finder = changes.length <= SINGLE_READS ? readOneByOne(kind, service) : await readList(kind, service);
  const createdIds = new Set(ids.values());
  const found = await Promise.all(
    changes.map(async (planned): Promise<[string, readonly LiveObject[]]> => {
      const { live, desired } = planned;
      const { address } = planned.change;
      if (live !== null) return [address, live.id === null ? [] : await finder.byId(live.id, address)];
      const matching = (await finder.byMatchKeys(desired)).filter(({ id }) => !objectsOfOthers.has(planned, id));
      const created = await createdBy(desired, matching, finder, createdIds, ids.get(address));
      if (created.length > 0 || ids.has(address) || !hasNameToMatch(desired)) return [address, created];
      const otherForms = (await finder.byNameForm(desired)).filter(({ id }) => !objectsOfOthers.has(planned, id));
      // The name of another resource tells nothing where the content is that of this one: a service may have cut or trimmed its name to it.
      return [address, otherForms.filter((object) => !objectsOfOthers.hasNameOf(planned, object) || hasContentOf(kind, desired, object))];
    }),
  );
  return new Map(found);
}

/**
 * Finds the objects that a create may have made, among the `matching` ones except those in `createdIds`. With `id`, the object that has it
 * comes first, and there are none if it does not exist; without, those that are as desired come first.
 */
async function createdBy(
  desired: DesiredResource,
  matching: readonly LiveObject[],
  finder: Finder,
  createdIds: ReadonlySet<string>,
  id: string | undefined,
): Promise<readonly LiveObject[]> {
  const others = [...new Map(matching.map((object) => [object.id, object])).values()].filter((object) => !createdIds.has(object.id));
  if (id === undefined) return others.sort((a, b) => Number(isAsDesired(desired, b)) - Number(isAsDesired(desired, a)));
  const own = matching.filter((object) => object.id === id).slice(0, 1);
  const created = own.length > 0 ? own : await finder.byId(id, desired.address);
  return created.length > 0 ? [...created, ...others] : [];
}

function isAsDesired(desired: DesiredResource, { fields }: LiveResource): boolean {
  return equal(fields, desired.fields);
}

interface Finder {
  /** `address` is that of the resource, for logs. */
  byId(id: string, address: string): Promise<readonly LiveObject[]>;
  byMatchKeys(desired: DesiredResource): Promise<readonly LiveObject[]>;
  /** Finds the objects that may have the name of the resource in another form. */
  byNameForm(desired: DesiredResource): Promise<readonly LiveObject[]>;
}

function readOneByOne(kind: CollectionKind, service: ApiService): Finder {
  let list: Promise<Finder> | undefined;
  return {
    byId: async (id, address) => toList(await kind.get(service, id, address)),
    byMatchKeys: (desired) => kind.find(service, desired),
    // Only the list shows names that are not known. It is read once for all changes.
    async byNameForm(desired) {
      list ??= readList(kind, service);
      return (await list).byNameForm(desired);
    },
  };
}

async function readList(kind: CollectionKind, service: ApiService): Promise<Finder> {
  const { objects } = await kind.read(service);
  let search: ReturnType<typeof createNameFormSearch> | undefined;
  const byId = new Map(objects.map((object) => [object.id, object]));
  const matchable = objects.filter((object) => object.isMatchableByRemoteName);
  const byRemoteName = groupBy(matchable, (object) => object.remoteName);
  return {
    byId: async (id) => toList(byId.get(id)),
    byMatchKeys: async (desired) =>
      desired.matchKeys.flatMap((matchKey) => ('id' in matchKey ? byId.get(matchKey.id) : byRemoteName.get(matchKey.remoteName)) ?? []),
    async byNameForm(desired) {
      search ??= createNameFormSearch(kind, objects);
      return search(desired);
    },
  };
}

function toList(object: LiveObject | null | undefined): readonly LiveObject[] {
  return object ? [object] : [];
}
