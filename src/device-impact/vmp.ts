/** Which devices get no license because of their VMP status: drm-api-v3 section 2.6, api-notes section 4. */
import type { Rule } from '../model/impact.ts';
import type { Device } from './device.ts';

/** Where the rules of the rejection set stand. */
export const VMP_FIELD = '/vmp_reject_statuses';

/** Rules of the rejection set; null = it is not managed, and nobody knows what is in it. Statuses are reported by Widevine only. */
export function judgeVmp(rejected: readonly string[] | null, device: Device): readonly Rule[] {
  if (device.system !== 'widevine') return [];
  const { vmp_status: status } = device;
  if (rejected === null) return [rule('unknown', 'the set of rejected VMP statuses is not known')];
  if (status === null && rejected.length > 0)
    return [rule('unknown', `VMP status ${rejected.join(', ')} rejected, and its own is not known`)];
  return status !== null && rejected.includes(status) ? [rule('refused', `VMP status ${status} is rejected`)] : [];
}

function rule(outcome: Rule['outcome'], text: string): Rule {
  return { outcome, text, field: VMP_FIELD, section: 'drm-api-v3 2.6' };
}
