/** The order of targets: which ones a target comes after (`after`). */
import { compareStrings, type FindingText } from '../model/finding.ts';
import { matchesGlob } from '../model/glob.ts';
import type { Path } from '../model/json.ts';
import { suggest } from './did-you-mean.ts';

/** What the order of a target depends on. */
interface Stage {
  readonly name: string;
  /** Globs of the targets before it. */
  readonly after: readonly string[];
}

/** Returns the targets that a target comes after, in their order. A glob never means the target itself. */
export function targetsBefore<Target extends { readonly name: string }>(
  targets: readonly Target[],
  { name, after }: Stage,
): readonly Target[] {
  return targets.filter((each) => each.name !== name && after.some((glob) => matchesGlob(glob, each.name)));
}

/** A target as far as `stageProblems` checks it. */
interface CheckedStage extends Stage {
  readonly hasLedger: boolean;
  readonly hasBranch: boolean;
  readonly hasSoak: boolean;
}

/** A problem of `after` or `soak`, and its place in upkeep.yaml. */
type StageProblem = FindingText & { readonly path: Path };

/** Finds what makes stages impossible: unknown targets, targets without a ledger or a branch, and cycles. */
export function stageProblems(targets: readonly CheckedStage[]): readonly StageProblem[] {
  return [...targets.flatMap((target) => problemsOf(target, targets)), ...cycleProblems(targets)];
}

function problemsOf(target: CheckedStage, targets: readonly CheckedStage[]): readonly StageProblem[] {
  const { name, after, hasSoak, hasLedger, hasBranch } = target;
  const at = (...rest: Path) => ({ path: ['targets', name, ...rest] });
  if (after.length === 0) {
    const noStage = { code: 'missing-key', summary: '`soak` says how long after another target, and there is no `after`' };
    return hasSoak ? [{ ...noStage, hint: 'Write `after: [TARGET]`, or leave `soak` out.', ...at('soak') }] : [];
  }
  const unknown = after.flatMap((glob, index): StageProblem[] => {
    if (targetsBefore(targets, { name, after: [glob] }).length > 0) return [];
    const near = suggest(
      glob,
      targets.map((each) => each.name).filter((each) => each !== name),
    );
    const hint = near === undefined ? 'Name another target of this file, or a glob of several.' : `Did you mean \`${near}\`?`;
    const summary = glob === name ? 'a target cannot come after itself' : `\`after\` names no other target: \`${glob}\``;
    return [{ code: 'unknown-target', summary, hint, ...at('after', index) }];
  });
  const unrecorded = targetsBefore(targets, target).filter((each) => !each.hasLedger);
  const needsLedger = 'Set `ledger: git` there: what a target has carried stands in its ledger.';
  return [
    ...unknown,
    ...unrecorded.map((each) => ({
      code: 'stage-without-ledger',
      summary: `\`${name}\` comes after \`${each.name}\`, which keeps no ledger`,
      hint: needsLedger,
      ...at('after'),
    })),
    ...(hasLedger
      ? []
      : [
          {
            code: 'stage-without-ledger',
            summary: `\`${name}\` comes after other targets, and keeps no ledger itself`,
            hint: needsLedger,
            ...at('after'),
          },
        ]),
    ...(hasBranch
      ? []
      : [
          {
            code: 'missing-key',
            summary: `\`${name}\` comes after other targets, and names no \`branch\``,
            hint: 'Write for example `branch: main`: the stages that count are those of that branch, whatever commit is applied.',
            ...at('after'),
          },
        ]),
  ];
}

function cycleProblems(targets: readonly CheckedStage[]): readonly StageProblem[] {
  const before = new Map(targets.map((target) => [target.name, targetsBefore(targets, target).map(({ name }) => name)]));
  // What lies before a ring, and what lies behind one, waits for nobody of it.
  const ring = inRings(reversed(inRings(before)));
  const named = [...ring.keys()].sort(compareStrings).join(', ');
  return [...ring.keys()].map((name) => ({
    code: 'stage-cycle',
    summary: `\`${name}\` would come after itself: ${named} wait for each other`,
    hint: 'Take one of them out of `after`.',
    path: ['targets', name, 'after'],
  }));
}

/** The names before each name. */
type Order = ReadonlyMap<string, readonly string[]>;

/** Returns the part of an order that lies in a ring or behind one. */
function inRings(before: Order): Order {
  const open = new Map([...before].map(([name, names]) => [name, names.length]));
  const behind = reversed(before);
  const ready = [...open.keys()].filter((name) => open.get(name) === 0);
  for (let name = ready.pop(); name !== undefined; name = ready.pop()) {
    open.delete(name);
    for (const next of behind.get(name) ?? []) {
      const left = (open.get(next) ?? 0) - 1;
      open.set(next, left);
      if (left === 0) ready.push(next);
    }
  }
  return new Map([...open.keys()].map((name) => [name, (before.get(name) ?? []).filter((each) => open.has(each))]));
}

/** Returns the names behind each name. */
function reversed(before: Order): Order {
  const behind = new Map<string, string[]>([...before.keys()].map((name) => [name, []]));
  for (const [name, names] of before) for (const each of names) behind.get(each)?.push(name);
  return behind;
}
