/** Turns an exchange on the wire into one of a recording: without what proves who sent it, and under pseudonyms (design section 14). */
import { inflateSync } from 'node:zlib';
import { REQUEST_ID_HEADERS } from '../core/api-client/request-id.ts';
import { parseBody } from '../core/api-client/response.ts';
import { httpDate } from '../core/api-client/retry.ts';
import type { HttpRequest, HttpResponse } from '../core/api-client/transport.ts';
import { isObject, type Json } from '../core/model/json.ts';
import type { Pseudonyms } from './pseudonyms.ts';
import { RECORDED_OWNER, type RecordedRequest, type RecordedResponse } from './recording.ts';
import { isErrorWord, type Vocabulary } from './vocabulary.ts';

/** Writes requests and responses for a recording. */
export interface ExchangeWriter {
  request(wire: HttpRequest): RecordedRequest;
  /** `receivedAt` in Unix milliseconds. */
  response(response: HttpResponse, receivedAt: number): RecordedResponse;
}

/** Longest text of a body that is not JSON, characters. */
const MAX_RECORDED_TEXT = 4_000;
/** Whole numbers below this are kept in members that no document names, too: not a place such as 51.507351. */
const SMALL_NUMBER = 1_000;
const REMOVED = '(removed)';

/** Creates the writer of one recording. */
export function createExchangeWriter(pseudonyms: Pseudonyms, vocabulary: Vocabulary): ExchangeWriter {
  const owners = new Map<string, string>();

  /** Returns what stands for an owner: equal owners stay equal. */
  function ownerOf(owner: string): string {
    const known = owners.get(owner) ?? (owners.size === 0 ? RECORDED_OWNER : RECORDED_OWNER.replace(')', ` ${owners.size + 1})`));
    owners.set(owner, known);
    return known;
  }

  function errorText(text: string): string {
    return text.replace(/[\p{L}\p{M}\p{N}_-]+|[^\p{L}\p{M}\p{N}_-]+/gu, (part) => (isErrorWord(part) ? part : pseudonyms.text(part)));
  }

  function stringOf(text: string, name: string | null, isInError = false): string {
    if (name === 'owner') return ownerOf(text);
    if (name === '@id') return pathOf(text);
    if (isInError && name !== null && vocabulary.errorTexts.has(name)) return errorText(text);
    const member = name === null ? undefined : vocabulary.members.get(name);
    const isKept =
      member !== undefined &&
      (member.words.has(text) ||
        (member.isNumber && /^(-?\d{1,15}(\.\d{1,6})?|\d{4}-\d\d-\d\dT[\d:.]{5,12}(Z|[+-]\d\d:\d\d))$/.test(text)) ||
        (member.isBoolean && /^(true|false)$/i.test(text)));
    return isKept ? text : pseudonyms.text(text);
  }

  /** Returns data under pseudonyms. Null as name: of no member, or below a member that no document names, where nothing is documented. */
  function dataUnderPseudonyms(value: unknown, name: string | null, isUnknown = false, isInError = false): Json {
    if (Array.isArray(value)) return value.map((item) => dataUnderPseudonyms(item, name, isUnknown, isInError));
    if (isObject(value)) {
      const isError = isErrorAnswer(value);
      return Object.fromEntries(
        Object.entries(value).map(([member, inner]) => {
          const isNew = isUnknown || !vocabulary.members.has(member);
          return [memberName(member), dataUnderPseudonyms(inner, isNew ? null : member, isNew, isError)];
        }),
      );
    }
    if (typeof value === 'string') return stringOf(value, name, isInError);
    if (typeof value !== 'number') return value === true || value === false ? value : null;
    const isSmall = Number.isInteger(value) && Math.abs(value) < SMALL_NUMBER;
    const isKept = isSmall || vocabulary.members.get(name ?? '')?.isNumber === true;
    return isKept ? value : pseudonyms.number(value);
  }

  function memberName(name: string): string {
    return vocabulary.members.has(name) ? name : pseudonyms.text(name);
  }

  function segmentOf(segment: string): string {
    return vocabulary.pathSegments.has(segment) ? segment : encodeURIComponent(pseudonyms.text(decoded(segment)));
  }

  /** Returns a path, with its query if it has one. */
  function pathOf(text: string): string {
    const [path = '', ...rest] = text.split('?');
    const segments = path.split('/').map(segmentOf).join('/');
    if (rest.length === 0) return segments;
    return `${segments}?${new URLSearchParams(queryOf(new URLSearchParams(rest.join('?'))))}`;
  }

  /** Returns a query without signature. */
  function queryOf(query: URLSearchParams): { readonly [name: string]: string } {
    const shown = [...query].filter(([name]) => name !== 'msg' && name !== 'sig');
    return Object.fromEntries(
      shown.map(([name, value]) => [vocabulary.parameters.has(name) ? name : pseudonyms.text(name), stringOf(value, name)]),
    );
  }

  function headersOf({ header }: HttpResponse, receivedAt: number): { readonly [name: string]: string } {
    const found = Object.entries(HEADERS).flatMap(([name, write]) => {
      const value = header(name);
      return value === undefined ? [] : [[name, write(value, receivedAt, pseudonyms)] as const];
    });
    const requestIds = REQUEST_ID_HEADERS.filter((name) => header(name) !== undefined).map((name) => [name, REMOVED] as const);
    return Object.fromEntries([...found, ...requestIds]);
  }

  return {
    request({ method, path: whole, headers, body: sent }) {
      const [path = '', ...rest] = whole.split('?');
      const inUrl = new URLSearchParams(rest.join('?'));
      const isForm = headers['content-type'] === FORM;
      const form = new URLSearchParams(isForm ? sent : undefined);
      const data = dataOf(isForm ? form.get('msg') : inUrl.get('msg'), path, isForm ? undefined : sent);
      const query = queryOf(inUrl);
      return {
        method,
        path: pathOf(path),
        ...(Object.keys(query).length === 0 ? {} : { query }),
        signed: headers['x-auth-uplynk-jwt'] !== undefined ? 'token' : placeOf(headers, inUrl, form),
        ...(data === undefined ? {} : { sentAs: isForm ? 'form' : 'json', body: dataUnderPseudonyms(data, null) }),
      };
    },
    response(response, receivedAt) {
      const { status } = response;
      const serverTime = httpDate(response.header('date'));
      const headers = headersOf(response, receivedAt);
      const parsed = response.bytes.length === 0 && response.problem === undefined ? {} : parseBody(response);
      return {
        status,
        headers,
        ...(serverTime === undefined ? {} : { clockSeconds: Math.ceil((serverTime - receivedAt) / 1000) }),
        ...(response.problem === undefined ? {} : { unreadable: true }),
        ...('body' in parsed && parsed.body !== undefined ? { body: dataUnderPseudonyms(parsed.body, null) } : {}),
        ...('problem' in parsed && response.bytes.length > 0 ? { text: pseudonyms.text(beginningOf(response.bytes)) } : {}),
      };
    },
  };
}

