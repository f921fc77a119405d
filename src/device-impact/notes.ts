/** What is said beside every answer, because no answer of the judge can say it. */
import type { BeforeAfterPolicies } from './input.ts';

const SPECS = 'content_key_specs of Widevine hold only where the content has no policy of its own (drm-api-v3 2.3).';
const SESSIONS =
  'Running playback sessions keep the settings with which they began; what is said here holds for new ones (playlist-api-v4 3).';
const KEYS = 'The static key and its rotation affect no device: they do not change license acquisition (drm-api-v3 3).';
const DEFAULTS = 'A policy that is new, or goes, is compared with the default policy (drm-api-v3 2.5).';

/** The sentences for what a plan means. */
export function planNotes(account: BeforeAfterPolicies): readonly string[] {
  const isOneSided = account.policies.some(({ changes, before, after }) => changes && (before === null || after === null));
  return [...unknownSet(account), ...(isOneSided ? [DEFAULTS] : []), SPECS, SESSIONS];
}

/** The sentences beside a matrix. */
export function matrixNotes(account: BeforeAfterPolicies): readonly string[] {
  return [...planNotes(account), KEYS];
}

function unknownSet({ vmp }: BeforeAfterPolicies): readonly string[] {
  if (vmp.before !== null && vmp.after !== null) return [];
  return ['Which VMP statuses are rejected is not known, because their set is not managed or was not read: for Widevine it depends.'];
}
