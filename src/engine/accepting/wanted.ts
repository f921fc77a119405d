/** Which part of a planned change is drift, and so may be accepted: the account's own part of the difference. */
import { isFields, type Json } from '../../model/json.ts';
import type { PlannedStep } from '../plan.ts';
import type { Asked } from './proof.ts';
import { placed } from './tale.ts';

/** What is asked for (null = nothing), with the fields that are accepted and those that the repository has changed since; or why nobody may ask. */
export type Wanted =
  | { readonly asked: Asked | null; readonly fields: readonly string[]; readonly pending: readonly string[] }
  | { readonly doubt: string; readonly hint: string; readonly isHeld: boolean };

/** Reads a step of the plan that would take the drift back. */
export function wantedBy({ kind, desired, live, change }: PlannedStep): Wanted {
  const { held, fields, action, address, origin } = change;
  if (held?.brake === 'identity' || held?.brake === 'doubtful-read')
    return { doubt: `${address}: ${held.reason}`, hint: held.release, isHeld: true };
  if (!desired || (action !== 'update' && action !== 'create')) return { asked: null, fields: [], pending: [] };
  const paths = fields.map(({ path }) => path);
  if (live) {
    const pending = fields.filter((field) => field.origin === 'change');
    const told = pending.reduce((side: Json, { path, after }) => placed(side, stepsOf(path), after ?? undefined), live.fields);
    const drifted = paths.filter((path) => !pending.some((field) => field.path === path));
    const asked = drifted.length === 0 || !isFields(told) ? null : { kind, desired, live: { ...live, fields: told } };
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
