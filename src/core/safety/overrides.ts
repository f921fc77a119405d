/** What a run overrides: safety checks for all changes or for addresses, a number of deletes, conditions, and a dirty work tree. */
import { type AllowedCheck, OVERRIDABLE_CHECKS, type OverridableCheck, type SafetyCheck } from '../model/change.ts';
import { type CheckOverride, CONDITIONS, type Condition } from '../model/decision.ts';
import { matchesGlob } from '../model/glob.ts';

/** The safety checks that the user overrides in this run (`--allow`). */
export interface Overrides {
  /** The number of deletes that are allowed at most; Infinity for `--allow deletes`. */
  readonly deletes: number;
  /** The checks that are overridden for every change. */
  readonly checks: ReadonlySet<OverridableCheck>;
  /** By check, the globs of the addresses for which it is overridden (`--allow CHECK=GLOB`). */
  readonly only?: ReadonlyMap<AllowedCheck, readonly string[]>;
  /** The conditions of the run that need not be met. */
  readonly conditions?: ReadonlySet<Condition>;
  /** Whether a dirty work tree may be applied. */
  readonly dirty?: true;
}

/** No override. */
export const NO_OVERRIDES: Overrides = { deletes: 0, checks: new Set() };

/** The safety checks that `--allow` overrides. */
const ALLOWED_CHECKS: readonly AllowedCheck[] = ['deletes', ...OVERRIDABLE_CHECKS];

/** What a run may override, as it is written: `deletes=N` allows N deletes at most, and every check takes a glob of addresses. */
export const OVERRIDES = [...ALLOWED_CHECKS, 'deletes=N', 'CHECK=GLOB', ...CONDITIONS, 'dirty'] as const;

/** The names of the safety checks and conditions among them. */
export const OVERRIDDEN_NAMES: readonly (AllowedCheck | Condition)[] = [...ALLOWED_CHECKS, ...CONDITIONS];

/** All names among them. */
export const OVERRIDE_NAMES: readonly string[] = [...OVERRIDDEN_NAMES, 'dirty'];

/** Adds one override, as it is written; null where there is none of this name. */
export function withOverride(before: Overrides, written: string): Overrides | null {
  if (written === 'dirty') return { ...before, dirty: true };
  const condition = CONDITIONS.find((each) => each === written);
  if (condition !== undefined) return { ...before, conditions: new Set([...(before.conditions ?? []), condition]) };
  const [name, ...rest] = written.split('=');
  const glob = rest.length === 0 ? undefined : rest.join('=');
  const check = ALLOWED_CHECKS.find((each) => each === name);
  if (check === undefined) return null;
  if (glob === undefined) return withCheck(before, check);
  if (check === 'deletes' && /^\d{1,9}$/.test(glob)) return { ...before, deletes: Number(glob) };
  return isAddressGlob(glob) ? withGlobs(before, check, [glob]) : null;
}

/** Whether a text can be a glob of addresses, and no misspelled number: it names a prefix, or a setting by its whole address. */
function isAddressGlob(text: string): boolean {
  return /^[^\p{C}\s]+$/u.test(text) && (/[/*]/.test(text) || /^[a-z]+(?:-[a-z]+)+$/.test(text));
}

function withCheck(before: Overrides, check: AllowedCheck): Overrides {
  return check === 'deletes' ? { ...before, deletes: Number.POSITIVE_INFINITY } : { ...before, checks: new Set([...before.checks, check]) };
}

function withGlobs(before: Overrides, check: AllowedCheck, globs: readonly string[]): Overrides {
  return { ...before, only: new Map([...(before.only ?? []), [check, [...new Set([...(before.only?.get(check) ?? []), ...globs])]]]) };
}

/** Returns the overrides as they are written after `--allow`. */
export function writtenOverrides({ deletes, checks, only = new Map(), conditions = new Set(), dirty }: Overrides): readonly string[] {
  return [
    ...(deletes === 0 ? [] : [Number.isFinite(deletes) ? `deletes=${deletes}` : 'deletes']),
    ...checks,
    ...[...only].flatMap(([check, globs]) => globs.map((glob) => `${check}=${glob}`)),
    ...conditions,
    ...(dirty ? ['dirty'] : []),
  ];
}

/** Decides whether a check is overridden for the change of an address. Of deletes, only those that no number limits. */
export function letsThrough({ checks, deletes, only }: Overrides, check: AllowedCheck, address: string): boolean {
  const isForAll = check === 'deletes' ? deletes === Number.POSITIVE_INFINITY : checks.has(check);
  return isForAll || (only?.get(check)?.some((glob) => matchesGlob(glob, address)) ?? false);
}

/** Decides whether a run overrides as much as a plan does. */
export function isOverridden({ deletes, checks, only }: Overrides, { check, only: globs }: CheckOverride): boolean {
  const allowed = allowedCheck(check);
  if (allowed === undefined) return false;
  if (allowed === 'deletes' ? deletes > 0 : checks.has(allowed)) return true;
  return globs?.every((glob) => only?.get(allowed)?.includes(glob)) ?? false;
}

/** Adds the overrides of a plan to those of a run. A check that no flag overrides is not added. */
export function withOverridden(allowed: Overrides, added: readonly CheckOverride[]): Overrides {
  return added.reduce((overrides, { check: name, only }) => {
    const check = allowedCheck(name);
    if (check === undefined) return overrides;
    return only === undefined ? withCheck(overrides, check) : withGlobs(overrides, check, only);
  }, allowed);
}

/** Returns the addresses for which a run overrides a check, as a member of what a plan says of it; nothing where it is for all. */
export function globsOf({ deletes, checks, only }: Overrides, name: SafetyCheck): Pick<CheckOverride, 'only'> {
  const check = allowedCheck(name);
  if (check === undefined || (check === 'deletes' ? deletes > 0 : checks.has(check))) return {};
  const globs = only?.get(check);
  return globs === undefined ? {} : { only: globs };
}

function allowedCheck(name: CheckOverride['check']): AllowedCheck | undefined {
  return ALLOWED_CHECKS.find((each) => each === name);
}
