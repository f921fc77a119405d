/** `notify` in upkeep.yaml: who is told of which end of a run, and that nothing else changes by it. */
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import schema from '../../schemas/notification.schema.json' with { type: 'json' };
import type { Notification } from '../../src/core/model/notification.ts';
import { unreachableAddress } from '../core/api-client/servers.ts';
import { createGitProject } from '../support/git-project.ts';
import { createTestProject, projectFile, type TestProject } from '../support/harness.ts';
import { startReceiver, type TestReceiver } from '../support/receiver.ts';
import { asset } from './accounts.ts';

const isNotification = new Ajv({ strict: true, formats: { 'date-time': true }, allowUnionTypes: true }).compile<Notification>(schema);

const ENTRIES = `[{ beam: ${asset(1)} }, { beam: ${asset(2)} }]`;
const ONE = { 'config/a.yaml': `playlists:\n  one: { playlist: ${ENTRIES} }\n` };
const NONE = 'playlists: {}\nsmart_starts: {}\n';
const NOTIFY = 'notify: [{ url: { env: HOOK }, on: [failed, blocked, drift, applied] }]';

function notificationsOf({ received }: TestReceiver): readonly Notification[] {
  return received.map(({ body }) => {
    const value: unknown = JSON.parse(body);
    if (isNotification(value)) return value;
    throw new Error(JSON.stringify(isNotification.errors));
  });
}

/** Runs a command with a receiver, and returns what that got. */
async function told(project: TestProject, ...argv: string[]): Promise<readonly Notification[]> {
  const receiver = await startReceiver();
  const { stderr } = await project.runWith({ env: { HOOK: `${receiver.url}/hooks/T0ABCDEF4711` } }, ...argv);
  expect(stderr).not.toContain('T0ABCDEF4711');
  return notificationsOf(receiver);
}

