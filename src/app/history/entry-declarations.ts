/** Reads what an entry of a ledger declares, from the configuration of its commit. */
import type { DesiredState } from '../../core/config/desired-state.ts';
import type { Target } from '../../core/config/project.ts';
import { kinds } from '../../core/kinds/index.ts';
import type { DesiredResource } from '../../core/kinds/kind.ts';
import type { LedgerEntry } from '../../core/ledger/entry.ts';
import { GitError, LedgerError } from '../../core/ledger/errors.ts';
import { withIdsOfLedger } from '../../core/plan/external-ids.ts';
import { separateExpiredIgnores } from '../../core/plan/ignored-fields.ts';
import type { OpenProject } from '../run/project.ts';
import type { AppContext } from '../run/runtime.ts';
import type { Declarations } from './accepted-edits.ts';
import { configurationReader, type LoadedState } from './load-state.ts';

/** What an entry declares, or why that cannot be read, a clause. */
export type EntryDeclarations = { readonly declared: Declarations } | { readonly unread: string };

/** Reads what an entry declares. It is called for entries with a commit, newest first. */
export type ReadDeclarations = (entry: LedgerEntry) => Promise<EntryDeclarations>;

/** Returns the function that reads the entries of a target. It loads at most one configuration for each, and keeps the last few. */
export function declarationReader(session: OpenProject, target: Target, io: AppContext): ReadDeclarations {
  const snapshots = new Map<string, string>();
  const parsed = recentFiles();
  const load = configurationReader({ ...session, parseCache: parsed }, target, io, (commit) => snapshots.get(commit));
  return declarationsBy(async (entry, commit) => {
    for (const [each, snapshot] of Object.entries(entry.snapshots ?? {})) snapshots.set(each, snapshot);
    parsed.begin();
    return load(commit);
  });
}

/** Loads the configuration of an entry. @throws GitError, LedgerError */
type LoadAt = (entry: LedgerEntry, commit: string) => ReturnType<LoadedState['configurationAt']>;

/** Returns the function that reads entries by what loads a configuration. One that declares the same as the entry before it is not loaded. */
export function declarationsBy(loadAt: LoadAt): ReadDeclarations {
  let last: { readonly commit: string; readonly digest: string | undefined; readonly found: Found } | null = null;
  return async (entry) => {
    const { commit, declared: digest } = entry.config;
    if (commit === null) return { unread: 'it was applied from a work tree that was not committed' };
    const isSame = last !== null && (last.commit === commit || (digest !== undefined && last.digest === digest));
    const found: Found = last !== null && isSame ? last.found : await resourcesAt(entry, commit, loadAt);
    last = { commit, digest, found };
    return 'unread' in found ? found : { declared: declaredBy(entry, found) };
  };
}

/** The resources of a configuration, by address. */
interface Resources {
  readonly addresses: readonly string[];
  readonly resources: ReadonlyMap<string, DesiredResource>;
}

type Found = Resources | { readonly unread: string };

const NO_RESOURCES: Resources = { addresses: [], resources: new Map() };

async function resourcesAt(entry: LedgerEntry, commit: string, loadAt: LoadAt): Promise<Found> {
  try {
    const loaded = await loadAt(entry, commit);
    if ('desiredState' in loaded) return resourcesOf(loaded.desiredState);
    return loaded.isMissing ? NO_RESOURCES : { unread: loaded.unusable };
  } catch (error) {
    if (error instanceof GitError || error instanceof LedgerError) return { unread: error.message };
    throw error;
  }
}

function resourcesOf({ resources }: DesiredState): Resources {
  return {
    addresses: resources.map(({ address }) => address),
    resources: new Map(resources.map((resource) => [resource.address, resource])),
  };
}

/** Returns resources as an entry applied them: with the assets of their external IDs, and without ignored fields whose last day was over. */
function declaredBy({ at, externalIds = {} }: LedgerEntry, { addresses, resources }: Resources): Declarations {
  const now = Date.parse(at);
  return {
    addresses,
    at(address) {
      const resource = resources.get(address);
      if (resource === undefined) return null;
      const [resolved = resource] = Object.hasOwn(externalIds, address) ? withIdsOfLedger([resource], kinds, externalIds) : [];
      return separateExpiredIgnores(resolved, now);
    },
  };
}

/** Creates a cache of parsed files that keeps those of the last two configurations. */
function recentFiles(): OpenProject['parseCache'] & { begin(): void } {
  type Files = Map<string, NonNullable<ReturnType<OpenProject['parseCache']['get']>>>;
  let [current, earlier]: [Files, Files] = [new Map(), new Map()];
  return {
    begin() {
      [current, earlier] = [new Map(), current];
    },
    get(digest) {
      const file = current.get(digest) ?? earlier.get(digest);
      if (file !== undefined) current.set(digest, file);
      return file;
    },
    set: (digest, file) => current.set(digest, file),
  };
}
