/** Reasons of an assessment, and the field that each of them is reported at. */
import type { FieldDifference, RiskAssessment, RiskReason } from '../../model/change.ts';
import { assess } from '../kind.ts';

/** A reason, and JSON Pointers to the settings that cause it, the most important one first. */
export interface RiskGround {
  readonly reason: RiskReason;
  readonly at: readonly string[];
}

/** Returns an assessment for each field, in their order; every ground is attached to exactly one field. */
export function attachToFields(fields: readonly FieldDifference[], grounds: readonly RiskGround[]): readonly RiskAssessment[] {
  const indexes = grounds.map(({ at }) => fieldIndex(fields, at));
  return fields.map((_field, index) => assess(...grounds.filter((_ground, nth) => indexes[nth] === index).map(({ reason }) => reason)));
}

/**
 * Returns the index of the field that contains one of the settings; else of a sibling, since a create and a delete do not list fields at
 * their defaults.
 */
function fieldIndex(fields: readonly FieldDifference[], at: readonly string[]): number {
  const containing = at.map((setting) => fields.findIndex(({ path }) => `${setting}/`.startsWith(`${path}/`)));
  const siblings = at.map((setting) => fields.findIndex(({ path }) => path.startsWith(setting.slice(0, setting.lastIndexOf('/') + 1))));
  return [...containing, ...siblings].find((index) => index >= 0) ?? 0;
}
