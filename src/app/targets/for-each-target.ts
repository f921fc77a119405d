import type { Target } from '../../core/config/project.ts';
import { targetsBefore } from '../../core/config/stages.ts';
import { groupBy } from '../../core/model/collections.ts';
import { EXIT_CODES, type ExitCode, highestPrecedence } from '../../core/model/exit-codes.ts';
import type { Document } from '../../report/index.ts';
import type { TargetResult } from '../../report/text/target-table.ts';
import { hideKeys, hideOwners } from '../account/credentials.ts';
import { warnAboutExceptions } from '../account/proxy.ts';
import { separateRun, type TargetRun, targetRun } from '../account/target-run.ts';
import { withTrustedSettings } from '../history/trust-from.ts';
import { withUncheckedFiles } from '../history/work-tree.ts';
import { CliError, failureOf, interrupted, toCliError } from '../run/exit-codes.ts';
import { info } from '../run/messages.ts';
import { hidesProgress, type ShardOptions, type TargetOptions } from '../run/options.ts';
import { chosenTargets, type OpenProject, openProject } from '../run/project.ts';
import { orFailure, type Reports, withReports } from '../run/reports.ts';
import type { AppContext } from '../run/runtime.ts';
import { targetsInShard } from '../run/shard.ts';
import { withTelemetry } from '../run/telemetry.ts';
import { hideReceivers, notify, type TargetEnd } from './notify.ts';

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
  /** Whether a target begins only after the targets before it (`after`), where these are chosen as well and were done. */
  readonly isOrdered?: boolean;
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
  return withSession(io, options, (run) => runSequentially(run, requireOneRecorded(choose(run.session), options), work));
}

/** Runs a command for the accounts of the chosen targets, several at a time; each target is prepared and reported separately. */
export function forEachAccount<Prepared>(io: AppContext, options: ShardOptions, work: AccountWork<Prepared>): Promise<ExitCode> {
  return withSession(io, options, async (run) => {
    const targets = requireOneRecorded(sharedTargets(run.io, chosenTargets(run.session, options.target), options), options);
    const exits = targets.length > 1 ? await runConcurrently(run, targets, work, options) : await runSequentially(run, targets, work);
    return [...exits, ...((await work.afterwards?.(run.session, run.documents)) ?? [])];
  });
}

async function runConcurrently<Prepared>(
  { io, session, reports, begun, ended }: CommandRun,
  targets: readonly Target[],
  { asks = false, writes = false, isOrdered = false, prepare, work }: AccountWork<Prepared>,
  options: ShardOptions,
): Promise<readonly ExitCode[]> {
  const { runTargets } = await import('./multi-target.ts');
  return runTargets(io, reports, {
    session,
    targets,
    quiet: hidesProgress(options),
    asks,
    writes,
    // With --shard, the others may run elsewhere: what counts is what their ledgers say.
    before: (target) => (isOrdered && !options.shard ? targetsBefore(targets, target) : []),
    async work(run) {
      begun(run);
      run.io.telemetry?.enter('prepare');
      return work(run, await prepare(run));
    },
    ended,
  });
}

/** Returns the chosen targets that belong to this shard; prints a note if there are none. */
export function sharedTargets(io: AppContext, chosen: readonly Target[], { shard }: Pick<ShardOptions, 'shard'>): readonly Target[] {
  if (!shard) return chosen;
  const targets = targetsInShard(chosen, shard);
  if (targets.length === 0) info(io, `shard ${shard.index}/${shard.count} has none of the ${chosen.length} chosen targets: nothing to do`);
  return targets;
}

/** Refuses to record several targets in one file: a replay could not tell their accounts apart. @throws CliError */
function requireOneRecorded(targets: readonly Target[], { record }: Pick<TargetOptions, 'record'>): readonly Target[] {
  if (record === undefined || targets.length < 2) return targets;
  const summary = `--record takes one target at a time, and ${targets.length} are chosen`;
  throw new CliError(EXIT_CODES.invalid, 'usage', summary, 'choose one with --target');
}

/** A run of a command on an open project. */
interface CommandRun {
  readonly io: AppContext;
  readonly session: OpenProject;
  readonly reports: Reports;
  /** The documents that were reported so far. */
  readonly documents: readonly Document[];
  /** Called when a target begins with its work. */
  begun(run: TargetRun): void;
  /** Called when a target is done, with its exit codes. */
  ended(run: TargetRun, exits: readonly ExitCode[]): void;
}

