/** Warns that playback URLs refer to policies by name (api-notes section 8, point 3). */
import { type AddressedChange, formatAddresses, type LiveWarning } from '../kind.ts';

/**
 * Returns one warning that playback URLs name policies, if changes delete or rename any. A name that another change takes is not lost, but
 * nobody has it between the two writes.
 */
export function followUpWarning(changes: readonly AddressedChange[]): readonly LiveWarning[] {
  const gone = changes.filter(
    ({ before, after, fields }) => before !== null && (after === null || fields.some(({ path }) => path === '/policy_name')),
  );
  const [first] = gone;
  if (!first) return [];
  const taken = new Set(changes.flatMap(({ after }) => (after === null ? [] : [after.fields.policy_name])));
  const [passed, lost] = [true, false].map((isTaken) => gone.filter(({ before }) => taken.has(before?.fields.policy_name) === isTaken));
  const broken = lost?.length ? [`a plan that deletes or renames one breaks them: ${formatAddresses(lost)}`] : [];
  const without = passed?.length ? [`nobody has the name meanwhile, where another policy gets it: ${formatAddresses(passed)}`] : [];
  const warning = {
    code: 'policy-name-in-urls',
    address: first.address,
    summary: `playback URLs name policies, and ${[...broken, ...without].join('; ')}`,
    hint:
      broken.length > 0
        ? 'Make sure that no playback URL names these policies any more; the account does not show it.'
        : 'Apply when it does no harm that players get no answer, or the default policy, for the time of the writes.',
  };
  return [warning];
}
