/** A ledger in a repository of its own: what it holds, what it is read for, and how it is reached (design section 6). */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MAX_BYTES } from '../../../src/core/config/yaml/text.ts';
import type { JsonObject } from '../../../src/core/model/json.ts';
import { asDiagnosis, asHistory } from '../../support/documents.ts';
import { rounds } from '../../support/figures.ts';
import { createGitProject, type GitProject, playlistId } from '../../support/git-project.ts';
import { temporaryFolder } from '../../support/harness.ts';
import { preparedOnce } from '../../support/prepared-project.ts';
import { asset, beams, config, declare, manyPlaylists, numbered } from '../accounts.ts';

const REF = 'refs/upkeep/live';

/** A project whose ledger is in a repository of its own, with an applied commit of so many playlists. */
const appliedProject = preparedOnce(async (count: number, options: Parameters<typeof createGitProject>[1] = {}) => {
  const project = await createGitProject(config({ playlists: manyPlaylists(count) }), { ...options, isSeparate: true });
  await apply(project);
  return project;
});

async function apply(project: Pick<GitProject, 'apply'>, ...args: readonly string[]): Promise<void> {
  const { code, stderr } = await project.apply('--yes', ...args);
  expect(code, stderr).toBe(0);
}

/** Commits other playlists. */
function commitPlaylists(project: GitProject, playlists: JsonObject): string {
  declare(project, { playlists });
  return project.commit();
}

/** Runs git in the repository of the ledger. */
const inLedger = (project: Pick<GitProject, 'ledger' | 'env'>, ...args: readonly string[]): string =>
  execFileSync('git', [...args], { cwd: project.ledger, env: project.env, stdio: ['ignore', 'pipe', 'pipe'] })
    .toString()
    .trim();

const setLedger = (project: Pick<GitProject, 'write' | 'read'>, address: string): void =>
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace(/ledger: .*/, `ledger: { git: "${address}" }`));

describe('the ledger repository', () => {
  test('holds entries, and of the project exactly the files that the configuration was read from, without its history', async () => {
    const project = await createGitProject(
      {
        'config/a.yaml': JSON.stringify({ playlists: manyPlaylists(1) }),
        'config/deep/b.yaml': 'smart_starts: { vod: { assets_file: vod.txt } }\n',
        'config/deep/vod.txt': `${asset(40)}\n`,
        'config/notes.txt': 'no configuration\n',
        'more/c.yaml': 'drm_policies: {}\n',
        'secret.txt': 'no configuration\n',
      },
      { isSeparate: true, target: 'vars: { region: eu }' },
    );
    symlinkSync('../more/c.yaml', join(project.folder, 'config/link.yaml'));
    project.commit();
    await apply(project);
    const commit = project.git('rev-parse', 'HEAD');
    const [entry] = project.entries();
    const snapshot = entry?.snapshots?.[commit] ?? '';
    expect(entry?.config.commit).toBe(commit);
    expect(inLedger(project, 'rev-list', '--parents', '-1', REF)).toBe(`${project.refs()[REF]} ${snapshot}`);
    expect(inLedger(project, 'rev-list', '--parents', snapshot)).toBe(snapshot);
    const files = inLedger(project, 'ls-tree', '-r', '--name-only', snapshot).split('\n');
    expect(files).toEqual(['config/a.yaml', 'config/deep/b.yaml', 'config/deep/vod.txt', 'config/link.yaml', 'upkeep.yaml']);
    for (const file of files) expect(`${inLedger(project, 'show', `${snapshot}:${file}`)}\n`).toBe(`${project.read(file).trimEnd()}\n`);
    expect(() => inLedger(project, 'cat-file', '-e', commit)).toThrow('cat-file');
    expect(inLedger(project, 'for-each-ref', '--format=%(refname)')).toBe(REF);
  });

  test('gets the same commit for the same files, and none of a dirty work tree', async () => {
    const project = await appliedProject(1);
    const first = project.git('rev-parse', 'HEAD');
    project.write('README.md', 'no configuration\n');
    const second = project.commit();
    await apply(project);
    const third = commitPlaylists(project, manyPlaylists(2));
    await apply(project);
    declare(project, { playlists: manyPlaylists(3) });
    await apply(project, '--allow', 'dirty');
    const snapshots = project.entries().map((entry) => entry.snapshots);
    expect(snapshots[0]?.[first]).toMatch(/^[0-9a-f]{40}$/);
    expect(snapshots[1]).toEqual({ [second]: snapshots[0]?.[first] });
    expect(snapshots[2]?.[third]).not.toBe(snapshots[0]?.[first]);
    expect([snapshots[3], project.entries()[3]?.config.commit]).toEqual([undefined, null]);
    const parents = inLedger(project, 'rev-list', '--first-parent', '--parents', REF).split('\n');
    expect(parents.slice(0, 4).map((row) => row.split(' ').length - 1)).toEqual([1, 2, 2, 1]);
  });

  test('never changes the clone of the project, its refs, objects and configuration', async () => {
    const project = await appliedProject(1);
    commitPlaylists(project, manyPlaylists(2));
    const visible = () => [
      project.git('for-each-ref'),
      project.git('count-objects', '-v'),
      project.git('config', '--list', '--local'),
      project.git('status', '--porcelain'),
    ];
    const before = visible();
    for (const command of ['plan', 'drift', 'history', 'doctor', 'undo']) await project.run(command);
    await apply(project);
    expect(visible()).toEqual(before);
    expect(existsSync(join(project.folder, '.git/shallow'))).toBe(false);
  });

  test('is shared by several targets, which run at the same time', async () => {
    const names = ['a', 'b', 'c', 'd', 'live'];
    const sourceOf = (name: string, count: number) => {
      const playlists = numbered(count).map((n) => [`${name}${n}`, { playlist: beams(n + 100 * names.indexOf(name), 1000) }]);
      return JSON.stringify({ playlists: Object.fromEntries(playlists) });
    };
    const project = await createGitProject({}, { isSeparate: true });
    const text = project.read('upkeep.yaml');
    const target = text.slice(text.indexOf('  live:'));
    const targets = names.map((name) => target.replace('  live:', `  ${name}:`).replace('[config]', `[${name}.yaml]`));
    project.write('upkeep.yaml', text.replace(target, targets.join('')));
    for (const round of [1, 2]) {
      for (const name of names) project.write(`${name}.yaml`, sourceOf(name, round));
      project.commit();
      expect(await project.run('apply', '--yes', '-t', '*')).toMatchObject({ code: 0 });
    }
    expect(Object.keys(project.refs())).toEqual(names.map((name) => `refs/upkeep/${name}`));
    expect(project.entries()).toHaveLength(2);
    const drifts = JSON.parse((await project.run('drift', '-t', '*', '--format', 'json')).stdout);
    expect(drifts.map(({ changes }: JsonObject) => changes)).toEqual([[], [], [], [], []]);
  });
});

