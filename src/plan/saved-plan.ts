import type { Change } from '../model/change.ts';
import { equal, type Json } from '../model/json.ts';
import type { Plan, ReadStatus } from '../model/plan.ts';
import type { PlanResult } from './build-plan.ts';
import { type ExecutableChange, planFingerprint } from './plan-document.ts';

/** The result of comparing a saved plan with the current one. */
export type SavedPlanCheck =
  /** The changes to apply, and the addresses of current changes that the saved plan does not contain, which are not applied. */
  | { readonly changes: readonly ExecutableChange[]; readonly notInPlan: readonly string[] }
  /** Why the saved plan is out of date: one sentence for each difference. */
  | { readonly stale: readonly string[] };

/** Returns a change as a saved plan holds it, in which secrets are hidden. */
type HideSecrets = (change: Change) => Change;

/**
 * Compares a saved plan with the plan of the account as it is now (design section 4, rule 2). The digests are those of the plan before
 * `hideSecrets`.
 */
export function verifySavedPlan(saved: Plan, current: PlanResult, hideSecrets: HideSecrets = (change) => change): SavedPlanCheck {
  if (saved.target !== current.context.target) return { stale: [`the plan is for target ${saved.target}, not ${current.context.target}`] };
  const digests = saved.changes.map((change) => change.digest);
  if (planFingerprint(current.context, digests) !== saved.fingerprint) {
    return { stale: ['the plan does not match its own fingerprint: it was edited, or made for another base URL or owner'] };
  }
  const byDigest = new Map(current.changes.map(({ change }) => [change.digest, change]));
  const byAddress = new Map(current.changes.map(({ change }) => [change.address, change]));
  const stale = saved.changes.flatMap((change) => {
    const currentChange = byDigest.get(change.digest);
    if (!currentChange) return describeDifference(change, byAddress.get(change.address), current.plan.observed[change.kind]);
    return equal(comparablePart(hideSecrets(currentChange)), comparablePart(change))
      ? []
      : [`${change.address}: the plan was edited, or it contained a secret, which was redacted when it was saved`];
  });
  if (stale.length > 0) return { stale };
  const savedDigests = new Set(digests);
  return {
    changes: current.changes.filter(({ change }) => savedDigests.has(change.digest)),
    notInPlan: current.changes.filter(({ change }) => !savedDigests.has(change.digest)).map(({ change }) => change.address),
  };
}

function describeDifference(planned: Change, currentChange: Change | undefined, readStatus: ReadStatus | undefined): readonly string[] {
  const present = readStatus === 'complete' ? 'there is nothing to do' : `${planned.kind} is ${readStatus ?? 'unknown'}`;
  if (!currentChange) return [`${planned.address}: planned was ${planned.action}; now ${present}`];
  if (currentChange.action !== planned.action)
    return [`${planned.address}: planned was ${planned.action}; now it would be ${currentChange.action}`];
  const before = new Map(planned.fields.map((field) => [field.path, field]));
  const after = new Map(currentChange.fields.map((field) => [field.path, field]));
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  const fields = paths.filter((path) => !equal(valuesOf(before.get(path)), valuesOf(after.get(path))));
  const text = fields.map((path) => `${path} planned ${formatField(before.get(path))}, now ${formatField(after.get(path))}`);
  return [`${planned.address}: ${text.length > 0 ? text.join('; ') : 'its requests are not those that were planned'}`];
}

type Field = Change['fields'][number];

function valuesOf(field: Field | undefined): Json {
  return field ? [field.before, field.after] : null;
}

function formatField(field: Field | undefined): string {
  return field ? `${JSON.stringify(field.before)} -> ${JSON.stringify(field.after)}` : 'untouched';
}

function comparablePart({ address, kind, action, fields }: Change): Json {
  return { address, kind, action, fields: fields.map(({ path, before, after }) => ({ path, before, after })) };
}
