/** What earlier applies left behind, and runs of the engine that remember. */
import type { Declaration } from '../../src/engine/desired/declaration.ts';
import type { Base, Binding, Memory } from '../../src/engine/memory.ts';
import type { Reconciled } from '../../src/engine/reconcile.ts';
import { reconcile } from '../../src/engine/reconcile.ts';
import { type Earlier, remember } from '../../src/engine/remember.ts';
import type { Run } from '../../src/engine/run.ts';
import type { Desired } from '../../src/kinds/kind.ts';
import type { FakeAccount } from './fake-account.ts';
import { applied, declaring, runOf } from './runs.ts';

/** A ledger: the memory, the commits with their declarations, and where each address stands. */
export interface Past extends Earlier {
  readonly commits: ReadonlyMap<string, Declaration>;
}

/** A ledger without an entry. */
export const FIRST: Past = { memory: knowing({}), base: null, commit: null, standing: new Map(), commits: new Map() };

/** A memory of these bindings; an ID that ends in `+` was only adopted. */
export function knowing(bindings: { readonly [address: string]: string }, more: Partial<Memory> = {}): Memory {
  const binding = (id: string): Binding => (id.endsWith('+') ? { id: id.slice(0, -1), origin: 'adopted' } : { id, origin: 'created' });
  const entries = Object.entries(bindings).map(([address, id]): [string, Binding] => [address, binding(id)]);
  return { bindings: new Map(entries), forgotten: new Set(), owner: null, ...more };
}

/** Bindings as `knowing` takes them. */
export function known({ bindings }: Memory): { readonly [address: string]: string } {
  return Object.fromEntries([...bindings].map(([address, { id, origin }]) => [address, origin === 'adopted' ? `${id}+` : id]).sort());
}

/** A past in which these resources were applied under these bindings, at the commit `c1`. */
export function pastOf(resources: readonly Desired[], memory: Memory): Past {
  const commits = new Map([['c1', declaring(resources)]]);
  return { memory, base: baseOf(resources), commit: 'c1', standing: new Map(), commits };
}

/** A base of these resources. */
export function baseOf(resources: readonly Desired[], unknown: readonly string[] = []): Base {
  return { resources: new Map(resources.map((resource) => [resource.address, resource])), unknown: new Set(unknown) };
}

/** Plans with what is remembered. */
export function recalled(account: FakeAccount, declaration: Declaration, past: Past, more: Partial<Run> = {}): Promise<Reconciled> {
  return reconcile(runOf(account, declaration, { memory: past.memory, base: past.base, ...more }));
}

/** Plans, applies and remembers, at a commit. */
export async function lived(account: FakeAccount, declaration: Declaration, past: Past, commit: string, more: Partial<Run> = {}) {
  const run = runOf(account, declaration, { memory: past.memory, base: past.base, ...more });
  const reconciled = await reconcile(run);
  const done = await applied(account, reconciled);
  const results = new Map(done.outcome.outcomes.map(({ address, result }) => [address, result]));
  const { memory, standing } = remember(past, run, reconciled, { results, ids: done.ids });
  const commits = new Map([...past.commits, [commit, declaration]]);
  return { reconciled, told: done.told, past: { memory, standing, commit, commits, base: baseAt(commits, commit, standing) } };
}

function baseAt(commits: Past['commits'], commit: string, standing: Past['standing']): Base {
  const at = (name: string | null) => new Map((commits.get(name ?? '')?.resources ?? []).map((each) => [each.address, each]));
  const resources = at(commit);
  for (const [address, name] of standing) {
    const resource = at(name).get(address);
    if (resource) resources.set(address, resource);
    else resources.delete(address);
  }
  return { resources, unknown: new Set([...standing].flatMap(([address, name]) => (name === null ? [address] : []))) };
}
