/** Random histories of an account: several configurations one after another, each applied once with disruptions. */
import fc from 'fast-check';
import { isJsonObject, type Json, type JsonObject } from '../../src/core/model/json.ts';
import type { ServiceQuirks } from '../../src/emulator/quirks.ts';
import type { FaultRule } from '../../src/emulator/server.ts';
import { account, quirks } from './accounts.ts';
import { configuration } from './configurations.ts';
import { type DisruptedRun, disruptedRun, type Interruption, interruptionBy, readFaults } from './disruptions.ts';
import { type HandEdit, handEdit, UNDECLARED } from './edits.ts';

/** A configuration, the edits by hand before it is applied, and the run that applies it. */
export interface HistoryStep {
  readonly sections: JsonObject;
  readonly handEdits: readonly HandEdit[];
  readonly run: DisruptedRun;
}

/** The configurations, edits and runs of one account. */
export interface History {
  readonly account: JsonObject;
  readonly quirks: Partial<ServiceQuirks>;
  readonly ownership: 'shared' | 'exclusive';
  readonly ledger: 'none' | 'git';
  readonly concurrency: number;
  /** Limit for retries, in seconds. */
  readonly giveUp: number;
  /** Faults of the service during the first plan. */
  readonly planFaults: readonly FaultRule[];
  readonly steps: readonly HistoryStep[];
}

/** Which of `removed`, `moved` and `adopt` a configuration has. */
const stateBlocks = fc.record({ removed: fc.boolean(), moved: fc.boolean(), adopt: fc.option(fc.nat(5)) });

function history(
  interruption: fc.Arbitrary<Interruption | null>,
  ledger: fc.Arbitrary<History['ledger']>,
  most: number,
): fc.Arbitrary<History> {
  const step = fc.record({
    sections: configuration,
    stateBlocks,
    handEdits: fc.array(handEdit, { maxLength: 2 }),
    run: disruptedRun(interruption),
  });
  return fc
    .record({
      account,
      quirks: fc.record({ quirks, wrongAnswers, unknownMembers: fc.boolean(), readDelayMs }).map(historyQuirks),
      ownership: fc.constantFrom('shared' as const, 'exclusive' as const),
      ledger,
      concurrency: fc.constantFrom(1, 1, 8),
      giveUp: fc.constantFrom(0, 0.2),
      planFaults: readFaults,
      steps: fc.array(step, { minLength: 1, maxLength: most }),
    })
    .map(
      ({ steps, account: seed, ...rest }): History => ({
        ...rest,
        account: { ...seed, ...withUndeclared(seed, 'playlist'), ...withUndeclared(seed, 'drm-policy') },
        steps: steps.map(({ stateBlocks: choices, sections, ...step }, index) => ({
          ...step,
          sections: withStateBlocks(sections, steps[index - 1]?.sections ?? {}, choices, idsIn(seed.playlist)),
        })),
      }),
    );
}

/** What a service may do to names, and what it may answer to a create; in half of all histories nothing of it. */
const wrongAnswers: fc.Arbitrary<Partial<ServiceQuirks>> = fc.oneof(
  fc.constant({}),
  fc.record({
    storedNames: fc.constantFrom('asSent' as const, 'trimmed' as const, 'nfc' as const, 'cut' as const, 'escaped' as const),
    answeredNames: fc.constantFrom('stored' as const, 'asSent' as const),
    answeredIds: fc.constantFrom('new' as const, 'existing' as const),
  }),
);

/** How far reads lag behind writes; in half of all histories not at all. */
const readDelayMs = fc.constantFrom(0, 0, 30, 120);

function historyQuirks({
  quirks: some,
  wrongAnswers: wrong,
  ...rest
}: {
  readonly quirks: Partial<ServiceQuirks>;
  readonly wrongAnswers: Partial<ServiceQuirks>;
  readonly unknownMembers: boolean;
  readonly readDelayMs: number;
}): Partial<ServiceQuirks> {
  return { ...some, ...wrong, ...rest };
}

function withUndeclared(seed: JsonObject, kind: keyof typeof UNDECLARED): JsonObject {
  return { [kind]: [...[seed[kind] ?? []].flat(), ...UNDECLARED[kind]] };
}

function idsIn(live: Json | undefined): readonly string[] {
  return [live ?? []].flat().flatMap((each) => (isJsonObject(each) ? String(each.id) : []));
}

/** Adds `removed`, `moved` and `adopt` to the sections, where there is an address for them. */
function withStateBlocks(
  sections: JsonObject,
  previous: JsonObject,
  choices: { readonly [word in 'removed' | 'moved']: boolean } & { readonly adopt: number | null },
  ids: readonly string[],
): JsonObject {
  const [before, after] = [playlistKeys(previous), playlistKeys(sections)];
  const removedKeys = before.filter((key) => !after.includes(key));
  const newKeys = after.filter((key) => !before.includes(key));
  const removed = choices.removed ? removedKeys.slice(0, 1) : [];
  const [from] = removedKeys.slice(removed.length);
  const [to] = newKeys;
  const [firstKey] = after;
  const id = choices.adopt === null ? undefined : ids[choices.adopt];
  return {
    ...sections,
    ...(removed.length > 0 ? { removed: removed.map((key) => `playlist/${key}`) } : {}),
    ...(choices.moved && from && to ? { moved: [{ from: `playlist/${from}`, to: `playlist/${to}` }] } : {}),
    ...(firstKey && id ? { adopt: { [`playlist/${firstKey}`]: id } } : {}),
  };
}

function playlistKeys({ playlists }: JsonObject): readonly string[] {
  return isJsonObject(playlists) ? Object.keys(playlists) : [];
}

/** One history in this many has a ledger, since git starts many processes. */
const LEDGERS = 15;
const ledger = fc.oneof(
  { weight: LEDGERS - 1, arbitrary: fc.constant('none' as const) },
  { weight: 1, arbitrary: fc.constant('git' as const) },
);

/** Generates histories of up to three configurations, whose runs are interrupted by the user or the network. */
export const histories = history(fc.option(interruptionBy('abort', 'outage'), { freq: 3 }), ledger, 3);

/** Generates histories of one or two configurations, each run of which is killed. */
export const killedHistories = history(interruptionBy('kill'), ledger, 2);
