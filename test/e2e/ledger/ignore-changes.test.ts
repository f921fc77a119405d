/** Fields that are left to others (design section 3), with a ledger: origins, drift, going back. */
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '../../../src/core/model/json.ts';
import { createGitProject, type GitProject, playlistId } from '../../support/git-project.ts';
import { preparedOnce } from '../../support/prepared-project.ts';
import { config, declare, manyPlaylists } from '../accounts.ts';
import { originsByAddress } from './origins.ts';

const DAY = 86_400_000;

/** Two playlists, of which others write `field`. */
function sections(more: JsonObject = {}, field: string | null = '/repeat', until = '9999-12-31'): JsonObject {
  const ignoring = field === null ? {} : { ignore_changes: [{ address: 'playlist/*', fields: [field], until }] };
  return { playlists: manyPlaylists(2, { repeat: 3, ...more }), ...ignoring };
}

/** Applies these sections, in a commit. */
async function apply(project: GitProject, declared: JsonObject, ...args: readonly string[]): Promise<void> {
  declare(project, declared);
  project.commit();
  const { code, stderr } = await project.run('apply', '--yes', ...args);
  expect([code, stderr.replaceAll(/^.*\n/gm, (line) => (line.includes('error') ? line : ''))]).toEqual([0, '']);
  project.writes();
}

/** A project in which the sections with ignored fields were applied; then the first playlist was edited by hand. */
const edited = preparedOnce(async (members: JsonObject = { repeat: 7 }, declared: JsonObject = sections()) => {
  const project = await createGitProject(config(declared));
  await apply(project, declared);
  project.editPlaylist(playlistId(project, 'p1'), members);
  return project;
});

async function origins(project: GitProject, ...args: readonly string[]) {
  return originsByAddress((await project.plan(...args)).document.changes);
}

describe('a field that was left to others', () => {
  test('has an unknown origin where it is not any more, until it is applied', async () => {
    const project = await edited();
    declare(project, sections({}, null));
    project.commit();
    expect(await origins(project)).toEqual({ 'playlist/p1': ['unknown', '/repeat unknown'] });
    await apply(project, sections({}, null));
    project.editPlaylist(playlistId(project, 'p1'), { repeat: 8 });
    expect(await origins(project)).toEqual({ 'playlist/p1': ['drift', '/repeat drift'] });
  });

  test('has an unknown origin as long as the address is left out of an apply', async () => {
    const project = await edited();
    await apply(project, sections({}, null), '--only', 'playlist/p2');
    expect(await origins(project)).toEqual({ 'playlist/p1': ['unknown', '/repeat unknown'] });
  });

  test('and was written after its last day has an origin like every other field', async () => {
    const yesterday = new Date(Date.now() - DAY).toISOString().slice(0, 10);
    const project = await createGitProject(config(sections({}, '/repeat', yesterday)));
    await apply(project, sections({}, '/repeat', yesterday));
    project.editPlaylist(playlistId(project, 'p1'), { repeat: 7 });
    expect(await origins(project)).toEqual({ 'playlist/p1': ['drift', '/repeat drift'] });
    expect((await project.plan()).document.changes[0]?.blocked?.check).toBe('ignore-expired');
  });

  test('is recorded as overwritten where an apply writes it after all, so that `undo` names it', async () => {
    const project = await edited();
    await apply(project, sections({ ad_slate_fill: 1 }, null));
    expect(project.entries().at(-1)?.overwritten).toEqual({ 'playlist/p1': ['/repeat'] });
    const { stdout } = await project.run('undo');
    expect(stdout).toContain('overwrote edits by hand of playlist/p1: /repeat;');
    expect(project.playlists()[0]).toMatchObject({ repeat: 3 });
  });
});

describe('drift of ignored fields since the last apply', () => {
  test('is what the commit last applied does not leave to others', async () => {
    const project = await edited({ repeat: 7, ad_slate_fill: 1 });
    expect((await project.drift()).document.changes).toMatchObject([{ fields: [{ path: '/ad_slate_fill' }] }]);
    // An entry counts once it was applied.
    declare(project, sections({}, '/ad_slate_fill'));
    project.commit();
    expect((await project.drift()).document.changes).toMatchObject([{ fields: [{ path: '/ad_slate_fill' }] }]);
    await apply(project, sections({}, '/ad_slate_fill'));
    expect((await project.drift()).document.changes).toEqual([]);
  });

  test('is accepted without ignored fields, which keep what is declared', async () => {
    const project = await edited({ repeat: 7, ad_slate_fill: 1 });
    expect(await project.run('drift', 'accept', 'playlist/p1')).toMatchObject({ code: 0 });
    const declared = parse(project.read('config/account.yaml'));
    expect(declared.playlists.p1).toMatchObject({ repeat: 3, ad_slate_fill: 1 });
    expect((await project.plan()).document.changes).toEqual([]);
  });
});

describe('going back', () => {
  test('with `undo` leaves alone what the earlier configuration leaves to others', async () => {
    const project = await edited();
    await apply(project, sections({ ad_slate_fill: 1 }));
    const { stdout, stderr } = await project.run('undo');
    expect(stdout).toContain('/repeat (live value): ignored (until 9999-12-31)');
    const command = /upkeep (apply .*)/.exec(stderr)?.[1]?.split(' ') ?? [];
    expect(await project.run(...command)).toMatchObject({ code: 0 });
    expect(project.playlists()).toMatchObject([
      { repeat: 7, ad_slate_fill: 0 },
      { repeat: 3, ad_slate_fill: 0 },
    ]);
  });

  test('to a commit that does not leave a field to others yet is blocked by `rollback`, because it would write the field', async () => {
    const project = await createGitProject(config(sections({}, null)));
    await apply(project, sections({}, null));
    const before = project.git('rev-parse', 'HEAD');
    await apply(project, sections());
    project.editPlaylist(playlistId(project, 'p1'), { repeat: 7 });
    expect((await project.plan()).document.changes).toEqual([]);
    const { document } = await project.plan('--ref', before);
    expect(document.changes).toEqual([]);
    expect(document.behind).toMatchObject([
      { address: 'playlist/p1', blocked: { check: 'rollback', reason: expect.stringContaining('it would roll back repeat of commit') } },
    ]);
  });

  test('to a commit that leaves a field to others writes nothing of it', async () => {
    const project = await createGitProject(config(sections()));
    await apply(project, sections());
    const before = project.git('rev-parse', 'HEAD');
    await apply(project, sections({ repeat: 5 }, null));
    expect((await project.plan('--ref', before)).document.behind).toBeUndefined();
    expect((await project.plan('--ref', before)).document.changes).toEqual([]);
  });
});
