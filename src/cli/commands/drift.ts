import { describeRun } from '../../app/describe-run.ts';
import type { SelectedConfiguration } from '../../app/desired-state.ts';
import { CliError, EXIT_CODES, type ExitCode } from '../../app/exit-codes.ts';
import { forEachAccount } from '../../app/for-each-target.ts';
import { type LoadedState, loadState, openLedgerOf } from '../../app/load-state.ts';
import type { PlanningOptions } from '../../app/options.ts';
import { info } from '../../app/output.ts';
import { planTarget, reportReadErrors, warnUnmatchedOnly, withApiClient } from '../../app/plan-target.ts';
import { prepareTarget } from '../../app/prepare-target.ts';
import { reportOriginOf } from '../../app/report-origin.ts';
import type { CliContext } from '../../app/runtime.ts';
import { type DetectedHost, type DetectOptions, detect } from '../../code-hosts/detect.ts';
import { driftReport } from '../../drift/drift-report.ts';
import { NO_OVERRIDES } from '../../safety/checks.ts';

/** Flags of `drift`. */
export interface DriftOptions extends PlanningOptions, DetectOptions {
  readonly issue?: true | undefined;
  readonly id?: string | undefined;
}

/**
 * Runs `drift`: reports live changes since the commit last applied; without a ledger, or before the first apply, against the desired
 * state.
 */
export function drift(commandIo: CliContext, options: DriftOptions): Promise<ExitCode> {
  const detected = options.issue ? issuesAt(commandIo, options) : null;
  return forEachAccount(commandIo, options, {
    prepare: (run) => prepareTarget(run, options.ref),
    async work({ session, target, io, reports }, { configuration: desired, credentials }) {
      const openLedger = await openLedgerOf(session, target, io);
      const before = await loadState(session, target, io, openLedger, undefined);
      const configuration = options.ref === undefined ? lastApplied(desired, before) : desired;
      return withApiClient(target, credentials, io, options, async (account) => {
        const planning = { configuration, remembered: before, allowed: NO_OVERRIDES, checks: false };
        const { reconciled: planResult } = await planTarget(session, target, account, io, options, planning);
        warnUnmatchedOnly(io, options, planResult.plan);
        const incomplete = reportReadErrors(io, planResult.errors);
        const report = driftReport(planResult);
        reports.add({ type: 'drift', plan: { ...report, run: describeRun(io, account, before) } });
        if (report.changes.length > 0 && before.last) info(io, departure(before.last));
        return [...incomplete, ...(report.changes.length > 0 ? [EXIT_CODES.drift] : [])];
      });
    },
    async afterwards({ folder }, documents) {
      if (detected === null) return [];
      const { keepIssues } = await import('../../code-hosts/drift-issues.ts');
      const site = reportOriginOf(commandIo, options.project);
      return keepIssues(commandIo, { where: detected, folder, project: options.id ?? (site.folder || '.'), site }, documents);
    },
  });
}

/** Where the issues are. An issue is about all that has drifted since the last apply, and nothing else. @throws CliError */
function issuesAt(io: CliContext, options: DriftOptions): DetectedHost {
  const narrowed = options.only.length > 0 ? '--only' : options.ref === undefined ? null : '--ref';
  if (narrowed === null) return detect(io, options);
  throw new CliError(
    EXIT_CODES.invalid,
    'usage',
    `--issue takes no ${narrowed}`,
    'omit one of them: an issue reports the whole drift since the last apply',
  );
}

/** The configuration as it was last applied, where that is known; what is not known of it is taken from today's. */
function lastApplied(desired: SelectedConfiguration, { desiredState, previous, lastApplied: base }: LoadedState): SelectedConfiguration {
  if (!desiredState || previous.commit === null) return desired;
  const unknown = base?.unknown ?? new Set();
  const today = desired.desiredState.resources.filter(({ address }) => unknown.has(address));
  const known = new Set(today.map(({ address }) => address));
  const declared = {
    ...desiredState,
    resources: [...desiredState.resources, ...today],
    // What is declared no longer cannot be judged, so it is left out.
    removed: new Set([...desiredState.removed, ...unknown].filter((address) => !known.has(address))),
  };
  return {
    desiredState: declared,
    state: { commit: previous.commit, dirty: false, digest: desiredState.digest },
    appliesEarlierCommit: false,
  };
}

function departure({ commit, entry }: NonNullable<LoadedState['last']>): string {
  return `measured against the apply ${(commit ?? 'not yet recorded').slice(0, 12)} of ${entry.at} by ${entry.by}`;
}
