import type { ProbeConnection } from '../../src/probe/exchange.ts';

/** A connection of a probe without its transport, in which no time passes and nothing is hidden. */
export const PLAIN_CONNECTION: Omit<ProbeConnection, 'transport'> = {
  baseUrl: 'https://service.example',
  credentials: { owner: 'me', apiKey: 'a key of the account' },
  signatureIn: 'query',
  v3Post: 'form',
  requestsPerSecond: 0,
  timeoutMs: 1_000,
  now: () => 0,
  elapsed: () => 0,
  sleep: async () => undefined,
  redact: (text) => text,
  signal: new AbortController().signal,
};
