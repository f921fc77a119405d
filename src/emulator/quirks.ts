/** The double's answers to the documents' open questions, and the two that concern every answer alike. */

import type { Json } from '../model/json.ts';
import { isObject } from '../model/json.ts';
import type { ServiceQuirks } from './contract.ts';

/** The natural reading of the documents. */
export const defaultQuirks: ServiceQuirks = {
  createdStatus: 201,
  emptyLists: 'present',
  smartStartElements: 'ids',
  numericStrings: false,
  unknownMembers: false,
  abridgedPolicies: false,
  unsetSchedule: 'null',
  unsetSlicers: 'null',
  lookUps: 'list',
  listOrder: 'insertion',
  patchMerges: false,
};

/** A route's answer with numbers as texts, and with a member that no document names in every object, as the manners ask. */
export function applyQuirks(body: Json, quirks: ServiceQuirks): Json {
  return quirks.numericStrings || quirks.unknownMembers ? withQuirks(body, quirks) : body;
}

function withQuirks(value: Json, quirks: ServiceQuirks): Json {
  if (typeof value === 'number' && quirks.numericStrings) return String(value);
  if (Array.isArray(value)) return value.map((item: Json) => withQuirks(item, quirks));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withQuirks(member, quirks)] as const);
  return { ...Object.fromEntries(members), ...(quirks.unknownMembers ? { later_addition: { since: 'tomorrow' } } : {}) };
}
