/** Desired and live resources of the fake kinds, and plans and applies of them. */

import { apply } from '../../src/core/apply/apply.ts';
import type { ApplyInput, ApplyResult } from '../../src/core/apply/input.ts';
import type { DesiredState } from '../../src/core/config/desired-state.ts';
import type { Target } from '../../src/core/config/project.ts';
import type { DesiredResource, LiveObject } from '../../src/core/kinds/kind.ts';
import type { SelectedOrigin } from '../../src/core/model/command-line.ts';
import type { JsonObject } from '../../src/core/model/json.ts';
import { asString } from '../../src/core/model/json-readers.ts';
import { buildPlan, type PlanResult } from '../../src/core/plan/build-plan.ts';
import type { PlanInput } from '../../src/core/plan/input.ts';
import { selectionOf } from '../../src/core/plan/selection.ts';
import { NO_OTHER_LEDGERS } from '../../src/core/state/other-ledgers.ts';
import { NO_WINDOWS } from '../../src/core/windows/windows.ts';
import { type AccountData, FakeAccount } from './fake-account.ts';
import { kinds, liveRule, liveSong, SONG, soleOf } from './fake-kinds.ts';

/** A desired song `song/<key>`; its title is the key unless `fields` says otherwise. */
export function aSong(key: string, fields: JsonObject = {}): DesiredResource {
  const all = { ...SONG, title: key, list: ['x', 'y'], ...fields };
  const title = asString(all.title) ?? '';
  const asset = soleOf(all);
  const matchKeys = [...(asset === undefined ? [] : [{ id: asset }]), ...(title === '' ? [] : [{ remoteName: title }])];
  return {
    address: `song/${key}`,
    displayName: key,
    fields: all,
    declaredFields: all,
    remoteName: title,
    matchKeys,
    mayMatchByBinding: true,
    path: ['songs', key],
  };
}

/** A desired song of a single asset, which is matched by its asset alone. */
export function aSingle(asset: string, fields: JsonObject = {}): DesiredResource {
  const all = { ...SONG, ...fields, list: [asset] };
  const matchKeys = [{ id: asset }];
  return {
    address: `single/${asset}`,
    displayName: asset,
    fields: all,
    declaredFields: all,
    remoteName: '',
    matchKeys,
    mayMatchByBinding: false,
    path: ['singles', asset],
  };
}

/** A desired rule `rule/<name>`. */
export function aRule(name: string, strength = 1): DesiredResource {
  const fields = { name, strength };
  return {
    address: `rule/${name}`,
    displayName: name,
    fields,
    declaredFields: fields,
    remoteName: name,
    matchKeys: [{ remoteName: name }],
    mayMatchByBinding: true,
    path: ['rules', name],
  };
}

/** The desired dial. */
export function theDial(open: boolean, list: readonly string[]): DesiredResource {
  const fields = { list, open };
  return {
    address: 'dial',
    displayName: 'dial',
    fields,
    declaredFields: fields,
    matchKeys: [],
    mayMatchByBinding: false,
    path: ['dial'],
  };
}

/** A live song. */
export function aLiveSong(id: string, fields: JsonObject = {}): LiveObject {
  return liveSong({ id, ...SONG, title: id, list: ['x', 'y'], ...fields });
}

/** A live rule. */
export function aLiveRule(id: string, name: string, strength = 1): LiveObject {
  return liveRule({ id, name, strength });
}

/** Builds a desired state; every kind is managed unless `present` names fewer sections. */
export function desiredStateOf(
  resources: readonly DesiredResource[],
  adopt: { readonly [address: string]: string } = {},
  present: readonly string[] = ['songs', 'singles', 'rules', 'dial'],
): DesiredState {
  return {
    resources,
    presentKeys: new Set(present),
    adopt: new Map(Object.entries(adopt)),
    moved: new Map(),
    removed: new Set(),
    findings: [],
    digest: 'sha256:declaration',
    positionOf: (path) => ({ file: `${path.join('/')}.yaml`, line: 1, column: 1 }),
    placesOf: () => [],
  };
}

/** Adds `moved` (old address to new) and `removed` to a desired state. */
export function withMoves(
  desiredState: DesiredState,
  moved: { readonly [from: string]: string },
  removed: readonly string[] = [],
): DesiredState {
  return { ...desiredState, moved: new Map(Object.entries(moved).map(([from, to]) => [to, from])), removed: new Set(removed) };
}

