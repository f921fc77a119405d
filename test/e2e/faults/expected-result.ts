/**
 * The expected result of a cell, from the design alone (design section 4, rules 1, 3, 4, 7, 8 and 11; design section 5, exit codes):
 * - a read that fails makes its kind incomplete, and nothing is written: exit 10, or 7 where credentials were refused (401, 403, and a
 *   400 that stays)
 * - a create whose response was lost is looked up before it is sent again; a lost delete is resolved by reading; writes that set values
 *   may be repeated
 * - a failure stops what depends on it, and nothing else: exit 5, or 7. After a 403, only those writes of its kind are made that were
 *   under way: which they are is open
 * - what was written and cannot be read back is not verified: exit 10, or 7
 */
import { type Cell, type Fault, type FaultNature, isBeyondBudget } from './cells.ts';
import type { Purpose, Use } from './uses.ts';

/**
 * The exit code of a run without faults afterwards: 4 where a name in another form leaves open what was created (design section 3,
 * identity). A ledger knows the playlist, whose ID the answer named; the answer about a policy names no ID of its own.
 */
export function expectedAfterwards({ use, fault }: Cell, hasLedger: boolean): 0 | 4 {
  return fault.nature === 'renamed' && !(hasLedger && use.path.startsWith('/api/v4/')) ? 4 : 0;
}

/** The state of a target afterwards. */
export type State = 'before' | 'desired' | 'open';

/** The expected result of a cell. */
export interface Expected {
  /** Exit code of `plan`; null where `plan` makes no such request. */
  readonly plan: number | null;
  /** Exit code of `apply --yes`. */
  readonly apply: number;
  /** Whether it may be 0 as well: a slow machine reads late enough to see what was written [false]. */
  readonly mayBeSeen?: boolean;
  /** After that apply, in the order of the scene's targets. */
  readonly states: readonly State[];
  /** How often one resource may be written with effect in that apply. */
  readonly maxWrites: number;
}

/** Returns the expected result of a cell. */
export function expectedResult(cell: Cell): Expected {
  const { use, fault } = cell;
  if (fault.nature === 'late') return expectedWithLag(cell);
  if (fault.nature === 'extended') return expectedWithUnknownMembers(use);
  if (use.method === 'GET') return use.purpose === 'read back' ? expectedForReadBack(cell) : expectedForRead(cell);
  return expectedForWrite(cell);
}

/**
 * Design section 4, rule 15: all is written, and is seen while the run waits, or not yet. A create or a delete that has no usable answer takes
 * all the time that a run has to wait, before it is sent again; after that, nobody knows what a further 503 did to a delete.
 */
function expectedWithLag(cell: Cell): Expected {
  const { use, fault } = cell;
  const plan = use.purpose === 'read' || use.purpose === 'look-up' ? 0 : null;
  const isSeen = !isBeyondBudget(fault) && !usesUpBudget(cell);
  const isOpen = use.purpose === 'delete' && fault.nature === 'busy' && cell.attempt === 'second';
  const states = use.scene.targets.map((_target, index): State => (isOpen && index === 0 ? 'open' : 'desired'));
  return { plan, apply: isSeen ? 0 : 5, mayBeSeen: !isBeyondBudget(fault), states, maxWrites: 1 };
}

/** Whether a run waits in vain for a create or a delete that a 503 has met. Without an answer, it polls for as long as it retries. */
function usesUpBudget({ use, fault, attempt }: Cell): boolean {
  if (fault.lag === undefined || (use.purpose !== 'create' && use.purpose !== 'delete')) return false;
  return attempt === 'second' || fault.nature === 'busy';
}

/** Design section 4, rule 5: members that upkeep does not know block an update that may reset them, and nothing else. */
function expectedWithUnknownMembers({ name, purpose, scene }: Use): Expected {
  const isBlocked = name === 'list policies' || name === 'get schedule';
  return {
    plan: purpose === 'read' || purpose === 'look-up' ? 0 : null,
    apply: isBlocked ? 4 : 0,
    states: scene.targets.map(() => (isBlocked ? 'before' : 'desired')),
    maxWrites: isBlocked ? 0 : 1,
  };
}

/** Design section 4, rules 1 and 9: with an incomplete kind nothing is written. */
function expectedForRead(cell: Cell): Expected {
  const { use, fault, attempt } = cell;
  // The same endpoint reads back what is then created, and meets the fault again.
  if (attempt === 'every' && isNotFoundAnswer(use, fault)) return { ...expectedForReadBack(cell), plan: 0 };
  const succeeds = (attempt !== 'every' && RETRIED.read[fault.nature]) || isNotFoundAnswer(use, fault);
  // What has an unknown form is not managed, unless it is no list or no setting at all (design section 4, rule 1).
  if (!succeeds && isUnmanageable(use, fault)) return { plan: 0, apply: 4, states: use.scene.targets.map(() => 'before'), maxWrites: 0 };
  const exit = succeeds ? 0 : exitCodeOf(fault, 10);
  return { plan: exit, apply: exit, states: use.scene.targets.map(() => (succeeds ? 'desired' : 'before')), maxWrites: succeeds ? 1 : 0 };
}

/** Design section 4, rule 8: everything is written; what the reading shows, or cannot show, decides the exit code alone. */
function expectedForReadBack({ use, fault, attempt }: Cell): Expected {
  const succeeds = (attempt !== 'every' && RETRIED.read[fault.nature]) || readsListInstead(use, fault);
  // A playlist that does not exist for the service differs from desired.
  const isMissing = fault.nature === 'absent' && use.path.startsWith('/api/v4/');
  const exit = succeeds ? 0 : isMissing || isUnmanageable(use, fault) ? 5 : exitCodeOf(fault, 10);
  return { plan: null, apply: exit, states: use.scene.targets.map(() => 'desired'), maxWrites: 1 };
}

