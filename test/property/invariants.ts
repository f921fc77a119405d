/** What must hold after every run, whatever the day was like. */

import { expect } from 'vitest';
import type { LedgerEntry } from '../../src/core/ledger/entry.ts';
import { type Change, comparePhases, writesOnService } from '../../src/core/model/change.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/core/model/json.ts';
import type { Outcome, Result } from '../../src/core/model/outcome.ts';
import type { Plan, PlannedRequest } from '../../src/core/model/plan.ts';
import type { RecordedRequest } from '../../src/emulator/request-log.ts';
import type { FaultRule } from '../../src/emulator/server.ts';
import { asOutcome } from '../support/documents.ts';
import { API_KEY, OWNER, type RunResult } from '../support/harness.ts';
import { PLAYLISTS } from './disruptions.ts';
import type { History } from './histories.ts';
import { type HandledRequest, isAssetPlaylist, type Usage, usage } from './request-tap.ts';

/** The exit codes of a disrupted `apply` with a valid configuration and without another holder of the lock (design section 5). */
const EXITS: ReadonlySet<number> = new Set([0, 4, 5, 6, 7, 10, 130]);

/** A run ends with a code of the contract, shows no stack trace and no secret. */
export function checkExit({ code, stdout, stderr }: RunResult): void {
  expect(EXITS.has(code), `exit code ${code}: ${stderr}`).toBe(true);
  const output = stdout + stderr;
  expect(output).not.toMatch(/\n\s+at .+:\d+:\d+|unexpected: /);
  expect([API_KEY, OWNER].filter((secret) => output.includes(secret))).toEqual([]);
}

/** The requests that are to change something, in order. */
export function writesOf<Request extends Pick<ReceivedRequest, 'method'>>(requests: readonly Request[]): readonly Request[] {
  return requests.filter(({ method }) => method !== 'GET');
}

/** A request as it arrived, whether it took effect or not. */
type ReceivedRequest = Pick<RecordedRequest, 'method' | 'path' | 'body'>;

/** The changes of a plan that apply does not send although nothing blocks them: they must come after what is blocked. */
export function waitingChanges({ changes, requests }: Plan): readonly Change[] {
  const sent = new Set(requests.flatMap(({ addresses }) => addresses));
  return changes.filter((change) => change.blocked === null && writesOnService(change) && !sent.has(change.address));
}

/**
 * Every write was shown in the plan before, and phases come in order (design section 4, rules 2 and 6): as they arrive, since what is given
 * up on its way may take effect after what was sent next.
 */
export function checkPlanned(received: readonly ReceivedRequest[], { requests, changes }: Pick<Plan, 'requests' | 'changes'>): void {
  const phases = writesOf(received).map((write) => {
    const planned = requests.find((request) => isPlannedWrite(request, write));
    expect(planned, `not in the plan: ${write.method} ${write.path} ${JSON.stringify(write.body)}`).toBeDefined();
    return changes.find(({ address }) => address === planned?.addresses[0])?.phase ?? 'strengthen';
  });
  const lines = writesOf(received).map(({ method, path }, index) => `${phases[index]} ${method} ${path}`);
  expect(phases, `phases out of order:\n${lines.join('\n')}\n`).toEqual(phases.toSorted(comparePhases));
}

/** Whether a write is a planned request, or a bulk one for fewer of its assets. */
function isPlannedWrite({ method, path, body }: PlannedRequest, write: ReceivedRequest): boolean {
  if (method !== write.method || path !== write.path) return false;
  if (!isJsonObject(body) || !Array.isArray(body.assets)) return JSON.stringify(body ?? null) === JSON.stringify(write.body ?? null);
  const { assets, ...rest } = body;
  const sent: JsonObject = isBody(write.body) ? write.body : {};
  const { assets: fewer, ...others } = sent;
  return JSON.stringify(rest) === JSON.stringify(others) && Array.isArray(fewer) && fewer.every((each) => assets.includes(each));
}

