/** Groups the outcomes of changes that came to the same for the same reason. */
import { groupBy } from '../../core/model/collections.ts';
import type { ChangeOutcome } from '../../core/model/outcome.ts';

/** A request in a text: method and path, which differ where the reason is the same. */
const REQUEST = /\b(GET|POST|PATCH|DELETE) \/[^\s:,;]*/g;

/** Returns a text that outcomes of the same result for the same reason have in common; undefined where there is no reason. */
export function outcomeKey({ result, error, because }: ChangeOutcome): string | undefined {
  const reason = error ?? because;
  return reason === undefined ? undefined : JSON.stringify([result, reason.replace(REQUEST, '$1')]);
}

/** Returns the outcomes in order, where `min` or more with one key become one group, which is where the first of them was. */
export function groupOutcomes(
  outcomes: readonly ChangeOutcome[],
  min: number,
  keyOf: (outcome: ChangeOutcome) => string | undefined = outcomeKey,
): readonly (readonly ChangeOutcome[])[] {
  const groups = groupBy(outcomes, keyOf);
  return outcomes.flatMap((outcome) => {
    const key = keyOf(outcome);
    const group = key === undefined ? [] : (groups.get(key) ?? []);
    if (group.length < min) return [[outcome]];
    return group[0] === outcome ? [group] : [];
  });
}
