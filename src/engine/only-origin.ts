/** `--only-origin`: what the repository changed and nothing else, where the service lets the rest alone. */
import type { Desired, Note } from '../kinds/kind.ts';
import type { Origin } from '../model/change.ts';
import type { Finding } from '../model/finding.ts';
import type { Fields, Json } from '../model/json.ts';
import { overall } from './compare.ts';
import { findingsOf } from './notes.ts';
import type { Run } from './run.ts';
import { type Step, writesOnService } from './step.ts';

/** The steps that remain, and what cannot be left alone. */
export interface Kept {
  readonly steps: readonly Step[];
  findings(run: Run): readonly Finding[];
}

/** Keeps what has the wanted origin (or has it too, or whose origin nobody knows); null keeps all. */
export function keepOrigin(steps: readonly Step[], wanted: Extract<Origin, 'change' | 'drift'> | null): Kept {
  if (wanted === null) return { steps, findings: () => [] };
  const fits = (origin: Origin) => origin === wanted || origin === 'both' || origin === 'unknown';
  const kept = steps.flatMap((step) => {
    if (!writesOnService(step.action)) return [step];
    if (step.action !== 'update') return fits(step.origin) ? [step] : [];
    if (!step.fields.some((field) => fits(field.origin))) return [];
    return [step.kind.partialUpdates ? narrowed(step, fits) : step];
  });
  const whole = kept.filter((step) => !step.kind.partialUpdates && step.fields.some((field) => !fits(field.origin)));
  return { steps: kept, findings: (run) => whole.flatMap((step) => findingsOf([overwritten(step, wanted)], within(step), run)) };
}

function within({ kind, desired }: Step) {
  return { kind, resources: desired ? [desired] : [] };
}

function overwritten({ address, fields }: Step, wanted: string): Note {
  const paths = fields
    .filter((field) => field.origin !== wanted && field.origin !== 'both' && field.origin !== 'unknown')
    .map(({ path }) => path);
  return {
    code: 'drift-overwritten',
    address,
    summary: `${address} is always sent whole, so ${paths.join(', ')} cannot be left alone`,
    hint: 'Declare the live value, or accept that it is overwritten.',
  };
}

/** The update without the fields that do not fit: they keep their live value. */
function narrowed(step: Step, fits: (origin: Origin) => boolean): Step {
  const { desired, live } = step;
  const fields = step.fields.filter((field) => fits(field.origin));
  if (!desired || !live || fields.length === step.fields.length) return step;
  const left = new Set(step.fields.filter((field) => !fits(field.origin)).map(({ path }) => path.split('/')[1] ?? ''));
  return { ...step, fields, effect: overall(fields), desired: keeping(desired, live.fields, left) };
}

function keeping(desired: Desired, live: Fields, members: ReadonlySet<string>): Desired {
  const entries = Object.entries(desired.fields).map(([member, value]): [string, Json] => [
    member,
    members.has(member) ? (live[member] ?? null) : value,
  ]);
  return { ...desired, fields: Object.fromEntries(entries) };
}
