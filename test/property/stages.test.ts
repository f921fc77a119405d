/** Random histories of two or three targets: the later one gets exactly what its stages let through. The oracle is stages-model.ts. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { beams } from '../e2e/accounts.ts';
import { createRings, type Ring, type Rings } from '../e2e/stages/rings.ts';
import { record, rounds } from '../support/figures.ts';
import { atMost } from '../support/patience.ts';
import { assertAsyncProperty } from '../support/property.ts';
import { waitsIn } from '../support/waits.ts';
import { addApply, isPromoted, type ModelTarget, mayGoBack, modelTarget, readBy, type Values } from './stages-model.ts';

const RUNS = rounds(10, 100);

const HOUR_MS = 3_600_000;
const SOAK_HOURS = 24;

/** The playlists of each folder: all targets read `config`, and two of them a folder of their own besides. */
const FOLDERS: { readonly [folder: string]: readonly string[] } = { config: ['s1', 's2'], extra: ['e1'], live: ['l1'] };
const NAMES = Object.values(FOLDERS).flat();

/** A playlist and its new `repeat`; null where it is declared no more. */
type Edit = readonly [name: string, value: number | null];

/** Which commit is applied: so many before the newest one, and how it is named. */
interface Choice {
  readonly back: number;
  readonly by: 'ref' | 'checkout';
}

type Step =
  | { readonly step: 'merge'; readonly edits: readonly Edit[] }
  | { readonly step: 'revert'; readonly back: number }
  | { readonly step: 'pass'; readonly hours: number }
  | {
      readonly step: 'stage';
      readonly target: number;
      readonly choice: Choice;
      /** The one playlist that is applied; null for all. */
      readonly only: string | null;
      /** The requests that fail; `read` those after the writes. */
      readonly fails: 'PATCH' | 'POST' | 'DELETE' | 'read' | null;
      /** Whether the same is applied once more, without a failure. */
      readonly again: boolean;
    }
  /** All earlier targets get the newest commit, time passes, and perhaps one of them goes back. */
  | { readonly step: 'carry'; readonly hours: number; readonly undone: number | null }
  | { readonly step: 'undo'; readonly target: number }
  | { readonly step: 'production'; readonly choice: Choice; readonly fails: 'PATCH' | null }
  | { readonly step: 'promoted' }
  /** Production goes back to an apply of its own, so many before the newest one. */
  | { readonly step: 'back'; readonly back: number; readonly isOverridden: boolean }
  | { readonly step: 'override' };

const edit: fc.Arbitrary<Edit> = fc.tuple(fc.constantFrom('s1', 's1', 's2', 'e1', 'l1'), fc.constantFrom(1, 2, 3, null));
const choice: fc.Arbitrary<Choice> = fc.record({
  back: fc.constantFrom(0, 0, 0, 1, 2, 3),
  by: fc.constantFrom('ref' as const, 'checkout' as const),
});
const target = fc.nat(1);
const hours = fc.constantFrom(1, 12, SOAK_HOURS, SOAK_HOURS, 40);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ step: fc.constant('merge' as const), edits: fc.array(edit, { minLength: 1, maxLength: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('revert' as const), back: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('pass' as const), hours }) },
  {
    weight: 4,
    arbitrary: fc.record({
      step: fc.constant('stage' as const),
      target,
      choice,
      only: fc.constantFrom(null, null, null, null, 's1', 's2'),
      fails: fc.constantFrom(
        null,
        null,
        null,
        null,
        'PATCH' as const,
        'POST' as const,
        'DELETE' as const,
        'read' as const,
        'read' as const,
      ),
      again: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ step: fc.constant('carry' as const), hours, undone: fc.constantFrom(null, null, 0, 1) }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('undo' as const), target }) },
  {
    weight: 5,
    arbitrary: fc.record({ step: fc.constant('production' as const), choice, fails: fc.constantFrom(null, null, null, 'PATCH' as const) }),
  },
  { weight: 3, arbitrary: fc.record({ step: fc.constant('promoted' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      step: fc.constant('back' as const),
      back: fc.constantFrom(1, 1, 2),
      isOverridden: fc.constantFrom(true, false, false),
    }),
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('override' as const) }) },
);

/** A history: the targets, and what happens one after another. */
interface History {
  /** The number of targets before production. */
  readonly stages: number;
  /** Whether all targets have the first commit when it begins. */
  readonly isApplied: boolean;
  readonly steps: readonly Step[];
}

const history: fc.Arbitrary<History> = fc.record({
  stages: fc.constantFrom(1, 2),
  isApplied: fc.constantFrom(true, true, true, false),
  steps: fc.array(step, { minLength: 5, maxLength: 10 }),
});

