/** Lives through a history with the program, holds every run to the invariants, and brings it to rest. */
import { join } from 'node:path';
import { expect } from 'vitest';
import type { FaultRule } from '../../src/emulator/server.ts';
import type { JsonObject } from '../../src/model/json.ts';
import type { Plan } from '../../src/model/plan.ts';
import { gitStage } from '../support/git-project.ts';
import { type Ran, type Stage, stage, type Told } from '../support/harness.ts';
import { startProxy } from '../support/proxy.ts';
import { type BadRun, BRAKES } from './disturbances.ts';
import { badly, type Life } from './disturbed-run.ts';
import { bystanders, resolved } from './edits.ts';
import type { Chapter, History } from './histories.ts';
import * as invariants from './invariants.ts';
import { type Handled, tap } from './request-tap.ts';

/** What was lived through. */
export interface Tally extends Pick<Life, 'runs' | 'requests' | 'writes' | 'faults' | 'cuts' | 'kills'> {
  /** Quiet runs that were needed until the plan was empty. */
  readonly quiet: number;
  /** Whether the plan was empty at the end, and not only held by identity. */
  readonly empty: boolean;
}

/** Where a plan is saved: in upkeep's own folder, which git ignores. */
const PLAN = '.upkeep/plan.json';

/** How often a quiet run may be needed. */
const QUIET = 3;

/** Plays a history. @throws AssertionError that names what did not hold */
export async function converge(history: History): Promise<Tally> {
  const life = await begin(history);
  try {
    for (const chapter of history.chapters) await live(life, chapter);
    const last = history.chapters.at(-1)?.sections ?? {};
    const { quiet, empty } = await rest(life, last);
    spared(life);
    const { runs, requests, writes, faults, cuts, kills } = life;
    return { runs, requests, writes, faults, cuts, kills, quiet, empty };
  } finally {
    await life.set.close();
    await life.proxy?.close();
  }
}

async function begin(history: History): Promise<Life> {
  const { account, manners, ownership, ledger, concurrency, giveUp } = history;
  const heard = tap();
  const http = `http: { requests_per_second: 0, timeout_seconds: 5, give_up_seconds: ${giveUp}, concurrency: ${concurrency} }`;
  const options = { seed: account, quirks: manners, emulatedKinds: heard.emulations, target: `ownership: ${ownership}\n${http}` };
  const git = ledger === 'git' ? await gitStage({}, options) : null;
  const set = git ?? (await stage({}, options));
  set.write('.upkeep/.gitignore', '*\n');
  const kills = history.chapters.some(({ run }) => run.cut?.by === 'kill');
  const proxy = kills ? await startProxy() : null;
  if (proxy) {
    proxy.target = set.emulator.url;
    set.write('upkeep.yaml', set.read('upkeep.yaml').replace(/base_url: .*/, `base_url: ${proxy.url}`));
  }
  return {
    set,
    git,
    tap: heard,
    history,
    proxy,
    bystanders: bystandersOf(set),
    created: new Set(),
    runs: 0,
    requests: 0,
    writes: 0,
    faults: 0,
    cuts: 0,
    kills: 0,
    done: false,
  };
}

async function live(life: Life, { sections, byHand, run }: Chapter): Promise<void> {
  const { set, history } = life;
  set.write('config/a.yaml', JSON.stringify(sections));
  life.git?.commit();
  for (const edit of byHand) {
    const now = resolved(edit, set);
    if (now) set.emulator.edit(now);
  }
  if (life.runs === 0) await plannedBadly(life, history.look, sections);
  const allow = run.allow.flatMap((brake) => ['--allow', brake]);
  const plan = await plannedQuietly(life, allow, sections);
  const before = invariants.liveUsage(set.live('static-key'));
  const old = idsOf(set);
  const edits = run.edits.flatMap(({ edit, after, seconds }) => {
    const now = resolved(edit, set, plan.requests);
    return now ? [{ nth: Math.max(1, plan.cost.reads + after), edit: now, seconds }] : [];
  });
  const argv = ['apply', ...(run.saved ? ['--plan', join(set.folder, PLAN)] : ['--yes']), ...allow];
  const ran = await badly(life, { ...run, edits }, [...argv, ...(run.skipBlocked ? ['--skip-blocked'] : [])]);
  const byOthers = edits.map(({ edit }) => invariants.liveUsage({ ...Object(set.live('static-key')), ...edit.document }));
  const writes = kept(life, sections);
  invariants.staticKeyInBounds(writes, [before, ...invariants.desiredUsage(sections), ...byOthers]);
  const lies = run.faults.some(({ truncateList }) => truncateList);
  const honest = edits.length === 0 && !lies;
  if (honest) {
    invariants.staticKeyKept(writes, before, invariants.desiredUsage(sections));
    invariants.asPlanned(set.emulator.requests(), plan);
  }
  if (edits.length === 0) invariants.noTwins(writes, life.created, old);
  if (history.concurrency === 1) invariants.looked(life.tap.handled());
  life.done = honest && ran?.code === 0;
  if (ran) judged(ran, run, plan, writes, honest);
  if (ran && run.cut === null) invariants.partsAreNoWhole(ran, run.faults, writes, sections);
  if (ran && life.git) invariants.recorded(ran, life.git.entries());
  remember(life, writes);
}

