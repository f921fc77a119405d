/** Where one set of requirements is weaker or stronger than another, dimension by dimension. */
import type { System } from '../model/impact.ts';
import { equal, type Json, type JsonObject } from '../model/json.ts';
import { DIMENSIONS, type Dimension, strengthOf } from './settings-strength.ts';
import type { Requirement } from './track-requirements.ts';

/** One dimension in which a requirement and the one that takes its place differ. */
export interface StrengthChange {
  readonly dimension: Dimension;
  readonly from: Requirement;
  readonly to: Requirement;
  readonly before: Json;
  readonly after: Json;
  readonly isStronger: boolean;
}

/**
 * All steps from what was demanded of a track to what is. Where several requirements are possible on a side, any of them may be the one
 * that counts: as many on both sides are compared one by one, widest first, or else every one with every one.
 */
export function strengthChangesBetween(
  system: System,
  before: readonly Requirement[],
  after: readonly Requirement[],
): readonly StrengthChange[] {
  const isPaired = before.length === after.length;
  const successors = (index: number) => after.filter((_to, nth) => !isPaired || nth === index);
  return before.flatMap((from, index) =>
    successors(index).flatMap((to) => DIMENSIONS[system].flatMap((dimension) => stepIn(dimension, from, to))),
  );
}

function stepIn(dimension: Dimension, from: Requirement, to: Requirement): readonly StrengthChange[] {
  const [before, after] = [demanded(dimension, from.demands), demanded(dimension, to.demands)];
  if (equal(before, after)) return [];
  return [{ dimension, from, to, before, after, isStronger: strengthOf(dimension, after) > strengthOf(dimension, before) }];
}

function demanded({ name }: Dimension, demands: JsonObject): Json {
  return demands[name] ?? null;
}
