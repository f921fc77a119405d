/**
 * Several targets in one run: one report in the order of upkeep.yaml, whatever becomes of each (design section 7; design section 4, rule
 * 7).
 */
import { describe, expect, test } from 'vitest';
import { asFailure, asOutcome, asPlan, documentsOf } from '../../support/documents.ts';
import { createGitProject } from '../../support/git-project.ts';
import { createTestProject, type TestProject } from '../../support/harness.ts';
import { startProxy } from '../../support/proxy.ts';
import { beams, config, declare, manyPlaylists } from '../accounts.ts';
import { accountsOf, firstTenants, type Tenant, targetOf, writeTargets } from './accounts.ts';

const DESIRED = config({ playlists: manyPlaylists(2) });

interface Project {
  readonly project: TestProject;
  readonly tenants: readonly Tenant[];
  readonly env: { readonly [name: string]: string };
  run(...argv: readonly string[]): ReturnType<TestProject['run']>;
}

/** A project of so many targets; their accounts lack one of two playlists. */
async function projectOf(count: number, more = ''): Promise<Project> {
  const tenants = firstTenants(count);
  const project = await createTestProject(DESIRED, accountsOf(tenants, 1));
  const env = writeTargets(project, tenants, more);
  return { project, tenants, env, run: (...argv) => project.runWith({ env }, ...argv) };
}

const targetsOf = (documents: readonly unknown[]) => documents.map((document) => Object(document).target);

test('an entry of NO_PROXY that can never match is one warning, however many targets there are', async () => {
  const { project, env } = await projectOf(3);
  const proxied = { ...env, HTTPS_PROXY: 'http://proxy.corp:3128', NO_PROXY: 'localhost,10.0.0.0/8' };
  const { code, stderr } = await project.runWith({ env: proxied }, 'plan', '-t', '*');
  expect([code, stderr.split('NO_PROXY has entries that match no host: 10.0.0.0/8').length - 1]).toEqual([0, 1]);
});

test('plan, apply and drift run for all targets, each on its own account, and print one list', async () => {
  const { tenants, run, project } = await projectOf(5);
  const planned = await run('plan', '-t', '*', '--detailed-exitcode', '--format', 'json');
  const plans = documentsOf('plan', planned.stdout).map(asPlan);
  expect([planned.code, targetsOf(plans)]).toEqual([2, tenants.map(({ name }) => name)]);
  // Every third account repeats its playlist as declared.
  expect(plans.map(({ summary }) => [summary.create, summary.update])).toEqual([
    [1, 0],
    [1, 1],
    [1, 1],
    [1, 0],
    [1, 1],
  ]);
  const applied = await run('apply', '-t', '*', '--yes', '--format', 'json');
  expect(documentsOf('apply', applied.stdout).map((document) => asOutcome(document).verified)).toEqual(tenants.map(() => true));
  const drifted = await run('drift', '-t', '*', '--format', 'json');
  expect([applied.code, drifted.code]).toEqual([0, 0]);
  const writers = project.emulator.requests().filter(({ method }) => method !== 'GET');
  expect(new Set(writers.map(({ owner }) => owner))).toEqual(new Set(tenants.map(({ owner }) => owner)));
});

test('text ends with one table of all targets, in the order of upkeep.yaml', async () => {
  const { tenants, run } = await projectOf(3);
  const rowsOf = (stdout: string) => stdout.slice(stdout.lastIndexOf('\n3 targets\n')).match(/^ {2}tenant-.*$/gm);
  const planned = rowsOf((await run('plan', '-t', '*')).stdout);
  expect(planned).toEqual(tenants.map(({ name }) => expect.stringMatching(new RegExp(`^  ${name} +changes +1 +[01] .* 0$`))));
  const applied = rowsOf((await run('apply', '-t', '*', '--yes')).stdout);
  expect(applied).toEqual(tenants.map(({ name }) => expect.stringMatching(new RegExp(`^  ${name} +applied +1 +[01] .* 0$`))));
  expect((await run('plan', '-t', tenants[0]?.name ?? '')).stdout).not.toContain('target\n');
});

test('a target that waits delays no other, and keeps its place in the report', async () => {
  const { project, tenants, env } = await projectOf(3);
  const [first, ...others] = tenants;
  if (!first) throw new Error('no tenant');
  const [slow, last] = [await startProxy(), await startProxy()];
  slow.target = project.emulator.url;
  last.target = project.emulator.url;
  const reached = new Promise<void>((resolve) => {
    last.watch = (_nth, boundary) => void (boundary === 'after' && resolve());
  });
  slow.watch = () => reached;
  const urls = [slow.url, project.emulator.url, last.url];
  project.write(
    'upkeep.yaml',
    `version: 1\ntargets:\n${[first, ...others].map((one, index) => targetOf(urls[index] ?? '', one)).join('')}`,
  );
  const { code, stdout } = await project.runWith({ env }, 'plan', '-t', '*');
  expect(code).toBe(0);
  expect(stdout.match(/Plan for tenant-\d+/g)).toEqual(tenants.map(({ name }) => `Plan for ${name}`));
  await Promise.all([slow.close(), last.close()]);
});

