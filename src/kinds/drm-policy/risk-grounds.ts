/** Reasons on their way to the field that they are told at. */
import type { FieldDifference, RiskAssessment, RiskReason } from '../../model/change.ts';
import { assess } from '../kind.ts';

/** A reason, and JSON Pointers to the settings that make it, the one first that speaks for it best. */
export interface RiskGround {
  readonly reason: RiskReason;
  readonly at: readonly string[];
}

/** The verdict on each field, in their order: every ground is told at one field. */
export function attachToFields(fields: readonly FieldDifference[], grounds: readonly RiskGround[]): readonly RiskAssessment[] {
  const places = grounds.map(({ at }) => placeOf(fields, at));
  return fields.map((_field, index) => assess(...grounds.filter((_ground, nth) => places[nth] === index).map(({ reason }) => reason)));
}

/** The field that holds one of the settings; else one beside them, since a create and a delete do not list what falls back to its default. */
function placeOf(fields: readonly FieldDifference[], at: readonly string[]): number {
  const holding = at.map((setting) => fields.findIndex(({ path }) => `${setting}/`.startsWith(`${path}/`)));
  const beside = at.map((setting) => fields.findIndex(({ path }) => path.startsWith(setting.slice(0, setting.lastIndexOf('/') + 1))));
  return [...holding, ...beside].find((index) => index >= 0) ?? 0;
}
