/** Many targets on one emulator: as many accounts as there are targets, each with an owner and a key of its own. */
import { createHash } from 'node:crypto';
import type { EmulatorOptions } from '../../../src/emulator/server.ts';
import type { TestProject } from '../../support/harness.ts';
import { manyLive, numbered } from '../accounts.ts';

/** A target and its account. */
export interface Tenant {
  readonly name: string;
  readonly owner: string;
  readonly apiKey: string;
}

/** The first tenants of a list without end. */
export function firstTenants(count: number): readonly Tenant[] {
  return numbered(count).map((n) => {
    const name = `tenant-${String(n).padStart(3, '0')}`;
    return { name, owner: digest(`owner of ${name}`, 'hex').slice(0, 32), apiKey: digest(`key of ${name}`, 'base64') };
  });
}

/** Credentials that have no part in common. */
function digest(text: string, encoding: 'hex' | 'base64'): string {
  return createHash('sha256').update(text).digest(encoding);
}

/** Returns the accounts; each has so many playlists of `manyLive`, and two of three have another `repeat`. */
export function accountsOf(tenants: readonly Tenant[], playlists: number): Pick<EmulatorOptions, 'accounts' | 'seed'> {
  const seed = tenants.map(({ owner }, index) => [owner, { playlist: manyLive(playlists, { repeat: index % 3 }) }]);
  return { accounts: tenants.map(({ owner, apiKey }) => ({ owner, apiKey })), seed: Object.fromEntries(seed) };
}

/**
 * Writes upkeep.yaml with these targets, and gives the variables from which they take their credentials. `more` are lines for each target.
 */
export function writeTargets(project: TestProject, tenants: readonly Tenant[], more = ''): { readonly [name: string]: string } {
  project.write('upkeep.yaml', `version: 1\ntargets:\n${tenants.map((tenant) => targetOf(project.emulator.url, tenant, more)).join('')}`);
  return Object.fromEntries(
    tenants.flatMap(({ name, owner, apiKey }) => [
      [`OWNER_${envSuffix(name)}`, owner],
      [`KEY_${envSuffix(name)}`, apiKey],
    ]),
  );
}

/** The lines of a target. */
export function targetOf(url: string, { name }: Tenant, more = ''): string {
  const lines = more.split('\n').map((line) => `    ${line}\n`);
  return `  ${name}:
    base_url: ${url}
    credentials: { owner: { env: OWNER_${envSuffix(name)} }, api_key: { env: KEY_${envSuffix(name)} } }
    sources: [config]
    http: { requests_per_second: 0, timeout_seconds: 20, give_up_seconds: 0 }
${lines.join('')}`;
}

function envSuffix(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}