describe('a receiver is told', () => {
  test('of an apply that changed something, and of none that did not', async () => {
    const project = await createTestProject(ONE, { rules: NOTIFY });
    expect(await told(project, 'apply', '--yes')).toMatchObject([
      {
        event: 'applied',
        command: 'apply',
        targets: [{ target: 'live', exit: 0, counts: { create: 1 }, results: { created: 1 }, risks: expect.any(String), error: null }],
      },
    ]);
    expect(await told(project, 'apply', '--yes')).toEqual([]);
  });

  test('of blocked changes, by plan and by apply', async () => {
    const project = await createTestProject(ONE, { rules: NOTIFY, target: 'ownership: observe' });
    expect(await told(project, 'plan')).toMatchObject([
      { event: 'blocked', command: 'plan', targets: [{ exit: 0, counts: { blocked: 1 } }] },
    ]);
    expect(await told(project, 'apply', '--yes')).toMatchObject([
      { event: 'blocked', targets: [{ exit: 4, error: expect.stringContaining('blocked') }] },
    ]);
  });

  test('of drift', async () => {
    const project = await createTestProject(ONE, { rules: NOTIFY });
    await project.run('apply', '--yes');
    expect(await told(project, 'drift')).toEqual([]);
    for (const { id } of project.playlists()) project.editPlaylist(String(id), { repeat: 3 });
    expect(await told(project, 'drift')).toMatchObject([{ event: 'drift', command: 'drift', targets: [{ exit: 3 }] }]);
  });

  test.each([
    ['a change that failed', [{ method: 'POST', path: '/api/v4/linear-playlist', status: 409 }], ['apply', '--yes'], 5],
    ['an incomplete plan', [{ method: 'GET', path: '/api/v4/linear-playlist', status: 500 }], ['plan'], 10],
    ['an incomplete drift check', [{ method: 'GET', path: '/api/v4/linear-playlist', status: 500 }], ['drift'], 10],
    ['an export that failed', [{ method: 'GET', path: '/api/v4/linear-playlist', status: 403 }], ['export'], 7],
  ])('of %s', async (_name, faults, argv, exit) => {
    const project = await createTestProject(ONE, { rules: NOTIFY, faults });
    expect(await told(project, ...argv)).toMatchObject([{ event: 'failed', command: argv[0], targets: [{ target: 'live', exit }] }]);
  });

  test('of an invalid configuration, with its error', async () => {
    const project = await createTestProject({ 'config/a.yaml': 'playlists: 1\n' }, { rules: NOTIFY });
    const error = expect.stringContaining('1 error');
    expect(await told(project, 'plan')).toMatchObject([{ event: 'failed', targets: [{ exit: 8, error, commit: null, risks: null }] }]);
  });

  test('of no plan that is merely full of changes, and not where nobody confirms an apply', async () => {
    const project = await createTestProject(ONE, { rules: NOTIFY });
    expect(await told(project, 'plan', '--detailed-exitcode')).toEqual([]);
    expect(await told(project, 'apply')).toEqual([]);
  });

  test('of an apply that a newer commit blocks, and of no plan that is merely behind that commit', async () => {
    const project = await createGitProject(ONE, { rules: NOTIFY });
    expect(await told(project, 'apply', '--yes')).toMatchObject([{ event: 'applied' }]);
    project.write('config/a.yaml', ONE['config/a.yaml'].replace('{ playlist', '{ repeat: 2, playlist'));
    project.commit();
    expect(await told(project, 'apply', '--yes')).toMatchObject([{ event: 'applied' }]);
    project.git('checkout', '-q', 'HEAD~1');
    const { document } = await project.plan();
    expect([document.changes, document.behind]).toMatchObject([[], [{ address: 'playlist/one', blocked: { check: 'rollback' } }]]);
    expect(await told(project, 'plan')).toEqual([]);
    expect(await told(project, 'apply', '--yes')).toMatchObject([{ event: 'blocked', command: 'apply', targets: [{ exit: 4 }] }]);
  });

  test('of no apply that waits, which is no failure', async () => {
    const project = await createGitProject(ONE, { rules: `${NOTIFY}\nwindows: { deny: [{ why: incident }] }` });
    const waiting = await project.runWith({}, 'apply', '--yes');
    expect([waiting.code, waiting.stderr]).toEqual([4, expect.stringContaining('its window is closed: incident')]);
    expect(await told(project, 'apply', '--yes')).toEqual([]);
    expect(await told(project, 'plan')).toEqual([]);
  });

  test('of no command that names what does not exist', async () => {
    const project = await createGitProject(ONE, { rules: NOTIFY });
    const other = projectFile(project.emulator.url, 'ledger: none').split('targets:\n')[1]?.replace('live:', 'other:');
    project.write('upkeep.yaml', `${project.read('upkeep.yaml')}${other}`);
    const commands = [
      ['history', 'abcdefa', '-t', 'live'],
      ['history', '-t', 'missing'],
      ['history', '-t', '*'],
      ['undo', 'abcdefa', '-t', 'live'],
      ['explain', 'playlist/missing', '-t', 'live'],
      ['impact', '--device', 'missing', '-t', 'live'],
      ['drift', 'accept', 'playlist/missing', '-t', 'live'],
    ];
    const receiver = await startReceiver();
    for (const argv of commands) {
      const { code, stderr } = await project.runWith({ env: { ...project.env, HOOK: receiver.url } }, ...argv);
      expect([argv, code, stderr, notificationsOf(receiver)]).toEqual([argv, 8, expect.stringContaining('error'), []]);
    }
  });

  test('only of its own events', async () => {
    const project = await createTestProject(ONE, { rules: 'notify: [{ url: { env: HOOK }, on: [drift] }]' });
    expect(await told(project, 'apply', '--yes')).toEqual([]);
  });

  test('once for all targets that have the event, and once for each event', async () => {
    const project = await createTestProject(ONE, { rules: NOTIFY });
    const target = (name: string, more: string) =>
      projectFile(project.emulator.url, more).split('targets:\n')[1]?.replace('live:', `${name}:`);
    project.write(
      'upkeep.yaml',
      `version: 1\n${NOTIFY}\ntargets:\n${target('a', 'ownership: observe')}${target('b', 'ownership: observe')}${target('c', '')}`,
    );
    project.write('upkeep.yaml', project.read('upkeep.yaml').replace(/(c:[\s\S]*)\[config\]/, '$1[missing]'));
    const notifications = await told(project, 'plan', '-t', '*');
    expect(notifications.map(({ event, targets }) => [event, targets.map(({ target: name }) => name)])).toEqual([
      ['failed', ['c']],
      ['blocked', ['a', 'b']],
    ]);
    expect(new Set(notifications.map(({ runId }) => runId)).size).toBe(1);
  });

  test('where and by whom, by the variables of CI, with the run of the log', async () => {
    const project = await createGitProject(ONE, { rules: NOTIFY });
    const receiver = await startReceiver();
    const ci = {
      GITHUB_SERVER_URL: 'https://code.example',
      GITHUB_REPOSITORY: 'acme/streaming',
      GITHUB_RUN_ID: '7',
      GITHUB_ACTOR: 'alice',
    };
    const { stderr } = await project.runWith(
      { env: { ...project.env, ...ci, HOOK: receiver.url } },
      'apply',
      '--yes',
      '--log-level',
      'info',
    );
    const [notification] = notificationsOf(receiver);
    expect(notification).toMatchObject({
      project: 'acme/streaming',
      by: 'alice',
      link: 'https://code.example/acme/streaming/actions/runs/7',
      targets: [{ commit: project.git('rev-parse', 'HEAD') }],
    });
    expect(stderr).toContain(`runId=${notification?.runId}`);
    expect(stderr).toMatch(/^info: notification sent notification=applied receiver=HOOK$/m);
  });
});

