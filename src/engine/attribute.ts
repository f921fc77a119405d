/** Attribution: which differences come from the repository, and which somebody made on the account (design section 1, drift and pending). */
import type { Origin } from '../model/change.ts';
import { diff } from './diff.ts';
import type { Base } from './memory.ts';
import type { Step } from './step.ts';

/** Names the origin of a step and of each of its fields. `now` in Unix milliseconds; without a base nobody can tell. */
export function attribute(step: Step, base: Base | null, now: number): Step {
  const before = step.movedFrom ?? step.formerly ?? step.address;
  if (!base || base.unknown.has(before)) return withOrigin(step, () => 'unknown', 'unknown');
  const was = base.resources.get(before) ?? null;
  const { kind, desired, live, action } = step;
  if (action === 'update' && desired && live) {
    if (!was) return withOrigin(step, () => 'change', 'change');
    const sides = (other: typeof was) => kind.compared?.(other, live, now) ?? { before: live.fields, after: other.fields };
    const repository = new Set(diff(sides(was).after, sides(desired).after).map(({ path }) => path));
    const account = new Set(diff(sides(was).after, sides(was).before).map(({ path }) => path));
    const originOf = (path: string) => origin(related(path, repository), related(path, account));
    const origins = step.fields.map(({ path }) => originOf(path));
    return withOrigin(step, originOf, together(origins));
  }
  if (action === 'create' && desired) {
    const declaredAlike = was !== null && diff(was.fields, desired.fields).length === 0;
    return uniform(step, declaredAlike ? 'drift' : was === null || step.bound ? 'change' : 'both');
  }
  const touched = was !== null && live !== null && diff(was.fields, live.fields).length > 0;
  if (!step.bound) return uniform(step, 'drift');
  return uniform(step, !touched ? 'change' : step.formerly === undefined ? 'both' : 'drift');
}

function uniform(step: Step, origin: Origin): Step {
  return withOrigin(step, () => origin, origin);
}

function withOrigin(step: Step, of: (path: string) => Origin, whole: Origin): Step {
  return { ...step, origin: whole, fields: step.fields.map((field) => ({ ...field, origin: of(field.path) })) };
}

/** A field moved on both sides when both moved it; when neither is seen to, nobody can tell. */
function origin(repository: boolean, account: boolean): Origin {
  if (repository && account) return 'both';
  return repository ? 'change' : account ? 'drift' : 'unknown';
}

function together(origins: readonly Origin[]): Origin {
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
