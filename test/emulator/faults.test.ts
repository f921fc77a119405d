import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createFaultSelector } from '../../src/emulator/faults.ts';
import type { Emulator, FaultRule } from '../../src/emulator/server.ts';
import { parseFaults } from '../../src/emulator/server.ts';
import { account, raw, sign, start, v3, v4 } from './independent-client.ts';

const beam = (id: string) => ({ beam: { id } });
const seed = {
  playlist: ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, playlist: [beam(id)] })),
  'drm-policy': [{ policy_name: 'x' }, { policy_name: 'y' }],
};
const body = { desc: 'new', playlist: [beam('z')] };

function startWith(rule: FaultRule): Promise<Emulator> {
  return start({ seed, faults: [rule] });
}

async function total(emulator: Emulator): Promise<unknown> {
  emulator.setFaults([]);
  return (await v4(emulator, 'GET', '/linear-playlist')).json.total_items;
}

describe('a fault rule fires', () => {
  const fired = (rule: object, requests: readonly (readonly [string, string])[]) => {
    const faults = createFaultSelector(parseFaults([rule]));
    return requests.map(([method, path]) => faults(method, path) !== undefined);
  };
  const gets = (count: number, path = '/p'): (readonly [string, string])[] => Array.from({ length: count }, () => ['GET', path]);

  test('for its method in upper or lower case', () => {
    expect(
      fired({ method: 'post' }, [
        ['GET', '/p'],
        ['POST', '/p'],
      ]),
    ).toEqual([false, true]);
  });

  test.each([
    [
      '/api/v4/linear-playlist',
      ['/api/v4/linear-playlist', '/api/v4/linear-playlist/'],
      ['/api/v4/linear-playlist/x', '/api/v4/linear.playlist'],
    ],
    ['/api/v4/*', ['/api/v4/a', '/api/v4/a/b/'], ['/api/v3/a', '/x/api/v4/a']],
    ['*policies*', ['/api/v3/drm/policies', '/api/v3/drm/policies/create-or-update'], ['/api/v3/drm/policy/1']],
    ['/a.c(1)', ['/a.c(1)'], ['/abc(1)', '/a.c1']],
    ['/', ['/'], ['/a']],
  ])('for paths that match %s', (path, matching, notMatching) => {
    expect(
      fired(
        { path },
        matching.map((one) => ['GET', one] as const),
      ),
    ).toEqual(matching.map(() => true));
    expect(
      fired(
        { path },
        notMatching.map((one) => ['GET', one] as const),
      ),
    ).toEqual(notMatching.map(() => false));
  });

  test('for the requests with its numbers, counting only those that match', () => {
    expect(fired({ nth: 2, path: '/p' }, [['GET', '/other'], ...gets(3)])).toEqual([false, false, true, false]);
    expect(fired({ nth: [1, 3] }, gets(4))).toEqual([true, false, true, false]);
  });

  test('at most as often as `times` allows', () => {
    expect(fired({ times: 2 }, gets(4))).toEqual([true, true, false, false]);
  });

  test('only if no earlier rule does, but every rule counts the request', () => {
    const faults = createFaultSelector([{ nth: 1, status: 500 }, { nth: 2, status: 502 }, { status: 503 }]);
    expect([1, 2, 3].map(() => faults('GET', '/p')?.status)).toEqual([500, 502, 503]);
  });
});

