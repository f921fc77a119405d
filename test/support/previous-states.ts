/** Fake ledgers, and runs of the planner and of apply that read and update them. */

import { nextState, type PreviousState } from '../../src/core/apply/next-state.ts';
import type { DesiredState } from '../../src/core/config/desired-state.ts';
import type { DesiredResource } from '../../src/core/kinds/kind.ts';
import type { PlanResult } from '../../src/core/plan/build-plan.ts';
import { buildPlan } from '../../src/core/plan/build-plan.ts';
import type { PlanInput } from '../../src/core/plan/input.ts';
import type { LastApplied, LedgerState, StateBinding } from '../../src/core/state/state.ts';
import type { FakeAccount } from './fake-account.ts';
import { applyPlan, desiredStateOf, planInputOf } from './planning.ts';

/** A fake ledger: the recorded state, the desired state of each commit, and the pending addresses. */
export interface LedgerHistory extends PreviousState {
  readonly commits: ReadonlyMap<string, DesiredState>;
}

/** A ledger without an entry. */
export const EMPTY_LEDGER: LedgerHistory = {
  state: stateWith({}),
  lastApplied: null,
  commit: null,
  pendingSince: new Map(),
  commits: new Map(),
};

/** Bindings by address. A remote ID alone is one that upkeep created. */
export interface Bindings {
  readonly [address: string]: string | StateBinding;
}

/** Builds the binding of an object that was only adopted. */
export function adopted(id: string): StateBinding {
  return { id, origin: 'adopted' };
}

/** Builds a state with these bindings. */
export function stateWith(bindings: Bindings, more: Partial<LedgerState> = {}): LedgerState {
  const bindingOf = (value: string | StateBinding): StateBinding => (typeof value === 'string' ? { id: value, origin: 'created' } : value);
  const entries = Object.entries(bindings).map(([address, value]): [string, StateBinding] => [address, bindingOf(value)]);
  return {
    bindings: new Map(entries),
    forgotten: new Set(),
    ownerDigest: null,
    baseUrl: null,
    settings: new Set(),
    managedSections: new Set(),
    ...more,
  };
}

/** Returns the bindings of a state in the form that `stateWith` takes. */
export function bindingsOf({ bindings }: LedgerState): Bindings {
  return Object.fromEntries([...bindings].map(([address, binding]) => [address, binding.origin === 'adopted' ? binding : binding.id]));
}

/** Builds a ledger in which these resources were applied at the commit `c1`. */
export function historyOf(resources: readonly DesiredResource[], state: LedgerState): LedgerHistory {
  const commits = new Map([['c1', desiredStateOf(resources)]]);
  return { state, lastApplied: lastAppliedOf(resources), commit: 'c1', pendingSince: new Map(), commits };
}

/** Builds the last applied resources. */
export function lastAppliedOf(resources: readonly DesiredResource[], unknown: readonly string[] = []): LastApplied {
  return { resources: new Map(resources.map((resource) => [resource.address, resource])), unknownAddresses: new Set(unknown) };
}

/** Plans with the state of a ledger. */
export function planAfter(
  account: FakeAccount,
  desiredState: DesiredState,
  history: LedgerHistory,
  more: Partial<PlanInput> = {},
): Promise<PlanResult> {
  return buildPlan(planInputOf(account, desiredState, { ledgerState: history.state, lastApplied: history.lastApplied, ...more }));
}

/** Plans, applies and records the apply of a commit. Returns the next ledger as `history`. */
export async function planAndApply(
  account: FakeAccount,
  desiredState: DesiredState,
  history: LedgerHistory,
  commit: string,
  more: Partial<PlanInput> = {},
) {
  const input = planInputOf(account, desiredState, { ledgerState: history.state, lastApplied: history.lastApplied, ...more });
  const planResult = await buildPlan(input);
  const done = await applyPlan(account, planResult);
  const results = new Map(done.outcome.outcomes.map(({ address, result }) => [address, result]));
  const { state, pendingSince } = nextState(history, input, planResult, { results, ids: done.ids, at: '2026-01-01T00:00:00Z' });
  const commits = new Map([...history.commits, [commit, desiredState]]);
  return {
    planResult,
    outcomeLines: done.outcomeLines,
    history: { state, pendingSince, commit, commits, lastApplied: lastAppliedAt(commits, commit, pendingSince) },
  };
}

function lastAppliedAt(commits: LedgerHistory['commits'], commit: string, pending: LedgerHistory['pendingSince']): LastApplied {
  const at = (name: string | null) => new Map((commits.get(name ?? '')?.resources ?? []).map((each) => [each.address, each]));
  const resources = at(commit);
  for (const [address, name] of pending) {
    const resource = at(name).get(address);
    if (resource) resources.set(address, resource);
    else resources.delete(address);
  }
  return { resources, unknownAddresses: new Set([...pending].flatMap(([address, name]) => (name === null ? [address] : []))) };
}