function isBody(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Nothing was created beside an object of our own, `created` in earlier runs or not among the `old` before this one: a create is never made
 * twice (design section 4, rule 4).
 */
export function checkNoDuplicates(writes: readonly HandledRequest[], created: ReadonlySet<string>, existing: ReadonlySet<string>): void {
  for (const { path, body, namesakes } of writes) {
    const duplicates = namesakes.filter((id) => created.has(id) || !existing.has(id));
    expect(duplicates, `a second create: ${path} ${JSON.stringify(body)}`).toEqual([]);
  }
}

/**
 * What was last read over 30 s before is read again before it is written, and left alone where it moved since the plan (design section 4,
 * rule 3). One request at a time. The static key is one object that is written in two requests: before the second one, the first has moved it.
 */
export function checkFreshReads(handled: readonly HandledRequest[]): void {
  for (const [index, write] of handled.entries()) {
    if (write.method === 'GET') continue;
    const reads = handled.slice(0, index).filter(({ method, emulation }) => method === 'GET' && emulation === write.emulation);
    const what = `${write.method} ${write.path}`;
    expect(write.at - (reads.at(-1)?.at ?? 0), `not looked at before ${what}, milliseconds`).toBeLessThan(STALE_AFTER + TOLERANCE);
    if (write.at - (reads[0]?.at ?? 0) < STALE_AFTER || isSecondStep(write, handled[index - 1])) continue;
    const versions = readsOf(reads, write);
    expect(versions.at(-1), `moved before ${what}`).toEqual(versions[0]);
  }
}

function isSecondStep({ emulation }: HandledRequest, before: HandledRequest | undefined): boolean {
  return emulation === 'static-key' && before?.emulation === emulation && before.method !== 'GET';
}

/** Milliseconds; the second is more than a run takes between a read and its write. */
const [STALE_AFTER, TOLERANCE] = [30_000, 5_000];

/**
 * Checks that a list with a larger total is treated as incomplete: the run is incomplete, and no playlist is written (design section 4,
 * rule 1).
 */
export function checkIncompleteList(
  { code }: RunResult,
  faults: readonly FaultRule[],
  writes: readonly HandledRequest[],
  sections: JsonObject,
): void {
  const [fault] = faults;
  const isTruncated = fault?.truncateList && fault.path === PLAYLISTS && !fault.adjustTotal;
  if (!isTruncated || !('playlists' in sections || 'smart_starts' in sections)) return;
  expect(code, 'a part of the list was taken for the whole').toBe(10);
  expect(writes.filter(({ emulation }) => emulation === 'playlist')).toEqual([]);
}

/**
 * Without a ledger nothing is deleted in a shared account, and in an exclusive one only what a present section would declare (design
 * section 3).
 */
export function checkDeletes(
  handled: readonly HandledRequest[],
  sections: JsonObject,
  { ownership, ledger }: Pick<History, 'ownership' | 'ledger'>,
): void {
  if (ledger !== 'none') return;
  const deletes = handled.filter(({ method }) => method === 'DELETE');
  const heldAtReads = handled.map((each) => ({ ...each, returnedPlaylists: each.heldPlaylists }));
  const isForeign = (each: HandledRequest) => readsOf(heldAtReads, each).some((playlist) => !(sectionOf(playlist) in sections));
  const wrong = deletes.filter((each) => ownership === 'shared' || isForeign(each));
  expect(
    wrong.map(({ path }) => path),
    'deleted, and not ours',
  ).toEqual([]);
}

/** Returns the versions of the written playlist in earlier reads; a lookup by name is not such a read (design section 4, rule 3). */
function readsOf(reads: readonly HandledRequest[], { path }: HandledRequest): readonly JsonObject[] {
  const id = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
  const objectReads = reads.filter(({ method, isNameLookup: byName }) => method === 'GET' && !byName);
  return objectReads.flatMap(({ returnedPlaylists: shown }) => shown.filter((playlist) => playlist.id === id));
}

function sectionOf(playlist: JsonObject): string {
  return isAssetPlaylist(String(playlist.id), playlist) ? 'smart_starts' : 'playlists';
}

/** Checks that the ledger contains the outcomes of an apply, even where a part of it failed (design section 6). */
export function checkRecorded(ran: RunResult, entries: readonly LedgerEntry[]): void {
  const outcome = outcomeOf(ran);
  if (!outcome?.outcomes.some(({ result }) => result !== 'skipped') || ran.stderr.includes('could not be recorded')) return;
  const entry = entries.at(-1);
  expect(
    // The entry adds what was written, and which checks an override let pass.
    entry?.outcomes.map(({ fields: _fields, paths: _paths, overridden: _overridden, ...each }) => each),
    'not recorded',
  ).toEqual(outcome.outcomes);
  const unbound = outcome.outcomes.filter(({ address, result }) => result === 'created' && !entry?.bindings[address]);
  expect(unbound, 'created and not bound').toEqual([]);
}

/** The outcome that a run printed; undefined where it printed none. */
export function outcomeOf({ stdout }: RunResult): Outcome | undefined {
  const document: unknown = JSON.parse(stdout);
  return typeof document === 'object' && document !== null && 'outcomes' in document ? asOutcome(document) : undefined;
}

/**
 * Nothing is weakened in a run in which something that strengthens was not done, as far as the run knew of it (design section 4, rules 6 and
 * 9).
 */
export function checkNothingWeakened({ outcomes }: Outcome, { changes }: Plan): void {
  const result = new Map(outcomes.map((outcome) => [outcome.address, outcome.result]));
  const notApplied = changes.filter(
    ({ address, effect, phase }) => effect === 'strengthens' && comparePhases(phase, 'weaken') < 0 && isNotApplied(result.get(address)),
  );
  const isSent = (address: string) => result.has(address) && (result.get(address) === 'unseen' || !isNotApplied(result.get(address)));
  const weakened = changes.filter(({ address, phase }) => phase === 'weaken' && isSent(address));
  if (notApplied.length > 0)
    expect(
      weakened.map(({ address }) => address),
      `weakened although ${notApplied[0]?.address} was not done`,
    ).toEqual([]);
}

function isNotApplied(result: Result | undefined): boolean {
  return result === 'failed' || result === 'skipped' || result === 'unseen';
}

/** Checks that at no moment more slicers use the static key than before, after, or by an edit by hand (design section 4, rule 6). */
export function checkStaticKeyUsers(writes: readonly HandledRequest[], allowed: readonly Usage[]): void {
  const isUnlimited = allowed.includes('all');
  const union = new Set(allowed.flatMap((each) => (each === 'all' ? [] : [...each])));
  for (const { usage: now, path, body } of writes) {
    if (now === null || isUnlimited) continue;
    const unexpected = now === 'all' ? ['all'] : [...now].filter((slicer) => !union.has(slicer));
    expect(unexpected, `slicers on the static key after ${path} ${JSON.stringify(body)}`).toEqual([]);
  }
}

/**
 * At no moment is a slicer without the static key that has it before and after: that is what the documented order of the two steps is for.
 */
export function checkStaticKeyKept(writes: readonly HandledRequest[], before: Usage, desired: readonly Usage[]): void {
  const [after = before] = desired;
  const [one, other] = before === 'all' ? [after, before] : [before, after];
  for (const { usage: now, path, body } of writes) {
    if (now === null || now === 'all') continue;
    const removed = one === 'all' ? ['all'] : [...one].filter((slicer) => (other === 'all' || other.has(slicer)) && !now.has(slicer));
    expect(removed, `slicers that lost the static key by ${path} ${JSON.stringify(body)}`).toEqual([]);
  }
}

/**
 * Specific: slicers, then status. None: status, then slicers, so that a run which ends between them has strengthened (drm-api-v3 section 3).
 */
export function checkStaticKeyOrder(writes: readonly HandledRequest[], { static_key: declared }: JsonObject): void {
  const steps = writes
    .filter(({ emulation }) => emulation === 'static-key')
    .map(({ path }) => (path.includes('slicer') ? 'slicers' : 'status'));
  const documented = isJsonObject(declared) && declared.scope === 'specific' ? ['slicers', 'status'] : ['status', 'slicers'];
  const inOrder = documented.flatMap((step) => steps.filter((each) => each === step));
  expect(steps, 'steps of the static key').toEqual(inOrder);
}

/** Who uses the static key of a live account. */
export function liveUsage(live: Json): Usage {
  return isJsonObject(live) ? usage(live.use_static_encryption_key, live.static_key_slicer_ids) : new Set();
}

/** Returns the desired users of the static key; empty where the section is absent. */
export function desiredUsage({ static_key: declared }: JsonObject): readonly Usage[] {
  return isJsonObject(declared) ? [usage(declared.scope === 'all', declared.slicer_ids)] : [];
}

const SECTIONS: { readonly [emulation: string]: readonly string[] } = {
  playlist: ['playlists', 'smart_starts'],
  'drm-policy': ['drm_policies'],
  'vmp-reject-statuses': ['vmp_reject_statuses'],
  'static-key': ['static_key'],
  'key-rotation-schedule': ['key_rotation_schedule'],
};

/** Checks that a kind without a section is neither read nor written (design section 3). */
export function checkUnmanagedKinds(handled: readonly HandledRequest[], sections: JsonObject): void {
  const unexpected = handled.filter(({ emulation }) => !SECTIONS[emulation]?.some((section) => section in sections));
  expect(
    unexpected.map(({ method, path }) => `${method} ${path}`),
    'not managed',
  ).toEqual([]);
}
