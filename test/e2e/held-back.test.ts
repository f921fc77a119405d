/** What is said before an apply is what the apply does: what is sent, and what is held back (design section 4, rule 9). */
import { describe, expect, test } from 'vitest';
import { createGitProject, type GitProject } from '../support/git-project.ts';
import { createTestProject } from '../support/harness.ts';
import { waitsIn } from '../support/waits.ts';
import { asset } from './accounts.ts';

const PLAYLIST = `{ playlist: [{ beam: ${asset(1)} }, { ad: 30 }] }`;

test('a freeze that lets hardening through lets through a run whose only unsent change weakens', async () => {
  const fairplay = (enforcement: number) => ({ fairplay: { hd: { hdcp_enforcement: enforcement } } });
  const project = await createTestProject(
    {
      'config/a.yaml':
        'drm_policies:\n  hd: { fairplay: { hd: { hdcp_enforcement: 1 } } }\n  sd: { fairplay: { hd: { hdcp_enforcement: 0 } } }\nvmp_reject_statuses: [PLATFORM_TAMPERED]\n',
    },
    {
      seed: {
        'drm-policy': [
          { policy_name: 'hd', ...fairplay(0) },
          { policy_name: 'sd', ...fairplay(1) },
        ],
      },
      rules: 'windows: { deny: [{ why: incident, unless: [strengthens] }] }\n',
      target: 'weakening: allow\nplayback_loss: allow',
    },
  );
  const unread = [{ method: 'GET', path: '/api/v3/drm/vmp-reject-statuses', status: 400 }];
  project.emulator.setFaults(unread);
  expect(waitsIn((await project.plan()).document)).toEqual([]);
  project.emulator.setFaults(unread);
  const { code, document } = await project.apply('--yes', '--skip-blocked');
  expect(document.outcomes.map(({ address, result }) => [address, result])).toEqual([
    ['drm-policy/hd', 'updated'],
    ['drm-policy/sd', 'skipped'],
  ]);
  expect([code, project.writes().length]).toEqual([7, 1]);
});

test('a plan that blocks only what it forgets ends with the exit code of the apply, and no format calls that no change', async () => {
  const project = await createGitProject({ 'config/a.yaml': `playlists:\n  a: ${PLAYLIST}\n  b: ${PLAYLIST}\n` });
  expect((await project.apply('--yes')).code).toBe(0);
  project.write('config/a.yaml', `playlists:\n  b: ${PLAYLIST}\nremoved: [playlist/a]\n`);
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace(/^( +)base_url:/m, '$1protect: [playlist/a]\n$1base_url:'));
  project.commit();
  const { code, document } = await project.plan('--detailed-exitcode');
  expect(document.changes.map(({ action, blocked }) => [action, blocked?.check])).toEqual([['forget', 'protect']]);
  expect([code, document.summary.blocked]).toEqual([4, 1]);
  for (const format of ['text', 'markdown', 'html', 'github', 'gitlab', 'sarif', 'junit', 'ndjson', 'json']) {
    const ran = await project.run('plan', '--format', format);
    expect([ran.code, ran.stdout], format).toEqual([0, expect.stringMatching(/playlist(\/| )a\b/)]);
    expect(ran.stdout, format).not.toMatch(/no changes?\b(?! of the account)|nothing to do/i);
  }
  expect((await project.refused('apply', '--yes')).code).toBe(4);
});

/** Something that stands between a project whose first commit is applied and the next apply, and what is said of it. */
interface Situation {
  readonly what: string;
  /** Lines of upkeep.yaml from the second commit on. */
  readonly rules?: string;
  readonly set: (project: GitProject) => void;
  /** The first line of every report for people. */
  readonly first: RegExp;
  /** Exit codes of `plan --detailed-exitcode` and of `apply --yes`. */
  readonly exits: readonly [plan: number, apply: number];
}

const FREEZE = 'windows: { deny: [{ why: freeze, until: "2099-01-01T00:00:00Z" }] }\n';
const BEFORE = `playlists:\n  a: ${PLAYLIST}\n`;
const AFTER = `playlists:\n  a: { ad_slate_fill: true, playlist: [{ beam: ${asset(1)} }, { ad: 30 }] }\n`;
const edit = (project: GitProject): void => project.write('config/a.yaml', AFTER);
const committed = (project: GitProject): void => {
  edit(project);
  project.commit();
};

