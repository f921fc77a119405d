/**
 * Decides what the stages of a target hold back (design section 15): what the targets before it have not carried, and what it has taken back
 * itself. The ledgers are read as far as that needs them; what is told of them too briefly is not known, and holds.
 */
import type { RuleHold } from '../model/decision.ts';
import { decideStage, decideTakenBack, type StageAnswer, type StageHistory } from './decide-stage.ts';
import type { StageLook, Stages } from './facts.ts';

/** Returns what the stages of a target hold back, in their order; nothing where the target stands wholly at the commit. */
export function holdsOfStages({ commit, isWholeEntry, before, own, promoted }: Stages): readonly RuleHold[] {
  if (own !== null && 'known' in own.facts && standsWhollyAt(commit, own.facts.known.history)) return [];
  const held = [
    ...(isWholeEntry ? [] : before.map((look) => holdOf(look, decideStage))),
    ...(own === null ? [] : [holdOf(own, decideTakenBack)]),
  ];
  return held.flatMap((hold) => (hold === null ? [] : [{ ...hold, ...(promoted === undefined ? {} : { promoted }) }]));
}

/** Decides whether a target stands wholly at a commit already, so that nothing waits. */
export function standsWhollyAt(commit: string | null, { entries: [newest] }: StageHistory): boolean {
  return commit !== null && newest?.isWhole === true && newest.commit === commit;
}

function holdOf<Facts extends { readonly history: StageHistory }>(
  { target, facts }: StageLook<Facts>,
  decide: (facts: Facts) => StageAnswer,
): RuleHold | null {
  const held = (hold: Pick<RuleHold, 'status' | 'reason' | 'until'>): RuleHold => ({
    target,
    lift: { course: hold.until == null ? 'run it again when that has changed' : 'run it again then', allow: 'promotion' },
    ...hold,
  });
  const unknown = (why: string) => held({ status: 'unknown', reason: `cannot be looked at, which counts as not carried: ${why}` });
  if ('unknown' in facts) return unknown(facts.unknown);
  if ('unusable' in facts)
    return held({ status: 'waits', reason: `cannot have carried this configuration: ${facts.unusable}`, until: null });
  const answer = decide(facts.known);
  if ('needs' in answer) return unknown('its ledger was not read far enough');
  return answer.hold && held({ status: 'waits', ...answer.hold });
}
