/** The rejected VMP statuses on the page "The account at a glance" (`export --format html`). */
import type { KindOverview } from '../../model/account-overview.ts';
import type { LiveSetting } from '../kind.ts';
import { KNOWN, SECTION, type StatusFields } from './declare.ts';

/** Returns every status that is rejected, and every other one that the API documents name. */
export function overview([live]: readonly LiveSetting<StatusFields>[]): KindOverview {
  const rejected = live?.fields[SECTION] ?? [];
  return {
    type: 'setting',
    title: 'VMP statuses',
    summary:
      rejected.length === 0
        ? { style: 'alarm', text: 'No VMP status is rejected.' }
        : { style: 'good', text: `${rejected.length} VMP ${rejected.length === 1 ? 'status gets' : 'statuses get'} no licenses.` },
    members: [
      ...rejected.map((status) => ({ style: 'good', text: `${status} rejected` }) as const),
      ...KNOWN.filter((status) => !rejected.includes(status)).map(
        (status) => ({ style: 'quiet', text: `${status} gets licenses` }) as const,
      ),
    ],
  };
}
