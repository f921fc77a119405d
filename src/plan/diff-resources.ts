import type { DesiredResource, Kind, LiveResource } from '../kinds/kind.ts';
import type { FieldDifference } from '../model/change.ts';
import type { ChangeDraft } from '../state/change-draft.ts';
import { newChange } from '../state/new-change.ts';
import type { Prune } from '../state/ownership.ts';
import { diffFields } from './diff-fields.ts';
import type { MatchResult } from './match.ts';

/** What differs for one kind. `now` in Unix milliseconds; `doomed` are the objects that go. */
export function diffResources(
  kind: Kind,
  resources: readonly DesiredResource[],
  match: MatchResult,
  doomed: readonly Prune[],
  now: number,
): readonly ChangeDraft[] {
  const bound = new Set(doomed.flatMap(({ address }) => address ?? []));
  const declared = resources.flatMap((desired) => {
    const { address } = desired;
    const live = match.pairs.get(address) ?? null;
    if (!live) return [{ ...createChange(kind, desired, match.ambiguous.get(address) ?? null), inState: bound.has(address) }];
    const differences = differencesOf(kind, desired, live, now);
    return differences.length === 0 ? [] : [newChange(kind, 'update', desired, live, differences)];
  });
  const addresses = new Set(resources.map(({ address }) => address));
  return [...declared, ...doomed.map((each) => deleteChange(kind, each, addresses))];
}

/** The fields in which a live object differs from what is desired. */
export function differencesOf(kind: Kind, desired: DesiredResource, live: LiveResource, now: number): readonly FieldDifference[] {
  const sides = kind.toComparable?.(desired, live, now) ?? { before: live.fields, after: desired.fields };
  return diffFields(sides.before, sides.after);
}

/** A create shows what is not at its default: the rest says nothing. */
function createChange(kind: Kind, desired: DesiredResource, contested: string | null): ChangeDraft {
  const fields = diffFields(kind.defaults(), desired.fields).flatMap(({ path, after }) =>
    after === null ? [] : [{ path, before: null, after }],
  );
  return { ...newChange(kind, 'create', desired, null, fields), ambiguousReason: contested };
}

/** Under the address that it was applied for, unless that is declared and has a step of its own. */
function deleteChange(kind: Kind, { live, address }: Prune, declared: ReadonlySet<string>): ChangeDraft {
  const fields = diffFields(kind.defaults(), live.fields).flatMap(({ path, after }) =>
    after === null ? [] : [{ path, before: after, after: null }],
  );
  const draft = newChange(kind, 'delete', null, live, fields);
  if (address === undefined) return draft;
  return declared.has(address) ? { ...draft, previousAddress: address, inState: true } : { ...draft, address, inState: true };
}
