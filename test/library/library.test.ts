/** The functions that a program imports: the same documents as the command line prints, and nothing else happens to the process. */
import { getEventListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  apply,
  doctor,
  drift,
  exportAccount,
  type FetchAnswer,
  type FetchInit,
  history,
  plan,
  UpkeepError,
  validate,
} from '../../src/library/index.ts';
import { duringFirstRequest, interruptProject, LOCK } from '../e2e/interrupt-project.ts';
import { createGitProject } from '../support/git-project.ts';
import { API_KEY, createTestProject, OWNER, temporaryFolder } from '../support/harness.ts';
import { stateHomeOf } from '../support/local-files.ts';

const OTHER_KEY = 'zQ7wP2sLd9-yH4uJ6kM1nB8vC3xF5gT0r';
const STATUSES = { 'config/a.yaml': 'vmp_reject_statuses: [PLATFORM_TAMPERED]\n' };

/** The credentials of the test account; records go where the clean-up finds them. */
function envOf(folder: string, apiKey = API_KEY) {
  return { UPKEEP_OWNER: OWNER, UPKEEP_API_KEY: apiKey, XDG_STATE_HOME: stateHomeOf(folder) };
}

/** Returns the error that a promise is rejected with. */
async function errorOf(promise: Promise<unknown>): Promise<UpkeepError> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof UpkeepError) return error;
  throw new Error(`not an UpkeepError: ${String(error)}`);
}

describe('each function', () => {
  test('runs in the folder and with the environment that the process has when it is called', async () => {
    const projects = await Promise.all([createTestProject(STATUSES), createTestProject(STATUSES)]);
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    onTestFinished(() => void vi.unstubAllEnvs());
    const runs = projects.map(({ folder }) => {
      process.chdir(folder);
      for (const [name, value] of Object.entries(envOf(folder))) vi.stubEnv(name, value);
      return plan();
    });
    process.chdir(before);
    vi.unstubAllEnvs();
    for (const { exit, documents } of await Promise.all(runs)) expect([exit, documents.length]).toEqual(['changes', 1]);
    expect(projects.map(({ emulator }) => emulator.requests().length > 0)).toEqual([true, true]);
  });

  test('gives the documents that the command line prints, with the name of its exit code', async () => {
    const project = await createTestProject(STATUSES);
    const options = { project: project.folder, env: envOf(project.folder) };

    const checked = await validate(options);
    expect(checked).toEqual({ exit: 'done', code: 0, documents: [await project.json('validate')] });

    const { exit, documents } = await plan(options);
    expect(exit).toBe('changes');
    const { run: _run, decision, ...planned } = documents[0] ?? {};
    const { run: _printedRun, decision: printedDecision, ...printed } = (await project.plan('--project', project.folder)).document;
    expect(planned).toEqual(printed);
    expect({ ...decision, at: '' }).toEqual({ ...printedDecision, at: '' });

    const applied = await apply({ ...options, plans: documents });
    expect(applied).toMatchObject({ exit: 'done', code: 0, documents: [{ target: 'live', summary: { updated: 1, failed: 0 } }] });
    expect(project.live('vmp-reject-statuses')).toEqual(['PLATFORM_TAMPERED']);

    expect(await plan(options)).toMatchObject({ exit: 'done', documents: [{ changes: [] }] });
    expect(await drift(options)).toMatchObject({ exit: 'done', documents: [{ changes: [] }] });
    project.emulator.edit({
      emulation: 'vmp-reject-statuses',
      collection: 'settings',
      id: 'current',
      document: { vmp_reject_statuses: [] },
    });
    expect(await drift(options)).toMatchObject({ exit: 'drift', code: 3, documents: [{ changes: [{ address: 'vmp-reject-statuses' }] }] });
  });

  test('takes a plan with findings about lines of the configuration', async () => {
    const playlists = (repeat: number) =>
      `playlists: { one: { desc: one, repeat: ${repeat}, playlist: [{ beam: { id: ${'a'.repeat(32)} } }] } }\n`;
    const project = await createTestProject({ 'config/a.yaml': playlists(1) });
    await project.run('apply', '--yes');
    project.write('config/a.yaml', playlists(2));
    const options = { project: project.folder, env: envOf(project.folder) };
    const { documents } = await plan(options);
    expect(documents[0]?.findings.map(({ code }) => code)).toContain('scheduled-entries');
    expect(await apply({ ...options, plans: documents })).toMatchObject({ exit: 'done', documents: [{ summary: { updated: 1 } }] });
  });

  test('tells invalid configuration by findings, as `validate` does', async () => {
    const project = await createTestProject({ 'config/a.yaml': 'vmp_reject_statuses: 7\n' });
    const { exit, code, documents } = await validate({ project: project.folder });
    expect({ exit, code }).toEqual({ exit: 'invalid', code: 8 });
    expect(documents).toMatchObject([{ valid: false, findings: [{ file: 'config/a.yaml', line: 1, severity: 'error' }] }]);
  });
});

