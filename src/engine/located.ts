import type { Declaration } from './desired/declaration.ts';
import type { PlannedStep } from './plan.ts';

/** A step whose change says where its resource is declared, so that a report can point there; what nobody declares stays as it is. */
export function located(step: PlannedStep, { place }: Pick<Declaration, 'place'>): PlannedStep {
  if (!step.desired) return step;
  const { file, line, column } = step.desired.inFile ?? place(step.desired.path);
  return { ...step, change: { ...step.change, declared: { file, line, column } } };
}
