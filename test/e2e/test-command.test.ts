/** `upkeep test`: cases of a configuration and its guards, planned without an account. */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import type { TestReport } from '../../src/report/documents/tests.ts';
import { asTests } from '../support/documents.ts';
import { createTestProject, type ProjectFolder, projectIn, type TestProject, temporaryFolder } from '../support/harness.ts';
import { asset } from './accounts.ts';

const entries = `[{ beam: ${asset(1)} }, { beam: ${asset(2)} }]`;
const GUARD = 'guards: [{ id: keep, deny: change.action == "delete", message: Deletes nothing. }]\n';

const projectWith = (tests: string, more: { readonly [name: string]: string } = {}, rules = GUARD): Promise<TestProject> =>
  createTestProject({ 'config/a.yaml': `playlists: { one: { playlist: ${entries} } }\n`, 'a.test.yaml': tests, ...more }, { rules });

const results = async (project: ProjectFolder, ...argv: string[]): Promise<TestReport> => asTests(await project.json('test', ...argv));

test('compares verdict, changes, blocks and findings of a plan between two inline sources, and asks no service', async () => {
  const project = await projectWith(`cases:
  - name: a delete is denied
    base:
      playlists:
        one: { playlist: ${entries} }
        # a comment on a line of its own
    head: { playlists: {} }
    expect:
      verdict: "Blocked: *"
      changes: { playlist/one: { action: delete, effect: neutral, playback: stops } }
      blocked: { playlist/one: [playback-loss, guard/keep] }
      findings: { ad-first: 0 }
`);
  expect((await project.runWith({ env: { UPKEEP_OWNER: undefined, UPKEEP_API_KEY: undefined } }, 'test')).stdout).toContain(
    '1 test passed.',
  );
  expect(await results(project)).toMatchObject({
    passed: 1,
    failed: 0,
    cases: [{ file: 'a.test.yaml', line: 2, result: 'passed', target: 'live' }],
  });
  expect(project.emulator.requests()).toEqual([]);
});