test('a plan takes the settings from the commit that it is told to trust', async () => {
  const project = await createGitProject(STATUSES);
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace(project.emulator.url, 'https://elsewhere.example'));
  const options = {
    project: project.folder,
    env: { ...project.env, ...envOf(project.folder) },
    trustFrom: project.git('rev-parse', 'HEAD'),
  };
  expect(await plan(options)).toMatchObject({ exit: 'changes', documents: [{ changes: [{ address: 'vmp-reject-statuses' }] }] });
  expect(await validate(options)).toMatchObject({ exit: 'done' });
});

test('an export gives the files and writes none', async () => {
  const project = await createTestProject(STATUSES);
  await project.apply('--yes');
  const { exit, files, documents } = await exportAccount({ project: project.folder, env: envOf(project.folder) });
  expect(exit).toBe('done');
  expect(files.map(({ text }) => text).join('\n')).toContain('PLATFORM_TAMPERED');
  expect(documents).toMatchObject([{ target: 'live', folder: null, files: files.map(({ name }) => name) }]);
});

test('the history lists the applies, by whose IDs a program goes back, and doctor gives its checks', async () => {
  const project = await createGitProject(STATUSES);
  const options = { project: project.folder, env: { ...project.env, ...envOf(project.folder) } };
  await apply({ ...options, yes: true });
  project.write('config/a.yaml', 'vmp_reject_statuses: []\n');
  project.commit();
  await apply({ ...options, yes: true, allow: ['weakening', 'playback-loss'] });
  const { exit, documents } = await history(options);
  expect([exit, documents]).toEqual(['done', [await project.json('history')]]);
  const before = documents[0]?.entries[1]?.id;
  const back = await plan({ ...options, ref: before, allow: ['rollback', 'playback-loss'] });
  expect(back.documents[0]?.changes).toMatchObject([{ address: 'vmp-reject-statuses', blocked: null }]);
  await apply({ ...options, ref: before, allow: ['rollback', 'playback-loss'], plans: back.documents });
  expect(project.live('vmp-reject-statuses')).toEqual(['PLATFORM_TAMPERED']);
  const examined = await doctor(options);
  expect(examined.documents).toMatchObject([{ target: 'live', healthy: examined.exit === 'done' }]);
  expect(examined.documents[0]?.checks.find(({ check }) => check === 'ledger')).toMatchObject({ state: 'ok' });
});

