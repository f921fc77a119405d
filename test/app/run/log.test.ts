import { describe, expect, test } from 'vitest';
import { openLog } from '../../../src/app/run/log.ts';
import type { NoiseOptions } from '../../../src/app/run/options.ts';
import { type EventName, type EventSink, RUN_EVENTS } from '../../../src/app/run/run-events.ts';
import { VERSION } from '../../../src/app/run/version.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../src/core/model/json.ts';
import { createGitProject } from '../../support/git-project.ts';
import { createTestProject } from '../../support/harness.ts';

/** Returns the lines of a log, and an event for it. */
async function logLines(
  options: Pick<NoiseOptions, 'logLevel' | 'logFormat'>,
  work: (sink: EventSink) => void,
): Promise<readonly string[]> {
  const lines: string[] = [];
  const open = await openLog('run-1', options);
  const sink = open?.({ stderr: { write: (text) => lines.push(text) } });
  if (sink) work(sink);
  return lines;
}

function event(name: EventName, members: JsonObject = {}) {
  return { name, at: 1_000, target: 'live', commit: 'abc', phase: 'plan', members } as const;
}

function entriesIn(stderr: string): readonly JsonObject[] {
  const values = stderr
    .trimEnd()
    .split('\n')
    .map((line): Json => JSON.parse(line));
  const entries = values.filter((value) => isJsonObject(value));
  for (const {
    level,
    time: _time,
    msg,
    runId: _run,
    version: _version,
    target: _target,
    commit: _commit,
    phase: _phase,
    ...own
  } of entries) {
    const { level: listed, members } = RUN_EVENTS[eventName(msg)];
    expect(level).toBe(listed);
    // The table of the documentation names every member that an entry has.
    expect(members).toEqual(expect.arrayContaining(Object.keys(own)));
  }
  return entries;
}

function eventName(value: Json | undefined): EventName {
  const name = Object.keys(RUN_EVENTS).find((each): each is EventName => each === value);
  if (name === undefined) throw new Error(`${String(value)} is not listed`);
  return name;
}

describe('the log as text', () => {
  const text = { logLevel: 'trace', logFormat: 'text' } as const;

  test('an entry is one line with the name of the level and its members', async () => {
    const lines = await logLines(text, (log) => {
      log.record(event('request', { method: 'GET', path: '/api/v4/x', status: 200, tookMs: 3 }));
      log.record(event('lock taken'));
    });
    expect(lines).toEqual(['debug: request method=GET path=/api/v4/x status=200 tookMs=3 phase=plan\n', 'info: lock taken phase=plan\n']);
  });

  test('the entry of the start names run, version and target, which the others do not repeat', async () => {
    const [line] = await logLines(text, (log) => log.record({ ...event('run started', { command: 'plan' }), phase: null, commit: null }));
    expect(line).toBe(`info: run started command=plan runId=run-1 version=${VERSION} target=live\n`);
  });

  test('a value with spaces is quoted, and hidden characters are escaped', async () => {
    const members = { what: 'a "b"', odd: '\u001b[31m', none: null, deep: { a: 1 } };
    const lines = await logLines(text, (log) => log.record(event('request failed', members)));
    expect(lines).toEqual(['info: request failed what="a \\"b\\"" odd="\\u001b[31m" none=null deep={"a":1} phase=plan\n']);
  });
});

test('an entry of the log as JSON is one object on one line with its context, without control characters', async () => {
  const members = { what: '\u009b31m \u202e' };
  const [line = ''] = await logLines({ logLevel: 'info', logFormat: 'json' }, (log) => log.record(event('request failed', members)));
  expect(line).toMatch(/^\{[\x20-\x7e]*\}\n$/);
  const context = { runId: 'run-1', version: VERSION, target: 'live', commit: 'abc', phase: 'plan' };
  expect(JSON.parse(line)).toEqual({ level: 'info', time: '1970-01-01T00:00:01.000Z', ...context, ...members, msg: 'request failed' });
});

