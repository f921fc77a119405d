/** Says in words which classes of devices play nothing any more. */
import type { PlaybackReason } from './change.ts';
import { groupBy, joinAnd } from './collections.ts';
import { namePolicies } from './impact.ts';

/** Maximum number of classes of devices that are named together. */
const MAX_NAMED = 3;

/**
 * Names the classes that play nothing any more under the same policies together, expected ones first; or that would play nothing.
 * `policiesAs` names policies by their addresses.
 */
export function deviceClauses(
  reasons: readonly PlaybackReason[],
  isConditional = false,
  policiesAs: (addresses: readonly string[]) => string = namePolicies,
): readonly string[] {
  const losses = reasons.flatMap(({ devices = [], policies = [], expected = true, uncertain = false }) =>
    devices.map(({ name }) => ({ name, policies, expected, uncertain })),
  );
  const perClass = [...groupBy(losses, ({ name, uncertain }) => `${uncertain} ${name}`).values()].flatMap((all) => {
    const policies = [...new Set(all.flatMap((loss) => loss.policies))].sort();
    return all.slice(0, 1).map(({ name, uncertain }) => ({ name, policies, uncertain, expected: all.some(({ expected }) => expected) }));
  });
  const groups = groupBy(
    perClass.toSorted((a, b) => Number(b.expected) - Number(a.expected)),
    ({ policies, expected, uncertain }) => JSON.stringify([policies, expected, uncertain]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const more = group.length - MAX_NAMED;
    const names = [
      ...group.slice(0, MAX_NAMED).map(({ name }) => name),
      ...(more > 0 ? [`${more} more ${more === 1 ? 'class' : 'classes'} of devices`] : []),
    ];
    const verb = isConditional ? 'would play' : names.length === 1 ? 'plays' : 'play';
    const maybe = first.uncertain ? ', which may have played,' : '';
    return [
      `${joinAnd(names)}${maybe} ${verb} nothing any more under ${policiesAs(first.policies)}${first.expected ? '' : ' (not expected to play)'}`,
    ];
  });
}
