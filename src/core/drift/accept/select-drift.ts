/** Selects the part of a planned change that is drift and can be accepted: the fields that changed in the account. */
import { liftsText } from '../../model/change.ts';
import { isJsonObject, type Json, parsePointer } from '../../model/json.ts';
import type { PlannedChange } from '../../state/planned-change.ts';
import { setIn } from './document-edits.ts';
import type { AcceptRequest } from './verify-edits.ts';

/** The request (null = nothing to accept), its fields, and the fields that changed in the repository; or why it cannot be accepted. */
export type DriftPart =
  | { readonly request: AcceptRequest | null; readonly fields: readonly string[]; readonly pending: readonly string[] }
  | { readonly reason: string; readonly hint: string; readonly isBlocked: boolean };

/** Selects the drift in a change of the plan that would revert it. */
export function driftPart({ kind, desired, live, change }: PlannedChange): DriftPart {
  const { blocked, fields, action, address, origin } = change;
  if (blocked?.check === 'identity' || blocked?.check === 'suspicious-read')
    return { reason: `${address}: ${blocked.reason}`, hint: liftsText(blocked), isBlocked: true };
  if (!desired || (action !== 'update' && action !== 'create')) return { request: null, fields: [], pending: [] };
  const paths = fields.map(({ path }) => path);
  if (live) {
    const pending = fields.filter((field) => field.origin === 'change');
    const accepted = pending.reduce((value: Json, { path, after }) => setIn(value, parsePointer(path), after ?? undefined), live.fields);
    const drifted = paths.filter((path) => !pending.some((field) => field.path === path));
    const request = drifted.length === 0 || !isJsonObject(accepted) ? null : { kind, desired, live: { ...live, fields: accepted } };
    return { request, fields: drifted, pending: pending.map(({ path }) => path) };
  }
  if (origin === 'change') return { request: null, fields: [], pending: paths };
  if (origin !== 'unknown') return { request: { kind, desired, live: null }, fields: paths, pending: [] };
  const reason = `${address} is not in the account, and it is unknown whether it was deleted or never applied`;
  return {
    reason,
    hint: 'if it was deleted, remove its declaration by hand: only a ledger can tell the two cases apart',
    isBlocked: false,
  };
}
