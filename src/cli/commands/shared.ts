import type { Target } from '../../engine/desired/configuration.ts';
import type { Document } from '../../report/index.ts';
import { EXIT, type Exit, failureOf, interrupted, Stop, stopOf } from '../exit.ts';
import { runFleet } from '../fleet/fleet.ts';
import { inShard } from '../fleet/spread.ts';
import type { Io } from '../io.ts';
import type { ShardOptions, TargetOptions } from '../options.ts';
import { type Reports, remark } from '../output.ts';
import { chosenTargets, namedTargets, openSession, type Session } from '../session.ts';
import { orFailure, reporting } from './reporting.ts';

/** What a command does with each target. */
export interface TargetWork<Prepared> {
  /** Whether the user may be asked about each target. */
  readonly asks?: boolean;
  /** Everything that can fail before a request is sent: configuration, credentials, saved plans. @throws Stop */
  prepare(session: Session, target: Target): Promise<Prepared>;
  work(session: Session, target: Target, prepared: Prepared, reports: Reports): Promise<readonly Exit[]>;
  /** What is done once, with all that was reported, when the last target is done; not in a member of a fleet. */
  afterwards?(session: Session, documents: readonly Document[]): Promise<readonly Exit[]>;
}

/** Runs a command over the chosen targets, one after another in the order of upkeep.yaml. */
export function overTargets<Prepared>(
  io: Io,
  options: TargetOptions,
  work: TargetWork<Prepared>,
  choose: (session: Session) => readonly Target[] = (session) => chosenTargets(session, options.target),
): Promise<Exit> {
  return withSession(io, options, (session, reports) => oneByOne(io, session, choose(session), work, reports));
}

/** Runs a command over the accounts of the chosen targets: several of them as a fleet. */
export function overAccounts<Prepared>(io: Io, options: ShardOptions, work: TargetWork<Prepared>): Promise<Exit> {
  return withSession(io, options, async (session, own) => {
    const { fleet } = io;
    const targets = fleet ? namedTargets(session, [fleet.target]) : sharedTargets(io, chosenTargets(session, options.target), options);
    const { quiet = false } = options;
    const { reports, documents } = overheard(own);
    const exits =
      targets.length > 1
        ? await runFleet(io, { session, targets, quiet, asks: work.asks === true }, reports)
        : await oneByOne(io, session, targets, work, reports);
    return work.afterwards && !fleet ? [...exits, ...(await work.afterwards(session, documents))] : exits;
  });
}

/** The same reports, and a list of what they take. */
function overheard(reports: Reports): { readonly reports: Reports; readonly documents: readonly Document[] } {
  const documents: Document[] = [];
  const add: Reports['add'] = (document, look) => {
    documents.push(document);
    reports.add(document, look);
  };
  return { reports: { ...reports, add }, documents };
}

/** Those of the chosen targets that fall to this run; that there are none is said. */
export function sharedTargets(io: Io, chosen: readonly Target[], { shard }: Pick<ShardOptions, 'shard'>): readonly Target[] {
  if (!shard) return chosen;
  const own = inShard(chosen, shard);
  if (own.length === 0) remark(io, `shard ${shard.index}/${shard.count} has none of the ${chosen.length} chosen targets: nothing to do`);
  return own;
}

function withSession(
  io: Io,
  options: TargetOptions,
  work: (session: Session, reports: Reports) => Promise<readonly Exit[]>,
): Promise<Exit> {
  return reporting(io, options, async (reports) => {
    const session = openSession(io, options);
    reports.spare(session.read);
    return work(session, reports);
  });
}

/**
 * All targets are prepared before the first is begun, so that no request is sent where one is invalid; after that one failing target does
 * not stop the others, an interrupt does.
 */
async function oneByOne<Prepared>(
  io: Io,
  session: Session,
  targets: readonly Target[],
  { prepare, work }: TargetWork<Prepared>,
  reports: Reports,
): Promise<readonly Exit[]> {
  const ready: { readonly target: Target; readonly prepared: Prepared | Stop }[] = [];
  for (const target of targets) ready.push({ target, prepared: await prepare(session, target).catch(stopOf) });
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
