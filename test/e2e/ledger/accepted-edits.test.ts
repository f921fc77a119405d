/** What `history` says of edits by hand that were accepted: no apply wrote them (design section 6, entries). */
import { expect, test } from 'vitest';
import type { Json } from '../../../src/core/model/json.ts';
import type { HistoryEntry } from '../../../src/report/documents/history.ts';
import { putEntries } from '../../core/ledger/repositories.ts';
import { asHistory } from '../../support/documents.ts';
import { createGitProject, type GitProject, playlistId } from '../../support/git-project.ts';
import { preparedOnce } from '../../support/prepared-project.ts';
import { asset, beams } from '../accounts.ts';

const SOURCE = 'config/account.yaml';

/** Two playlists, of which only one is edited by hand. */
function source({ ad = 90, skipDrm = 0 } = {}): string {
  const club = `  club:\n    skip_drm: ${skipDrm === 1}\n    playlist:\n      - beam: ${asset(1)}\n      - ad: ${ad}\n      - beam: ${asset(2)}\n`;
  return `playlists:\n${club}  other:\n    playlist:\n      - beam: ${asset(9)}\n`;
}

function list(ad: number): Json {
  const [first = {}, second = {}] = beams(1, 2);
  return [first, { ad: { dur: ad } }, second];
}

/** Runs a command as somebody, and expects it to end well. */
async function run(project: GitProject, actor: string, ...argv: readonly string[]): Promise<void> {
  expect(await project.runWith({ env: { UPKEEP_ACTOR: actor } }, ...argv)).toMatchObject({ code: 0 });
}

async function created(): Promise<GitProject> {
  const project = await createGitProject({ [SOURCE]: source() });
  await run(project, 'ada', 'apply', '--yes');
  return project;
}

/** A playlist that ada created, whose ad was edited by hand, which grace accepted and applied with nothing to write. */
const accepted = preparedOnce(async () => {
  const project = await created();
  project.editPlaylist(playlistId(project, 'club'), { playlist: list(75) });
  await run(project, 'grace', 'drift', 'accept', 'playlist/club');
  project.commit();
  await run(project, 'grace', 'apply', '--yes');
  return project;
});

/** Who applied each entry, with the results of its changes and the fields of the edits that it accepted. */
async function told(project: GitProject, address: string): Promise<readonly unknown[]> {
  const { entries } = asHistory(await project.json('history', address));
  const editsOf = ({ accepted: edits = [] }: HistoryEntry) =>
    edits.flatMap(({ deleted, fields }): readonly Json[] =>
      deleted ? ['deleted'] : fields.map(({ path, before, after }) => [path, before, after]),
    );
  return entries.map((entry) => [entry.by, entry.changes?.map(({ result }) => result), editsOf(entry)]);
}

test('an edit by hand that was accepted stands at the entry that recorded it, with its fields before and after', async () => {
  const project = await accepted();
  const { entries } = asHistory(await project.json('history', 'playlist/club'));
  const field = { path: '/playlist', before: list(90), after: list(75), origin: 'drift', effect: 'neutral' };
  expect(entries).toMatchObject([
    { by: 'grace', commit: project.git('rev-parse', 'HEAD'), changes: [], accepted: [{ address: 'playlist/club', fields: [field] }] },
    { by: 'ada', changes: [{ result: 'created' }] },
  ]);
  expect(entries[1]).not.toHaveProperty('accepted');
});

test('the report says of an accepted edit when, who, in which entry and at which commit, and that no apply wrote it', async () => {
  const project = await accepted();
  const { stdout } = await project.run('history', 'playlist/club');
  const [entry] = project.entries().toReversed();
  expect(stdout).toContain('Changes, newest first (2)\n');
  expect(stdout).toMatch(new RegExp(`accepted playlist/club +${entry?.at}, by grace\\n`));
  expect(stdout).toContain(`entry ${project.refs()['refs/upkeep/live']?.slice(0, 12)}, commit ${entry?.config.commit?.slice(0, 12)}`);
  expect(stdout).toContain('edited by hand and accepted: no apply wrote it\n');
  expect(stdout).toMatch(/playlist: .*"dur":90[\s\S]*-> .*"dur":75/);
});

test.each(['markdown', 'html', 'ndjson'])('the report in %s names an accepted edit', async (format) => {
  const { stdout } = await (await accepted()).run('history', 'playlist/club', '--format', format);
  expect(stdout).toContain('accepted');
});

test('a saved report shows an accepted edit without who applied', async () => {
  const project = await accepted();
  await run(project, 'ada', 'history', 'playlist/club', '--out', 'json=saved.json');
  const { code, stdout } = await project.run('show', 'saved.json');
  expect([code, stdout]).toEqual([0, expect.stringContaining('accepted playlist/club')]);
  expect(stdout).not.toContain('grace');
});

test.each<[string, readonly string[], readonly unknown[]]>([
  ['another address', ['playlist/other'], [['ada', 0]]],
  [
    'a glob',
    ['playlist/*'],
    [
      ['grace', 1],
      ['ada', 0],
    ],
  ],
  ['who applied', ['playlist/club', '--actor', 'ada'], [['ada', 0]]],
  ['the newest one', ['playlist/club', '--limit', '1'], [['grace', 1]]],
])('an accepted edit is listed where %s chooses it', async (_what, argv, expected) => {
  const { entries } = asHistory(await (await accepted()).json('history', ...argv));
  expect(entries.map(({ by, accepted: edits = [] }) => [by, edits.length])).toEqual(expected);
});

