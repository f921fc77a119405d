/** What the account at a glance shows of the VMP statuses. */
import { expect, test } from 'vitest';
import { vmpRejectStatusesViews } from '../../../../src/core/kinds/vmp-reject-statuses/views.ts';
import { changeOf } from '../../../support/changes.ts';
import { liveSetting } from '../fixtures.ts';

/** The statuses that the API documents name, in the order in which they are shown. */
const KNOWN = [
  'PLATFORM_UNVERIFIED',
  'PLATFORM_TAMPERED',
  'PLATFORM_SOFTWARE_VERIFIED',
  'PLATFORM_HARDWARE_VERIFIED',
  'PLATFORM_NO_VERIFICATION',
  'PLATFORM_SECURE_STORAGE_SOFTWARE_VERIFIED',
];

const NONE = { style: 'alarm', text: 'No VMP status is rejected.' };
const good = (text: string) => ({ style: 'good', text });

test.each([
  [[], NONE],
  [['PLATFORM_TAMPERED'], good('1 VMP status gets no licenses.')],
  [['PLATFORM_TAMPERED', 'PLATFORM_UNVERIFIED'], good('2 VMP statuses get no licenses.')],
  [['SOMETHING_NEW'], good('1 VMP status gets no licenses.')],
  [KNOWN, good('6 VMP statuses get no licenses.')],
])('the VMP statuses %j are one sentence, each rejected status, and then every known one that gets licenses', (rejected, summary) => {
  expect(vmpRejectStatusesViews.overview([liveSetting({ vmp_reject_statuses: rejected })])).toEqual({
    type: 'setting',
    title: 'VMP statuses',
    summary,
    members: [
      ...rejected.map((status) => good(`${status} rejected`)),
      ...KNOWN.filter((status) => !rejected.includes(status)).map((status) => ({ style: 'quiet', text: `${status} gets licenses` })),
    ],
  });
});

test('VMP statuses that are not known reject no device', () => {
  expect(vmpRejectStatusesViews.overview([])).toEqual(vmpRejectStatusesViews.overview([liveSetting({ vmp_reject_statuses: [] })]));
  expect(vmpRejectStatusesViews.overview([])).toMatchObject({ summary: NONE, members: { length: KNOWN.length } });
});

test('the diagram of the VMP statuses is that of a setting of the account', () => {
  const change = changeOf({ fields: [{ path: '/vmp_reject_statuses', before: ['A'], after: [], origin: 'change', effect: 'weakens' }] });
  expect(vmpRejectStatusesViews.diagram(change)).toEqual({ type: 'account-setting', fields: change.fields });
});
