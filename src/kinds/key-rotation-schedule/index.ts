import schema from '../../../schemas/key-rotation-schedule.schema.json' with { type: 'json' };
import type { Kind } from '../kind.ts';
import { effects } from './effect.ts';
import { read, settle, writes } from './remote.ts';
import { ADDRESS, compared, declare, express, restate, SECTION, UNSET } from './spec.ts';

/** When the static key is rotated: one schedule for the account, always there. */
export const keyRotationSchedule: Kind = {
  name: ADDRESS,
  place: 4,
  addresses: [ADDRESS],
  singleton: true,
  uniqueLabels: false,
  partialUpdates: false,
  sections: [{ key: SECTION, manages: true }],
  schema,
  codes: ['next-rotation-in-seconds', 'rotation-failing'],
  probes: 0,
  undeclared: () => ADDRESS,
  declare,
  compared,
  defaults: () => UNSET,
  effects,
  phase: (_action, effect) => ({ tightens: 1, neutral: 2, loosens: 4 })[effect],
  writes: (planned, _settings, now) => writes(planned, now),
  settle,
  read,
  express,
  restate,
};
