import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import diagnosisSchema from '../../schemas/diagnosis.schema.json' with { type: 'json' };
import explanationSchema from '../../schemas/explanation.schema.json' with { type: 'json' };
import failureSchema from '../../schemas/failure.schema.json' with { type: 'json' };
import historySchema from '../../schemas/history.schema.json' with { type: 'json' };
import impactSchema from '../../schemas/impact.schema.json' with { type: 'json' };
import outcomeSchema from '../../schemas/outcome.schema.json' with { type: 'json' };
import planSchema from '../../schemas/plan.schema.json' with { type: 'json' };
import validationSchema from '../../schemas/validation.schema.json' with { type: 'json' };
import { createValidator } from '../config/validator.ts';
import type { Diagnosis } from '../model/diagnosis.ts';
import type { AddressExplanation, FieldExplanation } from '../model/explanation.ts';
import type { History } from '../model/history.ts';
import type { ImpactReport } from '../model/impact.ts';
import { isDeeperThan, isObject } from '../model/json.ts';
import type { Outcome } from '../model/outcome.ts';
import type { ErrorReport, Plan, Validation } from '../model/plan.ts';
import type { Document } from '../report/index.ts';
import { CliError, codeOf, EXIT_CODES } from './exit-codes.ts';
import type { CliContext } from './runtime.ts';

/** Maximum size of a saved document, bytes. */
const LARGEST = 512 * 1024 * 1024;

/** Maximum nesting depth of a saved document; real reports stay far below it. */
const DEEPEST = 200;

type Check<T> = ReturnType<typeof createValidator<T>>;

/** Converts a value to a document; null if it does not match the schema. */
type Recognizer = (value: unknown) => Document | null;

function recognizer<T>(check: Check<T>, document: (value: T) => Document): Recognizer {
  return (value) => {
    const checked = check(value);
    return 'value' in checked ? document(checked.value) : null;
  };
}

const checkPlan = createValidator<Plan>(planSchema);

const RECOGNIZERS: readonly Recognizer[] = [
  recognizer(checkPlan, (plan) => ({ type: 'plan', plan })),
  recognizer(createValidator<Outcome>(outcomeSchema), (outcome) => ({ type: 'outcome', outcome })),
  recognizer(createValidator<Validation>(validationSchema), (validation) => ({ type: 'validation', validation })),
  recognizer(createValidator<History>(historySchema), (history) => ({ type: 'history', history })),
  recognizer(createValidator<ImpactReport>(impactSchema), (impact) => ({ type: 'impact', impact })),
  recognizer(createValidator<Diagnosis>(diagnosisSchema), (diagnosis) => ({ type: 'diagnosis', diagnosis })),
  recognizer(createValidator<AddressExplanation | FieldExplanation>(explanationSchema), (explanation) =>
    'field' in explanation ? { type: 'field', field: explanation } : { type: 'address', address: explanation },
  ),
  recognizer(createValidator<ErrorReport>(failureSchema), (failure) => ({ type: 'failure', failure })),
];

/** Reads the saved plan of a target from a file with one document or a list of them. @throws CliError */
export function savedPlan(io: CliContext, file: string, target: string): Plan {
  const plansIn = (values: readonly unknown[]): readonly Plan[] =>
    values.flatMap((value) => {
      const checked = checkPlan(value);
      return 'value' in checked ? [checked.value] : [];
    });
  const values = valuesIn(io, file);
  // Each target looks for its own plan only: checking all of them for each target would take the square of their number.
  const [own] = plansIn(values.filter((value) => isObject(value) && value.target === target));
  if (own) return own;
  const plans = plansIn(values);
  if (plans.length === 0) throw refused(file, 'it holds no plan');
  const [only, other] = plans;
  if (only && !other) return only;
  throw refused(file, `it holds no plan for target ${target}`);
}

/** Reads the documents of a file that a command has written with `--out json=FILE`. @throws CliError */
export function savedDocuments(io: CliContext, file: string): readonly Document[] {
  const values = valuesIn(io, file);
  if (values.length === 0) throw refused(file, 'it holds no report');
  return values.map((value) => {
    for (const recognize of RECOGNIZERS) {
      const document = recognize(value);
      if (document) return document;
    }
    throw refused(file, 'it is no report of this version of upkeep');
  });
}

function valuesIn(io: CliContext, file: string): readonly unknown[] {
  const value = parsed(file, textOf(resolve(io.cwd, file), file));
  if (isDeeperThan(value, DEEPEST)) throw refused(file, 'it is nested too deep');
  return Array.isArray(value) ? value : [value];
}

function textOf(path: string, file: string): string {
  try {
    const about = statSync(path);
    if (!about.isFile()) throw refused(file, 'it is not a regular file');
    if (about.size > LARGEST) throw refused(file, 'it is too large');
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw error instanceof CliError ? error : refused(file, `it cannot be read (${codeOf(error)})`);
  }
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message would only quote the file.
    throw refused(file, 'it is not JSON');
  }
}

function refused(file: string, why: string): CliError {
  return new CliError(EXIT_CODES.invalid, 'saved-document', `${file}: ${why}`, 'make it with `upkeep plan --out json=FILE`');
}
