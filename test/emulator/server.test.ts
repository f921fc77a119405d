import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { RouteError } from '../../src/emulator/contract.ts';
import { emulatedKinds } from '../../src/emulator/kinds/index.ts';
import { startEmulator } from '../../src/emulator/server.ts';
import { account, raw, sign, start, v3, v4 } from './independent-client.ts';

const beam = (id: string) => ({ beam: { id } });
const json = { 'content-type': 'application/json' };

function put(path: string, method: string, body: unknown, headers = {}): [string, RequestInit] {
  return [path, { method, body: JSON.stringify(body), headers: { ...json, ...headers } }];
}

describe('the endpoints of the emulator', () => {
  test('are the eighteen of the two API documents', () => {
    const paths = emulatedKinds.flatMap(({ routes }) => routes.map(({ method, path }) => `${method} ${path}`));
    expect(paths.filter((path) => path.includes('/api/v4/'))).toHaveLength(6);
    expect(paths.filter((path) => path.includes('/api/v3/'))).toHaveLength(12);
    expect(new Set(paths).size).toBe(18);
  });

  test('respond with and without a trailing slash, but not without a signature', async () => {
    const emulator = await start();
    for (const { method, path, apiVersion } of emulatedKinds.flatMap(({ routes }) => routes)) {
      for (const slash of ['', '/']) {
        const { status, json: responseBody } = await raw(emulator, path.replace(':id', 'x') + slash, { method });
        expect([status, apiVersion === 'v3' ? responseBody.error : responseBody.code]).toEqual(
          apiVersion === 'v3' ? [200, 1] : [401, 'unauthorized'],
        );
      }
    }
  });

  test('respond with 404 in the form of the API version if the path or method is unknown', async () => {
    const emulator = await start();
    expect(await raw(emulator, '/api/v4/nothing')).toMatchObject({
      status: 404,
      json: { '@type': 'Error', code: 'not_found', status_code: 404 },
    });
    expect(await raw(emulator, '/api/v3/nothing')).toMatchObject({ status: 404, json: { error: 1, msg: 'Not Found' } });
    expect((await raw(emulator, '/api/v4/linear-playlist', { method: 'PUT' })).status).toBe(404);
    expect((await raw(emulator, '/api/v4/linear-playlist', { method: 'HEAD' })).status).toBe(404);
  });

  test('reject a body of more than 16 MiB', async () => {
    const body = Buffer.alloc(17 * 1024 * 1024, 32);
    const { status } = await raw(await start(), `/api/v4/linear-playlist?${new URLSearchParams(sign())}`, { method: 'POST', body });
    expect(status).toBe(413);
  });

  test('reject a body of more than 16 MiB whose length is not announced', async () => {
    const chunk = new Uint8Array(1024 * 1024);
    const body = new ReadableStream({
      start(controller) {
        for (let count = 0; count < 17; count++) controller.enqueue(chunk);
        controller.close();
      },
    });
    const path = `/api/v4/linear-playlist?${new URLSearchParams(sign())}`;
    const { status } = await raw(await start(), path, { method: 'POST', body, duplex: 'half' });
    expect(status).toBe(413);
  });

  test('respond with 400 in the form of the API version if the path is not well encoded', async () => {
    const emulator = await start();
    expect(await raw(emulator, '/api/v4/linear-playlist/%zz')).toMatchObject({ status: 400, json: { '@type': 'Error', status_code: 400 } });
    expect(await raw(emulator, '/api/v3/drm/policy/%zz')).toMatchObject({ status: 400, json: { error: 1 } });
  });

  test('send a header of a fault instead of the same header in lower case', async () => {
    const emulator = await start({ faults: [{ body: 'x', headers: { 'Content-Type': 'text/plain' } }] });
    const { headers, text } = await v4(emulator, 'GET', '/linear-playlist');
    expect([headers.get('content-type'), text]).toEqual(['text/plain', 'x']);
  });

  test('decode percent-encoded IDs', async () => {
    const emulator = await start({ seed: { playlist: [{ id: 'a b/c', playlist: [beam('x')] }] } });
    expect((await v4(emulator, 'GET', '/linear-playlist/a%20b%2Fc')).json.id).toBe('a b/c');
  });

  test('respond with 500 if a route throws, without its writes', async () => {
    const failing = {
      name: 'failing',
      seed: () => {},
      dump: () => null,
      routes: ['v3', 'v4'].map((version) => ({
        method: 'POST' as const,
        path: `/api/${version}/failing/:how`,
        apiVersion: version === 'v3' ? ('v3' as const) : ('v4' as const),
        handle({ collection, params }: Parameters<(typeof emulatedKinds)[0]['routes'][0]['handle']>[0]) {
          collection('things').put('x', {});
          if (params.how === 'rejected') throw new RouteError(409, 'conflict', 'Not now');
          if (params.how === 'thrown') throw new Error('oops');
          return { status: 200, body: { size: collection('things').size } };
        },
      })),
    };
    const emulator = await start({ emulatedKinds: [failing] });
    expect(await v4(emulator, 'POST', '/failing/thrown', {})).toMatchObject({ status: 500, json: { status_code: 500, title: 'oops' } });
    expect(await v3(emulator, 'POST', '/failing/thrown')).toMatchObject({ status: 500, json: { error: 1, msg: 'oops' } });
    expect(await v4(emulator, 'POST', '/failing/rejected', {})).toMatchObject({
      status: 409,
      json: { code: 'conflict', status_code: 409, title: 'Not now' },
    });
    expect(await v3(emulator, 'POST', '/failing/rejected')).toMatchObject({ status: 200, json: { error: 1, msg: 'Not now' } });
    expect((await v4(emulator, 'POST', '/failing/accepted', {})).json).toEqual({ size: 1 });
  });

  test('fail to start on a port in use, without affecting the emulator that uses it', async () => {
    const emulator = await start();
    await expect(start({ port: Number(new URL(emulator.url).port) })).rejects.toThrow('EADDRINUSE');
    expect((await v4(emulator, 'GET', '/linear-playlist')).status).toBe(200);
  });
});

