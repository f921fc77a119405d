import { settingsOf } from '../../../src/kinds/drm-policy/declare.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import { settingsArbitrary } from './policies.ts';

/** Policies of one name with every default, out of what may be declared. */
export const sides = settingsArbitrary.map(sideOf);

/** A policy as the API shows it. */
export function sideOf({ policy_name = 'p', ...settings }: JsonObject) {
  return { fields: { policy_name, ...settingsOf(settings) } };
}
