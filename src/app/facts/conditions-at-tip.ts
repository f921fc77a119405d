/** What holds a target back, without a plan: as an apply of the tip of its branch would find it. */
import type { Target } from '../../core/config/project.ts';
import { decide } from '../../core/decide/decide.ts';
import { NO_STAGES, undecidedFacts } from '../../core/decide/facts.ts';
import type { Decision } from '../../core/model/decision.ts';
import type { Windows } from '../../core/windows/windows.ts';
import type { OpenProject } from '../run/project.ts';
import type { AppContext } from '../run/runtime.ts';
import { hasConditions, hasWindows, rulesOfBranch, rulesOfRun } from './branch-rules.ts';
import { openStages } from './stages.ts';

/** What holds back the tip of a target's branch. */
export interface ConditionsAtTip {
  /** The target as it stands there, or in this run where that cannot be read. */
  readonly target: Target;
  /** The windows of the project and of the target; null where there are none. */
  readonly windows: readonly Windows[] | null;
  /** What an apply of the tip that has something to do would be told. */
  readonly decision: Decision;
  /** Why its stages and windows cannot be read, a clause; null where they can. */
  readonly unreadable: string | null;
}

/** Reads what holds a target back; null where it uses neither stages nor windows, as far as anybody can tell. */
export async function conditionsAtTip(session: OpenProject, target: Target, io: AppContext): Promise<ConditionsAtTip | null> {
  const isUsed = hasConditions(rulesOfRun(session, target));
  if (target.branch === null && !isUsed) return null;
  const facts = undecidedFacts(null, target.name, io.now());
  const rules = await rulesOfBranch(session, target, io);
  if ('unreadable' in rules) {
    if (!isUsed) return null;
    const unknown = unreadableFact(rules.unreadable);
    const decision = decide({ ...facts, stages: unknown, windows: unknown });
    return { target, windows: null, decision, unreadable: rules.unreadable };
  }
  if (!hasConditions(rules)) return null;
  const reader = openStages(session, rules, io);
  const stages = rules.tip === null ? NO_STAGES : await reader.look(reader.at(rules.tip), io.now());
  const windows = [rules.project.windows, rules.target.windows];
  const decision = decide({ ...facts, stages: { known: stages }, windows: { known: windows } });
  return { target: rules.target, windows: hasWindows(rules) ? windows : null, decision, unreadable: null };
}

/** Returns the fact about stages or windows that cannot be read. */
export function unreadableFact(why: string): { readonly unknown: string } {
  return { unknown: `its stages and windows cannot be read, which counts as closed: ${why}` };
}
