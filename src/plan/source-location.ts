import type { DesiredState } from '../config/desired-state.ts';
import type { ExecutableChange } from './plan-document.ts';

/** A step whose change says where its resource is declared, so that a report can point there; what nobody declares stays as it is. */
export function withSourceLocation(step: ExecutableChange, { sourceOf }: Pick<DesiredState, 'sourceOf'>): ExecutableChange {
  if (!step.desired) return step;
  const { file, line, column } = step.desired.inFile ?? sourceOf(step.desired.path);
  return { ...step, change: { ...step.change, declared: { file, line, column } } };
}
