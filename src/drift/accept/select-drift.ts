/** Which part of a planned change is drift, and so may be accepted: the account's own part of the difference. */
import { isJsonObject, type Json } from '../../model/json.ts';
import type { ExecutableChange } from '../../plan/plan-document.ts';
import { setIn } from './document-edits.ts';
import type { AcceptRequest } from './verify-edits.ts';

/** What is asked for (null = nothing), with the fields that are accepted and those that the repository has changed since; or why nobody may ask. */
export type DriftPart =
  | { readonly asked: AcceptRequest | null; readonly fields: readonly string[]; readonly pending: readonly string[] }
  | { readonly doubt: string; readonly hint: string; readonly isHeld: boolean };

/** Reads a step of the plan that would take the drift back. */
export function driftPart({ kind, desired, live, change }: ExecutableChange): DriftPart {
  const { blocked, fields, action, address, origin } = change;
  if (blocked?.check === 'identity' || blocked?.check === 'suspicious-read')
    return { doubt: `${address}: ${blocked.reason}`, hint: blocked.override, isHeld: true };
  if (!desired || (action !== 'update' && action !== 'create')) return { asked: null, fields: [], pending: [] };
  const paths = fields.map(({ path }) => path);
  if (live) {
    const pending = fields.filter((field) => field.origin === 'change');
    const told = pending.reduce((side: Json, { path, after }) => setIn(side, stepsOf(path), after ?? undefined), live.fields);
    const drifted = paths.filter((path) => !pending.some((field) => field.path === path));
    const asked = drifted.length === 0 || !isJsonObject(told) ? null : { kind, desired, live: { ...live, fields: told } };
    return { asked, fields: drifted, pending: pending.map(({ path }) => path) };
  }
  if (origin === 'change') return { asked: null, fields: [], pending: paths };
  if (origin !== 'unknown') return { asked: { kind, desired, live: null }, fields: paths, pending: [] };
  const doubt = `${address} is not in the account, and nobody can tell whether it was deleted or never applied`;
  return { doubt, hint: 'remove its declaration by hand if it is to go: only a ledger tells the two apart', isHeld: false };
}

/** The steps of a JSON Pointer into canonical fields, which differ in members only. */
function stepsOf(path: string): readonly string[] {
  return path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
