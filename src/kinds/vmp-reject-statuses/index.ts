import schema from '../../../schemas/vmp-reject-statuses.schema.json' with { type: 'json' };
import type { Json } from '../../model/json.ts';
import { asTexts } from '../../model/read.ts';
import type { Difference, Kind } from '../kind.ts';
import { read, settle, writes } from './remote.ts';
import { ADDRESS, canonical, declare, express, SECTION } from './spec.ts';

/** The set of VMP statuses for which licenses are refused: one for the account, always there. */
export const vmpRejectStatuses: Kind = {
  name: ADDRESS,
  place: 2,
  addresses: [ADDRESS],
  singleton: true,
  uniqueLabels: false,
  partialUpdates: false,
  sections: [{ key: SECTION, manages: true }],
  schema,
  codes: ['unknown-vmp-status'],
  probes: 0,
  undeclared: () => ADDRESS,
  declare,
  defaults: () => canonical([]),
  effect,
  phase: (_action, effect) => ({ tightens: 1, neutral: 2, loosens: 4 })[effect],
  writes,
  settle,
  read,
  express,
};

/** A status that is rejected no longer loosens, whatever else is added. */
function effect({ field }: Difference): ReturnType<Kind['effect']> {
  const gone = missingFrom(field.after, field.before);
  if (gone.length > 0) return { effect: 'loosens', reason: `devices with VMP status ${gone.join(', ')} get licenses again` };
  const added = missingFrom(field.before, field.after);
  if (added.length > 0) return { effect: 'tightens', reason: `devices with VMP status ${added.join(', ')} get licenses no longer` };
  return { effect: 'neutral' };
}

function missingFrom(side: Json, other: Json): readonly string[] {
  const there = new Set(asTexts(side));
  return (asTexts(other) ?? []).filter((status) => !there.has(status));
}
