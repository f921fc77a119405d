/** `diff`: what changes between two commits, without credentials and without the network. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FORMATS } from '../../src/report/document.ts';
import { createGitProject, type GitProject } from '../support/git-project.ts';
import { createTestProject } from '../support/harness.ts';
import { applyStepOf } from '../support/lifts.ts';
import { asset } from './accounts.ts';

const entries = `[{ beam: ${asset(1)} }, { beam: ${asset(2)} }]`;
const SOURCE = `playlists:
  one: { desc: "\${title}", playlist: ${entries} }
  two: { desc: Two, playlist: ${entries} }
drm_policies:
  films: { widevine: { content_key_specs: [{ track_type: ALL, security_level: 3, required_output_protection: { hdcp: HDCP_V2_2 } }] } }
`;
const GUARD = 'guards: [{ id: keep, deny: change.action == "delete", message: Deletes nothing. }]\n';

/** A project whose first commit has the source; nothing is applied, and no account is asked. */
const projectOnMain = (target = '', rules = ''): Promise<GitProject> =>
  createGitProject({ 'config/a.yaml': SOURCE }, { target: `vars: { title: One }\n${target}`, rules });

const NO_KEYS = { UPKEEP_OWNER: undefined, UPKEEP_API_KEY: undefined };

test('needs no credentials, sends nothing, and shows fields, effects and what is blocked', async () => {
  const project = await projectOnMain();
  project.write('config/a.yaml', SOURCE.replace('security_level: 3', 'security_level: 1').replace('desc: Two', 'desc: Zwei'));
  project.commit();
  const { code, document } = await project.diff('--base', 'HEAD~1', '--detailed-exitcode');
  expect(code).toBe(4);
  expect(document.changes.map(({ address, action, effect, blocked }) => [address, action, effect, blocked?.check])).toEqual([
    ['playlist/two', 'update', 'neutral', undefined],
    ['drm-policy/films', 'update', 'weakens', 'weakening'],
  ]);
  expect(document.base).toEqual({ commit: project.git('rev-parse', 'HEAD~1') });
  expect(applyStepOf(document)).toEqual({ from: 'now', say: 'apply this plan with --allow weakening', allow: ['weakening'] });
  const text = await project.runWith({ env: NO_KEYS }, 'diff', '--base', 'HEAD~1');
  expect(text).toMatchObject({ code: 0, stderr: '' });
  expect(text.stdout).toMatch(
    /^Blocked: DRM policy films would weaken protection and might affect playback\.\nCompared with commit [0-9a-f]{12}\. The account was not asked/,
  );
  expect(text.stdout).not.toMatch(/Fingerprint|from the repository|upkeep apply/);
  expect(project.emulator.requests()).toEqual([]);
});

test('compares the work tree with the commit where the work branched off, and says what is not committed', async () => {
  const project = await projectOnMain('branch: main');
  const base = project.git('rev-parse', 'HEAD');
  project.git('checkout', '-q', '-b', 'topic');
  project.git('fetch', '-q', 'origin');
  project.write('config/a.yaml', SOURCE.replace('desc: Two', 'desc: Zwei'));
  const { document } = await project.diff();
  expect([document.base?.commit, document.config?.commit, document.config?.dirty]).toEqual([base, base, true]);
  expect(document.changes.map(({ address }) => address)).toEqual(['playlist/two']);
  expect((await project.diff('--head', 'HEAD')).document.changes).toEqual([]);
});

test('refuses without a base, and where the base is not here, with the line that fetches it', async () => {
  const project = await projectOnMain();
  expect(await project.refused('diff')).toMatchObject({
    code: 8,
    document: { error: { code: 'no-base', hint: expect.stringContaining('--base refs/remotes/origin/main') } },
  });
  const { document } = await project.refused('diff', '--base', "refs/remotes/origin/o'clock");
  expect(document.error).toMatchObject({
    code: 'unknown-commit',
    hint: `diff fetches nothing: fetch it first (git fetch origin '+refs/heads/o'\\''clock:refs/remotes/origin/o'\\''clock')`,
  });
  const other = project.clone();
  other.write('note.txt', 'x');
  const hash = other.commit();
  expect((await project.refused('diff', '--base', hash)).document.error.hint).toContain(`git fetch origin ${hash}`);
});

