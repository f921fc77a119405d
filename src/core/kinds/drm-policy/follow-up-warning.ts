/** Warns that playback URLs refer to policies by name (api-notes section 8, point 3). */
import { type AddressedChange, formatAddresses, type LiveWarning } from '../kind.ts';

/** Returns the warning that playback URLs name policies, if changes delete or rename any. */
export function followUpWarning(changes: readonly AddressedChange[]): LiveWarning | null {
  const gone = changes.filter(
    ({ before, after, fields }) => before !== null && (after === null || fields.some(({ path }) => path === '/policy_name')),
  );
  const [first] = gone;
  if (!first) return null;
  return {
    code: 'policy-name-in-urls',
    address: first.address,
    summary: `playback URLs name policies, and a plan that deletes or renames one breaks them: ${formatAddresses(gone)}`,
    hint: 'Make sure that no playback URL names these policies any more; the account does not show it.',
  };
}
