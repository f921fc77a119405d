/** Two teams with one account: each declares, changes and deletes what its `manages` names (design section 3). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Change } from '../../src/core/model/change.ts';
import { createGitProject, playlistId } from '../support/git-project.ts';
import { createTestProject, type ProjectFolder } from '../support/harness.ts';
import { liftOf } from '../support/lifts.ts';
import { asset, beams, config, declare, numbered } from './accounts.ts';

const live = (team: string, count: number) =>
  numbered(count).map((n) => ({ id: `${team}${n}`, desc: `${team}-${n}`, playlist: beams(n, team.length * 1000 + n) }));
const declared = (team: string, count: number) =>
  Object.fromEntries(numbered(count).map((n) => [`${team}-${n}`, { playlist: beams(n, team.length * 1000 + n) }]));

test('a declaration outside of `manages` is an error at its key', async () => {
  const project = await createTestProject(config({ playlists: { ...declared('kids', 1), 'sport-1': { playlist: beams(8) } } }), {
    target: 'manages: ["playlist/kids-*"]',
  });
  const { code, stderr } = await project.run('plan');
  expect([code, stderr]).toEqual([8, expect.stringContaining('playlist/sport-1 is outside of `manages` of target live')]);
  expect(project.emulator.requests()).toEqual([]);
});

test('`exclusive` deletes nothing of the other team, which is counted apart, and limits count what is managed', async () => {
  const seed = { playlist: [...live('kids', 4), ...live('sport', 40)] };
  const project = await createTestProject(config({ playlists: declared('kids', 2) }), {
    seed,
    target: 'ownership: exclusive\nmanages: ["playlist/kids-*"]',
  });
  const { document } = await project.plan();
  expect(document.changes.map(({ address, action }) => `${action} ${address}`)).toEqual([
    'delete playlist/~kids3',
    'delete playlist/~kids4',
  ]);
  expect(document.summary).toMatchObject({ delete: 2, undeclared: 0, unmanaged: 40 });
  expect((await project.run('plan')).stdout).toContain('40 managed by others');
  project.write('config/account.yaml', 'playlists: {}\n');
  const all = await project.plan();
  expect(all.document.changes.every(({ blocked }) => blocked !== null)).toBe(true);
  expect(all.document.changes[0]?.blocked?.reason).toContain('all 4');
});

test('validate names what `manages` of two projects of the repository can both name', async () => {
  const project = await createGitProject(config({ playlists: declared('kids', 1) }), {
    target: 'manages: ["smart-start/*", "playlist/kids-*"]',
    isSeparate: false,
  });
  const own = readFileSync(join(project.folder, 'upkeep.yaml'), 'utf8').replace('  live:', '  sport:');
  const validateBeside = async (edit: (upkeepYaml: string) => string): Promise<string> => {
    project.write('sports/upkeep.yaml', edit(own));
    project.commit();
    const { code, stdout } = await project.run('validate');
    expect(code).toBe(0);
    return stdout.replace(/\s+/g, ' ');
  };
  const other = (manages: string) => (text: string) =>
    text.replace(/ *manages: .*\n/, manages === '' ? '' : `    manages: ["${manages}"]\n`);
  const overlap = await validateBeside(other('playlist/*-2'));
  expect(overlap).toMatch(/warning upkeep\.yaml:\d+:5 managed-twice/);
  expect(overlap).toContain(
    'playlist/kids-* and playlist/*-2 of target sport in sports/upkeep.yaml can name the same resources of one account',
  );
  expect(await validateBeside(other(''))).toContain('smart-start/* and * of target sport');
  for (const apart of [
    other('playlist/sport-*'),
    (text: string) => text.replace(/base_url: .*/, 'base_url: https://elsewhere.example'),
    (text: string) => text.replace('UPKEEP_OWNER', 'OTHER_OWNER'),
  ])
    expect(await validateBeside(apart)).not.toContain('managed-twice');
});

/** An object of another team: on air, and of this content. */
const MAIN = { id: 'b'.repeat(32), desc: 'b-main', playlist: beams(7, 8) };
const OWN = { 'a-own': { playlist: beams(1, 2) } };
const MANAGES = 'manages: ["playlist/a-*", "smart-start/a/*", "drm-policy/a-*"]';

/** Returns what a plan does with the object of the other team, and the line that the finding asks for. */
async function planOn(project: ProjectFolder, id: string) {
  const { document } = await project.plan();
  const change = document.changes.find((each: Change) => ('adopts' in each && each.adopts === id) || each.blocked?.reason.includes(id));
  const [finding, more] = document.findings.filter(({ code }) => code === 'unmanaged-object');
  return { change, finding, more, document };
}

