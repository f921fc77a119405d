import type { CollectionKind, DesiredResource, LiveObject } from '../kinds/kind.ts';
import { comparePhases, type Phase, writesOnService } from '../model/change.ts';
import { groupBy } from '../model/collections.ts';
import { compareStrings } from '../model/finding.ts';
import type { ChangeDraft, CreateDraft, ScheduledChange, UpdateDraft } from '../state/change-draft.ts';

/** Finds another live object that already has the name that the draft assigns. */
export type FindNameHolder = (draft: CreateDraft | UpdateDraft) => LiveObject | undefined;

/**
 * Assigns phases and waves (design section 4, rule 6): by phase, then by the order of the kinds, then in topological order of renames, so
 * that a rename precedes the change that needs the freed name. Where names are unique, a change is ambiguous if another object keeps the
 * name that it assigns. A change that depends on a cycle of renames is ambiguous, too.
 */
export function schedule(drafts: readonly ChangeDraft[], findNameHolder: FindNameHolder): readonly ScheduledChange[] {
  const slots = scheduleSlots(drafts);
  const nameClaimants = new Map<LiveObject, string>();
  const ordered = drafts
    .map((draft) => {
      const slot = slots.get(draft) ?? {
        dependsOn: null,
        phase: phaseOf(draft),
        depth: 0,
        identityProblem: 'it depends on a cycle of renames',
      };
      const holder = slot.dependsOn === null ? holderOfRequiredName(draft, findNameHolder) : undefined;
      if (holder) nameClaimants.set(holder, draft.address);
      const conflict = holder ? `its name is already in use by ${draft.kind.idAddress(holder)}` : null;
      return { ...draft, ...slot, identityProblem: identityProblemOf(draft) ?? slot.identityProblem ?? conflict };
    })
    .map((change) => ({ ...change, identityProblem: change.identityProblem ?? whyDeleteIsUnsafe(change, nameClaimants) }));
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
  readonly identityProblem: null;
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
      slots.set(draft, { dependsOn: rename?.address ?? null, phase: laterPhase(phaseOf(draft), earliest), depth, identityProblem: null });
    }
    next = next.flatMap((draft) => dependents.get(draft) ?? []);
  }
  return slots;
}

/** Returns, for each change that needs a name which a rename frees, that rename; of several the last. */
function renameDependencies(drafts: readonly ChangeDraft[]): ReadonlyMap<ChangeDraft, ChangeDraft> {
  const renames = drafts.filter(isRename).sort((a, b) => comparePhases(phaseOf(a), phaseOf(b)) || compareStrings(a.address, b.address));
  const byFreedName = new Map(renames.map((rename) => [labelKey(rename, rename.live.remoteName), rename]));
  return new Map(
    drafts.flatMap((draft): [ChangeDraft, ChangeDraft][] => {
      const name = requiredName(draft);
      const rename = name === undefined ? undefined : byFreedName.get(labelKey(draft, name));
      return rename ? [[draft, rename]] : [];
    }),
  );
}

/** Returns the name that must be free before a change: of a create that is matched by name, or of a rename where names are unique. */
function requiredName(draft: ChangeDraft): string | undefined {
  if (draft.action === 'create') {
    const { remoteName, matchKeys } = draft.desired;
    return matchKeys.some((matchKey) => 'remoteName' in matchKey && matchKey.remoteName === remoteName) ? remoteName : undefined;
  }
  return isRename(draft) && draft.kind.uniqueRemoteNames ? draft.desired.remoteName : undefined;
}

function identityProblemOf(draft: ChangeDraft): string | null {
  return draft.action === 'create' ? draft.identityProblem : null;
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

function labelKey(draft: ChangeDraft, label: string): string {
  return `${draft.kind.name} ${label}`;
}

/** Returns the phase of a change. A change that only the ledger records comes last. */
function phaseOf(draft: ChangeDraft): Phase {
  return writesOnService(draft) ? draft.kind.phase(draft.action, draft.effect) : 'delete-policies';
}

function applyOrderOf(draft: ChangeDraft): number {
  return writesOnService(draft) ? draft.kind.applyOrder : Number.POSITIVE_INFINITY;
}

/** Returns the live object that holds the name that a change requires, where names are unique. */
function holderOfRequiredName(draft: ChangeDraft, findNameHolder: FindNameHolder): LiveObject | undefined {
  const needsName = (draft.action === 'create' && draft.kind.uniqueRemoteNames) || isRename(draft);
  return needsName && requiredName(draft) !== undefined ? findNameHolder(draft) : undefined;
}

/** Returns why a delete is ambiguous: another change requires the name of its object, so that the two may be the same. */
function whyDeleteIsUnsafe(draft: ChangeDraft, nameClaimants: ReadonlyMap<LiveObject, string>): string | null {
  const address = draft.action === 'delete' ? nameClaimants.get(draft.live) : undefined;
  return address === undefined ? null : `${address} requires its name, and may refer to this object`;
}
