/** Projects whose ledgers are in one repository, with one account: none takes, deletes or blames without knowing of the other (design section 3, identity). */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/core/model/json.ts';
import { createGitProject, type GitProject } from '../../support/git-project.ts';
import { type ProjectFolder, projectFile, projectIn } from '../../support/harness.ts';
import { beams, declare } from '../accounts.ts';

const KIDS_3 = { 'kids-3': { playlist: beams(7, 8) } };
const OWN = { 'sports-1': { playlist: beams(1, 2) } };

interface TwoProjects {
  readonly repository: GitProject;
  readonly kids: ProjectFolder;
  readonly sports: ProjectFolder;
  /** Commits a configuration of a project. */
  declares(project: ProjectFolder, sections: JsonObject): void;
}

/** Two projects of one repository with targets of different names; `kids` is applied and has `kids-3`. */
async function twoProjects(kidsSections: JsonObject = { playlists: KIDS_3 }, setting = ''): Promise<TwoProjects> {
  const repository = await createGitProject({}, { isSeparate: false });
  const at = (name: string): ProjectFolder => {
    repository.write(
      `${name}/upkeep.yaml`,
      projectFile(repository.emulator.url, `ledger: git\n${setting}`).replace('  live:', `  ${name}:`),
    );
    return projectIn(join(repository.folder, name), repository.env);
  };
  const [kids, sports] = [at('kids'), at('sports')];
  const declares = (project: ProjectFolder, sections: JsonObject) => {
    declare(project, sections);
    repository.commit();
  };
  declare(sports, { playlists: OWN });
  declares(kids, kidsSections);
  expect((await kids.run('apply', '--yes')).code).toBe(0);
  return { repository, kids, sports, declares };
}

function idOf({ repository }: TwoProjects, desc: string): string {
  return String(repository.playlists().find((playlist) => playlist.desc === desc)?.id);
}

function members({ repository }: TwoProjects, desc: string): Json {
  return repository.playlists().find((playlist) => playlist.desc === desc) ?? null;
}