test('helps with names that are wrong, and outside of git', async () => {
  const project = await projectOnMain('branch: mian');
  project.git('branch', 'trusted');
  const errorOf = async (...argv: string[]) => (await project.refused('diff', ...argv)).document.error;
  expect((await errorOf('--base', 'trustde')).hint).toBe('did you mean trusted?');
  expect((await errorOf('--base', '')).summary).toBe('the commit with an empty name of `--base` is not in this clone');
  expect((await errorOf('--base', 'HEAD~9')).hint).toBe('git branch --all lists the branches that are here');
  expect(await errorOf()).toMatchObject({
    summary: 'the commit refs/remotes/origin/mian of `branch` of the target live is not in this clone',
    hint: expect.stringContaining('git fetch origin +refs/heads/mian:refs/remotes/origin/mian'),
  });
  const { code, document } = await (await createTestProject({ 'config/a.yaml': 'playlists: {}\n' })).refused('diff', '--base', 'HEAD');
  expect([code, document.error.hint]).toEqual([8, 'run it inside a clone']);
});

test('prints no command with a remote that this clone has never fetched from, and knows of no lacking commits in a shallow clone', async () => {
  const project = await projectOnMain('remote: evil.git');
  const { hint } = (await project.refused('diff', '--base', 'f'.repeat(40))).document.error;
  expect(hint).toContain('from the remote that you trust');
  expect(hint).not.toContain('git fetch');
  const other = await projectOnMain();
  other.write('config/a.yaml', SOURCE.replace('desc: Two', 'desc: Zwei'));
  other.commit();
  const [from, to] = [other.git('rev-parse', 'HEAD~1'), other.git('rev-parse', 'HEAD')];
  const shallow = other.clone('--depth=1');
  shallow.git('fetch', '-q', '--depth=1', 'origin', from);
  expect(shallow.git('rev-parse', '--is-shallow-repository')).toBe('true');
  const { document } = await shallow.diff('--base', from, '--head', to);
  expect(document.base).toEqual({ commit: from });
});

test('says that the head lacks commits of the base, which look as if they were taken back', async () => {
  const project = await projectOnMain();
  project.git('checkout', '-q', '-b', 'topic');
  project.git('checkout', '-q', 'main');
  project.write('config/a.yaml', SOURCE.replace('desc: Two', 'desc: Zwei'));
  project.commit();
  project.git('checkout', '-q', 'topic');
  expect((await project.diff('--base', 'main')).document.base).toMatchObject({ diverged: true });
  expect((await project.run('diff', '--base', 'main')).stdout.replaceAll('\n', ' ')).toContain('The head lacks commits of the base');
});

test('shows the head against nothing where the base is invalid, with the place of the mistake there', async () => {
  const project = await projectOnMain();
  project.write('config/a.yaml', SOURCE.replace('desc: Two', 'desk: Two'));
  project.commit();
  project.write('config/a.yaml', SOURCE);
  project.commit();
  const { code, document } = await project.diff('--base', 'HEAD~1');
  expect([code, document.base?.unusable]).toEqual([0, true]);
  expect(document.changes.map(({ action }) => action)).toEqual(['create', 'create', 'create']);
  expect(document.findings).toMatchObject([{ code: 'unusable-base', severity: 'warning', file: 'config/a.yaml', line: 3 }]);
});

