/** The JSON documents that commands print, recognized by their published schemas. */
import { Ajv, type ValidateFunction } from 'ajv';
import acceptanceSchema from '../../schemas/acceptance.schema.json' with { type: 'json' };
import diagnosisSchema from '../../schemas/diagnosis.schema.json' with { type: 'json' };
import explanationSchema from '../../schemas/explanation.schema.json' with { type: 'json' };
import failureSchema from '../../schemas/failure.schema.json' with { type: 'json' };
import historySchema from '../../schemas/history.schema.json' with { type: 'json' };
import impactSchema from '../../schemas/impact.schema.json' with { type: 'json' };
import outcomeSchema from '../../schemas/outcome.schema.json' with { type: 'json' };
import planSchema from '../../schemas/plan.schema.json' with { type: 'json' };
import targetsSchema from '../../schemas/targets.schema.json' with { type: 'json' };
import validationSchema from '../../schemas/validation.schema.json' with { type: 'json' };
import type { Acceptance } from '../../src/model/acceptance.ts';
import type { Diagnosis } from '../../src/model/diagnosis.ts';
import type { AddressExplanation, FieldExplanation } from '../../src/model/explanation.ts';
import type { History } from '../../src/model/history.ts';
import type { ImpactReport } from '../../src/model/impact.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import type { ErrorReport, Plan, Validation } from '../../src/model/plan.ts';

const ajv = new Ajv({ strict: true, allErrors: true });

/** What `targets` prints. */
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
const isAcceptance = ajv.compile<Acceptance>(acceptanceSchema);
const isDiagnosis = ajv.compile<Diagnosis>(diagnosisSchema);
const isExplanation = ajv.compile<AddressExplanation | FieldExplanation>(explanationSchema);
const isTargets = ajv.compile<Targets>(targetsSchema);

/** What each command may print with `--format json`; what none of the schemas accepts is a failure of the test. */
const VALIDATORS: { readonly [command: string]: readonly ValidateFunction[] } = {
  plan: [isPlan, isFailure],
  apply: [isOutcome, isFailure],
  drift: [isPlan, isAcceptance, isFailure],
  validate: [isValidation, isFailure],
  targets: [isTargets, isFailure],
  show: [isPlan, isOutcome, isValidation, isHistory, isImpact, isDiagnosis, isExplanation, isFailure],
  impact: [isImpact, isFailure],
  history: [isHistory, isOutcome, isFailure],
  undo: [isPlan, isFailure],
  doctor: [isDiagnosis, isFailure],
  explain: [isExplanation, isFailure],
};

/** The documents of one run, each accepted by one of the schemas of its command. @throws Error that names what is wrong */
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

/** The document as a plan. @throws Error showing what it is instead */
export const asPlan = reader(isPlan, 'plan');
/** The document as an outcome. @throws Error showing what it is instead */
export const asOutcome = reader(isOutcome, 'outcome');
/** The document as a failure. @throws Error showing what it is instead */
export const asFailure = reader(isFailure, 'failure');
/** The document as a validation. @throws Error showing what it is instead */
export const asValidation = reader(isValidation, 'validation');
/** The document as a history. @throws Error showing what it is instead */
export const asHistory = reader(isHistory, 'history');
/** The document as a report on devices. @throws Error showing what it is instead */
export const asImpact = reader(isImpact, 'report on devices');
/** The document as a diagnosis. @throws Error showing what it is instead */
export const asDiagnosis = reader(isDiagnosis, 'diagnosis');
/** The document as an acceptance. @throws Error showing what it is instead */
export const asAcceptance = reader(isAcceptance, 'acceptance');
/** The document as an explanation. @throws Error showing what it is instead */
export const asExplanation = reader(isExplanation, 'explanation');
/** The document as a list of targets. @throws Error showing what it is instead */
export const asTargets = reader(isTargets, 'list of targets');

function reader<Document>(accepts: ValidateFunction<Document>, what: string): (value: unknown) => Document {
  return (value) => {
    if (accepts(value)) return value;
    throw new Error(`not a ${what}: ${JSON.stringify(value, null, 2)}`);
  };
}
