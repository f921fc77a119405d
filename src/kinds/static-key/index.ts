import schema from '../../../schemas/static-key.schema.json' with { type: 'json' };
import { type Kind, PHASE_OF_EFFECT } from '../kind.ts';
import { parseWriteResponse, read, requests } from './api.ts';
import { ADDRESS, canonical, configEdits, declare, SECTION, toComparable, toConfig } from './declare.ts';
import { assessRisk } from './risk.ts';
import { slicerReferences } from './slicer-references.ts';

/** The scope of the static key: the live slicers that use it. A singleton of the account. */
export const staticKey: Kind = {
  name: ADDRESS,
  applyOrder: 3,
  addresses: [ADDRESS],
  singleton: true,
  uniqueLabels: false,
  partialUpdates: false,
  sections: [{ key: SECTION, manages: true }],
  schema,
  codes: ['slicer-not-found'],
  references: slicerReferences,
  existenceChecksPerPlan: 0,
  unmanagedAddress: () => ADDRESS,
  declare,
  toComparable,
  defaults: () => canonical('none', []),
  assessRisk,
  phase: (_action, effect) => PHASE_OF_EFFECT[effect],
  requests,
  parseWriteResponse,
  read,
  toConfig,
  configEdits,
  diagram: ({ fields }) => ({ type: 'account-setting', fields }),
};
