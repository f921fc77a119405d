/** Detects the drift of a target: live changes since the commit last applied. Without a ledger it compares with the desired state. */

import { driftReport } from '../drift/drift-report.ts';
import { invertBeforeAfter } from '../plan/before-after.ts';
import { NO_OVERRIDES } from '../safety/checks.ts';
import { reportReadErrors, runMetadata, withApiClient } from './api-connection.ts';
import type { SelectedConfiguration } from './desired-state.ts';
import { EXIT_CODES, type ExitCode } from './exit-codes.ts';
import { type LoadedState, loadState, openLedgerOf } from './load-state.ts';
import { info } from './messages.ts';
import { requireMatchedOnly } from './only.ts';
import type { PlanningOptions } from './options.ts';
import { type PreparedTarget, planTarget } from './plan-target.ts';
import type { TargetRun } from './target-run.ts';

/** Adds the drift of a target to the reports. Returns the exit codes. @throws CliError, GitError, LedgerError */
export async function detectDrift(
  run: TargetRun,
  { configuration: desired, credentials }: PreparedTarget,
  options: PlanningOptions,
): Promise<readonly ExitCode[]> {
  const { session, target, io, reports } = run;
  io.telemetry?.enter('plan');
  const state = await loadState(session, target, io, await openLedgerOf(session, target, io), undefined);
  const configuration = options.ref === undefined ? lastAppliedConfiguration(desired, state) : desired;
  return withApiClient(target, credentials, io, options, async (connection) => {
    const planning = {
      configuration,
      state,
      rollback: null,
      overrides: NO_OVERRIDES,
      references: 'report' as const,
      reportsRiskyEditsOfIgnoredFields: true,
    };
    const planned = await planTarget(session, target, connection, io, options, planning);
    const { input, result } = planned;
    requireMatchedOnly(run, options, planned);
    const incomplete = reportReadErrors(io, result.errors);
    const report = driftReport(result, input.analyzeImpact(invertBeforeAfter(result.beforeAfter)).playbackReasons);
    reports.add({ type: 'drift', plan: { ...report, run: runMetadata(io, connection, state?.last?.entry.at) } });
    if (report.changes.length > 0 && state.last) info(io, describeBase(state.last));
    return [...incomplete, ...(report.changes.length > 0 ? [EXIT_CODES.drift] : [])];
  });
}

/** Returns the configuration last applied, or the desired one if it is unknown. Unknown addresses are taken from the desired one. */
function lastAppliedConfiguration(desired: SelectedConfiguration, state: LoadedState): SelectedConfiguration {
  const { desiredState, previous, lastApplied } = state;
  if (!desiredState || previous.commit === null) return desired;
  const unknown = lastApplied?.unknownAddresses ?? new Set();
  const fromDesired = desired.desiredState.resources.filter(({ address }) => unknown.has(address));
  const replaced = new Set(fromDesired.map(({ address }) => address));
  return {
    desiredState: {
      ...desiredState,
      resources: [...desiredState.resources, ...fromDesired],
      // An address that is no longer declared cannot be compared, so it is left out.
      removed: new Set([...desiredState.removed, ...unknown].filter((address) => !replaced.has(address))),
    },
    state: { commit: previous.commit, dirty: false, digest: desiredState.digest },
    differing: [],
    appliesEarlierCommit: false,
    earlierBindings: null,
    readFrom: null,
  };
}

function describeBase({ commit, entry }: NonNullable<LoadedState['last']>): string {
  return `measured against the apply ${(commit ?? 'not yet recorded').slice(0, 12)} of ${entry.at} by ${entry.by}`;
}
