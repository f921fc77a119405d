/** The double's answers to the documents' open questions, and the two that concern every answer alike. */
import type { Manners } from '../kinds/emulation.ts';
import type { Json } from '../model/json.ts';
import { isObject } from '../model/json.ts';

/** The natural reading of the documents. */
export const defaultManners: Manners = {
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
export function mannered(body: Json, manners: Manners): Json {
  return manners.numericStrings || manners.unknownMembers ? dressed(body, manners) : body;
}

function dressed(value: Json, manners: Manners): Json {
  if (typeof value === 'number' && manners.numericStrings) return String(value);
  if (Array.isArray(value)) return value.map((item: Json) => dressed(item, manners));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, dressed(member, manners)] as const);
  return { ...Object.fromEntries(members), ...(manners.unknownMembers ? { later_addition: { since: 'tomorrow' } } : {}) };
}
