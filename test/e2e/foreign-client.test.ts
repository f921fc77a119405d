/**
 * The vendor's Python playlist tool, with the habits in api-notes sections 1 to 3: signed queries beside a trailing slash, bodies given to
 * `data=`,
 * JSON with spaces, zlib level 9, numbers as texts, an ad first. What it makes can then be managed.
 */
import { createHmac } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { isJsonObject } from '../../src/model/json.ts';
import { API_KEY, createTestProject, OWNER, type TestProject } from '../support/harness.ts';
import { asset, beams, config } from './accounts.ts';

/** What `json.dumps` writes: a space after every comma and colon. */
function dumps(value: unknown): string {
  const text = JSON.stringify(value, null, 1) ?? 'null';
  return text.replace(/\n\s*/g, ' ').replace(/([[{]) | ([\]}])/g, '$1$2');
}

/** The tool's signature; it has no nonce, so that two calls in one second must differ in their time. */
let second = 0;
function signature(item?: unknown): URLSearchParams {
  second += 1;
  const message = { _owner: OWNER, _timestamp: Math.floor(Date.now() / 1000) - 200 + second, ...(item === undefined ? {} : { item }) };
  const msg = deflateSync(dumps(message), { level: 9 }).toString('base64');
  return new URLSearchParams({ msg, sig: createHmac('sha256', API_KEY).update(msg).digest('hex') });
}

/** `requests.<method>(url, params={msg, sig, ...}, data=json.dumps(body))`: the text goes out without a content type. */
async function v4(project: TestProject, method: string, path: string, body?: unknown, filters: { readonly [name: string]: string } = {}) {
  const query = signature();
  for (const [name, value] of Object.entries(filters)) query.append(name, value);
  const data = body === undefined ? {} : { body: Buffer.from(dumps(body)) };
  const response = await fetch(`${project.emulator.url}/api/v4${path}/?${query}`, { method, ...data });
  const text = await response.text();
  return { status: response.status, json: text === '' ? {} : Object(JSON.parse(text)) };
}

/** `requests.post(url, data={msg, sig})`: a form. */
async function v3(project: TestProject, path: string, item: unknown) {
  const response = await fetch(`${project.emulator.url}/api/v3/drm${path}/`, { method: 'POST', body: signature(item) });
  return Object(await response.json());
}

test('the foreign client formats JSON as Python does', () => {
  expect(dumps({ a: [1, { b: 'c' }], d: {} })).toBe('{"a": [1, {"b": "c"}], "d": {}}');
});

test('the foreign client creates, lists, updates and deletes a playlist', async () => {
  const project = await createTestProject({});
  const body = { desc: 'Tool made', playlist: [{ ad: { dur: 30 } }, ...beams(1, 2)], repeat: '-1', beam_break_duration: '60' };
  const made = await v4(project, 'POST', '/linear-playlist', body);
  expect(made).toMatchObject({ status: 201, json: { desc: 'Tool made', repeat: -1, beam_break_duration: 60, active: 1 } });
  const { id } = made.json;
  expect((await v4(project, 'GET', '/linear-playlist', undefined, { desc: 'Tool made' })).json).toMatchObject({
    total_items: 1,
    items: [{ id }],
  });
  expect((await v4(project, 'PATCH', `/linear-playlist/${id}`, { active: '0' })).json).toMatchObject({ id, active: 0, repeat: -1 });
  expect((await v4(project, 'GET', `/linear-playlist/${id}`)).json.playlist).toEqual(body.playlist);
  expect((await v4(project, 'POST', '/smart-start', { assets: [asset(3)], repeat: '2' })).json).toMatchObject({ ss_created: [asset(3)] });
  expect((await v4(project, 'DELETE', `/linear-playlist/${id}`)).status).toBe(204);
  expect(project.playlists().map((one) => one.id)).toEqual([asset(3)]);
});

test('the foreign client posts forms to the older API', async () => {
  const project = await createTestProject({});
  expect(await v3(project, '/vmp-reject-statuses/update', { vmp_reject_statuses: ['PLATFORM_TAMPERED'] })).toMatchObject({ error: 0 });
  expect(await v3(project, '/policies/create-or-update', { policy_name: 'tool' })).toMatchObject({
    error: 0,
    configs: [{ policy_name: 'tool' }],
  });
  expect(project.live('vmp-reject-statuses')).toEqual(['PLATFORM_TAMPERED']);
});

test('the service refuses the same msg and sig a second time', async () => {
  const project = await createTestProject({});
  const query = signature();
  const statuses = [1, 2].map(async () => (await fetch(`${project.emulator.url}/api/v4/linear-playlist/?${query}`)).status);
  expect((await Promise.all(statuses)).sort()).toEqual([200, 400]);
});

test("upkeep plans a foreign client's playlist as any other: numbers compare as numbers, and an ad first is a warning", async () => {
  const playlist = [{ ad: { dur: 30 } }, ...beams(1, 2)];
  const project = await createTestProject(
    config({ playlists: { made: { desc: 'Tool made', repeat: -1, beam_break_duration: 60, playlist } } }),
    {
      quirks: { numericStrings: true },
    },
  );
  await v4(project, 'POST', '/linear-playlist', { desc: 'Tool made', playlist, repeat: '-1', beam_break_duration: '60' });
  const { code, document } = await project.plan('--detailed-exitcode');
  expect([code, document.changes]).toEqual([0, []]);
  expect(document.findings).toMatchObject([{ severity: 'warning', code: 'ad-first' }]);
  expect(project.playlists().filter(isJsonObject)).toHaveLength(1);
});
