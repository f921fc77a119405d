/** Filters changes, and the fields of updates, by `--only-origin`. An update of a kind without partial updates keeps all its fields. */
import type { DesiredResource, Kind, LiveWarning } from '../kinds/kind.ts';
import { type Origin, writesOnService } from '../model/change.ts';
import type { Finding } from '../model/finding.ts';
import type { Json } from '../model/json.ts';
import { assessChange, type ChangeDraft, draftMove, type UpdateDraft } from '../state/change-draft.ts';
import { isAddressSelected } from './filter-by-address.ts';
import type { PlanInput } from './input.ts';
import { warningsToFindings } from './live-warnings.ts';

/** The result of the filter. */
export interface FilteredChanges {
  readonly drafts: readonly ChangeDraft[];
  /** The addresses of the resources of which a difference is left out. */
  readonly leftOut: readonly string[];
  /** Returns warnings about fields that are overwritten although their origin is not selected. */
  overwriteWarnings(input: PlanInput): readonly Finding[];
}

/** Keeps drafts and fields with the origin `onlyOrigin`, `both` or `unknown`. Null keeps everything. */
export function filterByOrigin(drafts: readonly ChangeDraft[], onlyOrigin: Extract<Origin, 'change' | 'drift'> | null): FilteredChanges {
  if (onlyOrigin === null) return { drafts, leftOut: [], overwriteWarnings: () => [] };
  const isSelected = (origin: Origin) => origin === onlyOrigin || origin === 'both' || origin === 'unknown';
  const filteredDrafts = drafts.flatMap((draft) => {
    if (!writesOnService(draft)) return [draft];
    if (draft.action !== 'update') return isSelected(draft.origin) ? [draft] : [];
    if (!draft.fields.some((field) => isSelected(field.origin))) return moveWithoutUpdate(draft);
    return [hasPartialUpdates(draft.kind) ? dropFields(draft, isSelected) : draft];
  });
  const written = new Map(filteredDrafts.filter(writesOnService).map(({ address, fields }) => [address, fields.length]));
  const overwritingDrafts = filteredDrafts.filter(
    (draft) => !hasPartialUpdates(draft.kind) && draft.fields.some((field) => !isSelected(field.origin)),
  );
  const overwriteWarnings: FilteredChanges['overwriteWarnings'] = (input) =>
    overwritingDrafts
      .filter((draft) => isAddressSelected(input.only, draft.address))
      .flatMap((draft) => warningsToFindings([overwrittenWarning(draft, isSelected)], kindAndResource(draft), input));
  const isLeftOut = ({ address, fields }: ChangeDraft) => !written.has(address) || (written.get(address) ?? 0) < fields.length;
  const leftOut = drafts.filter((draft) => writesOnService(draft) && isLeftOut(draft)).map(({ address }) => address);
  return { drafts: filteredDrafts, leftOut, overwriteWarnings };
}

function hasPartialUpdates(kind: Kind): boolean {
  return kind.type === 'collection' && kind.hasPartialUpdates;
}

function kindAndResource({ kind, desired }: ChangeDraft) {
  return { kind, resources: desired ? [desired] : [] };
}

function overwrittenWarning({ address, fields }: ChangeDraft, isSelected: (origin: Origin) => boolean): LiveWarning {
  const paths = fields.filter(({ origin }) => !isSelected(origin)).map(({ path }) => path);
  return {
    code: 'sent-whole',
    address,
    summary: `${address} is always sent whole, so ${paths.join(', ')} cannot be left alone`,
    hint: 'Apply without `--only-origin`, declare the live value, or accept that these fields are written, too.',
  };
}

/** Returns what is left of an update of which no field is selected: its move, or nothing if it moves no object. */
function moveWithoutUpdate({ kind, desired, live, movedFrom }: UpdateDraft): readonly ChangeDraft[] {
  return live.id !== null && movedFrom !== undefined ? [draftMove(kind, desired, live, movedFrom)] : [];
}

/**
 * Removes the fields that are not selected from an update. They keep their live values, and the risk of the other fields is assessed with
 * these. A PATCH sends whole top-level members, so all fields of a member stay if one of them is selected.
 */
function dropFields(draft: UpdateDraft, isSelected: (origin: Origin) => boolean): UpdateDraft {
  const topLevelMember = ({ path }: { readonly path: string }) => path.split('/')[1] ?? '';
  const sentMembers = new Set(draft.fields.filter((field) => isSelected(field.origin)).map(topLevelMember));
  const fields = draft.fields.filter((field) => sentMembers.has(topLevelMember(field)));
  if (fields.length === draft.fields.length) return draft;
  const droppedMembers = draft.fields.map(topLevelMember).filter((name) => !sentMembers.has(name));
  const desired = keepLiveMembers(draft, new Set(droppedMembers));
  return { ...draft, desired, ...assessChange({ ...draft, before: draft.live, after: desired }, fields) };
}

function keepLiveMembers({ kind, desired, live }: UpdateDraft, members: ReadonlySet<string>): DesiredResource {
  const valueFor = (member: string, value: Json): Json => (members.has(member) ? (live.fields[member] ?? null) : value);
  const fields = Object.fromEntries(Object.entries(desired.fields).map(([member, value]) => [member, valueFor(member, value)]));
  if (live.id === null || kind.type === 'setting' || !members.has(kind.remoteNameField)) return { ...desired, fields };
  return { ...desired, fields, remoteName: live.remoteName };
}
