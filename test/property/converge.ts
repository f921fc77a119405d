/** Runs a history with the program, checks the invariants after every run, and runs until the plan is empty. */
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Change, FieldChange } from '../../src/core/model/change.ts';
import type { JsonObject } from '../../src/core/model/json.ts';
import type { Plan } from '../../src/core/model/plan.ts';
import { storedName } from '../../src/emulator/quirks.ts';
import type { FaultRule } from '../../src/emulator/server.ts';
import { asHistory } from '../support/documents.ts';
import { createGitProject } from '../support/git-project.ts';
import { createTestProject, type JsonRun, type RunResult, type TestProject } from '../support/harness.ts';
import { atMost } from '../support/patience.ts';
import { startProxy } from '../support/proxy.ts';
import { type HistoryRun, runDisrupted } from './disrupted-run.ts';
import { type DisruptedRun, OVERRIDABLE_CHECKS } from './disruptions.ts';
import { resolveEdit, undeclaredIn } from './edits.ts';
import type { History, HistoryStep } from './histories.ts';
import * as invariants from './invariants.ts';
import { createTap, type HandledRequest } from './request-tap.ts';

/** The result of a history. */
export interface HistoryResult extends Pick<HistoryRun, 'runs' | 'requests' | 'writes' | 'faults' | 'interruptions' | 'kills'> {
  /** Quiet runs that were needed until the plan was empty. */
  readonly followUpRuns: number;
  /** Whether the plan was empty at the end, without changes that `identity` blocks. */
  readonly empty: boolean;
}

/** Where a plan is saved: in upkeep's own folder, which git ignores. */
const PLAN = '.upkeep/plan.json';

/** How long a run waits in all until reads show what was written, seconds: longer than any lag of a history. */
const SETTLE_SECONDS = 1;

/** How many follow-up runs are allowed. */
const MAX_UNDISTURBED = 3;

/** Plays a history. @throws AssertionError that names what did not hold */
export async function converge(history: History): Promise<HistoryResult> {
  const run = await startRun(history);
  try {
    for (const step of history.steps) await runStep(run, step);
    const sections = history.steps.at(-1)?.sections ?? {};
    const { followUpRuns, empty } = await runUntilEmpty(run, sections);
    checkUndeclared(run);
    if (run.git && !seemsEdited(history)) await checkNothingAccepted(run);
    const { runs, requests, writes, faults, interruptions, kills } = run;
    return { runs, requests, writes, faults, interruptions, kills, followUpRuns, empty };
  } finally {
    await run.project.close();
    await run.proxy?.close();
  }
}

/** Decides whether somebody edits the account by hand, or a short list looks as if: an apply then finds as declared what it never wrote. */
function seemsEdited({ steps }: History): boolean {
  return steps.some(
    ({ handEdits, run }) => handEdits.length > 0 || run.edits.length > 0 || run.faults.some(({ truncateList }) => truncateList),
  );
}

/** Checks that no resource has an edit by hand where nobody edited the account, whatever went wrong. */
async function checkNothingAccepted({ project }: HistoryRun): Promise<void> {
  const { entries } = asHistory(await project.json('history', '*'));
  const accepted = entries.flatMap(({ accepted: edits = [] }) => edits.filter(({ interrupted }) => !interrupted));
  expect(accepted, 'told as edited by hand').toEqual([]);
}

async function startRun(history: History): Promise<HistoryRun> {
  const { account, quirks, ownership, ledger, concurrency, giveUp } = history;
  let playlists: TestProject['playlists'] = () => [];
  const requestTap = createTap(() => playlists());
  const http = `http: { requests_per_second: 0, timeout_seconds: ${atMost(20_000) / 1000}, give_up_seconds: ${giveUp}, concurrency: ${concurrency} }`;
  const service = `service: { settle_seconds: ${quirks.readDelayMs ? SETTLE_SECONDS : 0} }`;
  const target = `ownership: ${ownership}\n${http}\n${service}`;
  const options = { seed: account, quirks, emulatedKinds: requestTap.emulatedKinds, target, now: requestTap.serviceNow };
  const git = ledger === 'git' ? await createGitProject({}, options) : null;
  const project = git ?? (await createTestProject({}, options));
  playlists = project.playlists;
  project.write('.upkeep/.gitignore', '*\n');
  const kills = history.steps.some(({ run }) => run.interruption?.by === 'kill');
  const proxy = kills ? await startProxy() : null;
  if (proxy) {
    proxy.target = project.emulator.url;
    project.write('upkeep.yaml', project.read('upkeep.yaml').replace(/base_url: .*/, `base_url: ${proxy.url}`));
  }
  return {
    project,
    git,
    tap: requestTap,
    history,
    proxy,
    undeclared: undeclaredOf(project),
    created: new Set(),
    runs: 0,
    requests: 0,
    writes: 0,
    faults: 0,
    interruptions: 0,
    kills: 0,
    isDone: false,
  };
}

