/**
 * Three-way comparison of configurations: finds the changes that would roll back what a newer commit has brought to the account (design
 * section 12).
 */
import type { DesiredState } from '../config/desired-state.ts';
import { type DesiredResource, isLiveObject } from '../kinds/kind.ts';
import { compareStrings } from '../model/finding.ts';
import { withPlaceholders } from '../model/ignored-fields.ts';
import type { JsonObject } from '../model/json.ts';
import { letsThrough, type Overrides } from '../safety/overrides.ts';
import { addressAtLastApply, declaredAddressOf, type PlannedChange, type Rollback } from '../state/planned-change.ts';
import { areRelated, compareThreeWay } from '../state/three-way.ts';
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
 * Adds to each change what it would undo of a newer commit. With `--allow rollback`, `isBehind` is false for every change. `now` in Unix
 * milliseconds.
 */
export function markChangesThatRollBack(
  planned: readonly PlannedChange[],
  { desiredState: desired, rollback: input, overrides }: ComparedPlan,
  now: number,
): readonly PlannedChange[] {
  if (input === null) return planned;
  const comparisons = new Map<RollbackBaseline, Comparison>();
  return planned.map((each) => {
    // A move writes nothing on the service.
    if (each.change.action === 'move') return each;
    const baseline = input.baselineOf(addressAtLastApply(each));
    if (baseline === null) return each;
    const comparison = comparisons.get(baseline) ?? compareWith(desired, baseline);
    comparisons.set(baseline, comparison);
    const rollback = rollbackOf(each, comparison, now);
    return {
      ...each,
      rollback: rollback && { ...rollback, isBehind: rollback.isBehind && !letsThrough(overrides, 'rollback', each.change.address) },
    };
  });
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
function rollbackOf(planned: PlannedChange, comparison: Comparison, now: number): Rollback | null {
  const { baseline, desired, last, bases } = comparison;
  if (last === null) return { reason: cannotTellReason(baseline), isBehind: false };
  const found = bases.flatMap((base) => compareAtBase(planned, { base, desired, last }, now) ?? []);
  const worst = found.find(({ onlyRollsBack }) => onlyRollsBack) ?? found[0];
  if (worst) return { reason: reasonOf(planned, worst, { baseline, last, bases }), isBehind: worst.onlyRollsBack };
  if (baseline.cannotTell === null) return null;
  // Where a merge base is missing or cannot be used, any value that differs from *last* may roll something back:
  // with `desired` as the base, no value counts as changed since the base.
  const differs = compareAtBase(planned, { base: desired, desired, last }, now) !== null;
  return differs ? { reason: cannotTellReason(baseline), isBehind: false } : null;
}

/** The three configurations of the comparison with one merge base. */
interface Configurations {
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

function compareAtBase(planned: PlannedChange, configurations: Configurations, now: number): BaseComparison | null {
  const { base, desired, last } = configurations;
  const address = declaredAddressOf(planned);
  if (planned.desired === null && undoesLastCommit(planned, address, configurations)) return { paths: [], onlyRollsBack: true };
  const [atBase, atDesired, atLast] = [base.find(address), desired.find(address), last.find(address)];
  if (atBase === null || atDesired === null) return null;
  const { kind, live, change } = planned;
  // Only an update is about single fields: null for the others.
  const written = change.action === 'update' ? change.fields.map(({ path }) => path) : null;
  const fieldsOf = (resource: DesiredResource): JsonObject => {
    if (written === null || live === null) return resource.fields;
    // An ignored field is compared by a placeholder, until its entry expires: to write a field that the newer commit ignores is a rollback.
    const { ignored = [] } = separateExpiredIgnores(resource, now);
    return withPlaceholders(kind.toComparable?.(resource, live, now).after ?? resource.fields, ignored);
  };
  // Where the newer commit removed the declaration, every written value undoes the removal.
  const { changed, differing } = compareThreeWay(fieldsOf(atBase), fieldsOf(atDesired), atLast === null ? {} : fieldsOf(atLast));
  const isWritten = (path: string) => written === null || written.some((field) => areRelated(field, path));
  const differsFromLast = differing.filter(isWritten);
  const paths = differsFromLast.filter((path) => !changed.has(path));
  if (atLast !== null && paths.length === 0) return null;
  const isNew = (field: string) => differsFromLast.some((path) => changed.has(path) && areRelated(field, path));
  const isRolledBack = (field: string) => paths.some((path) => areRelated(field, path));
  const onlyRollsBack = written === null ? changed.size === 0 : written.every((field) => isRolledBack(field) && !isNew(field));
  return { paths: atLast === null ? [] : paths, onlyRollsBack };
}

/**
 * Decides whether a delete or a forget undoes the last applied commit: only that commit declares the address, or only that commit leaves the
 * section unmanaged.
 */
function undoesLastCommit({ live }: PlannedChange, address: string, { base, desired, last }: Configurations): boolean {
  if (last.declares(address)) return !base.declares(address) && !desired.declares(address);
  const isManaged = ({ state }: Declarations) => live !== null && isLiveObject(live) && state.presentKeys.has(live.configSection);
  return isManaged(base) && isManaged(desired) && !isManaged(last);
}

/** Maximum number of fields, and of commits, named in a reason. */
const MAX_NAMED = 3;

function reasonOf(
  planned: PlannedChange,
  { paths }: BaseComparison,
  { baseline: { lastCommit, commitsByFile }, last, bases }: Pick<Comparison, 'baseline' | 'bases'> & { readonly last: Declarations },
): string {
  const address = declaredAddressOf(planned);
  const commit = `commit ${shortName(lastCommit)}, which was applied`;
  const fields = paths.length > 0 ? named(paths.map((path) => path.slice(1))) : 'its declaration';
  const absent = planned.desired === null ? `touch what ${commit}, leaves unmanaged` : `bring back what ${commit}, removed`;
  const what = last.find(address) ? `roll back ${fields} of ${commit}` : absent;
  const commits = filesOf(address, [last, ...bases]).flatMap((file) => commitsByFile.get(file) ?? []);
  const by = commits.length === 0 ? '' : ` (its file was changed by ${named([...new Set(commits)].map(shortName))})`;
  return `it would ${what}${by}`;
}

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