describe('a fault rule', () => {
  test('sends a status with headers and body, without the write', async () => {
    const emulator = await startWith({ method: 'POST', status: 429, headers: { 'Retry-After': '7' }, body: { slow: 'down' } });
    const { status, headers, json } = await v4(emulator, 'POST', '/linear-playlist', body);
    expect([status, headers.get('retry-after'), json]).toEqual([429, '7', { slow: 'down' }]);
    expect(await total(emulator)).toBe(5);
  });

  test('sends a status without a body, or a string as the body', async () => {
    const emulator = await startWith({ nth: 1, status: 503 });
    expect(await v4(emulator, 'GET', '/linear-playlist')).toMatchObject({ status: 503, text: '' });
    emulator.setFaults([{ body: 'plain', headers: { 'content-type': 'text/plain' } }]);
    const response = await v4(emulator, 'GET', '/linear-playlist');
    expect([response.status, response.text, response.headers.get('content-type')]).toEqual([
      200,
      'plain',
      expect.stringContaining('text/plain'),
    ]);
  });

  test('sends a status after the write', async () => {
    const emulator = await startWith({ method: 'POST', status: 504, afterWrite: true });
    expect((await v4(emulator, 'POST', '/linear-playlist', body)).status).toBe(504);
    expect(await total(emulator)).toBe(6);
  });

  test('sends HTML instead of JSON', async () => {
    const { status, headers, text } = await v3(await startWith({ html: true }), 'GET', '/drm/policies');
    expect([status, headers.get('content-type'), text]).toEqual([
      200,
      expect.stringContaining('text/html'),
      expect.stringContaining('<title>'),
    ]);
  });

  test('sends an error that is not 0', async () => {
    const emulator = await startWith({ nth: 1, error: { code: 5, msg: 'try later' } });
    expect(await v3(emulator, 'GET', '/drm/policies')).toMatchObject({ status: 200, json: { error: 5, msg: 'try later' } });
    emulator.setFaults([{ error: { code: 2 } }]);
    expect((await v3(emulator, 'GET', '/drm/policies')).json).toEqual({ error: 2 });
  });

  test.each([
    ['before', 5],
    ['after', 6],
  ] as const)('resets the connection %s the write', async (reset, expected) => {
    const emulator = await startWith({ method: 'POST', reset });
    await expect(v4(emulator, 'POST', '/linear-playlist', body)).rejects.toThrow('fetch failed');
    expect(emulator.requests()).toMatchObject([{ method: 'POST', body, status: null }]);
    expect(await total(emulator)).toBe(expected);
  });

  test('truncates lists, and adjusts the total if asked to', async () => {
    const emulator = await startWith({ nth: 1, truncateList: true });
    const half = await v4(emulator, 'GET', '/linear-playlist');
    expect([half.json.items, half.json.total_items]).toEqual([
      [expect.objectContaining({ id: 'a' }), expect.objectContaining({ id: 'b' })],
      5,
    ]);
    emulator.setFaults([{ truncateList: 3, adjustTotal: true }]);
    const shortened = await v4(emulator, 'GET', '/linear-playlist');
    expect([shortened.json.items, shortened.json.total_items]).toEqual([expect.objectContaining({ length: 3 }), 3]);
    emulator.setFaults([{ truncateList: 0 }]);
    expect((await v3(emulator, 'GET', '/drm/policies')).json).toEqual({ configs: [], error: 0 });
    expect((await v4(emulator, 'DELETE', '/linear-playlist/a')).status).toBe(204);
  });

  test('adds a member to every object of a response, or replaces members by name, wherever they are', async () => {
    const emulator = await startWith({ nth: 1, unknownMembers: true });
    const added = { later_addition: { since: 'tomorrow' } };
    expect((await v4(emulator, 'GET', '/linear-playlist/a')).json).toMatchObject({
      ...added,
      playlist: [{ ...added, beam: { id: 'a', ...added } }],
    });
    emulator.setFaults([{ replaceMembers: { beam: 'gone', repeat: { every: 1 } } }]);
    expect((await v4(emulator, 'GET', '/linear-playlist/a')).json).toMatchObject({
      id: 'a',
      playlist: [{ beam: 'gone' }],
      repeat: { every: 1 },
    });
  });

  test('sends half of the body, or none', async () => {
    const emulator = await startWith({ nth: 1, truncateBody: true });
    const cut = await v4(emulator, 'GET', '/linear-playlist');
    expect(cut.status).toBe(200);
    expect(() => JSON.parse(cut.text)).toThrow(SyntaxError);
    emulator.setFaults([{ empty: true }]);
    const empty = await v4(emulator, 'POST', '/linear-playlist', body);
    expect([empty.status, empty.text]).toEqual([201, '']);
    expect(await total(emulator)).toBe(6);
  });

  test('makes one PATCH merge the list', async () => {
    const emulator = await startWith({ method: 'PATCH', times: 1, merge: true });
    const patch = { playlist: [beam('z')] };
    expect((await v4(emulator, 'PATCH', '/linear-playlist/a', patch)).json.playlist).toEqual([beam('a'), beam('z')]);
    expect((await v4(emulator, 'PATCH', '/linear-playlist/a', patch)).json.playlist).toEqual([beam('z')]);
  });

  test('edits a document before the request is handled', async () => {
    const edit = { emulation: 'playlist', collection: 'playlists', id: 'b' };
    const emulator = await start({
      seed,
      faults: [
        { nth: 1, edit: { ...edit, merge: { desc: 'by hand' } } },
        { nth: 2, edit: { ...edit, document: null } },
      ],
    });
    expect((await v4(emulator, 'GET', '/linear-playlist/b')).json).toMatchObject({ desc: 'by hand', playlist: [beam('b')] });
    expect((await v4(emulator, 'GET', '/linear-playlist/b')).status).toBe(404);
  });

  test('edits the account of the request unless the edit names another', async () => {
    const other = { owner: 'second', apiKey: 'key' };
    const edit = { emulation: 'vmp-reject-statuses', collection: 'settings', id: 'current', document: { vmp_reject_statuses: ['A'] } };
    const emulator = await start({ accounts: [account, other], faults: [{ nth: 1, edit }] });
    const response = await raw(emulator, `/api/v3/drm/vmp-reject-statuses?${new URLSearchParams(sign({}, other))}`);
    expect(response.json.vmp_reject_statuses).toEqual(['A']);
    expect((await v3(emulator, 'GET', '/drm/vmp-reject-statuses')).json.vmp_reject_statuses).toEqual([]);
    emulator.setFaults([{ edit: { ...edit, owner: account.owner } }]);
    await raw(emulator, `/api/v3/drm/vmp-reject-statuses?${new URLSearchParams(sign({}, other))}`);
    emulator.setFaults([]);
    expect((await v3(emulator, 'GET', '/drm/vmp-reject-statuses')).json.vmp_reject_statuses).toEqual(['A']);
  });

  test('delays a response until the client gives up, without delaying the close of the emulator', async () => {
    const emulator = await startWith({ delayMs: 600_000 });
    const waiting = raw(emulator, `/api/v4/linear-playlist?${new URLSearchParams(sign())}`);
    const failed = expect(waiting).rejects.toThrow('fetch failed');
    while (emulator.requests().length === 0) await new Promise(setImmediate);
    await emulator.close();
    await failed;
  });

  test('sends the response after a short delay', async () => {
    expect(await total(await start({ seed, latencyMs: 1, faults: [{ delayMs: 1 }] }))).toBe(5);
  });

  test.each(['headers', 'body'] as const)('stops sending and keeps the connection open with stall: %s', async (stall) => {
    const emulator = await startWith({ method: 'POST', stall });
    const url = `${emulator.url}/api/v4/linear-playlist?${new URLSearchParams(sign())}`;
    const abort = new AbortController();
    const responding = fetch(url, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
      signal: abort.signal,
    });
    if (stall === 'body') {
      const reader = (await responding).body?.getReader();
      const first = await reader?.read();
      expect(new TextDecoder().decode(first?.value)).toMatch(/^\{"@id"/);
      const rest = expect(reader?.read()).rejects.toThrow('aborted');
      abort.abort();
      await rest;
    } else {
      while (emulator.requests().length === 0) await new Promise(setImmediate);
      const failed = expect(responding).rejects.toThrow('aborted');
      abort.abort();
      await failed;
    }
    expect(emulator.requests()).toMatchObject([{ changes: 1 }]);
    expect(await total(emulator)).toBe(6);
  });

  test('sends a Content-Length that truncates the response, or one that makes it incomplete', async () => {
    const emulator = await startWith({ contentLength: 'short' });
    const whole = await v4(await start({ seed }), 'GET', '/linear-playlist/a');
    const cut = await v4(emulator, 'GET', '/linear-playlist/a');
    expect([cut.status, whole.text.slice(0, cut.text.length), cut.text.length]).toEqual([200, cut.text, Math.floor(whole.text.length / 2)]);
    emulator.setFaults([{ contentLength: 'long' }]);
    await expect(v4(emulator, 'GET', '/linear-playlist/a')).rejects.toThrow('terminated');
  });

  test('sends a whole response as a part', async () => {
    const emulator = await startWith({ partial: true });
    const response = await fetch(`${emulator.url}/api/v4/linear-playlist?${new URLSearchParams(sign())}`);
    expect([response.status, response.headers.get('content-range')]).toEqual([206, 'bytes 0-99/1000']);
    expect(await response.json()).toMatchObject({ total_items: 5 });
    expect(emulator.requests()).toMatchObject([{ status: 206 }]);
  });

  test('sends 100 Continue before a response', async () => {
    const emulator = await startWith({ continueFirst: true });
    const received = await new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(emulator.url);
      let text = '';
      const socket = connect(Number(port), hostname, () => {
        socket.write(`GET /api/v4/linear-playlist HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\n\r\n`);
      });
      socket.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      socket.once('end', () => resolve(text)).once('error', reject);
    });
    expect(received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 \d+ /);
  });

  test('sends a flood of JSON, counts it, and ends it when the client closes the connection', async () => {
    const emulator = await startWith({ flood: 2 });
    const { text, json } = await v4(emulator, 'GET', '/linear-playlist');
    expect([text.length, json.error]).toEqual([2 * 1024 * 1024, 0]);
    expect(emulator.requests()).toMatchObject([{ flooded: 2 * 1024 * 1024 }]);
    emulator.setFaults([{ method: 'DELETE', flood: 1 }]);
    expect((await v4(emulator, 'DELETE', '/linear-playlist/a')).text).toHaveLength(1024 * 1024);
    emulator.setFaults([{ flood: 1000 }]);
    const response = await fetch(`${emulator.url}/api/v4/linear-playlist?${new URLSearchParams(sign())}`);
    await response.body?.cancel();
    expect(emulator.requests().at(-1)?.flooded).toBeLessThan(100 * 1024 * 1024);
  });

  test('refuses connections after a response until the time is over or the emulator listens again', async () => {
    const emulator = await startWith({ nth: 1, refuseMs: 600_000 });
    expect((await v4(emulator, 'GET', '/linear-playlist')).status).toBe(200);
    await expect(v4(emulator, 'GET', '/linear-playlist')).rejects.toThrow('fetch failed');
    await emulator.listen();
    expect((await v4(emulator, 'GET', '/linear-playlist')).status).toBe(200);
    emulator.refuse(1);
    await expect.poll(async () => (await v4(emulator, 'GET', '/linear-playlist')).status).toBe(200);
    emulator.refuse(600_000);
  });

  test('replaces the response to an unsigned request too', async () => {
    expect((await raw(await startWith({ status: 500 }), '/api/v4/linear-playlist')).status).toBe(500);
  });
});

