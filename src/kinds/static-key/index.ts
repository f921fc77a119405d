import schema from '../../../schemas/static-key.schema.json' with { type: 'json' };
import type { Kind } from '../kind.ts';
import { effects } from './effect.ts';
import { read, settle, writes } from './remote.ts';
import { slicers } from './slicers.ts';
import { ADDRESS, canonical, compared, declare, express, restate, SECTION } from './spec.ts';

/** Which live slicers use the static key: one scope for the account, always there. */
export const staticKey: Kind = {
  name: ADDRESS,
  place: 3,
  addresses: [ADDRESS],
  singleton: true,
  uniqueLabels: false,
  partialUpdates: false,
  sections: [{ key: SECTION, manages: true }],
  schema,
  codes: ['slicer-not-found'],
  references: slicers,
  probes: 0,
  undeclared: () => ADDRESS,
  declare,
  compared,
  defaults: () => canonical('none', []),
  effects,
  phase: (_action, effect) => ({ tightens: 1, neutral: 2, loosens: 4 })[effect],
  writes,
  settle,
  read,
  express,
  restate,
};
