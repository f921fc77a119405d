import type { LiveResource } from '../kinds/kind.ts';
import { comparePhases, type Phase } from '../model/change.ts';
import { compareStrings } from '../model/finding.ts';
import { groupBy } from '../model/group-by.ts';
import { type ChangeDraft, type ScheduledChange, writesOnService } from '../state/change-draft.ts';

/**
 * Puts steps into phases and waves (design section 4, rule 6): by phase, then by the kind's place, then renames before what needs the freed name.
 * A name that another object keeps, or that only a circle of renames could free, is contested where the service lets a name stand for one object only.
 */
export function schedule(
  drafts: readonly ChangeDraft[],
  labelsInUse: (draft: ChangeDraft) => LiveResource | undefined,
): readonly ScheduledChange[] {
  const turns = scheduleSlots(drafts);
  const wanted = new Map<LiveResource, string>();
  const placed = drafts
    .map((draft) => {
      const turn = turns.get(draft) ?? {
        dependsOn: null,
        phase: phaseOf(draft),
        depth: 0,
        ambiguousReason: 'it waits for renames that form a circle',
      };
      const keeper = turn.dependsOn === null ? nameOwnerOf(draft, labelsInUse) : undefined;
      if (keeper) wanted.set(keeper, draft.address);
      const kept = keeper ? `the name it is to get is kept by ${draft.kind.unmanagedAddress(keeper)}` : null;
      return { ...draft, ...turn, ambiguousReason: draft.ambiguousReason ?? turn.ambiguousReason ?? kept };
    })
    .map((step) => ({ ...step, ambiguousReason: step.ambiguousReason ?? protectWantedName(step, wanted) }));
  placed.sort(
    (a, b) => comparePhases(a.phase, b.phase) || placeOf(a) - placeOf(b) || a.depth - b.depth || compareStrings(a.address, b.address),
  );
  let wave = -1;
  let last: string | undefined;
  return placed.map(({ depth, ...step }) => {
    const group = `${step.phase} ${placeOf(step)} ${depth}`;
    if (group !== last) wave += 1;
    last = group;
    return { ...step, wave };
  });
}

function laterPhase(a: Phase, b: Phase): Phase {
  return comparePhases(a, b) < 0 ? b : a;
}

/** When a step comes: in its own phase, or later where the rename before it does; `depth` counts the renames before it. */
interface Slot {
  readonly dependsOn: string | null;
  readonly phase: Phase;
  readonly depth: number;
  readonly ambiguousReason: null;
}

/** The turns of all steps, from those that wait for nothing to those that wait for them; what a circle of renames keeps waiting has none. */
function scheduleSlots(drafts: readonly ChangeDraft[]): ReadonlyMap<ChangeDraft, Slot> {
  const freers = renameDependencies(drafts);
  const waiting = groupBy(freers.keys(), (draft) => freers.get(draft));
  const turns = new Map<ChangeDraft, Slot>();
  let next = drafts.filter((draft) => !freers.has(draft));
  for (let depth = 0; next.length > 0; depth += 1) {
    for (const draft of next) {
      const freer = freers.get(draft);
      const earliest = (freer && turns.get(freer)?.phase) ?? 'tighten';
      turns.set(draft, { dependsOn: freer?.address ?? null, phase: laterPhase(phaseOf(draft), earliest), depth, ambiguousReason: null });
    }
    next = next.flatMap((draft) => waiting.get(draft) ?? []);
  }
  return turns;
}

/** For each step that needs a name which a rename frees, that rename; of several the last. */
function renameDependencies(drafts: readonly ChangeDraft[]): ReadonlyMap<ChangeDraft, ChangeDraft> {
  const renames = drafts.filter(isRename).sort((a, b) => comparePhases(phaseOf(a), phaseOf(b)) || compareStrings(a.address, b.address));
  const freeing = new Map(renames.map((step) => [labelKey(step, step.live.label), step]));
  return new Map(
    drafts.flatMap((draft): [ChangeDraft, ChangeDraft][] => {
      const name = requiredName(draft);
      const freer = name === undefined ? undefined : freeing.get(labelKey(draft, name));
      return freer ? [[draft, freer]] : [];
    }),
  );
}

/** The name that a step takes and must find free: a create that is known by it, or a rename where names are unique. */
function requiredName(draft: ChangeDraft): string | undefined {
  const label = draft.desired?.label;
  const known = draft.desired?.matchKeys.some((matchKey) => 'name' in matchKey && matchKey.name === label) === true;
  return (draft.action === 'create' && known) || (draft.kind.uniqueLabels && isRename(draft)) ? label : undefined;
}

function isRename(draft: ChangeDraft): draft is ChangeDraft & { readonly live: LiveResource } {
  const { action, live, desired } = draft;
  return action === 'update' && live !== null && desired?.label !== undefined && live.label !== desired.label;
}

function labelKey(draft: ChangeDraft, label: string): string {
  return `${draft.kind.name} ${label}`;
}

/** What only the ledger remembers comes when everything is written. */
function phaseOf({ kind, action, effect }: ChangeDraft): Phase {
  return writesOnService(action) ? kind.phase(action, effect) : 'delete-policies';
}

function placeOf({ kind, action }: ChangeDraft): number {
  return writesOnService(action) ? kind.applyOrder : Number.POSITIVE_INFINITY;
}

/** The object that keeps the name which a step is to get. */
function nameOwnerOf(draft: ChangeDraft, labelsInUse: (draft: ChangeDraft) => LiveResource | undefined): LiveResource | undefined {
  return draft.kind.uniqueLabels && requiredName(draft) !== undefined ? labelsInUse(draft) : undefined;
}

/** An object whose name another change wants in vain is not deleted in the same run: that change may mean this very object. */
function protectWantedName({ action, live }: ChangeDraft, wanted: ReadonlyMap<LiveResource, string>): string | null {
  const by = action === 'delete' && live ? wanted.get(live) : undefined;
  return by === undefined ? null : `${by} is to get its name, and may mean this object`;
}
