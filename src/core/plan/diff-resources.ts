import { type CollectionKind, type DesiredResource, isLiveObject, type Kind, type LiveObject, type LiveResource } from '../kinds/kind.ts';
import type { FieldDifference } from '../model/change.ts';
import { isIgnored } from '../model/ignored-fields.ts';
import { type PlannedChange, planCreate, planDelete, planUpdate } from '../state/planned-change.ts';
import type { ObjectToDelete } from '../state/prune.ts';
import { diffFields } from './diff-fields.ts';
import { withIgnoredList, withLiveValues } from './ignored-fields.ts';
import type { MatchResult } from './match.ts';

/** Plans the creates, updates and deletes of a collection. `toDelete` are the objects to delete; `now` in Unix milliseconds. */
export function diffResources(
  kind: CollectionKind,
  resources: readonly DesiredResource[],
  match: MatchResult<LiveObject>,
  toDelete: readonly ObjectToDelete[],
  now: number,
): readonly PlannedChange[] {
  const boundAddressesOfDeletes = new Set(toDelete.flatMap(({ boundAddress }) => boundAddress ?? []));
  const planned = resources.flatMap((desired): readonly PlannedChange[] => {
    const { address } = desired;
    const live = match.liveByAddress.get(address);
    if (live) return updateOf(kind, desired, live, now);
    const reason = match.identityProblems.get(address);
    return [
      createOf(kind, desired, {
        identityProblem: reason === undefined ? null : { reason },
        replacesBoundObject: boundAddressesOfDeletes.has(address),
      }),
    ];
  });
  const declaredAddresses = new Set(resources.map(({ address }) => address));
  return [...planned, ...toDelete.map((object) => deleteOf(kind, object, declaredAddresses))];
}

/** Plans the update of a setting, which is never created or deleted. `now` in Unix milliseconds. */
export function diffSetting(
  kind: Kind,
  resources: readonly DesiredResource[],
  { liveByAddress }: MatchResult,
  now: number,
): readonly PlannedChange[] {
  return resources.flatMap((desired) => {
    const live = liveByAddress.get(desired.address);
    return live ? updateOf(kind, desired, live, now) : [];
  });
}

/** Returns the fields in which a live object differs from the desired resource, without ignored ones. `now` in Unix milliseconds. */
export function differencesOf(kind: Kind, desired: DesiredResource, live: LiveResource, now: number): readonly FieldDifference[] {
  const wanted = withLiveValues(kind, desired, live);
  const { before, after } = kind.toComparable?.(wanted, live, now) ?? { before: live.fields, after: wanted.fields };
  return diffFields(before, after).filter(({ path }) => !isIgnored(desired.ignored ?? [], path));
}

/** Returns the differences after a write, without the fields that the read may omit: their absence is no mismatch. */
export function differencesInReadFields(kind: Kind, desired: DesiredResource, live: LiveResource, now: number): readonly FieldDifference[] {
  const maybeMissingInRead = isLiveObject(live) ? (live.maybeMissingInRead ?? []) : [];
  return differencesOf(kind, desired, live, now).filter(({ path }) => !maybeMissingInRead.includes(path));
}

/** Plans an update where a field differs. Its ignored fields have their live values. */
function updateOf(kind: Kind, desired: DesiredResource, live: LiveResource, now: number): readonly PlannedChange[] {
  const differences = differencesOf(kind, desired, live, now);
  return differences.length === 0 ? [] : [planUpdate(kind, withLiveValues(kind, desired, live), live, differences)];
}

/** Plans a create, which lists the fields that differ from the default. It sends ignored fields, too, with their declared values. */
function createOf(kind: CollectionKind, desired: DesiredResource, matchFacts: Parameters<typeof planCreate>[3]): PlannedChange {
  const fields = diffFields(kind.defaults(), desired.fields).flatMap(({ path, after }) =>
    after === null ? [] : [{ path, before: null, after }],
  );
  return planCreate(kind, withIgnoredList(desired, []), fields, matchFacts);
}

/** Plans a delete, under the address to which the object is bound unless that is still declared. */
function deleteOf(kind: CollectionKind, { live, boundAddress }: ObjectToDelete, declaredAddresses: ReadonlySet<string>): PlannedChange {
  const fields = diffFields(live.fields, kind.defaults()).flatMap(({ path, before }) =>
    before === null ? [] : [{ path, before, after: null }],
  );
  const planned = planDelete(kind, live, fields);
  if (boundAddress === undefined) return planned;
  return declaredAddresses.has(boundAddress)
    ? { ...planned, isDeletedAsBound: true, replacementAddress: boundAddress }
    : { ...planned, isDeletedAsBound: true, change: { ...planned.change, address: boundAddress } };
}
