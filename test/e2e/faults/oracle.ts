/**
 * What must come of a cell, from the design alone (design section 4, rules 1, 3, 4, 7, 8 and 11; design section 5, exit codes):
 * - a read that fails makes its kind incomplete, and nothing is written: exit 10, or 7 where credentials were refused (401, 403, and a 400 that stays)
 * - a create whose answer was lost is looked up before it is tried again; a lost delete is settled by looking; what sets values may be repeated
 * - a failure stops what depends on it, and nothing else: exit 5, or 7
 * - what was written and cannot be read back is not verified: exit 10, or 7
 */
import type { Cell, Fault, Nature } from './cells.ts';
import type { Purpose, Use } from './uses.ts';

/** What a target looks like afterwards. */
export type State = 'before' | 'desired';

/** What a cell must come to. */
export interface Expected {
  /** Exit code of `plan`; null where `plan` makes no such request. */
  readonly plan: number | null;
  /** Exit code of `apply --yes`. */
  readonly apply: number;
  /** After that apply, in the order of the scene's targets. */
  readonly states: readonly State[];
  /** How often one resource may be written with effect in that apply. */
  readonly mostWrites: number;
}

/** What must come of a cell. */
export function expected(cell: Cell): Expected {
  const { use } = cell;
  if (use.method === 'GET') return use.purpose === 'read back' ? readingBack(cell) : planning(cell);
  return writing(cell);
}

/** Design section 4, rules 1 and 9: with an incomplete kind nothing is written. */
function planning(cell: Cell): Expected {
  const { use, fault, attempt } = cell;
  // The same endpoint reads back what is then created, and meets the fault again.
  if (attempt === 'every' && isAnswer(use, fault)) return { ...readingBack(cell), plan: 0 };
  const overcome = (attempt !== 'every' && passes.read[fault.nature]) || isAnswer(use, fault);
  const exit = overcome ? 0 : refusalOf(fault, 10);
  return { plan: exit, apply: exit, states: use.scene.targets.map(() => (overcome ? 'desired' : 'before')), mostWrites: overcome ? 1 : 0 };
}

/** Design section 4, rule 8: everything is written; what the reading shows, or cannot show, decides the exit code alone. */
function readingBack({ use, fault, attempt }: Cell): Expected {
  const overcome = (attempt !== 'every' && passes.read[fault.nature]) || listIsAsked(use, fault);
  // A playlist that the service says is not there differs from desired.
  const gone = fault.nature === 'absent' && use.path.startsWith('/api/v4/');
  const exit = overcome ? 0 : gone ? 5 : refusalOf(fault, 10);
  return { plan: null, apply: exit, states: use.scene.targets.map(() => 'desired'), mostWrites: 1 };
}

/** Whether a look-up gets the answer that it would get anyhow: 404, nothing is there. The status says it all, however the body is cut. */
function isAnswer({ purpose }: Use, { nature, name }: Fault): boolean {
  return purpose === 'look-up' && (nature === 'absent' || name === 'truncated body' || name === 'Content-Length too short');
}

/** How the service refuses a policy ID is not documented (drm-api-v3 section 7), so the list is asked in its place. */
function listIsAsked({ name }: Use, { nature }: Fault): boolean {
  return name === 'get policy' && (nature === 'absent' || nature === 'refused');
}

function writing({ use, fault, attempt }: Cell): Expected {
  const { writes, blocks, scene, purpose } = use;
  const done = overcomes(purpose, fault, attempt === 'every');
  const hit = attempt === 'every' ? writes : writes.slice(0, 1);
  const blocked = done ? [] : blocks;
  const states = scene.targets.map((_, index): State => {
    if (blocked.includes(index)) return 'before';
    return done || fault.done || !hit.includes(index) ? 'desired' : 'before';
  });
  return { plan: null, apply: done ? 0 : refusalOf(fault, 5), states, mostWrites: mostWrites(purpose, fault, attempt === 'every') };
}

/** Whether a write is reported as done in the end, although a fault was met once, or always. */
function overcomes(purpose: Purpose, { nature, done }: Fault, always: boolean): boolean {
  if (purpose === 'set') return !always && passes.set[nature];
  // Creates and deletes are settled by looking: what took effect is found.
  if (done && isDoubtful(nature)) return true;
  return !always && passes[purpose === 'create' ? 'create' : 'delete'][nature];
}

/** Whether the write may have taken effect: no refusal, no proof that nothing was sent. */
function isDoubtful(nature: Nature): boolean {
  return !['unsent', 'credentials', 'absent', 'refused'].includes(nature);
}

/** Design section 4, rule 4: creates and deletes take effect once; what sets values may be repeated where the answer to a write that took effect was spoilt. */
function mostWrites(purpose: Purpose, { done, nature }: Fault, always: boolean): number {
  if (purpose !== 'set' || !done) return 1;
  if (!passes.set[nature]) return 1;
  return always ? Number.POSITIVE_INFINITY : 2;
}

/** The exit code of a fault that stays; `other` is 10 for a read, for which a 400 speaks of clock and key (design section 5, exit codes), and 5 for a write. */
function refusalOf({ nature }: Fault, other: 5 | 10): number {
  return nature === 'credentials' || (nature === 'doubted' && other === 10) ? 7 : other;
}

/**
 * Where one more try helps, and is made, although the first had no effect. Reads and writes that set values: after everything that
 * passes, and one 400 (design section 4, rule 11). Reads, besides, after an answer that is no JSON: a proxy's page may be gone the next moment.
 * Creates: once looking has shown that nothing is there. Deletes: where nothing was sent, the service asked for time, or a replay is possible.
 */
const passes: { readonly [purpose in 'read' | 'set' | 'create' | 'delete']: { readonly [nature in Nature]: boolean } } = {
  read: table('unsent', 'lost', 'busy', 'failing', 'doubted', 'unreadable'),
  set: table('unsent', 'lost', 'busy', 'failing', 'doubted'),
  create: table('unsent', 'lost', 'busy', 'failing', 'doubted', 'unreadable', 'wrong', 'oversized', 'elsewhere'),
  delete: table('unsent', 'busy', 'doubted'),
};

function table(...passing: readonly Nature[]): { readonly [nature in Nature]: boolean } {
  const is = (nature: Nature) => passing.includes(nature);
  return {
    unsent: is('unsent'),
    lost: is('lost'),
    busy: is('busy'),
    patience: is('patience'),
    failing: is('failing'),
    doubted: is('doubted'),
    credentials: is('credentials'),
    absent: is('absent'),
    refused: is('refused'),
    unreadable: is('unreadable'),
    wrong: is('wrong'),
    oversized: is('oversized'),
    elsewhere: is('elsewhere'),
  };
}
