/** Sends notifications: signed, within seconds, without redirects. The address of a receiver is a secret, and in no result. */
import { createHmac } from 'node:crypto';
import { sleep as waitFor } from '../../core/api-client/monotonic.ts';
import { createRedactor } from '../../core/api-client/redact.ts';
import { retryAfterMs } from '../../core/api-client/retry.ts';
import { createTransport, type HttpResponse, type TransportOptions } from '../../core/api-client/transport.ts';

/** Longest duration of one attempt, milliseconds. */
export const TIMEOUT_MS = 5_000;

/** Maximum number of attempts. Only a notification that was certainly not taken is sent again. */
export const MAX_ATTEMPTS = 3;

/** Delay before the second attempt, milliseconds; twice that before the third. */
const BACKOFF_MS = 500;

/** Longest `Retry-After` that is waited for, milliseconds. */
const MAX_WAIT_MS = 5_000;

/** The responses of a receiver, or of a gateway in front of it, that has not taken a notification. */
const NOT_TAKEN: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** A receiver. */
export interface Receiver {
  readonly url: URL;
  /** The key of the signatures; null for none. */
  readonly secret: string | null;
}

/** How notifications are sent. */
export interface SendOptions extends Pick<TransportOptions, 'fetch' | 'proxy'> {
  /** Unix milliseconds. */
  now(): number;
  /** Once aborted, nothing is sent again. */
  readonly signal: AbortSignal;
  /** Waits before another attempt, by default for real. */
  sleep?(ms: number, signal: AbortSignal): Promise<void>;
}

/** Sends the body of a notification. Returns why it was not taken, a clause; null where it was. */
export async function sendNotification({ url, secret }: Receiver, body: string, options: SendOptions): Promise<string | null> {
  const { now, signal, fetch, proxy, sleep = waitFor } = options;
  const transport = createTransport({ baseUrl: url.origin, connections: 1, maxBodyMib: 1, fetch, proxy });
  const redact = createRedactor([url.href, ...(secret === null ? [] : [secret])]);
  const path = url.pathname + url.search;
  try {
    for (let attempt = 1; ; attempt += 1) {
      const headers = { 'content-type': 'application/json', ...signatureHeaders(secret, body, now()) };
      const result = await transport.exchange({ method: 'POST', path, headers, body }, TIMEOUT_MS, redact);
      if (!('category' in result) && result.status >= 200 && result.status < 300) return null;
      const isTaken = 'category' in result ? !result.notReceived || result.retryClass === 'never' : !NOT_TAKEN.has(result.status);
      const waitMs = Math.max(
        BACKOFF_MS * 2 ** (attempt - 1),
        'category' in result ? 0 : (retryAfterMs(result.header('retry-after'), now()) ?? 0),
      );
      if (isTaken || attempt === MAX_ATTEMPTS || waitMs > MAX_WAIT_MS || signal.aborted) {
        return 'category' in result ? withoutAddress(result.what, url) : refusal(result);
      }
      await sleep(waitMs, signal);
    }
  } finally {
    await transport.close();
  }
}

/**
 * Returns the headers that prove who sent a body, and when: the HMAC-SHA256 of the time, a dot and the body, in hexadecimal. `now` in Unix
 * milliseconds.
 */
function signatureHeaders(secret: string | null, body: string, now: number): { readonly [name: string]: string } {
  if (secret === null) return {};
  const timestamp = String(Math.floor(now / 1000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { 'x-upkeep-timestamp': timestamp, 'x-upkeep-signature': `sha256=${signature}` };
}

function refusal({ status }: HttpResponse): string {
  return status >= 300 && status < 400 ? `it redirects (HTTP ${status}), and redirects are never followed` : `it answered HTTP ${status}`;
}

function withoutAddress(what: string, { origin, host, hostname }: URL): string {
  return [origin, host, hostname].reduce((text, part) => text.replaceAll(part, 'its address'), what);
}
