/** The JSON documents that commands print, recognized by their published schemas. */
import { Ajv, type ValidateFunction } from 'ajv';
import acceptanceSchema from '../../schemas/acceptance.schema.json' with { type: 'json' };
import diagnosisSchema from '../../schemas/diagnosis.schema.json' with { type: 'json' };
import explanationSchema from '../../schemas/explanation.schema.json' with { type: 'json' };
import exportSchema from '../../schemas/export.schema.json' with { type: 'json' };
import failureSchema from '../../schemas/failure.schema.json' with { type: 'json' };
import historySchema from '../../schemas/history.schema.json' with { type: 'json' };
import impactSchema from '../../schemas/impact.schema.json' with { type: 'json' };
import outcomeSchema from '../../schemas/outcome.schema.json' with { type: 'json' };
import planSchema from '../../schemas/plan.schema.json' with { type: 'json' };
import probeSchema from '../../schemas/probe.schema.json' with { type: 'json' };
import targetsSchema from '../../schemas/targets.schema.json' with { type: 'json' };
import testsSchema from '../../schemas/tests.schema.json' with { type: 'json' };
import validationSchema from '../../schemas/validation.schema.json' with { type: 'json' };
import type { AccountExportReport } from '../../src/core/model/account-export.ts';
import type { AddressExplanation, FieldExplanation } from '../../src/core/model/explanation.ts';
import type { ImpactReport } from '../../src/core/model/impact.ts';
import type { Outcome } from '../../src/core/model/outcome.ts';
import type { ErrorReport, Plan, Validation } from '../../src/core/model/plan.ts';
import type { ProbeReport } from '../../src/probe/probe-report.ts';
import type { Acceptance } from '../../src/report/documents/acceptance.ts';
import type { Diagnosis } from '../../src/report/documents/diagnosis.ts';
import type { History } from '../../src/report/documents/history.ts';
import type { TestReport } from '../../src/report/documents/tests.ts';

const ajv = new Ajv({ strict: true, allErrors: true });

/** The document that `targets` prints. */
export interface Targets {
  readonly schemaVersion: 1;
  readonly targets: readonly { readonly name: string; readonly baseUrl: string }[];
}

const isPlan = ajv.compile<Plan>(planSchema);
const isOutcome = ajv.compile<Outcome>(outcomeSchema);
const isFailure = ajv.compile<ErrorReport>(failureSchema);
const isValidation = ajv.compile<Validation>(validationSchema);
const isHistory = ajv.compile<History>(historySchema);
const isImpact = ajv.compile<ImpactReport>(impactSchema);
const isAccountExport = ajv.compile<AccountExportReport>(exportSchema);
const isAcceptance = ajv.compile<Acceptance>(acceptanceSchema);
const isDiagnosis = ajv.compile<Diagnosis>(diagnosisSchema);
const isProbe = ajv.compile<ProbeReport>(probeSchema);
const isExplanation = ajv.compile<AddressExplanation | FieldExplanation>(explanationSchema);
const isTests = ajv.compile<TestReport>(testsSchema);
const isTargets = ajv.compile<Targets>(targetsSchema);

/** The schemas of the documents that each command prints with `--format json`; any other document fails the test. */
const VALIDATORS: { readonly [command: string]: readonly ValidateFunction[] } = {
  plan: [isPlan, isFailure],
  diff: [isPlan, isFailure],
  apply: [isOutcome, isFailure],
  test: [isTests, isFailure],
  drift: [isPlan, isAcceptance, isFailure],
  validate: [isValidation, isFailure],
  targets: [isTargets, isFailure],
  show: [isPlan, isOutcome, isValidation, isHistory, isImpact, isDiagnosis, isProbe, isExplanation, isFailure],
  impact: [isImpact, isFailure],
  history: [isHistory, isOutcome, isFailure],
  undo: [isPlan, isFailure],
  doctor: [isDiagnosis, isFailure],
  probe: [isProbe, isFailure],
  explain: [isExplanation, isFailure],
  export: [isAccountExport, isFailure],
  init: [isAccountExport, isFailure],
};

/** The documents of one run, each accepted by one of the schemas of its command. @throws Error that names the mistake */
export function documentsOf(command: string, stdout: string): readonly unknown[] {
  const value: unknown = JSON.parse(stdout);
  const documents: readonly unknown[] = Array.isArray(value) ? value : [value];
  const validators = VALIDATORS[command] ?? [];
  for (const document of documents) {
    if (validators.some((accepts) => accepts(document))) continue;
    const errors = validators.map((accepts) => ajv.errorsText(accepts.errors)).join('\n');
    throw new Error(`${command} printed what no schema accepts: ${errors}\n${stdout}`);
  }
  return documents;
}

/** Reads a document of type plan. @throws Error that shows any other document */
export const asPlan = reader(isPlan, 'plan');
/** Returns the fingerprint of a plan. @throws Error where it has none, as nothing could be read */
export function fingerprintOf({ fingerprint }: Pick<Plan, 'fingerprint'>): string {
  if (fingerprint === undefined) throw new Error('the plan has no fingerprint');
  return fingerprint;
}

/** Reads a document of type outcome. @throws Error that shows any other document */
export const asOutcome = reader(isOutcome, 'outcome');
/** Reads a document of type failure. @throws Error that shows any other document */
export const asFailure = reader(isFailure, 'failure');
/** Reads a document of type validation. @throws Error that shows any other document */
export const asValidation = reader(isValidation, 'validation');
/** Reads a document of type tests. @throws Error that shows any other document */
export const asTests = reader(isTests, 'tests');
/** Reads a document of type history. @throws Error that shows any other document */
export const asHistory = reader(isHistory, 'history');
/** Reads a document of type report on devices. @throws Error that shows any other document */
export const asImpact = reader(isImpact, 'report on devices');
/** Reads a document of type diagnosis. @throws Error that shows any other document */
export const asDiagnosis = reader(isDiagnosis, 'diagnosis');
/** Reads the document of an export. @throws Error that shows any other document */
export const asAccountExport = reader(isAccountExport, 'export');

/** Reads a document of type probe. @throws Error that shows any other document */
export const asProbe = reader(isProbe, 'probe');

/** Reads a document of type acceptance. @throws Error that shows any other document */
export const asAcceptance = reader(isAcceptance, 'acceptance');
/** Reads a document of type explanation. @throws Error that shows any other document */
export const asExplanation = reader(isExplanation, 'explanation');
/** Reads a document of type list of targets. @throws Error that shows any other document */
export const asTargets = reader(isTargets, 'list of targets');

function reader<Document>(accepts: ValidateFunction<Document>, what: string): (value: unknown) => Document {
  return (value) => {
    if (accepts(value)) return value;
    throw new Error(`not a ${what}: ${JSON.stringify(value, null, 2)}`);
  };
}
