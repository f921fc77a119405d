import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import acceptanceSchema from '../../../schemas/acceptance.schema.json' with { type: 'json' };
import diagnosisSchema from '../../../schemas/diagnosis.schema.json' with { type: 'json' };
import explanationSchema from '../../../schemas/explanation.schema.json' with { type: 'json' };
import exportSchema from '../../../schemas/export.schema.json' with { type: 'json' };
import failureSchema from '../../../schemas/failure.schema.json' with { type: 'json' };
import historySchema from '../../../schemas/history.schema.json' with { type: 'json' };
import impactSchema from '../../../schemas/impact.schema.json' with { type: 'json' };
import outcomeSchema from '../../../schemas/outcome.schema.json' with { type: 'json' };
import planSchema from '../../../schemas/plan.schema.json' with { type: 'json' };
import probeSchema from '../../../schemas/probe.schema.json' with { type: 'json' };
import targetsSchema from '../../../schemas/targets.schema.json' with { type: 'json' };
import validationSchema from '../../../schemas/validation.schema.json' with { type: 'json' };
import { createValidator } from '../../core/config/validator.ts';
import { isUtf16 } from '../../core/config/yaml/text.ts';
import type { AccountExportReport } from '../../core/model/account-export.ts';
import { isPlanOrApply, shellText } from '../../core/model/command-line.ts';
import { EXIT_CODES } from '../../core/model/exit-codes.ts';
import type { AddressExplanation, FieldExplanation } from '../../core/model/explanation.ts';
import type { ImpactReport } from '../../core/model/impact.ts';
import { isDeeperThan, isObject } from '../../core/model/json.ts';
import type { Outcome } from '../../core/model/outcome.ts';
import type { ErrorReport, Plan, RunMetadata, Validation } from '../../core/model/plan.ts';
import { REDACTED } from '../../core/model/visible-text.ts';
import type { ProbeReport } from '../../probe/probe-report.ts';
import { type Document, decisionOf, type TargetEntry } from '../../report/document.ts';
import type { Acceptance } from '../../report/documents/acceptance.ts';
import type { Diagnosis } from '../../report/documents/diagnosis.ts';
import type { History } from '../../report/documents/history.ts';
import { CliError, codeOf } from './exit-codes.ts';
import type { AppContext } from './runtime.ts';

/** Maximum size of a saved document, bytes. */
export const MAX_SAVED_DOCUMENT_BYTES = 512 * 1024 * 1024;

/** Maximum nesting depth of a saved document; real reports stay far below it. */
const MAX_DEPTH = 200;

type Check<T> = ReturnType<typeof createValidator<T>>;

/** Converts a value to a document; null if it does not match the schema. */
type Recognizer = (value: unknown) => Document | null;

function recognizer<T>(check: Check<T>, document: (value: T) => Document): Recognizer {
  return (value) => {
    const result = check(value);
    return 'value' in result ? document(result.value) : null;
  };
}

const checkPlan = createValidator<Plan>(planSchema);

const RECOGNIZERS: readonly Recognizer[] = [
  recognizer(checkPlan, (plan) => ({ type: plan.drift ? 'drift' : 'plan', plan })),
  recognizer(createValidator<Outcome>(outcomeSchema), (outcome) => ({ type: 'outcome', outcome })),
  recognizer(createValidator<Validation>(validationSchema), (validation) => ({ type: 'validation', validation })),
  recognizer(createValidator<History>(historySchema), (history) => ({ type: 'history', history })),
  recognizer(createValidator<ImpactReport>(impactSchema), (impact) => ({ type: 'impact', impact })),
  recognizer(createValidator<Diagnosis>(diagnosisSchema), (diagnosis) => ({ type: 'diagnosis', diagnosis })),
  recognizer(createValidator<ProbeReport>(probeSchema), (probe) => ({ type: 'probe', probe })),
  recognizer(createValidator<AddressExplanation | FieldExplanation>(explanationSchema), (explanation) =>
    'field' in explanation ? { type: 'field', field: explanation } : { type: 'address', address: explanation },
  ),
  recognizer(createValidator<Acceptance>(acceptanceSchema), (acceptance) => ({ type: 'acceptance', acceptance })),
  recognizer(createValidator<AccountExportReport>(exportSchema), (accountExport) => ({ type: 'export', accountExport })),
  recognizer(createValidator<{ readonly targets: readonly TargetEntry[] }>(targetsSchema), ({ targets }) => ({ type: 'targets', targets })),
  recognizer(createValidator<ErrorReport>(failureSchema), (failure) => ({ type: 'failure', failure })),
];

/** Where values come from: a file or an argument, and how to make one that can be used. */
export interface Source {
  readonly name: string;
  /** A clause. */
  readonly hint: string;
}

/**
 * Returns a file that should hold plans, which a command makes, given by its arguments. The hint does not write to the file itself: a source
 * that was named by mistake would be lost.
 */
