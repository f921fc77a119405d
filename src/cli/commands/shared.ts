import type { Target } from '../../engine/desired/configuration.ts';
import { EXIT, type Exit, failureOf, interrupted, Stop, stopOf } from '../exit.ts';
import type { Io } from '../io.ts';
import type { TargetOptions } from '../options.ts';
import type { Reports } from '../output.ts';
import { chosenTargets, openSession, type Session } from '../session.ts';
import { orFailure, reporting } from './reporting.ts';

/** What a command does with each target. */
export interface TargetWork<Prepared> {
  /** Everything that can fail before a request is sent: configuration, credentials, saved plans. @throws Stop */
  prepare(session: Session, target: Target): Promise<Prepared>;
  work(session: Session, target: Target, prepared: Prepared, reports: Reports): Promise<readonly Exit[]>;
}

/**
 * Runs a command over the chosen targets in the order of upkeep.yaml. All of them are prepared before the first is begun, so that no
 * request is sent where one is invalid; after that one failing target does not stop the others, an interrupt does.
 */
export function overTargets<Prepared>(
  io: Io,
  options: TargetOptions,
  { prepare, work }: TargetWork<Prepared>,
  choose: (session: Session) => readonly Target[] = (session) => chosenTargets(session, options.target),
): Promise<Exit> {
  return reporting(io, options, async (reports) => {
    const session = openSession(io, options);
    reports.spare(session.read);
    const ready: { readonly target: Target; readonly prepared: Prepared | Stop }[] = [];
    for (const target of choose(session)) ready.push({ target, prepared: await prepare(session, target).catch(stopOf) });
    if (ready.some(({ prepared }) => prepared instanceof Stop)) return refused(ready, reports);
    const exits: Exit[] = [];
    for (const { target, prepared } of ready) {
      const own = await orFailure(target.name, reports, async () => {
        if (io.signal.aborted) throw interrupted();
        return prepared instanceof Stop ? [] : work(session, target, prepared, reports);
      });
      exits.push(...own);
    }
    return exits;
  });
}

/** What is wrong with some targets, and that the others were not begun for it. */
function refused(ready: readonly { readonly target: Target; readonly prepared: unknown }[], reports: Reports): readonly Exit[] {
  return ready.map(({ target, prepared }) => {
    const stop = prepared instanceof Stop ? prepared : notBegun(target);
    reports.add({ type: 'failure', failure: failureOf(target.name, stop) });
    return stop.exit;
  });
}

function notBegun({ name }: Target): Stop {
  return new Stop(
    EXIT.invalid,
    'not-begun',
    `${name} was not begun, because another target cannot be`,
    'mend the other target, or leave it out',
  );
}