describe('with a ledger repository', () => {
  test('an edit by hand is drift, the next commit is not, an old commit is refused, and undo goes back', async () => {
    const project = await appliedProject(3);
    const first = project.git('rev-parse', 'HEAD');
    commitPlaylists(project, { ...manyPlaylists(3), p1: { repeat: 2, playlist: beams(1, 1001) } });
    project.editPlaylist(playlistId(project, 'p3'), { active: 0 });
    const drift = await project.drift();
    expect([drift.code, drift.document.changes.map(({ address }) => address)]).toEqual([3, ['playlist/p3']]);
    expect((await project.drift('--ref', first)).document.changes.map(({ address }) => address)).toEqual(['playlist/p3']);
    const [entryId = ''] = asHistory(await project.json('history')).entries.map(({ id }) => id);
    expect((await project.drift('--ref', entryId)).document.changes.map(({ address }) => address)).toEqual(['playlist/p3']);
    const plan = await project.plan();
    expect(plan.document.changes.map(({ address, origin }) => [address, origin])).toEqual([
      ['playlist/p1', 'change'],
      ['playlist/p3', 'drift'],
    ]);
    await apply(project);
    project.git('checkout', '-q', first);
    const refused = await project.refused('apply', '--yes');
    expect([refused.code, refused.document.error.summary]).toEqual([4, expect.stringContaining('safety check `rollback`')]);
    project.git('checkout', '-q', 'main');
    const undone = await project.run('undo');
    const [, words = ''] = /to apply this plan: upkeep (.*)/.exec(undone.stderr) ?? [];
    expect(undone.stderr).toContain('git revert');
    expect(await project.run(...words.split(' '))).toMatchObject({ code: 0 });
    expect(project.playlists().map(({ desc, repeat }) => [desc, repeat])).toEqual([
      ['p1', 0],
      ['p2', 0],
      ['p3', 0],
    ]);
    expect(project.entries().at(-1)?.config.commit).toBe(first);
    expect((await project.run('explain', 'playlist/p1')).code).toBe(0);
  });

  test('an address that an apply left out is compared with its own files', async () => {
    const project = await appliedProject(2);
    const first = project.git('rev-parse', 'HEAD');
    const second = commitPlaylists(project, manyPlaylists(2, { repeat: 3 }));
    await apply(project, '--only', 'playlist/p1');
    const entry = project.entries().at(-1);
    expect(entry?.pendingSince).toEqual({ 'playlist/p2': first });
    expect(Object.keys(entry?.snapshots ?? {}).sort()).toEqual([first, second].sort());
    expect((await project.plan()).document.changes.map(({ address, origin }) => [address, origin])).toEqual([['playlist/p2', 'change']]);
  });

  test('a commit that the project no longer has is compared by its files; the rollback check cannot tell, and does not guess', async () => {
    const project = await appliedProject(2);
    const lost = commitPlaylists(project, manyPlaylists(2, { repeat: 2 }));
    await apply(project);
    // The history is written anew, and nobody has the commit any more.
    project.git('reset', '-q', '--hard', 'HEAD~1');
    commitPlaylists(project, { ...manyPlaylists(2, { repeat: 2 }), p2: { active: 0, playlist: beams(2, 1002) } });
    for (const folder of [project.folder, project.remote]) {
      const git = (...args: readonly string[]) => execFileSync('git', [...args], { cwd: folder, env: project.env, stdio: 'ignore' });
      git('reflog', 'expire', '--expire=now', '--all');
      git('update-ref', '-d', 'ORIG_HEAD');
      git('gc', '-q', '--prune=now');
    }
    project.editPlaylist(playlistId(project, 'p1'), { repeat: 5 });
    for (const clone of [project, project.clone('--depth=1')]) {
      const { document, stderr } = await clone.plan();
      expect(stderr).not.toContain('cannot be read');
      expect(document.changes.map(({ address, origin, blocked }) => [address, origin, blocked?.check ?? null])).toEqual([
        // It goes back to what was applied last.
        ['playlist/p1', 'drift', null],
        ['playlist/p2', 'change', 'rollback'],
      ]);
      expect(document.changes[1]?.blocked?.reason).toMatch(new RegExp(`cannot tell .*${lost.slice(0, 12)}, which was applied: .*${lost}`));
      expect((await clone.drift()).document.changes.map(({ address }) => address)).toEqual(['playlist/p1']);
    }
    await apply(project, '--allow', 'rollback');
    const [last, before] = asHistory(await project.json('history')).entries;
    expect([last?.commit, before?.commit]).toEqual([project.git('rev-parse', 'HEAD'), lost]);
    // The files of the entry are enough to go back to it.
    const undone = await project.run('undo');
    expect([undone.code, undone.stderr]).toEqual([0, expect.stringContaining('the commits to revert are not known')]);
    const [, words = ''] = /to apply this plan: upkeep (.*)/.exec(undone.stderr) ?? [];
    expect(await project.run(...words.split(' '))).toMatchObject({ code: 0 });
    expect(project.entries().at(-1)).toMatchObject({ config: { commit: lost }, snapshots: { [lost]: expect.anything() } });
    expect(inLedger(project, 'cat-file', '-t', project.entries().at(-1)?.snapshots?.[lost] ?? '')).toBe('commit');
  });

  test('the branch that a commit must be on is that of the project', async () => {
    const project = await appliedProject(1, { target: 'branch: main' });
    declare(project, { playlists: manyPlaylists(2) });
    project.git('add', '-A');
    project.git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-q', '-m', 'not pushed');
    expect(await project.refused('apply', '--yes')).toMatchObject({ code: 4, document: { error: { code: 'not-on-branch' } } });
    project.commit();
    await apply(project);
  });

  test('the ledger of the trusted commit is used, and never that of a branch', async () => {
    const project = await appliedProject(1);
    project.git('branch', 'trusted');
    const evil = join(temporaryFolder(), 'evil.git');
    setLedger(project, evil);
    declare(project, { playlists: manyPlaylists(2) });
    project.commit();
    const { code, document, stderr } = await project.plan('--trust-from', 'refs/heads/trusted');
    expect([code, stderr]).toEqual([0, '']);
    expect(document.changes.map(({ address, origin }) => [address, origin])).toEqual([['playlist/p2', 'change']]);
    expect(document.findings.map(({ code }) => code)).toEqual(['settings-not-trusted', 'safeguard-lowered']);
    expect(await project.refused('plan')).toMatchObject({ code: 1, document: { error: { code: 'git-unreachable' } } });
  });
});