/** Commits what is there to another branch than that of the target. */
function commitElsewhere(project: GitProject): void {
  project.git('checkout', '-q', '-b', 'feature');
  project.git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-q', '-a', '-m', 'change');
}

const SITUATIONS: readonly Situation[] = [
  { what: 'nothing', set: committed, first: /^Ready to apply: 1 change; /, exits: [2, 0] },
  {
    what: 'a freeze',
    rules: FREEZE,
    set: committed,
    first: /^Waits until 2099-01-01T00:00:00Z: its window is closed: freeze\. Then 1 change; /,
    exits: [2, 4],
  },
  {
    what: 'a freeze without an end, and edits that are not committed',
    rules: 'windows: { deny: [{ why: incident }] }\n',
    set: edit,
    first: /^Waits until the edits are committed, and after that: its window is closed: incident\. Then 1 change; /,
    exits: [2, 4],
  },
  {
    what: 'edits that are not committed',
    set: edit,
    first: /^Waits until the edits are committed\. Then 1 change; /,
    exits: [2, 4],
  },
  {
    what: 'a commit of another branch',
    set: (project) => {
      edit(project);
      commitElsewhere(project);
    },
    first: /^Waits until the commit is merged\. Then 1 change; /,
    exits: [2, 4],
  },
  { what: 'a freeze, and nothing to do', rules: FREEZE, set: () => undefined, first: /^Nothing to do: /, exits: [0, 0] },
  {
    what: 'a blocked change in a freeze',
    rules: FREEZE,
    set: (project) => {
      project.write('config/a.yaml', AFTER.replace('ad_slate_fill', 'active: false, ad_slate_fill'));
      project.commit();
    },
    first: /^Blocked: playlist a would stop playback/,
    exits: [4, 4],
  },
];

describe('the first line of a plan and the exit codes agree where there is', () => {
  test.each(SITUATIONS)('$what', async ({ rules, set, first, exits }) => {
    const project = await createGitProject({ 'config/a.yaml': BEFORE }, { target: 'branch: main' });
    expect((await project.apply('--yes')).code).toBe(0);
    if (rules !== undefined) project.write('upkeep.yaml', project.read('upkeep.yaml').replace('targets:', `${rules}targets:`));
    if (rules !== undefined) project.commit();
    project.writes();
    set(project);
    const planned = await project.plan('--detailed-exitcode');
    const wordsOf = async (format: string) => {
      const { stdout } = await project.run('plan', '--format', format);
      return stdout
        .replace(/<[^>]*>/g, ' ')
        .replace(/[*`\\]|&#?\w+;/g, '')
        .replace(/\s+/g, ' ');
    };
    const text = await wordsOf('text');
    expect(text).toMatch(first);
    for (const format of ['markdown', 'html']) expect(await wordsOf(format)).toContain(text.slice(0, 30).replace(/`/g, ''));
    const applied = await project.run('apply', '--yes');
    expect([planned.code, applied.code]).toEqual(exits);
    expect(planned.document.decision?.exit).toBe(applied.code);
    expect(project.writes().length).toBe(applied.code === 0 && exits[0] === 2 ? 1 : 0);
    // What waits is not recorded as applied.
    expect(project.entries().length).toBe(exits[0] === 2 && exits[1] === 0 ? 2 : 1);
  });
});

test('an apply that is held back names --skip-blocked only where that applies something, and says when', async () => {
  const project = await createGitProject({ 'config/a.yaml': BEFORE }, { target: 'branch: main' });
  expect((await project.apply('--yes')).code).toBe(0);
  const hintOf = async (rules: string, playlists: string) => {
    project.write(
      'upkeep.yaml',
      project
        .read('upkeep.yaml')
        .replace(/^windows:.*\n/m, '')
        .replace('targets:', `${rules}targets:`),
    );
    project.write('config/a.yaml', playlists);
    project.commit();
    const { code, document } = await project.refused('apply', '--yes');
    expect(code).toBe(4);
    return document.error.hint;
  };
  const stopped = BEFORE.replace('{ playlist', '{ active: false, playlist');
  const [alone, withOther] = [stopped, `${stopped}  b: { active: false, playlist: [{ beam: ${asset(2)} }] }\n`];
  expect(await hintOf('', alone)).toBe('--allow playback-loss');
  expect(await hintOf('', withOther)).toBe('--allow playback-loss; or apply the rest with --skip-blocked');
  expect(await hintOf(FREEZE, withOther)).toBe(
    '--allow playback-loss; or apply the rest with --skip-blocked, once it does not wait any more',
  );
});
