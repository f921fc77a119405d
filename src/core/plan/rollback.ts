/**
 * Three-way comparison of configurations: finds the changes that would roll back what a newer commit has brought to the account (design
 * section 12).
 */
import type { DesiredState } from '../config/desired-state.ts';
import type { DesiredResource } from '../kinds/kind.ts';
import { compareStrings } from '../model/finding.ts';
import { withPlaceholders } from '../model/ignored-fields.ts';
import { equal, isJsonObject, type Json, type JsonObject, pointer } from '../model/json.ts';
import type { Overrides } from '../safety/checks.ts';
import type { ChangeDraft, Rollback } from '../state/change-draft.ts';
import { separateExpiredIgnores } from './ignored-fields.ts';

/** The configuration at a commit, as far as it is compared here. */
export type DeclaredState = Pick<DesiredState, 'resources' | 'moved' | 'presentKeys' | 'positionOf'>;

/** What the commit to be applied is compared with, for the addresses that were last applied at one commit. */
export interface RollbackBaseline {
  /** Full name of the commit at which the addresses were last applied (*last*). */
  readonly lastCommit: string;
  /** The configuration at that commit; null where it cannot be used. */
  readonly lastState: DeclaredState | null;
  /** The configurations at the merge bases of *last* and the commit to be applied, except those that cannot be used. */
  readonly baseStates: readonly DeclaredState[];
  /** Why upkeep cannot tell everything that is rolled back, a clause; null where it can. */
  readonly cannotTell: string | null;
  /** The commits between a merge base and *last* that touched a file, newest first, by file. */
  readonly commitsByFile: ReadonlyMap<string, readonly string[]>;
}

/** What the commit to be applied is compared with. */
export interface RollbackInput {
  /** Returns the baseline of an address; null where nothing can be rolled back. */
  baselineOf(address: string): RollbackBaseline | null;
}

/** What `markChangesThatRollBack` needs of the input of a plan. */
interface ComparedPlan {
  readonly desiredState: DeclaredState;
  /** Null where nothing can be rolled back. */
  readonly rollback: RollbackInput | null;
  readonly overrides: Overrides;
}

/**
 * Adds to each draft what it would undo of a newer commit. With `--allow rollback`, `isBehind` is false for every draft. `now` in Unix
 * milliseconds.
 */
export function markChangesThatRollBack(
  drafts: readonly ChangeDraft[],
  { desiredState: desired, rollback: input, overrides }: ComparedPlan,
  now: number,
): readonly ChangeDraft[] {
  if (input === null) return drafts;
  const isOverridden = overrides.checks.has('rollback');
  const comparisons = new Map<RollbackBaseline, Comparison>();
  return drafts.map((draft) => {
    // A move writes nothing on the service.
    if (draft.action === 'move') return draft;
    const baseline = input.baselineOf(addressAtLastApply(draft));
    if (baseline === null) return draft;
    const comparison = comparisons.get(baseline) ?? compareWith(desired, baseline);
    comparisons.set(baseline, comparison);
    const rollback = rollbackOf(draft, comparison, now);
    return rollback === null ? draft : { ...draft, rollback: { ...rollback, isBehind: rollback.isBehind && !isOverridden } };
  });
}

/** Returns the address to which the object of a change was bound at the last apply; of a create its own. */
function addressAtLastApply(draft: ChangeDraft): string {
  return (draft.action === 'update' ? draft.movedFrom : undefined) ?? declaredAddressOf(draft);
}

/** Returns the address of the declarations that a change concerns. */
function declaredAddressOf(draft: ChangeDraft): string {
  return draft.action === 'delete' ? (draft.replacementAddress ?? draft.address) : draft.address;
}

/** The commit to be applied and one baseline; resources can be looked up by address. */
interface Comparison {
  readonly baseline: RollbackBaseline;
  readonly desired: Declarations;
  /** Null where the configuration at *last* cannot be used. */
  readonly last: Declarations | null;
  readonly bases: readonly Declarations[];
}

/** The resources of one configuration. */
interface Declarations {
  readonly state: DeclaredState;
  /** Decides whether exactly this address is declared. */
  declares(address: string): boolean;
  /** Returns the resource of an address, or else of another one that `moved` connects with it. */
  readonly find: (address: string) => DesiredResource | null;
}

