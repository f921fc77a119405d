/** `--only-origin`: what the repository changed and nothing else, where the service lets the rest alone. */
import type { Desired, Live, Note } from '../kinds/kind.ts';
import type { Origin } from '../model/change.ts';
import type { Finding } from '../model/finding.ts';
import type { Json } from '../model/json.ts';
import { inScope } from './column.ts';
import { judged, remark } from './compare.ts';
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
    if (!step.fields.some((field) => fits(field.origin))) return claimOnly(step);
    return [step.kind.partialUpdates ? narrowed(step, fits) : step];
  });
  const whole = kept.filter((step) => !step.kind.partialUpdates && step.fields.some((field) => !fits(field.origin)));
  const findings: Kept['findings'] = (run) =>
    whole.filter((step) => inScope(run.only, step.address)).flatMap((step) => findingsOf([overwritten(step, wanted)], within(step), run));
  return { steps: kept, findings };
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

/** An update that is left undone still says what its object was moved from, for the ledger. */
function claimOnly({ kind, desired, live, movedFrom }: Step): readonly Step[] {
  return desired && live && movedFrom !== undefined ? [{ ...remark(kind, 'move', desired, live), movedFrom }] : [];
}

/** The update without the fields that do not fit: they keep their live value, and what the others do is judged beside that. */
function narrowed(step: Step, fits: (origin: Origin) => boolean): Step {
  const fields = step.fields.filter((field) => fits(field.origin));
  if (!step.desired || !step.live || fields.length === step.fields.length) return step;
  const member = ({ path }: { readonly path: string }) => path.split('/')[1] ?? '';
  const written = new Set(fields.map(member));
  const left = step.fields.map(member).filter((name) => !written.has(name));
  const desired = keeping(step.desired, step.live, new Set(left));
  return { ...step, desired, ...judged({ ...step, desired }, fields) };
}

function keeping(desired: Desired, live: Live, members: ReadonlySet<string>): Desired {
  const kept = (member: string, value: Json): Json => (members.has(member) ? (live.fields[member] ?? null) : value);
  const fields = Object.fromEntries(Object.entries(desired.fields).map(([member, value]) => [member, kept(member, value)]));
  const named = [...members].some((member) => desired.fields[member] === desired.label && live.fields[member] === live.label);
  return { ...desired, fields, ...(named ? { label: live.label } : {}) };
}
