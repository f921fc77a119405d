import type { RiskInput } from '../kinds/kind.ts';
import { type Change, type PlaybackReason, type SafetyCheck, writesOnService } from '../model/change.ts';
import type { Plan } from '../model/plan.ts';
import type { PlanResult } from '../plan/build-plan.ts';
import { risksOf } from '../plan/risks.ts';
import type { PlannedChange } from '../state/planned-change.ts';
import { assessChange, withPlaybackReasons } from '../state/planned-change.ts';

/**
 * Builds the drift report from the plan that would take the drift back, by inverting its changes (design section 5, drift).
 * `playbackReasons` are those that devices give for the inverted changes, by address.
 */
export function driftReport(
  { plan, changes: planned, followUpWarnings }: Pick<PlanResult, 'plan' | 'changes' | 'followUpWarnings'>,
  playbackReasons: ReadonlyMap<string, readonly PlaybackReason[]> = new Map(),
): Plan {
  const { schemaVersion, impact: _impactOfPlan, decision: _decisionOfPlan, ...rest } = plan;
  const changes = planned
    .filter(({ change }) => writesOnService(change))
    .map((each) => invertChange(each, playbackReasons.get(each.change.address)));
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length;
  return {
    schemaVersion,
    drift: true,
    ...rest,
    risks: risksOf('drift', { ...plan, changes }),
    summary: {
      ...plan.summary,
      create: count('create'),
      update: count('update'),
      delete: count('delete'),
      blocked: changes.filter((change) => change.blocked !== null).length,
    },
    changes,
    requests: [],
    findings: plan.findings.filter((finding) => !followUpWarnings.includes(finding)),
    cost: { ...plan.cost, writes: 0 },
  };
}

/** Safety checks that question the difference itself. The others concern only the way back. */
const KEPT_CHECKS: readonly SafetyCheck[] = ['identity', 'suspicious-read'];

/** Inverts a change. Its risk is assessed anew, because the effect of a delete is not the opposite of that of a create in every kind. */
function invertChange(planned: PlannedChange, ofDevices: readonly PlaybackReason[] | undefined): Change {
  const { playbackReasons: _ofPlan, ...change } = invertAction(planned.change);
  const inverted = change.fields.map((field) => ({ ...field, before: field.after, after: field.before }));
  const assessed = assessChange({ kind: planned.kind, action: change.action, ...swapBeforeAfter(planned) }, inverted);
  const blocked = change.blocked && KEPT_CHECKS.includes(change.blocked.check) ? change.blocked : null;
  return { ...change, ...withPlaybackReasons(assessed, ofDevices), blocked };
}

function invertAction(change: Change): Change {
  if (change.action === 'create') return { ...change, action: 'delete' };
  return change.action === 'delete' ? { ...change, action: 'create' } : change;
}

/** Returns the desired resource as `before` and the live one as `after`. An object that is gone gets the ID by which it was matched. */
function swapBeforeAfter({ desired, live }: PlannedChange): Pick<RiskInput, 'before' | 'after'> {
  const matchedId = desired?.matchKeys.flatMap((matchKey) => ('id' in matchKey ? [matchKey.id] : []))[0];
  return {
    before: desired && { id: live?.id ?? matchedId ?? null, fields: desired.fields },
    after: live && { fields: live.fields, ...(desired?.kindData ? { kindData: desired.kindData } : {}) },
  };
}
