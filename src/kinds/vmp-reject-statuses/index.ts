import schema from '../../../schemas/vmp-reject-statuses.schema.json' with { type: 'json' };
import type { FieldDifference, Verdict } from '../../model/change.ts';
import type { Json } from '../../model/json.ts';
import { asTexts } from '../../model/read.ts';
import { type Kind, loosens, named, tightens, verdict } from '../kind.ts';
import { read, settle, writes } from './remote.ts';
import { ADDRESS, canonical, declare, express, restate, SECTION } from './spec.ts';

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
  effects: ({ fields }) => fields.map(judge),
  phase: (_action, effect) => ({ tightens: 1, neutral: 2, loosens: 4 })[effect],
  writes,
  settle,
  read,
  express,
  restate,
};

/** A status that is rejected no longer loosens, one that is rejected from now on tightens (drm-api-v3 section 2.6). */
function judge({ before, after }: FieldDifference): Verdict {
  const [gone, added] = [missingFrom(after, before), missingFrom(before, after)];
  return verdict(
    ...(gone.size === 0 ? [] : [loosens(`devices with VMP status ${named(gone)} will get licenses again`)]),
    ...(added.size === 0 ? [] : [tightens(`devices with VMP status ${named(added)} will get no licenses any more`)]),
  );
}

/** What `other` holds and `side` does not; an absent side is an empty set. */
function missingFrom(side: Json, other: Json): ReadonlySet<string> {
  const there = new Set(asTexts(side));
  return new Set(asTexts(other)?.filter((status) => !there.has(status)));
}
