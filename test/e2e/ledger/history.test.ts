/** What was applied, and how to go back (design sections 5 and 6). */
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/model/json.ts';
import { anonymous } from '../../support/anonymous.ts';
import { asHistory, asOutcome, asPlan } from '../../support/documents.ts';
import { createGitProject, playlistId } from '../../support/git-project.ts';
import { preparedOnce } from '../../support/prepared-project.ts';
import { beams, config, declare, manyPlaylists } from '../accounts.ts';

/** An account with a playlist of somebody else's; two applies: two playlists, then a third that is adopted, one gone and one changed. */
const twiceApplied = preparedOnce(async () => {
  const seed = { playlist: [{ id: 'adopted', desc: 'p3', playlist: beams(3, 1003) }] };
  const project = await createGitProject(config({ playlists: manyPlaylists(2) }), { seed });
  expect((await project.apply('--yes')).code).toBe(0);
  declare(project, {
    playlists: { p1: { repeat: 2, playlist: beams(1, 1001) }, p3: { playlist: beams(3, 1003) }, p4: { playlist: beams(4, 5) } },
  });
  project.commit();
  expect(await project.apply('--yes')).toMatchObject({ document: { summary: { created: 1, updated: 1, deleted: 1, adopted: 1 } } });
  project.writes();
  return project;
});

/** The command that `undo` prints, as its words. */
function commandIn(stderr: string): readonly string[] {
  const [, words = ''] = /to apply this plan: upkeep (.*)/.exec(stderr) ?? [];
  return words.split(' ');
}

test('a blocked undo prints the one command that does it, in its verdict', async () => {
  const of = (level: number) => ({ widevine: { content_key_specs: [{ track_type: 'ALL', security_level: level }] } });
  const project = await createGitProject(config({ drm_policies: { hd: of(1), uhd: of(1) } }), { target: 'playback_loss: allow' });
  expect((await project.apply('--yes')).code).toBe(0);
  declare(project, { drm_policies: { hd: of(2), uhd: of(2) } });
  project.commit();
  expect((await project.apply('--yes')).code).toBe(0);
  project.writes();

  const printed = await project.run('undo', '--only', 'drm-policy/hd');
  expect(printed.stderr).not.toContain('to apply this plan');
  const commands = [...printed.stdout.matchAll(/^ *(upkeep apply .*)$/gm)].map(([, command = '']) => command.split(' '));
  expect(commands).toHaveLength(1);
  expect((await project.run(...(commands[0] ?? []).slice(1))).code).toBe(0);
  expect(project.writes()).toHaveLength(1);
  expect(project.live('drm-policy')).toMatchObject([of(1), of(2)]);
});

test('a plan that is blocked after a merge is missing prints no command, because merging is the remedy', async () => {
  const project = await twiceApplied();
  project.git('reset', '-q', '--hard', 'HEAD~1');
  const { code, stdout } = await project.run('plan', '--detailed-exitcode');
  expect([code, stdout]).toEqual([0, expect.stringContaining('Apply a commit that contains that one')]);
  expect(stdout).not.toContain('upkeep apply');
  const { stdout: allowed } = await project.run('plan', '--allow', 'rollback', '--detailed-exitcode');
  expect(allowed).not.toMatch(/upkeep apply(?!.*--allow rollback)/);
});