describe('an error', () => {
  test('says what was being done, to what, and what to do now', async () => {
    const project = await createTestProject(STATUSES);
    const error = await errorOf(plan({ project: project.folder, env: { ...envOf(project.folder), UPKEEP_API_KEY: undefined } }));
    expect(error).toMatchObject({
      name: 'UpkeepError',
      operation: 'plan',
      target: 'live',
      exit: 'invalid',
      code: 'credentials',
      hint: 'set it, or change targets.live.credentials.api_key in upkeep.yaml',
    });
    expect(error.message).toBe('plan of live: credential api_key of target live: the environment variable UPKEEP_API_KEY is not set');
    expect(error.failures).toHaveLength(1);
  });

  test('of a project that is missing names no target', async () => {
    const error = await errorOf(validate({ project: temporaryFolder() }));
    expect(error).toMatchObject({ operation: 'validate', target: null, exit: 'invalid', code: 'no-project' });
  });

  test('of an apply that nobody approved says so, and nothing is written', async () => {
    const project = await createTestProject(STATUSES);
    const error = await errorOf(apply({ project: project.folder, env: envOf(project.folder) }));
    expect(error).toMatchObject({ operation: 'apply', target: 'live', exit: 'blocked', code: 'not-confirmed' });
    expect(project.writes()).toEqual([]);
  });

  test('of an apply tells a saved plan that has become stale', async () => {
    const project = await createTestProject(STATUSES);
    const options = { project: project.folder, env: envOf(project.folder) };
    const { documents } = await plan(options);
    project.write('config/a.yaml', 'vmp_reject_statuses: []\n');
    expect(await errorOf(apply({ ...options, plans: documents }))).toMatchObject({ exit: 'stale', code: 'stale-plan' });
  });

  test('of a value that is no plan names it as such', async () => {
    const project = await createTestProject(STATUSES);
    const plans = JSON.parse('[{ "target": "live" }]');
    const error = await errorOf(apply({ project: project.folder, env: envOf(project.folder), plans }));
    expect(error).toMatchObject({ exit: 'invalid', code: 'saved-document' });
  });

  test('of an unknown override names those that exist', async () => {
    const allow = JSON.parse('["everything"]');
    expect(await errorOf(plan({ project: temporaryFolder(), allow }))).toMatchObject({ exit: 'invalid', code: 'usage' });
  });

  test('of one target of several carries the documents of the others', async () => {
    const project = await createTestProject(STATUSES);
    const text = project.read('upkeep.yaml');
    const [, live = ''] = text.split('targets:\n');
    project.write('upkeep.yaml', text + live.replace('live:', 'other:').replace('UPKEEP_API_KEY', 'NO_SUCH_KEY'));
    const error = await errorOf(plan({ project: project.folder, env: envOf(project.folder), targets: ['*'] }));
    expect(error.failures.map(({ target }) => target)).toEqual(['other']);
    expect(error.documents).toMatchObject([{ target: 'live' }]);
  });
});

describe('in one process', () => {
  test('two plans at the same time with different credentials do not see the secrets of each other', async () => {
    const texts = (own: string, other: string) => ({
      'config/a.yaml': `playlists:\n  one:\n    desc: "${own} and ${other}"\n    playlist: [{ beam: 10c5467d77c54dc4b739db2cd832143a }]\n`,
    });
    const [first, second] = await Promise.all([
      createTestProject(texts(API_KEY, OTHER_KEY)),
      createTestProject(texts(OTHER_KEY, API_KEY), { accounts: [{ owner: OWNER, apiKey: OTHER_KEY }] }),
    ]);
    const [one, two] = await Promise.all([
      plan({ project: first.folder, env: envOf(first.folder) }),
      plan({ project: second.folder, env: envOf(second.folder, OTHER_KEY) }),
    ]);
    const [firstText, secondText] = [JSON.stringify(one), JSON.stringify(two)];
    expect(firstText).not.toContain(API_KEY);
    expect(firstText).toContain(OTHER_KEY);
    expect(secondText).not.toContain(OTHER_KEY);
    expect(secondText).toContain(API_KEY);
  });

  test('nothing is printed, no handler is added and the folder stays, whether it succeeds or fails', async () => {
    const project = await createTestProject(STATUSES);
    const printed: unknown[] = [];
    for (const stream of [process.stdout, process.stderr]) {
      const spy = vi.spyOn(stream, 'write').mockImplementation((text) => printed.push(text) > 0);
      onTestFinished(() => spy.mockRestore());
    }
    const stateOf = () => ({
      cwd: process.cwd(),
      exit: process.exitCode,
      handlers: process.eventNames().map((name) => [name, process.listenerCount(name)]),
    });
    const before = stateOf();
    const options = { project: project.folder, env: envOf(project.folder) };
    await apply({ ...options, yes: true });
    await drift(options);
    expect(await plan({ ...options, env: envOf(project.folder, OTHER_KEY) })).toMatchObject({ exit: 'credentials' });
    await errorOf(plan({ ...options, targets: ['nobody'] }));
    expect(printed).toEqual([]);
    expect(stateOf()).toEqual(before);
  });
});

