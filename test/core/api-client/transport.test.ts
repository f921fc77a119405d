import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { Agent, buildConnector, MockAgent } from 'undici';
import { describe, expect, it, vi } from 'vitest';
import { cleanUpAfterTest } from '../../support/cleanup.ts';
import { atMost } from '../../support/patience.ts';
import { CREATE_V4, createTestClient, DELETE_V4, errorOf, ORIGIN, READ_V3, READ_V4, UPDATE_V3, UPDATE_V4 } from './harness.ts';
import { against, listening, listeningOn, unreachableAddress } from './servers.ts';

const answering =
  (body: string | Uint8Array, status = 200): RequestListener =>
  (_request, response) =>
    void response.writeHead(status).end(body);

describe('the transport', () => {
  it('reuses connections', async () => {
    const sockets = new Set<unknown>();
    const { service } = await against((request, response) => {
      sockets.add(request.socket);
      response.end('{}');
    });
    for (let count = 0; count < 30; count++) await service.send(READ_V4);
    await Promise.all(Array.from({ length: 100 }, () => service.send(READ_V4)));
    expect(sockets.size).toBeLessThanOrEqual(4);
  });

  it('opens at most as many connections as the concurrency, rounded down', async () => {
    const held: ServerResponse[] = [];
    let most = 0;
    const { service } = await against(
      (_request, response) => {
        most = Math.max(most, held.push(response));
        // Answering in pairs hangs where one is sent at a time.
        if (held.length === 2) setImmediate(() => held.splice(0).forEach((waiting) => void waiting.end('{}')));
      },
      { http: { concurrency: 2.7 } },
    );
    await Promise.all(Array.from({ length: 12 }, () => service.send(READ_V4)));
    expect(most).toBe(2);
    expect(service.counts).toEqual({ reads: 12, writes: 0, retries: 0 });
  });

  it('retries a refused connection even for a create, since nothing was sent', async () => {
    const base = await unreachableAddress();
    const { service } = createTestClient({ baseUrl: base, http: { giveUpSeconds: 0.5 } });
    const error = await errorOf(service.send(CREATE_V4));
    expect(error).toMatchObject({ category: 'unreachable', mayHaveWritten: 'no' });
    expect(error.message).toContain(`no connection to ${base} (ECONNREFUSED)`);
    expect(service.counts).toEqual({ reads: 0, writes: 1, retries: 1 });
    await service.close();
  });

  it('reports that a write may have happened where the connection breaks before or within the response', async () => {
    const before = await against((request) => void request.socket.destroy());
    expect(await errorOf(before.service.send(UPDATE_V3))).toMatchObject({ category: 'unreachable', mayHaveWritten: 'maybe' });
    const within = await against((request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"error": 0,', () => request.socket.destroy());
    });
    expect(await errorOf(within.service.send(CREATE_V4))).toMatchObject({ category: 'unreachable', mayHaveWritten: 'maybe' });
    expect(await errorOf(within.service.send(READ_V4))).toMatchObject({ category: 'unreachable', mayHaveWritten: 'no' });
  });
});

describe('a reused connection', () => {
  it('that the service has closed is replaced before anything is sent', async () => {
    let arrived = 0;
    let gone = Promise.resolve();
    const { service } = await against((request, response) => {
      arrived++;
      const { socket } = request;
      gone = new Promise((resolve) => void socket.once('close', () => resolve()));
      response.end('{}', () => socket.end());
    });
    for (let count = 1; count <= 5; count++) {
      expect(await service.send(CREATE_V4)).toMatchObject({ status: 200 });
      await gone;
    }
    expect(arrived).toBe(5);
    expect(service.counts.retries).toBe(0);
  });

  it('that breaks during a create does not lead to a second create, which may have happened', async () => {
    const arrived: string[] = [];
    const { service } = await against((request, response) => {
      arrived.push(request.method ?? '');
      if (arrived.length === 2) request.socket.destroy();
      else response.end('{}');
    });
    await service.send(READ_V4);
    expect(await errorOf(service.send(CREATE_V4))).toMatchObject({ category: 'unreachable', mayHaveWritten: 'maybe' });
    await service.send(READ_V4);
    expect(arrived).toEqual(['GET', 'POST', 'GET']);
  });
});

