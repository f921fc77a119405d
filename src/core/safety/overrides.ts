import { OVERRIDABLE_CHECKS } from '../model/change.ts';
import type { Overrides } from './checks.ts';

/** The names of what a run may override: `deletes=N` allows N deletes at most. */
export const OVERRIDES = ['deletes', 'deletes=N', ...OVERRIDABLE_CHECKS, 'dirty'] as const;

/** Adds one override, by its name; null where there is none of this name. */
export function withOverride(before: Overrides, name: string): Overrides | null {
  const deletes = /^deletes(?:=(\d{1,9}))?$/.exec(name);
  if (deletes) return { ...before, deletes: deletes[1] === undefined ? Number.POSITIVE_INFINITY : Number(deletes[1]) };
  if (name === 'dirty') return { ...before, dirty: true };
  const check = OVERRIDABLE_CHECKS.find((each) => each === name);
  return check === undefined ? null : { ...before, checks: new Set([...before.checks, check]) };
}
