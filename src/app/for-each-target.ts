import type { Target } from '../config/project.ts';
import type { Document } from '../report/index.ts';
import { CliError, EXIT_CODES, type ExitCode, failureOf, interrupted, toCliError } from './exit-codes.ts';
import { info } from './messages.ts';
import type { ShardOptions, TargetOptions } from './options.ts';
import { chosenTargets, type OpenProject, openProject } from './project.ts';
import { orFailure, type Reports, withReports } from './reports.ts';
import type { AppContext } from './runtime.ts';
import { targetsInShard } from './shard.ts';
import { separateRun, type TargetRun, targetRun } from './target-run.ts';
import { withTrustedSettings } from './trust-from.ts';

/** The work of a command for each target, in two steps. */
export interface TargetWork<Prepared> {
  /** Does everything that can fail before a request is sent: loads configuration, credentials, saved plans. @throws CliError */
  prepare(run: TargetRun): Promise<Prepared>;
  work(run: TargetRun, prepared: Prepared): Promise<readonly ExitCode[]>;
}

/** The work of a command with the account of each target. */
export interface AccountWork<Prepared> extends TargetWork<Prepared> {
  /** Whether the user may be asked about each target. */
  readonly asks?: boolean;
  /** Whether the command writes to the accounts. */
  readonly writes?: boolean;
  /** Runs once after the last target, with all reported documents. */
  afterwards?(session: OpenProject, documents: readonly Document[]): Promise<readonly ExitCode[]>;
}

/** Runs a command for the chosen targets, one after another in the order of upkeep.yaml. */
export function forEachTarget<Prepared>(
  io: AppContext,
  options: TargetOptions,
  work: TargetWork<Prepared>,
  choose: (session: OpenProject) => readonly Target[] = (session) => chosenTargets(session, options.target),
): Promise<ExitCode> {
  return withSession(io, options, (session, reports) => runSequentially(io, session, choose(session), work, reports));
}

/** Runs a command for the accounts of the chosen targets, several at a time; each target is prepared and reported separately. */
export function forEachAccount<Prepared>(io: AppContext, options: ShardOptions, work: AccountWork<Prepared>): Promise<ExitCode> {
  return withSession(io, options, async (session, reports) => {
    const targets = sharedTargets(io, chosenTargets(session, options.target), options);
    const documents: Document[] = [];
    const recordingReports: Reports = {
      ...reports,
      add(document, renderOptions) {
        documents.push(document);
        reports.add(document, renderOptions);
      },
    };
    const exits =
      targets.length > 1
        ? await runConcurrently(io, session, targets, work, options, recordingReports)
        : await runSequentially(io, session, targets, work, recordingReports);
    return [...exits, ...((await work.afterwards?.(session, documents)) ?? [])];
  });
}

async function runConcurrently<Prepared>(
  io: AppContext,
  session: OpenProject,
  targets: readonly Target[],
  { asks = false, writes = false, prepare, work }: AccountWork<Prepared>,
  options: Pick<ShardOptions, 'quiet'>,
  reports: Reports,
): Promise<readonly ExitCode[]> {
  const { runTargets } = await import('./multi-target.ts');
  return runTargets(io, reports, {
    session,
    targets,
    quiet: options.quiet === true,
    asks,
    writes,
    work: async (run) => work(run, await prepare(run)),
  });
}

/** Returns the chosen targets that belong to this shard; prints a note if there are none. */
export function sharedTargets(io: AppContext, chosen: readonly Target[], { shard }: Pick<ShardOptions, 'shard'>): readonly Target[] {
  if (!shard) return chosen;
  const targets = targetsInShard(chosen, shard);
  if (targets.length === 0) info(io, `shard ${shard.index}/${shard.count} has none of the ${chosen.length} chosen targets: nothing to do`);
  return targets;
}

function withSession(
  io: AppContext,
  options: TargetOptions,
  work: (session: OpenProject, reports: Reports) => Promise<readonly ExitCode[]>,
): Promise<ExitCode> {
  return withReports(io, options, async (reports) => {
    const opened = openProject(io, options);
    const session = options.trustFrom === undefined ? opened : await withTrustedSettings(opened, options.trustFrom, io);
    reports.protectFiles(session.read);
    return work(session, reports);
  });
}

/**
 * Prepares all targets before it runs the first, so that no request is sent if one is invalid. After that a failing target does not stop
 * the others; an interrupt does.
 */
async function runSequentially<Prepared>(
  io: AppContext,
  session: OpenProject,
  targets: readonly Target[],
  { prepare, work }: TargetWork<Prepared>,
  reports: Reports,
): Promise<readonly ExitCode[]> {
  const runOf = targets.length > 1 ? separateRun : targetRun;
  const preparedRuns: { readonly run: TargetRun; readonly prepared: Prepared | CliError }[] = [];
  for (const target of targets) {
    const run = runOf(session, target, io, reports);
    preparedRuns.push({ run, prepared: await prepare(run).catch(toCliError) });
  }
  if (preparedRuns.some(({ prepared }) => prepared instanceof CliError)) return reportPreparationErrors(preparedRuns);
  const exits: ExitCode[] = [];
  for (const { run, prepared } of preparedRuns) {
    const targetExits = await orFailure(run.target.name, run.reports, async () => {
      if (io.signal.aborted) throw interrupted();
      return prepared instanceof CliError ? [] : work(run, prepared);
    });
    exits.push(...targetExits);
  }
  return exits;
}

/** Reports the errors of the invalid targets, and the other targets as skipped. */
function reportPreparationErrors(runs: readonly { readonly run: TargetRun; readonly prepared: unknown }[]): readonly ExitCode[] {
  return runs.map(({ run: { target, reports }, prepared }) => {
    const error = prepared instanceof CliError ? prepared : skippedError(target);
    reports.add({ type: 'failure', failure: failureOf(target.name, error) });
    return error.exit;
  });
}

function skippedError({ name }: Target): CliError {
  return new CliError(
    EXIT_CODES.invalid,
    'skipped',
    `${name} was skipped because another target is misconfigured`,
    'fix that target, or deselect it with --target',
  );
}
