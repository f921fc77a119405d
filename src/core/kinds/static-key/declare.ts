/** The canonical form of the static key's scope; declares, compares and exports it (drm-api-v3 section 3, scope procedure). */

import { keepOrder } from '../../model/collections.ts';
import { isObject, type JsonObject } from '../../model/json.ts';
import { asStringArray } from '../../model/json-readers.ts';
import {
  type ConfigEdit,
  type ConfigResult,
  type DeclareResult,
  type DesiredResource,
  desiredSetting,
  type LiveSetting,
  type Sections,
  type UnlocatedFinding,
} from '../kind.ts';

/** The top-level key of the source files. */
export const SECTION = 'static_key';

/** The only address of this kind. */
export const ADDRESS = 'static-key';

/** Which slicers use the static key. */
type Scope = 'all' | 'none' | 'specific';

/** The canonical fields. */
export type StaticKeyFields = { readonly scope: Scope; readonly slicer_ids: readonly string[] };

/** Builds the canonical fields: the slicers are a set, in sorted order. */
export function canonical(scope: Scope, slicers: readonly string[]): StaticKeyFields {
  return { scope, slicer_ids: setOf(slicers) };
}

/** Sorts the slicers and removes duplicates. */
export function setOf(slicers: readonly string[]): readonly string[] {
  return [...new Set(slicers)].sort();
}

/** Returns the desired scope, and errors where scope and slicer list contradict each other. */
export function declare(sections: Sections): DeclareResult<StaticKeyFields> {
  const declared = sections[SECTION];
  if (!isObject(declared)) return { resources: [], findings: [] };
  const scope = scopeOf(declared.scope);
  const slicers = asStringArray(declared.slicer_ids);
  const fields = canonical(scope, slicers ?? []);
  const resource = { ...desiredSetting(ADDRESS, SECTION, fields), kindData: { slicers_as_written: slicers ?? [] } };
  return { resources: [resource], findings: check(scope, slicers) };
}

/** Compares scope and list, or only the scope where `all` is desired, which ignores the list. */
export function toComparable(
  desired: DesiredResource<StaticKeyFields>,
  live: LiveSetting<StaticKeyFields>,
): { readonly before: JsonObject; readonly after: JsonObject } {
  if (desired.fields.scope !== 'all') return { before: live.fields, after: desired.fields };
  return { before: { scope: live.fields.scope }, after: { scope: 'all' } };
}

/** Converts the live scope to a declaration, with the slicer list only under `specific`: validation refuses one elsewhere. */
export function toConfig(objects: readonly LiveSetting<StaticKeyFields>[]): ConfigResult {
  const entries = objects.map((live) => {
    const { scope, slicer_ids } = live.fields;
    return { section: SECTION, key: null, value: scope === 'specific' ? { scope, slicer_ids } : { scope }, adopt: {}, objects: [live] };
  });
  return { entries, notDeclarable: [] };
}

/** Returns the edits that declare the live scope; slicers keep their written order, and are removed unless the scope is `specific`. */
export function configEdits(
  { fields }: DesiredResource<StaticKeyFields>,
  live: LiveSetting<StaticKeyFields>,
  sections: Sections,
): readonly ConfigEdit[] {
  const { scope, slicer_ids } = live.fields;
  const written = isObject(sections[SECTION]) ? asStringArray(sections[SECTION].slicer_ids) : undefined;
  const slicers = scope === 'specific' ? keepOrder(written ?? [], slicer_ids) : undefined;
  return [
    ...(fields.scope === scope ? [] : [{ path: [SECTION, 'scope'], value: scope }]),
    { path: [SECTION, 'slicer_ids'], value: slicers },
  ];
}

/** Narrows a scope that the schema accepts. */
function scopeOf(value: unknown): Scope {
  return value === 'all' || value === 'specific' ? value : 'none';
}

function check(scope: string, slicers: readonly string[] | undefined): readonly UnlocatedFinding[] {
  const error = { severity: 'error', address: ADDRESS } as const;
  if (scope === 'specific' && slicers === undefined) {
    const hint = 'list the slicers under slicer_ids, or write scope: none';
    return [{ ...error, code: 'slicers-missing', path: [SECTION], summary: 'scope specific needs slicer_ids', hint }];
  }
  if (scope !== 'specific' && slicers !== undefined) {
    const hint = 'leave slicer_ids out, or write scope: specific';
    return [{ ...error, code: 'slicers-without-use', path: [SECTION, 'slicer_ids'], summary: `scope ${scope} takes no slicer_ids`, hint }];
  }
  return [];
}
