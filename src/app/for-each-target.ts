import type { Target } from '../config/project.ts';
import type { Document } from '../report/index.ts';
import { CliError, EXIT_CODES, type ExitCode, failureOf, interrupted, toCliError } from './exit-codes.ts';
import type { ShardOptions, TargetOptions } from './options.ts';
import { info, type Reports } from './output.ts';
import { chosenTargets, type OpenProject, openProject } from './project.ts';
import type { CliContext } from './runtime.ts';
import { inShard } from './shard.ts';
import { separateRun, type TargetRun, targetRun } from './target-run.ts';
import { orFailure, reporting } from './with-reports.ts';

/** What a command does with each target. */
export interface TargetWork<Prepared> {
  /** Everything that can fail before a request is sent: configuration, credentials, saved plans. @throws Stop */
  prepare(run: TargetRun): Promise<Prepared>;
  work(run: TargetRun, prepared: Prepared): Promise<readonly ExitCode[]>;
}

/** What a command does with the account of each target. */
export interface AccountWork<Prepared> extends TargetWork<Prepared> {
  /** Whether the user may be asked about each target. */
  readonly asks?: boolean;
  /** What is done once, with all that was reported, when the last target is done. */
  afterwards?(session: OpenProject, documents: readonly Document[]): Promise<readonly ExitCode[]>;
}

/** Runs a command over the chosen targets, one after another in the order of upkeep.yaml. */
export function forEachTarget<Prepared>(
  io: CliContext,
  options: TargetOptions,
  work: TargetWork<Prepared>,
  choose: (session: OpenProject) => readonly Target[] = (session) => chosenTargets(session, options.target),
): Promise<ExitCode> {
  return withSession(io, options, (session, reports) => oneByOne(io, session, choose(session), work, reports));
}

/** Runs a command over the accounts of the chosen targets: several of them at a time, each prepared and reported for itself. */
export function forEachAccount<Prepared>(io: CliContext, options: ShardOptions, work: AccountWork<Prepared>): Promise<ExitCode> {
  return withSession(io, options, async (session, reports) => {
    const targets = sharedTargets(io, chosenTargets(session, options.target), options);
    const documents: Document[] = [];
    const noting: Reports = {
      ...reports,
      add(document, look) {
        documents.push(document);
        reports.add(document, look);
      },
    };
    const exits =
      targets.length > 1 ? await several(io, session, targets, work, options, noting) : await oneByOne(io, session, targets, work, noting);
    return [...exits, ...((await work.afterwards?.(session, documents)) ?? [])];
  });
}

async function several<Prepared>(
  io: CliContext,
  session: OpenProject,
  targets: readonly Target[],
  { asks = false, prepare, work }: AccountWork<Prepared>,
  options: Pick<ShardOptions, 'quiet'>,
  reports: Reports,
): Promise<readonly ExitCode[]> {
  const { runTargets } = await import('./multi-target.ts');
  return runTargets(io, reports, {
    session,
    targets,
    quiet: options.quiet === true,
    asks,
    work: async (run) => work(run, await prepare(run)),
  });
}

/** Returns those of the chosen targets that fall to this run, and says where there are none. */
export function sharedTargets(io: CliContext, chosen: readonly Target[], { shard }: Pick<ShardOptions, 'shard'>): readonly Target[] {
  if (!shard) return chosen;
  const own = inShard(chosen, shard);
  if (own.length === 0) info(io, `shard ${shard.index}/${shard.count} has none of the ${chosen.length} chosen targets: nothing to do`);
  return own;
}

function withSession(
  io: CliContext,
  options: TargetOptions,
  work: (session: OpenProject, reports: Reports) => Promise<readonly ExitCode[]>,
): Promise<ExitCode> {
  return reporting(io, options, async (reports) => {
    const session = openProject(io, options);
    reports.protectFiles(session.read);
    return work(session, reports);
  });
}

/**
 * All targets are prepared before the first is begun, so that no request is sent where one is invalid; after that one failing target does
 * not stop the others, an interrupt does.
 */
async function oneByOne<Prepared>(
  io: CliContext,
  session: OpenProject,
  targets: readonly Target[],
  { prepare, work }: TargetWork<Prepared>,
  reports: Reports,
): Promise<readonly ExitCode[]> {
  const runOf = targets.length > 1 ? separateRun : targetRun;
  const ready: { readonly run: TargetRun; readonly prepared: Prepared | CliError }[] = [];
  for (const target of targets) {
    const run = runOf(session, target, io, reports);
    ready.push({ run, prepared: await prepare(run).catch(toCliError) });
  }
  if (ready.some(({ prepared }) => prepared instanceof CliError)) return refused(ready);
  const exits: ExitCode[] = [];
  for (const { run, prepared } of ready) {
    const own = await orFailure(run.target.name, run.reports, async () => {
      if (io.signal.aborted) throw interrupted();
      return prepared instanceof CliError ? [] : work(run, prepared);
    });
    exits.push(...own);
  }
  return exits;
}

/** What is wrong with some targets, and that the others were not begun for it. */
function refused(ready: readonly { readonly run: TargetRun; readonly prepared: unknown }[]): readonly ExitCode[] {
  return ready.map(({ run: { target, reports }, prepared }) => {
    const error = prepared instanceof CliError ? prepared : notBegun(target);
    reports.add({ type: 'failure', failure: failureOf(target.name, error) });
    return error.exit;
  });
}

function notBegun({ name }: Target): CliError {
  return new CliError(
    EXIT_CODES.invalid,
    'not-begun',
    `${name} was not begun, because another target cannot be`,
    'mend the other target, or leave it out',
  );
}
