/** What changes of a policy do to the protection of content, judged by the documents as a whole (drm-api-v3 section 2). */
import type { Effect, Verdict } from '../../model/change.ts';
import type { Comparison } from '../kind.ts';
import { judgeDemands } from './demands.ts';
import { judgeLicense } from './license.ts';
import { told } from './reasons.ts';
import { settingsOf } from './spec.ts';

const DEFAULTS = settingsOf({});

/**
 * One verdict a field. A new policy is compared with the default policy, and a deleted one too. What nobody but the service reads
 * (the name, reserved settings) is neutral.
 */
export function effects({ live, desired, fields }: Comparison): readonly Verdict[] {
  const [before, after] = [live?.fields ?? DEFAULTS, desired?.fields ?? DEFAULTS];
  return told(fields, [...judgeDemands(before, after), ...judgeLicense(before, after)]);
}

/** Creates first, deletes last; of updates, what only tightens goes first and what loosens after everything else (design section 4, rule 6). */
export function phase(action: 'create' | 'update' | 'delete', overall: Effect): number {
  if (action !== 'update') return action === 'create' ? 1 : 5;
  return { tightens: 1, neutral: 2, loosens: 4 }[overall];
}
