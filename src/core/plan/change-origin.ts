/**
 * Three-way comparison, as in kubectl apply: last applied, desired and live. Finds out which differences come from the repository and which
 * were made on the account (design section 1, drift and pending).
 */
import type { DesiredResource } from '../kinds/kind.ts';
import { type Origin, writesOnService } from '../model/change.ts';
import { copyFields } from '../model/ignored-fields.ts';
import type { ChangeDraft, CreateDraft, DeleteDraft, UpdateDraft } from '../state/change-draft.ts';
import type { LastApplied } from '../state/state.ts';
import { diffFields } from './diff-fields.ts';

/**
 * Returns the drafts of one kind with their origins. A create and the delete of the object that it replaces have one origin, combined from
 * those of both, so that `--only-origin` never selects one of the two alone. `now` in Unix milliseconds.
 */
export function withOrigins(drafts: readonly ChangeDraft[], lastApplied: LastApplied | null, now: number): readonly ChangeDraft[] {
  const assigned = drafts.map((draft) => (writesOnService(draft) ? withOrigin(draft, lastApplied, now) : draft));
  const deletes = new Map(assigned.flatMap((draft) => (draft.action === 'delete' ? [[draft.replacementAddress, draft] as const] : [])));
  const creates = new Map(assigned.flatMap((draft) => (draft.action === 'create' ? [[draft.address, draft] as const] : [])));
  const counterpartOf = (draft: ChangeDraft) => {
    if (draft.action === 'create') return deletes.get(draft.address);
    return draft.action === 'delete' && draft.replacementAddress !== undefined ? creates.get(draft.replacementAddress) : undefined;
  };
  return assigned.map((draft) => {
    const counterpart = counterpartOf(draft);
    return counterpart ? setOneOrigin(draft, combineOrigins([draft.origin, counterpart.origin])) : draft;
  });
}

/**
 * Returns the draft with its origin and that of each field; `now` in Unix milliseconds. "Then" is when the address was last applied. An
 * origin is `unknown` where it is not known what was applied then (`unknownAddresses`), for a field that was ignored then, and for a field
 * that the comparison with the applied resource does not contain (`toComparable` may select other fields there). The origin of an update
 * combines those of its fields. An object no longer fits its address if `whyNotBindable` refuses it; a new object then replaces it. For a
 * create or a delete, the first matching row decides (with `--ref` by the same conditions, although the case may be another one there, see
 * core/state/prune.ts):
 *
 *   draft  | case                                                                     | origin
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
export function withOrigin(draft: CreateDraft | UpdateDraft | DeleteDraft, lastApplied: LastApplied | null, now: number): ChangeDraft {
  const address = addressAtLastApply(draft);
  if (!lastApplied || lastApplied.unknownAddresses.has(address)) return setOneOrigin(draft, 'unknown');
  const applied = lastApplied.resources.get(address) ?? null;
  if (draft.action === 'update') return withOriginOfUpdate(draft, applied, now);
  return setOneOrigin(draft, draft.action === 'create' ? originOfCreate(draft, applied) : originOfDelete(draft, applied));
}

function originOfCreate({ desired, replacesBoundObject }: CreateDraft, applied: DesiredResource | null): Origin {
  if (applied === null) return 'change';
  if (diffFields(applied.fields, desired.fields).length === 0) return 'drift';
  return replacesBoundObject ? 'change' : 'both';
}

function originOfDelete({ live, isBound, replacementAddress }: DeleteDraft, applied: DesiredResource | null): Origin {
  if (!isBound) return 'drift';
  if (applied === null) return 'change';
  if (diffFields(copyFields({ into: applied.fields, from: live.fields, paths: applied.ignored ?? [] }), live.fields).length === 0)
    return 'change';
  return replacementAddress === undefined ? 'both' : 'drift';
}

/** Compares each field with the last applied value, in the repository and in the account. */
function withOriginOfUpdate(draft: UpdateDraft, applied: DesiredResource | null, now: number): ChangeDraft {
  if (!applied) return setOneOrigin(draft, 'change');
  const { kind, desired, live } = draft;
  const compareWithLive = (resource: DesiredResource) =>
    kind.toComparable?.(resource, live, now) ?? { before: live.fields, after: resource.fields };
  const { before: liveFields, after: appliedFields } = compareWithLive(applied);
  const changedInRepository = new Set(diffFields(appliedFields, compareWithLive(desired).after).map(({ path }) => path));
  const changedInAccount = new Set(diffFields(appliedFields, liveFields).map(({ path }) => path));
  // A field that was left to others was not applied.
  const notApplied = new Set((applied.ignored ?? []).map(({ path }) => path));
  const originOf = (path: string): Origin =>
    hasRelated(notApplied, path) ? 'unknown' : originOfField(hasRelated(changedInRepository, path), hasRelated(changedInAccount, path));
  const origins = draft.fields.map(({ path }) => originOf(path));
  return setOrigins(draft, originOf, combineOrigins(origins));
}

/** Returns the address that the object of a change had when it was last applied. */
function addressAtLastApply(draft: CreateDraft | UpdateDraft | DeleteDraft): string {
  if (draft.action === 'update') return draft.movedFrom ?? draft.address;
  return draft.action === 'delete' ? (draft.replacementAddress ?? draft.address) : draft.address;
}

function setOneOrigin(draft: ChangeDraft, origin: Origin): ChangeDraft {
  return setOrigins(draft, () => origin, origin);
}

function setOrigins(draft: ChangeDraft, originOf: (path: string) => Origin, origin: Origin): ChangeDraft {
  return { ...draft, origin, fields: draft.fields.map((field) => ({ ...field, origin: originOf(field.path) })) };
}

/** Returns the origin of a field, by where it differs from the last applied value. */
function originOfField(changedInRepository: boolean, changedInAccount: boolean): Origin {
  if (changedInRepository && changedInAccount) return 'both';
  return changedInRepository ? 'change' : changedInAccount ? 'drift' : 'unknown';
}

function combineOrigins(origins: readonly Origin[]): Origin {
  const all = new Set(origins);
  const [only = 'change'] = all;
  return all.size <= 1 ? only : all.has('unknown') ? 'unknown' : 'both';
}

/** Decides whether the paths contain this path, one above it or one below it. */
function hasRelated(paths: ReadonlySet<string>, path: string): boolean {
  if (paths.has(path)) return true;
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) if (paths.has(path.slice(0, end))) return true;
  for (const other of paths) if (other.startsWith(`${path}/`)) return true;
  return false;
}
