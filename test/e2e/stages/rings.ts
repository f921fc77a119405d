/** Projects with several targets on one emulator, a ledger, and a clock that tests move. */
import { expect } from 'vitest';
import type { JsonObject } from '../../../src/core/model/json.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import { asPlan, documentsOf } from '../../support/documents.ts';
import { type Clone, createGitProject, type GitProject, IS_SEPARATE } from '../../support/git-project.ts';
import type { RunResult } from '../../support/harness.ts';
import { beams } from '../accounts.ts';
import { accountsOf, firstTenants, type Tenant, targetOf } from '../multi-target/accounts.ts';

/** A target of such a project. */
export interface Ring {
  readonly name: string;
  /** The lines of its settings besides address, credentials, branch and ledger. */
  readonly lines: string;
  /** What `sources` is. */
  readonly sources?: string;
}

/** Such a project. */
export interface Rings {
  readonly project: GitProject;
  /** Unix milliseconds of every run. */
  now(): number;
  /** Moves the clock. */
  pass(hours: number): void;
  run(...argv: readonly string[]): Promise<RunResult>;
  /** Runs in another clone. */
  runIn(clone: Clone, ...argv: readonly string[]): Promise<RunResult>;
  /** Runs in a terminal, where these are the answers of the user. */
  asked(answers: AsyncIterable<string>, ...argv: readonly string[]): Promise<RunResult>;
  plan(...argv: readonly string[]): Promise<Plan>;
  /** The playlists of the account of a target. */
  playlists(name: string): readonly JsonObject[];
  /** Edits a playlist of the account of a target by hand. */
  edit(name: string, playlist: string, fields: JsonObject): void;
  /** The file with these targets; `top` are lines before them. */
  settings(rings: readonly Ring[], top?: string): string;
}

const HOUR_MS = 3_600_000;

/** Creates a project whose first commit has these targets and files. `top` are lines of upkeep.yaml before `targets`. */
export async function createRings(rings: readonly Ring[], files: { readonly [name: string]: string }, top = ''): Promise<Rings> {
  let time = Date.parse('2026-11-27T12:00:00Z');
  const now = (): number => time;
  const tenants = firstTenants(rings.length).map((tenant, index): Tenant => ({ ...tenant, name: rings[index]?.name ?? tenant.name }));
  const project = await createGitProject(files, { ...accountsOf(tenants, 0), now });
  const ledger = IS_SEPARATE ? `{ git: ${project.ledger} }` : 'git';
  const settings: Rings['settings'] = (all, before = '') => {
    const targets = all.map(({ name, lines, sources = '[config]' }) => {
      const tenant = tenants.find((each) => each.name === name);
      if (tenant === undefined) throw new Error(`no account for ${name}`);
      const more = ['branch: main', `ledger: ${ledger}`, 'service: { settle_seconds: 0 }', ...(lines === '' ? [] : lines.split('\n'))];
      return targetOf(project.emulator.url, tenant, more.join('\n')).replace('sources: [config]', `sources: ${sources}`);
    });
    return `version: 1\nproject: content\n${before}targets:\n${targets.join('')}`;
  };
  project.write('upkeep.yaml', settings(rings, top));
  project.commit();
  const env = Object.fromEntries(
    tenants.flatMap(({ name, owner, apiKey }) => [
      [`OWNER_${name.toUpperCase().replaceAll('-', '_')}`, owner],
      [`KEY_${name.toUpperCase().replaceAll('-', '_')}`, apiKey],
    ]),
  );
  const run: Rings['run'] = (...argv) => project.runWith({ env, now }, ...argv);
  return {
    project,
    now,
    pass(hours) {
      time += hours * HOUR_MS;
    },
    run,
    runIn: (clone, ...argv) => clone.runWith({ env, now }, ...argv),
    asked: (stdin, ...argv) => project.runWith({ env, now, stdin, terminal: true }, ...argv),
    edit(name, playlist, fields) {
      const owner = tenants.find((tenant) => tenant.name === name)?.owner ?? '';
      const id = playlistsOf(project.emulator.dump(), owner).find(({ desc }) => desc === playlist)?.id;
      project.emulator.edit({ owner, emulation: 'playlist', collection: 'playlists', id: String(id), merge: fields });
    },
    async plan(...argv) {
      const { stdout, stderr } = await run('plan', ...argv, '--format', 'json');
      const [document] = documentsOf('plan', stdout);
      if (document === undefined) throw new Error(stderr);
      return asPlan(document);
    },
    playlists(name) {
      const owner = tenants.find((tenant) => tenant.name === name)?.owner ?? '';
      const dump: unknown = project.emulator.dump();
      return playlistsOf(dump, owner);
    },
    settings,
  };
}

function playlistsOf(dump: unknown, owner: string): readonly JsonObject[] {
  const account = memberOf(dump, owner);
  const playlists = memberOf(account, 'playlist');
  return Array.isArray(playlists) ? playlists : [];
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.entries(value).find(([member]) => member === name)?.[1] : undefined;
}

/** Two targets, of which production comes after staging; both read `config`, and production `live` besides. */
export function stagingAndProduction(soak = '24h'): readonly Ring[] {
  return [
    { name: 'staging', lines: '' },
    { name: 'production', lines: `after: [staging]\nsoak: ${soak}`, sources: '[config, live]' },
  ];
}

/** Writes playlists with the `repeat` of each, and commits them. */
export function commit({ project }: Rings, repeats: { readonly [name: string]: number }): string {
  const playlists = Object.entries(repeats).map(([name, repeat], index) => [name, { repeat, playlist: beams(index + 1) }]);
  project.write('config/account.yaml', JSON.stringify({ playlists: Object.fromEntries(playlists) }));
  return project.commit();
}

/** Applies to a target, and expects that it succeeds. */
export async function applied(rings: Rings, target: string, ...argv: readonly string[]): Promise<void> {
  const { code, stderr } = await rings.run('apply', '--target', target, '--yes', ...argv);
  expect(code, stderr).toBe(0);
}