async function runStep(run: HistoryRun, { sections, handEdits, run: disruptedRun }: HistoryStep): Promise<void> {
  const { project, history } = run;
  project.write('config/a.yaml', JSON.stringify(sections));
  run.git?.commit();
  for (const edit of handEdits) {
    const accountEdit = resolveEdit(edit, project);
    if (accountEdit) project.emulator.edit(accountEdit);
  }
  if (run.runs === 0) await planDisrupted(run, history.planFaults, sections);
  const allow = disruptedRun.allow.flatMap((check) => ['--allow', check]);
  const plan = await planUndisturbed(run, allow, sections);
  const waiting = await planWaiting(run, disruptedRun, allow, plan);
  const usageBefore = invariants.liveUsage(project.live('static-key'));
  const existingIds = idsOf(project);
  const edits = disruptedRun.edits.flatMap(({ edit, after, seconds }) => {
    const accountEdit = resolveEdit(edit, project, plan.requests);
    return accountEdit ? [{ nth: Math.max(1, plan.cost.reads + after), edit: accountEdit, seconds }] : [];
  });
  const argv = ['apply', ...(disruptedRun.useSavedPlan ? ['--plan', join(project.folder, PLAN)] : ['--yes']), ...allow];
  const result = await runDisrupted(run, { ...disruptedRun, edits }, [...argv, ...(disruptedRun.skipBlocked ? ['--skip-blocked'] : [])]);
  const usageByEdits = edits.map(({ edit }) => invariants.liveUsage({ ...Object(project.live('static-key')), ...edit.document }));
  const writes = checkWrites(run, sections);
  invariants.checkStaticKeyUsers(writes, [usageBefore, ...invariants.desiredUsage(sections), ...usageByEdits]);
  const hasIncompleteList = disruptedRun.faults.some(({ truncateList }) => truncateList);
  const isUndisturbed = edits.length === 0 && !hasIncompleteList;
  if (isUndisturbed) {
    invariants.checkStaticKeyKept(writes, usageBefore, invariants.desiredUsage(sections));
    invariants.checkPlanned(project.emulator.requests(), { ...plan, requests: [...plan.requests, ...waiting] });
  }
  if (edits.length === 0) invariants.checkNoDuplicates(writes, run.created, existingIds);
  if (history.concurrency === 1) invariants.checkFreshReads(run.tap.handled());
  run.isDone = isUndisturbed && result?.code === 0;
  if (result) checkResult(result, disruptedRun, plan, writes, isUndisturbed);
  if (result && disruptedRun.interruption === null) invariants.checkIncompleteList(result, disruptedRun.faults, writes, sections);
  if (result && run.git) invariants.checkRecorded(result, run.git.entries());
  rememberCreated(run, writes);
}

function checkResult(result: RunResult, run: DisruptedRun, plan: Plan, writes: readonly HandledRequest[], isUndisturbed: boolean): void {
  invariants.checkExit(result);
  if (!isUndisturbed) return;
  if (!run.skipBlocked && plan.summary.blocked > 0) expect(writes, 'written although a change was blocked').toEqual([]);
  const outcome = invariants.outcomeOf(result);
  if (outcome) invariants.checkNothingWeakened(outcome, plan);
}

/** What every run leaves: what was written, after the checks that need no plan. */
function checkWrites(run: HistoryRun, sections: JsonObject): readonly HandledRequest[] {
  const handled = run.tap.handled();
  invariants.checkUnmanagedKinds(handled, sections);
  invariants.checkDeletes(handled, sections, run.history);
  checkUndeclared(run);
  if (run.git && !run.proxy) expect(Object.keys(run.git.refs()).filter((ref) => ref.includes('locks'))).toEqual([]);
  const writes = invariants.writesOf(handled);
  invariants.checkStaticKeyOrder(writes, sections);
  run.runs += 1;
  run.writes += writes.length;
  return writes;
}

/** Plans without disruptions: it reads everything and writes nothing. */
async function planUndisturbed(run: HistoryRun, allow: readonly string[], sections: JsonObject): Promise<Plan> {
  // Between two runs reads get to show what was written, so that both plans of a step are the same.
  run.tap.advanceClock(SETTLE_SECONDS);
  run.tap.begin();
  const planned: JsonRun<Plan> = await run.project.plan(...allow, '--out', `json=${join(run.project.folder, PLAN)}`);
  expect(planned.code, planned.stderr).toBe(0);
  expect(invariants.writesOf(run.tap.handled()), 'a plan has written').toEqual([]);
  invariants.checkUnmanagedKinds(run.tap.handled(), sections);
  return planned.document;
}

