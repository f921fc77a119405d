/** Checks what an apply would wait for: its stages and its windows. */
import type { Target } from '../../core/config/project.ts';
import { waitText } from '../../report/view/waits.ts';
import type { OpenProject } from '../run/project.ts';
import type { AppContext } from '../run/runtime.ts';
import { hasWindows } from '../waits/branch-rules.ts';
import { type ConditionsAtTip, conditionsAtTip } from '../waits/conditions.ts';
import { stateOfWindows, windowText } from '../waits/windows.ts';
import { type CheckResult, ok, warning } from './check.ts';

/** Checks the stages and windows of a target; nothing where it has neither. An apply that waits is a warning only. */
export async function checkConditions(session: OpenProject, target: Target, io: AppContext): Promise<readonly CheckResult[]> {
  const conditions = await conditionsAtTip(session, target, io);
  if (conditions === null) return [];
  if ('unreadable' in conditions) {
    const remedy = 'apply writes nothing until they can be read';
    return [warning('conditions', `the stages and windows that count cannot be read: ${conditions.unreadable}`, remedy)];
  }
  const { rules } = conditions;
  return [
    ...(rules.target.after.length > 0 ? [stagesCheck(conditions)] : []),
    ...(hasWindows(rules) ? [windowsCheck(conditions, io.now())] : []),
  ];
}

function stagesCheck({ rules, stages }: ConditionsAtTip): CheckResult {
  if (stages.length === 0) return ok('stages', `what is on ${rules.target.branch ?? 'the branch'} is promoted`);
  return warning('stages', stages.map(waitText).join('; '), '`--ref promoted` takes the newest commit that does not wait');
}

function windowsCheck({ rules }: ConditionsAtTip, now: number): CheckResult {
  const text = windowText(rules, now);
  if (stateOfWindows(rules, now).isOpen) return ok('windows', text);
  return warning('windows', text, 'wait until it opens, or override with `--allow window`');
}