describe('a target that fails does not stop the others', () => {
  test.each([['plan'], ['drift'], ['apply', '--yes']])('with %s: no credential, unreachable, rejected', async (...argv) => {
    const { project, tenants, env } = await projectOf(4);
    const [, second, third] = tenants;
    if (!second || !third) throw new Error('no tenants');
    project.write(
      'upkeep.yaml',
      project.read('upkeep.yaml').replace(targetOf(project.emulator.url, third), targetOf('http://127.0.0.1:9', third)),
    );
    const without = { ...env, OWNER_TENANT_002: undefined, KEY_TENANT_004: 'AnotherKey/ThatIsRefused=1234567890' };
    const { code, stdout, stderr } = await project.runWith({ env: without }, ...argv, '-t', '*', '--format', 'json');
    const documents = documentsOf(argv[0] ?? '', stdout);
    expect([code, targetsOf(documents)]).toEqual([8, tenants.map(({ name }) => name)]);
    expect(asFailure(documents[1]).error).toMatchObject({ exit: 8, code: 'credentials' });
    expect(documents[0]).not.toHaveProperty('error');
    if (argv[0] === 'apply') expect([documents[2], documents[3]]).toMatchObject([{ error: { exit: 10 } }, { error: { exit: 7 } }]);
    expect(stderr).toMatch(/^tenant-003: error: /m);
  });

  test('with errors in its own sources', async () => {
    const { project, env } = await projectOf(3);
    project.write('upkeep.yaml', project.read('upkeep.yaml').replace(/(tenant-002:[\s\S]*?)sources: \[config\]/, '$1sources: [wrong]'));
    project.write('wrong/account.yaml', 'playlists: { a: { playlist: [] } }\n');
    const { code, stdout } = await project.runWith({ env }, 'plan', '-t', '*', '--format', 'json');
    const [first, second, third] = documentsOf('plan', stdout);
    expect(code).toBe(8);
    expect([asPlan(first).target, asPlan(third).target]).toEqual(['tenant-001', 'tenant-003']);
    expect(asFailure(second)).toMatchObject({
      error: { code: 'invalid-configuration' },
      findings: [{ file: 'wrong/account.yaml', line: 1 }],
    });
  });
});