describe('the quirks of the emulator', () => {
  test('add numeric strings and unknown members to every object of a v4 response', async () => {
    const emulator = await start({ quirks: { numericStrings: true, unknownMembers: true } });
    await v4(emulator, 'POST', '/linear-playlist', { playlist: [beam('a'), { ad: { dur: 5 } }], repeat: -1 });
    const later_addition = { since: 'tomorrow' };
    const playlist = [
      { beam: { id: 'a', later_addition }, later_addition },
      { ad: { dur: '5', later_addition }, later_addition },
    ];
    const { json: list } = await v4(emulator, 'GET', '/linear-playlist');
    expect(list).toMatchObject({ total_items: '1', later_addition, items: [{ repeat: '-1', active: '1', later_addition, playlist }] });
    expect(emulator.dump()).toMatchObject({ [account.owner]: { playlist: [{ repeat: -1, playlist: [beam('a'), { ad: { dur: 5 } }] }] } });
  });
});

describe('the requests that the emulator records', () => {
  test('are decoded and in order, without signatures', async () => {
    const at = Date.now();
    const emulator = await start({ now: () => at });
    await v4(emulator, 'GET', '/linear-playlist/', undefined, { desc: 'a b' });
    await v3(emulator, 'POST', '/drm/vmp-reject-statuses/update', { vmp_reject_statuses: [] });
    await v4(emulator, 'DELETE', '/linear-playlist/x');
    const { owner } = account;
    const expected = [
      { method: 'GET', path: '/api/v4/linear-playlist/', query: { desc: 'a b' }, owner, status: 200, changes: 0, flooded: 0, at },
      {
        method: 'POST',
        path: '/api/v3/drm/vmp-reject-statuses/update',
        query: {},
        body: { vmp_reject_statuses: [] },
        owner,
        status: 200,
        changes: 1,
        flooded: 0,
        at,
      },
      { method: 'DELETE', path: '/api/v4/linear-playlist/x', query: {}, owner, status: 404, changes: 0, flooded: 0, at },
    ];
    expect(emulator.requests()).toEqual(expected);
    expect(JSON.parse((await raw(emulator, '/__requests')).text)).toEqual(expected);
  });

  test('can be cleared', async () => {
    const emulator = await start();
    await v4(emulator, 'GET', '/linear-playlist');
    expect((await raw(emulator, '/__requests', { method: 'DELETE' })).status).toBe(204);
    expect((await raw(emulator, '/__requests')).text).toBe('[]');
    await v4(emulator, 'GET', '/linear-playlist');
    emulator.clearRequests();
    expect(emulator.requests()).toEqual([]);
  });

  test('do not change after they were returned', async () => {
    const emulator = await start({ faults: [{ delayMs: 20 }] });
    const pending = v4(emulator, 'GET', '/linear-playlist');
    while (emulator.requests().length === 0) await new Promise(setImmediate);
    const recorded = emulator.requests();
    await pending;
    expect([recorded[0]?.status, emulator.requests()[0]?.status]).toEqual([null, 200]);
  });
});

test('the emulator delays any number of responses at the same time without a warning from Node', async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on('warning', onWarning);
  const emulator = await start({ latencyMs: 50 });
  await Promise.all(Array.from({ length: 12 }, () => raw(emulator, `/api/v4/linear-playlist?${new URLSearchParams(sign())}`)));
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});

