/**
 * Three-way comparison, as in kubectl apply: last applied, desired and live. Finds out which differences come from the repository and which
 * were made on the account (design section 1, drift and pending).
 */
import type { DesiredResource } from '../kinds/kind.ts';
import type { Origin } from '../model/change.ts';
import type { ChangeDraft, CreateDraft, DeleteDraft, UpdateDraft } from '../state/change-draft.ts';
import type { LastApplied } from '../state/state.ts';
import { diffFields } from './diff-fields.ts';

/**
 * Returns the draft with its origin and that of each field: `unknown` without `lastApplied`. `now` in Unix milliseconds.
 *
 * A create of what was applied is drift (somebody deleted the object), and of what was never applied a change. A delete of an object that
 * was never bound is drift (somebody created it), and of an object that still is as it was applied a change.
 */
export function withOrigin(draft: CreateDraft | UpdateDraft | DeleteDraft, lastApplied: LastApplied | null, now: number): ChangeDraft {
  const appliedAddress = previousAddressOf(draft);
  if (!lastApplied || lastApplied.unknown.has(appliedAddress)) return setOneOrigin(draft, 'unknown');
  const applied = lastApplied.resources.get(appliedAddress) ?? null;
  if (draft.action === 'update') return withOriginOfUpdate(draft, applied, now);
  if (draft.action === 'create') {
    const isSameAsApplied = applied !== null && diffFields(applied.fields, draft.desired.fields).length === 0;
    return setOneOrigin(draft, isSameAsApplied ? 'drift' : applied === null || draft.replacesBound ? 'change' : 'both');
  }
  if (!draft.isBound) return setOneOrigin(draft, 'drift');
  const hasDrifted = applied !== null && diffFields(applied.fields, draft.live.fields).length > 0;
  return setOneOrigin(draft, !hasDrifted ? 'change' : draft.replacedAddress === undefined ? 'both' : 'drift');
}

/** Compares each field with the last applied value, in the repository and in the account. */
function withOriginOfUpdate(draft: UpdateDraft, applied: DesiredResource | null, now: number): ChangeDraft {
  if (!applied) return setOneOrigin(draft, 'change');
  const { kind, desired, live } = draft;
  const compareWithLive = (other: DesiredResource) => kind.toComparable?.(other, live, now) ?? { before: live.fields, after: other.fields };
  const { before: liveFields, after: appliedFields } = compareWithLive(applied);
  const changedInRepository = new Set(diffFields(appliedFields, compareWithLive(desired).after).map(({ path }) => path));
  const changedInAccount = new Set(diffFields(appliedFields, liveFields).map(({ path }) => path));
  const originOf = (path: string) => originOfField(hasRelated(changedInRepository, path), hasRelated(changedInAccount, path));
  const origins = draft.fields.map(({ path }) => originOf(path));
  return setOrigins(draft, originOf, combineOrigins(origins));
}

/** Returns the address under which the object of a change was applied last. */
function previousAddressOf(draft: CreateDraft | UpdateDraft | DeleteDraft): string {
  if (draft.action === 'update') return draft.movedFrom ?? draft.address;
  return draft.action === 'delete' ? (draft.replacedAddress ?? draft.address) : draft.address;
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
