/** Selects by `--only` which kinds are read and which changes are planned. */
import type { Kind } from '../kinds/kind.ts';
import { addressPrefixes, declaresResources, mayMatchPrefix } from '../model/address.ts';
import { matchesGlob } from '../model/glob.ts';
import type { PlanInput } from './input.ts';

/** Returns why a kind is not read: none of its sections is managed, or `--only` skips it. Returns undefined where it is read. */
export function whyNotRead(
  kind: Kind,
  { desiredState, only }: Pick<PlanInput, 'desiredState' | 'only'>,
): 'unmanaged' | 'skipped' | undefined {
  const isManaged = kind.sections.filter(declaresResources).some(({ key }) => desiredState.presentKeys.has(key));
  if (!isManaged) return 'unmanaged';
  return isKindSelected(only, kind) ? undefined : 'skipped';
}

/** Decides whether `--only` selects an address. */
export function isAddressSelected(only: readonly string[], address: string): boolean {
  return only.length === 0 || only.some((glob) => matchesGlob(glob, address));
}

function isKindSelected(only: readonly string[], kind: Kind): boolean {
  return only.length === 0 || only.some((glob) => addressPrefixes(kind).some((prefix) => mayMatchPrefix(glob, prefix)));
}
