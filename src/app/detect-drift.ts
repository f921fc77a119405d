/** Detects the drift of a target: live changes since the commit last applied. Without a ledger it compares with the desired state. */
import { driftReport } from '../core/drift/drift-report.ts';
import { EXIT_CODES, type ExitCode } from '../core/model/exit-codes.ts';
import { compareFindings } from '../core/model/finding.ts';
import { invertBeforeAfter } from '../core/plan/before-after.ts';
import { NO_OVERRIDES } from '../core/safety/overrides.ts';
import { reportReadErrors, runMetadata, withApiClient } from './account/api-connection.ts';
import type { TargetRun } from './account/target-run.ts';
import type { SelectedConfiguration } from './history/desired-state.ts';
import { type LoadedState, loadState, openLedgerOf } from './history/load-state.ts';
import { requireMatchedOnly } from './only.ts';
import { type PreparedTarget, planTarget, prepareTarget, rulesUnusedInAccount } from './plan-target.ts';
import { info } from './run/messages.ts';
import type { PlanningOptions } from './run/options.ts';
import type { AppContext } from './run/runtime.ts';
import { type AccountWork, forEachAccount } from './targets/for-each-target.ts';

/** Adds the drift of a target to the reports. Returns the exit codes. @throws CliError, GitError, LedgerError */
async function detectDrift(
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
      command: 'drift' as const,
      configuration,
      state,
      rollback: null,
      overrides: NO_OVERRIDES,
      commandScope: null,
      references: 'report' as const,
      reportsRiskyEditsOfIgnoredFields: true,
    };
    const planned = await planTarget(session, target, connection, io, options, planning);
    const { input, result } = planned;
    requireMatchedOnly(run, options, planned);
    const incomplete = reportReadErrors(io, result.errors);
    const report = driftReport(result, input.analyzeImpact(invertBeforeAfter(result.beforeAfter)).playbackReasons);
    const isOfRules = configuration.desiredState.digest === desired.desiredState.digest;
    const unused = isOfRules ? rulesUnusedInAccount(session, target, planned, options) : [];
    const findings = [...report.findings, ...unused].sort(compareFindings);
    reports.add({ type: 'drift', plan: { ...report, findings, run: runMetadata(io, connection, state?.last?.entry.at) } });
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
    earlier: null,
    readFrom: null,
  };
}

function describeBase({ commit, entry }: NonNullable<LoadedState['last']>): string {
  return `measured against the apply ${(commit ?? 'not yet recorded').slice(0, 12)} of ${entry.at} by ${entry.by}`;
}

/** Reports the live changes of the chosen targets since the commit last applied. */
export function driftTargets(
  io: AppContext,
  options: PlanningOptions,
  further: Pick<AccountWork<PreparedTarget>, 'afterwards'> = {},
): Promise<ExitCode> {
  return forEachAccount(io, options, {
    prepare: (run) => prepareTarget(run, options.ref),
    work: (run, prepared) => detectDrift(run, prepared, options),
    ...further,
  });
}
