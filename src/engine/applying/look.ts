import type { Desired, Kind, Live, Service } from '../../kinds/kind.ts';
import { equal } from '../../model/json.ts';
import { grouped } from '../group.ts';
import type { PlannedStep } from '../plan.ts';

/** Up to this many objects are read one by one; more are cheaper through the list call. */
const SINGLE_READS = 5;

/** The live objects of each step as they are now, the one that is meant first. More than one: a create was made twice, or somebody else made another. */
export type Look = ReadonlyMap<string, readonly Live[]>;

/**
 * Looks at the objects of some steps of one kind, by single reads where they are few, else through the list.
 * `known` are the IDs seen when the plan was made: an object among them is never taken for one that a create has made.
 * `ids` are remote IDs learnt by writing, by address.
 * @throws ServiceError
 */
export async function look(
  kind: Kind,
  steps: readonly PlannedStep[],
  service: Service,
  known: ReadonlySet<string>,
  ids: ReadonlyMap<string, string> = new Map(),
): Promise<Look> {
  const singly = steps.length <= SINGLE_READS && kind.get !== undefined;
  const finder = singly ? readSingly(kind, service) : await readList(kind, service);
  const taken = new Set([...known, ...ids.values()]);
  const found = await Promise.all(
    steps.map(async ({ change: { address }, live, desired }): Promise<[string, readonly Live[]]> => {
      if (live) return [address, await finder.byId(live.id)];
      return [address, desired ? await made(desired, finder, taken, ids.get(address)) : []];
    }),
  );
  return new Map(found);
}

/** What creates may have made: first the object whose ID was told, where none was told the one that is as desired; `taken` belongs to others. */
async function made(desired: Desired, finder: Finder, taken: ReadonlySet<string>, id: string | undefined): Promise<readonly Live[]> {
  const fitting = await finder.byClue(desired);
  const others = [...new Map(fitting.map((object) => [object.id, object])).values()].filter((object) => !taken.has(object.id));
  if (id === undefined) return others.sort((a, b) => Number(isAs(desired, b)) - Number(isAs(desired, a)));
  const own = fitting.filter((object) => object.id === id).slice(0, 1);
  const meant = own.length > 0 ? own : await finder.byId(id);
  return meant.length > 0 ? [...meant, ...others] : [];
}

function isAs(desired: Desired, { fields }: Live): boolean {
  return equal(fields, desired.fields);
}

/** Whether two readings of an object show the same. */
export function unmoved(a: Live, b: Live): boolean {
  return equal(a.fields, b.fields) && equal(unknownOf(a), unknownOf(b));
}

interface Finder {
  byId(id: string): Promise<readonly Live[]>;
  byClue(desired: Desired): Promise<readonly Live[]>;
}

function readSingly(kind: Kind, service: Service): Finder {
  return {
    byId: async (id) => listed(await kind.get?.(service, id)),
    byClue: async (desired) => (await kind.find?.(service, desired)) ?? [],
  };
}

async function readList(kind: Kind, service: Service): Promise<Finder> {
  const { objects } = await kind.read(service);
  const byId = new Map(objects.map((object) => [object.id, object]));
  const nameable = objects.filter((object) => object.nameable);
  const byLabel = grouped(nameable, (object) => object.label);
  return {
    byId: async (id) => listed(byId.get(id)),
    byClue: async (desired) => desired.clues.flatMap((clue) => ('id' in clue ? byId.get(clue.id) : byLabel.get(clue.name)) ?? []),
  };
}

function listed(object: Live | null | undefined): readonly Live[] {
  return object ? [object] : [];
}

function unknownOf(live: Live) {
  return live.unknown.map(({ path, value }) => ({ path, value }));
}
