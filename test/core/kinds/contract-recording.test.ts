/** The contract of recordings, for every kind: what is recorded of it can be replayed. */
import { describe, expect, it } from 'vitest';
import { kinds } from '../../../src/core/kinds/index.ts';
import { isObject } from '../../../src/core/model/json.ts';
import { emulatedKinds } from '../../../src/emulator/kinds/index.ts';
import { startReplay } from '../../../src/emulator/replay-server.ts';
import type { Recording } from '../../../src/recording/recording.ts';
import { missingWords, VOCABULARY } from '../../recording/support.ts';
import { cleanUpAfterTest } from '../../support/cleanup.ts';
import { createUnrestrictedExample, OWNER, type TestProject } from '../../support/harness.ts';
import { only, useExportAsSource } from './contract-support.ts';

const ROUTES = emulatedKinds.flatMap(({ routes, lookups = [] }) => [...routes, ...lookups].map(({ path }) => path.split('/')));

/** Decides whether a path is one of a route, whose parts that begin with a colon may be anything. */
function isOf(route: readonly string[], path: string): boolean {
  const segments = path.split('/');
  return segments.length === route.length && segments.every((segment, at) => route[at]?.startsWith(':') || segment === route[at]);
}

/** Returns the names of all members of a value, at any depth. */
function memberNamesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(memberNamesIn);
  return isObject(value) ? Object.entries(value).flatMap(([name, inner]) => [name, ...memberNamesIn(inner)]) : [];
}

function recordingIn(project: TestProject): Recording {
  return JSON.parse(project.read('run.json'));
}

describe.each(kinds.map((kind) => [kind.name, kind] as const))('a recording of the kind %s', (name, kind) => {
  it('keeps every word of its paths', () => {
    expect(emulatedKinds.filter((emulated) => emulated.name === name).flatMap((emulated) => missingWords(emulated, VOCABULARY))).toEqual(
      [],
    );
  });

  it('keeps every path, and the name of every member, of an apply', async () => {
    const project = await createUnrestrictedExample();
    const applied = await project.run('apply', '-t', 'production', '--yes', '--allow', 'weakening', '--record', 'run.json', ...only(kind));
    expect(applied.code).toBe(0);
    const { exchanges } = recordingIn(project);
    expect(exchanges.filter(({ request }) => request.method !== 'GET')).not.toEqual([]);
    expect(exchanges.map(({ request }) => request.path).filter((path) => !ROUTES.some((route) => isOf(route, path)))).toEqual([]);
    const names = exchanges.flatMap(({ request, response }) => memberNamesIn([request.body, response?.body]));
    expect(names.filter((member) => !VOCABULARY.members.has(member))).toEqual([]);
  });

  it('is answered when it is replayed: the export of the replay declares what the replay holds', async () => {
    const project = await createUnrestrictedExample();
    await project.run('apply', '-t', 'production', '--yes', '--allow', 'weakening', ...only(kind));
    expect((await project.run('export', '-t', 'production', '--dir', 'recorded', '--record', 'run.json')).code).toBe(0);
    const unrecorded: string[] = [];
    const onUnrecorded = (request: string): void => void unrecorded.push(request);
    const replay = { recording: recordingIn(project), owner: OWNER, host: '127.0.0.1', port: 0, now: Date.now, onUnrecorded };
    const server = await startReplay(replay);
    cleanUpAfterTest(server.close);
    useExportAsSource(project, server.url);
    expect((await project.run('export', '-t', 'production', '--dir', 'exported')).code).toBe(0);
    const { document } = await project.plan('-t', 'production', '--allow', 'weakening', ...only(kind));
    expect(document).toMatchObject({ changes: [], readStatus: { [name]: 'complete' } });
    expect(document.summary.unchanged).toBeGreaterThan(0);
    expect(unrecorded).toEqual([]);
  });
});
