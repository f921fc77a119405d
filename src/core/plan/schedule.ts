import type { CollectionKind, DesiredResource, Kind, LiveObject } from '../kinds/kind.ts';
import { comparePhases, LAST_PHASE, type Phase, writesOnService } from '../model/change.ts';
import { groupBy } from '../model/collections.ts';
import { compareStrings } from '../model/finding.ts';
import type { ChangeDraft, ScheduledChange, UpdateDraft } from '../state/change-draft.ts';

/** Finds the live object with a given name, for the kinds whose names are unique. */
export type FindObjectWithName = (kind: Kind, name: string) => LiveObject | undefined;

/**
 * Assigns phases and waves (design section 4, rule 6); the changes of a wave may be sent at the same time. Within a phase, changes that
 * stop playback come last; then the order of the kinds decides, then the order of renames (updates that change the name of an object; not
 * `moved`): a rename comes before the change that takes the name that it frees. Where names are unique, a change has an identity problem if
 * the name that it takes belongs to another object that is not renamed. A change that depends on a cycle of renames has an identity
 * problem, too.
 */
export function schedule(drafts: readonly ChangeDraft[], findObjectWithName: FindObjectWithName): readonly ScheduledChange[] {
  const slots = scheduleSlots(drafts);
  // The address of the change that takes the name of an object.
  const addressTakingNameOf = new Map<LiveObject, string>();
  const ordered = drafts
    .map((draft) => {
      const slot = slots.get(draft) ?? { dependsOn: null, ...timingOf(draft), depth: 0 };
      const cycle = slots.has(draft) ? null : 'it depends on a cycle of renames';
      const name = slot.dependsOn === null ? nameThatMustBeFree(draft) : undefined;
      const object = name === undefined ? undefined : findObjectWithName(draft.kind, name);
      if (object) addressTakingNameOf.set(object, draft.address);
      const conflict = object ? `its name is already in use by ${draft.kind.idAddress(object)}` : null;
      return { ...draft, ...slot, identityProblem: identityProblemOf(draft) ?? cycle ?? conflict };
    })
    .map((change) => ({ ...change, identityProblem: change.identityProblem ?? identityProblemOfDelete(change, addressTakingNameOf) }));
  ordered.sort(
    (a, b) => compareTimings(a, b) || applyOrderOf(a) - applyOrderOf(b) || a.depth - b.depth || compareStrings(a.address, b.address),
  );
  let wave = -1;
  let previousGroup: string | undefined;
  return ordered.map(({ depth, isLate, ...change }) => {
    const group = `${change.phase} ${isLate} ${applyOrderOf(change)} ${depth}`;
    if (group !== previousGroup) wave += 1;
    previousGroup = group;
    return { ...change, wave };
  });
}

/** Decides whether a change stops playback. Such changes come last in their phase: an apply that ends halfway stops as little as possible. */
function stopsPlayback({ playback }: ChangeDraft): boolean {
  return playback === 'stops';
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
function timingOf(draft: ChangeDraft): Timing {
  return { phase: phaseOf(draft), isLate: stopsPlayback(draft) };
}

/** When a change is applied, with what it waits for: its phase is that of the rename if that is later. */
interface Slot extends Timing {
  /** The address of the rename that must succeed first. */
  readonly dependsOn: string | null;
  /** The number of renames that must succeed first, one after the other. */
  readonly depth: number;
}

/** Sorts changes topologically by their rename dependencies. A change that depends on a cycle of renames has no slot. */
function scheduleSlots(drafts: readonly ChangeDraft[]): ReadonlyMap<ChangeDraft, Slot> {
  const dependencies = renameDependencies(drafts);
  const dependents = groupBy(dependencies.keys(), (draft) => dependencies.get(draft));
  const slots = new Map<ChangeDraft, Slot>();
  let next = drafts.filter((draft) => !dependencies.has(draft));
  for (let depth = 0; next.length > 0; depth += 1) {
    for (const draft of next) {
      const rename = dependencies.get(draft);
      const renameSlot = rename && slots.get(rename);
      const phase = renameSlot ? laterPhase(phaseOf(draft), renameSlot.phase) : phaseOf(draft);
      const waitsForLate = renameSlot?.phase === phase && renameSlot.isLate;
      slots.set(draft, { dependsOn: rename?.address ?? null, phase, isLate: stopsPlayback(draft) || waitsForLate, depth });
    }
    next = next.flatMap((draft) => dependents.get(draft) ?? []);
  }
  return slots;
}

/** Returns, for each change that needs a name which a rename frees, that rename. Where several free it, this is the one applied last. */
function renameDependencies(drafts: readonly ChangeDraft[]): ReadonlyMap<ChangeDraft, ChangeDraft> {
  const renames = drafts.filter(isRename).sort((a, b) => compareTimings(timingOf(a), timingOf(b)) || compareStrings(a.address, b.address));
  const byFreedName = new Map(renames.map((rename) => [nameKey(rename, rename.live.remoteName), rename]));
  return new Map(
    drafts.flatMap((draft): [ChangeDraft, ChangeDraft][] => {
      const name = nameThatMustBeFree(draft);
      const rename = name === undefined ? undefined : byFreedName.get(nameKey(draft, name));
      return rename ? [[draft, rename]] : [];
    }),
  );
}

/**
 * Returns the name that no other object may have when the change is applied; undefined where there is none. It is the name that these take:
 * - a create that is matched by name, because two objects would fit its address afterwards;
 * - a rename where names are unique.
 */
function nameThatMustBeFree(draft: ChangeDraft): string | undefined {
  if (draft.action === 'create') {
    const { remoteName, matchKeys } = draft.desired;
    return matchKeys.some((matchKey) => 'remoteName' in matchKey && matchKey.remoteName === remoteName) ? remoteName : undefined;
  }
  return isRename(draft) && draft.kind.hasUniqueRemoteNames ? draft.desired.remoteName : undefined;
}

function identityProblemOf(draft: ChangeDraft): string | null {
  return draft.action === 'create' ? draft.identityProblem : null;
}

/**
 * Returns the identity problem of a delete whose object has the name that another change takes: perhaps that change should update this
 * object instead. `addressTakingNameOf` maps an object to the address of that change.
 */
function identityProblemOfDelete(draft: ChangeDraft, addressTakingNameOf: ReadonlyMap<LiveObject, string>): string | null {
  const address = draft.action === 'delete' ? addressTakingNameOf.get(draft.live) : undefined;
  return address === undefined ? null : `${address} takes the name of this object: if this object is ${address}, bind it under \`adopt\``;
}

/** An update that gives an object another name. */
type Rename = UpdateDraft & {
  readonly kind: CollectionKind;
  readonly desired: DesiredResource & { readonly remoteName: string };
  readonly live: LiveObject;
};

function isRename(draft: ChangeDraft): draft is Rename {
  return (
    draft.action === 'update' &&
    draft.live.id !== null &&
    draft.desired.remoteName !== undefined &&
    draft.live.remoteName !== draft.desired.remoteName
  );
}

function nameKey({ kind }: ChangeDraft, name: string): string {
  return `${kind.name} ${name}`;
}

/** Returns the phase of a change. A change that only the ledger records has the last phase, although that is called `delete-policies`. */
function phaseOf(draft: ChangeDraft): Phase {
  return writesOnService(draft) ? draft.kind.phase(draft.action, draft.effect) : LAST_PHASE;
}

function applyOrderOf(draft: ChangeDraft): number {
  return writesOnService(draft) ? draft.kind.applyOrder : Number.POSITIVE_INFINITY;
}