test('shows a target that the base does not have against nothing, and refuses a head that is invalid', async () => {
  const project = await projectOnMain();
  const settings = project.read('upkeep.yaml');
  project.write('upkeep.yaml', settings + settings.slice(settings.indexOf('  live:')).replace('  live:', '  other:'));
  const { document } = await project.diff('--base', 'HEAD', '--target', 'other');
  expect([document.target, document.base?.unusable, document.changes.length]).toEqual(['other', true, 3]);
  project.write('config/a.yaml', SOURCE.replace('desc: Two', 'desk: Two'));
  expect(await project.refused('diff', '--base', 'HEAD', '--target', 'live')).toMatchObject({
    code: 8,
    document: { error: { code: 'invalid-configuration' }, findings: [{ file: 'config/a.yaml', line: 3 }] },
  });
});

test('says that only the account knows a setting that the base does not declare', async () => {
  const project = await projectOnMain();
  project.write('config/b.yaml', 'vmp_reject_statuses: [PLATFORM_TAMPERED]\n');
  const { code, document } = await project.diff('--base', 'HEAD', '--detailed-exitcode');
  expect([code, document.changes]).toEqual([0, []]);
  expect(document.unread).toMatchObject([{ kind: 'vmp-reject-statuses' }]);
  const { stdout } = await project.run('diff', '--base', 'HEAD');
  expect(stdout).toMatch(/^Cannot tell for vmp-reject-statuses\. For the rest: Nothing to do/);
});

test('expands templates, tables and variables on both sides, and recognizes `moved`', async () => {
  const project = await projectOnMain();
  const templates = `templates:
  show:
    params: { name: string }
    playlist: { desc: "\${name}, \${title}", playlist: ${entries} }
playlists_from: [{ file: shows.csv, template: show, key: "show-\${key}" }]
`;
  project.write('config/b.yaml', templates);
  project.write('config/shows.csv', 'key,name\na,First\nb,Second\n');
  project.commit();
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace('title: One', 'title: Eins'));
  project.write('config/shows.csv', 'key,name\na,First\nb,Zweite\n');
  project.write('config/a.yaml', `${SOURCE.replace('  two:', '  second:')}moved: [{ from: playlist/two, to: playlist/second }]\n`);
  const { document } = await project.diff('--base', 'HEAD');
  const shown = document.changes.map((change) => [
    change.address,
    change.action,
    'movedFrom' in change ? change.movedFrom : change.fields.map(({ before, after }) => `${before} -> ${after}`).join(),
  ]);
  expect(shown).toEqual([
    ['playlist/one', 'update', 'One -> Eins'],
    ['playlist/show-a', 'update', 'First, One -> First, Eins'],
    ['playlist/show-b', 'update', 'Second, One -> Zweite, Eins'],
    ['playlist/second', 'move', 'playlist/two'],
  ]);
});

test('counts the settings of the base, and says in the first line that the head lowers a safeguard', async () => {
  const project = await projectOnMain('protect: [playlist/two]', GUARD);
  project.git('branch', 'trusted');
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace(GUARD, '').replace('protect: [playlist/two]', 'protect: []'));
  project.write('config/a.yaml', SOURCE.replace(/ {2}two: .*\n/, ''));
  project.commit();
  const { document } = await project.diff('--base', 'HEAD~1');
  expect(document.changes).toMatchObject([
    { address: 'playlist/two', action: 'delete', blocked: { checks: [{ check: 'protect' }, { check: 'guard' }] } },
  ]);
  const lowered = document.findings.filter(({ code }) => code === 'safeguard-lowered');
  expect(lowered.map(({ summary }) => summary)).toEqual([
    '`guards.keep` holds less back: before `{ deny: change.action == "delete" }`, now not set',
    '`targets.live.protect` holds less back: before `[ playlist/two ]`, now `[]`',
  ]);
  for (const command of [
    ['diff', '--base', 'HEAD~1'],
    ['plan', '--trust-from', 'refs/heads/trusted'],
  ]) {
    const { stdout } = await project.run(...command);
    expect(stdout.replaceAll('\n', ' ')).toMatch(
      /^Lowers 2 safeguards once it is merged \(guards\.keep,? (?:and )?targets\.live\.protect\)\. /,
    );
    expect(stdout.indexOf('Lowered safeguards (2)')).toBeLessThan(stdout.search(/^(?:What viewers notice|Blocked|Other changes)/m));
  }
});

