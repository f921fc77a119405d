import schema from '../../../schemas/static-key.schema.json' with { type: 'json' };
import type { Verdict } from '../../model/change.ts';
import { asText, asTexts } from '../../model/read.ts';
import { type Comparison, type Kind, loosens, NEUTRAL, tightens, verdict } from '../kind.ts';
import { read, settle, writes } from './remote.ts';
import { ADDRESS, canonical, compared, declare, express, SECTION } from './spec.ts';

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
  codes: [],
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
};

const SCOPES = ['none', 'specific', 'all'];

/** A slicer more on the static key loosens (design section 4, rule 6). A change of scope says it all: the list beside it is neutral. */
function effects({ fields, desired, live }: Comparison): readonly Verdict[] {
  return fields.map((field) => {
    if (field.path === '/scope') return scopeEffect(asText(field.before) ?? 'none', asText(field.after) ?? 'none');
    if (desired?.fields.scope !== live?.fields.scope) return NEUTRAL;
    const before = new Set(asTexts(field.before));
    const added = (asTexts(field.after) ?? []).filter((slicer) => !before.has(slicer));
    return added.length > 0
      ? verdict(loosens(`${added.join(', ')} would use the static key`))
      : verdict(tightens('fewer slicers would use the static key'));
  });
}

function scopeEffect(before: string, after: string): Verdict {
  return SCOPES.indexOf(after) > SCOPES.indexOf(before)
    ? verdict(loosens(`the static key would be used by more slicers: ${after} instead of ${before}`))
    : verdict(tightens(`the static key would be used by fewer slicers: ${after} instead of ${before}`));
}