/** Whether a lookup gets the response that it would get without a fault: 404. The status suffices, even where the body is truncated. */
function isNotFoundAnswer({ purpose }: Use, { nature, name }: Fault): boolean {
  return (
    purpose === 'look-up' && (nature === 'absent' || nature === 'reshaped' || /^(truncated|compressed|Content-Length too short)/.test(name))
  );
}

/** Whether a response is that of an object or a setting, of which a member has an unknown form: it differs from every desired one. */
function isUnmanageable({ path }: Use, { nature }: Fault): boolean {
  return nature === 'reshaped' && /linear-playlist|polic(y|ies)|schedule/.test(path);
}

/** The API documents leave open how the service rejects a policy ID (drm-api-v3 section 7), so the list is read instead. */
function readsListInstead({ name }: Use, { nature }: Fault): boolean {
  return name === 'get policy' && (nature === 'absent' || nature === 'refused');
}

function expectedForWrite(cell: Cell): Expected {
  const { use, fault, attempt } = cell;
  const { writes, blocks, scene, purpose } = use;
  // The budget has ended with the 503 before it: its fate is unknown, and it is not sent again (design section 4, rule 15).
  const isUnknown = usesUpBudget(cell) && attempt === 'second' && fault.nature === 'busy';
  // The answer to a create shows what was not sent; that of the bulk operation shows no settings that count.
  const differs = fault.nature === 'reshaped' && purpose === 'create' && !use.path.endsWith('/smart-start');
  const isWritten = succeedsInTheEnd(purpose, fault, attempt === 'every') && !isUnknown && !differs;
  const affectedTargets = attempt === 'every' || fault.nature === 'revoked' ? writes : writes.slice(0, 1);
  const blocked = isWritten ? [] : blocks;
  const states = scene.targets.map((_, index): State => {
    if (blocked.includes(index)) return 'before';
    if (fault.name === '403' && writes.includes(index) && !affectedTargets.includes(index)) return 'open';
    return isWritten || fault.takesEffect || !affectedTargets.includes(index) ? 'desired' : 'before';
  });
  return {
    plan: null,
    apply: isWritten && !usesUpBudget(cell) ? 0 : exitCodeOf(fault, 5),
    mayBeSeen: isWritten,
    states,
    maxWrites: maxWrites(purpose, fault, attempt === 'every'),
  };
}

/** Whether a write is reported as done in the end, although a fault was met once, or always. */
function succeedsInTheEnd(purpose: Purpose, { nature, takesEffect: isWritten }: Fault, isPermanent: boolean): boolean {
  if (purpose === 'set') return !isPermanent && RETRIED.set[nature];
  // Creates and deletes are resolved by reading: an effect is found.
  if (isWritten && mayHaveTakenEffect(nature)) return true;
  return !isPermanent && RETRIED[purpose === 'create' ? 'create' : 'delete'][nature];
}

/** Whether a read decides if the write took effect: it was not rejected, may have been sent, and no answer contradicts it. */
function mayHaveTakenEffect(nature: FaultNature): boolean {
  return !['unsent', 'credentials', 'revoked', 'absent', 'refused', 'renamed', 'confused'].includes(nature);
}

/**
 * Design section 4, rule 4: creates and deletes take effect once; writes that set values may be repeated where the response was lost or
 * broken.
 */
function maxWrites(purpose: Purpose, { takesEffect: isWritten, nature }: Fault, isPermanent: boolean): number {
  if (purpose !== 'set' || !isWritten) return 1;
  if (!RETRIED.set[nature]) return 1;
  return isPermanent ? Number.POSITIVE_INFINITY : 2;
}

/**
 * The exit code of a fault that stays; `other` is 10 for a read, for which a 400 speaks of clock and key (design section 5, exit codes),
 * and 5 for a write.
 */
function exitCodeOf({ nature }: Fault, other: 5 | 10): number {
  return nature === 'credentials' || nature === 'revoked' || (nature === 'doubted' && other === 10) ? 7 : other;
}

/**
 * Where one more try helps, and is made, although the first had no effect. Reads and writes that set values: after everything that
 * passes, and one 400 (design section 4, rule 11). Reads also after a response that is not JSON: a proxy's error page may disappear.
 * Creates: once a read has shown that nothing exists. Deletes: where nothing was sent, the service asked for time, or a replay is possible.
 */
const RETRIED: { readonly [purpose in 'read' | 'set' | 'create' | 'delete']: { readonly [nature in FaultNature]: boolean } } = {
  read: natures('unsent', 'lost', 'busy', 'failing', 'doubted', 'unreadable'),
  set: natures('unsent', 'lost', 'busy', 'failing', 'doubted'),
  create: natures('unsent', 'lost', 'busy', 'failing', 'doubted', 'unreadable', 'wrong', 'oversized', 'elsewhere'),
  delete: natures('unsent', 'busy', 'doubted'),
};

function natures(...passing: readonly FaultNature[]): { readonly [nature in FaultNature]: boolean } {
  const is = (nature: FaultNature) => passing.includes(nature);
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
    late: is('late'),
    revoked: is('revoked'),
    extended: is('extended'),
    reshaped: is('reshaped'),
    renamed: is('renamed'),
    confused: is('confused'),
  };
}