describe('a proxy', () => {
  it('that refuses the connection is reported without its credentials, and nothing was written', async () => {
    const asked: unknown[] = [];
    const proxy = createServer().on('connect', (request, socket) => {
      asked.push([request.url, request.headers['proxy-authorization']]);
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    });
    const url = new URL(await listeningOn(proxy));
    const { service } = createTestClient({ proxy: `http://me:canary@${url.host}` });
    const error = await errorOf(service.send(CREATE_V4));
    await service.close();
    expect(error).toMatchObject({ category: 'unreachable', mayHaveWritten: 'no', advice: expect.stringContaining('HTTPS_PROXY') });
    expect(`${error.message} ${error.cause}`).not.toContain('canary');
    expect(asked).toEqual([['services.example.com:443', `Basic ${Buffer.from('me:canary').toString('base64')}`]]);
  });

  it('that is unreachable means that nothing was written', async () => {
    const gone = await unreachableAddress();
    const { service } = createTestClient({ proxy: gone, http: { giveUpSeconds: 0 } });
    expect(await errorOf(service.send(CREATE_V4))).toMatchObject({ category: 'unreachable', mayHaveWritten: 'no' });
    await service.close();
  });
});

describe('close', () => {
  it('waits for requests in flight', async () => {
    let answer = (): void => {};
    const arrived = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { service } = await against((_request, response) => {
      answer();
      setImmediate(() => response.end('{"late":true}'));
    });
    const sending = service.send(READ_V4);
    await arrived;
    await service.close();
    expect(await sending).toEqual({ status: 200, body: { late: true } });
    expect(await errorOf(service.send(READ_V4))).toMatchObject({ category: 'interrupted' });
  });
});

describe('the deadline of an attempt', () => {
  const http = { timeoutSeconds: 0.05, giveUpSeconds: 0 };

  /** Lets the deadline pass when a request has arrived, however long that takes. */
  function passOnArrival(): () => void {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    cleanUpAfterTest(() => void vi.useRealTimers());
    return () => void setImmediate(() => vi.advanceTimersByTime(50));
  }

  it('applies until the headers', async () => {
    const pass = passOnArrival();
    const { service } = await against(pass, { http });
    expect(await errorOf(service.send(READ_V4))).toMatchObject({
      category: 'timeout',
      mayHaveWritten: 'no',
      message: 'GET /api/v4/things: no complete answer within 0.1 s',
    });
    expect(await errorOf(service.send(DELETE_V4))).toMatchObject({ category: 'timeout', mayHaveWritten: 'maybe' });
  });

  it('applies until the end of the body', async () => {
    const pass = passOnArrival();
    const { service } = await against((_request, response) => void response.writeHead(200).write('{', pass), { http });
    expect(await errorOf(service.send(UPDATE_V4))).toMatchObject({ category: 'timeout', mayHaveWritten: 'maybe' });
  });

  it('that passes before there is a connection prevents the request from being sent later', async () => {
    const arrived: string[] = [];
    const base = await listening((request, response) => {
      arrived.push(request.method ?? '');
      response.end('{}');
    });
    const connect = buildConnector({});
    let late: (() => void) | undefined;
    const dispatcher = new Agent({
      connections: 1,
      connect(options, callback) {
        if (late) connect(options, callback);
        else late = () => void connect(options, callback);
      },
    });
    cleanUpAfterTest(() => dispatcher.close());
    const { service } = createTestClient({ baseUrl: base, dispatcher, http });
    const message = 'POST /api/v4/things: no connection within 0.1 s';
    expect(await errorOf(service.send(CREATE_V4))).toMatchObject({ category: 'timeout', mayHaveWritten: 'no', message });
    const patient = createTestClient({ baseUrl: base, dispatcher }).service.send(READ_V4);
    late?.();
    expect(await patient).toMatchObject({ status: 200 });
    expect(arrived).toEqual(['GET']);
  });

  it('that is longer than a timer of Node can be does not pass at once', async () => {
    const { service } = await against((_request, response) => void setImmediate(() => response.end('{}')), {
      http: { timeoutSeconds: 10 ** 9, giveUpSeconds: 10 ** 9 },
    });
    expect(await service.send(READ_V4)).toEqual({ status: 200, body: {} });
  });

  it('leads to a retry of an idempotent request', async () => {
    let count = 0;
    const { service } = await against(
      (_request, response) => {
        if (++count > 1) response.end('{}');
      },
      { http: { timeoutSeconds: atMost(500) / 1000 } },
    );
    expect(await service.send(READ_V4)).toEqual({ status: 200, body: {} });
    expect(service.counts.retries).toBe(count - 1);
  });
});

