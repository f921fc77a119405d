import schema from '../../../schemas/vmp-reject-statuses.schema.json' with { type: 'json' };
import type { FieldDifference, RiskAssessment } from '../../model/change.ts';
import type { Json } from '../../model/json.ts';
import { asStringArray } from '../../model/json-readers.ts';
import { assess, formatNames, loosens, PHASE_OF_EFFECT, type SettingKind, tightens } from '../kind.ts';
import { parseWriteResponse, read, requests } from './api.ts';
import { ADDRESS, canonical, configEdits, declare, SECTION, toConfig } from './declare.ts';

/** The set of VMP statuses for which the service refuses licenses. A setting of the account. */
export const vmpRejectStatuses: SettingKind = {
  type: 'setting',
  name: ADDRESS,
  applyOrder: 2,
  sections: [{ key: SECTION, declares: ADDRESS }],
  schema,
  codes: ['unknown-vmp-status'],
  unmanagedAddress: () => ADDRESS,
  declare,
  defaults: () => canonical([]),
  assessRisk: ({ fields }) => fields.map(assessStatuses),
  phase: (_action, effect) => PHASE_OF_EFFECT[effect],
  requests,
  parseWriteResponse,
  read,
  toConfig,
  configEdits,
  diagram: ({ fields }) => ({ type: 'account-setting', fields }),
};

/** Assesses the set: removing a status loosens, adding one tightens (drm-api-v3 section 2.6). */
function assessStatuses({ before, after }: FieldDifference): RiskAssessment {
  const [removed, added] = [missingFrom(after, before), missingFrom(before, after)];
  return assess(
    ...(removed.size === 0 ? [] : [loosens(`devices with VMP status ${formatNames(removed)} will get licenses again`)]),
    ...(added.size === 0 ? [] : [tightens(`devices with VMP status ${formatNames(added)} will get no licenses any more`)]),
  );
}

/** Returns the statuses of `other` that `statuses` does not contain; null is an empty set. */
function missingFrom(statuses: Json, other: Json): ReadonlySet<string> {
  const present = new Set(asStringArray(statuses));
  return new Set(asStringArray(other)?.filter((status) => !present.has(status)));
}
