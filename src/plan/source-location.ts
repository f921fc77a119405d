import type { DesiredState } from '../config/desired-state.ts';
import type { ExecutableChange } from './plan-document.ts';

/** Adds to a change where its resource is declared, so that a report can point there. A resource that is not declared has no location. */
export function withSourceLocation(executable: ExecutableChange, { sourceOf }: Pick<DesiredState, 'sourceOf'>): ExecutableChange {
  if (!executable.desired) return executable;
  const { file, line, column } = executable.desired.inFile ?? sourceOf(executable.desired.path);
  return { ...executable, change: { ...executable.change, declared: { file, line, column } } };
}
