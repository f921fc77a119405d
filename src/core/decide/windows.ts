/** Decides what change windows hold back (design section 15). */
import type { Change } from '../model/change.ts';
import { type Exception, exceptionsText, type Hold } from '../model/decision.ts';
import { formatInstant } from '../model/instant.ts';
import { inZone } from '../windows/local-time.ts';
import { type Closure, windowState } from '../windows/window-state.ts';
import type { Windows } from '../windows/windows.ts';

/**
 * Returns one hold for each window that closes; none where all that is sent passes, which nothing does as long as nobody knows what that is
 * (null). `now` in Unix milliseconds.
 */
export function holdsOfWindows(
  windows: readonly Windows[],
  sent: readonly Change[] | null,
  now: number,
): readonly Omit<Hold, 'rule' | 'on'>[] {
  const { isOpen, exceptions, closedBy } = windowState(windows, now);
  const passes = exceptions.length > 0 && sent?.every((change) => exceptions.some((exception) => IS[exception](change)));
  if (isOpen || passes) return [];
  return closedBy.map((closure) => ({
    status: 'waits',
    reason: reasonOf(closure),
    lift: { course: closure.endsAt === null ? 'run it again when that has changed' : 'run it again then', allow: 'window' },
    ...timesOf(closure.endsAt, closure.timeZone),
    // What another entry closes, too, does not pass.
    ...(exceptions.length === 0 ? {} : { unless: exceptions }),
  }));
}

const IS: { readonly [exception in Exception]: (change: Change) => boolean } = {
  strengthens: ({ effect }) => effect === 'strengthens',
  reverts: ({ origin }) => origin === 'drift',
};

/** Returns when all windows are open next, whatever closes them until then; null where nobody knows. `now` in Unix milliseconds. */
export function opensAt(windows: readonly Windows[], now: number): number | null {
  const { isOpen, changesAt } = windowState(windows, now);
  return isOpen ? now : changesAt;
}

/** Returns a time as the members of a hold: in UTC, and as the clocks of a zone show it. */
function timesOf(at: number | null, timeZone: string | null): Pick<Hold, 'until' | 'localUntil'> {
  return {
    until: at === null ? null : new Date(at).toISOString(),
    ...(at === null || timeZone === null ? {} : { localUntil: inZone(at, timeZone) }),
  };
}

function reasonOf({ why }: Closure): string {
  return why === null ? 'none of its windows is open' : `its window is closed: ${why}`;
}

/** Says of windows whether they are open, why not, and when they open and close next. `now` in Unix milliseconds. */
export function windowText(windows: readonly Windows[], now: number): string {
  const { isOpen, exceptions, closedBy, changesAt, changesBackAt } = windowState(windows, now);
  const zone = windows.findLast(({ timeZone }) => timeZone !== null)?.timeZone ?? null;
  const at = (instant: number) => (zone === null ? formatInstant(instant) : `${inZone(instant, zone)} (${formatInstant(instant)})`);
  const next = [
    ...(changesAt === null ? [] : [`${isOpen ? 'closes' : 'opens'} at ${at(changesAt)}`]),
    ...(changesBackAt === null ? [] : [`${isOpen ? 'opens again' : 'closes again'} at ${at(changesBackAt)}`]),
  ];
  const passes = exceptions.length === 0 ? '' : `; ${exceptionsText(exceptions)} passes`;
  const state = isOpen ? 'open' : `closed: ${closedBy.map(({ why }) => why ?? 'none is open').join(', ')}${passes}`;
  return [state, ...next].join('; ');
}
