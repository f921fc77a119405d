/** Warns of updates of policies whose `license_begin_seconds` the service does not show (api-notes section 6, point 2). */
import { groupBy } from '../../model/collections.ts';
import { isJsonObject } from '../../model/json.ts';
import { type AddressedChange, formatAddresses, type LiveWarning } from '../kind.ts';
import { LICENSE_BEGIN } from './api.ts';

/**
 * Returns a warning for each value that updates give to `license_begin_seconds` without showing a difference, because the live value is not
 * known: an update sends the whole policy.
 */
export function hiddenLicenseBeginWarnings(changes: readonly AddressedChange[]): readonly LiveWarning[] {
  const hidden = changes.filter(
    ({ action, before, fields }) =>
      action === 'update' && before?.maybeMissingInRead?.includes(LICENSE_BEGIN) && !fields.some(({ path }) => path === LICENSE_BEGIN),
  );
  return [...groupBy(hidden, newValueOf)].flatMap(([seconds, group]) => {
    const [first] = group;
    if (!first || seconds === null) return [];
    return {
      code: 'hidden-license-begin',
      address: first.address,
      summary: `the service does not show \`license_begin_seconds\`, and whatever it is now, an update makes it ${seconds}: ${formatAddresses(group)}`,
      hint: 'Where somebody has set another value, declare it as `playready.license_begin_seconds`.',
    };
  });
}

function newValueOf({ after }: AddressedChange): number | null {
  const playready = after?.fields.playready;
  const seconds = isJsonObject(playready) ? playready.license_begin_seconds : null;
  return typeof seconds === 'number' ? seconds : null;
}
