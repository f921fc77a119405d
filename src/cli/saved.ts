import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import outcomeSchema from '../../schemas/outcome.schema.json' with { type: 'json' };
import planSchema from '../../schemas/plan.schema.json' with { type: 'json' };
import { type Checked, checker } from '../engine/schema.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Plan } from '../model/plan.ts';
import type { Document } from '../report/index.ts';
import { EXIT, Stop } from './exit.ts';
import type { Io } from './io.ts';

/** Largest saved document that is read, bytes. */
const LARGEST = 512 * 1024 * 1024;

/** The saved plan of a target: the document itself, or its place in the list that several targets gave. @throws Stop */
export function savedPlan(io: Io, file: string, target: string): Plan {
  const checkPlan = checker<Plan>(planSchema);
  const plans = documentsIn(io, file).flatMap((document) => accepted(checkPlan(document)));
  const [only] = plans;
  const own = plans.find((plan) => plan.target === target) ?? (plans.length === 1 ? only : undefined);
  if (!own) throw refused(file, `it holds no plan for target ${target}`);
  return own;
}

/** The documents of a file that a command has written with `--out json=FILE`. @throws Stop */
export function savedDocuments(io: Io, file: string): readonly Document[] {
  const checkPlan = checker<Plan>(planSchema);
  const checkOutcome = checker<Outcome>(outcomeSchema);
  return documentsIn(io, file).map((document): Document => {
    const plan = checkPlan(document);
    if ('value' in plan) return { type: 'plan', plan: plan.value };
    const outcome = checkOutcome(document);
    if ('value' in outcome) return { type: 'outcome', outcome: outcome.value };
    throw refused(file, 'it is neither a plan nor an outcome of this version');
  });
}

function accepted<T>(checked: Checked<T>): readonly T[] {
  return 'value' in checked ? [checked.value] : [];
}

function documentsIn(io: Io, file: string): readonly unknown[] {
  const path = resolve(io.cwd, file);
  try {
    if (statSync(path).size > LARGEST) throw refused(file, 'it is too large');
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return Array.isArray(value) ? value : [value];
  } catch (error) {
    if (error instanceof Stop) throw error;
    throw refused(
      file,
      error instanceof SyntaxError
        ? 'it is not JSON'
        : `it cannot be read (${error instanceof Error && 'code' in error ? error.code : 'failed'})`,
    );
  }
}

function refused(file: string, why: string): Stop {
  return new Stop(EXIT.invalid, 'saved-document', `${file}: ${why}`, 'make it with `upkeep plan --out json=FILE`');
}