describe('parseFaults', () => {
  test('reads every member of a rule', () => {
    const rules: Required<FaultRule>[] = [
      {
        method: 'GET',
        path: '/api/*',
        nth: [1, 2],
        times: 3,
        delayMs: 0,
        edit: { owner: 'o', emulation: 'e', collection: 'c', id: 'i', document: {} },
        reset: 'after',
        merge: true,
        storedNames: 'cut',
        existingId: true,
        unknownMembers: true,
        replaceMembers: { repeat: 'often' },
        status: 500,
        headers: { a: 'b' },
        body: null,
        html: true,
        error: { code: 1 },
        afterWrite: true,
        truncateList: 0,
        adjustTotal: true,
        truncateBody: true,
        empty: true,
        stall: 'body',
        contentLength: 'long',
        flood: 100,
        continueFirst: true,
        partial: true,
        compress: 'twice',
        bomb: 1,
        refuseMs: 1000,
      },
    ];
    expect(parseFaults(JSON.parse(JSON.stringify(rules)))).toEqual(rules);
  });

  test.each([
    [{}, 'faults: must be a list'],
    [[1], 'faults[0]: must be an object'],
    [[{}, { stauts: 500 }], 'faults[1]: there is no member stauts'],
    [[{ toString: 1 }], 'there is no member toString'],
    [[{ method: 1 }], 'method'],
    [[{ nth: 0 }], 'nth'],
    [[{ nth: [1, '2'] }], 'nth'],
    [[{ times: 0 }], 'times'],
    [[{ delayMs: -1 }], 'delayMs'],
    [[{ reset: true }], 'reset'],
    [[{ status: 99 }], 'status'],
    [[{ status: 600 }], 'status'],
    [[{ headers: { a: 1 } }], 'headers'],
    [[{ replaceMembers: 'repeat' }], 'replaceMembers'],
    [[{ html: false }], 'html'],
    [[{ error: { msg: 'x' } }], 'error'],
    [[{ error: { code: 1, msg: 1 } }], 'error'],
    [[{ truncateList: -1 }], 'truncateList'],
    [[{ stall: true }], 'stall'],
    [[{ contentLength: 10 }], 'contentLength'],
    [[{ flood: 0.5 }], 'flood'],
    [[{ continueFirst: 1 }], 'continueFirst'],
    [[{ partial: false }], 'partial'],
    [[{ refuseMs: -1 }], 'refuseMs'],
    [[{ edit: 1 }], 'an edit must be an object'],
    [[{ edit: { emulation: 'e', collection: 'c', id: 'i' } }], 'either document or merge'],
    [[{ edit: { emulation: 'e', collection: 'c', id: 'i', document: {}, merge: {} } }], 'either document or merge'],
    [[{ edit: { emulation: 'e', collection: 'c', id: 'i', merge: null } }], 'must be objects'],
    [[{ edit: { emulation: 'e', collection: 'c', id: '', document: null } }], 'id must be a non-empty string'],
  ])('rejects %j', (rules, reason) => {
    expect(() => parseFaults(rules)).toThrow(reason);
  });
});
