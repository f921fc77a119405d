/** Attribution: which differences come from the repository, and which somebody made on the account (design section 1, drift and pending). */
import type { Origin } from '../model/change.ts';
import type { ChangeDraft } from '../state/change-draft.ts';
import type { LastApplied } from '../state/state.ts';
import { diffFields } from './diff-fields.ts';

/** Names the origin of a step and of each of its fields. `now` in Unix milliseconds; without a base nobody can tell. */
export function withOrigin(draft: ChangeDraft, lastApplied: LastApplied | null, now: number): ChangeDraft {
  const before = draft.movedFrom ?? draft.previousAddress ?? draft.address;
  if (!lastApplied || lastApplied.unknown.has(before)) return setOrigins(draft, () => 'unknown', 'unknown');
  const was = lastApplied.resources.get(before) ?? null;
  const { kind, desired, live, action } = draft;
  if (action === 'update' && desired && live) {
    if (!was) return setOrigins(draft, () => 'change', 'change');
    const sides = (other: typeof was) => kind.toComparable?.(other, live, now) ?? { before: live.fields, after: other.fields };
    const repository = new Set(diffFields(sides(was).after, sides(desired).after).map(({ path }) => path));
    const account = new Set(diffFields(sides(was).after, sides(was).before).map(({ path }) => path));
    const originOf = (path: string) => origin(related(path, repository), related(path, account));
    const origins = draft.fields.map(({ path }) => originOf(path));
    return setOrigins(draft, originOf, combineOrigins(origins));
  }
  if (action === 'create' && desired) {
    const declaredAlike = was !== null && diffFields(was.fields, desired.fields).length === 0;
    return setOneOrigin(draft, declaredAlike ? 'drift' : was === null || draft.inState ? 'change' : 'both');
  }
  const touched = was !== null && live !== null && diffFields(was.fields, live.fields).length > 0;
  if (!draft.inState) return setOneOrigin(draft, 'drift');
  return setOneOrigin(draft, !touched ? 'change' : draft.previousAddress === undefined ? 'both' : 'drift');
}

function setOneOrigin(draft: ChangeDraft, origin: Origin): ChangeDraft {
  return setOrigins(draft, () => origin, origin);
}

function setOrigins(draft: ChangeDraft, of: (path: string) => Origin, whole: Origin): ChangeDraft {
  return { ...draft, origin: whole, fields: draft.fields.map((field) => ({ ...field, origin: of(field.path) })) };
}

/** A field moved on both sides when both moved it; when neither is seen to, nobody can tell. */
function origin(repository: boolean, account: boolean): Origin {
  if (repository && account) return 'both';
  return repository ? 'change' : account ? 'drift' : 'unknown';
}

function combineOrigins(origins: readonly Origin[]): Origin {
  const all = new Set(origins);
  const [only = 'change'] = all;
  return all.size <= 1 ? only : all.has('unknown') ? 'unknown' : 'both';
}

/** Whether a path, one above it or one below it is among the paths. */
function related(path: string, paths: ReadonlySet<string>): boolean {
  if (paths.has(path)) return true;
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) if (paths.has(path.slice(0, at))) return true;
  for (const other of paths) if (other.startsWith(`${path}/`)) return true;
  return false;
}
