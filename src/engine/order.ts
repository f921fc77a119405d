import type { Live } from '../kinds/kind.ts';
import { compareText } from '../model/finding.ts';
import { grouped } from './group.ts';
import { type OrderedStep, type Step, writesOnService } from './step.ts';

/**
 * Puts steps into phases and waves (design section 4, rule 6): by phase, then by the kind's place, then renames before what needs the freed name.
 * A name that another object keeps, or that only a circle of renames could free, is contested where the service lets a name stand for one object only.
 */
export function order(steps: readonly Step[], labelsInUse: (step: Step) => Live | undefined): readonly OrderedStep[] {
  const turns = turnsOf(steps);
  const wanted = new Map<Live, string>();
  const placed = steps
    .map((step) => {
      const turn = turns.get(step) ?? { after: null, phase: phaseOf(step), depth: 0, contested: 'it waits for renames that form a circle' };
      const keeper = turn.after === null ? keeperOf(step, labelsInUse) : undefined;
      if (keeper) wanted.set(keeper, step.address);
      const kept = keeper ? `the name it is to get is kept by ${step.kind.undeclared(keeper)}` : null;
      return { ...step, ...turn, contested: step.contested ?? turn.contested ?? kept };
    })
    .map((step) => ({ ...step, contested: step.contested ?? keptBack(step, wanted) }));
  placed.sort((a, b) => a.phase - b.phase || placeOf(a) - placeOf(b) || a.depth - b.depth || compareText(a.address, b.address));
  let wave = -1;
  let last: string | undefined;
  return placed.map(({ depth, ...step }) => {
    const group = `${step.phase} ${placeOf(step)} ${depth}`;
    if (group !== last) wave += 1;
    last = group;
    return { ...step, wave };
  });
}

/** When a step comes: in its own phase, or later where the rename before it does; `depth` counts the renames before it. */
interface Turn {
  readonly after: string | null;
  readonly phase: number;
  readonly depth: number;
  readonly contested: null;
}

/** The turns of all steps, from those that wait for nothing to those that wait for them; what a circle of renames keeps waiting has none. */
function turnsOf(steps: readonly Step[]): ReadonlyMap<Step, Turn> {
  const freers = freersOf(steps);
  const waiting = grouped(freers.keys(), (step) => freers.get(step));
  const turns = new Map<Step, Turn>();
  let next = steps.filter((step) => !freers.has(step));
  for (let depth = 0; next.length > 0; depth += 1) {
    for (const step of next) {
      const freer = freers.get(step);
      const earliest = (freer && turns.get(freer)?.phase) ?? 0;
      turns.set(step, { after: freer?.address ?? null, phase: Math.max(phaseOf(step), earliest), depth, contested: null });
    }
    next = next.flatMap((step) => waiting.get(step) ?? []);
  }
  return turns;
}

/** For each step that needs a name which a rename frees, that rename; of several the last. */
function freersOf(steps: readonly Step[]): ReadonlyMap<Step, Step> {
  const renames = steps.filter(isRename).sort((a, b) => phaseOf(a) - phaseOf(b) || compareText(a.address, b.address));
  const freeing = new Map(renames.map((step) => [labelKey(step, step.live.label), step]));
  return new Map(
    steps.flatMap((step): [Step, Step][] => {
      const name = takenName(step);
      const freer = name === undefined ? undefined : freeing.get(labelKey(step, name));
      return freer ? [[step, freer]] : [];
    }),
  );
}

/** The name that a step takes and must find free: a create that is known by it, or a rename where names are unique. */
function takenName(step: Step): string | undefined {
  const label = step.desired?.label;
  const known = step.desired?.clues.some((clue) => 'name' in clue && clue.name === label) === true;
  return (step.action === 'create' && known) || (step.kind.uniqueLabels && isRename(step)) ? label : undefined;
}

function isRename(step: Step): step is Step & { readonly live: Live } {
  const { action, live, desired } = step;
  return action === 'update' && live !== null && desired?.label !== undefined && live.label !== desired.label;
}

function labelKey(step: Step, label: string): string {
  return `${step.kind.name} ${label}`;
}

/** What only the ledger remembers comes when everything is written. */
function phaseOf({ kind, action, effect }: Step): number {
  return writesOnService(action) ? kind.phase(action, effect) : 5;
}

function placeOf({ kind, action }: Step): number {
  return writesOnService(action) ? kind.place : Number.POSITIVE_INFINITY;
}

/** The object that keeps the name which a step is to get. */
function keeperOf(step: Step, labelsInUse: (step: Step) => Live | undefined): Live | undefined {
  return step.kind.uniqueLabels && takenName(step) !== undefined ? labelsInUse(step) : undefined;
}

/** An object whose name another change wants in vain is not deleted in the same run: that change may mean this very object. */
function keptBack({ action, live }: Step, wanted: ReadonlyMap<Live, string>): string | null {
  const by = action === 'delete' && live ? wanted.get(live) : undefined;
  return by === undefined ? null : `${by} is to get its name, and may mean this object`;
}
