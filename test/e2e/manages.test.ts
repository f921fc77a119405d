/** Two teams with one account: each declares, changes and deletes what its `manages` names (design section 3). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createGitProject } from '../support/git-project.ts';
import { createTestProject } from '../support/harness.ts';
import { beams, config, numbered } from './accounts.ts';

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
