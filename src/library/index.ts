/**
 * The library: what `import ... from 'upkeep'` gives. Each function runs the use case of the command of its name and returns the documents
 * that the command prints as JSON. It prints nothing, ends no process, and handles no signal.
 */
import { applyTargets } from '../app/apply-target.ts';
import { driftTargets } from '../app/detect-drift.ts';
import { doctorTargets } from '../app/doctor/target.ts';
import { exportOneTarget } from '../app/export-target.ts';
import { planTargets } from '../app/plan-target.ts';
import { CliError, EXIT_CODES } from '../app/run/exit-codes.ts';
import { historyTargets } from '../app/show-history.ts';
import { validateTargets } from '../app/validate.ts';
import type { AccountExportReport } from '../core/model/account-export.ts';
import type { Outcome } from '../core/model/outcome.ts';
import type { Validation } from '../core/model/plan.ts';
import { NO_OVERRIDES, OVERRIDES, type Overrides, withOverride } from '../core/safety/overrides.ts';
import type { Diagnosis } from '../report/documents/diagnosis.ts';
import type { History } from '../report/documents/history.ts';
import { type PlanDocument, withVerdict } from '../report/view/verdict.ts';
import { run } from './run.ts';
import type {
  AccountOptions,
  ApplyOptions,
  DriftOptions,
  ExportedFile,
  ExportOptions,
  Override,
  PlanOptions,
  ProjectOptions,
  Result,
  ValidateOptions,
} from './types.ts';

export type { AccountExportReport } from '../core/model/account-export.ts';
export type { Change } from '../core/model/change.ts';
export type { Fetch, FetchAnswer, FetchInit } from '../core/model/fetch.ts';
export type { Finding } from '../core/model/finding.ts';
export type { ChangeOutcome, Outcome } from '../core/model/outcome.ts';
export type { ErrorReport, Validation } from '../core/model/plan.ts';
export type { Check, Diagnosis } from '../report/documents/diagnosis.ts';
export type { History, HistoryEntry } from '../report/documents/history.ts';
export type { PlanDocument } from '../report/view/verdict.ts';
export type { DrmPolicy, Playlist, ProjectFile, SmartStart, SourceFile, Target } from './configuration.ts';
export type * from './types.ts';
export { UpkeepError } from './upkeep-error.ts';

/** Checks the configuration of the targets, all by default; needs no network. `exit` is `done` or `invalid`. @throws UpkeepError */
export function validate(options: ValidateOptions = {}): Promise<Result<Validation>> {
  const { trustFrom } = options;
  return run(
    'validate',
    options,
    (io, common) => validateTargets(io, { ...common, trustFrom }),
    (document) => (document.type === 'validation' ? document.validation : null),
  );
}

/**
 * Plans the targets: what an apply would do. It writes nothing. `exit` is `done`, `changes`, `blocked`, or why the plan is incomplete.
 * @throws UpkeepError
 */
export function plan(options: PlanOptions = {}): Promise<Result<PlanDocument>> {
  const { only = [], ref, base, onlyOrigin, trustFrom, allow = [] } = options;
  return run(
    'plan',
    options,
    async (io, common) => {
      const own = { only, ref, base, onlyOrigin, trustFrom, allow: overridesOf(allow) };
      return planTargets(io, { ...common, ...own, detailedExitcode: true });
    },
    (document) => (document.type === 'plan' ? withVerdict('plan', document.plan) : null),
  );
}

/**
 * Plans, writes, verifies and records the targets. Where changes fail or the run is interrupted, `exit` says so, and the outcome what was
 * done. @throws UpkeepError where nothing was written to a target
 */
export function apply(options: ApplyOptions): Promise<Result<Outcome>> {
  const { only = [], ref, onlyOrigin, allow = [], plans, expect, yes, skipBlocked, lockTimeout = 0 } = options;
  return run(
    'apply',
    options,
    async (io, common) => {
      const own = { only, ref, onlyOrigin, allow: overridesOf(allow), plans, expect, yes, skipBlocked, lockTimeout };
      return applyTargets(io, { ...common, ...own }, null);
    },
    (document) => (document.type === 'outcome' ? document.outcome : null),
  );
}

/**
 * Reports the live changes of the targets since the commit last applied. `exit` is `done`, `drift`, or why the report is incomplete.
 * @throws UpkeepError
 */
export function drift(options: DriftOptions = {}): Promise<Result<PlanDocument>> {
  const { only = [], ref } = options;
  return run(
    'drift',
    options,
    (io, common) => driftTargets(io, { ...common, only, ref }),
    (document) => (document.type === 'drift' ? withVerdict('drift', document.plan) : null),
  );
}

/** Reads the account of one target and returns it as source files; it writes none. @throws UpkeepError */
export async function exportAccount(
  options: ExportOptions = {},
): Promise<Result<AccountExportReport> & { readonly files: readonly ExportedFile[] }> {
  const { assets, groupBy, templates } = options;
  const files: ExportedFile[] = [];
  const writer = {
    folder: null,
    write: (exported: readonly ExportedFile[]) => void files.push(...exported),
    locate: <Located>(finding: Located) => finding,
  };
  const result = await run(
    'exportAccount',
    options,
    (io, common) => exportOneTarget(io, { ...common, assets, groupBy, templates }, () => writer),
    (document) => (document.type === 'export' ? document.accountExport : null),
  );
  return { ...result, files };
}

/** Lists the applies of the targets, newest first, from their ledgers; sends no request to a service. @throws UpkeepError */
export function history(options: ProjectOptions = {}): Promise<Result<History>> {
  return run(
    'history',
    options,
    (io, common) => historyTargets(io, undefined, common),
    (document) => (document.type === 'history' ? document.history : null),
  );
}

/**
 * Checks whether the targets, all by default, could be planned and applied; it writes nothing. `exit` is `done`, or that of a check that
 * failed. @throws UpkeepError
 */
export function doctor(options: AccountOptions = {}): Promise<Result<Diagnosis>> {
  return run(
    'doctor',
    options,
    (io, common) => doctorTargets(io, common),
    (document) => (document.type === 'diagnosis' ? document.diagnosis : null),
  );
}

/** @throws CliError if a name is unknown, which the compiler cannot tell of a program without types */
function overridesOf(allow: readonly Override[]): Overrides {
  return allow.reduce<Overrides>((overrides, name) => {
    const more = withOverride(overrides, name);
    if (more) return more;
    throw new CliError(EXIT_CODES.invalid, 'usage', `allow does not take ${name}`, `it takes ${OVERRIDES.join(', ')}`);
  }, NO_OVERRIDES);
}
