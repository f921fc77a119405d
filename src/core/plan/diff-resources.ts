import { type CollectionKind, type DesiredResource, isLiveObject, type Kind, type LiveObject, type LiveResource } from '../kinds/kind.ts';
import type { FieldDifference } from '../model/change.ts';
import { isIgnored } from '../model/ignored-fields.ts';
import {
  type ChangeDraft,
  type CreateDraft,
  type DeleteDraft,
  draftCreate,
  draftDelete,
  draftUpdate,
  type UpdateDraft,
} from '../state/change-draft.ts';
import type { ObjectToDelete } from '../state/prune.ts';
import { diffFields } from './diff-fields.ts';
import { withIgnoredList, withLiveValues } from './ignored-fields.ts';
import type { MatchResult } from './match.ts';

/** Drafts the creates, updates and deletes of a collection. `toDelete` are the objects to delete; `now` in Unix milliseconds. */
export function diffResources(
  kind: CollectionKind,
  resources: readonly DesiredResource[],
  match: MatchResult<LiveObject>,
  toDelete: readonly ObjectToDelete[],
  now: number,
): readonly ChangeDraft[] {
  const boundAddressesOfDeletes = new Set(toDelete.flatMap(({ boundAddress }) => boundAddress ?? []));
  const drafts = resources.flatMap((desired): readonly ChangeDraft[] => {
    const { address } = desired;
    const live = match.liveByAddress.get(address);
    if (live) return updateOf(kind, desired, live, now);
    return [
      createOf(kind, desired, {
        identityProblem: match.identityProblems.get(address) ?? null,
        replacesBoundObject: boundAddressesOfDeletes.has(address),
      }),
    ];
  });
  const declaredAddresses = new Set(resources.map(({ address }) => address));
  return [...drafts, ...toDelete.map((object) => deleteOf(kind, object, declaredAddresses))];
}

/** Drafts the update of a setting, which is never created or deleted. `now` in Unix milliseconds. */
export function diffSetting(
  kind: Kind,
  resources: readonly DesiredResource[],
  { liveByAddress }: MatchResult,
  now: number,
): readonly UpdateDraft[] {
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

/** Drafts an update where a field differs. Its ignored fields have their live values. */
function updateOf(kind: Kind, desired: DesiredResource, live: LiveResource, now: number): readonly UpdateDraft[] {
  const differences = differencesOf(kind, desired, live, now);
  return differences.length === 0 ? [] : [draftUpdate(kind, withLiveValues(kind, desired, live), live, differences)];
}

/** Drafts a create, which lists the fields that differ from the default. It sends ignored fields, too, with their declared values. */
function createOf(
  kind: CollectionKind,
  desired: DesiredResource,
  matchFacts: Pick<CreateDraft, 'replacesBoundObject' | 'identityProblem'>,
): CreateDraft {
  const fields = diffFields(kind.defaults(), desired.fields).flatMap(({ path, after }) =>
    after === null ? [] : [{ path, before: null, after }],
  );
  return draftCreate(kind, withIgnoredList(desired, []), fields, matchFacts);
}

/** Drafts a delete, under the address to which the object is bound unless that is still declared. */
function deleteOf(kind: CollectionKind, { live, boundAddress }: ObjectToDelete, declaredAddresses: ReadonlySet<string>): DeleteDraft {
  const fields = diffFields(live.fields, kind.defaults()).flatMap(({ path, before }) =>
    before === null ? [] : [{ path, before, after: null }],
  );
  const draft = draftDelete(kind, live, fields);
  if (boundAddress === undefined) return draft;
  const isReplaced = declaredAddresses.has(boundAddress);
  return {
    ...draft,
    isBound: true,
    ...(isReplaced ? { replacementAddress: boundAddress } : { address: boundAddress }),
  };
}
