/** Random histories of an account: several configurations one after another, each applied once on a bad day. */
import fc from 'fast-check';
import type { ServiceQuirks } from '../../src/emulator/quirks.ts';
import type { FaultRule } from '../../src/emulator/server.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/model/json.ts';
import { account, manners } from './accounts.ts';
import { configuration } from './configurations.ts';
import { type BadRun, badRun, type Cut, cutBy, readFaults } from './disturbances.ts';
import { BYSTANDERS, type HandEdit, handEdit } from './edits.ts';

/** A configuration, what people did before it was applied, and the apply. */
export interface Chapter {
  readonly sections: JsonObject;
  readonly byHand: readonly HandEdit[];
  readonly run: BadRun;
}

/** All that happens to one account. */
export interface History {
  readonly account: JsonObject;
  readonly manners: Partial<ServiceQuirks>;
  readonly ownership: 'shared' | 'exclusive';
  readonly ledger: 'none' | 'git';
  readonly concurrency: number;
  /** Seconds. */
  readonly giveUp: number;
  /** What the first plan of all meets. */
  readonly look: readonly FaultRule[];
  readonly chapters: readonly Chapter[];
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
      concurrency: fc.constantFrom(1, 1, 8),
      giveUp: fc.constantFrom(0, 0.2),
      look: readFaults,
      chapters: fc.array(chapter, { minLength: 1, maxLength: most }),
    })
    .map(
      ({ chapters, account: seed, ...rest }): History => ({
        ...rest,
        account: { ...seed, ...among(seed, 'playlist'), ...among(seed, 'drm-policy') },
        chapters: chapters.map(({ twist: how, sections, ...chapter }, index) => ({
          ...chapter,
          sections: twisted(sections, chapters[index - 1]?.sections ?? {}, how, idsIn(seed.playlist)),
        })),
      }),
    );
}

function among(seed: JsonObject, kind: keyof typeof BYSTANDERS): JsonObject {
  return { [kind]: [...[seed[kind] ?? []].flat(), ...BYSTANDERS[kind]] };
}

function idsIn(live: Json | undefined): readonly string[] {
  return [live ?? []].flat().flatMap((each) => (isJsonObject(each) ? String(each.id) : []));
}

/** The sections with `removed`, `moved` and `adopt` where they have something to name. */
function twisted(
  sections: JsonObject,
  previous: JsonObject,
  how: { readonly [word in 'removed' | 'moved']: boolean } & { readonly adopt: number | null },
  ids: readonly string[],
): JsonObject {
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

function playlistKeys({ playlists }: JsonObject): readonly string[] {
  return isJsonObject(playlists) ? Object.keys(playlists) : [];
}

/** Git costs processes: one history in this many has a ledger. */
const LEDGERS = 15;
const ledger = fc.oneof(
  { weight: LEDGERS - 1, arbitrary: fc.constant('none' as const) },
  { weight: 1, arbitrary: fc.constant('git' as const) },
);

/** Up to three configurations, whose runs are cut by the user or the network. */
export const histories = history(fc.option(cutBy('abort', 'outage'), { freq: 3 }), ledger, 3);

/** One or two configurations, each run of which is killed. */
export const killedHistories = history(cutBy('kill'), ledger, 2);
