/** Selects by `--only` which kinds are read and which changes are planned. */
import type { Kind } from '../kinds/kind.ts';
import { addressPrefixes, mayMatchPrefix } from '../model/address.ts';
import { matchesGlob } from '../model/glob.ts';
import type { PlanInput } from './input.ts';

/** Returns why a kind is not read; undefined where it is. */
export function whyNotRead(
  kind: Kind,
  { desiredState, only }: Pick<PlanInput, 'desiredState' | 'only'>,
): 'unmanaged' | 'skipped' | undefined {
  if (!kind.sections.some(({ key, addressPrefix }) => addressPrefix !== null && desiredState.managedSections.has(key))) return 'unmanaged';
  return isKindSelected(only, kind) ? undefined : 'skipped';
}

/** Decides whether `--only` selects an address. */
export function isAddressSelected(only: readonly string[], address: string): boolean {
  return only.length === 0 || only.some((glob) => matchesGlob(glob, address));
}

function isKindSelected(only: readonly string[], kind: Kind): boolean {
  return only.length === 0 || only.some((glob) => addressPrefixes(kind).some((prefix) => mayMatchPrefix(glob, prefix)));
}
