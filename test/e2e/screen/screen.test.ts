/** What a person sees: the built program on a real terminal of 60, 80 and 120 columns, read from its screen. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { columns } from '../../../src/report/text/layout.ts';
import { createGitProject } from '../../support/git-project.ts';
import { API_KEY, createTestProject, OWNER, type TestProject, temporaryFolder } from '../../support/harness.ts';
import { startProxy } from '../../support/proxy.ts';
import { beams, config, manyLive, manyPlaylists } from '../accounts.ts';
import { PROGRAM } from '../interrupt-project.ts';
import { exitCodeIn, hasTmux, onScreen, type Screen } from './tmux.ts';

if (!hasTmux) process.stderr.write('Nothing was read from a screen, because tmux is not here: apt-get install tmux\n');

test('CI has tmux', () => {
  expect(hasTmux || (process.env.CI ?? '') === '', 'apt-get install tmux').toBe(true);
});

const WIDTHS = [60, 80, 120];

/** upkeep in the folder of a project. */
function upkeep(
  project: Pick<TestProject, 'folder'>,
  command: string,
  width: number,
  env: { readonly [name: string]: string | undefined } = {},
): Screen {
  const all = { UPKEEP_OWNER: OWNER, UPKEEP_API_KEY: API_KEY, ...env };
  return onScreen(`'${process.execPath}' '${PROGRAM}' ${command}`, width, all, project.folder);
}

/** A project whose account leaves a request without an answer until `release` is called, so that the screen can be read meanwhile. */
interface HeldProject {
  readonly project: TestProject;
  /** URL of the account. */
  readonly url: string;
  readonly release: () => void;
}

/** Holds the request with this number, from 1, among those that are reads, or among those that are writes. */
async function hold(project: TestProject, kind: 'read' | 'write', number: number): Promise<HeldProject> {
  const proxy = await startProxy();
  onTestFinished(() => proxy.close());
  proxy.target = project.emulator.url;
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace(project.emulator.url, proxy.url));
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let count = 0;
  proxy.watch = async (_nth, boundary, method) => {
    if (boundary === 'after' || (method === 'GET') !== (kind === 'read')) return;
    count += 1;
    if (count === number) await released;
  };
  return { project, url: proxy.url, release };
}

/** Five playlists to be updated one after another, and a VMP set that is let go: that weakens. */
function sixUpdates(options: { readonly delayMs?: number } = {}): Promise<TestProject> {
  return createTestProject(config({ playlists: manyPlaylists(5, { repeat: 1 }), vmp_reject_statuses: [] }), {
    seed: { playlist: manyLive(5), 'vmp-reject-statuses': ['PLATFORM_TAMPERED'] },
    target: 'http: { concurrency: 1, requests_per_second: 0 }',
    faults: [{ method: 'PATCH', ...options }],
  });
}

const APPLY = 'apply --allow weakening';
const APPLYING = /^applying [1-5]\/6 · /;

/** The strictest policy is removed: that weakens, which is blocked unless it is allowed. */
function weakeningProject(): Promise<TestProject> {
  return createTestProject(config({ vmp_reject_statuses: [] }), {
    seed: { 'vmp-reject-statuses': ['PLATFORM_TAMPERED', 'PLATFORM_UNVERIFIED'] },
  });
}

const NAME_ASKED = /^Only the name of the target, `live`, is accepted:/;

describe.runIf(hasTmux).each(WIDTHS)('the screen of a terminal with %i columns', (width) => {
  test('repeats the number of changes in the question, shows progress in one line, and keeps nothing of either', async () => {
    const { project, url, release } = await hold(await sixUpdates(), 'write', 4);
    const screen = upkeep(project, APPLY, width);
    const promptLines = await screen.waitFor(NAME_ASKED);
    expect(promptLines.slice(promptLines.indexOf('Apply 6 changes to live?'), -1)).toEqual([
      'Apply 6 changes to live?',
      `  service   ${url}`,
      '  changes   0 to create, 6 to update, 0 to delete',
      '  weakens   1 change: vmp-reject-statuses',
      '  override  safety checks by --allow: weakening (1 change)',
    ]);
    screen.type('live');
    screen.press('Enter');
    const during = await screen.waitFor(/^applying [1-5]\/6 · .*left$/);
    expect(during.at(-1)).toMatch(/^applying [1-5]\/6 · [\d.]+\/(s|min) · \d+ s left$/);
    expect(during.slice(0, -1).join('\n')).not.toContain('applying');
    release();
    const after = await screen.waitForExit();
    expect(exitCodeIn(after)).toBe(0);
    expect(after.join('\n')).not.toMatch(/applying|reading|·/);
    expect(after).toContain('Apply: 6 updated.');
    expect(project.writes()).toHaveLength(6);
  });

  test('fits long addresses, wide characters, combining marks and emoji by cutting or wrapping, and tears no escape sequence', async () => {
    const names = ['日本語の番組表'.repeat(9), 'e\u0301te\u0301'.repeat(30), '🎬🇩🇪film'.repeat(12), 'x'.repeat(200)];
    const playlists = Object.fromEntries(
      names.map((desc, n) => [`${'a-long-key-'.repeat(n * 3)}p${n}`, { desc, playlist: beams(n, n + 50) }]),
    );
    const live = { id: 'live', desc: '\u202e\u0007\u001b[31m'.repeat(12), playlist: beams(90, 91) };
    const project = await createTestProject(config({ playlists, drm_policies: Object.fromEntries(names.map((name) => [name, {}])) }), {
      seed: { playlist: [live] },
    });
    const screen = upkeep(project, 'plan --undeclared', width);
    const lines = await screen.waitForExit();
    expect(exitCodeIn(lines), lines.join('\n')).toBe(0);
    for (const line of lines) expect(columns(line)).toBeLessThanOrEqual(width);
    // What the terminal itself had to wrap is what stays whole: the verdict in the first line, a word, or the fingerprint.
    const tooWide = screen.lines(true).filter((line) => columns(line) > width && !line.startsWith('No change stops or reduces playback'));
    for (const line of tooWide) expect(line.trim().replace(/^Fingerprint: /, '')).not.toContain(' ');
    expect(lines.join('\n')).toContain('日本語');
    expect(screen.lines(true).join('\n')).not.toMatch(/\\(?!u\{[0-9a-f]+\}|u[0-9a-f]{4}|[nrt])/);
  });
});

