/** Warns of what names policies elsewhere (api-notes section 8, point 3). */
import { formatAddresses, type LiveWarning, type PlannedChange } from '../kind.ts';

/** Returns the warning that playback URLs name policies, if changes delete or rename any. */
export function warningOfChanges(changes: readonly PlannedChange[]): LiveWarning | null {
  const gone = changes.filter(
    ({ before, after, fields }) => before !== null && (after === null || fields.some(({ path }) => path === '/policy_name')),
  );
  const [first] = gone;
  if (!first) return null;
  return {
    code: 'policy-name-in-urls',
    address: first.address,
    summary: `playback URLs choose a policy by its name, and these are deleted or renamed: ${formatAddresses(gone)}`,
    hint: 'Make sure that no playback URL names them any more. Nobody can see that in the account.',
  };
}
