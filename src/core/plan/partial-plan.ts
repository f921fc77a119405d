/** Builds the plan document of some of the planned changes: those of a saved plan, or of the kinds that could be read. */

import type { DesiredResource } from '../kinds/kind.ts';
import type { AssetFacts } from '../model/asset.ts';
import type { Plan } from '../model/plan.ts';
import type { PlannedChange } from '../state/planned-change.ts';
import { assetNamesIn } from './asset-names.ts';
import type { PlanResult } from './build-plan.ts';
import { assetsOf } from './check-references.ts';
import { planDocument } from './plan-document.ts';

/** A planned target: its desired resources, its plan, and what is known of their assets, by ID. */
interface PlannedResources {
  readonly input: { readonly desiredState: { readonly resources: readonly DesiredResource[] } };
  readonly result: Pick<PlanResult, 'plan' | 'changes' | 'context' | 'impactOf' | 'overridesOf'>;
  readonly assets: ReadonlyMap<string, AssetFacts>;
}

/** Builds the plan document of the selected changes, which may be fewer than planned. Findings and reads are those of the whole plan. */
export function partialPlan(changes: readonly PlannedChange[], { input, result, assets }: PlannedResources): Plan {
  const { plan, context, impactOf, overridesOf } = result;
  if (changes.length === result.changes.length) return plan;
  const { config, readStatus, unread = [], ignored = [], leftOut, findings, summary, cost, firstExpiry } = plan;
  const addresses = new Set(changes.map(({ change }) => change.address));
  const parts = { config, readStatus, unread, ignored, leftOut, findings, ...summary, reads: cost.reads, impact: impactOf(addresses) };
  const document = planDocument(changes, context, { ...parts, overrides: overridesOf(addresses) });
  return {
    ...document,
    ...assetNamesIn(document.changes, input.desiredState.resources),
    ...assetsOf(document, assets),
    ...(firstExpiry === undefined ? {} : { firstExpiry }),
  };
}