export function planFile(name: string, command: readonly string[] = ['upkeep', 'plan']): Source {
  return { name, hint: `make one with \`${shellText([...command, '--out', 'json=plan.json'])}\`` };
}

/** Reads the saved plan of a target from a file with one document or a list of them. @throws CliError */
export function savedPlan(io: AppContext, file: Source, target: string): Plan {
  return planAmong(valuesIn(io, file), file, target);
}

/** Returns the plan of a target among values. @throws CliError if none of them is one */
export function planAmong(values: readonly unknown[], source: Source, target: string): Plan {
  const plansIn = (values: readonly unknown[]): readonly Plan[] =>
    values.flatMap((value) => {
      const result = checkPlan(value);
      return 'value' in result && !result.value.drift && !result.value.base ? [result.value] : [];
    });
  // Each target looks for its own plan only: checking all of them for each target would take the square of their number.
  const [ofTarget] = plansIn(values.filter((value) => isObject(value) && value.target === target));
  if (ofTarget) return ofTarget;
  const plans = plansIn(values);
  if (plans.length === 0) {
    const objects = values.filter(isObject);
    const [isDrift, isDiff] = [objects.some(({ drift }) => drift === true), objects.some(({ base }) => base !== undefined)];
    if (values.some((value) => isObject(value) && Array.isArray(value.changes) && JSON.stringify(value).includes(REDACTED))) {
      throw documentError(
        source,
        `it holds a plan in which a text that repeats a secret was replaced by ${REDACTED}, so that it no longer says what to write`,
        'pass on its fingerprint alone, with `--expect` in place of `--plan`: that plans again, and applies the plan that has it',
      );
    }
    throw documentError(
      source,
      isDrift
        ? 'it holds a report of drift, and no plan'
        : isDiff
          ? 'it holds a comparison of two commits, and no plan of an account'
          : 'it holds no plan',
    );
  }
  const [plan, other] = plans;
  if (plan && !other) return plan;
  throw documentError(source, `it holds no plan for target ${target}`);
}

/**
 * Reads the documents of a file that a command has written with `--out json=FILE`. They do not say who ran it and where: a file proves nothing
 * about its writer. @throws CliError
 */
export function savedDocuments(io: AppContext, name: string): readonly Document[] {
  const file = planFile(name);
  const values = valuesIn(io, file);
  if (values.length === 0) throw documentError(file, 'it holds no report');
  return values.map((value) => {
    for (const recognize of RECOGNIZERS) {
      const document = recognize(value);
      if (document) {
        requireOwnCommands(file, document);
        return withoutWriter(document);
      }
    }
    throw documentError(file, 'it is no report of this version of upkeep');
  });
}

/** Refuses a document that would print a command of somebody else as the one to go on with. */
function requireOwnCommands(file: Source, document: Document): void {
  const steps = decisionOf(document)?.next ?? [];
  if (steps.some(({ command }) => command !== undefined && !isPlanOrApply(command)))
    throw documentError(file, 'it has a command to go on with that upkeep does not print');
}

/** Returns a document without `by` and `where`. */
function withoutWriter(document: Document): Document {
  const anonymous = <Claim extends { readonly by?: string; readonly where?: string }>({ by: _by, where: _where, ...rest }: Claim) => rest;
  const runOf = ({ run }: { readonly run?: RunMetadata }) => (run === undefined ? {} : { run: anonymous(run) });
  switch (document.type) {
    case 'plan':
    case 'drift':
      return { ...document, plan: { ...document.plan, ...runOf(document.plan) } };
    case 'outcome':
      return { ...document, outcome: { ...document.outcome, ...runOf(document.outcome) } };
    case 'history':
      return { ...document, history: { ...document.history, entries: document.history.entries.map(anonymous) } };
    default:
      return document;
  }
}

function valuesIn(io: AppContext, file: Source): readonly unknown[] {
  const value = parseJson(file, readText(resolve(io.cwd, file.name), file));
  if (isDeeperThan(value, MAX_DEPTH)) throw documentError(file, 'it is nested too deep');
  return Array.isArray(value) ? value : [value];
}

/** Reads a text without its byte order mark. */
function readText(path: string, file: Source): string {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) throw documentError(file, 'it is not a regular file');
    if (stat.size > MAX_SAVED_DOCUMENT_BYTES) throw documentError(file, 'it is too large');
    const bytes = readFileSync(path);
    if (isUtf16(bytes))
      throw documentError(file, 'it is UTF-16, not UTF-8', `save it as UTF-8, or ${file.hint}: \`>\` of Windows PowerShell writes UTF-16`);
    return new TextDecoder().decode(bytes);
  } catch (error) {
    throw error instanceof CliError ? error : documentError(file, `it cannot be read (${codeOf(error)})`);
  }
}

function parseJson(file: Source, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message would only quote the file.
    throw documentError(file, 'it is not JSON');
  }
}

function documentError({ name, hint: usual }: Source, reason: string, hint = usual): CliError {
  return new CliError(EXIT_CODES.invalid, 'saved-document', `${name}: ${reason}`, hint);
}
