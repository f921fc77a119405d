/** Says what holds back a run besides its changes, and what earlier targets have not tried. */
import { listOf } from '../../core/model/collections.ts';
import { type Decision, exceptionsText, type Hold, holdsOf, RUN_RULES, type Status } from '../../core/model/decision.ts';
import { formatInstant } from '../../core/model/instant.ts';
import type { Plan } from '../../core/model/plan.ts';
import { sentence } from './labels.ts';
import type { Line } from './model.ts';

/** Maximum number of files that a line names. */
const MAX_NAMED = 5;

/** Returns the holds of a run that are neither about its changes nor about what could not be read. */
export function runHolds(decision: Pick<Decision, 'holds'> | undefined): readonly Hold[] {
  return decision === undefined
    ? []
    : holdsOf(
        decision,
        RUN_RULES.filter((rule) => rule !== 'incomplete-read'),
      );
}

/** Returns the lines about what holds back an apply of a plan now, what the run overrides of that, and what no earlier target has tried. */
export function holdLines({ target, decision, untried = [] }: Pick<Plan, 'target' | 'decision' | 'untried'>): readonly Line[] {
  const holds = runHolds(decision);
  const overridden = decision?.overridden ?? [];
  const promoted = holds.find((hold) => hold.promoted !== undefined)?.promoted;
  return [
    ...(holds.length === 0 ? [] : [{ style: 'warning', text: heldText(decision?.status) } as const]),
    ...itemsOf(holds),
    ...(decision?.until == null || holds.length === 1
      ? []
      : [{ style: 'plain', text: `All of that is over at ${instantText(decision.until)}.` } as const]),
    ...(promoted === undefined ? [] : [{ style: 'plain', text: promotedText(target, promoted) } as const]),
    ...(overridden.length === 0 ? [] : [{ style: 'warning', text: 'This holds nothing back, because the run overrides it:' } as const]),
    ...itemsOf(overridden),
    ...untried.map(
      ({ target: before, files }): Line => ({
        style: 'quiet',
        text: `Not tried on ${before}, which does not read it: ${listOf(files, MAX_NAMED)}.`,
      }),
    ),
  ];
}

/** Says what a run that is held back does not do. With nothing to do, an apply only leaves out its commit. */
function heldText(status: Status | undefined): string {
  return status === 'nothing' ? 'An apply would not record the commit as applied now:' : 'An apply would write nothing now:';
}

/** Returns an item for each hold; those that say the same share one. */
function itemsOf(holds: readonly Hold[]): readonly Line[] {
  return [...new Set(holds.map(holdText))].map((text) => ({ style: 'plain', text: sentence(text), item: 'bullet' }));
}

function promotedText(target: string, promoted: string | null): string {
  return promoted === null
    ? `No newer commit is promoted to ${target}.`
    : `Promoted to ${target} is commit ${promoted.slice(0, 12)}, which \`--ref promoted\` takes.`;
}

/** Says what holds back and until when, as a clause. */
export function holdText({ target, reason, until = null, localUntil, unless }: Omit<Hold, 'rule' | 'on'>): string {
  const subject = target === undefined ? '' : `${target} `;
  const end = until === null ? '' : `; until ${instantText(until, localUntil)}`;
  return `${subject}${reason}${end}${unless === undefined ? '' : `; ${exceptionsText(unless)} passes`}`;
}

/** Formats an instant, ISO 8601, in UTC; with the time that the clocks of a zone show, where there is one. */
export function instantText(instant: string, local?: string): string {
  const utc = formatInstant(Date.parse(instant));
  return local === undefined ? utc : `${local} (${utc})`;
}
