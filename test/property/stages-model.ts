/** A model of the stages of a target, written from the sentences of docs/stages.md: what each apply declared, and what may be applied. */

/** The `repeat` of each declared playlist, by name. */
export type Values = ReadonlyMap<string, number>;

/** What one apply of a target declared. */
interface Apply {
  /** Unix milliseconds. */
  readonly at: number;
  readonly declared: Values;
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
}

/** Creates a target to which nothing was applied. */
export function modelTarget(name: string, reads: readonly string[]): ModelTarget {
  return { name, reads, applies: [], account: new Map(), leftOut: new Set(), last: null };
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
  target.account = account;
  target.last = number;
  target.applies.push({ at, declared, isWhole: target.leftOut.size === 0 && isReadBack });
}

/** Decides whether an earlier target has carried what it reads of a commit, for as long as `soakMs`. */
function hasCarried(before: ModelTarget, commit: Values, soakMs: number, now: number): boolean {
  const wanted = readBy(before, commit);
  return before.applies.some(({ at, declared, isWhole }) => isWhole && isSame(declared, wanted) && now - at >= soakMs);
}

/** Decides whether a value stands at an earlier target as at the later one, and is another one in a commit. */
function hasChangedBack(before: ModelTarget, later: ModelTarget, last: Values | null, commit: Values): boolean {
  return before.reads.some((name) => {
    // What the later target reads, too, may stand there as an earlier commit declared it.
    const lastValue = later.leftOut.has(name) ? later.account.get(name) : last?.get(name);
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
  return before.every((each) => hasCarried(each, commit, soakMs, now) && !hasChangedBack(each, later, last, commit));
}
