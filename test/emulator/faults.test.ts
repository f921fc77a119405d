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

describe('choosing requests', () => {
  const fired = (rule: object, requests: readonly (readonly [string, string])[]) => {
    const faults = createFaultSelector(parseFaults([rule]));
    return requests.map(([method, path]) => faults(method, path) !== undefined);
  };
  const gets = (count: number, path = '/p'): (readonly [string, string])[] => Array.from({ length: count }, () => ['GET', path]);

  test('by method, in any case', () => {
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
  ])('by path %s', (path, matching, others) => {
    expect(
      fired(
        { path },
        matching.map((one) => ['GET', one] as const),
      ),
    ).toEqual(matching.map(() => true));
    expect(
      fired(
        { path },
        others.map((one) => ['GET', one] as const),
      ),
    ).toEqual(others.map(() => false));
  });

  test('by number, counting only what matches', () => {
    expect(fired({ nth: 2, path: '/p' }, [['GET', '/other'], ...gets(3)])).toEqual([false, false, true, false]);
    expect(fired({ nth: [1, 3] }, gets(4))).toEqual([true, false, true, false]);
  });

  test('at most so often', () => {
    expect(fired({ times: 2 }, gets(4))).toEqual([true, true, false, false]);
  });

  test('the first rule that fires decides, and every rule counts', () => {
    const faults = createFaultSelector([{ nth: 1, status: 500 }, { nth: 2, status: 502 }, { status: 503 }]);
    expect([1, 2, 3].map(() => faults('GET', '/p')?.status)).toEqual([500, 502, 503]);
  });
});

