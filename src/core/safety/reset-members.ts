/** The members of a live object that an update resets and that upkeep does not know (design section 4, rule 5). */
import type { Kind, LiveResource, UndocumentedValue } from '../kinds/kind.ts';
import type { FieldDifference } from '../model/change.ts';
import { isListedAt } from '../model/member-pointers.ts';

/** What an update resets: the members that `service.resettable_members` names, and all others. */
export interface ResetMembers {
  readonly accepted: readonly UndocumentedValue[];
  readonly others: readonly UndocumentedValue[];
}

/**
 * Returns the members unknown to upkeep that an update of these fields resets: with partial updates only those within the fields.
 * `resettable` are the JSON Pointers of those that may be reset.
 */
export function resetMembers(
  kind: Kind,
  { unknownMembers }: LiveResource,
  fields: readonly FieldDifference[],
  resettable: readonly string[],
): ResetMembers {
  const sent = new Set(fields.map(({ path }) => path.split('/')[1]));
  const isPartial = kind.type === 'collection' && kind.hasPartialUpdates;
  const reset = isPartial ? unknownMembers.filter(({ path }) => sent.has(path.split('/')[1])) : unknownMembers;
  const accepted = reset.filter(({ path }) => resettable.some((listed) => isListedAt(path, listed)));
  return { accepted, others: reset.filter((member) => !accepted.includes(member)) };
}
