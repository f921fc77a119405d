import schema from '../../../../schemas/static-key.schema.json' with { type: 'json' };
import { PHASE_OF_EFFECT, type SettingKind } from '../kind.ts';
import { afterRequest, parseWriteResponse, read, requests } from './api.ts';
import { ADDRESS, canonical, configEdits, declare, SECTION, type StaticKeyFields, toComparable, toConfig } from './declare.ts';
import { assessRisk } from './risk.ts';
import { slicerReferences } from './slicer-references.ts';

/** The scope of the static key: which slicers (components that ingest live streams) use it. A setting of the account. */
export const staticKey: SettingKind<StaticKeyFields> = {
  type: 'setting',
  name: ADDRESS,
  applyOrder: 3,
  sections: [{ key: SECTION, addressPrefix: ADDRESS }],
  schema,
  findingCodes: {
    'slicer-not-found': { meaning: 'a slicer ID that the service does not know, where `check.slicers` is on', needs: 'look-up' },
    'slicers-missing': { meaning: 'scope `specific` without `slicer_ids`', isFixed: true },
    'slicers-without-use': { meaning: '`slicer_ids` beside another scope than `specific`', isFixed: true },
  },
  referenceLookup: slicerReferences,
  idAddress: () => ADDRESS,
  declare,
  toComparable,
  defaults: () => canonical('none', []),
  assessRisk,
  phase: (_action, effect) => PHASE_OF_EFFECT[effect],
  requests,
  afterRequest,
  parseWriteResponse,
  read,
  toConfig,
  configEdits,
};
