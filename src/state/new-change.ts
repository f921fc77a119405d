import type { Comparison, DesiredResource, Kind, LiveResource } from '../kinds/kind.ts';
import { combineEffects, type FieldChange, type FieldDifference, type Origin } from '../model/change.ts';
import type { ChangeDraft } from './change-draft.ts';

/** Builds the draft of a change, with the risk that its kind assigns to each difference. */
export function newChange(
  kind: Kind,
  action: ChangeDraft['action'],
  desired: DesiredResource | null,
  live: LiveResource | null,
  differences: readonly FieldDifference[],
): ChangeDraft {
  return {
    kind,
    address: desired?.address ?? (live ? kind.unmanagedAddress(live) : kind.name),
    name: desired?.name ?? live?.label ?? '',
    action,
    desired,
    live,
    ...assessChange({ kind, action, desired, live }, differences),
    origin: 'unknown',
    inState: false,
    ambiguousReason: null,
  };
}

/** The change that a kind assesses. */
type AssessmentSubject = Pick<Comparison, 'action' | 'desired' | 'live'> & { readonly kind: Kind };

/** Assesses the risk of these differences, one by one and together. Keeps an origin that is known. */
export function assessChange(
  { kind, action, desired, live }: AssessmentSubject,
  differences: readonly (FieldDifference & { readonly origin?: Origin })[],
): Pick<ChangeDraft, 'fields' | 'effect' | 'reasons'> {
  const assessments = kind.assessRisk({ action, desired, live, fields: differences });
  const fields = differences.map(({ path, before, after, origin = 'unknown' }, index): FieldChange => {
    const { effect, reasons } = assessments[index] ?? missingAssessment(kind, path);
    return { path, before, after, origin, effect, ...(reasons.length === 0 ? {} : { reasons }) };
  });
  return { fields, effect: combineEffects(fields), reasons: assessments.flatMap(({ reasons }) => reasons) };
}

/** A kind that does not assess a field breaks its contract. */
function missingAssessment(kind: Kind, path: string): never {
  throw new Error(`the kind ${kind.name} did not assess ${path}`);
}

/** Builds a change that writes nothing on the service: only the ledger records it. */
export function stateOnlyChange(
  kind: Kind,
  action: 'adopt' | 'move' | 'forget',
  desired: DesiredResource | null,
  live: LiveResource,
): ChangeDraft {
  return newChange(kind, action, desired, live, []);
}
