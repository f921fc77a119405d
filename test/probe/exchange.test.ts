/** What a probe tells of its requests, for logs and traces. */
import { expect, test } from 'vitest';
import type { ApiClientEvent } from '../../src/core/api-client/client.ts';
import type { HttpRequest, HttpResponse } from '../../src/core/api-client/transport.ts';
import type { ProbeRequest } from '../../src/core/kinds/probe.ts';
import { createProbeService } from '../../src/probe/exchange.ts';
import { PLAIN_CONNECTION } from './plain-connection.ts';

const KEY = 'a key of the account';
const READ: ProbeRequest = { name: 'read', method: 'GET', path: '/api/v3/drm/policies' };

/** Sends a request to a service that answers with `respond`. Returns the events. */
async function eventsOf(request: ProbeRequest, respond: (wire: HttpRequest) => Partial<HttpResponse>): Promise<readonly ApiClientEvent[]> {
  const events: ApiClientEvent[] = [];
  const service = createProbeService({
    transport: {
      exchange: async (wire) => ({ status: 200, bytes: new Uint8Array(), header: () => undefined, ...respond(wire) }),
    },
    ...PLAIN_CONNECTION,
    credentials: { owner: 'me', apiKey: KEY },
    redact: (text) => text.replaceAll(KEY, '***'),
    onAttempt: (event) => events.push(event),
  });
  await service.send(request);
  return events;
}

const json = (body: unknown): Partial<HttpResponse> => ({ bytes: Buffer.from(JSON.stringify(body)) });

test('an answered request is told once, with its path and without its query', async () => {
  const [event, ...more] = await eventsOf({ ...READ, query: { limit: '1' } }, () => json({ error: 0, configs: [] }));
  expect(more).toEqual([]);
  expect(event).toMatchObject({ method: 'GET', path: READ.path, status: 200, attempt: 1, failure: null, retryInMs: null });
  expect(event?.detail()).toMatchObject({ responseBody: '{error: number, configs: []}' });
});

test('a refusal is told with its reason, and the second attempt with its number', async () => {
  const events = await eventsOf(READ, () => ({ status: 403, ...json({ msg: 'no' }) }));
  expect(events.map(({ attempt, status, failure }) => [attempt, status, failure?.category])).toEqual([
    [1, 403, 'credentials'],
    [2, 403, 'credentials'],
  ]);
});

test('neither the key nor the signature of a request is told where the service repeats them', async () => {
  const sent: string[] = [];
  const events = await eventsOf(READ, ({ path }) => {
    const { searchParams } = new URL(path, 'https://service.example');
    const signature = searchParams.get('sig') ?? '';
    sent.push(signature);
    return { status: 400, ...json({ title: `${KEY} ${signature}`, [signature]: 1 }) };
  });
  expect(sent.filter((signature) => signature.length < 32)).toEqual([]);
  const told = JSON.stringify(events.map((event) => [event, event.detail()]));
  expect([KEY, ...sent].filter((secret) => told.includes(secret))).toEqual([]);
});
