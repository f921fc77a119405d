/** A model of the stages of a target, written from the sentences of docs/stages.md: what each apply declared, and what may be applied. */

/** The `repeat` of each declared playlist, by name. */
export type Values = ReadonlyMap<string, number>;

/** What one apply of a target declared. */
interface Apply {
  /** Unix milliseconds. */
  readonly at: number;
  readonly declared: Values;
  /** What the target stood at afterwards, by the playlists that it reads. */
  readonly stands: Values;
  /** What it tried to write and failed at. */
  readonly tried: Values;
  readonly number: number;
  /** Whether it left nothing out, had no failure, and read everything back. */
  readonly isWhole: boolean;
}

/** A target, and what was applied to it. */
export interface ModelTarget {
  readonly name: string;
  /** The names of the playlists that it reads. */
  readonly reads: readonly string[];
  readonly applies: Apply[];
  /** What its account has. */
  account: Values;
  /** The names that its applies left out since they were last included. */
  leftOut: ReadonlySet<string>;
  /** The number of the commit last applied; null before the first apply. */
  last: number | null;
  /** By playlist, the values that it stood at, each with the number of the commit at which it did last. */
  readonly stood: Map<string, Map<number | null, number>>;
  /** By playlist, the number of the commit at which it stands. */
  readonly standsAt: Map<string, number>;
}

/** Creates a target to which nothing was applied. */
export function modelTarget(name: string, reads: readonly string[]): ModelTarget {
  return { name, reads, applies: [], account: new Map(), leftOut: new Set(), last: null, stood: new Map(), standsAt: new Map() };
}

/** Returns what a target reads of the values of a commit. */
export function readBy({ reads }: Pick<ModelTarget, 'reads'>, commit: Values): Values {
  return new Map([...commit].filter(([name]) => reads.includes(name)));
}

/** Decides whether two configurations declare the same. */
function isSame(a: Values, b: Values): boolean {
  return a.size === b.size && [...a].every(([name, value]) => b.get(name) === value);
}

/** What became of an apply. */
export interface Applied {
  /** Number and values of the commit. */
  readonly number: number;
  readonly commit: Values;
  readonly at: number;
  /** Decides whether the apply included a playlist. */
  includes(name: string): boolean;
  readonly isReadBack: boolean;
  /** What the account has afterwards. */
  readonly account: Values;
}

/** Adds an apply to a target. */
export function addApply(target: ModelTarget, { number, commit, at, includes, isReadBack, account }: Applied): void {
  const declared = readBy(target, commit);
  const isLeftOut = (name: string) => account.get(name) !== declared.get(name) || (target.leftOut.has(name) && !includes(name));
  target.leftOut = new Set(target.reads.filter(isLeftOut));
  const failed = target.reads.filter((name) => includes(name) && account.get(name) !== declared.get(name));
  for (const name of target.reads) {
    const stood = target.stood.get(name) ?? new Map<number | null, number>();
    target.stood.set(name, stood);
    // The commit was applied to the playlist, or tried: the branch went on from those that it contains.
    if (!target.leftOut.has(name) || failed.includes(name)) for (const [value, before] of stood) if (before <= number) stood.delete(value);
    if (!target.leftOut.has(name)) target.standsAt.set(name, number);
    const commitAt = target.standsAt.get(name);
    if (commitAt !== undefined) stood.set(account.get(name) ?? null, commitAt);
  }
  target.account = account;
  target.last = number;
  target.applies.push({
    at,
    number,
    declared,
    stands: account,
    tried: new Map(failed.map((name) => [name, declared.get(name) ?? ABSENT])),
    isWhole: target.leftOut.size === 0 && isReadBack,
  });
}

/** Stands for a playlist that is not declared. */
const ABSENT = -1;

/** Decides whether a target took back itself what it reads of a commit. */
function hasTakenBack(target: ModelTarget, commit: Values): boolean {
  const last = target.applies.at(-1);
  return target.reads.some((name) => {
    const wanted = commit.get(name) ?? null;
    const before = target.stood.get(name)?.get(wanted);
    const tried = last?.tried.get(name);
    if (before === undefined) return false;
    if (tried === undefined) return (target.account.get(name) ?? null) !== wanted;
    const isOther = tried !== (wanted ?? ABSENT) || (target.account.get(name) ?? null) !== wanted;
    return isOther && before > (last?.number ?? 0);
  });
}

/** Returns what a playlist stands at on a target, if that is known by its last commit. */
function standing(target: ModelTarget, last: Values | null, name: string): number | undefined {
  // What the target reads may stand there as an earlier commit declared it.
  return target.leftOut.has(name) ? target.account.get(name) : last?.get(name);
}

/** Decides whether what an earlier target reads of a commit stood on it for as long as `soakMs`. */
function hasCarried(
  before: ModelTarget,
  {
    later,
    last,
    commit,
    soakMs,
    now,
  }: { readonly later: ModelTarget; readonly last: Values | null; readonly commit: Values; readonly soakMs: number; readonly now: number },
): boolean {
  const wanted = readBy(before, commit);
  const watched = before.reads.filter((name) => wanted.get(name) !== standing(later, last, name));
  const isOther = ({ stands, tried }: Apply) =>
    watched.some((name) => stands.get(name) !== wanted.get(name) || (tried.has(name) && tried.get(name) !== (wanted.get(name) ?? ABSENT)));
  return before.applies.some(({ at, declared, isWhole }, index) => {
    if (!isWhole || !isSame(declared, wanted) || now - at < soakMs) return false;
    const within = before.applies.slice(index + 1).filter((each) => each.at <= at + soakMs);
    return !within.some((each) => !isSame(each.declared, wanted) && isOther(each));
  });
}

/** Decides whether a value stands at an earlier target as at the later one, and is another one in a commit. */
function hasChangedBack(before: ModelTarget, later: ModelTarget, last: Values | null, commit: Values): boolean {
  return before.reads.some((name) => {
    const lastValue = standing(later, last, name);
    const stands = before.account.get(name);
    return lastValue === stands && stands !== commit.get(name);
  });
}

/** Decides whether the stages of a target let a commit be applied to it. `commits` are the values of each. */
export function isPromoted(
  later: ModelTarget,
  { before, soakMs }: { readonly before: readonly ModelTarget[]; readonly soakMs: number },
  commits: readonly Values[],
  number: number,
  now: number,
): boolean {
  const last = later.last === null ? null : (commits[later.last] ?? null);
  const commit = commits[number] ?? new Map();
  if (later.last === number && later.applies.at(-1)?.isWhole) return true;
  const isCarried = before.every(
    (each) => hasCarried(each, { later, last, commit, soakMs, now }) && !hasChangedBack(each, later, last, commit),
  );
  return isCarried && !hasTakenBack(later, commit);
}

/** Decides whether a target may go back to an entry of its own with this commit. */
export function mayGoBack(target: ModelTarget, commit: Values): boolean {
  return !hasTakenBack(target, commit);
}