/** Decides whether an object tells of an error: a `title` or `msg` of any other is a text of the account. */
function isErrorAnswer(value: { readonly [member: string]: unknown }): boolean {
  return value['@type'] === 'Error' || ['error', 'status_code', 'code'].some((name) => value[name] !== undefined);
}

const FORM = 'application/x-www-form-urlencoded';

function placeOf(headers: HttpRequest['headers'], query: URLSearchParams, form: URLSearchParams): RecordedRequest['signed'] {
  if (headers.authorization !== undefined) return 'header';
  if (form.has('sig')) return 'form';
  return query.has('sig') ? 'query' : 'nowhere';
}

/** Returns the data of a request: what its message holds beside owner and time, or its JSON body. */
function dataOf(msg: string | null, path: string, body: string | undefined): unknown {
  if (body !== undefined) return JSON.parse(body);
  if (msg === null) return undefined;
  const message: unknown = JSON.parse(inflateSync(Buffer.from(msg, 'base64')).toString('utf8'));
  if (!isObject(message)) return undefined;
  const { _owner, _timestamp, ...data } = message;
  if (!path.startsWith('/api2/')) return data.item;
  return Object.keys(data).length === 0 ? undefined : data;
}

/** The headers that are recorded, and how. */
const HEADERS: { readonly [name: string]: (value: string, receivedAt: number, pseudonyms: Pseudonyms) => string } = {
  'content-type': (value) => {
    const type = value.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    return MEDIA_TYPES.has(type) ? type : 'application/octet-stream';
  },
  'content-encoding': (value) => {
    const names = value.split(',').map((name) => name.trim().toLowerCase());
    return names.map((name) => (ENCODINGS.has(name) ? name : 'x-unknown')).join(', ');
  },
  'content-range': (value) => (/^bytes \d{1,15}-\d{1,15}\/(\d{1,15}|\*)$/.test(value) ? value : REMOVED),
  'retry-after'(value, receivedAt) {
    if (/^\d{1,6}$/.test(value)) return value;
    const time = httpDate(value);
    return time === undefined ? REMOVED : String(Math.max(0, Math.round((time - receivedAt) / 1000)));
  },
  etag(value, _receivedAt, pseudonyms) {
    const [, weak = '', tag = ''] = /^(W\/)?"(.*)"$/s.exec(value) ?? [];
    return `${weak}"${pseudonyms.text(tag)}"`;
  },
  location: () => REMOVED,
};

const MEDIA_TYPES = new Set(['application/json', 'application/problem+json', 'text/html', 'text/plain', 'text/xml', 'application/xml']);
const ENCODINGS = new Set(['gzip', 'x-gzip', 'br', 'deflate', 'zstd', 'compress', 'identity']);

function beginningOf(bytes: Uint8Array): string {
  // A character of UTF-8 has at most four bytes.
  return new TextDecoder().decode(bytes.subarray(0, MAX_RECORDED_TEXT * 4)).slice(0, MAX_RECORDED_TEXT);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
