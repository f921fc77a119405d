/** Fault rules, as plain JSON, by which the service misbehaves. Rules select requests; the first rule that fires decides. */
import type { Json } from '../core/model/json.ts';
import { isObject } from '../core/model/json.ts';
import { COMPRESSIONS, type Compression } from './compress.ts';
import { type AccountEdit, parseEdit } from './edits.ts';
import type { ServiceQuirks } from './quirks.ts';

/** One rule. Without `method`, `path`, `nth` and `times` it fires on every request; effects in one rule are combined. */
export interface FaultRule {
  readonly method?: string;
  /** Path without query, in which `*` matches any characters, including `/`; a trailing slash is ignored. */
  readonly path?: string;
  /** Fires only on these of the matching requests, counted from 1 for each rule. */
  readonly nth?: number | readonly number[];
  /** Maximum number of times that the rule fires. */
  readonly times?: number;

  /** Delay before the request is handled, in milliseconds. */
  readonly delayMs?: number;
  /** An edit behind the client's back, before the request is handled; `owner` defaults to the account of the request. */
  readonly edit?: AccountEdit;
  /** Destroys the connection before the request is handled, or after its write took effect. */
  readonly reset?: 'before' | 'after';
  /** PATCH appends to `playlist` instead of replacing it. */
  readonly merge?: true;
  /** Names are stored in another form, as with the quirk `storedNames`. */
  readonly storedNames?: ServiceQuirks['storedNames'];
  /** The response to a create names the ID of an object that the account had before. */
  readonly existingId?: true;
  /** Every object of the response has a member that is not documented, as with the quirk `unknownMembers`. */
  readonly unknownMembers?: true;

  /** Responds with this status instead of the route (200 if only `headers` or `body` are given). */
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string };
  /** Body of that response: a string unchanged, anything else as JSON. */
  readonly body?: Json;
  /** Responds with an HTML page; status 200, or `status`. */
  readonly html?: true;
  /** Responds with a v3 `error` that is not 0. */
  readonly error?: { readonly code: number; readonly msg?: string };
  /** Handles the request, so that its write takes effect, before one of the five responses above is sent. */
  readonly afterWrite?: true;

  /** Replaces the values of the members with these names, wherever they are in the response. */
  readonly replaceMembers?: { readonly [name: string]: Json };
  /** Keeps only this number of elements of each list at the top level of the response; true = half of them. */
  readonly truncateList?: true | number;
  /** With `truncateList`: adjusts `total_items` to the elements that are left. */
  readonly adjustTotal?: true;
  /** Sends the first half of the body as if it were the whole body. */
  readonly truncateBody?: true;
  /** Sends no body. */
  readonly empty?: true;

  /** Handles the request, but stops sending before the headers or in the middle of the body; the connection stays open. */
  readonly stall?: 'headers' | 'body';
  /** Announces half of the bytes of the body, or more bytes than there are and closes the connection after them. */
  readonly contentLength?: 'short' | 'long';
  /** Handles the request and responds with this number of MiB (1,048,576 bytes) of JSON, as fast as the client reads it. */
  readonly flood?: number;
  /** Sends `100 Continue` before the response, although no request expects it. */
  readonly continueFirst?: true;
  /** Sends the response as a part: status 206, with a `Content-Range`. */
  readonly partial?: true;
  /** Compresses the response, whatever the request accepts, correctly or as the member says. */
  readonly compress?: Compression;
  /** Handles the request and responds with gzip that decompresses to this number of MiB (1,048,576 bytes) of JSON. */
  readonly bomb?: number;
  /** Closes the connection after the response, and refuses new connections for this number of milliseconds. */
  readonly refuseMs?: number;
}

/** The faults that occur while a response is sent. */
export type SendFault = Pick<FaultRule, 'stall' | 'contentLength' | 'flood' | 'continueFirst' | 'compress' | 'bomb'>;

/** A response that is ready to be sent. */
export interface OutgoingResponse {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  /** The text of the body; undefined if there is none. */
  readonly text: string | undefined;
}

/** Returns the rule that fires for a request, undefined if none does, and counts the request. */
export type FaultSelector = (method: string, path: string) => FaultRule | undefined;

/** Returns the selector of these rules, with their counters at zero. */
export function createFaultSelector(rules: readonly FaultRule[]): FaultSelector {
  const states = rules.map((rule) => ({ rule, matches: matcher(rule), matched: 0, fired: 0 }));
  return (method, path) => {
    let selected: FaultRule | undefined;
    for (const state of states) {
      if (!state.matches(method, path)) continue;
      state.matched += 1;
      if (selected !== undefined || !isDue(state.rule, state.matched, state.fired)) continue;
      state.fired += 1;
      selected = state.rule;
    }
    return selected;
  };
}

function isDue({ nth, times }: FaultRule, matched: number, fired: number): boolean {
  if (times !== undefined && fired >= times) return false;
  return nth === undefined || (typeof nth === 'number' ? nth === matched : nth.includes(matched));
}

function matcher(rule: FaultRule): (method: string, path: string) => boolean {
  const parts = (rule.path ?? '*').replace(/(?<=.)\/$/, '').split('*');
  const glob = new RegExp(`^${parts.map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&')).join('.*')}$`, 's');
  return (method, path) => (rule.method ?? method).toUpperCase() === method && glob.test(path.replace(/(?<=.)\/$/, ''));
}

