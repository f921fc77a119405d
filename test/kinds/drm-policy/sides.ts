import { settingsOf } from '../../../src/kinds/drm-policy/spec.ts';
import { settingsArbitrary } from './policies.ts';

/** Policies with every default, out of what may be declared. */
export const sides = settingsArbitrary.map((settings) => ({ fields: settingsOf(settings) }));
