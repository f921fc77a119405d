/**
 * Assesses how a change of the static key's scope affects protection: more content under one long-lived key is weaker (drm-api-v3 section
 * 3).
 */
import type { RiskAssessment, RiskReason } from '../../model/change.ts';
import { assess, formatNames, NEUTRAL, type RiskInput, strengthens, weakens } from '../kind.ts';
import { canonical, type StaticKeyFields } from './declare.ts';

/** The slicers that use the static key; `all` stands for every slicer (design section 4, rule 6). */
type Users = ReadonlySet<string> | 'all';

/** Assesses scope and list together, since neither has a meaning alone; the assessment is attached to the first of them that differs. */
export function assessRisk({ before, after, fields }: RiskInput<StaticKeyFields>): readonly RiskAssessment[] {
  const combined = assess(...reasonsOf(usersOf(before), usersOf(after)));
  return fields.map((_field, index) => (index === 0 ? combined : NEUTRAL));
}

/** Returns the slicers that use the key: under `all` every one, under `none` none, whatever the list holds. Without a setting, none uses it. */
function usersOf(setting: { readonly fields: StaticKeyFields } | null): Users {
  const { scope, slicer_ids: slicers } = setting?.fields ?? canonical('none', []);
  return scope === 'all' ? 'all' : new Set(scope === 'specific' ? slicers : []);
}

function reasonsOf(before: Users, after: Users): readonly RiskReason[] {
  if (after === 'all') return before === 'all' ? [] : [weakens(`every live slicer will use the static key${insteadOf(before)}`)];
  if (before === 'all')
    return [strengthens(`${after.size === 0 ? 'no live slicer' : `only ${formatNames(after)}`} will use the static key`)];
  const added = [...after].filter((slicer) => !before.has(slicer));
  const removed = [...before].filter((slicer) => !after.has(slicer));
  return [
    ...(added.length > 0 ? [weakens(`${formatNames(added)} will use the static key`)] : []),
    ...(removed.length > 0 ? [strengthens(`${formatNames(removed)} will use the static key no longer`)] : []),
  ];
}

function insteadOf(before: ReadonlySet<string>): string {
  return before.size === 0 ? '' : `, not only ${formatNames(before)}`;
}