describe('what a notification changes', () => {
  test.each<[string, () => Promise<string>, string]>([
    ['is down', unreachableAddress, 'no connection to its address (ECONNREFUSED)'],
    ['refuses', async () => `${(await startReceiver(() => ({ status: 410 }))).url}/x`, 'it answered HTTP 410'],
    ['is named without TLS', async () => 'http://hooks.example/x', 'it is no https address without user information'],
    ['is named with a password', async () => 'https://user:pass@hooks.example/x', 'it is no https address without user information'],
    ['is no address', async () => 'hooks.example', 'it is no https address without user information'],
  ])('a receiver that %s is a warning, and no exit code', async (_name, start, problem) => {
    const project = await createTestProject(ONE, { rules: NOTIFY, target: 'ownership: observe' });
    const plain = await project.run('plan', '--detailed-exitcode');
    const { code, stdout, stderr } = await project.runWith({ env: { HOOK: await start() } }, 'plan', '--detailed-exitcode');
    expect([code, stdout]).toEqual([plain.code, plain.stdout]);
    expect(stderr).toBe(
      `warning: no notification of \`blocked\` reached the receiver in HOOK: ${problem}\n  hint: the exit code is that of the run; nothing else is affected\n`,
    );
  });

  test('a variable that is not set is a note: a run on a desk has no receivers', async () => {
    const project = await createTestProject(ONE, { rules: NOTIFY, target: 'ownership: observe' });
    const { code, stderr } = await project.run('plan');
    expect([code, stderr]).toEqual([0, 'note: no notification of `blocked` was sent: the environment variable HOOK is not set\n']);
  });

  test('without the key of its signature nothing is sent', async () => {
    const receiver = await startReceiver();
    const notify = 'notify: [{ url: { env: HOOK }, on: [blocked], secret: { env: HOOK_KEY } }]';
    const project = await createTestProject(ONE, { rules: notify, target: 'ownership: observe' });
    const { stderr } = await project.runWith({ env: { HOOK: receiver.url } }, 'plan');
    expect(stderr).toContain('the environment variable HOOK_KEY is not set, which holds the key of the signature');
    expect(receiver.received).toEqual([]);
  });

  test('address and key are hidden wherever a text repeats them, and no program inherits them', async () => {
    const [path, key] = ['services/T0ABCDEF/B0ABCDEF/x9Y8Z7W6V5U4T3S2', 'NotificationKey4711'];
    const notify = 'notify: [{ url: { env: HOOK }, on: [failed], secret: { env: HOOK_KEY } }]';
    const source = `playlists:\n  one: { desc: "see x9Y8Z7W6V5U4T3S2 and ${key}", playlist: ${ENTRIES} }\n`;
    const project = await createTestProject({ 'config/a.yaml': source }, { rules: notify });
    const text = project.read('upkeep.yaml');
    const seen = `${project.folder}/seen`;
    project.write(
      'upkeep.yaml',
      text.replace('api_key: { env: UPKEEP_API_KEY }', `api_key: { command: [sh, -c, "env > ${seen}; echo $KEEP"] }`),
    );
    const { KEEP } = { KEEP: 'CanaryKey/For+Tests=8mJq2Xv7RkT4wZc9LbN5dH' };
    const { stdout, code } = await project.runWith(
      { env: { HOOK: `https://hooks.example/${path}`, HOOK_KEY: key, KEEP } },
      'plan',
      '--format',
      'json',
    );
    expect(code).toBe(0);
    expect(stdout).toContain('[hidden]');
    for (const secret of ['x9Y8Z7W6V5U4T3S2', key]) expect(stdout).not.toContain(secret);
    expect(project.read('seen')).toContain('KEEP=');
    expect(project.read('seen')).not.toMatch(/HOOK/);
  });

  test('with --trust-from the receivers are those of the trusted commit', async () => {
    const project = await createGitProject(ONE, { rules: NOTIFY, target: 'ownership: observe' });
    project.git('branch', 'trusted');
    project.write('upkeep.yaml', project.read('upkeep.yaml').replace('env: HOOK }', 'env: STRANGER }'));
    const [own, stranger] = [await startReceiver(), await startReceiver()];
    const env = { ...project.env, HOOK: own.url, STRANGER: stranger.url };
    expect((await project.runWith({ env }, 'plan', '--trust-from', 'refs/heads/trusted')).code).toBe(0);
    expect([own.received.length, stranger.received.length]).toEqual([1, 0]);
  });
});

