/** What reports draw of the VMP reject statuses: changed settings, and every status with what becomes of it. */
import type { KindOverview } from '../../model/account-overview.ts';
import type { Change } from '../../model/change.ts';
import type { Diagram } from '../../model/diagram.ts';
import type { KindViews, LiveSetting } from '../views.ts';
import { KNOWN, SECTION, type StatusFields } from './declare.ts';

/** The views of the VMP reject statuses. */
export const vmpRejectStatusesViews = { overview, diagram } satisfies KindViews<StatusFields>;

function diagram({ fields }: Change): Diagram {
  return { type: 'account-setting', fields };
}

/** Returns every status that is rejected, and every other one that the API documents name. */
function overview([live]: readonly LiveSetting<StatusFields>[]): KindOverview {
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
