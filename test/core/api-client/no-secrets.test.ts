import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { MockAgent } from 'undici';
import { describe, expect, it } from 'vitest';
import { API_KEY, CREATE_V4, createTestClient, errorOf, ORIGIN, OWNER, READ_V3, READ_V4, UPDATE_V3 } from './harness.ts';
import { against, listening } from './servers.ts';

describe('secrets', () => {
  /** Answers that repeat whatever came in, in every way that is seen in the wild. */
  const echoes: [string, (request: string, response: ServerResponse) => void][] = [
    [
      'error text of v4',
      (text, response) => void response.writeHead(400).end(JSON.stringify({ title: `no: ${text} for ${API_KEY} of ${OWNER}` })),
    ],
    [
      'error text of v3',
      (text, response) => void response.writeHead(200).end(JSON.stringify({ error: 1, msg: `no: ${text} (${API_KEY})` })),
    ],
    ['long error text', (text, response) => void response.writeHead(409).end(JSON.stringify({ title: `${'-'.repeat(440)}${text}` }))],
    ['HTML page', (text, response) => void response.writeHead(200).end(`<p>${text}${API_KEY}</p>`)],
    ['cut JSON', (text, response) => void response.writeHead(200).end(`{"${text}`)],
    [
      'redirect',
      (text, response) => void response.writeHead(302, { location: `https://x.example/${encodeURIComponent(text)}?${API_KEY}` }).end(),
    ],
    ['relative redirect', (text, response) => void response.writeHead(302, { location: `/${encodeURIComponent(text)}` }).end()],
  ];

  it.each(echoes)('stay hidden in %s', async (_name, echo) => {
    const seen = new Set<string>();
    const { service, events } = await against((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const sent = `${request.url?.split('?')[1] ?? ''}&${Buffer.concat(chunks).toString('latin1')}`;
        const members = new URLSearchParams(sent);
        for (const name of ['msg', 'sig']) seen.add(members.get(name) ?? '');
        echo(`${sent} ${members.get('msg')} ${members.get('sig')}`, response);
      });
    });
    for (const request of [READ_V3, READ_V4, UPDATE_V3, CREATE_V4]) {
      const error = await service.send(request).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expectHidden(inspect([error, events], { depth: 20, showHidden: true, maxStringLength: null }), [...seen, API_KEY, OWNER]);
    }
    expect(seen.size).toBeGreaterThanOrEqual(8);
  });

  it('stay hidden in the response to another client of the same run while their request is in flight', async () => {
    const seen = new Set<string>();
    let arrived = (): void => undefined;
    const first = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    let held: ServerResponse | undefined;
    const signatures = new Set<string>();
    const baseUrl = await listening((request, response) => {
      const members = new URLSearchParams(request.url?.split('?')[1] ?? '');
      if (held) return void response.writeHead(409).end(JSON.stringify({ title: `no: ${[...seen].join(' ')}` }));
      for (const name of ['msg', 'sig']) seen.add(members.get(name) ?? '');
      held = response;
      arrived();
    });
    const [one, other] = [createTestClient({ baseUrl, signatures }), createTestClient({ baseUrl, signatures })];
    const waiting = one.service.send(READ_V4);
    await first;
    const error = await errorOf(other.service.send(READ_V4));
    expect(seen.size).toBe(2);
    expect(error.message).toContain('[hidden]');
    expectHidden(inspect([error, other.events], { depth: 20, maxStringLength: null }), [...seen]);
    held?.writeHead(200).end('{}');
    await waiting;
    expect(signatures.size).toBe(0);
    await Promise.all([one, other].map(({ service }) => service.close()));
  });

  it('stay hidden in the causes of connection errors', async () => {
    const agent = new MockAgent();
    agent.disableNetConnect();
    agent.get(ORIGIN).intercept({ path: '/nothing' }).reply(200);
    const { service } = createTestClient({ dispatcher: agent });
    const error = await errorOf(service.send(CREATE_V4));
    expect(error.cause).toMatchObject({ message: expect.stringContaining('[hidden]') });
    expect(inspect(error, { depth: 20, showHidden: true })).not.toMatch(/msg=(?!\[hidden)|sig=(?!\[hidden)/);
    await agent.close();
  });

  /** No secret, and no stretch of 16 characters of one, in either encoding. */
  function expectHidden(text: string, secrets: readonly string[]): void {
    for (const secret of secrets) {
      for (const form of [secret, encodeURIComponent(secret)]) {
        const stretches = Array.from({ length: Math.max(1, form.length - 15) }, (_, index) => form.slice(index, index + 16));
        expect(stretches.filter((stretch) => stretch !== '' && text.includes(stretch))).toEqual([]);
      }
    }
  }
});