describe('the report of several targets', () => {
  test('is the same list in every format, with plain messages as text', async () => {
    const { project, env, tenants } = await projectOf(2);
    project.write('config/more.yaml', 'vmp_reject_statuses: [PLATFORM_NEW]\n');
    const out = ['markdown', 'html', 'json'].flatMap((format) => ['--out', `${format}=report.${format}`]);
    const { stdout } = await project.runWith({ env }, 'plan', '-t', '*', '--requests', '--undeclared', ...out);
    for (const text of [stdout, project.read('report.html'), project.read('report.markdown')]) {
      for (const { name } of tenants) expect(text).toContain(name);
    }
    // The line of the source is no part of JSON, but of text.
    expect(stdout).toContain('vmp_reject_statuses: [PLATFORM_NEW]');
    expect(stdout.match(/POST \/api\/v4\/linear-playlist/g)).toHaveLength(2);
  });

  test('saved as JSON is applied as a whole, each target by its own plan', async () => {
    const { project, env, run, tenants } = await projectOf(3);
    expect((await run('plan', '-t', '*', '--out', 'json=plan.json')).code).toBe(0);
    declare(project, { playlists: manyPlaylists(3) });
    const { code, stdout, stderr } = await project.runWith({ env }, 'apply', '-t', '*', '--plan', 'plan.json', '--format', 'json');
    expect(code, stderr).toBe(0);
    expect(documentsOf('apply', stdout).map((document) => asOutcome(document).summary.created)).toEqual(tenants.map(() => 1));
    for (const { name } of tenants) expect(stderr).toContain(`${name}: note: not in the saved plan, and not applied: playlist/p3`);
  });

  test('does not overwrite files that the targets read', async () => {
    const { project, env } = await projectOf(2);
    project.write('config/account.yaml', 'smart_starts: { vod: { assets_file: assets.txt } }\n');
    project.write('config/assets.txt', `${'a'.repeat(32)}\n`);
    const { code, stderr } = await project.runWith({ env }, 'plan', '-t', '*', '--out', 'text=config/assets.txt');
    expect([code, stderr]).toEqual([1, expect.stringContaining('it is part of the configuration')]);
    expect(project.read('config/assets.txt')).toBe(`${'a'.repeat(32)}\n`);
  });

  test('shows no API key of any target in the output of another, and masks an owner in the output of its own target', async () => {
    const { project, env, tenants } = await projectOf(2);
    const [first, second] = tenants;
    if (!first || !second) throw new Error('no tenants');
    for (const { owner } of tenants) {
      project.emulator.edit({
        owner,
        emulation: 'playlist',
        collection: 'playlists',
        id: 'live1',
        merge: { desc: `p1 ${first.apiKey} ${second.apiKey} ${first.owner}` },
      });
    }
    const flags = ['--undeclared', '--log-level', 'trace', '--out', 'json=plan.json'];
    const { stdout, stderr } = await project.runWith({ env }, 'plan', '-t', '*', ...flags);
    for (const { apiKey } of tenants) for (const text of [stdout, stderr, project.read('plan.json')]) expect(text).not.toContain(apiKey);
    const [ofFirst = '', ofSecond = ''] = stdout.split('Plan for tenant-002');
    expect(ofFirst).toContain('p1 [hidden] [hidden] [hidden]');
    expect(ofSecond).toContain(`p1 [hidden] [hidden] ${first.owner}`);
  });

  test('shows no key that writes in the output of another target, which is applied before the one that needs the key', async () => {
    const tenants = firstTenants(2);
    const [own = '', other = ''] = firstTenants(4)
      .slice(2)
      .map(({ apiKey }) => apiKey);
    const readers = accountsOf(tenants, 0);
    const writers = [own, other].map((apiKey, index) => ({ owner: tenants[index]?.owner ?? '', apiKey }));
    const desired = config({ playlists: { one: { desc: `one ${own} ${other}`, playlist: beams(1, 2) } } });
    const project = await createTestProject(desired, { ...readers, accounts: [...readers.accounts, ...writers] });
    const env = { ...writeTargets(project, tenants), WRITING_KEY_TENANT_001: own, WRITING_KEY_TENANT_002: other };
    const [read, write] = [/credentials: (\{ owner: (.*), api_key: \{ env: (\w+) \} \})/g, '{ owner: $2, api_key: { env: WRITING_$3 } }'];
    project.write('upkeep.yaml', project.read('upkeep.yaml').replace(read, `credentials: { read: $1, write: ${write} }`));
    // On a terminal the second target begins only after the first one is done.
    const person = { env, terminal: true, stdin: 'yes\nyes\n' };
    const { code, stdout, stderr } = await project.runWith(person, 'apply', '-t', '*', '--no-color');
    expect(code, stderr).toBe(0);
    const plans = stdout.match(/desc: .*/g);
    expect(plans).toEqual(tenants.map(() => 'desc:     "one [hidden] [hidden]"'));
    for (const key of [own, other]) expect(stdout + stderr).not.toContain(key);
  });

  test('keeps log entries whole, each with its target', async () => {
    const { run, tenants } = await projectOf(2);
    const { stderr } = await run('plan', '-t', '*', '--log-level', 'debug', '--log-format', 'json');
    const entries = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    // The start and the end of the run belong to no single target.
    expect(new Set(entries.map(({ target }) => target))).toEqual(new Set([null, ...tenants.map(({ name }) => name)]));
    const requests = entries.filter(({ msg }) => msg === 'request');
    expect(requests.length).toBeGreaterThan(tenants.length);
    for (const entry of requests) expect(entry).toMatchObject({ status: 200, target: expect.any(String) });
  });
});

describe('--shard', () => {
  test('of no target says so, prints an empty list, and exits 0', async () => {
    const { run, project } = await projectOf(1);
    for (const command of [['plan'], ['drift'], ['apply', '--yes']]) {
      const { code, stdout, stderr } = await run(...command, '--shard', '1/4', '--format', 'json');
      expect([code, JSON.parse(stdout)]).toEqual([0, []]);
      expect(stderr).toBe('note: shard 1/4 has none of the 1 chosen targets: nothing to do\n');
    }
    expect(project.emulator.requests()).toEqual([]);
    expect((await run('plan', '--shard', '4/4')).code).toBe(0);
  });
});

test('in one clone the applies of several targets are recorded each in its own ledger, without conflicts', async () => {
  const tenants = firstTenants(6);
  const project = await createGitProject(DESIRED, accountsOf(tenants, 1));
  const env = writeTargets(project, tenants, 'ledger: git');
  project.commit();
  const { code, stderr } = await project.runWith({ env }, 'apply', '-t', '*', '--yes', '--format', 'json');
  expect(code, stderr).toBe(0);
  expect(Object.keys(project.refs())).toEqual(tenants.map(({ name }) => `refs/upkeep/${name}`));
  const again = await project.runWith({ env }, 'apply', '-t', '*', '--yes', '--format', 'json');
  expect(documentsOf('apply', again.stdout).map((document) => asOutcome(document).outcomes)).toEqual(tenants.map(() => []));
});