test('an edit that was accepted together with another change is told apart from what the apply wrote', async () => {
  const project = await created();
  project.editPlaylist(playlistId(project, 'club'), { playlist: list(75) });
  project.write(SOURCE, source({ ad: 75, skipDrm: 1 }));
  project.commit();
  await run(project, 'grace', 'apply', '--yes', '--allow', 'weakening');
  expect(await told(project, 'playlist/club')).toEqual([
    ['grace', ['updated'], [['/playlist', list(90), list(75)]]],
    ['ada', ['created'], []],
  ]);
});

test('an accepted edit stands at the apply that included it, whatever earlier ones left out', async () => {
  const project = await created();
  project.editPlaylist(playlistId(project, 'club'), { playlist: list(75) });
  project.write(SOURCE, source({ ad: 75 }).replace(asset(9), asset(8)));
  project.commit();
  await run(project, 'ada', 'apply', '--yes', '--only', 'playlist/other');
  await run(project, 'grace', 'apply', '--yes');
  expect(await told(project, 'playlist/club')).toEqual([
    ['grace', [], [['/playlist', list(90), list(75)]]],
    ['ada', ['created'], []],
  ]);
});

test('an edit that was accepted without a commit stands at the next apply that had one', async () => {
  const project = await created();
  project.editPlaylist(playlistId(project, 'club'), { playlist: list(75) });
  project.write(SOURCE, source({ ad: 75 }));
  await run(project, 'ada', 'apply', '--yes', '--allow', 'dirty');
  project.commit();
  await run(project, 'grace', 'apply', '--yes');
  expect(await told(project, 'playlist/club')).toEqual([
    ['grace', [], [['/playlist', list(90), list(75)]]],
    ['ada', ['created'], []],
  ]);
});

test('an object that was deleted by hand, and whose declaration was removed, is told as deleted', async () => {
  const project = await created();
  project.editPlaylist(playlistId(project, 'club'), null);
  project.write(SOURCE, source().replace(/ {2}club:[\s\S]*(?= {2}other:)/, ''));
  project.commit();
  await run(project, 'grace', 'apply', '--yes');
  expect(await told(project, 'playlist/club')).toEqual([
    ['grace', [], ['deleted']],
    ['ada', ['created'], []],
  ]);
  expect((await project.run('history', 'playlist/club')).stdout).toContain('deleted by hand and accepted: no apply deleted it\n');
});

test('an edit of a setting that was accepted is told like that of an object', async () => {
  const setting = (slicers: string) => `static_key: { scope: specific, slicer_ids: [${slicers}] }\n`;
  const project = await createGitProject({ [SOURCE]: setting('studio-a') });
  await run(project, 'ada', 'apply', '--yes', '--allow', 'weakening', '--allow', 'playback-loss');
  const slicers = { static_key_slicer_ids: ['studio-a', 'studio-b'] };
  project.emulator.edit({ emulation: 'static-key', collection: 'settings', id: 'slicers', document: slicers });
  project.write(SOURCE, setting('studio-a, studio-b'));
  project.commit();
  await run(project, 'grace', 'apply', '--yes');
  expect(await told(project, 'static-key')).toEqual([
    ['grace', [], [['/slicer_ids', ['studio-a'], ['studio-a', 'studio-b']]]],
    ['ada', ['updated'], []],
  ]);
});

test('an edit that an apply reverted, and a change of the repository, are no accepted edits', async () => {
  const project = await created();
  project.editPlaylist(playlistId(project, 'club'), { playlist: list(75) });
  await run(project, 'ada', 'apply', '--yes');
  project.write(SOURCE, source({ ad: 60 }));
  project.commit();
  await run(project, 'ada', 'apply', '--yes');
  project.write(SOURCE, source({ ad: 60 }).replace(/ {2}club:[\s\S]*(?= {2}other:)/, ''));
  project.commit();
  await run(project, 'ada', 'apply', '--yes', '--allow', 'deletes');
  expect(await told(project, 'playlist/club')).toEqual([
    ['ada', ['deleted'], []],
    ['ada', ['updated'], []],
    ['ada', ['updated'], []],
    ['ada', ['created'], []],
  ]);
});

test('history names an apply whose configuration cannot be read, and tells its edit at the next one', async () => {
  const project = await accepted();
  project.write(SOURCE, 'playlists: 1\n');
  const broken = project.commit();
  const [first, second] = project.entries();
  if (first === undefined || second === undefined) throw new Error('an entry is missing');
  const unread = { ...second, config: { commit: broken, digest: second.config.digest } };
  const last = putEntries(project.ledger, [first, unread, { ...second, by: 'eve' }]);
  project.git('--git-dir', project.ledger, 'update-ref', 'refs/upkeep/live', last);
  expect(await told(project, 'playlist/club')).toEqual([
    ['eve', [], [['/playlist', list(90), list(75)]]],
    ['grace', [], []],
    ['ada', ['created'], []],
  ]);
  const { entries } = asHistory(await project.json('history', 'playlist/club'));
  expect(entries.map(({ unread: why }) => why)).toEqual([undefined, expect.stringContaining(`${SOURCE}:1`), undefined]);
  const { stdout } = await project.run('history', 'playlist/club');
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    `an edit that they accepted stands at a later one, or nowhere: entry ${entries[1]?.id.slice(0, 12)}, commit ${broken.slice(0, 12)}: ${SOURCE}:1`,
  );
});

test('an update names the effect of its only field, as a create does', async () => {
  const project = await created();
  project.write(SOURCE, source({ skipDrm: 1 }));
  project.commit();
  await run(project, 'grace', 'apply', '--yes', '--allow', 'weakening');
  expect((await project.run('history', 'playlist/club')).stdout).toContain('skip_drm: 0 -> 1  (weakens protection)\n');
  const { entries } = asHistory(await project.json('history'));
  expect((await project.run('history', entries[0]?.id ?? '')).stdout).toContain('skip_drm: 0 -> 1  (weakens protection)\n');
});