const stage = { step: 'stage', target: 0, choice: { back: 0, by: 'ref' }, only: null, fails: null, again: false } as const;
const older: Choice = { back: 1, by: 'ref' };

/** A history that comes to every reason, as few random ones do. */
const EVERY_REASON: History = {
  stages: 1,
  isApplied: true,
  steps: [
    { step: 'merge', edits: [['s1', 2]] },
    { ...stage, fails: 'read' },
    stage,
    { step: 'pass', hours: SOAK_HOURS + 1 },
    { step: 'merge', edits: [['s1', 3]] },
    stage,
    { step: 'pass', hours: SOAK_HOURS },
    { step: 'promoted' },
    // Staging has the newer value.
    { step: 'production', choice: older, fails: null },
    { step: 'merge', edits: [['s2', 2]] },
    stage,
    { step: 'merge', edits: [['s2', 3]] },
    stage,
    // Staging has corrected what the older commit brought.
    { step: 'production', choice: older, fails: null },
    { step: 'undo', target: 0 },
  ],
};

/** What came of the looks at production. */
const figures = { promoted: 0, waiting: 0, 'gone back': 0, 'newest promoted commits': 0, 'nothing promoted': 0 };

/** The reasons to wait, by a part of their text. */
const reasons = new Map(
  ['has not carried', 'carries this configuration since', 'only in part', 'has changed back', 'has corrected', 'newer value'].map(
    (part) => [part, 0],
  ),
);

/** A history as it runs: the project, and what the model knows of it. */
interface Running {
  readonly rings: Rings;
  readonly commits: Values[];
  readonly hashes: string[];
  readonly before: readonly ModelTarget[];
  readonly production: ModelTarget;
  /** The entries of each target, the newest last, with the number of the commit. */
  readonly entries: Map<string, { readonly id: string; readonly number: number; readonly isWhole: boolean }[]>;
}

const ALLOWED = ['rollback', 'deletes', 'playback-loss', 'weakening'].flatMap((check) => ['--allow', check]);

/** Writes the files of some values, and commits them. */
function merge({ rings: { project }, commits, hashes }: Running, values: Values): void {
  for (const [folder, names] of Object.entries(FOLDERS)) {
    const declared = names.flatMap((name) => {
      const repeat = values.get(name);
      return repeat === undefined ? [] : [[name, { repeat, playlist: beams(NAMES.indexOf(name) + 1) }]];
    });
    project.write(`${folder}/account.yaml`, JSON.stringify({ playlists: Object.fromEntries(declared) }));
  }
  hashes.push(project.commit());
  commits.push(values);
}

function accountOf(rings: Rings, name: string): Values {
  return new Map(rings.playlists(name).map(({ desc, repeat }) => [String(desc), Number(repeat)]));
}

