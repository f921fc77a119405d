/** The canonical form of the VMP rejection set; declares and exports it (drm-api-v3 section 2.6; api-notes section 4). */
import schema from '../../../../schemas/vmp-reject-statuses.schema.json' with { type: 'json' };
import { keepOrder } from '../../model/collections.ts';
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

/** The top-level key of the source files, and the member of the service's requests and responses. */
export const SECTION = 'vmp_reject_statuses';

/** The only address of this kind. */
export const ADDRESS = 'vmp-reject-statuses';

/** The canonical fields: each status once, sorted. */
export type StatusFields = { readonly [SECTION]: readonly string[] };

/** Builds the canonical fields: statuses sorted, without duplicates, so that their order makes no difference. */
export function canonical(statuses: readonly string[]): StatusFields {
  return { [SECTION]: [...new Set(statuses)].sort() };
}

/** The statuses that the API documents name. */
export const KNOWN: readonly string[] = schema.properties.vmp_reject_statuses.items.examples;

/** Returns the desired set, and warnings about statuses that no API document names. */
export function declare(sections: Sections): DeclareResult<StatusFields> {
  const statuses = asStringArray(sections[SECTION]);
  if (!statuses) return { resources: [], findings: [] };
  const fields = canonical(statuses);
  // A repeated status is one mistake, and is reported at its first place.
  const first = new Map(statuses.map((status, index): [string, number] => [status, index]).reverse());
  return {
    resources: [desiredSetting(ADDRESS, SECTION, fields)],
    findings: statuses.flatMap((status, index) => (first.get(status) === index ? checkStatus(status, index) : [])),
  };
}

/** Converts the live set to a declaration. */
export function toConfig(objects: readonly LiveSetting<StatusFields>[]): ConfigResult {
  const entries = objects.map((live) => ({ section: SECTION, key: null, value: live.fields[SECTION], adopt: {}, objects: [live] }));
  return { entries, notDeclarable: [] };
}

/** Returns the edit that declares the live set: statuses keep their written order, new ones come last. */
export function configEdits(
  _desired: DesiredResource<StatusFields>,
  live: LiveSetting<StatusFields>,
  sections: Sections,
): readonly ConfigEdit[] {
  return [{ path: [SECTION], value: keepOrder(asStringArray(sections[SECTION]) ?? [], live.fields[SECTION]) }];
}

function checkStatus(status: string, index: number): readonly UnlocatedFinding[] {
  if (KNOWN.includes(status)) return [];
  const summary = `${JSON.stringify(status)} is not a VMP status that the API documents name`;
  const hint = `known are ${KNOWN.join(', ')}; case counts`;
  return [{ severity: 'warning', code: 'unknown-vmp-status', path: [SECTION, index], summary, hint, address: ADDRESS }];
}
