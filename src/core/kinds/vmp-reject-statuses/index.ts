import schema from '../../../../schemas/vmp-reject-statuses.schema.json' with { type: 'json' };
import type { PlaybackReason, RiskAssessment } from '../../model/change.ts';
import { isUnexpectedStatus } from '../../model/impact.ts';
import { assess, formatNames, PHASE_OF_EFFECT, type SettingKind, strengthens, weakens } from '../kind.ts';
import { parseWriteResponse, read, requests } from './api.ts';
import { ADDRESS, canonical, configEdits, declare, SECTION, type StatusFields, toConfig } from './declare.ts';

/** The set of VMP statuses for which the service refuses licenses. A setting of the account. */
export const vmpRejectStatuses: SettingKind<StatusFields> = {
  type: 'setting',
  name: ADDRESS,
  applyOrder: 2,
  sections: [{ key: SECTION, addressPrefix: ADDRESS }],
  schema,
  findingCodes: {
    'unknown-vmp-status': { meaning: "a status that is not one of Widevine's" },
  },
  idAddress: () => ADDRESS,
  declare,
  defaults: () => canonical([]),
  assessRisk: ({ before, after, fields }) => fields.map(() => assessStatuses(statusesOf(before), statusesOf(after))),
  assessPlayback: ({ before, after }) => playbackOfStatuses(statusesOf(before), statusesOf(after)),
  phase: (_action, effect) => PHASE_OF_EFFECT[effect],
  requests,
  parseWriteResponse,
  read,
  toConfig,
  configEdits,
};

/** Assesses the set: removing a status weakens, adding one strengthens (drm-api-v3 section 2.6). */
function assessStatuses(before: ReadonlySet<string>, after: ReadonlySet<string>): RiskAssessment {
  const { removed, added } = compareStatuses(before, after);
  return assess(
    ...(removed.length === 0 ? [] : [weakens(`devices with VMP status ${formatNames(removed)} get licenses again`)]),
    ...(added.length === 0 ? [] : [strengthens(`devices with VMP status ${formatNames(added)} get no licenses any more`)]),
  );
}

/** Devices that report a rejected status get no license, so they play nothing (drm-api-v3 sections 1 and 2.6). */
function playbackOfStatuses(before: ReadonlySet<string>, after: ReadonlySet<string>): readonly PlaybackReason[] {
  const { removed, added } = compareStatuses(before, after);
  const stops = (statuses: readonly string[], more: Pick<PlaybackReason, 'expected'>): readonly PlaybackReason[] =>
    statuses.length === 0
      ? []
      : [{ playback: 'stops', text: `devices with VMP status ${formatNames(statuses)} get no licenses any more`, ...more }];
  return [
    ...stops(
      added.filter((status) => !isUnexpectedStatus(status)),
      {},
    ),
    ...stops(added.filter(isUnexpectedStatus), { expected: false }),
    ...(removed.length === 0
      ? []
      : [{ playback: 'gains', text: `devices with VMP status ${formatNames(removed)} get licenses again` } as const]),
  ];
}

function compareStatuses(before: ReadonlySet<string>, after: ReadonlySet<string>) {
  return { removed: [...before].filter((status) => !after.has(status)), added: [...after].filter((status) => !before.has(status)) };
}

/** Returns the statuses of the set before or after a change; a set that does not exist is empty. */
function statusesOf(setting: { readonly fields: StatusFields } | null): ReadonlySet<string> {
  return new Set(setting?.fields[SECTION]);
}
