/** Random bad days: what goes wrong while a run is under way, aimed at where it could do harm. */
import fc from 'fast-check';
import type { FaultRule } from '../../src/emulator/server.ts';
import type { Boundary } from '../support/proxy.ts';
import { editOfWritten, type HandEdit, handEdit } from './edits.ts';

/** How a run is cut short: by the user, by the network from that request on, or by SIGKILL. */
export interface Cut {
  readonly by: 'abort' | 'outage' | 'kill';
  /** Number of the request, from 1. */
  readonly nth: number;
  readonly boundary: Boundary;
}

/** An edit by hand while a run is under way. */
export interface Meanwhile {
  readonly edit: HandEdit;
  /** At how many requests after the reads of a plan it is made; below 1 while they are under way. */
  readonly after: number;
  /** Seconds that pass meanwhile on the clock of a run that sends one request at a time. */
  readonly seconds: number;
}

/** One apply and the day on which it runs. */
export interface BadRun {
  readonly faults: readonly FaultRule[];
  readonly edits: readonly Meanwhile[];
  readonly cut: Cut | null;
  readonly allow: readonly string[];
  readonly skipBlocked: boolean;
  /** Whether a saved plan is applied, instead of what is found then. */
  readonly saved: boolean;
}

/** The brakes that a quiet run releases. */
export const BRAKES = ['deletes', 'updates', 'loosening', 'suspicious-read', 'unknown-fields'];

/** The list of playlists, and where all but those of one asset are created. */
export const PLAYLISTS = '/api/v4/linear-playlist';

/** What goes wrong with one request; nothing here lies about what is there. */
const mishap: fc.Arbitrary<FaultRule> = fc.oneof(
  fc.constantFrom<FaultRule>({ reset: 'before' }, { reset: 'after' }, { truncateBody: true }, { empty: true }),
  fc.constantFrom<FaultRule>({ stall: 'headers' }, { stall: 'body' }, { contentLength: 'long' }, { delayMs: 30 }),
  fc
    .tuple(fc.constantFrom(400, 401, 403, 408, 409, 413, 500, 502, 503, 504), fc.boolean())
    .map(([status, late]): FaultRule => ({ status, body: '', ...(late ? { afterWrite: true } : {}) })),
  fc.boolean().map((late): FaultRule => ({ html: true, ...(late ? { afterWrite: true } : {}) })),
  fc.boolean().map((late): FaultRule => ({ error: { code: 1, msg: 'not now' }, ...(late ? { afterWrite: true } : {}) })),
  fc.constantFrom('0', '1').map((after): FaultRule => ({ status: 429, headers: { 'retry-after': after }, body: '' })),
);

const few = fc.integer({ min: 1, max: 4 });
const anywhere = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 40 }));

/** Where it goes wrong: anywhere, at the reads that look for something, and mostly at writes, of which there are few. */
const place: fc.Arbitrary<Pick<FaultRule, 'method' | 'path' | 'nth'>> = fc.oneof(
  fc.record({ nth: anywhere }),
  fc.record({ method: fc.constant('GET'), path: fc.constant(`${PLAYLISTS}*`), nth: fc.integer({ min: 2, max: 8 }) }),
  {
    weight: 3,
    arbitrary: fc.record({ method: fc.constant('POST'), path: fc.constantFrom(PLAYLISTS, '/api/v4/smart-start', '/api/v3/*'), nth: few }),
  },
  { weight: 2, arbitrary: fc.record({ method: fc.constantFrom('POST', 'PATCH', 'DELETE'), nth: few }) },
);

/** A create that takes place and whose answer is lost: what must never lead to a second one. */
const lostCreate = fc.record<FaultRule>({
  method: fc.constant('POST'),
  path: fc.constant(PLAYLISTS),
  nth: few,
  reset: fc.constant('after'),
});

const mishaps = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.tuple(mishap, place).map(([rule, where]): FaultRule => ({ ...rule, ...where })),
    },
    { weight: 1, arbitrary: lostCreate },
  ),
  { maxLength: 4 },
);

/** A list that is shorter than the truth: alone in its run, since two lies at once can look like an empty account. */
const lie = fc
  .record({
    adjusted: fc.boolean(),
    where: fc.oneof(
      fc.constant<FaultRule>({ method: 'GET', path: PLAYLISTS, nth: 1 }),
      anywhere.map((nth): FaultRule => ({ nth })),
    ),
  })
  .map(({ adjusted, where }): FaultRule[] => [{ ...where, truncateList: true, ...(adjusted ? { adjustTotal: true } : {}) }]);

const faults = fc.oneof({ weight: 6, arbitrary: mishaps }, { weight: 1, arbitrary: lie });

/** What goes wrong with the reads of a plan. */
export const readFaults: fc.Arbitrary<readonly FaultRule[]> = fc.array(
  fc.tuple(mishap, fc.integer({ min: 1, max: 8 })).map(([rule, nth]): FaultRule => ({ ...rule, nth })),
  { minLength: 1, maxLength: 3 },
);

/** A cut by one of these. */
export function cutBy(...by: readonly Cut['by'][]): fc.Arbitrary<Cut> {
  return fc.record({ by: fc.constantFrom(...by), nth: anywhere, boundary: fc.constantFrom('before' as const, 'after' as const) });
}

const meanwhile: fc.Arbitrary<Meanwhile> = fc.record({
  edit: fc.oneof({ weight: 3, arbitrary: editOfWritten }, { weight: 1, arbitrary: handEdit }),
  after: fc.integer({ min: -3, max: 6 }),
  seconds: fc.constantFrom(0, 40, 40),
});

/** A run on a bad day, which this may cut. Where time passes nothing else goes wrong: what reads showed decides what may be written then. */
export function badRun(cut: fc.Arbitrary<Cut | null>): fc.Arbitrary<BadRun> {
  return fc
    .record({
      faults,
      edits: fc.array(meanwhile, { maxLength: 1 }),
      cut,
      allow: fc.oneof({ weight: 2, arbitrary: fc.constant(BRAKES) }, { weight: 1, arbitrary: fc.subarray(BRAKES) }),
      skipBlocked: fc.boolean(),
      saved: fc.boolean(),
    })
    .map((day) => (day.edits.some(({ seconds }) => seconds > 0) ? { ...day, faults: [] } : day));
}