/** Makes a tree of these rows of `git mktree` the files of the last entry, as somebody with write access could. */
function replaceFiles(project: GitProject, rows: readonly string[]): void {
  const git = (input: string, ...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], { cwd: project.ledger, env: project.env, input })
      .toString()
      .trim();
  const hostile = git('', 'commit-tree', '-m', 'x', git(rows.map((row) => `${row}\n`).join(''), 'mktree', '--missing'));
  const entry = project.entries().at(-1);
  const snapshots = Object.fromEntries(Object.keys(entry?.snapshots ?? {}).map((commit) => [commit, hostile]));
  const blob = git(JSON.stringify({ ...entry, snapshots }), 'hash-object', '-w', '--stdin');
  const tree = git(`100644 blob ${blob}\tentry.json\n`, 'mktree');
  git('', 'update-ref', REF, git('', 'commit-tree', '-p', hostile, '-m', 'x', tree));
}

describe('an entry whose files somebody replaced', () => {
  const blobIn = (project: GitProject, content: string | Uint8Array) =>
    execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: project.ledger, env: project.env, input: content }).toString().trim();

  /** Replaced files in the rows of `git mktree`; `npm test` runs the first two. */
  const replaced: readonly (readonly [string, (project: GitProject) => readonly string[]])[] = [
    ['by nothing', () => []],
    ['by links out of the project', (project) => [`120000 blob ${blobIn(project, '/etc/passwd')}\tupkeep.yaml`]],
    ['by a link to itself', (project) => [`120000 blob ${blobIn(project, 'upkeep.yaml')}\tupkeep.yaml`]],
    ['by a submodule', () => [`160000 commit ${'a'.repeat(40)}\tupkeep.yaml`]],
    ['by a huge file', (project) => [`100644 blob ${blobIn(project, Buffer.alloc(MAX_BYTES + 1, 32))}\tupkeep.yaml`]],
    [
      'by a configuration of another account whose folder of sources is a submodule',
      (project) => [
        `100644 blob ${blobIn(project, project.read('upkeep.yaml').replace(/base_url: .*/, 'base_url: https://evil.example.com'))}\tupkeep.yaml`,
        `160000 commit ${'a'.repeat(40)}\tconfig`,
      ],
    ],
  ];

  test.each(replaced.slice(0, rounds(2, replaced.length)))(
    '%s is named in a warning; origins are unknown, and the next apply records anew',
    async (_what, rows) => {
      const project = await appliedProject(1);
      const second = commitPlaylists(project, manyPlaylists(1, { repeat: 4 }));
      replaceFiles(project, rows(project));
      const before = project.git('count-objects', '-v');
      const { code, document, stderr } = await project.plan();
      expect([code, document.changes.map(({ address, origin }) => [address, origin])]).toEqual([0, [['playlist/p1', 'unknown']]]);
      expect(stderr).toMatch(/^warning: the configuration last applied .*cannot be (?:used|read)/);
      expect(project.git('count-objects', '-v')).toBe(before);
      await apply(project, '--allow', 'rollback');
      const entry = project.entries().at(-1);
      expect([entry?.config.commit, Object.keys(entry?.snapshots ?? {})]).toEqual([second, [second]]);
      expect((await project.drift()).code).toBe(0);
    },
  );
});