test.each([
  ['diff', '--base', 'HEAD~1'],
  ['plan', '--trust-from', 'refs/heads/trusted'],
  ['validate', '--trust-from', 'refs/heads/trusted'],
])('%s names another account and remote in the first line, and lists them first in text, Markdown and HTML', async (...command) => {
  const notify = 'notify: [{ url: { env: HOOK }, on: [failed, drift] }]\n';
  const project = await projectOnMain('remote: origin\nmanages: [playlist/*, drm-policy/*]', notify);
  project.git('branch', 'trusted');
  const settings = project
    .read('upkeep.yaml')
    .replace('[failed, drift]', '[failed]')
    .replace('remote: origin', 'remote: upstream')
    .replace('manages: [playlist/*, drm-policy/*]', 'manages: ["*"]');
  project.write('upkeep.yaml', settings.replace(/(api_key: \{ env: )\w+/, '$1OTHER_KEY'));
  project.commit();
  const { code, stdout } = await project.run(...command, '--out', 'markdown=out.md', '--out', 'html=out.html');
  expect(code).toBe(0);
  const headline =
    'Lowers 4 safeguards once it is merged \\(targets\\.live\\.credentials, targets\\.live\\.remote, targets\\.live\\.manages and 1 more\\)\\.';
  expect(stdout.replaceAll('\n', ' ')).toMatch(new RegExp(`^${headline} `));
  const section = ['Lowered safeguards', 'targets.live.credentials', 'targets.live.remote', 'settings-not-trusted'];
  for (const report of [stdout, project.read('out.md'), project.read('out.html').replace(/^[\s\S]*?<section/, '<section')]) {
    const places = section.map((text) => report.lastIndexOf(text));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(-1);
  }
  expect(project.read('out.md')).toMatch(/^> \[!CAUTION\]\n> \*\*Lowers 4 safeguards/);
  expect(project.read('out.html')).toMatch(/<p class="headline">Lowers 4 safeguards/);
  expect(project.read('out.md')).toContain('`notify.HOOK` holds less back: before `{ on: [ failed, drift ] }`, now `{ on: [ failed ] }`');
});

test('says in the first line that a target is gone, also where it only got another name', async () => {
  const project = await projectOnMain();
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace('  live:', '  other:'));
  const { stdout } = await project.run('diff', '--base', 'HEAD');
  expect(stdout).toMatch(
    /^Compared with nothing\. Lowers 2 safeguards once it is merged \(targets\.live, targets\.other\)\. [\s\S]*`targets\.live` is removed/,
  );
});

test('says what only the account can tell: what is adopted, left to others, or named by external IDs', async () => {
  const project = await projectOnMain('ignore_changes: { allowed: true }');
  const first = async () => (await project.run('diff', '--base', 'HEAD')).stdout.replaceAll('\n', ' ');
  project.write('config/a.yaml', `${SOURCE}adopt: { playlist/two: "17" }\n`);
  expect(await first()).toMatch(/^Only the account can tell all\. No resource changes[\s\S]*what `adopt` takes over \(playlist\/two\)/);
  project.write(
    'config/a.yaml',
    `${SOURCE}ignore_changes: [{ address: drm-policy/films, fields: [/widevine] }]\n`.replace('security_level: 3', 'security_level: 1'),
  );
  expect(await first()).toMatch(/^Only the account can tell all\. [\s\S]*`ignore_changes` leaves to others \(drm-policy\/films\)/);
  project.write(
    'config/a.yaml',
    SOURCE.replace(
      `two: { desc: Two, playlist: ${entries} }`,
      `two: { desc: Two, playlist: [{ beam: { external_id: x } }, { beam: ${asset(1)} }] }`,
    ),
  );
  expect(await first()).toMatch(
    /^Only the account can tell all\. Nothing in it is blocked: 1 change[^.]*; not all effects are known\. [\s\S]*external IDs \(playlist\/two\)/,
  );
  project.commit();
  project.write('config/a.yaml', SOURCE);
  expect(await first()).toMatch(/^Only the account can tell all\. [\s\S]*external IDs \(playlist\/two\)/);
});

