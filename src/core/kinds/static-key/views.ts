/** What reports draw of the static key: changed settings, and the scope in one sentence. */
import type { KindOverview, OverviewMark } from '../../model/account-overview.ts';
import type { Change } from '../../model/change.ts';
import type { Diagram } from '../../model/diagram.ts';
import type { KindViews, LiveSetting } from '../views.ts';
import type { StaticKeyFields } from './declare.ts';

/** The views of the static key. */
export const staticKeyViews = { overview, diagram } satisfies KindViews<StaticKeyFields>;

function diagram({ fields }: Change): Diagram {
  return { type: 'account-setting', fields };
}

/** Returns the scope in one sentence, and the slicers. The service keeps a list that it ignores under `all`; that is said, too. */
function overview([live]: readonly LiveSetting<StaticKeyFields>[]): KindOverview {
  const { scope, slicer_ids: slicers } = live?.fields ?? { scope: 'none', slicer_ids: [] };
  return {
    type: 'setting',
    title: 'Static key',
    summary: summaryOf(scope, slicers.length),
    members: slicers.map((text) => ({ style: scope === 'all' ? 'quiet' : 'alarm', text })),
  };
}

function summaryOf(scope: StaticKeyFields['scope'], number: number): OverviewMark {
  if (scope === 'none') return { style: 'good', text: 'No live slicer uses the static key.' };
  const slicers = `${number} live ${number === 1 ? 'slicer' : 'slicers'}`;
  if (scope === 'specific') return { style: 'alarm', text: `${slicers} ${number === 1 ? 'uses' : 'use'} the static key.` };
  return {
    style: 'alarm',
    text: `Every live slicer uses the static key${number === 0 ? '.' : `; a list of ${slicers} is kept, and ignored.`}`,
  };
}
