/** Checks what an apply would wait for: its stages and its windows. */
import type { Target } from '../../core/config/project.ts';
import { waitText } from '../../report/view/waits.ts';
import type { OpenProject } from '../run/project.ts';
import type { AppContext } from '../run/runtime.ts';
import { hasWindows, rulesOfBranch, rulesOfRun } from '../waits/branch-rules.ts';
import { openStages } from '../waits/stages.ts';
import { stateOfWindows, windowText } from '../waits/windows.ts';
import { type CheckResult, ok, warning } from './check.ts';

/** Checks the stages and windows of a target; nothing where it has neither. An apply that waits is a warning only. */
export async function checkConditions(session: OpenProject, target: Target, io: AppContext): Promise<readonly CheckResult[]> {
  if (target.branch === null && !hasWindows(rulesOfRun(session, target))) return [];
  const rules = await rulesOfBranch(session, target, io);
  if ('unreadable' in rules) {
    const remedy = 'apply writes nothing until they can be read';
    return [warning('conditions', `the stages and windows that count cannot be read: ${rules.unreadable}`, remedy)];
  }
  const now = io.now();
  const windows = (): CheckResult => {
    const text = windowText(rules, now);
    if (stateOfWindows(rules, now).isOpen) return ok('windows', text);
    return warning('windows', text, 'wait until it opens, or override with `--allow window`');
  };
  const stages = async (): Promise<CheckResult> => {
    const { tip, target: declared } = rules;
    const opened = openStages(session, rules, io);
    const waits = tip === null ? [] : await opened.waitsOf(opened.at(tip), now);
    if (waits.length === 0) return ok('stages', `what is on ${declared.branch ?? 'the branch'} is promoted`);
    return warning('stages', waits.map(waitText).join('; '), '`--ref promoted` takes the newest commit that does not wait');
  };
  return [...(rules.target.after.length > 0 ? [await stages()] : []), ...(hasWindows(rules) ? [windows()] : [])];
}