function judged(ran: Ran, run: BadRun, plan: Plan, writes: readonly Handled[], honest: boolean): void {
  invariants.endsWell(ran);
  if (!honest) return;
  if (!run.skipBlocked && plan.summary.blocked > 0) expect(writes, 'written although something was held').toEqual([]);
  const outcome = invariants.outcomeOf(ran);
  if (outcome) invariants.nothingLoosened(outcome, plan);
}

/** What every run leaves: what was written, after the checks that need no plan. */
function kept(life: Life, sections: JsonObject): readonly Handled[] {
  const handled = life.tap.handled();
  invariants.unmanagedLeftAlone(handled, sections);
  invariants.mayGo(handled, sections, life.history);
  spared(life);
  if (life.git && !life.proxy) expect(Object.keys(life.git.refs()).filter((ref) => ref.includes('locks'))).toEqual([]);
  const writes = invariants.writesOf(handled);
  invariants.staticKeyInSteps(writes, sections);
  life.runs += 1;
  life.writes += writes.length;
  return writes;
}

/** A plan on a good day: it reads everything and writes nothing. */
async function plannedQuietly(life: Life, allow: readonly string[], sections: JsonObject): Promise<Plan> {
  life.tap.begin();
  const planned: Told<Plan> = await life.set.plan(...allow, '--out', `json=${join(life.set.folder, PLAN)}`);
  expect(planned.code, planned.stderr).toBe(0);
  expect(invariants.writesOf(life.tap.handled()), 'a plan has written').toEqual([]);
  invariants.unmanagedLeftAlone(life.tap.handled(), sections);
  return planned.document;
}

/** A plan on a bad day: whatever it meets, it ends well and writes nothing. */
async function plannedBadly(life: Life, faults: readonly FaultRule[], sections: JsonObject): Promise<void> {
  const ran = await badly(life, { faults, edits: [], cut: null }, ['plan']);
  invariants.endsWell(ran ?? { code: 1, stdout: '', stderr: 'it was not killed' });
  expect(invariants.writesOf(life.tap.handled()), 'a plan has written').toEqual([]);
  invariants.unmanagedLeftAlone(life.tap.handled(), sections);
}

function remember({ created, set }: Life, writes: readonly Handled[]): void {
  const names = new Set(
    writes.flatMap(({ method, path, body }) => (method === 'POST' && path === '/api/v4/linear-playlist' ? [descOf(body)] : [])),
  );
  for (const { id, desc } of set.playlists()) if (names.has(String(desc))) created.add(String(id));
}

function idsOf(set: Stage): ReadonlySet<string> {
  return new Set(set.playlists().map(({ id }) => String(id)));
}

function descOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'desc' in body ? String(body.desc) : '';
}

/** The bystanders of a shared account are as they were, to the byte. */
function spared({ set, history, bystanders: before }: Life): void {
  if (history.ownership === 'shared') expect(bystandersOf(set), 'bystanders').toBe(before);
}

function bystandersOf(set: Stage): string {
  return JSON.stringify([bystanders(set.live('playlist')), bystanders(set.live('drm-policy'))]);
}

const ALL = BRAKES.flatMap((brake) => ['--allow', brake]);

/** Quiet runs until the plan is empty but for what identity holds, and what may not go before that. */
async function rest(life: Life, sections: JsonObject): Promise<{ readonly quiet: number; readonly empty: boolean }> {
  const skipped = new Set<string>();
  for (let quiet = 0; ; quiet++) {
    const plan = await plannedQuietly(life, ALL, sections);
    const held = plan.changes.filter((change) => change.blocked !== null);
    expect(held.filter((change) => change.blocked?.check !== 'identity')).toEqual([]);
    const open = plan.changes.filter(({ blocked: by, address }) => by === null && !(held.length > 0 && skipped.has(address)));
    if (quiet === 0 && life.done) expect(open, 'not done although the last run said so').toEqual([]);
    if (open.length === 0) return { quiet, empty: plan.changes.length === 0 };
    expect(quiet, `not at rest: ${JSON.stringify(open)}`).toBeLessThan(QUIET);
    const old = idsOf(life.set);
    life.tap.begin();
    const ran = await life.set.apply('--yes', '--skip-blocked', ...ALL);
    invariants.endsWell(ran);
    const writes = kept(life, sections);
    invariants.asPlanned(writes, plan);
    invariants.noTwins(writes, life.created, old);
    remember(life, writes);
    for (const { address, result } of ran.document.outcomes) if (result === 'skipped') skipped.add(address);
  }
}