/**
 * The requests of the changes that must come after a blocked one. A run that cannot read the kind of the blocked change does not know of it,
 * and applies the complete kinds (design section 4, rule 9).
 */
async function planWaiting(run: HistoryRun, { skipBlocked, faults, interruption }: DisruptedRun, allow: readonly string[], plan: Plan) {
  const mayMissKinds = faults.length > 0 || interruption?.by === 'outage';
  const waiting = skipBlocked && mayMissKinds ? invariants.waitingChanges(plan) : [];
  if (waiting.length === 0) return [];
  const planned = await run.project.plan(...allow, ...waiting.flatMap(({ address }) => ['--only', address]));
  expect(planned.code, planned.stderr).toBe(0);
  return planned.document.requests;
}

/** Plans with disruptions: it exits with a documented code and writes nothing. */
async function planDisrupted(run: HistoryRun, faults: readonly FaultRule[], sections: JsonObject): Promise<void> {
  const result = await runDisrupted(run, { faults, edits: [], interruption: null }, ['plan']);
  invariants.checkExit(result ?? { code: 1, stdout: '', stderr: 'it was not killed' });
  expect(invariants.writesOf(run.tap.handled()), 'a plan has written').toEqual([]);
  invariants.checkUnmanagedKinds(run.tap.handled(), sections);
}

function rememberCreated({ created, project, history }: HistoryRun, writes: readonly HandledRequest[]): void {
  const names = new Set(
    writes.flatMap(({ method, path, body }) =>
      method === 'POST' && path === '/api/v4/linear-playlist'
        ? [storedName(descOf(body), { storedNames: history.quirks.storedNames ?? 'asSent' })]
        : [],
    ),
  );
  for (const { id, desc } of project.playlists()) if (names.has(String(desc))) created.add(String(id));
}

function idsOf(project: TestProject): ReadonlySet<string> {
  return new Set(project.playlists().map(({ id }) => String(id)));
}

function descOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'desc' in body ? String(body.desc) : '';
}

/** Checks that the undeclared objects of a shared account are as before, byte by byte. */
function checkUndeclared({ project, history, undeclared: undeclaredBefore }: HistoryRun): void {
  if (history.ownership === 'shared') expect(undeclaredOf(project), 'undeclared objects').toBe(undeclaredBefore);
}

function undeclaredOf(project: TestProject): string {
  return JSON.stringify([undeclaredIn(project.live('playlist')), undeclaredIn(project.live('drm-policy'))]);
}

/** Whether a change only gives an object the name that the service stores in another form, each time that it is sent. */
function isRefusedName({ history }: HistoryRun, { action, fields }: Change): boolean {
  const { storedNames = 'asSent' } = history.quirks;
  const isRefused = ({ path, after }: FieldChange) =>
    (path === '/desc' || path === '/policy_name') && typeof after === 'string' && storedName(after, { storedNames }) !== after;
  return action === 'update' && fields.length > 0 && fields.every(isRefused);
}

const ALLOW_ALL = OVERRIDABLE_CHECKS.flatMap((check) => ['--allow', check]);

/** Runs undisturbed until the plan is empty but for changes that `identity` blocks, and changes that depend on those. */
async function runUntilEmpty(run: HistoryRun, sections: JsonObject): Promise<{ readonly followUpRuns: number; readonly empty: boolean }> {
  const skipped = new Set<string>();
  for (let followUpRuns = 0; ; followUpRuns++) {
    const plan = await planUndisturbed(run, ALLOW_ALL, sections);
    const blocked = plan.changes.filter((change) => change.blocked !== null);
    expect(blocked.filter((change) => change.blocked?.check !== 'identity')).toEqual([]);
    const unblocked = plan.changes.filter(({ blocked: by, address }) => by === null && !(blocked.length > 0 && skipped.has(address)));
    if (followUpRuns === 0 && run.isDone) expect(unblocked, 'not done although the last run said so').toEqual([]);
    const remaining = unblocked.filter((change) => !isRefusedName(run, change));
    if (remaining.length === 0) return { followUpRuns, empty: plan.changes.length === 0 };
    expect(followUpRuns, `not converged: ${JSON.stringify(remaining)}`).toBeLessThan(MAX_UNDISTURBED);
    const existingIds = idsOf(run.project);
    run.tap.begin();
    const result = await run.project.apply('--yes', '--skip-blocked', ...ALLOW_ALL);
    invariants.checkExit(result);
    const writes = checkWrites(run, sections);
    invariants.checkPlanned(writes, plan);
    invariants.checkNoDuplicates(writes, run.created, existingIds);
    rememberCreated(run, writes);
    for (const outcome of result.document.outcomes) if (outcome.result === 'skipped') skipped.add(outcome.address);
  }
}
