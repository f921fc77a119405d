import { canonicalFieldsOf } from '../../../../src/core/kinds/drm-policy/declare.ts';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { settingsArbitrary } from './policies.ts';

/** Policies of one name with every default, from settings that may be declared. */
export const samples = settingsArbitrary.map(sampleOf);

/** Reads a policy in the form of the API. */
export function sampleOf({ policy_name = 'p', ...settings }: JsonObject) {
  return { fields: { policy_name, ...canonicalFieldsOf(settings) } };
}