describe('an object that another project has', () => {
  test.each(['adopt', 'name', 'moved', 'name, where nothing would change'] as const)(
    'is not taken over by %s, and both ways out are said',
    async (how) => {
      const both = await twoProjects();
      const id = idOf(both, 'kids-3');
      const mine = { desc: 'kids-3', repeat: how === 'name, where nothing would change' ? 0 : 3, playlist: beams(7, 8) };
      both.declares(both.sports, {
        playlists: { ...OWN, 'sports-9': mine },
        ...(how === 'adopt' ? { adopt: { 'playlist/sports-9': id } } : {}),
        ...(how === 'moved' ? { moved: [{ from: 'playlist/kids-3', to: 'playlist/sports-9' }] } : {}),
      });
      const { document } = await both.sports.plan();
      expect(document.changes.find(({ address }) => address === 'playlist/sports-9')?.blocked).toMatchObject({
        check: 'identity',
        reason: expect.stringContaining(`the ledger of the project kids binds playlist/~${id} to playlist/kids-3 (target kids)`),
        lift: {
          edit: expect.stringMatching(
            /name it under `removed` in the configuration of kids, and apply that first; .*`git push origin --delete refs\/upkeep\/kids`/,
          ),
        },
      });
      const before = members(both, 'kids-3');
      const { code, stdout } = await both.sports.run('apply', '--yes');
      expect([code, members(both, 'kids-3')]).toEqual([4, before]);
      expect(stdout).not.toContain('did not create');
    },
  );

  test('is handed over by giving it first, and taking it then', async () => {
    const both = await twoProjects();
    const id = idOf(both, 'kids-3');
    both.declares(both.kids, { playlists: {}, removed: ['playlist/kids-3'] });
    expect((await both.kids.apply('--yes')).document.summary).toMatchObject({ forgotten: 1, deleted: 0 });
    both.declares(both.sports, {
      playlists: { ...OWN, 'sports-9': { desc: 'kids-3', repeat: 3, playlist: beams(7, 8) } },
      adopt: { 'playlist/sports-9': id },
    });
    expect((await both.sports.apply('--yes')).document.summary).toMatchObject({ created: 1, updated: 1 });
    // The former project neither wants it back nor calls it drift.
    expect((await both.kids.plan()).document.changes).toEqual([]);
    expect((await both.kids.drift()).document.changes).toEqual([]);
    both.declares(both.kids, { playlists: { 'kids-3': { playlist: beams(7, 8) } } });
    expect((await both.kids.plan()).document.changes[0]?.blocked?.reason).toContain('the ledger of the project sports binds');
  });

  test('can be taken over once the ledger of a project that is gone is deleted', async () => {
    const both = await twoProjects();
    both.declares(both.sports, { playlists: { ...OWN, 'sports-9': { desc: 'kids-3', repeat: 3, playlist: beams(7, 8) } } });
    expect((await both.sports.run('apply', '--yes')).code).toBe(4);
    both.repository.git('push', '-q', 'origin', '--delete', 'refs/upkeep/kids');
    expect((await both.sports.apply('--yes')).document.summary).toMatchObject({ created: 1, updated: 1 });
  });

  test('is not deleted under `exclusive`, where nobody here declares it', async () => {
    const both = await twoProjects({ playlists: KIDS_3 }, 'ownership: exclusive');
    const { document } = await both.sports.plan();
    expect(document.changes.find(({ action }) => action === 'delete')?.blocked?.reason).toContain('the ledger of the project kids binds');
    expect((await both.sports.run('apply', '--yes', '--skip-blocked')).code).toBe(4);
    expect(idOf(both, 'kids-3')).not.toBe('undefined');
  });

  test('is not deleted by the project that created it while another one has it, too', async () => {
    const both = await twoProjects();
    const id = idOf(both, 'kids-3');
    await bindTwice(both, id);
    both.declares(both.kids, { playlists: {} });
    const { document } = await both.kids.plan();
    expect(document.changes).toMatchObject([
      {
        action: 'delete',
        blocked: { check: 'identity', lift: { edit: expect.stringContaining('to forget it here, write `removed: [playlist/kids-3]`') } },
      },
    ]);
  });

  test('is another project’s by the names that both give themselves: two targets of one project hand over freely', async () => {
    const both = await twoProjects();
    rewriteEntry(both.repository, 'kids', { project: 'sports' });
    both.declares(both.sports, { playlists: { ...OWN, 'sports-9': { desc: 'kids-3', repeat: 3, playlist: beams(7, 8) } } });
    expect((await both.sports.plan()).document.summary).toMatchObject({ update: 1, blocked: 0 });
  });

  test('is not in the way of a ledger of another account, and a warning where nobody can tell', async () => {
    for (const [edit, expected] of [
      [{ baseUrl: 'https://elsewhere.example' }, 'taken'],
      [{ configuredOwner: undefined }, 'warned'],
      [{ project: undefined }, 'taken'],
    ] as const) {
      const both = await twoProjects();
      rewriteEntry(both.repository, 'kids', edit);
      both.declares(both.sports, { playlists: { ...OWN, 'sports-9': { desc: 'kids-3', repeat: 3, playlist: beams(7, 8) } } });
      const { document } = await both.sports.plan();
      expect(document.summary).toMatchObject({ update: 1, blocked: 0 });
      expect(document.findings.filter(({ code }) => code === 'other-project')).toHaveLength(expected === 'warned' ? 1 : 0);
    }
  });

  test('may be any object where a ledger cannot be read, so that nothing is taken over', async () => {
    const both = await twoProjects();
    rewriteEntry(both.repository, 'kids', { schemaVersion: 9 });
    both.repository.editPlaylist(idOf(both, 'kids-3'), { desc: 'by nobody' });
    both.declares(both.sports, { playlists: { ...OWN, 'sports-9': { desc: 'by nobody', repeat: 3, playlist: beams(7, 8) } } });
    const { document } = await both.sports.plan();
    expect(document.changes.find(({ address }) => address === 'playlist/sports-9')?.blocked).toMatchObject({
      reason: expect.stringContaining('nobody can tell'),
      lift: { edit: expect.stringContaining('repair the ledger of the target kids') },
    });
    expect(document.changes.find(({ address }) => address === 'playlist/sports-1')?.blocked).toBeNull();
  });
});