function compareWith(desired: DeclaredState, baseline: RollbackBaseline): Comparison {
  const { lastState, baseStates } = baseline;
  const states = [desired, ...baseStates, ...(lastState ? [lastState] : [])];
  const sameResource = connectedAddresses(states.map(({ moved }) => moved));
  const of = (state: DeclaredState) => declarationsOf(state, sameResource);
  return { baseline, desired: of(desired), last: lastState && of(lastState), bases: baseStates.map(of) };
}

function declarationsOf(state: DeclaredState, sameResource: (address: string) => readonly string[]): Declarations {
  // References are compared as declared: which asset an external ID names is no part of a commit.
  const byAddress = new Map(state.resources.map((resource) => [resource.address, resource.beforeResolving ?? resource]));
  return {
    state,
    declares: (address) => byAddress.has(address),
    find: (address) => [address, ...sameResource(address)].flatMap((each) => byAddress.get(each) ?? [])[0] ?? null,
  };
}

/** Returns a function that finds the other addresses of a resource: those that `moved` (new address to old) connects with its address. */
function connectedAddresses(moves: readonly ReadonlyMap<string, string>[]): (address: string) => readonly string[] {
  const neighbors = new Map<string, string[]>();
  const connect = (a: string, b: string) => neighbors.set(a, [...(neighbors.get(a) ?? []), b]);
  for (const [to, from] of moves.flatMap((moved) => [...moved])) {
    connect(to, from);
    connect(from, to);
  }
  return (address) => {
    const found = new Set([address]);
    // The loop also visits the addresses that it adds.
    for (const each of found) for (const neighbor of neighbors.get(each) ?? []) found.add(neighbor);
    found.delete(address);
    return [...found].sort(compareStrings);
  };
}

/** Returns what a change would roll back; null for nothing. */
function rollbackOf(draft: ChangeDraft, comparison: Comparison, now: number): Rollback | null {
  const { baseline, desired, last, bases } = comparison;
  if (last === null) return { reason: cannotTellReason(baseline), isBehind: false };
  const found = bases.flatMap((base) => compareAtBase(draft, { base, desired, last }, now) ?? []);
  const worst = found.find(({ onlyRollsBack }) => onlyRollsBack) ?? found[0];
  if (worst) return { reason: reasonOf(draft, worst, { baseline, last, bases }), isBehind: worst.onlyRollsBack };
  if (baseline.cannotTell === null) return null;
  // Where a merge base is missing or cannot be used, any value that differs from *last* may roll something back:
  // with `desired` as the base, no value counts as changed since the base.
  const differs = compareAtBase(draft, { base: desired, desired, last }, now) !== null;
  return differs ? { reason: cannotTellReason(baseline), isBehind: false } : null;
}

/** The three configurations of the comparison with one merge base. */
interface ThreeWay {
  readonly base: Declarations;
  readonly desired: Declarations;
  readonly last: Declarations;
}

/** What a change rolls back. */
interface BaseComparison {
  /** The fields, as JSON Pointers; empty where it is the resource itself. */
  readonly paths: readonly string[];
  /** Whether the change, compared with the merge base, brings nothing new. */
  readonly onlyRollsBack: boolean;
}