/** Returns the target that a document is about, of those with a plan or an outcome, and of failures; null for any other. */
function targetOf(document: Document): string | null {
  switch (document.type) {
    case 'plan':
    case 'drift':
      return document.plan.target;
    case 'outcome':
      return document.outcome.target;
    case 'failure':
      return document.failure.target;
    default:
      return null;
  }
}

/** Opens the project, runs the command, writes its reports, and tells the receivers of `notify` how its targets ended. */
function withSession(io: AppContext, options: TargetOptions, work: (run: CommandRun) => Promise<readonly ExitCode[]>): Promise<ExitCode> {
  return withTelemetry(io, options, async (observed) => {
    const documents: Document[] = [];
    const ends: TargetEnd[] = [];
    const begins = new Map<string, number>();
    const results = new Map<string, Omit<TargetResult, 'documents'>>();
    let project: OpenProject['project'] | null = null;
    const exit = await withReports(observed, options, async (reports) => {
      warnAboutExceptions(observed);
      const opened = openProject(observed, options);
      const session =
        options.trustFrom === undefined
          ? await withUncheckedFiles(opened, observed)
          : await withTrustedSettings(opened, options.trustFrom, observed);
      project = session.project;
      hideReceivers(project.notify, observed);
      await hideKeys(session, observed);
      reports.protectFiles(session.read);
      const withDocuments: Reports = {
        ...reports,
        add(document, renderOptions) {
          documents.push(document);
          reports.add(document, renderOptions);
        },
      };
      const ended: CommandRun['ended'] = ({ target, io: { telemetry, secrets } }, exits) => {
        telemetry?.emit('target ended', { exit: highestPrecedence(exits) });
        ends.push({ target: target.name, exits, secrets });
        const began = begins.get(target.name);
        const tookMs = began === undefined ? null : observed.elapsed() - began;
        results.set(target.name, { target: target.name, exit: highestPrecedence(exits), tookMs });
      };
      const begun: CommandRun['begun'] = ({ target }) => void begins.set(target.name, observed.elapsed());
      const run = async (context: AppContext) => {
        const exits = await work({ io: context, session, reports: withDocuments, documents, begun, ended });
        const byTarget = groupBy(documents, targetOf);
        reports.showTargets(
          session.project.targets.flatMap(({ name }) => {
            const result = results.get(name);
            return result ? [{ ...result, documents: byTarget.get(name) ?? [] }] : [];
          }),
        );
        return exits;
      };
      const { record, out } = options;
      return record === undefined ? run(observed) : (await import('./recording.ts')).withRecording(observed, { record, out }, run);
    });
    if (project !== null) await notify(observed, options, project, { documents, ends });
    return exit;
  });
}

/**
 * Prepares all targets before it runs the first, so that no request is sent if one is invalid. After that a failing target does not stop
 * the others; an interrupt does.
 */
async function runSequentially<Prepared>(
  { io, session, reports, begun, ended }: CommandRun,
  targets: readonly Target[],
  { prepare, work }: TargetWork<Prepared>,
): Promise<readonly ExitCode[]> {
  const runOf = targets.length > 1 ? separateRun : targetRun;
  const preparedRuns: { readonly run: TargetRun; readonly prepared: Prepared | CliError }[] = [];
  for (const target of targets) {
    const run = runOf(session, target, io, reports);
    await hideOwners(target, session, run.io);
    run.io.telemetry?.enter('prepare');
    preparedRuns.push({ run, prepared: await prepare(run).catch(toCliError) });
  }
  if (preparedRuns.some(({ prepared }) => prepared instanceof CliError)) return reportPreparationErrors(preparedRuns, ended);
  const exits: ExitCode[] = [];
  for (const { run, prepared } of preparedRuns) {
    const targetExits = await orFailure(run.target.name, run.reports, async () => {
      if (io.signal.aborted) throw interrupted();
      begun(run);
      return prepared instanceof CliError ? [] : work(run, prepared);
    });
    ended(run, targetExits);
    exits.push(...targetExits);
  }
  return exits;
}

/** Reports the errors of the invalid targets, and the other targets as skipped. */
function reportPreparationErrors(
  runs: readonly { readonly run: TargetRun; readonly prepared: unknown }[],
  ended: CommandRun['ended'],
): readonly ExitCode[] {
  return runs.map(({ run, prepared }) => {
    const error = prepared instanceof CliError ? prepared : skippedError(run.target);
    run.reports.add({ type: 'failure', failure: failureOf(run.target.name, error) });
    ended(run, [error.exit]);
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