/** Returns the response that a rule sends instead of the route's response; undefined if it does not replace it. */
export function cannedResponse(rule: FaultRule): OutgoingResponse | undefined {
  const { status = 200, headers = {}, body, html, error } = rule;
  const json = { 'content-type': 'application/json', ...headers };
  if (html)
    return { status, headers: { 'content-type': 'text/html', ...headers }, text: '<!doctype html><title>Sign in</title><p>Sign in</p>' };
  if (error !== undefined)
    return { status, headers: json, text: JSON.stringify({ error: error.code, ...(error.msg === undefined ? {} : { msg: error.msg }) }) };
  if (rule.status === undefined && rule.headers === undefined && body === undefined) return undefined;
  return { status, headers: json, text: body === undefined || typeof body === 'string' ? body : JSON.stringify(body) };
}

/** Returns the route's response, with its body changed, shortened or dropped as the rule defines. */
export function corruptResponse(rule: FaultRule, status: number, body: Json | undefined): OutgoingResponse {
  const replaced = rule.replaceMembers === undefined || body === undefined ? body : withMembers(body, rule.replaceMembers);
  const shortened =
    rule.truncateList === undefined || replaced === undefined
      ? replaced
      : truncateLists(replaced, rule.truncateList, rule.adjustTotal === true);
  const text = shortened === undefined || rule.empty ? undefined : JSON.stringify(shortened);
  const sent = rule.truncateBody && text !== undefined ? text.slice(0, Math.floor(text.length / 2)) : text;
  return { status, headers: sent === undefined ? {} : { 'content-type': 'application/json' }, text: sent };
}

function withMembers(value: Json, members: { readonly [name: string]: Json }): Json {
  if (Array.isArray(value)) return value.map((each: Json) => withMembers(each, members));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, each]) => [
    name,
    Object.hasOwn(members, name) ? members[name] : withMembers(each, members),
  ]);
  return Object.fromEntries(entries);
}

function truncateLists(body: Json, keep: true | number, adjustTotal: boolean): Json {
  if (!isObject(body)) return body;
  const lists = Object.entries(body).map(([name, value]): readonly [string, Json] => {
    if (!Array.isArray(value)) return [name, value];
    return [name, value.slice(0, keep === true ? Math.floor(value.length / 2) : keep)];
  });
  const short: { readonly [member: string]: Json } = Object.fromEntries(lists);
  return adjustTotal && Array.isArray(short.items) ? { ...short, total_items: short.items.length } : short;
}

type Check = (value: unknown) => boolean;

const isCount: Check = (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
const isSize: Check = (value) => value === 0 || isCount(value);
const isString: Check = (value) => typeof value === 'string';
const isTrue: Check = (value) => value === true;
const isError: Check = (value) => isObject(value) && Number.isSafeInteger(value.code) && (value.msg === undefined || isString(value.msg));

/** The check of each member of a rule; the type requires a check for every member. */
const checks: { readonly [member in keyof Required<FaultRule>]: Check } = {
  method: isString,
  path: isString,
  nth: (value) => isCount(value) || (Array.isArray(value) && value.every(isCount)),
  times: isCount,
  delayMs: isSize,
  edit: (value) => parseEdit(value) !== undefined,
  reset: (value) => value === 'before' || value === 'after',
  merge: isTrue,
  storedNames: (value) => ['asSent', 'trimmed', 'nfc', 'cut', 'escaped'].some((form) => form === value),
  existingId: isTrue,
  unknownMembers: isTrue,
  status: (value) => isCount(value) && Number(value) >= 200 && Number(value) <= 599,
  headers: (value) => isObject(value) && Object.values(value).every(isString),
  body: () => true,
  html: isTrue,
  error: isError,
  afterWrite: isTrue,
  replaceMembers: (value) => isObject(value),
  truncateList: (value) => value === true || isSize(value),
  adjustTotal: isTrue,
  truncateBody: isTrue,
  empty: isTrue,
  stall: (value) => value === 'headers' || value === 'body',
  contentLength: (value) => value === 'short' || value === 'long',
  flood: isCount,
  continueFirst: isTrue,
  partial: isTrue,
  compress: (value) => COMPRESSIONS.some((name) => name === value),
  bomb: isCount,
  refuseMs: isCount,
};

function isRule(value: unknown, location: string): value is FaultRule {
  if (!isObject(value)) throw new Error(`${location}: must be an object`);
  for (const [member, memberValue] of Object.entries(value)) {
    const check = Object.entries(checks).find(([name]) => name === member)?.[1];
    if (check === undefined) throw new Error(`${location}: there is no member ${member}`);
    if (!check(memberValue)) throw new Error(`${location}: ${member} has a value that is not allowed`);
  }
  return true;
}

/** Reads a list of fault rules from parsed JSON. @throws Error that names the invalid rule and member */
export function parseFaults(value: unknown): readonly FaultRule[] {
  if (!Array.isArray(value)) throw new Error('faults: must be a list of rules');
  return value.map((rule: unknown, index) => {
    const location = `faults[${index}]`;
    if (!isRule(rule, location)) throw new Error(`${location}: is not a rule`);
    return rule;
  });
}