function edited(values: Values, edits: readonly Edit[]): Values {
  const next = new Map(values);
  for (const [name, value] of edits) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** Runs commands where a commit is named as a choice says. */
async function at<Result>(
  running: Running,
  { number, by }: { readonly number: number; readonly by: Choice['by'] },
  run: (ref: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const { rings, hashes } = running;
  const hash = hashes[number] ?? '';
  if (number === hashes.length - 1) return run([]);
  if (by === 'ref') return run(['--ref', hash]);
  rings.project.git('checkout', '-q', hash);
  const result = await run([]);
  rings.project.git('checkout', '-q', 'main');
  return result;
}

/** Applies a target, and tells the model. */
async function applyTo(
  running: Running,
  target: ModelTarget,
  number: number,
  only: string | null,
  argv: readonly string[],
  mayFail = false,
): Promise<void> {
  const { rings, commits, entries } = running;
  const args = ['apply', '--target', target.name, '--yes', ...ALLOWED, ...argv, ...(only === null ? [] : ['--only', `playlist/${only}`])];
  const { code, stderr } = await rings.run(...args);
  rings.project.emulator.setFaults([]);
  const account = accountOf(rings, target.name);
  // A playlist that neither the commit nor the account has is an error of `--only`.
  if (code === 8) return;
  if (!mayFail) expect([code, stderr]).toEqual([0, expect.anything()]);
  expect(code, stderr).not.toBe(4);
  addApply(target, {
    number,
    commit: commits[number] ?? new Map(),
    at: rings.now(),
    includes: (name) => only === null || name === only,
    isReadBack: code === 0,
    account,
  });
  const id = rings.project.refs()[`refs/upkeep/${target.name}`] ?? '';
  const known = entries.get(target.name) ?? [];
  const isWhole = target.applies.at(-1)?.isWhole === true;
  if (id !== '' && known.at(-1)?.id !== id) entries.set(target.name, [...known, { id, number, isWhole }]);
}

function isAllowed({ production, before, commits, rings }: Running, number: number): boolean {
  return isPromoted(production, { before, soakMs: SOAK_HOURS * HOUR_MS }, commits, number, rings.now());
}

/** Returns the number of the commit that is promoted; null for none. */
function newestPromoted(running: Running): number | null {
  const { production, commits } = running;
  const last = production.last ?? -1;
  for (let number = commits.length - 1; number > last; number -= 1) if (isAllowed(running, number)) return number;
  const isInPart = production.applies.at(-1)?.isWhole === false;
  return isInPart && isAllowed(running, last) ? last : null;
}

/** Plans a commit for production, which must wait if the model does not allow it, and only then. Returns whether it is allowed. */
async function look(running: Running, number: number, ref: readonly string[]): Promise<boolean> {
  const { rings, hashes } = running;
  const isFree = isAllowed(running, number);
  const promoted = newestPromoted(running);
  const waits = waitsIn(await rings.plan('--target', 'production', ...ref));
  expect(waits.length === 0, JSON.stringify(waits)).toBe(isFree);
  for (const { reason } of waits) for (const [part, count] of reasons) if (reason.includes(part)) reasons.set(part, count + 1);
  for (const wait of waits) expect(wait.promoted).toBe(promoted === null ? null : hashes[promoted]);
  figures[isFree ? 'promoted' : 'waiting'] += 1;
  return isFree;
}

/** Applies a commit to production, which must be done if the model allows it, and must wait if not; a plan right before says the same. */
async function applyToProduction(running: Running, number: number, by: Choice['by'], fails: 'PATCH' | null): Promise<void> {
  const { rings, commits, production } = running;
  await at(running, { number, by }, async (ref) => {
    if (!(await look(running, number, ref))) {
      const { code, stderr } = await rings.run('apply', '--target', 'production', '--yes', ...ALLOWED, ...ref);
      expect([code, stderr]).toEqual([4, expect.stringContaining('production waits: ')]);
      expect(accountOf(rings, 'production')).toEqual(production.account);
      return;
    }
    if (fails !== null) rings.project.emulator.setFaults([{ method: fails, status: 400 }]);
    await applyTo(running, production, number, null, ref, fails !== null);
    if (fails === null) expect(production.account).toEqual(readBy(production, commits[number] ?? new Map()));
  });
}

/** Looks at `--ref promoted`, and applies it. */
async function applyPromoted(running: Running): Promise<void> {
  const { rings, commits, hashes, production } = running;
  const number = newestPromoted(running);
  if (number === null) {
    figures['nothing promoted'] += 1;
    const { code, stderr } = await rings.run('apply', '--target', 'production', '--yes', '--ref', 'promoted');
    expect([code, stderr]).toEqual([0, expect.stringContaining('nothing to do')]);
    expect(accountOf(rings, 'production')).toEqual(production.account);
    return;
  }
  figures['newest promoted commits'] += 1;
  const plan = await rings.plan('--target', 'production', '--ref', 'promoted');
  expect([plan.config?.commit, waitsIn(plan)]).toEqual([hashes[number], []]);
  await applyTo(running, production, number, null, ['--ref', 'promoted']);
  expect(production.account).toEqual(readBy(production, commits[number] ?? new Map()));
}

/** Applies to an earlier target what it had before its newest entry. */
async function undo(running: Running, target: number): Promise<void> {
  const { before, entries } = running;
  const stage = before[target % before.length];
  const entry = entries.get(stage?.name ?? '')?.at(-2);
  if (stage !== undefined && entry !== undefined) await applyTo(running, stage, entry.number, null, ['--ref', entry.id]);
}

/** Applies to production what it had some entries before. */
async function goBack(running: Running, back: number, isOverridden: boolean): Promise<void> {
  const { rings, production, entries, commits } = running;
  const entry = entries.get('production')?.at(-1 - back);
  if (entry === undefined) return;
  const isFree = entry.isWhole ? mayGoBack(production, commits[entry.number] ?? new Map()) : isAllowed(running, entry.number);
  if (isFree || isOverridden) {
    figures['gone back'] += 1;
    return applyTo(running, production, entry.number, null, ['--ref', entry.id, ...(isFree ? [] : ['--allow', 'promotion'])]);
  }
  const { code, stderr } = await rings.run('apply', '--target', 'production', '--yes', ...ALLOWED, '--ref', entry.id);
  expect([code, stderr]).toEqual([4, expect.stringContaining('production waits: ')]);
}

async function take(running: Running, each: Step): Promise<void> {
  const { rings, commits, before, production } = running;
  const newest = commits.length - 1;
  const numberAt = (back: number) => Math.max(newest - back, 0);
  const values = (number: number): Values => commits[number] ?? new Map();
  switch (each.step) {
    case 'merge':
      return merge(running, edited(values(newest), each.edits));
    case 'revert': {
      const reverted = numberAt(each.back);
      const [earlier, later] = [values(Math.max(reverted - 1, 0)), values(reverted)];
      const changed = NAMES.filter((name) => values(newest).get(name) === later.get(name));
      return merge(
        running,
        edited(
          values(newest),
          changed.map((name): Edit => [name, earlier.get(name) ?? null]),
        ),
      );
    }
    case 'pass':
      return rings.pass(each.hours);
    case 'stage': {
      const stage = before[each.target % before.length];
      if (stage === undefined) return;
      const number = numberAt(each.choice.back);
      return at(running, { number, by: each.choice.by }, async (ref) => {
        if (each.fails === 'read') rings.project.emulator.setFaults([{ method: 'GET', nth: [2, 3, 4, 5, 6, 7, 8], status: 400 }]);
        else if (each.fails !== null) rings.project.emulator.setFaults([{ method: each.fails, status: 400 }]);
        await applyTo(running, stage, number, each.only, ref, each.fails !== null);
        if (each.again) await applyTo(running, stage, number, each.only, ref);
      });
    }
    case 'carry':
      for (const stage of before) await applyTo(running, stage, newest, null, []);
      rings.pass(each.hours);
      return each.undone === null ? undefined : undo(running, each.undone);
    case 'undo':
      return undo(running, each.target);
    case 'production':
      return applyToProduction(running, numberAt(each.choice.back), each.choice.by, each.fails);
    case 'promoted':
      return applyPromoted(running);
    case 'back':
      return goBack(running, each.back, each.isOverridden);
    case 'override':
      return applyTo(running, production, newest, null, ['--allow', 'promotion']);
  }
}

test(`production gets what its stages let through, and nothing else, in ${RUNS} random histories`, {
  timeout: atMost(RUNS * 150_000),
}, async () => {
  let failed = false;
  const property = fc.asyncProperty(history, async (each) => {
    try {
      await run(each);
    } catch (error) {
      // Shrinking takes minutes: what it begins with is not lost when somebody stops it.
      if (!failed) process.stderr.write(`counterexample: ${String(error)}\n${fc.stringify(each)}\n`);
      failed = true;
      throw error;
    }
  });
  await assertAsyncProperty(property, { numRuns: RUNS, examples: [[EVERY_REASON]] });
  record({ proof: 'stages', name: 'histories', value: RUNS, wanted: `at least ${RUNS}`, holds: true });
  for (const [name, value] of [...Object.entries(figures), ...reasons]) {
    record({ proof: 'stages', name, value, wanted: 'more than 0', holds: value > 0 });
    expect(value, name).toBeGreaterThan(0);
  }
});

/** Runs a history on a project of its own. */
async function run({ stages, isApplied, steps }: History): Promise<void> {
  const names = ['a', 'b'].slice(0, stages);
  const rungs: readonly Ring[] = [
    ...names.map((name): Ring => ({ name, lines: '', sources: name === 'b' ? '[config, extra]' : '[config]' })),
    { name: 'production', lines: `after: [${names.join(', ')}]\nsoak: ${SOAK_HOURS}h`, sources: '[config, live]' },
  ];
  const rings = await createRings(rungs, { 'config/none.yaml': '{}' });
  const running: Running = {
    rings,
    commits: [],
    hashes: [],
    before: names.map((name) => modelTarget(name, name === 'b' ? ['s1', 's2', 'e1'] : ['s1', 's2'])),
    production: modelTarget('production', ['s1', 's2', 'l1']),
    entries: new Map(),
  };
  merge(running, new Map(NAMES.map((name) => [name, 1])));
  if (isApplied) {
    for (const stage of running.before) await applyTo(running, stage, 0, null, []);
    rings.pass(SOAK_HOURS);
    await applyToProduction(running, 0, 'ref', null);
  }
  for (const each of steps) {
    await take(running, each);
    await look(running, running.commits.length - 1, []);
  }
  await applyToProduction(running, running.commits.length - 1, 'ref', null);
  await applyPromoted(running);
  // What production takes back is not promoted again, whatever came before.
  await take(running, { step: 'override' });
  await goBack(running, 1, false);
  await look(running, running.commits.length - 1, []);
  await applyPromoted(running);
  await rings.project.close();
}
