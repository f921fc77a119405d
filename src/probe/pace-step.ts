/** The third step of a probe: a slow ramp of reads, which ends at the first 429 or at three times the configured rate. */
import type { Found } from './answers.ts';
import { notFound } from './answers.ts';
import type { ProbeRequest, ProbeService } from './exchange.ts';

/** The cheapest read of the service. */
const READ: ProbeRequest = { name: 'pace', method: 'GET', path: '/api/v3/drm/use-static-encryption-key' };

/** The levels of the ramp, as parts of the configured rate. */
export const LEVELS = [0.25, 0.5, 1, 1.5, 2, 3];
/** How long each level takes, seconds. */
const LEVEL_SECONDS = 3;
/** The rate from which the ramp is built where none is configured, requests a second. */
const DEFAULT_RATE = 10;

/** Returns the rates of the ramp for a configured rate, requests a second; 0 = unlimited. */
export function paceLevels(configured: number): readonly number[] {
  return LEVELS.map((part) => part * (configured || DEFAULT_RATE));
}

/** Returns the largest number of requests of the ramp. */
export function paceRequests(configured: number): number {
  return paceLevels(configured).reduce((sum, rate) => sum + requestsAt(rate), 0);
}

function requestsAt(rate: number): number {
  return Math.max(1, Math.round(rate * LEVEL_SECONDS));
}

/** The result of the ramp: the answer, and the rate to be configured where the service accepts less than that. */
export interface PaceResult {
  readonly answer: Found;
  readonly rate: number | null;
}

/**
 * Sends reads at growing rates, also while earlier ones are not answered yet, until one is answered with 429, or one is not answered at all.
 */
export async function searchPace(service: ProbeService, configured: number): Promise<PaceResult> {
  const { connection } = service;
  let accepted = 0;
  for (const rate of paceLevels(configured)) {
    const outcome = await sendAt(service, rate);
    if (connection.signal.aborted) return { answer: notFound('interrupted'), rate: null };
    if (outcome === 'failed') return { answer: notFound('a read was not answered'), rate: null };
    if (outcome === 'throttled') {
      const answer = { found: `${accepted} a second`, detail: `429 at ${rate} a second` };
      const isEnough = configured > 0 && accepted >= configured;
      return { answer, rate: isEnough ? null : Math.max(1, Math.floor(accepted)) };
    }
    accepted = rate;
  }
  return { answer: { found: `${accepted} a second`, detail: 'no 429' }, rate: null };
}

/** Sends the reads of one level, each at its time. The first refusal ends the level. */
async function sendAt(service: ProbeService, rate: number): Promise<'accepted' | 'throttled' | 'failed'> {
  const { sleep, elapsed, signal } = service.connection;
  let outcome: 'accepted' | 'throttled' | 'failed' = 'accepted';
  const inFlight: Promise<void>[] = [];
  const startedAt = elapsed();
  for (let index = 0; index < requestsAt(rate); index++) {
    const wait = startedAt + (index * 1000) / rate - elapsed();
    if (wait > 0) await sleep(wait);
    if (outcome !== 'accepted' || signal.aborted) break;
    inFlight.push(
      service.status(READ).then((status) => {
        if (status === 429) outcome = 'throttled';
        else if (status === null && outcome === 'accepted') outcome = 'failed';
      }),
    );
  }
  await Promise.all(inFlight);
  const rest = startedAt + LEVEL_SECONDS * 1000 - elapsed();
  if (outcome === 'accepted' && rest > 0) await sleep(rest);
  return outcome;
}