describe('a response body', () => {
  it('is received up to the limit, and not beyond', async () => {
    const limit = { maxBodyMib: 1 / 1024 };
    const fits = await against(answering(JSON.stringify('x'.repeat(1022))), { http: limit });
    expect(await fits.service.send(READ_V4)).toEqual({ status: 200, body: 'x'.repeat(1022) });
    const over = await against(answering(JSON.stringify('x'.repeat(1023))), { http: limit });
    const error = await errorOf(over.service.send(READ_V4));
    expect(error).toMatchObject({ category: 'malformed', mayHaveWritten: 'no', advice: expect.stringContaining('http.max_body_mib') });
    expect(over.service.counts.retries).toBe(0);
  });

  it('that never ends is aborted at the limit', async () => {
    const flood = (_request: IncomingMessage, response: ServerResponse): void => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    };
    const { service } = await against(flood, { http: { maxBodyMib: 0.5 } });
    expect(await errorOf(service.send(UPDATE_V4))).toMatchObject({ category: 'malformed', mayHaveWritten: 'maybe' });
  });

  it('may arrive in chunks that split characters', async () => {
    const bytes = Buffer.from('{"desc":"é😀"}');
    const { service } = await against((_request, response) => {
      const rest = (index: number): void => {
        if (index === bytes.length) response.end();
        else response.write(bytes.subarray(index, index + 1), () => rest(index + 1));
      };
      rest(0);
    });
    expect((await service.send(READ_V4)).body).toEqual({ desc: 'é😀' });
  });

  it('must be UTF-8, with or without a byte order mark', async () => {
    const latin = await against(answering(Buffer.from('{"desc":"\xe9"}', 'latin1')));
    expect(await errorOf(latin.service.send(READ_V4))).toMatchObject({
      category: 'malformed',
      message: expect.stringContaining('not UTF-8'),
    });
    const marked = await against(answering('\ufeff{"error":0}'));
    expect((await marked.service.send(READ_V3)).body).toEqual({ error: 0 });
  });
});

