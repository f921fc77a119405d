/** Desired and live resources of the fake kinds, and runs of the engine with them. */

import type { Application, Applied } from '../../src/engine/applying/application.ts';
import { apply } from '../../src/engine/applying/apply.ts';
import type { Target } from '../../src/engine/desired/configuration.ts';
import type { Declaration } from '../../src/engine/desired/declaration.ts';
import { type Reconciled, reconcile } from '../../src/engine/reconcile.ts';
import type { Run } from '../../src/engine/run.ts';
import type { Desired, Live } from '../../src/kinds/kind.ts';
import type { Fields } from '../../src/model/json.ts';
import { asText } from '../../src/model/read.ts';
import { FakeAccount, type Holdings } from './fake-account.ts';
import { kinds, liveRule, liveSong, SONG, soleOf } from './fakes.ts';

/** A desired song `song/<key>`; its title is the key unless `fields` says otherwise. */
export function aSong(key: string, fields: Fields = {}): Desired {
  const all = { ...SONG, title: key, list: ['x', 'y'], ...fields };
  const label = asText(all.title) ?? '';
  const asset = soleOf(all);
  const clues = [...(asset === undefined ? [] : [{ id: asset }]), ...(label === '' ? [] : [{ name: label }])];
  return { address: `song/${key}`, name: key, fields: all, declared: all, label, clues, adoptable: true, path: ['songs', key] };
}

/** A desired one-asset song, known by its asset alone. */
export function aSingle(asset: string, fields: Fields = {}): Desired {
  const all = { ...SONG, ...fields, list: [asset] };
  const clues = [{ id: asset }];
  return {
    address: `single/${asset}`,
    name: asset,
    fields: all,
    declared: all,
    label: '',
    clues,
    adoptable: false,
    path: ['singles', asset],
  };
}

/** A desired rule `rule/<name>`. */
export function aRule(name: string, strength = 1): Desired {
  const fields = { name, strength };
  return {
    address: `rule/${name}`,
    name,
    fields,
    declared: fields,
    label: name,
    clues: [{ name }],
    adoptable: true,
    path: ['rules', name],
  };
}

/** The desired dial. */
export function theDial(open: boolean, list: readonly string[]): Desired {
  const fields = { list, open };
  return { address: 'dial', name: 'dial', fields, declared: fields, clues: [], adoptable: false, path: ['dial'] };
}

/** A live song. */
export function aLiveSong(id: string, fields: Fields = {}): Live {
  return liveSong({ id, ...SONG, title: id, list: ['x', 'y'], ...fields });
}

/** A live rule. */
export function aLiveRule(id: string, name: string, strength = 1): Live {
  return liveRule({ id, name, strength });
}

/** A declaration of these resources; every kind is managed unless `present` names fewer sections. */
export function declaring(
  resources: readonly Desired[],
  adopt: { readonly [address: string]: string } = {},
  present: readonly string[] = ['songs', 'singles', 'rules', 'dial'],
): Declaration {
  return {
    resources,
    present: new Set(present),
    adopt: new Map(Object.entries(adopt)),
    moved: new Map(),
    removed: new Set(),
    findings: [],
    digest: 'sha256:declaration',
    place: (path) => ({ file: `${path.join('/')}.yaml`, line: 1, column: 1 }),
    written: () => undefined,
  };
}

/** The same with `moved` (old address to new) and `removed`. */
export function moving(declaration: Declaration, moved: { readonly [from: string]: string }, removed: readonly string[] = []): Declaration {
  return { ...declaration, moved: new Map(Object.entries(moved).map(([from, to]) => [to, from])), removed: new Set(removed) };
}

/** A target without brakes, so that each test sets its own. */
export const target: Target = {
  name: 'stage',
  baseUrl: 'https://services.example.com',
  credentials: { owner: { env: 'OWNER' }, apiKey: { env: 'KEY' } },
  sources: [],
  vars: {},
  ownership: 'exclusive',
  ledger: 'none',
  remote: 'origin',
  branch: null,
  protect: [],
  limits: { delete: { count: 1_000_000, percent: 100 }, update: { percent: 100 } },
  loosening: 'allow',
  http: { concurrency: 4, requestsPerSecond: 0, timeoutSeconds: 1, giveUpSeconds: 1, runSeconds: 0, maxBodyMib: 1 },
  service: { v3Post: 'form', smartStartBatch: 100, referenceApi: 'v2' },
  check: {},
};

/** A run over a fake account, without ledger. */
export function runOf(account: FakeAccount, declaration: Declaration, more: Partial<Run> = {}): Run {
  return {
    target,
    owner: 'the-owner',
    declaration,
    rules: {},
    guards: [],
    meaningOf: () => ({ byChange: new Map(), told: null }),
    kinds,
    service: account,
    now: account.now,
    only: [],
    onlyOrigin: null,
    memory: null,
    goesBack: false,
    base: null,
    allowed: { deletes: 0, brakes: new Set() },
    config: null,
    ...more,
  };
}

/** Reconciles a declaration with a fake account. */
export function planned(account: FakeAccount, declaration: Declaration, more: Partial<Run> = {}): Promise<Reconciled> {
  return reconcile(runOf(account, declaration, more));
}

/** Changes as short lines: `create song/a`. */
export function told({ plan }: Pick<Reconciled, 'plan'>): string[] {
  return plan.changes.map(({ action, address }) => `${action} ${address}`);
}

/** Applies what was planned, and tells what became of each change: `created song/a`. */
export async function applied(
  account: FakeAccount,
  reconciled: Reconciled,
  more: Partial<Application> = {},
): Promise<Applied & { readonly told: string[] }> {
  const { steps, context, plan, seen } = reconciled;
  const signal = new AbortController().signal;
  const fixed = { steps, context, fingerprint: plan.fingerprint, seen, service: account, concurrency: 4, now: account.now, signal };
  const done = await apply({ ...fixed, patience: account, ...more });
  return { ...done, told: done.outcome.outcomes.map(({ result, address }) => `${result} ${address}`) };
}

/** Plans on an account, lets `mischief` prepare what comes, and applies. */
export async function carried(holdings: Holdings, resources: readonly Desired[], mischief: (account: FakeAccount) => void, some = kinds) {
  const account = new FakeAccount(holdings);
  const reconciled = await planned(account, declaring(resources), { kinds: some });
  account.requests.length = 0;
  mischief(account);
  const done = await applied(account, reconciled);
  return { account, ...done, why: done.outcome.outcomes.map(({ error, because }) => error ?? because ?? '') };
}
