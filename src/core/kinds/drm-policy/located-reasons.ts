/** Reasons of an assessment, and the field that each of them is reported at. */
import type { FieldDifference, RiskAssessment, RiskReason } from '../../model/change.ts';
import { assess } from '../kind.ts';

/** A reason, and JSON Pointers to the settings that cause it, the most important one first. */
export interface LocatedReason {
  readonly reason: RiskReason;
  readonly settings: readonly string[];
}

/** Returns an assessment for each field, in their order; every reason is attached to exactly one field. */
export function attachToFields(fields: readonly FieldDifference[], reasons: readonly LocatedReason[]): readonly RiskAssessment[] {
  const indexes = reasons.map(({ settings }) => fieldIndex(fields, settings));
  return fields.map((_field, index) => assess(...reasons.filter((_reason, nth) => indexes[nth] === index).map(({ reason }) => reason)));
}

/**
 * Returns the index of the field that contains one of the settings. If there is none, returns that of a field beside a setting, because a
 * create and a delete do not list fields at their defaults.
 */
function fieldIndex(fields: readonly FieldDifference[], settings: readonly string[]): number {
  const containing = settings.map((setting) => fields.findIndex(({ path }) => `${setting}/`.startsWith(`${path}/`)));
  const siblings = settings.map((setting) =>
    fields.findIndex(({ path }) => path.startsWith(setting.slice(0, setting.lastIndexOf('/') + 1))),
  );
  return [...containing, ...siblings].find((index) => index >= 0) ?? 0;
}
