/** Says what a run waits for, and what earlier targets have not tried. */
import { listOf } from '../../core/model/collections.ts';
import { formatInstant } from '../../core/model/instant.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { Wait } from '../../core/model/wait.ts';
import { sentence } from './labels.ts';
import type { Line } from './model.ts';

/** Maximum number of files that a line names. */
const MAX_NAMED = 5;

/** Returns the lines about what an apply of a plan would wait for now, what it overrides of that, and what no earlier target has tried. */
export function waitLines({
  target,
  waits = [],
  overriddenWaits = [],
  untried = [],
}: Pick<Plan, 'target' | 'waits' | 'overriddenWaits' | 'untried'>): readonly Line[] {
  const promoted = waits.find((wait) => wait.promoted !== undefined)?.promoted;
  return [
    ...(waits.length === 0 ? [] : [{ style: 'warning', text: 'An apply would wait, and write nothing now:' } as const]),
    ...itemsOf(waits),
    ...(promoted === undefined ? [] : [{ style: 'plain', text: promotedText(target, promoted) } as const]),
    ...(overriddenWaits.length === 0
      ? []
      : [{ style: 'warning', text: 'An apply would not wait, because the run overrides it:' } as const]),
    ...itemsOf(overriddenWaits),
    ...untried.map(
      ({ target: before, files }): Line => ({
        style: 'quiet',
        text: `Not tried on ${before}, which does not read it: ${listOf(files, MAX_NAMED)}.`,
      }),
    ),
  ];
}

/** Returns an item for each wait; those that say the same share one. */
function itemsOf(waits: readonly Wait[]): readonly Line[] {
  return [...new Set(waits.map(waitText))].map((text) => ({ style: 'plain', text: sentence(text), item: 'bullet' }));
}

function promotedText(target: string, promoted: string | null): string {
  return promoted === null
    ? `No newer commit is promoted to ${target}.`
    : `Promoted to ${target} is commit ${promoted.slice(0, 12)}, which \`--ref promoted\` takes.`;
}

/** Says what a run waits for and until when, as a clause. */
export function waitText({ target, reason, until, localUntil, unless }: Wait): string {
  const subject = target === undefined ? '' : `${target} `;
  return `${subject}${reason}${untilText(until, localUntil)}${unless === undefined ? '' : '; what only strengthens protection passes'}`;
}

function untilText(until: string | null, localUntil: string | undefined): string {
  if (until === null) return '';
  const utc = formatInstant(Date.parse(until));
  return localUntil === undefined ? `; until ${utc}` : `; until ${localUntil} (${utc})`;
}
