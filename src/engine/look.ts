import type { Desired, Kind, Live, Service } from '../kinds/kind.ts';
import { equal } from '../model/json.ts';
import { grouped } from './group.ts';
import type { PlannedStep } from './plan.ts';

/** Up to this many objects are read one by one; more are cheaper through the list call. */
const SINGLE_READS = 5;

/** The live object of each step as it is now, null where there is none. `ids` are remote IDs learnt by writing, by address. */
export type Look = ReadonlyMap<string, Live | null>;

/**
 * Looks at the objects of some steps of one kind, by single reads where they are few, else through the list.
 * `known` are the IDs seen when the plan was made: an object among them is never taken for one that a create has made.
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
  const found = await Promise.all(
    steps.map(async (step): Promise<[string, Live | null]> => {
      const id = step.live?.id ?? ids.get(step.change.address);
      if (id !== undefined) return [step.change.address, await finder.byId(id)];
      return [step.change.address, step.desired ? await made(step.desired, finder, known) : null];
    }),
  );
  return new Map(found);
}

/** What a create may have made; of several the one that is as desired. */
async function made(desired: Desired, finder: Finder, known: ReadonlySet<string>): Promise<Live | null> {
  const candidates = (await finder.byClue(desired)).filter((object) => !known.has(object.id));
  return candidates.find((object) => equal(object.fields, desired.fields)) ?? candidates[0] ?? null;
}

/** Whether two readings of an object show the same. */
export function unmoved(a: Live, b: Live): boolean {
  return equal(a.fields, b.fields) && equal(unknownOf(a), unknownOf(b));
}

interface Finder {
  byId(id: string): Promise<Live | null>;
  byClue(desired: Desired): Promise<readonly Live[]>;
}

function readSingly(kind: Kind, service: Service): Finder {
  return {
    byId: async (id) => (await kind.get?.(service, id)) ?? null,
    byClue: async (desired) => (await kind.find?.(service, desired)) ?? [],
  };
}

async function readList(kind: Kind, service: Service): Promise<Finder> {
  const { objects } = await kind.read(service);
  const byId = new Map(objects.map((object) => [object.id, object]));
  const nameable = objects.filter((object) => object.nameable);
  const byLabel = grouped(nameable, (object) => object.label);
  return {
    byId: async (id) => byId.get(id) ?? null,
    byClue: async (desired) => desired.clues.flatMap((clue) => ('id' in clue ? byId.get(clue.id) : byLabel.get(clue.name)) ?? []),
  };
}

function unknownOf(live: Live) {
  return live.unknown.map(({ path, value }) => ({ path, value }));
}