test('shows what was expected and what the plan says of a case that fails, in every format, and exits with 1', async () => {
  const project = await projectWith(`cases:
  - name: nothing is created
    head: { playlists: { two: { playlist: ${entries} } } }
    expect: { verdict: "Nothing *", changes: { playlist/two: none, playlist/one: { action: create } }, blocked: { playlist/two: [deletes] }, findings: { guard: 1 } }
`);
  const { code, stdout } = await project.run('test');
  expect([code, stdout.endsWith('1 of 1 test failed.\n')]).toEqual([1, true]);
  expect(stdout).toMatch(
    /failed a\.test\.yaml:2\n +nothing is created\n[\s\S]*- {2}"verdict": "Nothing \*",\n +\+ {2}"verdict": "Ready to apply: 1 change/,
  );
  const [failed] = (await results(project)).cases;
  expect(failed?.reasons).toEqual([
    expect.stringMatching(/^verdict: expected "Nothing \*", and it is "Ready to apply/),
    'changes of playlist/two: expected "none", and it is {"action":"create","effect":"neutral","playback":"gains"}',
    'changes of playlist/one: expected {"action":"create"}, and it is "none"',
    'blocked of playlist/two: expected ["deletes"], and it is []',
    'findings of guard: expected 1, and it is 0',
  ]);
  expect((await project.run('test', '--format', 'junit')).stdout).toContain(
    '<testcase classname="upkeep.a.test.yaml" name="nothing is created"',
  );
  expect((await project.run('test', '--format', 'github')).stdout).toMatch(
    /^::error file=a\.test\.yaml,line=2,col=1,title=upkeep%3A test-failed::nothing is created: verdict/,
  );
});

test('gives guards the run of the case', async () => {
  const guard = `guards: [{ id: only-main, when: run.command == "apply", deny: 'run.branch != "main" || run.actor != "ada" || run.ci != "gitlab" || run.pull_request != "7"', message: m }]\n`;
  const head = `head: { playlists: { two: { playlist: ${entries} } } }`;
  const project = await projectWith(
    `cases:
  - { name: denied, ${head}, run: { command: apply }, expect: { blocked: { playlist/two: [guard/only-main] } } }
  - { name: free, ${head}, run: { command: apply, branch: main, actor: ada, ci: gitlab, pull_request: "7" }, expect: { blocked: { playlist/two: [] } } }
  - { name: planned, ${head}, expect: { blocked: { playlist/two: [] } } }
`,
    {},
    guard,
  );
  expect(await results(project)).toMatchObject({ passed: 3, failed: 0 });
});

test('takes files and folders beside the file of tests, and the errors of a source name the place in it', async () => {
  const project = await projectWith('cases: [{ name: a, head: config, expect: { changes: { playlist/one: { action: create } } } }]\n', {
    'more/b.test.yaml': `cases:
  - name: a folder and a file
    base: [../config, two.yaml]
    head: two.yaml
    expect: { changes: { playlist/one: { action: delete }, playlist/two: none } }
  - name: an error
    head:
      playlists:
        two:
          desk: x
          playlist: ${entries}
    expect: { verdict: "Ready *" }
`,
    'more/two.yaml': `playlists: { two: { playlist: ${entries} } }\n`,
  });
  const { cases } = await results(project);
  expect(cases.map(({ file, line, result }) => [file, line, result])).toEqual([
    ['a.test.yaml', 1, 'passed'],
    ['more/b.test.yaml', 2, 'passed'],
    ['more/b.test.yaml', 6, 'failed'],
  ]);
  expect(cases[2]?.errors).toEqual([
    'the configuration is not valid, and the case does not expect that',
    'more/b.test.yaml:10: unknown-key: unknown key `desk` in `two`',
  ]);
  expect((await results(project, 'more/b.test.yaml')).cases).toHaveLength(2);
});

test('a case that says nothing fails: a name that nothing has, a configuration that is not valid, and a guard that cannot be evaluated', async () => {
  const brk = 'guards: [{ id: brk, deny: \'change.fields[99].path == "x"\', message: m }]\n';
  const head = `head: { playlists: { two: { playlist: ${entries} } } }`;
  const project = await projectWith(
    `cases:
  - { name: address, ${head}, expect: { changes: { playlist/tow: none } } }
  - { name: code, ${head}, expect: { findings: { guardd: 0 } } }
  - { name: not valid, head: missing.yaml, expect: { changes: { playlist/two: none }, findings: { guard: 0 } } }
  - { name: guard, ${head}, expect: { blocked: { playlist/two: [guard/brk] } } }
  - { name: expected, head: missing.yaml, expect: { verdict: Not valid } }
`,
    {},
    brk,
  );
  expect((await results(project)).cases.map(({ result, errors, reasons }) => [result, errors?.[0] ?? reasons?.[0]])).toEqual([
    ['failed', 'neither side declares playlist/tow'],
    ['failed', 'no finding has the code guardd'],
    ['failed', 'the configuration is not valid, and the case does not expect that'],
    ['failed', 'blocked of playlist/two: expected ["guard/brk"], and it is ["guard/brk (failed)"]'],
    ['passed', undefined],
  ]);
});

test('a source in a case is read whole, however it is written, and a link that leads nowhere is passed over', async () => {
  const two = `playlists: { two: { playlist: ${entries} } }`;
  const expected = 'expect: { changes: { playlist/two: { action: create } } }';
  const project = await projectWith(`cases:
  - name: in brackets on the next line
    head:
      { ${two} }
    ${expected}
  - name: many comments within
    head:
      vmp_reject_statuses: []
${'      # a comment\n'.repeat(1_200)}      ${two}
    ${expected}
  - name: an explicit key
    ? head
    : ${two}
    ${expected}
`);
  symlinkSync('/nowhere', join(project.folder, 'gone'));
  symlinkSync('/etc', join(project.folder, 'outside'));
  expect(await results(project)).toMatchObject({ passed: 3, failed: 0 });
});

test('a file of tests is never a source', async () => {
  const project = await projectWith('cases: [{ name: a, head: {}, expect: { findings: {} } }]\n', {
    'config/b.test.yaml': `playlists: { two: { playlist: ${entries} } }\n`,
  });
  expect((await project.run('validate')).stdout).toContain('Declared: 1 playlist.');
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace('[config]', '[config/a.yaml, config/b.test.yaml]'));
  const { code, stdout } = await project.run('validate');
  expect([code, stdout.replace(/\s+/g, ' ')]).toEqual([
    8,
    expect.stringContaining('a file with this ending holds tests, and is no source'),
  ]);
});

test.each([
  ['no file of tests', undefined, 'no-tests'],
  ['a syntax error', 'cases: [\n', 'invalid-configuration'],
  ['an unknown key', 'cases: [{ name: a, heads: {}, expect: { verdict: a } }]\n', 'invalid-configuration'],
  ['no expectation', 'cases: [{ name: a, head: {}, expect: {} }]\n', 'invalid-configuration'],
  ['an unknown target', 'target: other\ncases: [{ name: a, head: {}, expect: { verdict: a } }]\n', 'unknown-target'],
])('refuses %s with exit code 8', async (_what, text, code) => {
  const project = await createTestProject({ 'config/a.yaml': 'playlists: {}\n', ...(text === undefined ? {} : { 'a.test.yaml': text }) });
  expect(await project.refused('test')).toMatchObject({ code: 8, document: { error: { code } } });
});

describe('the guards of the examples', () => {
  const settings: { readonly guards: readonly { readonly id: string }[] } = parse(readFileSync('examples/guards/upkeep.yaml', 'utf8'));

  function exampleWithout(id: string | null): ProjectFolder {
    const folder = temporaryFolder();
    cpSync('examples/guards', folder, { recursive: true });
    const guards = settings.guards.filter((each) => each.id !== id);
    writeFileSync(join(folder, 'upkeep.yaml'), stringify({ ...settings, guards }));
    return projectIn(folder);
  }

  test('pass their tests', async () => {
    expect(await results(exampleWithout(null))).toMatchObject({ failed: 0 });
  });

  test.each(settings.guards)('have a test that fails without $id', async ({ id }) => {
    expect((await results(exampleWithout(id))).failed).toBeGreaterThan(0);
  });
});
