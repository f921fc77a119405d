/** What earlier applies left behind, and runs of the engine that remember. */

import { nextState, type PreviousState } from '../../src/apply/next-state.ts';
import type { DesiredState } from '../../src/config/desired-state.ts';
import type { DesiredResource } from '../../src/kinds/kind.ts';
import type { PlanResult } from '../../src/plan/build-plan.ts';
import { buildPlan } from '../../src/plan/build-plan.ts';
import type { PlanInput } from '../../src/plan/input.ts';
import type { LastApplied, State, StateBinding } from '../../src/state/state.ts';
import type { FakeAccount } from './fake-account.ts';
import { applied, declaring, runOf } from './planning.ts';

/** A ledger: the memory, the commits with their declarations, and where each address stands. */
export interface Past extends PreviousState {
  readonly commits: ReadonlyMap<string, DesiredState>;
}

/** A ledger without an entry. */
export const FIRST: Past = { state: knowing({}), lastApplied: null, commit: null, pendingSince: new Map(), commits: new Map() };

/** A memory of these bindings; an ID that ends in `+` was only adopted. */
export function knowing(bindings: { readonly [address: string]: string }, more: Partial<State> = {}): State {
  const binding = (id: string): StateBinding => (id.endsWith('+') ? { id: id.slice(0, -1), origin: 'adopted' } : { id, origin: 'created' });
  const entries = Object.entries(bindings).map(([address, id]): [string, StateBinding] => [address, binding(id)]);
  return { bindings: new Map(entries), forgotten: new Set(), owner: null, ...more };
}

/** Bindings as `knowing` takes them. */
export function known({ bindings }: State): { readonly [address: string]: string } {
  return Object.fromEntries([...bindings].map(([address, { id, origin }]) => [address, origin === 'adopted' ? `${id}+` : id]).sort());
}

/** A past in which these resources were applied under these bindings, at the commit `c1`. */
export function pastOf(resources: readonly DesiredResource[], state: State): Past {
  const commits = new Map([['c1', declaring(resources)]]);
  return { state, lastApplied: baseOf(resources), commit: 'c1', pendingSince: new Map(), commits };
}

/** A base of these resources. */
export function baseOf(resources: readonly DesiredResource[], unknown: readonly string[] = []): LastApplied {
  return { resources: new Map(resources.map((resource) => [resource.address, resource])), unknown: new Set(unknown) };
}

/** Plans with what is remembered. */
export function recalled(account: FakeAccount, desiredState: DesiredState, past: Past, more: Partial<PlanInput> = {}): Promise<PlanResult> {
  return buildPlan(runOf(account, desiredState, { state: past.state, lastApplied: past.lastApplied, ...more }));
}

/** Plans, applies and remembers, at a commit. */
export async function lived(account: FakeAccount, desiredState: DesiredState, past: Past, commit: string, more: Partial<PlanInput> = {}) {
  const input = runOf(account, desiredState, { state: past.state, lastApplied: past.lastApplied, ...more });
  const planResult = await buildPlan(input);
  const done = await applied(account, planResult);
  const results = new Map(done.outcome.outcomes.map(({ address, result }) => [address, result]));
  const { state, pendingSince } = nextState(past, input, planResult, { results, ids: done.ids });
  const commits = new Map([...past.commits, [commit, desiredState]]);
  return {
    reconciled: planResult,
    told: done.told,
    past: { state, pendingSince, commit, commits, lastApplied: baseAt(commits, commit, pendingSince) },
  };
}

function baseAt(commits: Past['commits'], commit: string, pendingSince: Past['pendingSince']): LastApplied {
  const at = (name: string | null) => new Map((commits.get(name ?? '')?.resources ?? []).map((each) => [each.address, each]));
  const resources = at(commit);
  for (const [address, name] of pendingSince) {
    const resource = at(name).get(address);
    if (resource) resources.set(address, resource);
    else resources.delete(address);
  }
  return { resources, unknown: new Set([...pendingSince].flatMap(([address, name]) => (name === null ? [address] : []))) };
}
