/** docs/incidents.md: each of its commands, run in the night that it is about, with an emulator for each of two targets. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { emulatedKinds } from '../../src/emulator/kinds/index.ts';
import { type Emulator, startEmulator } from '../../src/emulator/server.ts';
import { cleanUpAfterTest } from '../support/cleanup.ts';
import { type Clone, createGitProject, type GitProject } from '../support/git-project.ts';
import { API_KEY, OWNER, type RunResult } from '../support/harness.ts';
import { wordsOf } from '../support/printed-commands.ts';
import { beams, declare, PLAYLISTS } from './accounts.ts';

const page = readFileSync(new URL('../../docs/incidents.md', import.meta.url), 'utf8');

/** The commands of the page, in their order. */
const COMMANDS = [...page.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].flatMap(([, text = '']) => text.trim().split(/\n */));

const run = new Set<string>();
afterAll(() => expect([...run].sort()).toEqual([...new Set(COMMANDS)].sort()));

/** A team that has applied the same configuration to staging and to production. */
interface Team {
  readonly project: GitProject;
  /** The account of production. */
  readonly production: Emulator;
  /** Runs a command that stands on the page, with these texts in place of its words in capitals. */
  onPage(command: string, words?: { readonly [word: string]: string }, clone?: Clone): Promise<RunResult>;
  /** Runs a command that upkeep printed, with more arguments. */
  printed(command: string | undefined, ...more: readonly string[]): Promise<RunResult>;
  run(...argv: readonly string[]): Promise<RunResult>;
  /** Commits a configuration, and applies it to both targets. */
  merge(sections: Parameters<typeof declare>[1], ...flags: readonly string[]): Promise<void>;
}

const POLICY = { fairplay: { hd: { hdcp_enforcement: 1 } } };
const LOW_POLICY = { fairplay: { hd: { hdcp_enforcement: 0 } } };
const DECLARED = {
  drm_policies: { films: POLICY },
  playlists: { evening: { playlist: beams(1) }, news: { playlist: beams(2) } },
};

const SETTLED = 'service: { settle_seconds: 0 }, http: { requests_per_second: 0, give_up_seconds: 0 }';

async function createTeam(window = ''): Promise<Team> {
  const project = await createGitProject({});
  const staging = await startEmulator({ emulatedKinds, accounts: [{ owner: OWNER, apiKey: API_KEY }] });
  cleanUpAfterTest(() => staging.close());
  const credentials = 'credentials: { owner: { env: UPKEEP_OWNER }, api_key: { env: UPKEEP_API_KEY } }';
  const targetOf = (url: string, more: string) =>
    `{ base_url: "${url}", ${credentials}, sources: [config], ownership: shared, ledger: git, branch: main, ${SETTLED}${more} }`;
  project.write(
    'upkeep.yaml',
    `version: 1\nproject: content\ntargets:\n  staging: ${targetOf(staging.url, '')}\n  production: ${targetOf(project.emulator.url, `, after: [staging]${window}`)}\n`,
  );
  const team: Team = {
    project,
    production: project.emulator,
    run: (...argv) => project.run(...argv),
    onPage(command, words = {}, clone = project) {
      expect(COMMANDS).toContain(command);
      run.add(command);
      const [program, ...argv] = wordsOf(command.replaceAll(/\b[A-Z]{4,}\b/g, (word) => words[word] ?? word));
      expect(program).toBe('upkeep');
      return clone.run(...argv);
    },
    printed(command, ...more) {
      const [program, ...argv] = wordsOf(command ?? '');
      expect(program).toBe('upkeep');
      return project.run(...argv, ...more);
    },
    async merge(sections, ...flags) {
      declare(project, sections);
      project.commit();
      for (const target of ['staging', 'production']) {
        const { code, stderr } = await project.run('apply', '--target', target, '--yes', ...flags);
        expect([target, code], stderr).toEqual([target, 0]);
      }
    },
  };
  await team.merge(DECLARED, '--allow', 'weakening', '--allow', 'window');
  return team;
}

/** Returns the command that follows a text in what was printed, up to the end of its line. */
function commandAfter(text: string, { stdout, stderr }: RunResult): string | undefined {
  const [, command] = `${stderr}\n${stdout}`.replaceAll(/\n {4,}(?=upkeep )/g, ' ').split(text);
  return /upkeep .*/.exec(command ?? '')?.[0];
}