test('the emulator is idle only when all requests are handled, even those whose client has gone', async () => {
  const emulator = await start({ latencyMs: 100 });
  await emulator.idle();
  const path = `/api/v4/linear-playlist?${new URLSearchParams(sign())}`;
  const socket = connect(Number(new URL(emulator.url).port), '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  while (emulator.requests().length === 0) await new Promise(setImmediate);
  socket.destroy();
  expect(emulator.requests()).toMatchObject([{ status: null }]);
  await Promise.all([emulator.idle(), emulator.idle()]);
  expect(emulator.requests()).toMatchObject([{ status: 200 }]);
});

describe('the control endpoints', () => {
  const seed = { playlist: [{ id: 'one', playlist: [beam('a')] }] };
  const edit = { emulation: 'playlist', collection: 'playlists', id: 'one' };

  test('apply one edit, or several', async () => {
    const emulator = await start({ seed });
    expect((await raw(emulator, ...put('/__edit', 'POST', { ...edit, merge: { repeat: 4 } }))).status).toBe(204);
    expect((await v4(emulator, 'GET', '/linear-playlist/one')).json.repeat).toBe(4);
    await raw(
      emulator,
      ...put('/__edit', 'POST', [
        { ...edit, document: null },
        { ...edit, id: 'two', document: { id: 'two' } },
      ]),
    );
    expect((await v4(emulator, 'GET', '/linear-playlist')).json).toMatchObject({ total_items: 1, items: [{ id: 'two' }] });
  });

  test('reject an edit of an unknown kind or account', async () => {
    const emulator = await start({ seed });
    expect(() => emulator.edit({ ...edit, emulation: 'playlists', document: null })).toThrow('there is no emulation playlists');
    const { status, json: responseBody } = await raw(emulator, ...put('/__edit', 'POST', { ...edit, owner: 'nobody', document: null }));
    expect([status, responseBody.error]).toEqual([400, 'edit: there is no account nobody']);
  });

  test('apply none of several edits if one is invalid', async () => {
    const emulator = await start({ seed });
    const before = emulator.dump();
    const { status, json: responseBody } = await raw(emulator, ...put('/__edit', 'POST', [{ ...edit, document: null }, 5]));
    expect([status, responseBody.error]).toEqual([400, 'an edit must be an object']);
    expect(emulator.dump()).toEqual(before);
  });

  test('return the state in the form of a seed', async () => {
    const emulator = await start({ seed });
    const { json: state } = await raw(emulator, '/__state');
    expect(state).toEqual(emulator.dump());
    expect(state).toMatchObject({ [account.owner]: { ...seed, 'vmp-reject-statuses': [], 'key-rotation-schedule': null } });
  });

  test('replace the fault rules, and reject an invalid rule', async () => {
    const emulator = await start();
    expect((await raw(emulator, ...put('/__faults', 'PUT', [{ status: 418 }]))).status).toBe(204);
    expect((await v4(emulator, 'GET', '/linear-playlist')).status).toBe(418);
    expect(await raw(emulator, ...put('/__faults', 'PUT', [{ stat: 1 }]))).toMatchObject({
      status: 400,
      json: { error: 'faults[0]: there is no member stat' },
    });
    expect((await raw(emulator, '/__faults', { method: 'PUT', body: '{' })).status).toBe(400);
    expect((await raw(emulator, '/__faults', { method: 'PUT' })).status).toBe(400);
  });

  test('reject requests of web pages', async () => {
    const emulator = await start({ seed });
    const response = await raw(emulator, ...put('/__edit', 'POST', { ...edit, document: null }, { origin: 'https://evil.example' }));
    expect(response.status).toBe(403);
    expect((await v4(emulator, 'GET', '/linear-playlist/one')).status).toBe(200);
  });
});

describe('a seed', () => {
  const playlist = [{ id: 'one', playlist: [beam('a')] }];

  test('may hold several accounts by owner', async () => {
    const other = { owner: 'second', apiKey: 'key' };
    const emulator = await start({ accounts: [account, other], seed: { [account.owner]: { playlist }, second: {} } });
    expect(emulator.dump()).toMatchObject({ [account.owner]: { playlist: [{ id: 'one' }] }, second: { playlist: [] } });
  });

  test.each([
    [[], 'seed: must be an object'],
    [{ nobody: {} }, 'seed: there is no account nobody'],
    [{ [account.owner]: [] }, 'must be an object'],
    [{ [account.owner]: { playlists: [] } }, 'seed: there is no kind playlists'],
    [{ playlist: [{ playlist: { beam: {} } }] }, 'seed: playlist: [0].playlist must be a list'],
  ])('is rejected if it is %j', async (seed, reason) => {
    await expect(start({ seed })).rejects.toThrow(reason);
  });

  test('must name the owner if there are several accounts', async () => {
    const accounts = [account, { owner: 'second', apiKey: 'key' }];
    await expect(startEmulator({ emulatedKinds, accounts, seed: { playlist } })).rejects.toThrow('there is no account playlist');
  });
});
