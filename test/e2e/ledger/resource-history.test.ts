/** What `history` says of one resource, and which applies it lists (design section 6, entries). */

import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import eventSchema from '../../../schemas/event.schema.json' with { type: 'json' };
import { entry, putEntries } from '../../core/ledger/repositories.ts';
import { asHistory, asOutcome } from '../../support/documents.ts';
import { createGitProject, playlistId } from '../../support/git-project.ts';
import { preparedOnce } from '../../support/prepared-project.ts';
import { beams, config, declare } from '../accounts.ts';

const isEvent = new Ajv({ strict: false }).compile(eventSchema);

const night = { repeat: 1, playlist: beams(1, 2) };

/**
 * A playlist that was created by ada, edited by hand, changed by grace with an override, and renamed by ada with another change. The other
 * playlist was changed with an override, too, by the last apply.
 */
const renamed = preparedOnce(async () => {
  const other = { playlist: beams(9) };
  const project = await createGitProject(config({ playlists: { night, other } }));
  const apply = async (actor: string, ...flags: readonly string[]) =>
    expect((await project.runWith({ env: { UPKEEP_ACTOR: actor } }, 'apply', '--yes', ...flags)).code).toBe(0);
  await apply('ada');
  project.editPlaylist(playlistId(project, 'night'), { repeat: 7 });
  declare(project, { playlists: { night: { ...night, skip_drm: 1 }, other } });
  project.commit();
  await apply('grace', '--allow', 'weakening');
  const moved = [{ from: 'playlist/night', to: 'playlist/late' }];
  const late = { ...night, desc: 'night', skip_drm: 1, repeat: 3 };
  declare(project, { playlists: { late, other: { ...other, skip_drm: 1 } }, moved });
  project.commit();
  await apply('ada', '--allow', 'weakening=playlist/other');
  return project;
});

test('history of an address lists every change of its resource, also from before it was renamed', async () => {
  const project = await renamed();
  const history = asHistory(await project.json('history', 'playlist/late'));
  expect(history).toMatchObject({ schemaVersion: 1, target: 'live', address: 'playlist/late' });
  expect(history.entries.map(({ by, changes }) => [by, changes])).toMatchObject([
    [
      'ada',
      [
        {
          address: 'playlist/late',
          result: 'updated',
          movedFrom: 'playlist/night',
          overridden: [],
          fields: expect.arrayContaining([expect.objectContaining({ path: '/repeat', before: 1, after: 3, origin: 'change' })]),
        },
      ],
    ],
    [
      'grace',
      [
        {
          address: 'playlist/night',
          result: 'updated',
          overwritten: ['/repeat'],
          overridden: ['weakening'],
          fields: expect.arrayContaining([expect.objectContaining({ path: '/repeat', before: 7, after: 1, origin: 'drift' })]),
        },
      ],
    ],
    ['ada', [{ address: 'playlist/night', result: 'created' }]],
  ]);
  const all = asHistory(await project.json('history')).entries;
  expect(history.entries.map(({ changes, ...entry }) => entry)).toEqual(all);
});

test('the report on an address says when, who, where, in which entry and at which commit each field changed', async () => {
  const project = await renamed();
  const [latest, second] = project.entries().toReversed();
  const { code, stdout } = await project.run('history', 'playlist/late');
  expect(code).toBe(0);
  expect(stdout).toContain('History of playlist/late in live\n');
  expect(stdout).toContain('Changes, newest first (3)\n');
  expect(stdout).toMatch(new RegExp(`updated playlist/late +${latest?.at}, by ada\\n`));
  expect(stdout).toContain(`entry ${project.refs()['refs/upkeep/live']?.slice(0, 12)}, commit ${latest?.config.commit?.slice(0, 12)}`);
  expect(stdout).toContain('moved from playlist/night\n');
  expect(stdout).toContain('repeat: 1 -> 3');
  expect(stdout).toContain(`${second?.at}, by grace`);
  expect(stdout).toContain('overwrote edits by hand: repeat\n');
  expect(stdout).toMatch(/repeat: +7 -> 1 /);
  expect(stdout).toContain('overridden: weakening\n');
  expect(stdout).not.toContain('playlist/other');
});

test('the outcome of an entry names the checks that an override let each change pass, also in NDJSON', async () => {
  const project = await renamed();
  const id = asHistory(await project.json('history')).entries[0]?.id ?? '';
  expect(asOutcome(await project.json('history', id)).outcomes).toMatchObject([
    { address: 'playlist/late', overridden: [] },
    { address: 'playlist/other', overridden: ['weakening'] },
  ]);
  const lines = (await project.run('history', id, '--format', 'ndjson')).stdout.trimEnd().split('\n');
  expect(lines.map((line) => isEvent(JSON.parse(line)))).toEqual([true, true, true]);
});

