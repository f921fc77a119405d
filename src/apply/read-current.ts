import type { ApiService, DesiredResource, Kind, LiveResource } from '../kinds/kind.ts';
import { groupBy } from '../model/group-by.ts';
import { equal } from '../model/json.ts';
import type { ExecutableChange } from '../plan/plan-document.ts';

/** Up to this many objects are read one by one; more are cheaper through the list call. */
const SINGLE_READS = 5;

/** The live objects of each step as they are now, the one that is meant first. More than one: a create was made twice, or somebody else made another. */
export type CurrentObjects = ReadonlyMap<string, readonly LiveResource[]>;

/**
 * Looks at the objects of some steps of one kind, by single reads where they are few, else through the list.
 * `known` are the IDs seen when the plan was made: an object among them is never taken for one that a create has made.
 * `ids` are remote IDs learnt by writing, by address.
 * @throws ServiceError
 */
export async function readCurrent(
  kind: Kind,
  steps: readonly ExecutableChange[],
  service: ApiService,
  known: ReadonlySet<string>,
  ids: ReadonlyMap<string, string> = new Map(),
): Promise<CurrentObjects> {
  const singly = steps.length <= SINGLE_READS && kind.get !== undefined;
  const finder = singly ? readSingly(kind, service) : await readList(kind, service);
  const taken = new Set([...known, ...ids.values()]);
  const found = await Promise.all(
    steps.map(async ({ change: { address }, live, desired }): Promise<[string, readonly LiveResource[]]> => {
      if (live) return [address, await finder.byId(live.id)];
      return [address, desired ? await createdBy(desired, finder, taken, ids.get(address)) : []];
    }),
  );
  return new Map(found);
}

/** What creates may have made: first the object whose ID was told, where none was told the one that is as desired; `taken` belongs to others. */
async function createdBy(
  desired: DesiredResource,
  finder: Finder,
  taken: ReadonlySet<string>,
  id: string | undefined,
): Promise<readonly LiveResource[]> {
  const fitting = await finder.byClue(desired);
  const others = [...new Map(fitting.map((object) => [object.id, object])).values()].filter((object) => !taken.has(object.id));
  if (id === undefined) return others.sort((a, b) => Number(isAs(desired, b)) - Number(isAs(desired, a)));
  const own = fitting.filter((object) => object.id === id).slice(0, 1);
  const meant = own.length > 0 ? own : await finder.byId(id);
  return meant.length > 0 ? [...meant, ...others] : [];
}

function isAs(desired: DesiredResource, { fields }: LiveResource): boolean {
  return equal(fields, desired.fields);
}

/** Whether two readings of an object show the same. */
export function isUnchanged(a: LiveResource, b: LiveResource): boolean {
  return equal(a.fields, b.fields) && equal(unknownOf(a), unknownOf(b));
}

interface Finder {
  byId(id: string): Promise<readonly LiveResource[]>;
  byClue(desired: DesiredResource): Promise<readonly LiveResource[]>;
}

function readSingly(kind: Kind, service: ApiService): Finder {
  return {
    byId: async (id) => listed(await kind.get?.(service, id)),
    byClue: async (desired) => (await kind.find?.(service, desired)) ?? [],
  };
}

async function readList(kind: Kind, service: ApiService): Promise<Finder> {
  const { objects } = await kind.read(service);
  const byId = new Map(objects.map((object) => [object.id, object]));
  const nameable = objects.filter((object) => object.matchableByName);
  const byLabel = groupBy(nameable, (object) => object.label);
  return {
    byId: async (id) => listed(byId.get(id)),
    byClue: async (desired) =>
      desired.matchKeys.flatMap((matchKey) => ('id' in matchKey ? byId.get(matchKey.id) : byLabel.get(matchKey.name)) ?? []),
  };
}

function listed(object: LiveResource | null | undefined): readonly LiveResource[] {
  return object ? [object] : [];
}

function unknownOf(live: LiveResource) {
  return live.unknown.map(({ path, value }) => ({ path, value }));
}
