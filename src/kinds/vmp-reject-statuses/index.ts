import schema from '../../../schemas/vmp-reject-statuses.schema.json' with { type: 'json' };
import type { FieldDifference, Verdict } from '../../model/change.ts';
import type { Json } from '../../model/json.ts';
import { asTexts } from '../../model/read.ts';
import { type Kind, loosens, tightens, verdict } from '../kind.ts';
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
  effects: ({ fields }) => fields.map(judge),
  phase: (_action, effect) => ({ tightens: 1, neutral: 2, loosens: 4 })[effect],
  writes,
  settle,
  read,
  express,
};

/** A status that is rejected no longer loosens, one that is rejected from now on tightens (drm-api-v3 section 2.6). */
function judge({ before, after }: FieldDifference): Verdict {
  const rejected = (statuses: string, how: string) => `devices with VMP status ${statuses} will get ${how}`;
  const gone = missingFrom(after, before).map((status) => loosens(rejected(status, 'licenses again')));
  const added = missingFrom(before, after).map((status) => tightens(rejected(status, 'no licenses any more')));
  return verdict(...gone, ...added);
}

/** What `other` holds and `side` does not; an absent side is an empty set. */
function missingFrom(side: Json, other: Json): readonly string[] {
  const there = new Set(asTexts(side));
  return (asTexts(other) ?? []).filter((status) => !there.has(status));
}
