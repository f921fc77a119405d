import type { DesiredResource, Kind, LiveResource } from '../kinds/kind.ts';
import type { FieldDifference } from '../model/change.ts';
import type { ChangeDraft } from '../state/change-draft.ts';
import { newChange } from '../state/new-change.ts';
import type { Prune } from '../state/ownership.ts';
import { diffFields } from './diff-fields.ts';
import type { MatchResult } from './match.ts';

/** Drafts the creates, updates and deletes of one kind. `toDelete` are the objects to delete; `now` in Unix milliseconds. */
export function diffResources(
  kind: Kind,
  resources: readonly DesiredResource[],
  match: MatchResult,
  toDelete: readonly Prune[],
  now: number,
): readonly ChangeDraft[] {
  const replaced = new Set(toDelete.flatMap(({ address }) => address ?? []));
  const drafts = resources.flatMap((desired) => {
    const { address } = desired;
    const live = match.pairs.get(address) ?? null;
    if (!live) return [{ ...createChange(kind, desired, match.ambiguous.get(address) ?? null), inState: replaced.has(address) }];
    const differences = differencesOf(kind, desired, live, now);
    return differences.length === 0 ? [] : [newChange(kind, 'update', desired, live, differences)];
  });
  const addresses = new Set(resources.map(({ address }) => address));
  return [...drafts, ...toDelete.map((each) => deleteChange(kind, each, addresses))];
}

/** Returns the fields in which a live object differs from the desired resource. `now` in Unix milliseconds. */
export function differencesOf(kind: Kind, desired: DesiredResource, live: LiveResource, now: number): readonly FieldDifference[] {
  const sides = kind.toComparable?.(desired, live, now) ?? { before: live.fields, after: desired.fields };
  return diffFields(sides.before, sides.after);
}

/** Drafts a create. Its fields are those that differ from the default. */
function createChange(kind: Kind, desired: DesiredResource, ambiguousReason: string | null): ChangeDraft {
  const fields = diffFields(kind.defaults(), desired.fields).flatMap(({ path, after }) =>
    after === null ? [] : [{ path, before: null, after }],
  );
  return { ...newChange(kind, 'create', desired, null, fields), ambiguousReason };
}

/** Drafts a delete under the address that the object was applied for, unless that address is still declared and has a change of its own. */
function deleteChange(kind: Kind, { live, address }: Prune, declared: ReadonlySet<string>): ChangeDraft {
  const fields = diffFields(kind.defaults(), live.fields).flatMap(({ path, after }) =>
    after === null ? [] : [{ path, before: after, after: null }],
  );
  const draft = newChange(kind, 'delete', null, live, fields);
  if (address === undefined) return draft;
  return declared.has(address) ? { ...draft, previousAddress: address, inState: true } : { ...draft, address, inState: true };
}
