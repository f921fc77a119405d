import { type DesiredResource, isLiveObject, type Kind, type LiveObject, type LiveResource } from '../kinds/kind.ts';
import { comparePhases, type Phase, writesOnService } from '../model/change.ts';
import { groupBy } from '../model/collections.ts';
import { compareStrings } from '../model/finding.ts';
import { type PlannedChange, withChange } from '../state/planned-change.ts';

/** Finds the live object with a given name, for the kinds whose names are unique. */
export type FindObjectWithName = (kind: Kind, name: string) => LiveObject | undefined;

/**
 * Assigns phases and waves (design section 4, rule 6); the changes of a wave may be sent at the same time. Within a phase, changes that
 * stop playback come last; then the order of the kinds decides, then the order of renames (updates that change the name of an object; not
 * `moved`): a rename comes before the change that takes the name that it frees. Where names are unique, a change has an identity problem if
 * the name that it takes belongs to another object that is not renamed. A change that depends on a cycle of renames has an identity
 * problem, too.
 */
export function schedule(planned: readonly PlannedChange[], findObjectWithName: FindObjectWithName): readonly PlannedChange[] {
  const slots = scheduleSlots(planned);
  // The address of the change that takes the name of an object.
  const addressTakingNameOf = new Map<LiveObject, string>();
  const ordered = planned
    .map((each) => {
      const slot = slots.get(each) ?? { dependsOn: null, ...timingOf(each), depth: 0 };
      const cycle = slots.has(each) ? null : 'it depends on a cycle of renames';
      const name = slot.dependsOn === null ? nameThatMustBeFree(each) : undefined;
      const object = name === undefined ? undefined : findObjectWithName(each.kind, name);
      if (object) addressTakingNameOf.set(object, each.change.address);
      const conflict = object ? `its name is already in use by ${each.kind.idAddress(object)}` : null;
      return { slot, each: withIdentityProblem({ ...each, dependsOn: slot.dependsOn }, cycle ?? conflict) };
    })
    .map(({ slot, each }) => ({ slot, each: withIdentityProblem(each, identityProblemOfDelete(each, addressTakingNameOf)) }));
  ordered.sort(
    (a, b) =>
      compareTimings(a.slot, b.slot) ||
      applyOrderOf(a.each) - applyOrderOf(b.each) ||
      a.slot.depth - b.slot.depth ||
      compareStrings(a.each.change.address, b.each.change.address),
  );
  let wave = -1;
  let previousGroup: string | undefined;
  return ordered.map(({ slot: { phase, isLate, depth }, each }) => {
    const group = `${phase} ${isLate} ${applyOrderOf(each)} ${depth}`;
    if (group !== previousGroup) wave += 1;
    previousGroup = group;
    return withChange(each, { phase, wave });
  });
}

/** Decides whether a change stops playback. Such changes come last in their phase: an apply that ends halfway stops as little as possible. */
function stopsPlayback({ change }: PlannedChange): boolean {
  return change.playback === 'stops';
}

function laterPhase(a: Phase, b: Phase): Phase {
  return comparePhases(a, b) < 0 ? b : a;
}

/** When a change is applied. */
interface Timing {
  readonly phase: Phase;
  /** Whether it runs in the last waves of its phase: it stops playback, or waits for a rename in this phase that does. */
  readonly isLate: boolean;
}

function compareTimings(a: Timing, b: Timing): number {
  return comparePhases(a.phase, b.phase) || Number(a.isLate) - Number(b.isLate);
}

/** Returns the timing of a change that waits for no rename. */
function timingOf(planned: PlannedChange): Timing {
  return { phase: planned.change.phase, isLate: stopsPlayback(planned) };
}

/** When a change is applied, with what it waits for: its phase is that of the rename if that is later. */
interface Slot extends Timing {
  /** The address of the rename that must succeed first. */
  readonly dependsOn: string | null;
  /** The number of renames that must succeed first, one after the other. */
  readonly depth: number;
}

