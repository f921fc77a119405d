/** `--only-origin`: what the repository changed and nothing else, where the service lets the rest alone. */
import type { DesiredResource, LiveNote, LiveResource } from '../kinds/kind.ts';
import type { Origin } from '../model/change.ts';
import type { Finding } from '../model/finding.ts';
import type { Json } from '../model/json.ts';
import { type ChangeDraft, writesOnService } from '../state/change-draft.ts';
import { assessChange, stateOnlyChange } from '../state/new-change.ts';
import type { PlanInput } from './input.ts';
import { matchesOnly } from './kind-state.ts';
import { notesToFindings } from './live-warnings.ts';

/** The steps that remain, and what cannot be left alone. */
export interface FilteredChanges {
  readonly steps: readonly ChangeDraft[];
  findings(input: PlanInput): readonly Finding[];
}

/** Keeps what has the wanted origin (or has it too, or whose origin nobody knows); null keeps all. */
export function filterByOrigin(drafts: readonly ChangeDraft[], wanted: Extract<Origin, 'change' | 'drift'> | null): FilteredChanges {
  if (wanted === null) return { steps: drafts, findings: () => [] };
  const fits = (origin: Origin) => origin === wanted || origin === 'both' || origin === 'unknown';
  const kept = drafts.flatMap((draft) => {
    if (!writesOnService(draft.action)) return [draft];
    if (draft.action !== 'update') return fits(draft.origin) ? [draft] : [];
    if (!draft.fields.some((field) => fits(field.origin))) return moveOnly(draft);
    return [draft.kind.partialUpdates ? dropFields(draft, fits) : draft];
  });
  const whole = kept.filter((draft) => !draft.kind.partialUpdates && draft.fields.some((field) => !fits(field.origin)));
  const findings: FilteredChanges['findings'] = (input) =>
    whole
      .filter((draft) => matchesOnly(input.only, draft.address))
      .flatMap((draft) => notesToFindings([overwrittenWarning(draft, wanted)], within(draft), input));
  return { steps: kept, findings };
}

function within({ kind, desired }: ChangeDraft) {
  return { kind, resources: desired ? [desired] : [] };
}

function overwrittenWarning({ address, fields }: ChangeDraft, wanted: string): LiveNote {
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
function moveOnly({ kind, desired, live, movedFrom }: ChangeDraft): readonly ChangeDraft[] {
  return desired && live && movedFrom !== undefined ? [{ ...stateOnlyChange(kind, 'move', desired, live), movedFrom }] : [];
}

/** The update without the fields that do not fit: they keep their live value, and what the others do is judged beside that. */
function dropFields(draft: ChangeDraft, fits: (origin: Origin) => boolean): ChangeDraft {
  const fields = draft.fields.filter((field) => fits(field.origin));
  if (!draft.desired || !draft.live || fields.length === draft.fields.length) return draft;
  const member = ({ path }: { readonly path: string }) => path.split('/')[1] ?? '';
  const written = new Set(fields.map(member));
  const left = draft.fields.map(member).filter((name) => !written.has(name));
  const desired = keepLiveValues(draft.desired, draft.live, new Set(left));
  return { ...draft, desired, ...assessChange({ ...draft, desired }, fields) };
}

function keepLiveValues(desired: DesiredResource, live: LiveResource, members: ReadonlySet<string>): DesiredResource {
  const kept = (member: string, value: Json): Json => (members.has(member) ? (live.fields[member] ?? null) : value);
  const fields = Object.fromEntries(Object.entries(desired.fields).map(([member, value]) => [member, kept(member, value)]));
  const named = [...members].some((member) => desired.fields[member] === desired.label && live.fields[member] === live.label);
  return { ...desired, fields, ...(named ? { label: live.label } : {}) };
}