describe('an object that `manages` does not name', () => {
  test.each([
    [
      'by its ID under `adopt`',
      { playlists: { ...OWN, 'a-x': { desc: 'mine', active: 0, playlist: beams(7, 8) } }, adopt: { 'playlist/a-x': MAIN.id } },
    ],
    [
      'by its ID under `adopt`, where nothing of it would change',
      { playlists: { ...OWN, 'a-x': { desc: 'b-main', playlist: beams(7, 8) } }, adopt: { 'playlist/a-x': MAIN.id } },
    ],
    ['by its name', { playlists: { ...OWN, 'a-x': { desc: 'b-main', repeat: 2, playlist: beams(7, 8) } } }],
    [
      'by `moved` from its name',
      { playlists: { ...OWN, 'a-x': { playlist: beams(7, 8) } }, moved: [{ from: 'playlist/b-main', to: 'playlist/a-x' }] },
    ],
  ])('is not taken over %s, neither at the first apply nor later', async (_how, sections) => {
    for (const isFirst of [true, false]) {
      const project = await createGitProject(config(isFirst ? sections : { playlists: OWN }), {
        seed: { playlist: [MAIN] },
        target: MANAGES,
      });
      if (!isFirst) {
        expect((await project.apply('--yes')).code).toBe(0);
        declare(project, sections);
        project.commit();
        project.writes();
      }
      const { change, finding, more } = await planOn(project, MAIN.id);
      expect(change?.blocked).toMatchObject({
        check: 'identity',
        reason: expect.stringContaining(`\`manages\` names neither playlist/~${MAIN.id} nor its live name, "b-main"`),
      });
      expect(liftOf(change?.blocked)).toContain('`unmanaged-object` lists');
      expect([finding?.hint, more]).toEqual([expect.stringContaining('"playlist/b-main"'), undefined]);
      expect(finding?.file).toBe('upkeep.yaml');
      const before = project.playlists().find(({ id }) => id === MAIN.id);
      expect((await project.run('apply', '--yes')).code).toBe(4);
      expect(project.playlists().find(({ id }) => id === MAIN.id)).toEqual(before);
      project.write('upkeep.yaml', project.read('upkeep.yaml').replace('"playlist/a-*"', '"playlist/a-*", "playlist/b-main"'));
      project.commit();
      expect((await planOn(project, MAIN.id)).finding).toBeUndefined();
    }
  });

  test('is not taken over without a ledger, either', async () => {
    const project = await createTestProject(config({ playlists: { 'a-x': { desc: 'b-main', repeat: 2, playlist: beams(7, 8) } } }), {
      seed: { playlist: [MAIN] },
      target: MANAGES,
    });
    const { document } = await project.plan();
    expect(document.changes).toMatchObject([{ address: 'playlist/a-x', blocked: { check: 'identity' } }]);
    expect((await project.run('apply', '--yes')).code).toBe(4);
    expect(project.writes()).toEqual([]);
  });

  test('is not taken over by the ID of an asset, nor as a policy', async () => {
    const single = { id: asset(9), desc: '', playlist: beams(9) };
    const policy = { _id: 'd'.repeat(32), policy_name: 'b-hd' };
    const project = await createGitProject(
      config({
        smart_starts: { a: { assets: [asset(9)], repeat: 1 } },
        drm_policies: { 'a-hd': {} },
        adopt: { 'drm-policy/a-hd': policy._id },
      }),
      { seed: { playlist: [single], 'drm-policy': [policy] }, target: MANAGES },
    );
    const { document } = await project.plan();
    expect(document.changes.map(({ address, blocked }) => [address, blocked?.check])).toEqual([
      ['drm-policy/a-hd', 'identity'],
      [`smart-start/a/${asset(9)}`, 'identity'],
    ]);
    const found = document.findings.filter(({ code }) => code === 'unmanaged-object');
    expect(found.map(({ hint }) => hint)).toEqual([expect.stringContaining(`"drm-policy/b-hd", "playlist/~${asset(9)}"`)]);
  });

  test('is in one finding with all others, as globs of names where these name nothing else', async () => {
    const live = (id: string, desc: string, n: number) => ({ id, desc, playlist: beams(n, n + 1) });
    const seed = {
      playlist: [
        live('k1', 'Kids One', 10),
        live('k2', 'Kids Two', 12),
        live('s1', 'Show One', 14),
        live('s2', 'Show Two', 16),
        live('s3', 'Show Three', 18),
      ],
    };
    const wanted = { 'a-1': 'Kids One', 'a-2': 'Kids Two', 'a-3': 'Show One' };
    const playlists = Object.fromEntries(
      Object.entries(wanted).map(([key, desc], n) => [key, { desc, repeat: 1, playlist: beams(10 + 2 * n, 11 + 2 * n) }]),
    );
    const project = await createGitProject(config({ playlists }), { seed, target: MANAGES });
    const { finding, more } = await planOn(project, 'k1');
    expect(finding?.hint).toContain('add to `manages`, under review: "playlist/Kids *", "playlist/Show One".');
    expect([finding?.summary, more]).toEqual([
      'the plan would bind 3 live objects that `manages` of target live names neither by live name nor by ID',
      undefined,
    ]);
  });
});

