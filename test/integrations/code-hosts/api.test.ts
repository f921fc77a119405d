/** Pages of lists: the token is sent to the API only, whatever address the next page has. */
import { afterEach, expect, test } from 'vitest';
import { openApi } from '../../../src/integrations/code-hosts/api.ts';
import { CodeHostError } from '../../../src/integrations/code-hosts/errors.ts';
import { type CannedResponse, type CodeHostDouble, startServer } from './double.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Starts a host that answers every path with one item, and the first page with a link to the next one. */
async function startHost(next = ''): Promise<CodeHostDouble> {
  const respond = (): CannedResponse => ({ status: 200, body: ['item'] });
  const host = await startServer([['GET', /.*/, respond]], () => null);
  closing.push(host.close);
  if (next !== '') host.respondOnce(/^GET \/api\/v4\/list$/, linkTo(next.replace('HOST', host.url)));
  return host;
}

function linkTo(next: string): CannedResponse {
  return { status: 200, body: ['first'], headers: { link: `<${next}>; rel="next"` } };
}

/** Reads the list below /api/v4 of a host, or the message of the error. */
async function listOf(host: CodeHostDouble, prefix = '/api/v4'): Promise<unknown> {
  const context = { now: () => 0, signal: new AbortController().signal, proxyFor: () => undefined };
  const api = openApi(context, { url: `${host.url}${prefix}`, token: 'canary', headers: { authorization: 'Bearer canary' } });
  try {
    return await api.list('/list');
  } catch (error) {
    if (error instanceof CodeHostError) return error.message;
    throw error;
  } finally {
    await api.close();
  }
}

test('the next page of a list is followed below the address of the API, with its query', async () => {
  const host = await startHost('HOST/api/v4/list/more?page=2&size=1');
  expect(await listOf(host)).toEqual(['first', 'item']);
  expect(host.requests.map(({ path, query, authorization }) => [path, String(query), authorization])).toEqual([
    ['/api/v4/list', '', 'Bearer canary'],
    ['/api/v4/list/more', 'page=2&size=1', 'Bearer canary'],
  ]);
});

test.each([
  ['beside the API on the same origin', 'HOST/other/list?page=2'],
  ['in another version of the API', 'HOST/api/v5/list?page=2'],
  ['at a path that only begins like the API', 'HOST/api/v4evil/list?page=2'],
  ['above the API by way of dots', 'HOST/api/v4/../v5/list?page=2'],
  ['at the API itself', 'HOST/api/v4'],
  ['at a relative address', '/api/v4/list?page=2'],
  ['at no address', 'not an address'],
])('a next page %s is refused, and nothing is sent there', async (_where, next) => {
  const host = await startHost(next);
  expect(await listOf(host)).toContain('its next page lies elsewhere');
  expect(host.requests.map(({ path }) => path)).toEqual(['/api/v4/list']);
});

test('a next page on another origin is refused, and nothing is sent there', async () => {
  const other = await startHost();
  const host = await startHost(`${other.url}/api/v4/list?page=2`);
  expect(await listOf(host)).toContain('its next page lies elsewhere');
  expect([host.requests.length, other.requests.length]).toEqual([1, 0]);
});
