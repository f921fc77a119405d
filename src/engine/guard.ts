import type { Action, Brake, Held, Reason } from '../model/change.ts';
import type { Limits } from './desired/configuration.ts';
import { matchesGlob } from './globs.ts';
import { grouped } from './group.ts';
import type { GuardedStep, OrderedStep } from './step.ts';

/** What the user released for this run (`--allow`). */
export interface Allowed {
  /** How many deletes at most; Infinity for `--allow deletes`. */
  readonly deletes: number;
  readonly brakes: ReadonlySet<'updates' | 'loosening' | 'doubtful-read' | 'reset-unknown'>;
  /** Whether a dirty work tree may be applied. */
  readonly dirty?: true;
}

/** No brake released. */
export const NOTHING_ALLOWED: Allowed = { deletes: 0, brakes: new Set() };

/** What the brakes go by. */
export interface GuardRules {
  readonly target: string;
  readonly ownership: 'shared' | 'exclusive' | 'observe';
  readonly protect: readonly string[];
  readonly limits: Limits;
  readonly loosening: 'hold' | 'allow';
  readonly allowed: Allowed;
  /** Number of live objects by kind. */
  readonly live: ReadonlyMap<string, number>;
  /** Why a kind's reading is doubtful, by kind. */
  readonly doubts: ReadonlyMap<string, string>;
  /** What the users' own guards deny. */
  readonly denied: ReadonlyMap<OrderedStep, Held>;
}

/** A brake's reason and way out for one step; null where it does not hold it. */
type Check = (step: OrderedStep, rules: GuardRules, counts: Counts) => Held | null;

/** Holds back what the brakes say (design section 4, rule 9). Where several hold a step, the one that is hardest to release names it. */
export function guard(steps: readonly OrderedStep[], rules: GuardRules): readonly GuardedStep[] {
  const counts = count(steps);
  return steps.map((step) => ({ ...step, held: firstOf(CHECKS.flatMap((check) => check(step, rules, counts) ?? [])) }));
}

/** How many of the steps that go ahead, among those that are meant, each brake would hold, had the user released nothing. */
export function released(
  steps: readonly GuardedStep[],
  rules: GuardRules,
  isMeant: (step: GuardedStep) => boolean,
): ReadonlyMap<Brake, number> {
  const strict = { ...rules, allowed: NOTHING_ALLOWED };
  const counts = count(steps);
  const free = steps.filter((step) => step.held === null && isMeant(step));
  const brakes = free.flatMap((step) => CHECKS.flatMap((check) => check(step, strict, counts)?.brake ?? []));
  return new Map([...grouped(brakes, (brake) => brake)].map(([brake, all]) => [brake, all.length]));
}

function firstOf(brakes: readonly Held[]): Held | null {
  const [first] = brakes;
  if (!first) return null;
  return {
    brake: first.brake,
    reason: brakes.map((held) => held.reason).join('; '),
    release: [...new Set(brakes.map((held) => held.release))].join('; '),
  };
}

const identity: Check = (step) =>
  step.contested === null
    ? null
    : held('identity', step.contested, `name its object under \`adopt\` (\`${step.address}: <remote ID>\`), or edit the declaration`);

const observe: Check = (_step, rules) =>
  rules.ownership === 'observe'
    ? held('observe', `target ${rules.target} is only observed`, 'set `ownership: shared` in upkeep.yaml')
    : null;

const protect: Check = (step, rules) => {
  const glob = rules.protect.find((each) => protects(each, step));
  const what = PROTECTED[step.action] ?? (step.effect === 'loosens' ? 'loosened' : null);
  return glob !== undefined && what !== null
    ? held(
        'protect',
        `\`protect\` names it (${glob}), and it would be ${what}`,
        `edit \`protect\` of target ${rules.target} in upkeep.yaml, under review`,
      )
    : null;
};

const PROTECTED: { readonly [action in Action]?: string } = { delete: 'deleted', forget: 'forgotten' };

/** By its addresses; what nobody declares also by its name. */
function protects(glob: string, step: OrderedStep): boolean {
  const matches = (each: string | undefined): boolean => each !== undefined && matchesGlob(glob, each);
  return (
    [step.address, step.movedFrom, step.formerly].some(matches) || (step.desired === null && [step.live?.label, step.name].some(matches))
  );
}