test('a project whose keys and names differ manages what it created, from the first apply to the delete', async () => {
  const playlists = (repeat: number) => ({ 'a-club': { desc: 'Club Night', repeat, playlist: beams(3, 4) } });
  const project = await createGitProject(config({ playlists: { ...OWN, ...playlists(0) } }), { target: MANAGES });
  expect((await project.apply('--yes')).code).toBe(0);
  declare(project, { playlists: { ...OWN, ...playlists(3) } });
  project.commit();
  expect((await project.apply('--yes')).document.summary).toMatchObject({ updated: 1 });
  declare(project, {
    playlists: { ...OWN, 'a-night': { desc: 'Club Night', repeat: 3, playlist: beams(3, 4) } },
    moved: [{ from: 'playlist/a-club', to: 'playlist/a-night' }],
  });
  project.commit();
  expect((await project.apply('--yes')).document.summary).toMatchObject({ moved: 1 });
  declare(project, { playlists: OWN });
  project.commit();
  expect((await project.plan()).document.changes.map(({ action, address }) => `${action} ${address}`)).toEqual(['delete playlist/a-night']);
  expect((await project.apply('--yes', '--allow', 'playback-loss')).code).toBe(0);
  expect(playlistId(project, 'Club Night')).toBe('');
});

test('what was adopted is forgotten, and not deleted, once `manages` names it no more', async () => {
  const project = await createGitProject(
    config({ playlists: { ...OWN, 'a-x': { desc: 'b-main', playlist: beams(7, 8) } }, adopt: { 'playlist/a-x': MAIN.id } }),
    {
      seed: { playlist: [MAIN] },
      target: MANAGES.replace('[', '["playlist/b-main", '),
    },
  );
  expect((await project.apply('--yes')).code).toBe(0);
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace('"playlist/b-main", ', ''));
  declare(project, { playlists: OWN });
  project.commit();
  expect((await project.plan()).document.changes.map(({ action, address }) => `${action} ${address}`)).toEqual(['forget playlist/a-x']);
  expect((await project.apply('--yes')).code).toBe(0);
  expect(playlistId(project, 'b-main')).toBe(MAIN.id);
});

test('an object that was given away is not taken back by going back to an apply that had it', async () => {
  const sections = { playlists: { ...OWN, 'a-x': { desc: 'b-main', playlist: beams(7, 8) } }, adopt: { 'playlist/a-x': MAIN.id } };
  const project = await createGitProject(config(sections), {
    seed: { playlist: [MAIN] },
    target: MANAGES.replace('[', '["playlist/b-main", '),
  });
  expect((await project.apply('--yes')).code).toBe(0);
  const first = project.refs()['refs/upkeep/live'] ?? '';
  declare(project, { playlists: OWN, removed: ['playlist/a-x'] });
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace('"playlist/b-main", ', ''));
  project.commit();
  expect((await project.apply('--yes')).code).toBe(0);
  const { document } = await project.plan('--ref', first, '--allow', 'rollback');
  expect(document.changes).toMatchObject([{ address: 'playlist/a-x', blocked: { check: 'identity' } }]);
});

test('the question before an apply that takes over asks for the name of the target', async () => {
  const project = await createGitProject(config({ playlists: { 'b-main': { repeat: 2, playlist: beams(7, 8) } } }), {
    seed: { playlist: [MAIN] },
  });
  const refused = await project.runWith({ terminal: true, stdin: 'yes\n' }, 'apply');
  expect([refused.code, refused.stderr]).toEqual([4, expect.stringMatching(/takes over +1 change: playlist\/b-main/)]);
  expect((await project.runWith({ terminal: true, stdin: 'live\n' }, 'apply')).code).toBe(0);
  expect(project.writes()).toHaveLength(1);
});