const live = ({ project }: Team, kind: string): string => JSON.stringify(project.live(kind));

function playlistNamed({ project }: Team, name: string) {
  return project.playlists().find(({ desc }) => desc === name);
}

function editEvening(team: Team, merge: { readonly [field: string]: number }): void {
  team.project.editPlaylist(String(playlistNamed(team, 'evening')?.id), merge);
}

test('the table begins with the first command of each incident', () => {
  const rows = [...page.matchAll(/^\| \[.*?\]\(#(.*?)\) \| (.*) \|$/gm)].map(([, anchor = '', first = '']) => [anchor, first] as const);
  const sections = page.split(/^## /m).slice(1);
  const anchorOf = (section: string) =>
    section
      .split('\n', 1)
      .join('')
      .toLowerCase()
      .replaceAll(/[^a-z ]/g, '')
      .replaceAll(' ', '-');
  expect(rows.map(([anchor]) => anchor)).toEqual(sections.map(anchorOf));
  for (const [index, [, first]] of rows.entries()) {
    const [, command = ''] = /`(upkeep [^`]*)`/.exec(first) ?? [];
    const [, block] = /```sh\n *(.*)/.exec(sections[index] ?? '') ?? [];
    expect(block).toBe(command);
  }
});

describe('in the night', () => {
  let team: Team;
  beforeEach(async () => {
    team = await createTeam();
  });

  test('an undo takes back what lowered protection, and leaves what else the merge brought', async () => {
    const { news, evening } = DECLARED.playlists;
    await team.merge(
      { drm_policies: { films: LOW_POLICY }, playlists: { news, evening: { ...evening, desc: 'Evening' } } },
      '--allow',
      'weakening',
    );
    expect(live(team, 'drm-policy')).toContain('"hdcp_enforcement":0');
    expect(await team.onPage('upkeep history --target production --limit 5')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('overridden: weakening'),
    });
    const whole = await team.onPage('upkeep undo --target production');
    const narrow = commandAfter('to go back with these alone: ', whole);
    expect(narrow).toMatch(/ --only drm-policy\/films$/);
    const planned = await team.printed(narrow);
    expect((await team.printed(commandAfter('to apply this plan: ', planned))).code).toBe(0);
    expect(live(team, 'drm-policy')).toContain('"hdcp_enforcement":1');
    expect(playlistNamed(team, 'Evening')).toBeDefined();
    // As the page says: until the revert is merged, the branch waits.
    expect(await team.run('apply', '--target', 'production', '--yes', '--allow', 'weakening')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('changed back drm-policy/films'),
    });
  });

  test('an undo brings back on air what a merge switched off', async () => {
    const { news, evening } = DECLARED.playlists;
    await team.merge({ ...DECLARED, playlists: { news, evening: { ...evening, active: 0 } } }, '--allow', 'playback-loss');
    expect(playlistNamed(team, 'evening')).toMatchObject({ active: 0 });
    const planned = await team.onPage('upkeep undo --target production');
    expect(planned.stdout).toContain('it goes on air');
    expect((await team.printed(commandAfter('to apply this plan: ', planned))).code).toBe(0);
    expect(playlistNamed(team, 'evening')).toMatchObject({ active: 1 });
  });

  test('a revoked key writes nothing, and what was done with a leaked one is found and taken back', async () => {
    const revoked = await team.project.runWith({ env: { UPKEEP_API_KEY: 'revoked' } }, 'apply', '--target', 'production', '--yes');
    expect(revoked.code).toBe(7);
    editEvening(team, { skip_drm: 1 });
    team.production.edit({
      emulation: 'playlist',
      collection: 'playlists',
      id: '9'.repeat(32),
      document: { id: '9'.repeat(32), desc: 'stolen', playlist: beams(1) },
    });
    expect((await team.onPage('upkeep doctor --target production')).code).toBe(0);
    expect(await team.onPage('upkeep drift --target production --out json=drift.json')).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('weakens protection'),
    });
    expect(team.project.read('drift.json')).toContain('skip_drm');
    expect((await team.onPage('upkeep plan --target production --undeclared')).stdout).toContain('stolen');
    const history = await team.onPage('upkeep history --target production --limit 20');
    expect(history.stdout).toContain('newest first (1)');
    // The way back stands in a sentence.
    expect(page).toContain('`upkeep plan --target production --only-origin drift` prints');
    expect((await team.run('apply', '--target', 'production', '--only-origin', 'drift', '--yes')).code).toBe(0);
    expect(playlistNamed(team, 'evening')).toMatchObject({ skip_drm: 0 });
    expect(playlistNamed(team, 'stolen')).toBeDefined();
  });

  test('the apply after one that the service cut off writes the rest, and nothing twice', async () => {
    const { evening, news } = DECLARED.playlists;
    declare(team.project, { ...DECLARED, playlists: { late: { playlist: beams(3) }, news, evening: { ...evening, repeat: 2 } } });
    team.project.commit();
    expect((await team.run('apply', '--target', 'staging', '--yes')).code).toBe(0);
    // The answer to the create is lost, and nothing else is answered.
    team.production.setFaults([
      { method: 'POST', path: PLAYLISTS, nth: 1, reset: 'after' },
      { method: 'PATCH', path: '/api/*', status: 503 },
    ]);
    const cut = await team.run('apply', '--target', 'production', '--yes');
    expect(cut).toMatchObject({ code: 5, stdout: expect.stringContaining('docs/incidents.md') });
    expect((await team.onPage('upkeep targets')).stdout).toContain('in part');
    expect((await team.onPage('upkeep plan --target production')).stdout).toContain('playlist/evening');
    team.production.setFaults([]);
    expect((await team.run('apply', '--target', 'production', '--yes')).code).toBe(0);
    expect(
      team.project
        .playlists()
        .map(({ desc }) => desc)
        .sort(),
    ).toEqual(['evening', 'late', 'news']);
  });

  test('a lost ledger stops every apply without a person, and comes back by the line that doctor prints', async () => {
    const ref = 'refs/upkeep/production';
    const entry = team.project.refs()[ref] ?? '';
    team.project.git('push', '-q', 'origin', `:${ref}`);
    expect(await team.onPage('upkeep plan --target production')).toMatchObject({
      stdout: expect.stringMatching(/^Blocked: .*no apply to production is recorded/),
    });
    const doctor = await team.onPage('upkeep doctor --target production');
    expect(doctor.stdout.replaceAll(/\s+/g, ' ')).toContain(`${entry}:${ref}`);
    const clone = team.project.clone();
    for (const each of [team.project, clone]) {
      const { code, stderr } = await each.run('apply', '--target', 'production', '--yes');
      expect([code, stderr.replaceAll(/\s+/g, ' ')]).toEqual([4, expect.stringContaining('no apply to production is recorded')]);
    }
    expect(team.project.refs()[ref]).toBeUndefined();
    expect(page).toContain('`git push origin ENTRY:refs/upkeep/production`');
    team.project.git('push', '-q', 'origin', `${entry}:${ref}`);
    const history = await team.onPage('upkeep history --target production --limit 3');
    expect(history.stdout).toContain(entry.slice(0, 12));
    expect((await team.onPage('upkeep plan --target production', {}, clone)).stdout).toContain('Nothing to do');
  });
});