/** Sorts changes topologically by their rename dependencies. A change that depends on a cycle of renames has no slot. */
function scheduleSlots(planned: readonly PlannedChange[]): ReadonlyMap<PlannedChange, Slot> {
  const dependencies = renameDependencies(planned);
  const dependents = groupBy(dependencies.keys(), (each) => dependencies.get(each));
  const slots = new Map<PlannedChange, Slot>();
  let next = planned.filter((each) => !dependencies.has(each));
  for (let depth = 0; next.length > 0; depth += 1) {
    for (const each of next) {
      const rename = dependencies.get(each);
      const renameSlot = rename && slots.get(rename);
      const own = each.change.phase;
      const phase = renameSlot ? laterPhase(own, renameSlot.phase) : own;
      const waitsForLate = renameSlot?.phase === phase && renameSlot.isLate;
      slots.set(each, { dependsOn: rename?.change.address ?? null, phase, isLate: stopsPlayback(each) || waitsForLate, depth });
    }
    next = next.flatMap((each) => dependents.get(each) ?? []);
  }
  return slots;
}

/** Returns, for each change that needs a name which a rename frees, that rename. Where several free it, this is the one applied last. */
function renameDependencies(planned: readonly PlannedChange[]): ReadonlyMap<PlannedChange, PlannedChange> {
  const renames = planned
    .filter(isRename)
    .sort((a, b) => compareTimings(timingOf(a), timingOf(b)) || compareStrings(a.change.address, b.change.address));
  const byFreedName = new Map(renames.map((rename) => [nameKey(rename, rename.live.remoteName), rename]));
  return new Map(
    planned.flatMap((each): [PlannedChange, PlannedChange][] => {
      const name = nameThatMustBeFree(each);
      const rename = name === undefined ? undefined : byFreedName.get(nameKey(each, name));
      return rename ? [[each, rename]] : [];
    }),
  );
}

/**
 * Returns the name that no other object may have when the change is applied; undefined where there is none. It is the name that these take:
 * - a create that is matched by name, because two objects would fit its address afterwards;
 * - a rename where names are unique.
 */
function nameThatMustBeFree(planned: PlannedChange): string | undefined {
  if (planned.live === null) {
    const { remoteName, matchKeys } = planned.desired;
    return matchKeys.some((matchKey) => 'remoteName' in matchKey && matchKey.remoteName === remoteName) ? remoteName : undefined;
  }
  return isRename(planned) && planned.kind.type === 'collection' && planned.kind.hasUniqueRemoteNames
    ? planned.desired.remoteName
    : undefined;
}

/** Adds an identity problem to a change that has none. */
function withIdentityProblem(planned: PlannedChange, reason: string | null): PlannedChange {
  return planned.identityProblem !== null || reason === null ? planned : { ...planned, identityProblem: { reason } };
}

/**
 * Returns the identity problem of a delete whose object has the name that another change takes: perhaps that change should update this
 * object instead. `addressTakingNameOf` maps an object to the address of that change.
 */
function identityProblemOfDelete({ change, live }: PlannedChange, addressTakingNameOf: ReadonlyMap<LiveResource, string>): string | null {
  const address = change.action === 'delete' && live ? addressTakingNameOf.get(live) : undefined;
  return address === undefined ? null : `${address} takes the name of this object: if this object is ${address}, bind it under \`adopt\``;
}

/** An update that gives an object another name. */
type Rename = PlannedChange & {
  readonly desired: DesiredResource & { readonly remoteName: string };
  readonly live: LiveObject;
};

function isRename(planned: PlannedChange): planned is Rename {
  const { change, desired, live } = planned;
  return (
    change.action === 'update' &&
    live !== null &&
    isLiveObject(live) &&
    desired?.remoteName !== undefined &&
    live.remoteName !== desired.remoteName
  );
}

function nameKey({ kind }: PlannedChange, name: string): string {
  return `${kind.name} ${name}`;
}

function applyOrderOf({ change, kind }: PlannedChange): number {
  return writesOnService(change) ? kind.applyOrder : Number.POSITIVE_INFINITY;
}
