/** Taking an object over is a decision (design section 3, identity): a name alone is none once a section is managed completely. */
import { describe, expect, test } from 'vitest';
import { createGitProject, type GitProject, playlistId } from '../../support/git-project.ts';
import { beams, config, declare } from '../accounts.ts';

const GALA = { id: 'c'.repeat(32), desc: 'gala', playlist: beams(7, 8) };
const OWN = { own: { playlist: beams(1, 2) } };

/** A project that has managed its playlists completely, in an account where somebody else made the playlist `gala`. */
async function managed(target = ''): Promise<GitProject> {
  const project = await createGitProject(config({ playlists: OWN }), { seed: { playlist: [GALA] }, target });
  expect((await project.apply('--yes')).code).toBe(0);
  expect(project.entries()).toMatchObject([{ managed: ['playlists'] }]);
  return project;
}

/** Declares playlists, and says what the plan does with `gala`. */
async function planOf(project: GitProject, playlists: Parameters<typeof declare>[1], ...args: readonly string[]) {
  declare(project, playlists);
  project.commit();
  const { document } = await project.plan(...args);
  const change = document.changes.find(({ address, adopts }: { address: string; adopts?: string }) => /gala/.test(address) || adopts);
  return { document, change };
}

describe('a declaration with the name of an object that the ledger does not bind', () => {
  test('takes it over before its section was managed completely, and the verdict says so', async () => {
    const project = await createGitProject(config({ playlists: { gala: { repeat: 2, playlist: beams(7, 8) } } }), {
      seed: { playlist: [GALA] },
    });
    expect((await project.run('plan')).stdout.replace(/\s+/g, ' ')).toContain('takes over 1 object and changes it');
    expect((await project.apply('--yes', '--allow', 'first-apply')).code).toBe(0);
    expect(project.entries()[0]?.bindings).toEqual({ 'playlist/gala': { id: GALA.id, origin: 'adopted' } });
  });

  test('is blocked afterwards where something would change, with both ways out', async () => {
    const project = await managed();
    const { change } = await planOf(project, { playlists: { ...OWN, gala: { repeat: 2, playlist: beams(7, 8) } } });
    expect(change?.blocked).toMatchObject({
      check: 'identity',
      lift: { edit: `if it is yours, write \`adopt: { playlist/gala: ${GALA.id} }\`; if not, give the resource another name` },
    });
    expect((await project.run('apply', '--yes')).code).toBe(4);
    const { document } = await planOf(project, {
      playlists: { ...OWN, gala: { repeat: 2, playlist: beams(7, 8) } },
      adopt: { 'playlist/gala': GALA.id },
    });
    expect(document.summary).toMatchObject({ update: 1, blocked: 0 });
    expect((await project.apply('--yes')).code).toBe(0);
    expect(project.entries().at(-1)?.bindings['playlist/gala']).toEqual({ id: GALA.id, origin: 'adopted' });
  });

  test('binds it where nothing would change, and forgets it, without a delete, when the declaration goes', async () => {
    const project = await managed();
    await planOf(project, { playlists: { ...OWN, gala: { playlist: beams(7, 8) } } });
    expect((await project.apply('--yes')).code).toBe(0);
    expect(project.entries().at(-1)?.bindings['playlist/gala']).toEqual({ id: GALA.id, origin: 'recognized' });
    project.writes();

    const { document } = await planOf(project, { playlists: OWN });
    expect(document.changes.map(({ action, address }) => `${action} ${address}`)).toEqual(['forget playlist/gala']);
    expect((await project.apply('--yes')).code).toBe(0);
    expect([project.writes(), playlistId(project, 'gala')]).toEqual([[], GALA.id]);
  });

  test('deletes it under `exclusive` only as any undeclared object', async () => {
    const project = await managed();
    await planOf(project, { playlists: { ...OWN, gala: { playlist: beams(7, 8) } } });
    expect((await project.apply('--yes')).code).toBe(0);
    project.write('upkeep.yaml', project.read('upkeep.yaml').replace('    ledger:', '    ownership: exclusive\n    ledger:'));
    const { document } = await planOf(project, { playlists: OWN });
    expect(document.changes.map(({ action, address }) => `${action} ${address}`)).toEqual([`delete playlist/~${GALA.id}`]);
  });
});

test('a section is not managed completely while `--only` leaves something out', async () => {
  const project = await createGitProject(config({ playlists: { ...OWN, more: { playlist: beams(3, 4) } } }));
  expect((await project.apply('--yes', '--only', 'playlist/own')).code).toBe(0);
  expect(project.entries().at(-1)?.managed).toBeUndefined();
  expect((await project.apply('--yes')).code).toBe(0);
  expect(project.entries().at(-1)?.managed).toEqual(['playlists']);
});

test('what upkeep created is deleted when its declaration goes, and comes back by a revert', async () => {
  const project = await managed();
  const { document } = await planOf(project, { playlists: { other: { playlist: beams(5, 6) } } });
  expect(document.changes.map(({ action, address }) => `${action} ${address}`)).toEqual(['create playlist/other', 'delete playlist/own']);
});

describe('export', () => {
  const THEIRS = { _id: 'd'.repeat(32), policy_name: 'theirs' };

  test('writes `adopt` for what the ledger does not bind, where the section is managed already', async () => {
    const project = await managed();
    const { stdout, code } = await project.run('export');
    expect(code).toBe(0);
    expect(stdout).toContain(`adopt:\n  playlist/gala: ${GALA.id}\n`);
    expect(stdout.slice(stdout.indexOf('adopt:'))).not.toContain('playlist/own');
    const yaml = stdout
      .split('\n')
      .filter((line) => !/^(?:---|#)/.test(line))
      .join('\n');
    project.write('config/account.yaml', yaml.replace('playlists:\n', 'playlists:\n').replace(/^ {2}gala:\n/m, '  gala:\n    repeat: 2\n'));
    project.commit();
    const { document } = await project.plan();
    expect(document.changes).toMatchObject([{ address: 'playlist/gala', adopts: GALA.id, blocked: null }]);
  });

  test('writes none before the section is managed, and none for another section', async () => {
    const project = await createGitProject(config({ playlists: OWN }), { seed: { playlist: [GALA] } });
    expect((await project.run('export')).stdout).not.toContain('adopt:');
    const other = await createGitProject(config({ playlists: OWN }), { seed: { 'drm-policy': [THEIRS] } });
    expect((await other.apply('--yes')).code).toBe(0);
    const { stdout } = await other.run('export');
    expect(stdout).toContain('  theirs:');
    expect(stdout).not.toContain('adopt:');
  });
});
