/** Decides whether the windows of a target are open. */

import type { Change } from '../../core/model/change.ts';
import { formatInstant } from '../../core/model/instant.ts';
import type { Wait } from '../../core/model/wait.ts';
import { inZone } from '../../core/windows/local-time.ts';
import { type Closure, type WindowState, windowState } from '../../core/windows/window-state.ts';
import type { WaitRules } from './branch-rules.ts';

/** Returns the state of the windows of a target and of its project together. `now` in Unix milliseconds. */
export function stateOfWindows({ project, target }: WaitRules, now: number): WindowState {
  return windowState([project.windows, target.windows], now);
}

/** Returns why changes must not be sent now; `sent` as in `Conditions`. */
export function waitsForWindows(rules: WaitRules, sent: readonly Change[] | null, now: number): readonly Wait[] {
  const { isOpen, isOpenToStrengthening, closedBy, changesAt } = stateOfWindows(rules, now);
  if (isOpen) return [];
  if (isOpenToStrengthening && (sent === null || sent.every(({ effect }) => effect === 'strengthens'))) return [];
  return closedBy.map(
    (closure): Wait => ({
      condition: 'window',
      reason: reasonOf(closure),
      until: changesAt === null ? null : new Date(changesAt).toISOString(),
      ...(changesAt === null || closure.timeZone === null ? {} : { localUntil: inZone(changesAt, closure.timeZone) }),
      // Where another entry closes them, too, nothing passes.
      ...(closure.unless === null || !isOpenToStrengthening ? {} : { unless: closure.unless }),
    }),
  );
}

function reasonOf({ type, why }: Closure): string {
  return type === 'deny' ? `its window is closed: ${why}` : `none of its windows is open: ${why}`;
}

/** Says of windows whether they are open, why not, and when they open and close next. */
export function windowText(rules: WaitRules, now: number): string {
  const { isOpen, isOpenToStrengthening, closedBy, changesAt, changesBackAt } = stateOfWindows(rules, now);
  const zone = rules.target.windows.timeZone ?? rules.project.windows.timeZone;
  const at = (instant: number) => (zone === null ? formatInstant(instant) : `${inZone(instant, zone)} (${formatInstant(instant)})`);
  const next = [
    ...(changesAt === null ? [] : [`${isOpen ? 'closes' : 'opens'} at ${at(changesAt)}`]),
    ...(changesBackAt === null ? [] : [`${isOpen ? 'opens again' : 'closes again'} at ${at(changesBackAt)}`]),
  ];
  const exception = isOpenToStrengthening ? '; what only strengthens protection passes' : '';
  const state = isOpen ? 'open' : `closed: ${closedBy.map(({ why }) => why).join(', ')}${exception}`;
  return [state, ...next].join('; ');
}