test.each([
  ['trace', 3],
  ['debug', 2],
  ['info', 1],
  ['warn', 0],
  ['error', 0],
  ['silent', 0],
] as const)('--log-level %s writes %d of an entry of each level', async (logLevel, count) => {
  const lines = await logLines({ logLevel, logFormat: 'text' }, (log) => {
    for (const name of ['request detail', 'request', 'request failed'] as const) if (log.wants(name)) log.record(event(name));
  });
  expect(lines).toHaveLength(count);
});

const SOURCE = { 'config/a.yaml': 'vmp_reject_statuses: [PLATFORM_TAMPERED]\nstatic_key: { scope: none }\n' };
const ENTRIES = `[{ beam: ${'a1'.repeat(16)} }, { ad: 30 }]`;
const PLAYLISTS = { 'config/a.yaml': `playlists:\n  a: { playlist: ${ENTRIES} }\n  b: { playlist: ${ENTRIES} }\n` };

describe('the log of a command', () => {
  test('as JSON every entry has run, target, commit, version and phase, and a request no query', async () => {
    const project = await createGitProject(SOURCE);
    const commit = project.commit();
    const { stderr, code } = await project.run('plan', '--log-level', 'debug', '--log-format', 'json');
    expect(code).toBe(0);
    const entries = entriesIn(stderr);
    expect(entries.map(({ msg }) => msg)).toEqual([
      'run started',
      'phase started',
      'configuration loaded',
      'phase started',
      'request',
      'request',
      'request',
      'plan made',
      'target ended',
      'run ended',
    ]);
    for (const entry of entries) expect(entry).toMatchObject({ runId: entries[0]?.runId, version: VERSION, time: expect.any(String) });
    for (const entry of entries.slice(1, -1)) expect(entry.target).toBe('live');
    for (const entry of entries.slice(3, -1)) expect(entry).toMatchObject({ commit, phase: 'plan' });
    const request = { level: 'debug', method: 'GET', path: '/api/v3/drm/vmp-reject-statuses', status: 200, attempt: 1 };
    expect(entries).toContainEqual(expect.objectContaining({ ...request, tookMs: expect.any(Number) }));
    expect(entries.at(-1)).toMatchObject({ exit: 0 });
    expect(stderr).not.toMatch(/msg=|sig=|\?/);
  });

  test('as text it tells why an attempt failed and when the next one starts', async () => {
    const faults = [{ method: 'GET', path: '/api/v3/drm/vmp-reject-statuses', nth: 1, status: 500 }];
    const project = await createTestProject(SOURCE, { faults, target: 'http: { requests_per_second: 0, give_up_seconds: 5 }' });
    const { stderr, code } = await project.run('plan', '--log-level', 'info');
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^info: request failed method=GET path=\/api\/v3\/drm\/vmp-reject-statuses status=500 tookMs=\d+ attempt=1 .*category=failed what=".*" retryInMs=\d+ phase=plan$/m,
    );
  });

  test('a write and the reading of one object name the address of the resource', async () => {
    const project = await createTestProject(PLAYLISTS);
    const { stderr } = await project.run('apply', '--yes', '--quiet', '--log-level', 'debug', '--log-format', 'json');
    const entries = entriesIn(stderr);
    const writes = entries.filter(({ method }) => method === 'POST');
    expect(writes.map(({ address }) => address).sort()).toEqual(['playlist/a', 'playlist/b']);
    const searches = entries.filter(({ method, phase, address }) => method === 'GET' && phase === 'plan' && address !== undefined);
    expect(searches.map(({ address }) => address).sort()).toEqual(['playlist/a', 'playlist/b']);
    const applied = entries.filter(({ msg }) => msg === 'change applied');
    expect(applied).toEqual(
      expect.arrayContaining([expect.objectContaining({ address: 'playlist/a', result: 'created', phase: 'write' })]),
    );
  });

  test('trace adds the form of requests and responses to what debug tells, and no value', async () => {
    const project = await createTestProject(PLAYLISTS);
    const { stderr } = await project.run('apply', '--yes', '--quiet', '--log-level', 'trace', '--log-format', 'json');
    // The ID of the run is random.
    const details = entriesIn(stderr).flatMap(({ runId: _, ...entry }) => (entry.msg === 'request detail' ? [entry] : []));
    const write = details.find(({ method }) => method === 'POST');
    expect(write).toMatchObject({
      level: 'trace',
      requestBody: expect.stringContaining('playlist: 2 x {'),
      responseBytes: expect.any(Number),
    });
    expect(write?.responseHeaders).toContain('content-type');
    expect(write?.responseBody).toContain('playlist: 2 x {');
    expect(JSON.stringify(details)).not.toMatch(/"ad":|: 30|a1a1/);
  });

  test('lock and ledger have their entries, and an apply its phases in order', async () => {
    const project = await createGitProject(PLAYLISTS);
    const { stderr, code } = await project.run('apply', '--yes', '--quiet', '--log-level', 'debug', '--log-format', 'json');
    expect(code).toBe(0);
    const entries = entriesIn(stderr);
    const names = entries.map(({ msg }) => msg);
    for (const name of ['lock taken', 'entry pushed', 'lock released']) expect(names.filter((each) => each === name)).toHaveLength(1);
    expect(entries.filter(({ msg }) => msg === 'phase started').map(({ phase }) => phase)).toEqual([
      'prepare',
      'lock',
      'plan',
      'write',
      'verify',
      'ledger',
    ]);
  });

  test('a lock that another run holds is told, and the failed push that met it', async () => {
    const project = await createGitProject(PLAYLISTS);
    project.git('push', '-q', 'origin', 'HEAD:refs/upkeep/locks/live');
    const { stderr, code } = await project.run('apply', '--yes', '--quiet', '--log-level', 'info');
    expect(code).toBe(9);
    expect(stderr).toMatch(/^info: push failed refs=\["refs\/upkeep\/locks\/live"\]/m);
    expect(stderr).toMatch(/^info: target ended exit=9/m);
  });

  test('a probe tells each of its requests in the phases of its steps, also a refusal that it asks for', async () => {
    const project = await createGitProject(SOURCE);
    const { stderr, code } = await project.run('probe', '--write', '--yes', '--log-level', 'debug', '--log-format', 'json');
    expect(code).toBe(0);
    const entries = entriesIn(stderr.replace(/^(?!\{).*\n/gm, ''));
    const phases = entries.filter(({ msg }) => msg === 'phase started').map(({ phase }) => phase);
    expect(phases).toEqual(['prepare', 'lock', 'read', 'write']);
    const requests = entries.filter(({ msg }) => msg === 'request' || msg === 'request failed');
    expect(requests).toHaveLength(project.emulator.requests().length);
    const path = '/api/v3/drm/use-static-encryption-key';
    const refused = requests.filter((entry) => entry.msg === 'request failed' && entry.path === path && entry.phase === 'read');
    expect(refused.map(({ attempt }) => attempt)).toEqual(expect.arrayContaining([1, 2]));
    expect(requests.filter(({ method }) => method === 'DELETE').every(({ phase }) => phase === 'write')).toBe(true);
    expect(JSON.stringify(entries)).not.toMatch(/msg=|sig=|\?/);
  });

  test('it is empty by default', async () => {
    const project = await createTestProject(SOURCE);
    expect((await project.run('plan')).stderr).toBe('');
  });

  test('several targets have their own entries, each with its target once', async () => {
    const project = await createTestProject(SOURCE);
    project.write('upkeep.yaml', twoTargets(project.read('upkeep.yaml')));
    const { stderr } = await project.run('plan', '-t', '*', '--log-level', 'info', '--log-format', 'json');
    const ended = entriesIn(stderr).filter(({ msg }) => msg === 'target ended');
    expect(ended.map(({ target }) => target).sort()).toEqual(['live', 'other']);
    expect(stderr).not.toMatch(/"target":.*"target":/);
  });
});

function twoTargets(text: string): string {
  const live = text.slice(text.indexOf('  live:'));
  return `${text}${live.replace('  live:', '  other:')}`;
}

test('every event has a level, its members and a meaning', () => {
  for (const { level, members, meaning } of Object.values(RUN_EVENTS)) {
    expect(['trace', 'debug', 'info']).toContain(level);
    expect(new Set(members).size).toBe(members.length);
    expect(meaning).not.toBe('');
  }
});
