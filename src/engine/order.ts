import { compareText } from '../model/finding.ts';
import type { OrderedStep, Step } from './step.ts';

/**
 * Puts steps into phases and waves (design section 4, rule 6): by phase, then by the kind's place, then renames before what needs the freed name.
 * A rename onto a name that another object keeps is contested where the service lets a name stand for one object only.
 */
export function order(steps: readonly Step[], labelsInUse: (step: Step) => string | undefined): readonly OrderedStep[] {
  const renames = new Renames(steps);
  const placed = steps.map((step) => {
    const trail = renames.trail(step);
    const phases = [step, ...trail].map((each) => each.kind.phase(each.action, each.effect));
    return {
      ...step,
      contested: step.contested ?? (trail.includes(step) ? 'its rename and others form a circle' : keptName(step, trail, labelsInUse)),
      phase: Math.max(...phases),
      depth: trail.length,
      after: trail[0]?.address ?? null,
    };
  });
  placed.sort((a, b) => a.phase - b.phase || a.kind.place - b.kind.place || a.depth - b.depth || compareText(a.address, b.address));
  let wave = -1;
  let last = '';
  return placed.map(({ depth, ...step }) => {
    const group = `${step.phase} ${step.kind.place} ${depth}`;
    if (group !== last) wave += 1;
    last = group;
    return { ...step, wave };
  });
}

/** Which names are freed by renames, and who waits for them. */
class Renames {
  readonly #freeing = new Map<string, Step>();

  constructor(steps: readonly Step[]) {
    for (const step of steps) if (isRename(step)) this.#freeing.set(labelKey(step, step.live?.label ?? ''), step);
  }

  /** The renames that must come before a step, nearest first; a circle ends with the step that closes it. */
  trail(step: Step): readonly Step[] {
    const trail: Step[] = [];
    for (let next = this.#freer(step); next && !trail.includes(next); next = this.#freer(next)) trail.push(next);
    return trail;
  }

  #freer(step: Step): Step | undefined {
    const label = step.desired?.label;
    const waits = label !== undefined && (step.action === 'create' || (step.kind.uniqueLabels && isRename(step)));
    const freer = waits ? this.#freeing.get(labelKey(step, label)) : undefined;
    return freer === step ? undefined : freer;
  }
}

function isRename(step: Step): boolean {
  return step.action === 'update' && step.live !== null && step.desired?.label !== undefined && step.live.label !== step.desired.label;
}

function labelKey(step: Step, label: string): string {
  return `${step.kind.name} ${label}`;
}

function keptName(step: Step, trail: readonly Step[], labelsInUse: (step: Step) => string | undefined): string | null {
  if (!step.kind.uniqueLabels || trail.length > 0 || !isRename(step)) return null;
  const keeper = labelsInUse(step);
  return keeper === undefined ? null : `the name it is to get is kept by ${keeper}`;
}