test('lists settings that say where requests go, however many rules are edited, and refuses links and names with two meanings', async () => {
  const project = await projectOnMain('protect: [playlist/two]');
  const settings = project.read('upkeep.yaml');
  project.write('upkeep.yaml', settings.replace(/base_url: .*/, 'base_url: https://elsewhere.example.com'));
  const first = async () => (await project.run('diff', '--base', 'HEAD')).stdout.replaceAll('\n', ' ');
  expect(await first()).toMatch(
    /^Lowers 1 safeguard once it is merged \(targets\.live\.base_url\)\. No resource changes.*settings-not-trusted/,
  );
  project.write('upkeep.yaml', settings.replace('version: 1', 'version: 1\nguards: [{ id: none, warn: plan.delete > 9, message: m }]'));
  expect(await first()).toMatch(/^Changes settings of upkeep\.yaml\. No resource changes.*settings-not-trusted/);
  const rules = Array.from({ length: 150 }, (_, index) => `  asset-x${index}: off\n`).join('');
  project.write('upkeep.yaml', settings.replace('protect: [playlist/two]', 'protect: []').replace('targets:', `rules:\n${rules}targets:`));
  expect((await project.run('diff', '--base', 'HEAD')).stdout).toContain('`targets.live.protect` holds less back');
  project.git('branch', 'twin');
  project.git('tag', 'twin');
  expect((await project.refused('diff', '--base', 'twin')).document.error.code).toBe('ambiguous-commit');
  project.write('sub/upkeep.yaml', settings);
  project.write('sub/config/a.yaml', SOURCE);
  symlinkSync('sub', join(project.folder, 'other'));
  expect((await project.refused('diff', '--base', 'HEAD', '--project', 'other')).document.error.code).toBe('linked-project');
});

test('takes every format, and its document is refused where a plan is expected', async () => {
  const project = await projectOnMain();
  project.write('config/a.yaml', SOURCE.replace('desc: Two', 'desc: Zwei'));
  project.commit();
  const outs = FORMATS.flatMap((format) => ['--out', `${format}=out.${format}`]);
  expect(await project.run('diff', '--base', 'HEAD~1', ...outs)).toMatchObject({ code: 0 });
  for (const format of FORMATS.filter((each) => each !== 'gitlab')) expect(project.read(`out.${format}`)).toMatch(/playlist|upkeep/);
  expect(project.read('out.gitlab')).toBe('[]\n');
  expect(await project.refused('apply', '--plan', 'out.json')).toMatchObject({
    code: 8,
    document: { error: { summary: expect.stringContaining('it holds a comparison of two commits') } },
  });
  expect((await project.run('show', 'out.json')).stdout).toContain('Comparison for live');
});

test('marks the findings that the base did not have, wherever their lines were', async () => {
  const project = await projectOnMain();
  const old = 'templates:\n  unused: { params: {}, playlist: { playlist: [] } }\n';
  project.write('config/b.yaml', old);
  project.commit();
  project.write('config/b.yaml', `# moved\n\n${old}  fresh: { params: {}, playlist: { playlist: [] } }\n`);
  project.commit();
  const { document } = await project.diff('--base', 'HEAD~1');
  expect(document.findings.map(({ summary, isNew = false }) => [summary.match(/`(\w+)`/)?.[1], isNew])).toEqual([
    ['unused', false],
    ['fresh', true],
  ]);
  expect((await project.runWith({ env: NO_KEYS }, 'diff', '--base', 'HEAD~1')).stdout).toMatch(/config\/b\.yaml:5:3 +new/);
});
