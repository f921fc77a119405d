/** Random histories of an account: several configurations one after another, each applied once on a bad day. */
import fc from 'fast-check';
import type { FaultRule } from '../../src/emulator/server.ts';
import type { Manners } from '../../src/kinds/emulation.ts';
import { type Fields, isFields, type Json } from '../../src/model/json.ts';
import type { Boundary } from '../proxy.ts';
import { account, manners } from './accounts.ts';
import { configuration } from './configurations.ts';
import { BYSTANDERS, type HandEdit, handEdit } from './edits.ts';

/** How a run is cut short: by the user, by the network from that request on, or by SIGKILL. */
export interface Cut {
  readonly by: 'abort' | 'outage' | 'kill';
  /** Number of the request, from 1. */
  readonly nth: number;
  readonly boundary: Boundary;
}

/** One apply and the day on which it runs. */
export interface BadRun {
  readonly faults: readonly FaultRule[];
  readonly edits: readonly { readonly nth: number; readonly edit: HandEdit }[];
  readonly cut: Cut | null;
  readonly allow: readonly string[];
  readonly skipHeld: boolean;
  /** Whether a saved plan is applied, instead of what is found then. */
  readonly saved: boolean;
}

/** A configuration, what people did before it was applied, and the apply. */
export interface Chapter {
  readonly sections: Fields;
  readonly byHand: readonly HandEdit[];
  readonly run: BadRun;
}

/** All that happens to one account. */
export interface History {
  readonly account: Fields;
  readonly manners: Partial<Manners>;
  readonly ownership: 'shared' | 'exclusive';
  readonly ledger: 'none' | 'git';
  readonly concurrency: number;
  /** Seconds. */
  readonly giveUp: number;
  readonly chapters: readonly Chapter[];
}

/** The brakes that a quiet run releases. */
export const BRAKES = ['deletes', 'updates', 'loosening', 'doubtful-read', 'reset-unknown'];

const nth = fc.integer({ min: 1, max: 40 });

/** What goes wrong with one request; nothing here lies about what is there. */
const mishap: fc.Arbitrary<FaultRule> = fc.oneof(
  fc.constantFrom<FaultRule>({ reset: 'before' }, { reset: 'after' }, { truncateBody: true }, { empty: true }),
  fc
    .tuple(fc.constantFrom(400, 401, 403, 408, 409, 413, 500, 502, 503, 504), fc.boolean())
    .map(([status, late]): FaultRule => ({ status, body: '', ...(late ? { afterWrite: true } : {}) })),
  fc.boolean().map((late): FaultRule => ({ html: true, ...(late ? { afterWrite: true } : {}) })),
  fc.boolean().map((late): FaultRule => ({ error: { code: 1, msg: 'not now' }, ...(late ? { afterWrite: true } : {}) })),
  fc.constantFrom('0', '1').map((after): FaultRule => ({ status: 429, headers: { 'retry-after': after }, body: '' })),
);
/** Where it goes wrong: at any request, or at a write, of which there are few. */
const place: fc.Arbitrary<Pick<FaultRule, 'method' | 'path' | 'nth'>> = fc.oneof(
  fc.record({ nth }),
  fc.record({ method: fc.constantFrom('POST', 'PATCH', 'DELETE'), nth: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ method: fc.constant('POST'), path: fc.constant('/api/v4/*'), nth: fc.integer({ min: 1, max: 3 }) }),
);
const mishaps = fc.array(
  fc.tuple(mishap, place).map(([rule, where]): FaultRule => ({ ...rule, ...where })),
  { maxLength: 4 },
);

/** A list that is shorter than the truth: alone in its run, since two lies at once can look like an empty account. */
const lie = fc
  .tuple(fc.boolean(), nth)
  .map(([adjusted, at]): FaultRule[] => [{ truncateList: true, nth: at, ...(adjusted ? { adjustTotal: true } : {}) }]);

const faults = fc.oneof({ weight: 6, arbitrary: mishaps }, { weight: 1, arbitrary: lie });

