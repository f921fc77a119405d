/** How the questions of a probe read answers, whatever they are about. */
import { memberOf } from '../api-client/api-version.ts';
import { isObject } from '../model/json.ts';
import { asInteger, asString, asStringArray } from '../model/json-readers.ts';
import type { Exchange, Exchanges, Found, Item } from './probe.ts';

/** Returns the answer that nothing was found out. */
export function notFound(detail: string): Found {
  return { found: null, detail };
}

/** The reason where an answer is missing, or no usable one. */
export const NO_ANSWER = notFound('no usable answer');

/** Returns the one answer on which all agree; those that are undefined do not count. */
export function agreed(answers: readonly (string | undefined)[], detail = 'no usable answer'): Found {
  const words = [...new Set(answers.filter((answer) => answer !== undefined))];
  const [word] = words;
  if (word === undefined) return notFound(detail);
  return words.length === 1 ? { found: word } : notFound('the answers contradict one another');
}

/** Decides whether an answer is a success in the form of its API version: a JSON object, or nothing after a delete. */
export function isSuccess({ status, body, version }: Exchange): boolean {
  if (status < 200 || status >= 300) return false;
  if (version === 'v4') return status === 204 || (isObject(body) && body['@type'] !== 'Error' && asInteger(body.error ?? 0) === 0);
  return asInteger(memberOf(body, 'error')) === 0;
}

/** Decides whether an answer is an error that a v3 body reports. */
function isBodyError({ status, body, version }: Exchange): boolean {
  return version !== 'v4' && status >= 200 && status < 300 && (asInteger(memberOf(body, 'error')) ?? 0) !== 0;
}

/** Returns an answer as its status, or as an error that its body reports: by this, two answers are the same refusal. */
export function outcomeOf(exchange: Exchange): string {
  if (isSuccess(exchange)) return 'success';
  if (isBodyError(exchange)) return 'error';
  return exchange.status < 300 ? `unreadable ${exchange.status}` : `HTTP ${exchange.status}`;
}

/** Returns a refusal in words: `error`, or `HTTP 404`; undefined for any other answer. */
export function refusalOf(exchange: Exchange): string | undefined {
  if (isBodyError(exchange)) return 'error';
  return exchange.status >= 400 ? `HTTP ${exchange.status}` : undefined;
}

/** Reads how the request for an ID that does not exist was answered; `expected` are the refusals that upkeep understands. */
export function unknownId(exchange: Exchange | undefined, expected: readonly string[]): Found {
  if (exchange === undefined) return NO_ANSWER;
  const refusal = refusalOf(exchange);
  if (refusal !== undefined && expected.includes(refusal)) return { found: refusal };
  return { found: 'another answer', detail: refusal ?? `HTTP ${exchange.status}` };
}

/** Returns how a setting is shown that was never set, where all readings agree. */
export function unset(exchanges: readonly (Exchange | undefined)[], member: string, missing: string): Found {
  const forms = exchanges.map((exchange) => {
    if (exchange === undefined || !isSuccess(exchange) || !isObject(exchange.body)) return undefined;
    const value = exchange.body[member];
    if (value === undefined) return missing;
    if (value === null) return 'null';
    const isEmpty = asStringArray(value)?.length === 0 || (isObject(value) && Object.keys(value).length === 0);
    return isEmpty ? 'empty' : 'set';
  });
  return forms.includes('set') ? notFound('it is set in this account') : agreed(forms);
}

/** Number of characters of a random name by which an object is recognized: a service may cut names. */
const MIN_NAME_LENGTH = 8;

/** Decides whether a name in an answer is the one of a scratch object, perhaps with something after it. */
export function isNamed(shown: unknown, name: string): boolean {
  return (asString(shown)?.trim() ?? '').startsWith(name.slice(0, MIN_NAME_LENGTH));
}

/** Returns the ID of an object of an answer. */
export function idOf(item: Item | undefined): string | undefined {
  const id = asString(item?.id ?? item?._id);
  return id === undefined || /^\.{0,2}$/.test(id) ? undefined : id;
}

/** Decides whether two lists of the same IDs have the same order. */
export function isSameOrder(first: readonly string[], second: readonly string[]): boolean {
  return first.every((id, index) => id === second[index]);
}

/** How improbable an equal order by chance must be, as a power of two, before the order counts as kept. */
export const MIN_ORDER_BITS = 20;

/** Returns how improbable it is that a list of this length has the same order twice by chance: the logarithm of its permutations. */
export function orderBits(length: number): number {
  return Array.from({ length }, (_, index) => Math.log2(index + 1)).reduce((sum, bits) => sum + bits, 0);
}

/** Length of a `desc` that may be too long, characters. */
const LONG = 1_000;

/** The name with which a playlist and a policy are renamed: a decomposed accent, characters of HTML, a space at the end. */
export const oddName = (name: string): string => `${name} Cafe\u0301 & <b> `;
/** A name with a control character. */
export const nameWithControl = (name: string): string => `${name}\u0007x`;
/** A name that may be too long. */
export const longName = (name: string): string => name + 'x'.repeat(LONG - name.length);

/** Decides whether an answer is a refusal. */
export function isRefused(exchange: Exchange | undefined): boolean {
  return exchange !== undefined && refusalOf(exchange) !== undefined;
}

/** Decides whether a request was answered with a success. */
export function succeeded(seen: Exchanges, name: string): boolean {
  const answer = seen.get(name);
  return answer !== undefined && isSuccess(answer);
}

/** Reads how a second delete was answered; `expected` are the refusals that upkeep understands. */
export function deletedAgain(answer: Exchange | undefined, expected: readonly string[]): Found {
  if (answer === undefined) return NO_ANSWER;
  if (isSuccess(answer)) return { found: 'a success', detail: `HTTP ${answer.status}` };
  const refusal = refusalOf(answer);
  if (refusal === undefined) return NO_ANSWER;
  return expected.includes(refusal) ? { found: refusal } : { found: 'another status', detail: refusal };
}
