/** What the changes of a plan mean for devices, each for itself. */
import type { DeviceImpact, PlanImpact } from '../model/impact.ts';
import type { JsonObject } from '../model/json.ts';
import { impact, isAffected } from './compare.ts';
import type { Device } from './device.ts';
import type { BeforeAfterPolicies } from './input.ts';
import { planNotes } from './notes.ts';
import { planMatrices } from './plan-matrices.ts';
import { summarizeImpact } from './summarize.ts';

/** What stands in place of an address for content that has no policy of its own. */
const DEFAULT_POLICY = 'default policy';

/** What each change means, by its address: one entry for each device that notices it. */
export type Impacts = ReadonlyMap<string, readonly DeviceImpact[]>;

/**
 * A policy that changes is compared under the VMP set of its own side: what it comes to once all is written. The change of the VMP set is
 * told of every policy that the plan leaves alone, and of the default policy, since a license is refused whatever the policy.
 */
export function impactsOf({ policies, vmp, defaults }: BeforeAfterPolicies, devices: readonly Device[]): Impacts {
  const noticed = (address: string, was: JsonObject, is: JsonObject) =>
    impact(address, { policy: was, vmp: vmp.before }, { policy: is, vmp: vmp.after }, devices).filter(isAffected);
  const own = policies
    .filter(({ changes }) => changes)
    .map(({ address, before, after }): [string, readonly DeviceImpact[]] => [
      address,
      noticed(address, before ?? defaults, after ?? defaults),
    ]);
  if (!vmp.changes) return new Map(own);
  const left = policies.filter(({ changes }) => !changes).map(({ address, after }) => ({ address, fields: after ?? defaults }));
  const common = [...left, { address: DEFAULT_POLICY, fields: defaults }].flatMap(({ address, fields }) =>
    noticed(address, fields, fields),
  );
  return new Map([...own, [vmp.address, common]]);
}

/** What is told of them in the plan; null where it changes neither a policy nor the VMP set. */
export function planImpact(account: BeforeAfterPolicies, impacts: Impacts): PlanImpact | null {
  if (impacts.size === 0) return null;
  return { summaries: summarizeImpact(impacts, account.vmp), matrices: planMatrices(impacts), notes: planNotes(account) };
}