/** A target whose safety checks block nothing, so that each test sets its own limits. */
export const target: Target = {
  name: 'stage',
  baseUrl: 'https://services.example.com',
  credentials: { owner: { env: 'OWNER' }, apiKey: { env: 'KEY' } },
  sources: [],
  vars: new Map(),
  ownership: 'exclusive',
  ledger: 'none',
  remote: 'origin',
  branch: null,
  after: [],
  soakMs: 0,
  manages: null,
  protect: [],
  limits: { delete: { count: 1_000_000, percent: 100 }, update: { percent: 100 }, offAir: { count: 1_000_000, percent: 100 } },
  ignoreChanges: { allowed: true, acceptRiskyEditsAt: [] },
  playbackLoss: 'allow',
  weakening: 'allow',
  http: { concurrency: 4, requestsPerSecond: 0, timeoutSeconds: 1, giveUpSeconds: 1, runSeconds: 0, maxBodyMib: 1 },
  service: {
    v3Post: 'form',
    signatureIn: 'query',
    scopedKeyV3Post: 'json',
    smartStartBulkLimit: 100,
    settleSeconds: 0,
    referenceApi: 'v2',
    retentionFrom: 'unknown',
    assetReadyStates: ['ok'],
    resettableMembers: [],
  },
  windows: NO_WINDOWS,
  check: {},
};

/** Builds the input of a plan of a fake account, without a ledger. */
export function planInputOf(account: FakeAccount, desiredState: DesiredState, more: Partial<PlanInput> = {}): PlanInput {
  return {
    target,
    owner: 'the-owner',
    desiredState,
    severityRules: [],
    failedExternalIdLookups: new Map(),
    guards: [],
    run: { command: 'plan', ci: '', actor: 'ada', commit: '', message: '', branch: '', pullRequest: '' },
    analyzeImpact: () => ({ byChange: new Map(), playbackReasons: new Map(), summary: null }),
    whyNotDeclarable: () => new Map(),
    kinds,
    service: account,
    now: account.now,
    elapsed: account.now,
    selection: selectionOf([], null),
    reportsRiskyEditsOfIgnoredFields: false,
    ledgerState: null,
    emptyLedger: null,
    otherLedgers: async () => NO_OTHER_LEDGERS,
    appliesEarlierCommit: false,
    earlierBindings: null,
    lastApplied: null,
    interrupted: [],
    sentCreates: new Map(),
    settling: account.settling(),
    rollback: null,
    overrides: { deletes: 0, checks: new Set() },
    commandScope: { only: [] },
    config: null,
    ...more,
  };
}

/** Plans a desired state on a fake account. */
export function planFor(account: FakeAccount, desiredState: DesiredState, more: Partial<PlanInput> = {}): Promise<PlanResult> {
  return buildPlan(planInputOf(account, desiredState, more));
}

/** Returns the changes of a plan as short lines: `create song/a`. */
export function changeLines({ plan }: Pick<PlanResult, 'plan'>): string[] {
  return plan.changes.map(({ action, address }) => `${action} ${address}`);
}

/** Applies a plan. `outcomeLines` are the outcomes as short lines: `created song/a`. */
export async function applyPlan(
  account: FakeAccount,
  planResult: PlanResult,
  more: Partial<ApplyInput> = {},
): Promise<ApplyResult & { readonly outcomeLines: string[] }> {
  const { changes, context, plan, readByKind } = planResult;
  const signal = new AbortController().signal;
  const fixed = {
    changes,
    context,
    fingerprint: plan.fingerprint,
    readByKind,
    service: account,
    concurrency: 4,
    now: account.now,
    elapsed: account.now,
    settling: account.settling(),
    signal,
  };
  const done = await apply({ ...fixed, waitPolicy: account, whyNotDeclarable: () => new Map(), ...more });
  return { ...done, outcomeLines: done.outcome.outcomes.map(({ result, address }) => `${result} ${address}`) };
}

/** Plans on an account, lets `interfere` change it, and applies the plan. */
export async function planThenApply(
  data: AccountData,
  resources: readonly DesiredResource[],
  interfere: (account: FakeAccount) => void,
  plannedKinds = kinds,
) {
  const account = new FakeAccount(data);
  const planResult = await planFor(account, desiredStateOf(resources), { kinds: plannedKinds });
  account.requests.length = 0;
  interfere(account);
  const done = await applyPlan(account, planResult);
  return { account, ...done, why: done.outcome.outcomes.map(({ error, because }) => error ?? because ?? '') };
}

/** Selects by `--only`, as part of the input of a plan. */
export function only(...globs: readonly string[]): Pick<PlanInput, 'selection'> {
  return { selection: selectionOf(globs, null) };
}

/** Selects by `--only-origin`, and by `--only` where there are globs, as part of the input of a plan. */
export function onlyOrigin(origin: SelectedOrigin | null, ...globs: readonly string[]): Pick<PlanInput, 'selection'> {
  return { selection: selectionOf(globs, origin) };
}
