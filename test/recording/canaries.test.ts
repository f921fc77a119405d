/** No recording holds anything of an account: whatever is put anywhere into requests and responses, nothing of it is in the file. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/core/model/json.ts';
import { createSearcher } from '../support/canary.ts';
import { recordCheck, rounds } from '../support/figures.ts';
import { atMost } from '../support/patience.ts';
import { assertProperty } from '../support/property.ts';
import { recorderOf, responseOf, type SentRequest, textOf, VOCABULARY, wireOf } from './support.ts';

/** The forms in which a canary is put somewhere. */
const FORMS: { readonly [form: string]: (canary: string) => string } = {
  plain: (canary) => canary,
  name: (canary) => `${canary.slice(0, 12)} ${canary.slice(12)}, part 2`,
  host: (canary) => `https://${canary}.example.com:8443/${canary}?key=${canary}`,
  address: (canary) => `${canary}@example.com`,
  JWT: (canary) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${part({ alg: 'ES256', kid: canary })}.${part({ sub: canary })}.${Buffer.from(canary.repeat(2)).toString('base64url')}`;
  },
  base64: (canary) => Buffer.from(canary).toString('base64'),
  hexadecimal: (canary) => Buffer.from(canary).toString('hex'),
  'percent-encoded': (canary) => [...canary].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''),
  markup: (canary) => `<a href="//${canary}">${canary}</a>`,
  JSON: (canary) => JSON.stringify({ owner: canary, [canary]: true }),
  path: (canary) => `/api/v4/linear-playlist/${canary}?desc=${canary}&${canary}=1`,
};

const MEMBERS = [...VOCABULARY.members.keys()];
/** Members of every kind of value, the ones that are treated apart more often. */
const anyMember = fc.oneof(
  fc.constantFrom(
    '@id',
    '@type',
    'owner',
    'code',
    'state',
    'title',
    'msg',
    'created',
    'active',
    'can_play',
    'desc',
    'id',
    'beam',
    '__proto__',
  ),
  fc.constantFrom(...MEMBERS),
);
const HEADERS = [
  ...[
    'content-type',
    'content-encoding',
    'content-range',
    'retry-after',
    'etag',
    'location',
    'date',
    'x-request-id',
    'x-services',
    'cf-ray',
  ],
  ...['set-cookie', 'server', 'www-authenticate', 'x-owner', 'link'],
];

/** A secret of the account: letters and digits, so that no word of a document has it by chance. */
const anyCanary = fc.string({
  minLength: 24,
  maxLength: 24,
  unit: fc.constantFrom(...'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'),
});
/** Where a canary is put. */
const anyPlace = fc.record({
  canary: anyCanary,
  form: fc.constantFrom(...Object.keys(FORMS)),
  where: fc.constantFrom(
    ...[
      'path',
      'query',
      'query name',
      'request',
      'request name',
      'response',
      'response name',
      'nested',
      'list',
      'text',
      'cut off',
      'header',
      'number',
    ],
  ),
  member: anyMember,
  header: fc.constantFrom(...HEADERS),
  status: fc.constantFrom(200, 201, 204, 302, 400, 401, 404, 429, 500),
});
type Place = typeof anyPlace extends fc.Arbitrary<infer T> ? T : never;

/** Returns the exchange that holds one canary. */
function exchangeWith({ canary, form, where, member, header, status }: Place, credentials: Pick<SentRequest, 'owner' | 'apiKey'>) {
  const text = FORMS[form]?.(canary) ?? canary;
  const named = (value: Json): JsonObject => Object.fromEntries([[member, value]]);
  const data: Json | undefined =
    where === 'request' ? named(text) : where === 'request name' ? Object.fromEntries([[text, { id: text }]]) : undefined;
  const bodies: { readonly [where: string]: Json | { readonly text: string } } = {
    response: { ...named(text), error: 0 },
    'response name': Object.fromEntries([[text, named({ [text]: text })]]),
    nested: { items: [named({ [member]: [{ [member]: text }] })] },
    list: named([text, [text], null, true]),
    text: { text: `<html>${text}</html>` },
    'cut off': { text: JSON.stringify(named([text, text])).slice(0, -3) },
    number: { later_addition: Number.parseInt(Buffer.from(canary.slice(0, 6)).toString('hex'), 16) },
  };
  const method = data === undefined ? 'GET' : 'POST';
  const path = where === 'path' ? `/api/v4/linear-playlist/${encodeURIComponent(text)}` : '/api/v4/linear-playlist';
  const query = where === 'query' ? { desc: text } : where === 'query name' ? { [text]: text } : {};
  const inForm = data !== undefined && form.length % 2 === 0;
  return {
    wire: wireOf({
      method,
      path: inForm ? '/api/v3/drm/policies/create-or-update' : path,
      query,
      ...(data ? { data } : {}),
      inForm,
      ...credentials,
    }),
    response: responseOf(bodies[where], status, where === 'header' ? { [header]: text } : { 'content-type': 'application/json' }),
  };
}

const ROUNDS = rounds(60, 6_000);

test(`nothing of ${ROUNDS} rounds of canaries in requests and responses is in the recording`, {
  timeout: atMost(rounds(120_000, 900_000)),
}, async () => {
  let canaries = 0;
  const property = fc.property(fc.array(anyPlace, { minLength: 1, maxLength: 25 }), anyCanary, fc.uuid(), (places, key, id) => {
    const credentials = { owner: id.replaceAll('-', ''), apiKey: `${key}+/=` };
    const recorder = recorderOf();
    for (const place of places) {
      const { wire, response } = exchangeWith(place, credentials);
      recorder.observe(wire)(response);
    }
    const secrets = [...places.map(({ canary, where }) => ({ name: where, value: canary })), { name: 'key', value: key }];
    const numbers = places.filter(({ where }) => where === 'number').map(({ canary }) => Buffer.from(canary.slice(0, 6)).toString('hex'));
    const text = textOf(recorder);
    expect(createSearcher([...secrets, { name: 'owner', value: credentials.owner }])(text)).toEqual([]);
    for (const number of numbers) expect(text).not.toContain(String(Number.parseInt(number, 16)));
    expect(text).not.toContain('example.com');
    expect(JSON.parse(text).exchanges).toHaveLength(places.length);
    canaries += places.length;
  });
  await recordCheck({ proof: 'recordings', name: 'canaries', wanted: 'none in a recording' }, () => {
    assertProperty(property, { numRuns: ROUNDS });
    return canaries;
  });
});

test('the search for canaries notices one that is recorded as it is', () => {
  const canary = 'Zq7Xv2KdWm4RtYp9LcNb8HsJ';
  const everything = {
    members: VOCABULARY.members,
    pathSegments: new Set<string>([canary]),
    parameters: new Set<string>(),
    errorTexts: new Set<string>(),
  };
  const recorder = recorderOf({ vocabulary: everything });
  recorder.observe(wireOf({ path: `/api/v4/linear-playlist/${canary}` }))(responseOf(undefined, 404));
  expect(createSearcher([{ name: 'ID', value: canary }])(textOf(recorder))).toEqual(['ID, plain']);
});
