/** The functions of the library, each by the use case of its command. `index.ts` says what they promise. */
import { applyTargets } from '../app/apply-target.ts';
import { driftTargets } from '../app/detect-drift.ts';
import { doctorTargets } from '../app/doctor/target.ts';
import { exportOneTarget } from '../app/export-target.ts';
import { planTargets } from '../app/plan-target.ts';
import { CliError } from '../app/run/exit-codes.ts';
import { historyTargets } from '../app/show-history.ts';
import { validateTargets } from '../app/validate.ts';
import { EXIT_CODES } from '../core/model/exit-codes.ts';
import { NO_OVERRIDES, OVERRIDES, type Overrides, withOverride } from '../core/safety/overrides.ts';
import { withVerdict } from '../report/view/verdict.ts';
import { type Called, run } from './run.ts';
import type {
  AccountOptions,
  ApplyOptions,
  DriftOptions,
  ExportedFile,
  ExportOptions,
  Override,
  PlanOptions,
  ProjectOptions,
  ValidateOptions,
} from './types.ts';

/** Does what `validate` of the library does. */
export function validate(options: Called<ValidateOptions>) {
  const { trustFrom } = options;
  return run(
    'validate',
    options,
    (io, common) => validateTargets(io, { ...common, trustFrom }),
    (document) => (document.type === 'validation' ? document.validation : null),
  );
}

/** Does what `plan` of the library does. */
export function plan(options: Called<PlanOptions>) {
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

/** Does what `apply` of the library does. */
export function apply(options: Called<ApplyOptions>) {
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

/** Does what `drift` of the library does. */
export function drift(options: Called<DriftOptions>) {
  const { only = [], ref } = options;
  return run(
    'drift',
    options,
    (io, common) => driftTargets(io, { ...common, only, ref }),
    (document) => (document.type === 'drift' ? withVerdict('drift', document.plan) : null),
  );
}

/** Does what `exportAccount` of the library does. */
export async function exportAccount(options: Called<ExportOptions>) {
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

/** Does what `history` of the library does. */
export function history(options: Called<ProjectOptions>) {
  return run(
    'history',
    options,
    (io, common) => historyTargets(io, undefined, common),
    (document) => (document.type === 'history' ? document.history : null),
  );
}

/** Does what `doctor` of the library does. */
export function doctor(options: Called<AccountOptions>) {
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
