import schema from '../../../schemas/key-rotation-schedule.schema.json' with { type: 'json' };
import { type Kind, PHASE_OF_EFFECT } from '../kind.ts';
import { parseWriteResponse, read, requests } from './api.ts';
import { ADDRESS, configEdits, declare, SECTION, toComparable, toConfig, UNSET } from './declare.ts';
import { assessRisk } from './risk.ts';

/** The schedule of static key rotations. A singleton of the account. */
export const keyRotationSchedule: Kind = {
  name: ADDRESS,
  applyOrder: 4,
  addresses: [ADDRESS],
  singleton: true,
  uniqueLabels: false,
  partialUpdates: false,
  sections: [{ key: SECTION, manages: true }],
  schema,
  codes: ['next-rotation-in-seconds', 'rotation-failing'],
  existenceChecksPerPlan: 0,
  unmanagedAddress: () => ADDRESS,
  declare,
  toComparable,
  defaults: () => UNSET,
  assessRisk,
  phase: (_action, effect) => PHASE_OF_EFFECT[effect],
  requests: (planned, _settings, now) => requests(planned, now),
  parseWriteResponse,
  read,
  toConfig,
  configEdits,
  diagram: ({ fields }) => ({ type: 'account-setting', fields }),
};
