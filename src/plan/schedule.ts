import type { LiveResource } from '../kinds/kind.ts';
import { comparePhases, type Phase } from '../model/change.ts';
import { compareStrings } from '../model/finding.ts';
import { groupBy } from '../model/group-by.ts';
import { type ChangeDraft, type ScheduledChange, writesOnService } from '../state/change-draft.ts';

/**
 * Assigns phases and waves (design section 4, rule 6): by phase, then by the order of the kinds, then in topological order of renames, so
 * that a rename precedes the change that needs the freed name. Where names are unique, a change is ambiguous if another object keeps the
 * name that it assigns, or if its renames form a cycle.
 */
export function schedule(
  drafts: readonly ChangeDraft[],
  labelsInUse: (draft: ChangeDraft) => LiveResource | undefined,
): readonly ScheduledChange[] {
  const slots = scheduleSlots(drafts);
  const wanted = new Map<LiveResource, string>();
  const ordered = drafts
    .map((draft) => {
      const slot = slots.get(draft) ?? {
        dependsOn: null,
        phase: phaseOf(draft),
        depth: 0,
        ambiguousReason: 'it waits for renames that form a circle',
      };
      const nameOwner = slot.dependsOn === null ? nameOwnerOf(draft, labelsInUse) : undefined;
      if (nameOwner) wanted.set(nameOwner, draft.address);
      const conflict = nameOwner ? `the name it is to get is kept by ${draft.kind.unmanagedAddress(nameOwner)}` : null;
      return { ...draft, ...slot, ambiguousReason: draft.ambiguousReason ?? slot.ambiguousReason ?? conflict };
    })
    .map((change) => ({ ...change, ambiguousReason: change.ambiguousReason ?? protectWantedName(change, wanted) }));
  ordered.sort(
    (a, b) =>
      comparePhases(a.phase, b.phase) || applyOrderOf(a) - applyOrderOf(b) || a.depth - b.depth || compareStrings(a.address, b.address),
  );
  let wave = -1;
  let previousGroup: string | undefined;
  return ordered.map(({ depth, ...change }) => {
    const group = `${change.phase} ${applyOrderOf(change)} ${depth}`;
    if (group !== previousGroup) wave += 1;
    previousGroup = group;
    return { ...change, wave };
  });
}

function laterPhase(a: Phase, b: Phase): Phase {
  return comparePhases(a, b) < 0 ? b : a;
}

/** The position of a change: its own phase, or the later one of the rename that it depends on. `depth` counts the renames before it. */
interface Slot {
  readonly dependsOn: string | null;
  readonly phase: Phase;
  readonly depth: number;
  readonly ambiguousReason: null;
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
      const earliest = (rename && slots.get(rename)?.phase) ?? 'tighten';
      slots.set(draft, { dependsOn: rename?.address ?? null, phase: laterPhase(phaseOf(draft), earliest), depth, ambiguousReason: null });
    }
    next = next.flatMap((draft) => dependents.get(draft) ?? []);
  }
  return slots;
}

/** Returns, for each change that needs a name which a rename frees, that rename; of several the last. */
function renameDependencies(drafts: readonly ChangeDraft[]): ReadonlyMap<ChangeDraft, ChangeDraft> {
  const renames = drafts.filter(isRename).sort((a, b) => comparePhases(phaseOf(a), phaseOf(b)) || compareStrings(a.address, b.address));
  const byFreedName = new Map(renames.map((rename) => [labelKey(rename, rename.live.label), rename]));
  return new Map(
    drafts.flatMap((draft): [ChangeDraft, ChangeDraft][] => {
      const name = requiredName(draft);
      const rename = name === undefined ? undefined : byFreedName.get(labelKey(draft, name));
      return rename ? [[draft, rename]] : [];
    }),
  );
}

/** Returns the name that must be free for a change: of a create that is matched by it, or of a rename where names are unique. */
function requiredName(draft: ChangeDraft): string | undefined {
  const label = draft.desired?.label;
  const isMatchedByName = draft.desired?.matchKeys.some((matchKey) => 'name' in matchKey && matchKey.name === label) === true;
  return (draft.action === 'create' && isMatchedByName) || (draft.kind.uniqueLabels && isRename(draft)) ? label : undefined;
}

function isRename(draft: ChangeDraft): draft is ChangeDraft & { readonly live: LiveResource } {
  const { action, live, desired } = draft;
  return action === 'update' && live !== null && desired?.label !== undefined && live.label !== desired.label;
}

function labelKey(draft: ChangeDraft, label: string): string {
  return `${draft.kind.name} ${label}`;
}

/** Returns the phase of a change. A change that only the ledger records comes last. */
function phaseOf({ kind, action, effect }: ChangeDraft): Phase {
  return writesOnService(action) ? kind.phase(action, effect) : 'delete-policies';
}

function applyOrderOf({ kind, action }: ChangeDraft): number {
  return writesOnService(action) ? kind.applyOrder : Number.POSITIVE_INFINITY;
}

/** Returns the live object that keeps the name which a change assigns. */
function nameOwnerOf(draft: ChangeDraft, labelsInUse: (draft: ChangeDraft) => LiveResource | undefined): LiveResource | undefined {
  return draft.kind.uniqueLabels && requiredName(draft) !== undefined ? labelsInUse(draft) : undefined;
}

/** Returns why a delete is ambiguous: another change needs the name of its object, and may mean this object. */
function protectWantedName({ action, live }: ChangeDraft, wanted: ReadonlyMap<LiveResource, string>): string | null {
  const by = action === 'delete' && live ? wanted.get(live) : undefined;
  return by === undefined ? null : `${by} is to get its name, and may mean this object`;
}
