import { inflateSync } from 'node:zlib';
import { type ApiClient, type ApiClientEvent, type ApiClientOptions, createApiClient } from '../../../src/core/api-client/client.ts';
import { ApiError } from '../../../src/core/api-client/errors.ts';
import type { ApiRequest } from '../../../src/core/api-client/request.ts';

export const ORIGIN = 'https://services.example.com';
export const OWNER = '0123456789abcdef0123456789abcdef';
export const API_KEY = 'CanaryKey/Which+Nobody=May0See0Anywhere00';
/** Unix milliseconds at which every fake clock starts. */
export const START = 1_700_000_000_000;

/** A clock that only moves when somebody sleeps. */
export function fakeClock() {
  let time = START;
  const slept: number[] = [];
  return {
    slept,
    now: () => time,
    advance(ms: number): void {
      time += ms;
    },
    async sleep(ms: number): Promise<void> {
      slept.push(ms);
      time += ms;
    },
  };
}

type Clock = ReturnType<typeof fakeClock>;

/** Options that a test may set; the others are fixed and deterministic. */
export type Settings = Partial<Omit<ApiClientOptions, 'http'>> & {
  readonly http?: Partial<ApiClientOptions['http']>;
  readonly clock?: Clock;
};

export interface TestClient {
  readonly service: ApiClient;
  readonly clock: Clock;
  readonly events: ApiClientEvent[];
}

/** Creates a client with a fake clock, so that waits take no time, and with the maximum jitter. */
export function createTestClient(settings: Settings = {}): TestClient {
  const { clock = fakeClock(), http, ...options } = settings;
  const events: ApiClientEvent[] = [];
  const service = createApiClient({
    baseUrl: ORIGIN,
    credentials: { owner: OWNER, apiKey: API_KEY },
    v3Post: 'form',
    now: clock.now,
    sleep: clock.sleep,
    random: () => 1,
    onEvent: (event) => events.push(event),
    ...options,
    http: { concurrency: 4, requestsPerSecond: 0, timeoutSeconds: 10, giveUpSeconds: 20, maxBodyMib: 1, ...http },
  });
  return { service, clock, events };
}

export const READ_V4: ApiRequest = { method: 'GET', path: '/api/v4/things', repeatable: true };
export const READ_V3: ApiRequest = { method: 'GET', path: '/api/v3/things', repeatable: true };
export const CREATE_V4: ApiRequest = { method: 'POST', path: '/api/v4/things', body: { desc: 'Évening+block' }, repeatable: false };
export const UPDATE_V4: ApiRequest = { method: 'PATCH', path: '/api/v4/things/a%20b', body: { repeat: -1 }, repeatable: true };
export const UPDATE_V3: ApiRequest = { method: 'POST', path: '/api/v3/things/update', body: { names: ['a'] }, repeatable: true };
export const DELETE_V4: ApiRequest = { method: 'DELETE', path: '/api/v4/things/a', repeatable: false };

/** Returns the error of a request that must fail. */
export async function errorOf(sending: Promise<unknown>): Promise<ApiError> {
  try {
    await sending;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('the request succeeded');
}

/** Decodes the JSON in a `msg`. */
export function decodeMessage(msg: string | null): unknown {
  return JSON.parse(inflateSync(Buffer.from(msg ?? '', 'base64')).toString('utf8'));
}