const doubtfulRead: Check = (step, rules) => {
  const doubt = rules.doubts.get(step.kind.name);
  return doubt === undefined || rules.allowed.brakes.has('doubtful-read')
    ? null
    : held('doubtful-read', `the reading is doubtful: ${doubt}`, '--allow doubtful-read');
};

const resetUnknown: Check = (step, rules) => {
  const unknown = step.action === 'update' ? (step.live?.unknown ?? []) : [];
  if (unknown.length === 0 || rules.allowed.brakes.has('reset-unknown')) return null;
  const named = unknown.map(({ path, value }) => `${path} = ${JSON.stringify(value)}`).join(', ');
  return held('reset-unknown', `the update would reset what upkeep does not know: ${named}`, '--allow reset-unknown');
};

const deletes: Check = (step, rules, counts) => {
  if (step.action !== 'delete') return null;
  const reason = tooManyDeletes(step.kind.name, rules, counts);
  return reason === null ? null : held('deletes', reason, `--allow deletes=${counts.deletes}`);
};

function tooManyDeletes(kind: string, rules: GuardRules, counts: Counts): string | null {
  if (counts.deletes <= rules.allowed.deletes) return null;
  const deleted = counts.deletesOf.get(kind) ?? 0;
  const live = rules.live.get(kind) ?? 0;
  const { count: most, percent } = rules.limits.delete;
  if (deleted > most) return `${deleted} deletes of ${kind}, over the limit of ${most}`;
  if (live >= 10 && deleted * 100 > live * percent)
    return `${deleted} of ${live} live ${kind} objects deleted, over the limit of ${percent} %`;
  if (live >= 2 && deleted === live && percent < 100) return `all ${live} live ${kind} objects deleted`;
  return null;
}

const updates: Check = (step, rules, counts) => {
  if (step.action !== 'update' || rules.allowed.brakes.has('updates')) return null;
  const updated = counts.updatesOf.get(step.kind.name) ?? 0;
  const live = rules.live.get(step.kind.name) ?? 0;
  const { percent } = rules.limits.update;
  return live >= 10 && updated * 100 > live * percent
    ? held('updates', `${updated} of ${live} live ${step.kind.name} objects updated, over the limit of ${percent} %`, '--allow updates')
    : null;
};

const loosening: Check = (step, rules) =>
  step.effect === 'loosens' && rules.loosening === 'hold' && !rules.allowed.brakes.has('loosening')
    ? held('loosening', loosened(step), '--allow loosening')
    : null;

/** All that loosens; and what tightens beside it, so that nobody thinks the change to be one or the other. */
function loosened({ reasons }: OrderedStep): string {
  const [loosens, tightens] = (['loosens', 'tightens'] as const).map((effect) => said(reasons, effect));
  return `it loosens protection: ${loosens}${tightens ? ` (it also tightens it: ${tightens})` : ''}`;
}

/** So many reasons are told by a brake; all of them stand at their fields. */
const MOST_REASONS = 3;

/** The first reasons of one effect, each once. */
function said(reasons: OrderedStep['reasons'], effect: Reason['effect']): string {
  const texts = [...new Set(reasons.flatMap((reason) => (reason.effect === effect ? [reason.text] : [])))];
  const more = texts.length - MOST_REASONS;
  return [...texts.slice(0, MOST_REASONS), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

const denied: Check = (step, rules) => rules.denied.get(step) ?? null;

/** In the order in which a brake names a step: those without a flag first. */
const CHECKS: readonly Check[] = [identity, observe, protect, denied, doubtfulRead, resetUnknown, deletes, updates, loosening];

interface Counts {
  readonly deletes: number;
  readonly deletesOf: ReadonlyMap<string, number>;
  readonly updatesOf: ReadonlyMap<string, number>;
}

function count(steps: readonly OrderedStep[]): Counts {
  const deletesOf = new Map<string, number>();
  const updatesOf = new Map<string, number>();
  for (const { action, kind } of steps) {
    const tally = action === 'delete' ? deletesOf : action === 'update' ? updatesOf : undefined;
    tally?.set(kind.name, (tally.get(kind.name) ?? 0) + 1);
  }
  return { deletes: [...deletesOf.values()].reduce((sum, each) => sum + each, 0), deletesOf, updatesOf };
}

function held(brake: Brake, reason: string, release: string): Held {
  return { brake, reason, release };
}