describe('an informational answer', () => {
  const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 13\r\n\r\n{"late":true}';
  const late = { status: 200, body: { late: true } };

  /** Sends these texts as an answer, one after the other, each in a packet of its own. */
  const sending =
    (...parts: readonly string[]): RequestListener =>
    ({ socket }) => {
      const send = (index: number): void => {
        if (index < parts.length) socket.write(parts[index] ?? '', () => setImmediate(() => send(index + 1)));
      };
      send(0);
    };

  it.each([
    ['100', ['HTTP/1.1 100 Continue\r\n\r\n', answer]],
    ['100 with headers', ['HTTP/1.1 100 Continue\r\nx-proxy: a\r\n\r\n', answer]],
    ['102 and 103 behind it', ['HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', answer]],
    ['100 twice, in the packet of the answer', [`${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(2)}${answer}`]],
    ['100 in many packets', [...`HTTP/1.1 100 Continue\r\n\r\n${answer}`]],
  ])('is skipped, and the one behind it is read: %s', async (_name, parts) => {
    const { service } = await against(sending(...parts), { http: { giveUpSeconds: 0 } });
    expect(await service.send(CREATE_V4)).toEqual(late);
    expect(await service.send(READ_V4)).toEqual(late);
  });

  it('is skipped where a proxy is on the way', async () => {
    const proxy = createServer().on('connect', (_request, socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.on('data', () => void socket.write(`HTTP/1.1 100 Continue\r\n\r\n${answer}`)).on('end', () => socket.destroy());
    });
    const { service } = createTestClient({ baseUrl: 'http://127.0.0.1:9', proxy: await listeningOn(proxy), http: { giveUpSeconds: 0 } });
    expect(await service.send(CREATE_V4)).toEqual(late);
    await service.close();
  });

  it('that nothing follows is a broken connection, and a write may have happened', async () => {
    const { service } = await against(({ socket }) => void socket.end('HTTP/1.1 100 Continue\r\n\r\n'), { http: { giveUpSeconds: 0 } });
    expect(await errorOf(service.send(CREATE_V4))).toMatchObject({ category: 'unreachable', mayHaveWritten: 'maybe' });
  });

  it('without an end is no answer', async () => {
    const { service } = await against(sending(`HTTP/1.1 100 Continue\r\n${'x: y\r\n'.repeat(20_000)}`), { http: { giveUpSeconds: 0 } });
    expect(await errorOf(service.send(CREATE_V4))).toMatchObject({ category: 'unreachable', mayHaveWritten: 'maybe' });
  });

  it('within the body of an answer is a part of the body', async () => {
    const [head, begin, end] = ['HTTP/1.1 200 OK\r\ncontent-length: 30\r\n\r\n', '["', 'HTTP/1.1 100 Continue a b"]\n'];
    const { service } = await against(sending(head, begin, ...end), { http: { giveUpSeconds: 0 } });
    expect((await service.send(READ_V4)).body).toEqual(['HTTP/1.1 100 Continue a b']);
  });

  it('that switches protocols is an error that says so; a write may have happened', async () => {
    const switching = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n';
    const { service } = await against(sending(switching, answer), { http: { giveUpSeconds: 0 } });
    const advice = 'Find out which server or proxy in front of the service sends it, and switch it off there.';
    const what = 'the service sent HTTP 101 Switching Protocols before its answer, unasked';
    const write = await errorOf(service.send(CREATE_V4));
    expect(write).toMatchObject({ category: 'malformed', mayHaveWritten: 'maybe', status: 101, advice, what });
    expect(await errorOf(service.send(READ_V4))).toMatchObject({ mayHaveWritten: 'no', what });
  });
});

describe('a redirect', () => {
  it('is never followed', async () => {
    let visits = 0;
    const elsewhere = await listening((_request, response) => {
      visits++;
      response.end('{}');
    });
    const { service } = await against(
      (request, response) => void response.writeHead(307, { location: `${elsewhere}${request.url}` }).end(),
    );
    const error = await errorOf(service.send(UPDATE_V4));
    expect(error).toMatchObject({ category: 'malformed', status: 307, message: expect.stringContaining(elsewhere) });
    expect(error.message).not.toContain('msg=');
    expect(visits).toBe(0);
  });
});

