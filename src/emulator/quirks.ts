/** Quirks: how the emulated service behaves where the API documents leave a question open. */
import type { Json } from '../core/model/json.ts';
import { isObject } from '../core/model/json.ts';

/** One member for each open question; defaults in brackets. */
export interface ServiceQuirks {
  /** Status of a v4 create [201]. */
  readonly createdStatus: 200 | 201;
  /** Whether empty `ss_*` lists are present [present]. */
  readonly emptyLists: 'present' | 'missing';
  /** Elements of the `ss_*` lists [ids]. */
  readonly smartStartElements: 'ids' | 'objects';
  /** Whether integers are sent as numeric strings [false]. */
  readonly numericStrings: boolean;
  /** Form of the switches of playlists, which are documented as 0 and 1 [numbers]. */
  readonly switches: 'numbers' | 'booleans';
  /** Whether asset IDs of 32 hexadecimal digits are stored in lower case [kept]. */
  readonly assetIdCase: 'kept' | 'folded';
  /** Whether every object of a response has a member that is not documented [false]. */
  readonly unknownMembers: boolean;
  /** Whether policies are sent without the dictionaries and settings that have their defaults [false]. */
  readonly abridgedPolicies: boolean;
  /** Response for a rotation schedule that was never set [null]. */
  readonly unsetSchedule: 'null' | 'absent' | 'empty';
  /** Form of a v2 response about several IDs: a list, or an object by ID with null for an ID that does not exist [list]. */
  readonly lookUps: 'list' | 'object';
  /** Response for slicers that were never set [null]. */
  readonly unsetSlicers: 'null' | 'empty';
  /** Order of lists that are sets or collections [insertion]. */
  readonly listOrder: 'insertion' | 'reversed' | 'shuffled';
  /** Whether PATCH of `playlist` appends to the list instead of replacing it [false]. */
  readonly patchMerges: boolean;
  /** Whether an update of the rotation schedule resets what it does not send [false]. */
  readonly scheduleResets: boolean;
  /** Whether the answer to an update of the rotation schedule shows it [true]. */
  readonly scheduleAnswered: boolean;
  /** Form in which names (`desc`, `policy_name`) are stored: `cut` to 8 characters, `escaped` as in HTML [asSent]. */
  readonly storedNames: 'asSent' | 'trimmed' | 'nfc' | 'cut' | 'escaped';
  /** Form of the names in the response to a write [stored]. */
  readonly answeredNames: 'stored' | 'asSent';
  /** ID that the response to a create names: that of the new object, or of one that the account had before [new]. */
  readonly answeredIds: 'new' | 'existing';
  /** Whether responses are compressed: never, where the request accepts gzip or brotli, or always with gzip [never]. */
  readonly compression: 'never' | 'accepted' | 'always';
  /** How long after a write reads show it, milliseconds [0]. */
  readonly readDelayMs: number;
  /** How a POST of v3 or v2 with a scoped key must carry its data [any]. */
  readonly scopedKeyPost: 'any' | 'json' | 'form';
}

/** The most natural reading of the API documents. */
export const defaultQuirks: ServiceQuirks = {
  createdStatus: 201,
  emptyLists: 'present',
  smartStartElements: 'ids',
  numericStrings: false,
  switches: 'numbers',
  assetIdCase: 'kept',
  unknownMembers: false,
  abridgedPolicies: false,
  unsetSchedule: 'null',
  unsetSlicers: 'null',
  lookUps: 'list',
  listOrder: 'insertion',
  patchMerges: false,
  scheduleResets: false,
  scheduleAnswered: true,
  storedNames: 'asSent',
  answeredNames: 'stored',
  answeredIds: 'new',
  compression: 'never',
  readDelayMs: 0,
  scopedKeyPost: 'any',
};

const HTML_ESCAPES: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const STORED_FORMS: { readonly [form in ServiceQuirks['storedNames']]: (name: string) => string } = {
  asSent: (name) => name,
  trimmed: (name) => name.trim(),
  nfc: (name) => name.normalize('NFC'),
  cut: (name) => Array.from(name).slice(0, 8).join(''),
  escaped: (name) => name.replace(/[&<>"']/g, (character) => HTML_ESCAPES[character] ?? character),
};

/** Returns a name in the form in which it is stored: neither API document says that a text is stored as it was sent. */
export function storedName(name: string, { storedNames }: Pick<ServiceQuirks, 'storedNames'>): string {
  return STORED_FORMS[storedNames](name);
}

/** Returns an asset ID in the form in which it is stored: no API document says whether its case counts. */
export function storedAssetId(id: string, { assetIdCase }: Pick<ServiceQuirks, 'assetIdCase'>): string {
  return assetIdCase === 'folded' && /^[0-9a-f]{32}$/i.test(id) ? id.toLowerCase() : id;
}

/** Returns the body of a response with the quirks that concern all responses: `numericStrings` and `unknownMembers`. */
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

/** The quirks and the time (Unix milliseconds) of a request. */
interface RequestQuirks {
  readonly quirks: ServiceQuirks;
  readonly now: number;
}

/** Returns a list whose order has no meaning in the order of `quirks.listOrder`. A shuffle depends only on the time and the length. */
export function applyListOrder<T>(items: readonly T[], { quirks, now }: RequestQuirks): T[] {
  if (quirks.listOrder === 'insertion') return [...items];
  if (quirks.listOrder === 'reversed') return items.toReversed();
  const keyed = items.map((item, index) => ({ item, key: scrambled(Math.imul(index + 1, 0x9e3779b1) ^ scrambled(now % 99991)) }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}

/** Scrambles the bits of a number, so that neighbors are far apart. */
function scrambled(number: number): number {
  const mixed = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  const more = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (more ^ (more >>> 16)) >>> 0;
}
