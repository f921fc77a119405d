/** What a change of the static key's scope does to protection: the more content under one long-lived key, the less (drm-api-v3 section 3). */
import type { RiskAssessment, RiskReason } from '../../model/change.ts';
import { asStringArray } from '../../model/json-readers.ts';
import { assess, type Comparison, formatNames, type LiveResource, loosens, NEUTRAL, tightens } from '../kind.ts';

/** The slicers that use the static key; `all` stands for every slicer (design section 4, rule 6). */
type Users = ReadonlySet<string> | 'all';

/** Scope and list say one thing together, so the verdict stands at the first of them that differs. */
export function assessRisk({ fields, desired, live }: Comparison): readonly RiskAssessment[] {
  const together = assess(...reasonsOf(usersOf(live), usersOf(desired)));
  return fields.map((_field, index) => (index === 0 ? together : NEUTRAL));
}

/** Under `all` and `none` the list has no say; a side that is absent uses nothing. */
function usersOf(side: Pick<LiveResource, 'fields'> | null): Users {
  const { scope, slicer_ids: slicers } = side?.fields ?? {};
  return scope === 'all' ? 'all' : new Set(scope === 'specific' ? asStringArray(slicers) : []);
}

function reasonsOf(before: Users, after: Users): readonly RiskReason[] {
  if (after === 'all') return before === 'all' ? [] : [loosens(`every live slicer will use the static key${insteadOf(before)}`)];
  if (before === 'all') return [tightens(`${after.size === 0 ? 'no live slicer' : `only ${formatNames(after)}`} will use the static key`)];
  const added = [...after].filter((slicer) => !before.has(slicer));
  const removed = [...before].filter((slicer) => !after.has(slicer));
  return [
    ...(added.length > 0 ? [loosens(`${formatNames(added)} will use the static key`)] : []),
    ...(removed.length > 0 ? [tightens(`${formatNames(removed)} will use the static key no longer`)] : []),
  ];
}

function insteadOf(before: ReadonlySet<string>): string {
  return before.size === 0 ? '' : `, not only ${formatNames(before)}`;
}