describe('a mistake in `notify`', () => {
  const secret = 'https://hooks.example/services/T0ABCDEF4711';

  test.each([
    ['an address', `notify: [{ url: "${secret}", on: [failed] }]`, 'literal-credential', '`url` must name an environment variable'],
    [
      'an address as a variable',
      `notify: [{ url: { env: "${secret}" }, on: [failed] }]`,
      'literal-credential',
      '`url` must name an environment variable',
    ],
    [
      'a key',
      `notify: [{ url: { env: A }, on: [failed], secret: "${secret}" }]`,
      'literal-credential',
      '`secret` must name an environment variable',
    ],
    ['an address in place of the list', `notify: "${secret}"`, 'wrong-type', '`notify` must be a list of receivers'],
    ['an address in place of an entry', `notify: ["${secret}"]`, 'wrong-type', '`notify` must be a list of receivers'],
    ['an unknown event', 'notify: [{ url: { env: A }, on: [fialed] }]', 'invalid-value', 'fialed'],
    ['no event', 'notify: [{ url: { env: A }, on: [] }]', 'out-of-range', 'at least 1'],
    ['an unknown key', `notify: [{ slack: "${secret}", url: { env: A }, on: [failed] }]`, 'unknown-key', 'slack'],
  ])('%s is a finding with its line, and no value that may be a secret', async (_name, rules, code, summary) => {
    const project = await createTestProject({ ...ONE, 'config/b.yaml': NONE.split('\n')[1] ?? '' }, { rules });
    const { document, stdout, code: exit } = await project.refused('validate');
    expect(exit).toBe(8);
    expect(document.findings).toMatchObject([{ code, file: 'upkeep.yaml', line: 2, summary: expect.stringContaining(summary) }]);
    expect(stdout).not.toContain('T0ABCDEF4711');
    expect((await project.run('validate')).stderr).not.toContain('T0ABCDEF4711');
  });
});