describe('a request', () => {
  it('has user agent and accept headers, asks for compression, and has a path below that of base_url', async () => {
    const asked: [string | undefined, IncomingMessage['headers']][] = [];
    const base = await listening((request, response) => {
      asked.push([request.url, request.headers]);
      response.end('{}');
    });
    const { service } = createTestClient({ baseUrl: `${base}/behind/it//` });
    cleanUpAfterTest(() => service.close());
    await service.send(READ_V4);
    expect(asked).toEqual([
      [
        expect.stringMatching(/^\/behind\/it\/api\/v4\/things\?msg=/),
        expect.objectContaining({ accept: 'application/json', 'accept-encoding': 'gzip, br', 'user-agent': 'upkeep' }),
      ],
    ]);
  });
});

describe('the failure of a request without a response', () => {
  const failing = (error: Error) => {
    const agent = new MockAgent();
    agent.disableNetConnect();
    cleanUpAfterTest(() => agent.close());
    agent.get(ORIGIN).intercept({ method: 'POST', path: /.*/ }).replyWithError(error).times(2);
    return errorOf(createTestClient({ dispatcher: agent, http: { giveUpSeconds: 0.01 } }).service.send(CREATE_V4));
  };
  const coded = (code: string, more = {}) => Object.assign(new Error('broken'), { code, ...more });
  const certificate = 'Check base_url; where the certificate comes from an authority of your own, name it in NODE_EXTRA_CA_CERTS.';
  const unreachable = 'Check base_url, and that this machine reaches it (name, network, proxy, firewall); then run again.';
  const unknownHost = 'Check the name in base_url, and the name servers of this machine.';
  const broke = 'Run again: upkeep reads first, and recognizes what was written.';

  it.each([
    [
      'a foreign certificate',
      coded('DEPTH_ZERO_SELF_SIGNED_CERT'),
      'no',
      `the certificate of ${ORIGIN} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)`,
      certificate,
    ],
    [
      'an unknown name',
      coded('ENOTFOUND', { syscall: 'getaddrinfo' }),
      'no',
      `cannot resolve ${new URL(ORIGIN).hostname} (after 2 tries)`,
      unknownHost,
    ],
    [
      'a connection that takes too long',
      coded('UND_ERR_CONNECT_TIMEOUT'),
      'no',
      `no connection to ${ORIGIN} (UND_ERR_CONNECT_TIMEOUT)`,
      unreachable,
    ],
    [
      'several addresses in vain',
      new AggregateError([coded('ECONNREFUSED', { syscall: 'connect' }), coded('x')]),
      'no',
      `no connection to ${ORIGIN} (ECONNREFUSED)`,
      unreachable,
    ],
    ['no address at all', new AggregateError([]), 'maybe', `the connection to ${ORIGIN} broke before the answer was complete`, broke],
    [
      'a code that only ends like one',
      coded('BAD_CERT_', { syscall: 'read' }),
      'maybe',
      `the connection to ${ORIGIN} broke before the answer was complete (BAD_CERT_)`,
      broke,
    ],
    ['no code', new Error('gone'), 'maybe', `the connection to ${ORIGIN} broke before the answer was complete`, broke],
  ] as const)('names the cause: %s', async (_name, cause, written, what, advice) => {
    const error = await failing(cause);
    expect(error).toMatchObject({ category: 'unreachable', mayHaveWritten: written, message: `POST /api/v4/things: ${what}`, advice });
  });

  it('names the timeout, or the maximum size of the body', async () => {
    const late = await against(() => {}, { http: { timeoutSeconds: 0.05, giveUpSeconds: 0 } });
    expect((await errorOf(late.service.send(READ_V4))).advice).toBe(
      'Run again; where the service is known to be slow, raise http.timeout_seconds and http.give_up_seconds.',
    );
    const large = await against(answering('x'.repeat(1025)), { http: { maxBodyMib: 1 / 1024 } });
    const error = await errorOf(large.service.send(READ_V4));
    expect(error.message).toBe('GET /api/v4/things: the answer is larger than 0.0009765625 MiB');
    expect(error.advice).toMatch(/concluded from this answer\. If the account is that large, raise http\.max_body_mib\.$/);
  });
});