function compareAtBase(draft: ChangeDraft, threeWay: ThreeWay, now: number): BaseComparison | null {
  const { base, desired, last } = threeWay;
  const address = declaredAddressOf(draft);
  if (draft.desired === null && undoesLastCommit(draft, address, threeWay)) return { paths: [], onlyRollsBack: true };
  const [atBase, atDesired, atLast] = [base.find(address), desired.find(address), last.find(address)];
  if (atBase === null || atDesired === null) return null;
  const fieldsOf = (resource: DesiredResource): JsonObject => {
    if (draft.action !== 'update') return resource.fields;
    // An ignored field is compared by a placeholder, until its entry expires: to write a field that the newer commit ignores is a rollback.
    const { ignored = [] } = separateExpiredIgnores(resource, now);
    return withPlaceholders(draft.kind.toComparable?.(resource, draft.live, now).after ?? resource.fields, ignored);
  };
  // Where the newer commit removed the declaration, every written value undoes the removal.
  const [baseFields, desiredFields, lastFields] = [fieldsOf(atBase), fieldsOf(atDesired), atLast === null ? {} : fieldsOf(atLast)];
  // Only an update is about single fields: null for the others.
  const written = draft.action === 'update' ? draft.fields.map(({ path }) => path) : null;
  const isWritten = (path: string) => written === null || written.some((field) => areRelated(field, path));
  const differsFromLast = differingPaths(lastFields, desiredFields).filter(isWritten);
  const changedSinceBase = new Set(differingPaths(baseFields, desiredFields));
  const paths = differsFromLast.filter((path) => !changedSinceBase.has(path));
  if (atLast !== null && paths.length === 0) return null;
  const isNew = (field: string) => differsFromLast.some((path) => changedSinceBase.has(path) && areRelated(field, path));
  const isRolledBack = (field: string) => paths.some((path) => areRelated(field, path));
  const onlyRollsBack = written === null ? changedSinceBase.size === 0 : written.every((field) => isRolledBack(field) && !isNew(field));
  return { paths: atLast === null ? [] : paths, onlyRollsBack };
}

/**
 * Decides whether a delete or a forget undoes the last applied commit: only that commit declares the address, or only that commit leaves the
 * section unmanaged.
 */
function undoesLastCommit(draft: ChangeDraft & { readonly desired: null }, address: string, { base, desired, last }: ThreeWay): boolean {
  if (last.declares(address)) return !base.declares(address) && !desired.declares(address);
  const isManaged = ({ state }: Declarations) => state.presentKeys.has(draft.live.configSection);
  return isManaged(base) && isManaged(desired) && !isManaged(last);
}

/** Returns the JSON Pointers of the values that differ. An absent value equals null, and an empty object counts as no values. */
function differingPaths(a: JsonObject, b: JsonObject): readonly string[] {
  if (equal(a, b)) return [];
  const [before, after] = [valuesOf(a), valuesOf(b)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => !equal(before.get(path) ?? null, after.get(path) ?? null))
    .sort();
}

/** Returns all values of an object by JSON Pointer. Lists are values. */
function valuesOf(fields: JsonObject, above: readonly string[] = [], values = new Map<string, Json>()): ReadonlyMap<string, Json> {
  for (const [member, value] of Object.entries(fields)) {
    const path = [...above, member];
    if (isJsonObject(value)) valuesOf(value, path, values);
    else values.set(pointer(path), value);
  }
  return values;
}

/** Decides whether two JSON Pointers are equal, or one lies below the other. */
function areRelated(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}

/** Maximum number of fields, and of commits, named in a reason. */
const MAX_NAMED = 3;

function reasonOf(
  draft: ChangeDraft,
  { paths }: BaseComparison,
  { baseline: { lastCommit, commitsByFile }, last, bases }: Pick<Comparison, 'baseline' | 'bases'> & { readonly last: Declarations },
): string {
  const address = declaredAddressOf(draft);
  const commit = `commit ${shortName(lastCommit)}, which was applied`;
  const fields = paths.length > 0 ? named(paths.map((path) => path.slice(1))) : 'its declaration';
  const absent = draft.desired === null ? `touch what ${commit}, leaves unmanaged` : `bring back what ${commit}, removed`;
  const what = last.find(address) ? `roll back ${fields} of ${commit}` : absent;
  const commits = filesOf(address, [last, ...bases]).flatMap((file) => commitsByFile.get(file) ?? []);
  const by = commits.length === 0 ? '' : ` (its file was changed by ${named([...new Set(commits)].map(shortName))})`;
  return `it would ${what}${by}`;
}

/** Returns the files that declare a resource in these configurations. */
function filesOf(address: string, configurations: readonly Declarations[]): readonly string[] {
  const files = configurations.flatMap(({ state, find }) => {
    const resource = find(address);
    return resource ? [(resource.textFilePosition ?? state.positionOf(resource.path)).file] : [];
  });
  return [...new Set(files)];
}

function cannotTellReason({ lastCommit, cannotTell }: RollbackBaseline): string {
  return `upkeep cannot tell whether it would roll back something of commit ${shortName(lastCommit)}, which was applied: ${cannotTell}`;
}

function named(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return [...names.slice(0, MAX_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function shortName(commit: string): string {
  return commit.slice(0, 12);
}