describe('the address of a ledger repository', () => {
  test('may be a path, relative to the folder of upkeep.yaml', async () => {
    const project = await createGitProject(config({ playlists: manyPlaylists(1) }), { isSeparate: true });
    setLedger(project, `..${'/..'.repeat(8)}${project.ledger}`);
    project.commit();
    await apply(project);
    expect(project.entries()).toHaveLength(1);
    expect((await project.run('targets')).stdout).toContain('ledger in');
    expect(await project.json('targets')).toMatchObject({ targets: [{ ledger: { git: expect.stringMatching(/^\.\.\/.*ledger\.git$/) } }] });
  });

  test('may not be a repository of the checkout, also through a link: its hooks would run', async () => {
    const project = await appliedProject(1);
    const sub = { ...project, file: join(project.folder, 'sub') };
    execFileSync('git', ['init', '-q', '--bare', join(project.folder, 'evil.git')], { env: project.env });
    writeFileSync(join(project.folder, 'evil.git/hooks/pre-receive'), '#!/bin/sh\ntouch ran\n', { mode: 0o755 });
    const outside = join(temporaryFolder(), 'link.git');
    symlinkSync(join(project.folder, 'evil.git'), outside);
    for (const address of [join(project.folder, 'evil.git'), outside, join(project.folder, 'missing.git')]) {
      setLedger(sub, address);
      for (const command of ['plan', 'apply', 'history', 'doctor']) {
        const { code, stdout, stderr } = await project.run(command, ...(command === 'apply' ? ['--yes', '--allow', 'dirty'] : []));
        const words = `${stdout}${stderr}`.replaceAll(/\s+/g, ' ');
        expect([code, words], command).toEqual([1, expect.stringContaining('lies in the work tree')]);
      }
    }
    expect(existsSync(join(project.folder, 'evil.git/ran'))).toBe(false);
  });

  test('may be ssh, which is run as the user has set it up, and not as the clone has', async () => {
    const project = await appliedProject(1);
    const folder = temporaryFolder();
    const [ssh, log] = [join(folder, 'ssh'), join(folder, 'log')];
    const script = `#!/bin/sh\necho "$@" >>'${log}'\nfor last; do :; done\nexec sh -c "$(echo "$last" | sed "s#/ledger.git#${project.ledger}#")"\n`;
    writeFileSync(ssh, script, { mode: 0o755 });
    const canary = join(folder, 'canary');
    project.git('config', 'core.sshCommand', `touch ${canary};`);
    project.git('config', 'url.file:///nowhere/.insteadOf', 'ssh://');
    project.git('config', 'credential.helper', `!touch ${canary}`);
    setLedger(project, 'ssh://git@git.example.com:2222/ledger.git');
    commitPlaylists(project, manyPlaylists(2));
    const env = { GIT_SSH_COMMAND: ssh, GIT_SSH_VARIANT: 'ssh' };
    for (const argv of [['plan'], ['apply', '--yes'], ['history'], ['drift'], ['doctor']]) {
      expect(await project.runWith({ env }, ...argv), argv[0]).toMatchObject({ code: 0 });
    }
    expect(project.entries()).toHaveLength(2);
    expect(readFileSync(log, 'utf8')).toMatch(/-p 2222 git@git\.example\.com git-upload-pack '\/ledger\.git'/);
    expect(existsSync(canary)).toBe(false);
  });

  test('is refused where the configuration of the user turns it into another transport', async () => {
    const project = await appliedProject(1);
    setLedger(project, 'https://git.example.com/ledger.git');
    project.commit();
    const canary = join(temporaryFolder(), 'canary');
    for (const base of [`ext::touch ${canary} `, 'file:///nowhere/', 'http://127.0.0.1:1/']) {
      execFileSync('git', ['config', '--global', '--replace-all', `url.${base}.insteadOf`, 'https://'], { env: project.env });
      const { code, document } = await project.refused('plan');
      expect([code, document.error]).toEqual([
        1,
        expect.objectContaining({ code: 'git-refused', hint: expect.stringContaining('url.*.insteadOf') }),
      ]);
      execFileSync('git', ['config', '--global', '--unset-all', `url.${base}.insteadOf`], { env: project.env });
    }
    expect(existsSync(canary)).toBe(false);
  });
});

describe('doctor', () => {
  test('reads the ledger repository, and tries to write it without writing', async () => {
    const project = await appliedProject(1);
    const before = [project.refs(), inLedger(project, 'count-objects')];
    const { checks } = asDiagnosis(await project.json('doctor'));
    const check = (name: string) => checks.find((each) => each.check === name);
    expect(check('ledger')).toMatchObject({
      state: 'ok',
      summary: expect.stringContaining(`the ledger repository ${project.ledger} answers`),
    });
    expect(check('push')).toMatchObject({ state: 'ok' });
    expect([project.refs(), inLedger(project, 'count-objects')]).toEqual(before);
  });

  test('says that the ledger repository cannot be read', async () => {
    const project = await appliedProject(1);
    setLedger(project, join(temporaryFolder(), 'gone.git'));
    project.commit();
    const ran = await project.run('doctor', '--format', 'json');
    const check = asDiagnosis(JSON.parse(ran.stdout)).checks.find((each) => each.check === 'ledger');
    expect([ran.code, check?.state]).toEqual([1, 'failed']);
    expect(check?.summary).toContain('gone.git');
  });
});
