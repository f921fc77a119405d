import schema from '../../../schemas/vmp-reject-statuses.schema.json' with { type: 'json' };
import type { FieldDifference, RiskAssessment } from '../../model/change.ts';
import type { Json } from '../../model/json.ts';
import { asStringArray } from '../../model/json-readers.ts';
import { assess, formatNames, type Kind, loosens, PHASE_OF_EFFECT, tightens } from '../kind.ts';
import { parseWriteResponse, read, requests } from './api.ts';
import { ADDRESS, canonical, configEdits, declare, SECTION, toConfig } from './declare.ts';

/** The set of VMP statuses for which licenses are refused: one for the account, always there. */
export const vmpRejectStatuses: Kind = {
  name: ADDRESS,
  applyOrder: 2,
  addresses: [ADDRESS],
  singleton: true,
  uniqueLabels: false,
  partialUpdates: false,
  sections: [{ key: SECTION, manages: true }],
  schema,
  codes: ['unknown-vmp-status'],
  existenceChecksPerPlan: 0,
  unmanagedAddress: () => ADDRESS,
  declare,
  defaults: () => canonical([]),
  assessRisk: ({ fields }) => fields.map(judge),
  phase: (_action, effect) => PHASE_OF_EFFECT[effect],
  requests,
  parseWriteResponse,
  read,
  toConfig,
  configEdits,
};

/** A status that is rejected no longer loosens, one that is rejected from now on tightens (drm-api-v3 section 2.6). */
function judge({ before, after }: FieldDifference): RiskAssessment {
  const [gone, added] = [missingFrom(after, before), missingFrom(before, after)];
  return assess(
    ...(gone.size === 0 ? [] : [loosens(`devices with VMP status ${formatNames(gone)} will get licenses again`)]),
    ...(added.size === 0 ? [] : [tightens(`devices with VMP status ${formatNames(added)} will get no licenses any more`)]),
  );
}

/** What `other` holds and `side` does not; an absent side is an empty set. */
function missingFrom(side: Json, other: Json): ReadonlySet<string> {
  const there = new Set(asStringArray(side));
  return new Set(asStringArray(other)?.filter((status) => !there.has(status)));
}