describe('a logger', () => {
  test('gets each request and each message, without secrets', async () => {
    const project = await createTestProject(STATUSES);
    const entries: (readonly [level: string, text: string])[] = [];
    const logger = { log: (level: string, text: string) => void entries.push([level, text]) };
    await plan({ project: project.folder, env: envOf(project.folder), logger, logLevel: 'debug' });
    expect(entries.some(([level, text]) => level === 'debug' && text.includes('method=GET'))).toBe(true);
    expect(JSON.stringify(entries)).not.toContain(API_KEY);
    expect(JSON.stringify(entries)).not.toContain(OWNER);
  });
});

describe('a logger that throws', () => {
  test('does not end an apply half way: what it threw is thrown when everything is recorded', async () => {
    const project = await createGitProject(STATUSES);
    const broken = new Error('the log is full');
    const logger = {
      log() {
        throw broken;
      },
    };
    const options = { project: project.folder, env: { ...project.env, ...envOf(project.folder) }, logger, logLevel: 'debug' } as const;
    await expect(apply({ ...options, yes: true })).rejects.toBe(broken);
    expect(project.live('vmp-reject-statuses')).toEqual(['PLATFORM_TAMPERED']);
    expect(project.entries()).toHaveLength(1);
    expect(Object.keys(project.refs())).not.toContain(LOCK);
  });
});

describe('a signal', () => {
  test('of the caller keeps no listener of a run', async () => {
    const project = await createTestProject(STATUSES);
    const { signal } = new AbortController();
    await apply({ project: project.folder, env: envOf(project.folder), yes: true, signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('that is aborted before ends the function with the exit code `interrupted`, and no request is sent', async () => {
    const project = await createTestProject(STATUSES);
    const error = await errorOf(plan({ project: project.folder, env: envOf(project.folder), signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ exit: 'interrupted', code: 'interrupted' });
    expect(project.emulator.requests()).toEqual([]);
  });

  test('that is aborted during an apply lets the request in flight finish, records what was done and releases the lock', async () => {
    const { project, proxy } = await interruptProject();
    const stop = new AbortController();
    const { exit, documents } = await duringFirstRequest(
      proxy,
      'POST',
      apply({ project: project.folder, env: { ...project.env, ...envOf(project.folder) }, yes: true, signal: stop.signal }),
      async () => stop.abort(),
    );
    expect(exit).toBe('interrupted');
    expect(documents).toMatchObject([{ summary: { created: 1 } }]);
    expect(project.playlists()).toHaveLength(1);
    expect(project.entries()).toHaveLength(1);
    expect(Object.keys(project.refs())).not.toContain(LOCK);
  });
});

describe('a transport', () => {
  test('of the caller gets every request, signed, and no other connection is opened', async () => {
    const project = await createTestProject(STATUSES);
    const target = project.emulator.url;
    project.write('upkeep.yaml', project.read('upkeep.yaml').replace(target, 'https://service.example'));
    const addresses: string[] = [];
    const toEmulator = async (url: string, init: FetchInit): Promise<FetchAnswer> => {
      addresses.push(`${init.method} ${url}`);
      return globalThis.fetch(url.replace('https://service.example', target), init);
    };
    const { exit } = await apply({ project: project.folder, env: envOf(project.folder), yes: true, fetch: toEmulator });
    expect(exit).toBe('done');
    expect(addresses.length).toBeGreaterThan(1);
    expect(addresses.filter((address) => !/^(GET|POST|PATCH|DELETE) https:\/\/service\.example\//.test(address))).toEqual([]);
    expect(project.live('vmp-reject-statuses')).toEqual(['PLATFORM_TAMPERED']);
  });

  test('that throws is told like a network that cannot be reached', async () => {
    const project = await createTestProject(STATUSES);
    const fetch = async (): Promise<FetchAnswer> => {
      throw new Error('the test has no network');
    };
    const { exit, documents } = await plan({ project: project.folder, env: envOf(project.folder), fetch });
    expect(exit).toBe('incomplete');
    expect(documents[0]?.unread).toHaveLength(1);
  });
});

test('the functions of the library and the commands are the same code: the library holds none of its own for a target', () => {
  const text = readFileSync(join(import.meta.dirname, '../../src/library/functions.ts'), 'utf8');
  for (const folder of ['plan', 'apply', 'drift', 'export', 'config', 'ledger', 'api-client']) {
    expect(text).not.toContain(`from '../${folder}/`);
  }
});