test.each(['markdown', 'html', 'ndjson'])('the report on an address in %s names its changes', async (format) => {
  const project = await renamed();
  const { code, stdout } = await project.run('history', 'playlist/late', '--format', format);
  expect([code, stdout]).toEqual([0, expect.stringContaining('playlist/night')]);
});

test('a saved report on an address is shown without who applied', async () => {
  const project = await renamed();
  expect((await project.run('history', 'playlist/late', '--out', 'json=saved.json')).code).toBe(0);
  const { code, stdout } = await project.run('show', 'saved.json');
  expect([code, stdout]).toEqual([0, expect.stringContaining('moved from playlist/night')]);
  expect(stdout).not.toMatch(/\b(?:ada|grace)\b/);
});

test.each<[string, readonly string[], number]>([
  ['--actor, a glob of who applied', ['--actor', 'gr*'], 1],
  ['--check, an overridden safety check', ['--check', 'weakening'], 2],
  ['--check, one that was never overridden', ['--check', 'deletes'], 0],
  ['--since, an instant', ['--since', '2999-01-01'], 0],
  ['--since, a day that is over', ['--since', '2020-01-01'], 3],
  ['an address', ['playlist/other'], 2],
  ['a glob of addresses', ['playlist/*'], 3],
  ['an address and --actor', ['playlist/late', '--actor', 'ada'], 2],
  ['an address and --check, which let only one of its changes through,', ['playlist/late', '--check', 'weakening'], 1],
])('history lists the applies that %s chooses', async (_what, argv, count) => {
  const project = await renamed();
  const { entries, more } = asHistory(await project.json('history', ...argv));
  expect([entries.length, more]).toEqual([count, undefined]);
});

test('--limit lists the newest applies, and says that older ones are left out', async () => {
  const project = await renamed();
  expect(asHistory(await project.json('history', '--limit', '2'))).toMatchObject({ entries: [{ by: 'ada' }, { by: 'grace' }], more: true });
  expect(asHistory(await project.json('history', '--limit', '3'))).not.toHaveProperty('more');
  expect((await project.run('history', 'playlist/late', '--limit', '1')).stdout).toContain('Older ones are left out by --limit.\n');
});

test('for a resource that nothing ever changed, history says so and names the address that was probably meant', async () => {
  const project = await renamed();
  expect(asHistory(await project.json('history', 'playlist/nigth'))).toMatchObject({ entries: [], near: 'playlist/night' });
  const { code, stdout } = await project.run('history', 'playlist/nigth');
  expect([code, stdout]).toEqual([
    0,
    'History of playlist/nigth in live\nThe ledger records no such change of playlist/nigth. Did you mean playlist/night?\n',
  ]);
  expect((await project.run('history', 'static-key')).stdout).toContain('The ledger records no such change of static-key.\n');
  expect(asHistory(await project.json('history', 'playlist/other', '--actor', 'nobody'))).not.toHaveProperty('near');
});

test('the ID of an entry with a flag that chooses among applies is refused', async () => {
  const project = await renamed();
  expect(await project.refused('history', '0123456', '--limit', '3')).toMatchObject({ code: 8, document: { error: { code: 'usage' } } });
});

test('entries of the first form show result and address of a change, and say that fields were not recorded', async () => {
  const project = await createGitProject(config({ playlists: { night } }));
  const bindings = { 'playlist/night': { id: '1', origin: 'created' } } as const;
  const old = entry({ target: 'live', bindings, outcomes: [{ address: 'playlist/night', result: 'updated', tookMs: 1 }] });
  const interrupted = entry({ target: 'live', bindings, fingerprint: null, outcomes: [], interrupted: ['a'.repeat(40)] });
  const last = putEntries(project.ledger, [old, interrupted]);
  project.git('--git-dir', project.ledger, 'update-ref', 'refs/upkeep/live', last);
  expect(asHistory(await project.json('history', 'playlist/night')).entries.map(({ changes }) => changes)).toEqual([[], old.outcomes]);
  const { stdout } = await project.run('history', 'playlist/night');
  expect(stdout).toMatch(/updated playlist\/night +2026-03-01T10:00:00.000Z, by ada@example\n/);
  expect(stdout).toContain('its fields were not recorded\n');
  expect(stdout).toContain('The apply was interrupted, so what it changed is not known.\n');
});
