/** Recognizes what applies created that were killed before they could record it (design section 6, failures). */
import type { CollectionKind, DesiredResource, LiveObject } from '../kinds/kind.ts';
import { isAddressOf } from '../model/address.ts';
import { groupBy } from '../model/collections.ts';
import type { LedgerState } from '../state/state.ts';
import { differencesOf } from './diff-resources.ts';

/**
 * Returns the bindings of objects that equal what a killed apply declared, at addresses without a binding: that apply created them. An object
 * that is bound already or was forgotten is none of them, and where two objects fit an address, neither is. `declared` are the resources of
 * the killed applies, the newest first; `now` in Unix milliseconds.
 */
export function interruptedCreates(
  kind: CollectionKind,
  objects: readonly LiveObject[],
  declared: readonly DesiredResource[],
  { bindings, forgotten }: Pick<LedgerState, 'bindings' | 'forgotten'>,
  now: number,
): LedgerState['bindings'] {
  const created = new Map<string, { readonly id: string; readonly origin: 'created' }>();
  const candidates = declared.filter(({ address }) => isAddressOf(kind, address) && !bindings.has(address));
  if (candidates.length === 0) return created;
  const taken = new Set([...forgotten, ...[...bindings.values()].map(({ id }) => id)]);
  const byId = new Map(objects.map((object) => [object.id, object]));
  const byName = groupBy(
    objects.filter(({ isMatchableByRemoteName }) => isMatchableByRemoteName),
    ({ remoteName }) => remoteName,
  );
  for (const desired of candidates) {
    if (created.has(desired.address)) continue;
    const named = desired.matchKeys.flatMap((key) => ('id' in key ? (byId.get(key.id) ?? []) : (byName.get(key.remoteName) ?? [])));
    const equal = [...new Set(named)].filter((live) => !taken.has(live.id) && differencesOf(kind, desired, live, now).length === 0);
    const [only] = equal;
    if (!only || equal.length > 1) continue;
    created.set(desired.address, { id: only.id, origin: 'created' });
    taken.add(only.id);
  }
  return created;
}
