/** Random disruptions of a run: faults, edits by hand and interruptions, mostly where they could do harm. */
import fc from 'fast-check';
import type { FaultRule } from '../../src/emulator/server.ts';
import type { Boundary } from '../support/proxy.ts';
import { type HandEdit, handEdit, plannedObjectEdit } from './edits.ts';

/** An interruption of a run: by the user, by the network from that request on, or by SIGKILL. */
export interface Interruption {
  readonly by: 'abort' | 'outage' | 'kill';
  /** Number of the request, from 1. */
  readonly nth: number;
  readonly boundary: Boundary;
}

/** An edit by hand during a run. */
export interface ConcurrentEdit {
  readonly edit: HandEdit;
  /** The number of requests after the reads of a plan at which it is made; below 1 during these reads. */
  readonly after: number;
  /** Seconds by which the clock of a run advances that sends one request at a time. */
  readonly seconds: number;
}

/** One apply and its disruptions. */
export interface DisruptedRun {
  readonly faults: readonly FaultRule[];
  readonly edits: readonly ConcurrentEdit[];
  readonly interruption: Interruption | null;
  readonly allow: readonly string[];
  readonly skipBlocked: boolean;
  /** Whether a saved plan is applied, instead of what is found then. */
  readonly useSavedPlan: boolean;
}

/** The safety checks that an undisturbed run overrides. */
export const OVERRIDABLE_CHECKS = ['deletes', 'updates', 'playback-loss', 'weakening', 'first-apply', 'suspicious-read', 'unknown-fields'];

/** The list of playlists, and where all but those of one asset are created. */
export const PLAYLISTS = '/api/v4/linear-playlist';

/** What goes wrong with one request; nothing here lies about what is there. */
const requestFault: fc.Arbitrary<FaultRule> = fc.oneof(
  fc.constantFrom<FaultRule>({ reset: 'before' }, { reset: 'after' }, { truncateBody: true }, { empty: true }),
  fc.constantFrom<FaultRule>({ stall: 'headers' }, { stall: 'body' }, { contentLength: 'long' }, { delayMs: 30 }),
  fc
    .tuple(fc.constantFrom(400, 401, 403, 408, 409, 413, 500, 502, 503, 504), fc.boolean())
    .map(([status, afterWrite]): FaultRule => ({ status, body: '', ...(afterWrite ? { afterWrite: true } : {}) })),
  fc.boolean().map((afterWrite): FaultRule => ({ html: true, ...(afterWrite ? { afterWrite: true } : {}) })),
  fc.boolean().map((afterWrite): FaultRule => ({ error: { code: 1, msg: 'not now' }, ...(afterWrite ? { afterWrite: true } : {}) })),
  fc.constantFrom('0', '1').map((after): FaultRule => ({ status: 429, headers: { 'retry-after': after }, body: '' })),
);

const smallNumber = fc.integer({ min: 1, max: 4 });
const anyNumber = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 40 }));

/** The request that meets a fault: any, one of the lookups, and mostly writes, of which there are few. */
const requestPlace: fc.Arbitrary<Pick<FaultRule, 'method' | 'path' | 'nth'>> = fc.oneof(
  fc.record({ nth: anyNumber }),
  fc.record({ method: fc.constant('GET'), path: fc.constant(`${PLAYLISTS}*`), nth: fc.integer({ min: 2, max: 8 }) }),
  {
    weight: 3,
    arbitrary: fc.record({
      method: fc.constant('POST'),
      path: fc.constantFrom(PLAYLISTS, '/api/v4/smart-start', '/api/v3/*'),
      nth: smallNumber,
    }),
  },
  { weight: 2, arbitrary: fc.record({ method: fc.constantFrom('POST', 'PATCH', 'DELETE'), nth: smallNumber }) },
);

/** A create that takes effect and whose response is lost: it must never lead to a second one. */
const lostCreate = fc.record<FaultRule>({
  method: fc.constant('POST'),
  path: fc.constant(PLAYLISTS),
  nth: smallNumber,
  reset: fc.constant('after'),
});

const requestFaults = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.tuple(requestFault, requestPlace).map(([rule, request]): FaultRule => ({ ...rule, ...request })),
    },
    { weight: 1, arbitrary: lostCreate },
  ),
  { maxLength: 4 },
);

/** An incomplete list: alone in its run, since two of them can look like an empty account. */
const incompleteList = fc
  .record({
    adjusted: fc.boolean(),
    where: fc.oneof(
      fc.constant<FaultRule>({ method: 'GET', path: PLAYLISTS, nth: 1 }),
      anyNumber.map((nth): FaultRule => ({ nth })),
    ),
  })
  .map(({ adjusted: adjustTotal, where: request }): FaultRule[] => [
    { ...request, truncateList: true, ...(adjustTotal ? { adjustTotal: true } : {}) },
  ]);

const faults = fc.oneof({ weight: 6, arbitrary: requestFaults }, { weight: 1, arbitrary: incompleteList });

/** What goes wrong with the reads of a plan. */
export const readFaults: fc.Arbitrary<readonly FaultRule[]> = fc.array(
  fc.tuple(requestFault, fc.integer({ min: 1, max: 8 })).map(([rule, nth]): FaultRule => ({ ...rule, nth })),
  { minLength: 1, maxLength: 3 },
);

/** Returns interruptions by one of these. */
export function interruptionBy(...by: readonly Interruption['by'][]): fc.Arbitrary<Interruption> {
  return fc.record({ by: fc.constantFrom(...by), nth: anyNumber, boundary: fc.constantFrom('before' as const, 'after' as const) });
}

const concurrentEdit: fc.Arbitrary<ConcurrentEdit> = fc.record({
  edit: fc.oneof({ weight: 3, arbitrary: plannedObjectEdit }, { weight: 1, arbitrary: handEdit }),
  after: fc.integer({ min: -3, max: 6 }),
  seconds: fc.constantFrom(0, 40, 40),
});

/** A disrupted run, with this interruption. Where time passes there is no fault, as the reads then decide what may be written. */
export function disruptedRun(interruption: fc.Arbitrary<Interruption | null>): fc.Arbitrary<DisruptedRun> {
  return fc
    .record({
      faults,
      edits: fc.array(concurrentEdit, { maxLength: 1 }),
      interruption,
      allow: fc.oneof({ weight: 2, arbitrary: fc.constant(OVERRIDABLE_CHECKS) }, { weight: 1, arbitrary: fc.subarray(OVERRIDABLE_CHECKS) }),
      skipBlocked: fc.boolean(),
      useSavedPlan: fc.boolean(),
    })
    .map((run) => (run.edits.some(({ seconds }) => seconds > 0) ? { ...run, faults: [] } : run));
}