describe.runIf(hasTmux)('the confirmation prompt', () => {
  test('is canceled by Ctrl-C: exit 130, nothing is written, and the prompt has a line of its own', async () => {
    const project = await createGitProject(config({ playlists: manyPlaylists(2) }));
    const screen = upkeep(project, 'apply', 80, project.env);
    await screen.waitFor(/^Only `yes` is accepted:/);
    screen.press('C-c');
    const lines = await screen.waitForExit();
    expect(exitCodeIn(lines)).toBe(130);
    const at = lines.findLastIndex((line) => line.startsWith('Only'));
    expect(lines[at]).toBe('Only `yes` is accepted: ^C');
    expect(lines[at + 1]).toMatch(/^note: interrupted: /);
    expect([project.writes(), project.refs()]).toEqual([[], {}]);
  });

  test('rejects a wrong name: exit 4, nothing is written', async () => {
    const project = await weakeningProject();
    const screen = upkeep(project, 'apply --allow weakening', 60);
    await screen.waitFor(NAME_ASKED);
    screen.type('Live');
    screen.press('Enter');
    const lines = await screen.waitForExit();
    expect(exitCodeIn(lines)).toBe(4);
    expect(lines).toContain('error: not confirmed, so nothing was written');
    expect(project.writes()).toEqual([]);
  });

  test('for several targets asks for the name of each target, one after another', async () => {
    const project = await weakeningProject();
    const text = project.read('upkeep.yaml');
    project.write('upkeep.yaml', `${text}${text.slice(text.indexOf('  live:')).replace('live:', 'other:')}`);
    const screen = upkeep(project, "apply -t '*' --allow weakening", 80);
    await screen.waitFor(NAME_ASKED);
    screen.type('other');
    screen.press('Enter');
    await screen.waitFor(/^Only the name of the target, `other`, is accepted:/);
    screen.type('other');
    screen.press('Enter');
    expect(exitCodeIn(await screen.waitForExit())).toBe(4);
    expect(project.writes()).toHaveLength(1);
  });
});

describe.runIf(hasTmux)('the progress line', () => {
  test('is not drawn with --quiet', async () => {
    const project = await sixUpdates({ delayMs: 450 });
    const screen = upkeep(project, `${APPLY} --yes --quiet`, 80);
    expect(exitCodeIn(await screen.waitForExit())).toBe(0);
    expect(screen.written()).toContain('Apply: 6 updated.');
    expect(screen.written()).not.toMatch(/applying|\\033\[2K/);
  });

  test('moves below log lines', async () => {
    const { project, release } = await hold(await sixUpdates(), 'write', 4);
    const screen = upkeep(project, `${APPLY} --yes --log-level debug`, 120);
    const during = await screen.waitFor(APPLYING);
    expect(during.at(-1)).toMatch(/^applying/);
    for (const line of during.slice(0, -1)) expect(line).not.toContain('applying');
    release();
    const after = await screen.waitForExit();
    for (const line of after.filter((each) => each.includes('method='))) expect(line).toMatch(/^debug: request method=[A-Z]+ path=\S+ /);
  });

  test('disappears with the second Ctrl-C, which ends all at once', async () => {
    const { project } = await hold(await sixUpdates(), 'write', 4);
    const screen = upkeep(project, `${APPLY} --yes`, 80);
    await screen.waitFor(APPLYING);
    screen.press('C-c');
    await screen.waitFor(/^note: interrupted: no new requests are started/);
    screen.press('C-c');
    const after = await screen.waitForExit();
    expect(exitCodeIn(after)).toBe(130);
    expect(after.join('\n')).not.toContain('applying');
  });

  test('shows what is being waited for while the account is read', async () => {
    const { project, release } = await hold(await createTestProject(config({ playlists: manyPlaylists(2) })), 'read', 1);
    const screen = upkeep(project, 'plan', 60);
    await screen.waitFor(/^reading · \d+ s/);
    release();
    const after = await screen.waitForExit();
    expect(after.join('\n')).not.toContain('reading ·');
  });
});

test.runIf(hasTmux)('the program counts columns as the terminal does', async () => {
  const texts = [
    'plain',
    '漢字かなカナ',
    'ｶﾀｶﾅ',
    '한글',
    '㈱＄＆',
    'e\u0301\u0323a\u20dd',
    'ไม่นี้',
    '🎬🚀',
    '❤→·…',
    'ÀÉ',
    'العربية',
    'नि',
    '\u{20000}',
  ];
  const project = { folder: temporaryFolder() };
  for (const text of texts) {
    const screen = onScreen(`printf '%s' '${text}' && printf '\\0337\\nshown\\n\\0338'; read -r _`, 80, {}, project.folder);
    await screen.waitFor(/^shown$/);
    expect([text, screen.column()]).toEqual([text, columns(text)]);
  }
});