describe('a difference that another project has made', () => {
  test('is by that project, never by hand, in every report', async () => {
    const both = await twoProjects();
    const id = idOf(both, 'kids-3');
    await bindTwice(both, id);
    both.repository.editPlaylist(id, { repeat: 4 });
    const { document } = await both.kids.drift();
    expect(document.changes).toMatchObject([{ address: 'playlist/kids-3', changedBy: 'sports' }]);
    for (const argv of [
      ['plan'],
      ['drift'],
      ['drift', '--format', 'github'],
      ['plan', '--format', 'markdown'],
      ['plan', '--format', 'html'],
    ]) {
      const { stdout } = await both.kids.run(...argv);
      expect(stdout, argv.join(' ')).not.toContain('by hand');
      if (argv[0] === 'drift') expect(stdout.replace(/\s+/g, ' '), argv.join(' ')).toContain('by project sports');
    }
    expect((await both.kids.run('plan')).stdout).toContain('Changed by other projects');
  });

  test('is by hand where no other ledger binds the object', async () => {
    const both = await twoProjects();
    expect((await both.sports.run('apply', '--yes')).code).toBe(0);
    both.repository.editPlaylist(idOf(both, 'kids-3'), { repeat: 4 });
    const { document } = await both.kids.drift();
    expect(document.changes.map(({ changedBy }) => changedBy)).toEqual([undefined]);
    expect((await both.kids.run('plan')).stdout).toContain('Changed by hand');
  });
});

test('a setting that another project has written is not written by a second one', async () => {
  const rejecting = (status: string) => ({ playlists: {}, vmp_reject_statuses: [status] });
  const both = await twoProjects(rejecting('PLATFORM_UNVERIFIED'));
  both.declares(both.sports, rejecting('PLATFORM_TAMPERED'));
  const { document } = await both.sports.plan('--allow', 'weakening', '--allow', 'playback-loss');
  expect(document.changes).toMatchObject([
    { blocked: { check: 'identity', reason: expect.stringContaining('the ledger of the project kids has written it') } },
  ]);
  both.declares(both.kids, { playlists: {} });
  expect((await both.kids.run('apply', '--yes')).code).toBe(0);
  const after = await both.sports.plan('--allow', 'weakening', '--allow', 'playback-loss');
  expect(after.document.changes.map(({ blocked }) => blocked?.check)).toEqual([undefined]);
});

test('other ledgers are read only where something is newly bound or deleted, or drift is to be explained', async () => {
  const both = await twoProjects();
  // A ref that cannot be read makes it visible whether it was.
  rewriteEntry(both.repository, 'kids', { schemaVersion: 9 });
  expect((await both.sports.run('apply', '--yes')).code).toBe(0);
  both.declares(both.sports, { playlists: { 'sports-1': { repeat: 2, playlist: beams(1, 2) } } });
  expect((await both.sports.apply('--yes')).document.summary).toMatchObject({ updated: 1 });
});

/** Lets the ledger of `sports` bind an object that `kids` has, as it could before ledgers knew of each other. */
async function bindTwice({ repository, sports }: TwoProjects, id: string): Promise<void> {
  expect((await sports.run('apply', '--yes')).code).toBe(0);
  rewriteEntry(repository, 'sports', { bindings: { 'playlist/sports-9': { id, origin: 'adopted' } } });
}

/** Replaces members of the newest entry of a ledger; undefined removes one. */
function rewriteEntry({ remote, env }: GitProject, target: string, members: { readonly [name: string]: unknown }): void {
  const git = (input: string, ...args: readonly string[]) =>
    execFileSync('git', [...args], { cwd: remote, env, input })
      .toString()
      .trim();
  const ref = `refs/upkeep/${target}`;
  const entry: unknown = { ...JSON.parse(git('', 'show', `${ref}:entry.json`)), ...members };
  const blob = git(JSON.stringify(entry), 'hash-object', '-w', '--stdin');
  const tree = git(`100644 blob ${blob}\tentry.json\n`, 'mktree');
  const commit = git('', '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit-tree', '-m', 'rewrite', tree);
  git('', 'update-ref', ref, commit);
}
