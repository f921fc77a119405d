/** Selects changes, and the fields of updates, by `--only-origin`. An update of a kind without partial updates keeps all its fields. */
import { type DesiredResource, isLiveObject, type Kind, type LiveResource, type LiveWarning } from '../kinds/kind.ts';
import { writesOnService } from '../model/change.ts';
import type { Json } from '../model/json.ts';
import { type PlannedChange, planMove, withFewerFields } from '../state/planned-change.ts';
import type { Selection } from './selection.ts';

/** The changes that a run selects by their origin. */
export interface SelectedByOrigin {
  readonly selected: readonly PlannedChange[];
  /** The resources of which a difference is left out. */
  readonly leftOut: readonly { readonly address: string }[];
  /** A warning for each change that writes fields although their origin is not selected. */
  readonly overwriteWarnings: readonly { readonly planned: PlannedChange; readonly warning: LiveWarning }[];
}

/** Keeps the changes and fields whose origin is selected. */
export function selectByOrigin(planned: readonly PlannedChange[], selection: Selection): SelectedByOrigin {
  if (selection.origin === null) return { selected: planned, leftOut: [], overwriteWarnings: [] };
  const selected = planned.flatMap((each) => selectedPartOf(each, selection));
  const written = new Map(
    selected.flatMap(({ change }) => (writesOnService(change) ? [[change.address, change.fields.length] as const] : [])),
  );
  const isLeftOut = ({ change }: PlannedChange) => writesOnService(change) && (written.get(change.address) ?? -1) < change.fields.length;
  const overwriting = selected.filter(
    ({ kind, change }) => !hasPartialUpdates(kind) && change.fields.some(({ origin }) => !selection.hasOrigin(origin)),
  );
  return {
    selected,
    leftOut: planned.filter(isLeftOut).map(({ change }) => change),
    overwriteWarnings: overwriting.map((each) => ({ planned: each, warning: overwrittenWarning(each, selection) })),
  };
}

/** Returns what is left of a change: itself, with fewer fields, only its move, or nothing. */
function selectedPartOf(planned: PlannedChange, selection: Selection): readonly PlannedChange[] {
  const { kind, change } = planned;
  if (!writesOnService(change)) return [planned];
  if (!isUpdate(planned)) return selection.hasOrigin(change.origin) ? [planned] : [];
  if (change.fields.some(({ origin }) => selection.hasOrigin(origin)))
    return [hasPartialUpdates(kind) ? dropFields(planned, selection) : planned];
  const { desired, live } = planned;
  const movedFrom = change.action === 'update' ? change.movedFrom : undefined;
  return isLiveObject(live) && movedFrom !== undefined ? [planMove(kind, desired, live, movedFrom)] : [];
}

function hasPartialUpdates(kind: Kind): boolean {
  return kind.type === 'collection' && kind.hasPartialUpdates;
}

function overwrittenWarning({ change: { address, fields } }: PlannedChange, selection: Selection): LiveWarning {
  const paths = fields.filter(({ origin }) => !selection.hasOrigin(origin)).map(({ path }) => path);
  return {
    code: 'sent-whole',
    address,
    summary: `${address} is always sent whole, so ${paths.join(', ')} cannot be left alone`,
    hint: 'Apply without `--only-origin`, declare the live value, or accept that these fields are written, too.',
  };
}

type PlannedUpdate = PlannedChange & { readonly desired: DesiredResource; readonly live: LiveResource };

function isUpdate(planned: PlannedChange): planned is PlannedUpdate {
  return planned.change.action === 'update' && planned.desired !== null && planned.live !== null;
}

/**
 * Removes the fields that are not selected from an update. They keep their live values, and the risk of the other fields is assessed with
 * these. A PATCH sends whole top-level members, so all fields of a member stay if one of them is selected.
 */
function dropFields(planned: PlannedUpdate, selection: Selection): PlannedChange {
  const all = planned.change.fields;
  const topLevelMember = ({ path }: { readonly path: string }) => path.split('/')[1] ?? '';
  const sentMembers = new Set(all.filter(({ origin }) => selection.hasOrigin(origin)).map(topLevelMember));
  const fields = all.filter((field) => sentMembers.has(topLevelMember(field)));
  if (fields.length === all.length) return planned;
  const droppedMembers = all.map(topLevelMember).filter((name) => !sentMembers.has(name));
  return withFewerFields(planned, keepLiveMembers(planned, new Set(droppedMembers)), fields);
}

function keepLiveMembers({ kind, desired, live }: PlannedUpdate, members: ReadonlySet<string>): DesiredResource {
  const valueFor = (member: string, value: Json): Json => (members.has(member) ? (live.fields[member] ?? null) : value);
  const fields = Object.fromEntries(Object.entries(desired.fields).map(([member, value]) => [member, valueFor(member, value)]));
  if (live.id === null || kind.type === 'setting' || !members.has(kind.remoteNameField)) return { ...desired, fields };
  return { ...desired, fields, remoteName: live.remoteName };
}
