/** Decides which changes of a plan are sent (design section 4, rules 6 and 7): in a plan before anything is, in an apply before each wave. */
import { weakens } from '../model/change.ts';
import { groupBy } from '../model/collections.ts';
import type { PlannedChange } from '../state/planned-change.ts';

/** What has become of the changes so far. */
export interface SentSoFar {
  /** Whether the change of an address was made. */
  isDone(address: string): boolean;
  /** The address of a change that strengthens protection and is not known to have taken effect; null where there is none. */
  readonly notStrengthened: string | null;
  /** Why nothing more is sent, a clause; null where the run goes on. */
  readonly stopped: string | null;
}

/** Returns why a change is not sent, a clause; null where it is. */
export type WhyNotSent = (planned: PlannedChange, soFar: SentSoFar) => string | null;

/**
 * Returns what decides whether each of some changes is sent. It is not where it is blocked, gives up a name whose next holder is blocked,
 * needs a rename that is not made, or weakens protection while a change that strengthens it is not made, or a kind is not read. `unread` are
 * the kinds that were not read completely.
 */
export function whyNotSent(changes: readonly PlannedChange[], unread: readonly string[]): WhyNotSent {
  const blockedTakers = blockedNameTakers(changes);
  const blockedStrengthening = changes.find(({ change }) => change.effect === 'strengthens' && change.blocked !== null);
  return (planned, { isDone, notStrengthened, stopped }) => {
    const { change, dependsOn } = planned;
    if (change.blocked !== null) return `blocked by safety check \`${change.blocked.check}\`: ${change.blocked.reason}`;
    if (stopped !== null) return stopped;
    const blockedTaker = blockedTakers.get(planned);
    if (blockedTaker !== undefined) return `its name goes to ${blockedTaker}, which is blocked`;
    if (dependsOn !== null && !isDone(dependsOn)) return `it needs the name that the rename of ${dependsOn} frees, which was not applied`;
    if (!weakens(change)) return null;
    if (unread.length > 0) return `${unread.join(', ')} could not be read, so nothing that weakens protection is applied in this run`;
    const strengthening = blockedStrengthening?.change.address ?? notStrengthened;
    if (strengthening === null) return null;
    return `${strengthening} strengthens protection and is not known to have taken effect, so nothing that weakens it is applied in this run`;
  };
}

/** Returns the changes that an apply with `--skip-blocked` makes where nothing fails, in their order; without it, where none is blocked. */
export function sentChanges(changes: readonly PlannedChange[], unread: readonly string[]): readonly PlannedChange[] {
  const whyNot = whyNotSent(changes, unread);
  const done = new Set<string>();
  const isDone = (address: string): boolean => done.has(address);
  let notStrengthened: string | null = null;
  for (const planned of waves(changes).flat()) {
    const { address, effect } = planned.change;
    if (whyNot(planned, { isDone, notStrengthened, stopped: null }) === null) done.add(address);
    else if (effect === 'strengthens') notStrengthened ??= address;
  }
  return changes.filter(({ change }) => done.has(change.address));
}

/**
 * Returns the changes that give up a name which a blocked change takes, directly or by a chain of renames, with the address of that change:
 * without it, nobody would have the name.
 */
function blockedNameTakers(planned: readonly PlannedChange[]): ReadonlyMap<PlannedChange, string> {
  const byAddress = new Map(planned.map((each) => [each.change.address, each]));
  const found = new Map<PlannedChange, string | null>();
  for (const start of planned) {
    const chain: PlannedChange[] = [];
    let blocked: string | null = null;
    for (let each: PlannedChange | undefined = start; each && blocked === null; each = byAddress.get(each.nameGoesTo ?? '')) {
      if (each !== start && each.change.blocked !== null) blocked = each.change.address;
      else if (found.has(each)) {
        blocked = found.get(each) ?? null;
        break;
      } else {
        found.set(each, null);
        chain.push(each);
      }
    }
    for (const each of chain) found.set(each, blocked);
  }
  return new Map([...found].flatMap(([each, address]) => (address === null ? [] : [[each, address] as const])));
}

/** Groups changes into waves, in order. */
export function waves(planned: readonly PlannedChange[]): readonly (readonly PlannedChange[])[] {
  return [...groupBy(planned, ({ change }) => change.wave)].sort(([a], [b]) => a - b).map(([, wave]) => wave);
}
