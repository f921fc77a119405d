/** Faults: rules that make the service misbehave, as plain JSON. Rules choose requests; the first rule that fires decides. */
import type { Json } from '../model/json.ts';
import { isObject } from '../model/json.ts';
import type { DocumentEdits } from './edits.ts';
import { parseEdits } from './edits.ts';

/** One rule. Without `method`, `path`, `nth` and `times` it fires on every request; effects in one rule are combined. */
export interface FaultRule {
  readonly method?: string;
  /** Path without query, where `*` matches any characters, `/` too; a trailing slash means nothing. */
  readonly path?: string;
  /** Fires on these matching requests only, counted for this rule from 1. */
  readonly nth?: number | readonly number[];
  /** Fires at most so often. */
  readonly times?: number;

  /** Waits before anything else, in milliseconds. */
  readonly delayMs?: number;
  /** A change behind the client's back, before the request is handled; `owner` defaults to the request's. */
  readonly edit?: DocumentEdits;
  /** Destroys the connection before the request is handled, or after its write took place. */
  readonly reset?: 'before' | 'after';
  /** PATCH appends to `playlist` instead of replacing it. */
  readonly merge?: true;

  /** Answers with this status instead of the route (200 where only `headers` or `body` are given). */
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string };
  /** Body of that answer: a text as it is, anything else as JSON. */
  readonly body?: Json;
  /** Answers with an HTML page; status 200, or `status`. */
  readonly html?: true;
  /** Answers with a v3 `error` that is not 0. */
  readonly error?: { readonly code: number; readonly msg?: string };
  /** The request is handled, and its write takes place, before one of these five answers. */
  readonly afterWrite?: true;

  /** Keeps only so many elements of each list at the top level of the answer; true = half of them. */
  readonly truncateList?: true | number;
  /** With `truncateList`: `total_items` agrees with what is left. */
  readonly adjustTotal?: true;
  /** Sends the first half of the body's text, as if it were all. */
  readonly truncateBody?: true;
  /** Sends no body. */
  readonly empty?: true;

  /** The request is handled; its answer stops before the headers or in the middle of the body, and the connection stays open. */
  readonly stall?: 'headers' | 'body';
  /** Announces half of the body's bytes, or more than there are, in which case the connection ends after them. */
  readonly contentLength?: 'short' | 'long';
  /** The request is handled and answered with JSON of so many MiB (1,048,576 bytes), as fast as the client takes it. */
  readonly flood?: number;
  /** With this answer the connections end, and for so many milliseconds new ones are refused. */
  readonly refuseMs?: number;
}

/** What goes wrong on the way of an answer. */
export type Transit = Pick<FaultRule, 'stall' | 'contentLength' | 'flood'>;

/** An answer about to be sent. */
export interface OutgoingResponse {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  /** The body's text; undefined where there is none. */
  readonly text: string | undefined;
}

/** Gives the rule that fires for a request, and counts it. */
export type Faults = (method: string, path: string) => FaultRule | undefined;

/** Arms the rules: their counters start at zero. */
export function armFaults(rules: readonly FaultRule[]): Faults {
  const armed = rules.map((rule) => ({ rule, matches: matcher(rule), seen: 0, fired: 0 }));
  return (method, path) => {
    let chosen: FaultRule | undefined;
    for (const state of armed) {
      if (!state.matches(method, path)) continue;
      state.seen += 1;
      if (chosen !== undefined || !isDue(state.rule, state.seen, state.fired)) continue;
      state.fired += 1;
      chosen = state.rule;
    }
    return chosen;
  };
}

function isDue({ nth, times }: FaultRule, seen: number, fired: number): boolean {
  if (times !== undefined && fired >= times) return false;
  return nth === undefined || (typeof nth === 'number' ? nth === seen : nth.includes(seen));
}

function matcher(rule: FaultRule): (method: string, path: string) => boolean {
  const parts = (rule.path ?? '*').replace(/(?<=.)\/$/, '').split('*');
  const glob = new RegExp(`^${parts.map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&')).join('.*')}$`, 's');
  return (method, path) => (rule.method ?? method).toUpperCase() === method && glob.test(path.replace(/(?<=.)\/$/, ''));
}

/** The answer that a rule gives instead of the route's; undefined where it leaves the route its word. */
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

/** The route's answer as the rule mutilates it. */
export function corruptResponse(rule: FaultRule, status: number, body: Json | undefined): OutgoingResponse {
  const left = rule.truncateList === undefined || body === undefined ? body : shortened(body, rule.truncateList, rule.adjustTotal === true);
  const text = left === undefined || rule.empty ? undefined : JSON.stringify(left);
  const cut = rule.truncateBody && text !== undefined ? text.slice(0, Math.floor(text.length / 2)) : text;
  return { status, headers: cut === undefined ? {} : { 'content-type': 'application/json' }, text: cut };
}

function shortened(body: Json, keep: true | number, adjustTotal: boolean): Json {
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
const isText: Check = (value) => typeof value === 'string';
const isTrue: Check = (value) => value === true;
const isError: Check = (value) => isObject(value) && Number.isSafeInteger(value.code) && (value.msg === undefined || isText(value.msg));

/** What each member of a rule may be; typed so that no member can be forgotten. */
const checks: { readonly [member in keyof Required<FaultRule>]: Check } = {
  method: isText,
  path: isText,
  nth: (value) => isCount(value) || (Array.isArray(value) && value.every(isCount)),
  times: isCount,
  delayMs: isSize,
  edit: (value) => parseEdits(value) !== undefined,
  reset: (value) => value === 'before' || value === 'after',
  merge: isTrue,
  status: (value) => isCount(value) && Number(value) >= 200 && Number(value) <= 599,
  headers: (value) => isObject(value) && Object.values(value).every(isText),
  body: () => true,
  html: isTrue,
  error: isError,
  afterWrite: isTrue,
  truncateList: (value) => value === true || isSize(value),
  adjustTotal: isTrue,
  truncateBody: isTrue,
  empty: isTrue,
  stall: (value) => value === 'headers' || value === 'body',
  contentLength: (value) => value === 'short' || value === 'long',
  flood: isCount,
  refuseMs: isCount,
};

function isRule(value: unknown, where: string): value is FaultRule {
  if (!isObject(value)) throw new Error(`${where}: must be an object`);
  for (const [member, given] of Object.entries(value)) {
    const check = Object.entries(checks).find(([name]) => name === member)?.[1];
    if (check === undefined) throw new Error(`${where}: there is no member ${member}`);
    if (!check(given)) throw new Error(`${where}: ${member} has a value that is not allowed`);
  }
  return true;
}

/** Reads rules from outside: a list of FaultRules. @throws Error that names the rule and the member */
export function parseFaults(value: unknown): readonly FaultRule[] {
  if (!Array.isArray(value)) throw new Error('faults: must be a list of rules');
  return value.map((rule: unknown, index) => {
    const where = `faults[${index}]`;
    if (!isRule(rule, where)) throw new Error(`${where}: is not a rule`);
    return rule;
  });
}
