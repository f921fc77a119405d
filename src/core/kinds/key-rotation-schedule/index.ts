import schema from '../../../../schemas/key-rotation-schedule.schema.json' with { type: 'json' };
import { PHASE_OF_EFFECT, type SettingKind } from '../kind.ts';
import { parseWriteResponse, read, requests } from './api.ts';
import { ADDRESS, allFields, configEdits, declare, SECTION, toComparable, toConfig, UNSET } from './declare.ts';
import { overdueWarnings } from './next-rotation.ts';
import { assessRisk } from './risk.ts';

/** The schedule of static key rotations. A setting of the account. */
export const keyRotationSchedule: SettingKind = {
  type: 'setting',
  name: ADDRESS,
  applyOrder: 4,
  sections: [{ key: SECTION, addressPrefix: ADDRESS }],
  schema,
  findingCodes: {
    'next-rotation-in-seconds': { meaning: 'a `next_rotation` that looks like seconds instead of milliseconds' },
    'rotation-failing': { meaning: 'rotations fail in the account', needs: 'account' },
    'rotation-overdue': { meaning: 'a rotation that should have taken place, and has not', needs: 'account' },
    'rotation-incomplete': { meaning: 'a schedule that lacks a value which the service needs', isFixed: true },
  },
  idAddress: () => ADDRESS,
  declare,
  toComparable,
  defaults: () => UNSET,
  allFields,
  assessRisk,
  timeWarnings: overdueWarnings,
  phase: (_action, effect) => PHASE_OF_EFFECT[effect],
  requests: (change, _options, now) => requests(change, now),
  parseWriteResponse,
  read,
  toConfig,
  configEdits,
};
