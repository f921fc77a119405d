/**
 * Composes how a run goes on (design section 16): what has to be done first, and the command that makes the changes of its plan and no others.
 * Nothing else composes an apply.
 */
import { commandOf, shellText } from '../model/command-line.ts';
import type { Hold, NextStep, Status } from '../model/decision.ts';
import { writtenOverrides } from '../safety/overrides.ts';
import type { CommandFacts, Facts } from './facts.ts';

/** What is decided of a run. */
export interface Held {
  readonly status: Status;
  /** What holds it back. */
  readonly holds: readonly Hold[];
  /** Of what waits: when that is over, ISO 8601; null where nobody knows. */
  readonly until: string | null;
}

/**
 * Returns how a run goes on, in the order in which that is done; nothing for one that goes on by itself, and where there is nothing to do.
 * `lifted` is what is decided of it once nothing is blocked; null where overrides do not lead there.
 */
export function nextSteps(
  { moment, target, plan, commands, overrides }: Pick<Facts, 'moment' | 'target' | 'plan' | 'commands' | 'overrides'>,
  held: Held,
  lifted: Held | null,
): readonly NextStep[] {
  const { status, holds } = held;
  if (status === 'nothing' || (status === 'ready' && moment !== 'plan')) return [];
  const edits = holds.flatMap(({ lift }) => lift?.edit ?? []);
  const courses = holds.flatMap(({ lift, until }) => (until == null ? (lift?.course ?? []) : []));
  const isStale = holds.some(({ rule }) => rule === 'stale-plan');
  const scope = commands?.scope ?? null;
  const adds = addedSteps(lifted ?? held);
  const command = commands === null ? null : applyStep(commands, { target, plan, overrides, canAdd: adds.length > 0 }, held, lifted);
  return [
    ...[...new Set([...edits, ...courses])].map((say): NextStep => ({ from: 'now', say })),
    ...(isStale && scope !== null
      ? [
          {
            from: 'now',
            command: commandOf('plan', scope, { target, allow: writtenOverrides(overrides) }),
            say: 'see the new plan',
          } as const,
        ]
      : []),
    ...(command === null ? [] : [command]),
    ...adds,
  ];
}

/** Returns the apply that makes the changes of a plan, and when; null where none does. */
function applyStep(
  { scope, lifted: liftedPlan }: CommandFacts,
  { target, plan, overrides: given, canAdd }: Pick<Facts, 'target' | 'plan' | 'overrides'> & { readonly canAdd: boolean },
  held: Held,
  lifted: Held | null,
): NextStep | null {
  const isLifted = liftedPlan !== null && lifted !== null;
  const { status, until } = isLifted ? lifted : held;
  // Where nothing is blocked, and only a merge ends the wait, the run of the merged commit goes on.
  if (status !== 'ready' && !(status === 'waits' && (isLifted || until !== null || canAdd))) return null;
  const from = status === 'ready' ? 'now' : until;
  const step = isLifted
    ? { from, say: `apply this plan with ${flagsOf(liftedPlan.allow)}`, allow: liftedPlan.allow }
    : { from, say: 'apply this plan' };
  if (scope === null) return isLifted ? step : null;
  const [overrides, expect] = isLifted ? [liftedPlan.overrides, liftedPlan.plan.fingerprint] : [given, plan?.fingerprint];
  if (expect === undefined) return null;
  return { ...step, command: commandOf('apply', scope, { target, allow: writtenOverrides(overrides), expect }) };
}

/** Returns what lets a run pass now that waits, or of which nobody can tell whether it has to; nothing where that is not enough. */
function addedSteps({ holds }: Held): readonly NextStep[] {
  const lifts = holds.map(({ on, lift }) => (on === null ? lift?.allow : undefined));
  const adds = [...new Set(lifts.flatMap((allow) => allow ?? []))];
  return adds.length === 0 || lifts.includes(undefined) ? [] : [{ from: 'now', say: `add ${flagsOf(adds)}`, adds }];
}

function flagsOf(allow: readonly string[]): string {
  return shellText(allow.flatMap((each) => ['--allow', each]));
}
