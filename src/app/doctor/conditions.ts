/** Checks what an apply would wait for: its stages and its windows. */
import type { Target } from '../../core/config/project.ts';
import { windowText } from '../../core/decide/windows.ts';
import { holdsOf } from '../../core/model/decision.ts';
import { holdText } from '../../report/view/holds.ts';
import { conditionsAtTip } from '../facts/conditions-at-tip.ts';
import type { OpenProject } from '../run/project.ts';
import type { AppContext } from '../run/runtime.ts';
import { type CheckResult, ok, warning } from './check.ts';

/** Checks the stages and windows of a target; nothing where it has neither. An apply that waits is a warning only. */
export async function checkConditions(session: OpenProject, target: Target, io: AppContext): Promise<readonly CheckResult[]> {
  const conditions = await conditionsAtTip(session, target, io);
  if (conditions === null) return [];
  const { decision, windows, unreadable } = conditions;
  if (unreadable !== null) {
    const remedy = 'apply writes nothing until they can be read';
    return [warning('conditions', `the stages and windows that count cannot be read: ${unreadable}`, remedy)];
  }
  const stages = holdsOf(decision, ['promotion']);
  const closed = holdsOf(decision, ['window']);
  return [
    ...(conditions.target.after.length === 0
      ? []
      : [
          stages.length === 0
            ? ok('stages', `what is on ${conditions.target.branch ?? 'the branch'} is promoted`)
            : warning('stages', stages.map(holdText).join('; '), '`--ref promoted` takes the newest commit that does not wait'),
        ]),
    ...(windows === null
      ? []
      : [
          closed.length === 0
            ? ok('windows', windowText(windows, io.now()))
            : warning('windows', windowText(windows, io.now()), 'wait until it opens, or override with `--allow window`'),
        ]),
  ];
}