test('history lists the applies, newest first, in every format, and with an ID shows the outcome of one', async () => {
  const project = await twiceApplied();
  const { entries } = asHistory(await project.json('history'));
  const [latest, first] = entries;
  expect(entries.map(({ commit, fingerprint, summary }) => ({ commit, fingerprint, summary }))).toEqual(
    [...project.entries()].reverse().map(({ config: { commit }, fingerprint, summary }) => ({ commit, fingerprint, summary })),
  );
  expect(latest?.id).toBe(project.refs()['refs/upkeep/live']);
  const { stdout } = await project.run('history');
  expect(stdout).toContain('History of live');
  expect(stdout.indexOf(latest?.id.slice(0, 12) ?? '?')).toBeLessThan(stdout.indexOf(first?.id.slice(0, 12) ?? '?'));
  expect(stdout).toContain('1 created, 1 updated, 1 deleted, 1 adopted');
  expect((await project.run('history', '--format', 'markdown')).stdout).toContain(latest?.id.slice(0, 12) ?? '?');

  const id = first?.id.slice(0, 7) ?? '';
  expect(asOutcome(await project.json('history', id))).toMatchObject({
    fingerprint: first?.fingerprint,
    summary: { created: 2 },
    verified: true,
  });
  expect((await project.run('history', id)).stdout).toContain('created playlist/p1');
  const updated = asOutcome(await project.json('history', latest?.id.slice(0, 7) ?? '')).outcomes.find(
    ({ result }) => result === 'updated',
  );
  const [field] = updated?.fields ?? [];
  expect(field).toMatchObject({ path: expect.stringMatching(/^\//), origin: 'change' });
  expect((await project.run('history', latest?.id.slice(0, 7) ?? '')).stdout).toContain(
    `${JSON.stringify(field?.before)} -> ${JSON.stringify(field?.after)}`,
  );
  expect((await project.run('history', id, '--format', 'markdown')).stdout).toContain('playlist/p1');
  for (const unknown of ['0123456', 'nonsense', id.slice(0, 6)])
    expect(await project.refused('history', unknown)).toMatchObject({ code: 8, document: { error: { code: 'no-entry' } } });

  expect((await project.run('history', '--out', 'json=saved.json')).code).toBe(0);
  // What a file says of its writer is not shown.
  expect((await project.run('show', 'saved.json')).stdout).toBe(anonymous(stdout, entries[0] ?? {}));
});

test('git log of the ledger ref is the audit log', async () => {
  const project = await twiceApplied();
  const log = execFileSync('git', ['log', '--first-parent', '--format=%an <%ae>%n%B', 'refs/upkeep/live'], {
    cwd: project.ledger,
    env: project.env,
  });
  expect(log.toString()).toContain('live: 1 created, 1 updated, 1 deleted, 1 adopted');
  expect(log.toString()).toContain('upkeep <upkeep@upkeep.invalid>');
  expect(log.toString()).toContain(`Configuration: ${project.git('rev-parse', 'HEAD')}`);
});

describe('undo', () => {
  test('shows the reverse plan and the command that applies it: created objects are deleted, adopted ones are forgotten', async () => {
    const project = await twiceApplied();
    const { code, stdout, stderr } = await project.run('undo');
    expect(code).toBe(0);
    expect(stdout).toContain(`Plan for live at commit ${project.entries()[0]?.config.commit?.slice(0, 12)}`);
    const words = commandIn(stderr);
    expect(words).toEqual([
      'apply',
      '--target',
      'live',
      '--ref',
      asHistory(await project.json('history')).entries[1]?.id,
      '--allow',
      'rollback',
      '--expect',
      /sha256:\S+/.exec(stdout)?.[0],
    ]);
    expect(project.writes()).toEqual([]);

    expect((await project.run(...words)).code).toBe(0);
    expect(project.playlists().map(({ id, desc, repeat }) => [id === 'adopted', desc, repeat])).toEqual([
      [true, 'p3', 0],
      [false, 'p1', 0],
      [false, 'p2', 0],
    ]);
    const [first, , last] = project.entries();
    expect(last).toMatchObject({
      config: first?.config,
      summary: { created: 1, updated: 1, deleted: 1, forgotten: 1 },
      forgotten: ['adopted'],
    });
    expect(Object.keys(last?.bindings ?? {})).toEqual(['playlist/p1', 'playlist/p2']);
    expect((await project.drift()).code).toBe(0);
    // The work tree is ahead again, as it was before the second apply.
    expect((await project.plan()).document.summary).toMatchObject({ create: 1, update: 1, delete: 1 });
  });

  test('of an older entry goes back further, and a plan that has become stale is refused', async () => {
    const project = await twiceApplied();
    declare(project, {
      playlists: { p1: { repeat: 3, playlist: beams(1, 1001) }, p3: { playlist: beams(3, 1003) }, p4: { playlist: beams(4, 5) } },
    });
    project.commit();
    expect((await project.apply('--yes')).code).toBe(0);
    const second = asHistory(await project.json('history')).entries[1]?.id ?? '';
    const { stderr, stdout } = await project.run('undo', second.slice(0, 10));
    expect(stdout).toContain('repeat: 3 -> 0');
    project.editPlaylist(playlistId(project, 'p1'), { repeat: 9 });
    project.writes();
    expect(await project.run(...commandIn(stderr))).toMatchObject({ code: 6, stderr: expect.stringContaining('the plan is now sha256:') });
    expect(project.writes()).toEqual([]);
  });

  test('of a rename goes back to the object, of a replacement says which objects get new IDs, and neither duplicates anything', async () => {
    const { p1, p2 } = manyPlaylists(2);
    const project = await createGitProject(config({ playlists: { p1: p1 ?? null, p2: p2 ?? null } }));
    expect((await project.apply('--yes')).code).toBe(0);
    const ids = ['p1', 'p2'].map((desc) => playlistId(project, desc));
    const moved = [{ from: 'playlist/p1', to: 'playlist/renamed' }];
    declare(project, { playlists: { renamed: { desc: 'another name', playlist: beams(7, 8) } }, moved });
    project.commit();
    expect((await project.apply('--yes')).document.summary).toMatchObject({ updated: 1, deleted: 1 });
    expect(playlistId(project, 'another name')).toBe(ids[0]);

    const { stderr } = await project.run('undo');
    const { findings, changes } = asPlan(await project.json('undo'));
    expect(changes).toMatchObject([
      { action: 'update', address: 'playlist/p1', movedFrom: 'playlist/renamed' },
      { action: 'create', address: 'playlist/p2' },
    ]);
    expect(findings.filter(({ code }) => code !== 'scheduled-entries')).toMatchObject([
      { code: 'id-changes', address: 'playlist/p2', summary: expect.stringContaining(ids[1] ?? '?') },
    ]);
    expect((await project.run(...commandIn(stderr))).code).toBe(0);
    expect(project.playlists().map(({ id, desc }) => [id === ids[0], desc])).toEqual([
      [true, 'p1'],
      [false, 'p2'],
    ]);
    expect(project.entries().at(-1)?.bindings).toMatchObject({ 'playlist/p1': { id: ids[0], origin: 'created' } });
  });

  test('of an adoption goes back to the object that the address had, and names the values that an adopted object keeps', async () => {
    const seed = { playlist: [{ id: 'other', desc: 'of somebody else', playlist: beams(5, 6) }] };
    const project = await createGitProject(config({ playlists: manyPlaylists(1) }), { seed });
    expect((await project.apply('--yes')).code).toBe(0);
    const id = playlistId(project, 'p1');
    declare(project, { playlists: manyPlaylists(1), adopt: { 'playlist/p1': 'other' } });
    project.commit();
    expect((await project.apply('--yes')).code).toBe(0);
    expect(project.entries().at(-1)?.bindings).toEqual({ 'playlist/p1': { id: 'other', origin: 'adopted' } });

    const { stderr } = await project.run('undo');
    expect(asPlan(await project.json('undo')).findings).toMatchObject([
      { code: 'undone-adoption', summary: expect.stringContaining('other (p1) was adopted') },
    ]);
    expect((await project.run(...commandIn(stderr))).code).toBe(0);
    expect(project.entries().at(-1)).toMatchObject({ bindings: { 'playlist/p1': { id, origin: 'created' } }, forgotten: ['other'] });
    expect(
      project
        .playlists()
        .map((playlist) => playlist.id)
        .sort(),
    ).toEqual([id, 'other'].sort());
  });

  test('names the edits by hand that the undone apply overwrote', async () => {
    const project = await createGitProject(config({ playlists: manyPlaylists(2) }));
    expect((await project.apply('--yes')).code).toBe(0);
    project.editPlaylist(playlistId(project, 'p1'), { repeat: 9 });
    project.editPlaylist(playlistId(project, 'p2'), null);
    declare(project, { playlists: manyPlaylists(2, { ad_slate_fill: 1 }) });
    project.commit();
    expect((await project.apply('--yes')).code).toBe(0);
    expect(project.entries().at(-1)?.overwritten).toEqual({ 'playlist/p1': ['/repeat'], 'playlist/p2': [] });
    const { findings } = asPlan(await project.json('undo'));
    expect(findings.filter(({ code }) => code !== 'scheduled-entries').map(({ code, address, line }) => [code, address, line > 1])).toEqual(
      [
        ['undone-edit', 'playlist/p1', true],
        ['id-changes', 'playlist/p2', true],
        ['undone-edit', 'playlist/p2', true],
      ],
    );
    expect(findings.find(({ code, address }) => code === 'undone-edit' && address === 'playlist/p1')?.summary).toContain(
      'overwrote edits by hand of playlist/p1: /repeat',
    );
  });

  test('names the `git revert` after which the repository agrees, for one commit and for several, merges among them', async () => {
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    const project = await createGitProject(config({ playlists: manyPlaylists(1) }));
    expect((await project.apply('--yes')).code).toBe(0);
    const undoAndRevert = async (): Promise<void> => {
      const { stderr } = await project.run('undo');
      const [, words = ''] = /unless the repository agrees: git (.*)/.exec(stderr) ?? [];
      expect((await project.run(...commandIn(stderr))).code, stderr).toBe(0);
      expect((await project.plan()).document.summary).toMatchObject({ update: 1 });
      project.git(...identity, ...words.split(' '), '--no-edit');
      project.git('push', '-q', 'origin', 'HEAD:main');
      expect((await project.plan()).document).toMatchObject({ changes: [] });
      expect((await project.apply('--yes')).code).toBe(0);
    };
    declare(project, { playlists: manyPlaylists(1, { repeat: 1 }) });
    project.commit();
    expect((await project.apply('--yes')).code).toBe(0);
    await undoAndRevert();

    declare(project, { playlists: manyPlaylists(1, { repeat: 2 }) });
    project.commit();
    project.git('checkout', '-q', '-b', 'side');
    declare(project, { playlists: manyPlaylists(1, { repeat: 3 }) });
    project.git(...identity, 'commit', '-q', '-a', '-m', 'on a branch');
    project.git('checkout', '-q', 'main');
    project.git(...identity, 'merge', '-q', '--no-ff', '--no-edit', 'side');
    project.git('push', '-q', 'origin', 'HEAD:main');
    expect((await project.apply('--yes')).code).toBe(0);
    await undoAndRevert();
  });

  test('names the files to restore where the commits changed others, too, such as upkeep.yaml', async () => {
    const project = await createGitProject({
      ...config({ playlists: manyPlaylists(1) }),
      'config/gone later.yaml': 'vmp_reject_statuses: []\n',
    });
    expect((await project.apply('--yes')).code).toBe(0);
    const first = project.git('rev-parse', 'HEAD');
    declare(project, { playlists: manyPlaylists(1, { repeat: 2 }) });
    const settings = `${project.read('upkeep.yaml')}rules: { name-spaces: error }\n`;
    project.write('upkeep.yaml', settings);
    project.write('config/new [1].yaml', JSON.stringify({ playlists: { p2: { playlist: beams(2) } } }));
    project.commit();
    expect((await project.apply('--yes')).code).toBe(0);
    const { stderr } = await project.run('undo');
    const applied = asHistory(await project.json('history')).entries[0];
    expect(stderr).toContain(`note: undoes the apply ${applied?.id.slice(0, 12)} of `);
    const [, others, command = ''] =
      /commit what this restores \(to revert the commits would take back (.*), too; `vars` and `sources` in upkeep.yaml are left to you\): (git .*)/.exec(
        stderr,
      ) ?? [];
    expect(others, stderr).toBe('upkeep.yaml');
    execFileSync('sh', ['-c', command], { cwd: project.folder });
    expect(project.git('diff', '--name-only', first, '--', 'config')).toBe('');
    expect(project.read('upkeep.yaml')).toBe(settings);
  });

  test('names the files and prints no command where newer commits changed them, or only upkeep.yaml changed', async () => {
    const project = await createGitProject(config({ playlists: manyPlaylists(1, { repeat: 1 }) }));
    expect((await project.apply('--yes')).code).toBe(0);
    const first = project.git('rev-parse', 'HEAD').slice(0, 12);
    declare(project, { playlists: manyPlaylists(1, { repeat: 2 }) });
    project.write('notes.txt', 'of somebody else');
    project.commit();
    expect((await project.apply('--yes')).code).toBe(0);
    declare(project, { playlists: manyPlaylists(1, { repeat: 3 }) });
    project.commit();
    const { stderr } = await project.run('undo');
    expect(stderr).toContain(`edit config/account.yaml as they were at ${first} (to revert the commits would take back notes.txt, too)\n`);
    expect(stderr).not.toMatch(/git (revert|restore)/);
  });

  test('of the last apply but one names the `git revert` that takes back both applies', async () => {
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    const declaring = (n: number, more: JsonObject) =>
      JSON.stringify({ playlists: { [`p${n}`]: { ...more, playlist: beams(n, 1000 + n) } } }, null, 1);
    const project = await createGitProject({ 'config/one.yaml': declaring(1, {}), 'config/two.yaml': declaring(2, {}) });
    expect((await project.apply('--yes')).code).toBe(0);
    // One file for each commit, so that each could be reverted without the other.
    project.write('config/one.yaml', declaring(1, { repeat: 1 }));
    project.commit();
    expect((await project.apply('--yes')).code).toBe(0);
    project.write('config/two.yaml', declaring(2, { repeat: 2 }));
    project.commit();
    expect((await project.apply('--yes')).code).toBe(0);

    const lastButOne = asHistory(await project.json('history')).entries[1]?.id ?? '';
    const { stderr } = await project.run('undo', lastButOne);
    const [, words = ''] = /unless the repository agrees: git (.*)/.exec(stderr) ?? [];
    expect((await project.run(...commandIn(stderr))).code, stderr).toBe(0);
    expect(project.playlists().map(({ repeat }) => repeat)).toEqual([0, 0]);
    project.git(...identity, ...words.split(' '), '--no-edit');
    project.git('push', '-q', 'origin', 'HEAD:main');
    const { document } = await project.plan();
    const changed = document.changes.map(({ action, address }) => `${action} ${address}`);
    expect(changed, `after git ${words}`).toEqual([]);
  });

  test('refuses to go back before the first apply, and before an apply that was dirty', async () => {
    const project = await createGitProject(config({ playlists: manyPlaylists(1) }));
    expect(await project.refused('undo')).toMatchObject({ code: 8, document: { target: 'live', error: { code: 'no-entry' } } });
    expect(asHistory(await project.json('history')).entries).toEqual([]);
    expect((await project.run('history')).stdout).toContain('The ledger records no such apply.');
    project.write('config/more.yaml', 'drm_policies: {}\n');
    expect((await project.apply('--yes', '--allow', 'dirty')).code).toBe(0);
    expect(await project.refused('undo')).toMatchObject({
      code: 8,
      document: { error: { code: 'no-commit', summary: expect.stringContaining('does not exist') } },
    });
    project.commit();
    expect((await project.apply('--yes')).code).toBe(0);
    expect(await project.refused('undo')).toMatchObject({ document: { error: { summary: expect.stringContaining('not committed') } } });
    expect(asHistory(await project.json('history')).entries.map(({ commit }) => commit === null)).toEqual([false, true]);
  });
});

describe('--ref', () => {
  test('plans and applies the configuration at a commit, against the current account', async () => {
    const project = await twiceApplied();
    project.write('upkeep.yaml', project.read('upkeep.yaml').replace(/ledger: .*/, '$&\n    protect: [playlist/p4]'));
    project.commit();
    const { document } = await project.plan('--ref', 'HEAD~2', '--allow', 'rollback');
    expect(document.config).toMatchObject({ commit: project.entries()[0]?.config.commit, dirty: false });
    expect(document.changes.map(({ address, action, blocked }) => [address, action, blocked?.check])).toContainEqual([
      'playlist/p4',
      'delete',
      'protect',
    ]);
  });

  test('refuses a commit that is invalid, lacks the target, or does not exist', async () => {
    const project = await twiceApplied();
    const projectText = project.read('upkeep.yaml');
    for (const [file, text, telling] of [
      ['config/account.yaml', 'playlists: [', 'config/account.yaml:1: '],
      ['upkeep.yaml', 'version: 2', 'its upkeep.yaml is not valid for this version of upkeep'],
      ['upkeep.yaml', projectText.replace('  live:', '  other:'), 'it has no target live'],
    ] as const) {
      const before = project.read(file);
      project.write(file, text);
      const commit = project.commit();
      project.write(file, before);
      project.commit();
      const { code, document } = await project.refused('plan', '--ref', commit);
      expect([code, document.error]).toMatchObject([8, { code: 'ref', summary: expect.stringContaining(telling) }]);
    }
    expect(await project.refused('apply', '--yes', '--ref', 'nowhere')).toMatchObject({
      code: 1,
      document: { error: { code: 'git-unknown-commit' } },
    });
    expect(project.writes()).toEqual([]);
  });
});

test('undo and unlock accept exactly one target', async () => {
  const project = await createGitProject(config({ playlists: {} }));
  const [, own = ''] = /targets:\n([\s\S]*)/.exec(project.read('upkeep.yaml')) ?? [];
  project.write('upkeep.yaml', `${project.read('upkeep.yaml')}${own.replace('live:', 'other:')}`);
  expect(await project.refused('undo', '-t', '*')).toMatchObject({ code: 8, document: { error: { code: 'one-target' } } });
  expect(await project.run('unlock', '-t', '*', '--id', '0123456789ab')).toMatchObject({
    code: 8,
    stderr: expect.stringContaining('unlock releases one lock at a time'),
  });
});
