import type { Kind } from '../kinds/kind.ts';
import { declaresResources } from '../model/address.ts';
import type { PlanInput } from './input.ts';

/** Returns why a kind is not read: none of its sections is managed, or the selection skips it. Returns undefined where it is read. */
export function whyNotRead(
  kind: Kind,
  { desiredState, selection }: Pick<PlanInput, 'desiredState' | 'selection'>,
): 'unmanaged' | 'skipped' | undefined {
  const isManaged = kind.sections.filter(declaresResources).some(({ key }) => desiredState.presentKeys.has(key));
  if (!isManaged) return 'unmanaged';
  return selection.reads(kind) ? undefined : 'skipped';
}