function cutBy(...by: readonly Cut['by'][]): fc.Arbitrary<Cut> {
  return fc.record({ by: fc.constantFrom(...by), nth, boundary: fc.constantFrom('before' as const, 'after' as const) });
}

function badRun(cut: fc.Arbitrary<Cut | null>): fc.Arbitrary<BadRun> {
  return fc.record({
    faults,
    edits: fc.array(fc.record({ nth, edit: handEdit }), { maxLength: 1 }),
    cut,
    allow: fc.subarray(BRAKES),
    skipHeld: fc.boolean(),
    saved: fc.boolean(),
  });
}

/** What a configuration says of the one before it. */
const twist = fc.record({ removed: fc.boolean(), moved: fc.boolean(), adopt: fc.option(fc.nat(5)) });

function history(cut: fc.Arbitrary<Cut | null>, ledger: fc.Arbitrary<History['ledger']>, most: number): fc.Arbitrary<History> {
  const chapter = fc.record({ sections: configuration, twist, byHand: fc.array(handEdit, { maxLength: 2 }), run: badRun(cut) });
  return fc
    .record({
      account,
      manners: fc.record({ how: manners, unknownMembers: fc.boolean() }).map(({ how, unknownMembers }) => ({ ...how, unknownMembers })),
      ownership: fc.constantFrom('shared' as const, 'exclusive' as const),
      ledger,
      concurrency: fc.constantFrom(1, 8),
      giveUp: fc.constantFrom(0, 0.2),
      chapters: fc.array(chapter, { minLength: 1, maxLength: most }),
    })
    .map(({ chapters, account: seed, ...rest }) => ({
      ...rest,
      account: { ...seed, ...among(seed, 'playlist'), ...among(seed, 'drm-policy') },
      chapters: chapters.map(({ twist: how, sections, ...chapter }, index) => ({
        ...chapter,
        sections: twisted(sections, chapters[index - 1]?.sections ?? {}, how, idsIn(seed.playlist)),
      })),
    }));
}

function among(seed: Fields, kind: keyof typeof BYSTANDERS): Fields {
  return { [kind]: [...[seed[kind] ?? []].flat(), ...BYSTANDERS[kind]] };
}

function idsIn(live: Json | undefined): readonly string[] {
  return [live ?? []].flat().flatMap((each) => (isFields(each) ? String(each.id) : []));
}

/** The sections with `removed`, `moved` and `adopt` where they have something to name. */
function twisted(
  sections: Fields,
  previous: Fields,
  how: { readonly [word in 'removed' | 'moved']: boolean } & { readonly adopt: number | null },
  ids: readonly string[],
): Fields {
  const [before, after] = [playlistKeys(previous), playlistKeys(sections)];
  const gone = before.filter((key) => !after.includes(key));
  const fresh = after.filter((key) => !before.includes(key));
  const removed = how.removed ? gone.slice(0, 1) : [];
  const [from] = gone.slice(removed.length);
  const [to] = fresh;
  const [own] = after;
  const id = how.adopt === null ? undefined : ids[how.adopt];
  return {
    ...sections,
    ...(removed.length > 0 ? { removed: removed.map((key) => `playlist/${key}`) } : {}),
    ...(how.moved && from && to ? { moved: [{ from: `playlist/${from}`, to: `playlist/${to}` }] } : {}),
    ...(own && id ? { adopt: { [`playlist/${own}`]: id } } : {}),
  };
}

function playlistKeys({ playlists }: Fields): readonly string[] {
  return isFields(playlists) ? Object.keys(playlists) : [];
}

/** Git costs processes: one history in this many has a ledger. */
const LEDGERS = 20;
const ledger = fc.oneof(
  { weight: LEDGERS - 1, arbitrary: fc.constant('none' as const) },
  { weight: 1, arbitrary: fc.constant('git' as const) },
);

/** Up to three configurations, whose runs are cut by the user or the network. */
export const histories = history(fc.option(cutBy('abort', 'outage'), { freq: 3 }), ledger, 3);

/** One or two configurations, each run of which is killed. */
export const killedHistories = history(cutBy('kill'), ledger, 2);