describe('effects', () => {
  test('a status with headers and body, without the write', async () => {
    const emulator = await startWith({ method: 'POST', status: 429, headers: { 'Retry-After': '7' }, body: { slow: 'down' } });
    const { status, headers, json } = await v4(emulator, 'POST', '/linear-playlist', body);
    expect([status, headers.get('retry-after'), json]).toEqual([429, '7', { slow: 'down' }]);
    expect(await total(emulator)).toBe(5);
  });

  test('a status without body, and a body that is a text', async () => {
    const emulator = await startWith({ nth: 1, status: 503 });
    expect(await v4(emulator, 'GET', '/linear-playlist')).toMatchObject({ status: 503, text: '' });
    emulator.setFaults([{ body: 'plain', headers: { 'content-type': 'text/plain' } }]);
    const answered = await v4(emulator, 'GET', '/linear-playlist');
    expect([answered.status, answered.text, answered.headers.get('content-type')]).toEqual([
      200,
      'plain',
      expect.stringContaining('text/plain'),
    ]);
  });

  test('a status after the write', async () => {
    const emulator = await startWith({ method: 'POST', status: 504, afterWrite: true });
    expect((await v4(emulator, 'POST', '/linear-playlist', body)).status).toBe(504);
    expect(await total(emulator)).toBe(6);
  });

  test('HTML instead of JSON', async () => {
    const { status, headers, text } = await v3(await startWith({ html: true }), 'GET', '/drm/policies');
    expect([status, headers.get('content-type'), text]).toEqual([
      200,
      expect.stringContaining('text/html'),
      expect.stringContaining('<title>'),
    ]);
  });

  test('an error that is not 0', async () => {
    const emulator = await startWith({ nth: 1, error: { code: 5, msg: 'try later' } });
    expect(await v3(emulator, 'GET', '/drm/policies')).toMatchObject({ status: 200, json: { error: 5, msg: 'try later' } });
    emulator.setFaults([{ error: { code: 2 } }]);
    expect((await v3(emulator, 'GET', '/drm/policies')).json).toEqual({ error: 2 });
  });

  test.each([
    ['before', 5],
    ['after', 6],
  ] as const)('a connection reset %s the write', async (reset, expected) => {
    const emulator = await startWith({ method: 'POST', reset });
    await expect(v4(emulator, 'POST', '/linear-playlist', body)).rejects.toThrow('fetch failed');
    expect(emulator.requests()).toMatchObject([{ method: 'POST', body, status: null }]);
    expect(await total(emulator)).toBe(expected);
  });

  test('a truncated list, with a total that agrees or not', async () => {
    const emulator = await startWith({ nth: 1, truncateList: true });
    const half = await v4(emulator, 'GET', '/linear-playlist');
    expect([half.json.items, half.json.total_items]).toEqual([
      [expect.objectContaining({ id: 'a' }), expect.objectContaining({ id: 'b' })],
      5,
    ]);
    emulator.setFaults([{ truncateList: 3, adjustTotal: true }]);
    const three = await v4(emulator, 'GET', '/linear-playlist');
    expect([three.json.items, three.json.total_items]).toEqual([expect.objectContaining({ length: 3 }), 3]);
    emulator.setFaults([{ truncateList: 0 }]);
    expect((await v3(emulator, 'GET', '/drm/policies')).json).toEqual({ configs: [], error: 0 });
    expect((await v4(emulator, 'DELETE', '/linear-playlist/a')).status).toBe(204);
  });

  test('a body cut in half, and no body at all', async () => {
    const emulator = await startWith({ nth: 1, truncateBody: true });
    const cut = await v4(emulator, 'GET', '/linear-playlist');
    expect(cut.status).toBe(200);
    expect(() => JSON.parse(cut.text)).toThrow();
    emulator.setFaults([{ empty: true }]);
    const empty = await v4(emulator, 'POST', '/linear-playlist', body);
    expect([empty.status, empty.text]).toEqual([201, '']);
    expect(await total(emulator)).toBe(6);
  });

  test('a PATCH that merges, once', async () => {
    const emulator = await startWith({ method: 'PATCH', times: 1, merge: true });
    const patch = { playlist: [beam('z')] };
    expect((await v4(emulator, 'PATCH', '/linear-playlist/a', patch)).json.playlist).toEqual([beam('a'), beam('z')]);
    expect((await v4(emulator, 'PATCH', '/linear-playlist/a', patch)).json.playlist).toEqual([beam('z')]);
  });

  test('a change behind the client’s back, before the request is handled', async () => {
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

  test('an edit concerns the account that asks, unless it names another', async () => {
    const other = { owner: 'second', apiKey: 'key' };
    const edit = { emulation: 'vmp-reject-statuses', collection: 'settings', id: 'current', document: { vmp_reject_statuses: ['A'] } };
    const emulator = await start({ accounts: [account, other], faults: [{ nth: 1, edit }] });
    const answered = await raw(emulator, `/api/v3/drm/vmp-reject-statuses?${new URLSearchParams(sign({}, other))}`);
    expect(answered.json.vmp_reject_statuses).toEqual(['A']);
    expect((await v3(emulator, 'GET', '/drm/vmp-reject-statuses')).json.vmp_reject_statuses).toEqual([]);
    emulator.setFaults([{ edit: { ...edit, owner: account.owner } }]);
    await raw(emulator, `/api/v3/drm/vmp-reject-statuses?${new URLSearchParams(sign({}, other))}`);
    emulator.setFaults([]);
    expect((await v3(emulator, 'GET', '/drm/vmp-reject-statuses')).json.vmp_reject_statuses).toEqual(['A']);
  });

  test('a delay holds an answer back until a client gives up, and does not hold up the close', async () => {
    const emulator = await startWith({ delayMs: 600_000 });
    const waiting = raw(emulator, `/api/v4/linear-playlist?${new URLSearchParams(sign())}`);
    const failed = expect(waiting).rejects.toThrow('fetch failed');
    while (emulator.requests().length === 0) await new Promise(setImmediate);
    await emulator.close();
    await failed;
  });

  test('a short delay only delays', async () => {
    expect(await total(await start({ seed, latencyMs: 1, faults: [{ delayMs: 1 }] }))).toBe(5);
  });

  test.each(['headers', 'body'] as const)('an answer that stops: %s', async (stall) => {
    const emulator = await startWith({ method: 'POST', stall });
    const url = `${emulator.url}/api/v4/linear-playlist?${new URLSearchParams(sign())}`;
    const patience = new AbortController();
    const asked = fetch(url, { method: 'POST', body: JSON.stringify(body), signal: patience.signal });
    if (stall === 'body') {
      const reader = (await asked).body?.getReader();
      const first = await reader?.read();
      expect(new TextDecoder().decode(first?.value)).toMatch(/^\{"@id"/);
      const rest = expect(reader?.read()).rejects.toThrow('aborted');
      patience.abort();
      await rest;
    } else {
      while (emulator.requests().length === 0) await new Promise(setImmediate);
      const failed = expect(asked).rejects.toThrow('aborted');
      patience.abort();
      await failed;
    }
    expect(emulator.requests()).toMatchObject([{ changes: 1 }]);
    expect(await total(emulator)).toBe(6);
  });

  test('a Content-Length that is too short cuts the answer, one that is too long breaks it', async () => {
    const emulator = await startWith({ contentLength: 'short' });
    const whole = await v4(await start({ seed }), 'GET', '/linear-playlist/a');
    const cut = await v4(emulator, 'GET', '/linear-playlist/a');
    expect([cut.status, whole.text.slice(0, cut.text.length), cut.text.length]).toEqual([200, cut.text, Math.floor(whole.text.length / 2)]);
    emulator.setFaults([{ contentLength: 'long' }]);
    await expect(v4(emulator, 'GET', '/linear-playlist/a')).rejects.toThrow('terminated');
  });

  test('a flood of JSON is counted, and ends where the client leaves', async () => {
    const emulator = await startWith({ flood: 2 });
    const { text, json } = await v4(emulator, 'GET', '/linear-playlist');
    expect([text.length, json.error]).toEqual([2 * 1024 * 1024, 0]);
    expect(emulator.requests()).toMatchObject([{ flooded: 2 * 1024 * 1024 }]);
    emulator.setFaults([{ method: 'DELETE', flood: 1 }]);
    expect((await v4(emulator, 'DELETE', '/linear-playlist/a')).text).toHaveLength(1024 * 1024);
    emulator.setFaults([{ flood: 1000 }]);
    const answer = await fetch(`${emulator.url}/api/v4/linear-playlist?${new URLSearchParams(sign())}`);
    await answer.body?.cancel();
    expect(emulator.requests().at(-1)?.flooded).toBeLessThan(100 * 1024 * 1024);
  });

  test('connections are refused after an answer, until the time is over or the emulator listens again', async () => {
    const emulator = await startWith({ nth: 1, refuseMs: 600_000 });
    expect((await v4(emulator, 'GET', '/linear-playlist')).status).toBe(200);
    await expect(v4(emulator, 'GET', '/linear-playlist')).rejects.toThrow('fetch failed');
    await emulator.listen();
    expect((await v4(emulator, 'GET', '/linear-playlist')).status).toBe(200);
    emulator.refuse(1);
    await expect.poll(async () => (await v4(emulator, 'GET', '/linear-playlist')).status).toBe(200);
    emulator.refuse(600_000);
  });

  test('a fault answers in place of the gate too', async () => {
    expect((await raw(await startWith({ status: 500 }), '/api/v4/linear-playlist')).status).toBe(500);
  });
});

describe('reading rules', () => {
  test('takes every member', () => {
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
    [[{ html: false }], 'html'],
    [[{ error: { msg: 'x' } }], 'error'],
    [[{ error: { code: 1, msg: 1 } }], 'error'],
    [[{ truncateList: -1 }], 'truncateList'],
    [[{ stall: true }], 'stall'],
    [[{ contentLength: 10 }], 'contentLength'],
    [[{ flood: 0.5 }], 'flood'],
    [[{ refuseMs: -1 }], 'refuseMs'],
    [[{ edit: 1 }], 'an edit must be an object'],
    [[{ edit: { emulation: 'e', collection: 'c', id: 'i' } }], 'either document or merge'],
    [[{ edit: { emulation: 'e', collection: 'c', id: 'i', document: {}, merge: {} } }], 'either document or merge'],
    [[{ edit: { emulation: 'e', collection: 'c', id: 'i', merge: null } }], 'must be objects'],
    [[{ edit: { emulation: 'e', collection: 'c', id: '', document: null } }], 'id must be a non-empty string'],
  ])('refuses %j', (rules, reason) => {
    expect(() => parseFaults(rules)).toThrow(reason);
  });
});