test('an edit by hand is taken back in a freeze, without what was merged since', async () => {
  const team = await createTeam(', windows: { deny: [{ why: Christmas }] }');
  editEvening(team, { repeat: 5 });
  declare(team.project, { ...DECLARED, playlists: { ...DECLARED.playlists, late: { playlist: beams(3) } } });
  team.project.commit();
  expect((await team.run('apply', '--target', 'staging', '--yes')).code).toBe(0);
  expect((await team.onPage('upkeep drift --target production')).code).toBe(3);
  const planned = await team.onPage('upkeep plan --target production --only-origin drift');
  expect(planned.stdout).toContain('add `--allow window`');
  const apply = commandAfter('Once it does not wait any more:', planned);
  expect((await team.printed(apply)).code).toBe(4);
  expect((await team.printed(apply, '--allow', 'window')).code).toBe(0);
  expect([playlistNamed(team, 'evening')?.repeat, playlistNamed(team, 'late')]).toEqual([0, undefined]);
  editEvening(team, { repeat: 7 });
  const accept = 'upkeep drift accept --target production ADDRESS';
  expect((await team.onPage(accept, { ADDRESS: 'playlist/evening' })).code).toBe(8);
  expect((await team.onPage(accept, { ADDRESS: 'playlist/evening --shared' })).code).toBe(0);
  expect(team.project.read('config/account.yaml')).toContain('7');
});
