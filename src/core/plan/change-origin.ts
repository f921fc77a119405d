/**
 * Three-way comparison, as in kubectl apply: last applied, desired and live. Finds out which differences come from the repository and which
 * were made on the account (design section 1, drift and pending).
 */
import type { DesiredResource, LiveResource } from '../kinds/kind.ts';
import { type Origin, writesOnService } from '../model/change.ts';
import { copyFields } from '../model/ignored-fields.ts';
import { addressAtLastApply, type PlannedChange, withChange } from '../state/planned-change.ts';
import type { LastApplied } from '../state/state.ts';
import { compareThreeWay, differingPaths, hasRelated } from '../state/three-way.ts';

/**
 * Returns the changes of one kind with their origins. A create and the delete of the object that it replaces have one origin, combined from
 * those of both, so that `--only-origin` never selects one of the two alone. `now` in Unix milliseconds.
 */
export function withOrigins(planned: readonly PlannedChange[], lastApplied: LastApplied | null, now: number): readonly PlannedChange[] {
  const assigned = planned.map((each) => (writesOnService(each.change) ? withOrigin(each, lastApplied, now) : each));
  const deletes = new Map(assigned.flatMap((each) => (each.change.action === 'delete' ? [[each.replacementAddress, each] as const] : [])));
  const creates = new Map(assigned.flatMap((each) => (each.change.action === 'create' ? [[each.change.address, each] as const] : [])));
  const counterpartOf = ({ change, replacementAddress }: PlannedChange) => {
    if (change.action === 'create') return deletes.get(change.address);
    return replacementAddress === undefined ? undefined : creates.get(replacementAddress);
  };
  return assigned.map((each) => {
    const counterpart = counterpartOf(each);
    return counterpart ? setOneOrigin(each, combineOrigins([each.change.origin, counterpart.change.origin])) : each;
  });
}

/**
 * Returns the change with its origin and that of each field; `now` in Unix milliseconds. "Then" is when the address was last applied. An
 * origin is `unknown` where it is not known what was applied then (`unknownAddresses`), for a field that was ignored then, and for a field
 * that the comparison with the applied resource does not contain (`toComparable` may select other fields there). The origin of an update
 * combines those of its fields. An object no longer fits its address if `whyNotBindable` refuses it; a new object then replaces it. For a
 * create or a delete, the first matching row decides (with `--ref` by the same conditions, although the case may be another one there, see
 * core/state/prune.ts):
 *
 *   change | case                                                                     | origin
 *   -------+--------------------------------------------------------------------------+---------
 *   create | its address was not declared then                                        | `change`
 *   create | its declaration has not changed: the object is gone, or no longer fits   | `drift`
 *   create | the declaration changed so that its object no longer fits: it is replaced | `change`
 *   create | the declaration changed, and somebody deleted the object                 | `both`
 *   delete | somebody created the object: the ledger does not bind it                 | `drift`
 *   delete | its address has another object now, so the deleted object is unbound     | `drift`
 *   delete | the ledger binds the object, but its address was not declared then       | `change`
 *   delete | nobody changed the object: it is no longer declared, or replaced         | `change`
 *   delete | somebody changed the object, and it is replaced (see `withOrigins`)      | `drift`
 *   delete | somebody changed the object, and it is no longer declared                | `both`
 */
export function withOrigin(planned: PlannedChange, lastApplied: LastApplied | null, now: number): PlannedChange {
  const address = addressAtLastApply(planned);
  if (!lastApplied || lastApplied.unknownAddresses.has(address)) return setOneOrigin(planned, 'unknown');
  const applied = lastApplied.resources.get(address) ?? null;
  if (planned.desired === null) return setOneOrigin(planned, originOfDelete(planned, applied));
  if (planned.live === null) return setOneOrigin(planned, originOfCreate(planned, applied));
  return withOriginOfUpdate(planned, applied, now);
}

function originOfCreate(
  { desired, replacesBoundObject }: PlannedChange & { readonly desired: DesiredResource },
  applied: DesiredResource | null,
): Origin {
  if (applied === null) return 'change';
  if (differingPaths(applied.fields, desired.fields).length === 0) return 'drift';
  return replacesBoundObject ? 'change' : 'both';
}

function originOfDelete(
  { live, isDeletedAsBound, replacementAddress }: PlannedChange & { readonly live: LiveResource },
  applied: DesiredResource | null,
): Origin {
  if (!isDeletedAsBound) return 'drift';
  if (applied === null) return 'change';
  const expected = copyFields({ into: applied.fields, from: live.fields, paths: applied.ignored ?? [] });
  if (differingPaths(expected, live.fields).length === 0) return 'change';
  return replacementAddress === undefined ? 'both' : 'drift';
}

/** Compares each field with the last applied value, in the repository and in the account. */
function withOriginOfUpdate(
  planned: PlannedChange & { readonly desired: DesiredResource; readonly live: LiveResource },
  applied: DesiredResource | null,
  now: number,
): PlannedChange {
  if (!applied) return setOneOrigin(planned, 'change');
  const { kind, desired, live } = planned;
  const comparable = (resource: DesiredResource) =>
    kind.toComparable?.(resource, live, now) ?? { before: live.fields, after: resource.fields };
  const { before: liveFields, after: appliedFields } = comparable(applied);
  const versions = compareThreeWay(appliedFields, comparable(desired).after, liveFields);
  // A field that was left to others was not applied.
  const notApplied = (applied.ignored ?? []).map(({ path }) => path);
  const originOf = (path: string): Origin => (hasRelated(notApplied, path) ? 'unknown' : versions.originOf(path));
  return setOrigins(planned, originOf, combineOrigins(planned.change.fields.map(({ path }) => originOf(path))));
}

function setOneOrigin(planned: PlannedChange, origin: Origin): PlannedChange {
  return setOrigins(planned, () => origin, origin);
}

function setOrigins(planned: PlannedChange, originOf: (path: string) => Origin, origin: Origin): PlannedChange {
  return withChange(planned, { origin, fields: planned.change.fields.map((field) => ({ ...field, origin: originOf(field.path) })) });
}

function combineOrigins(origins: readonly Origin[]): Origin {
  const all = new Set(origins);
  const [only = 'change'] = all;
  return all.size <= 1 ? only : all.has('unknown') ? 'unknown' : 'both';
}
