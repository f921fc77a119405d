/** The contract of every kind. A new kind gets these tests automatically, with its part of the example account. */
import { describe, expect, it } from 'vitest';
import { kinds } from '../../../src/core/kinds/index.ts';
import type { ApiService, Kind } from '../../../src/core/kinds/kind.ts';
import { isJsonObject, isObject, type Json } from '../../../src/core/model/json.ts';
import type { Outcome } from '../../../src/core/model/outcome.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import { emulatedKinds } from '../../../src/emulator/kinds/index.ts';
import type { ServiceQuirks } from '../../../src/emulator/quirks.ts';
import type { FaultRule } from '../../../src/emulator/server.ts';
import { createUnrestrictedExample, type TestProject } from '../../support/harness.ts';
import { only, useExportAsSource } from './contract-support.ts';

async function plan(project: TestProject, kind: Kind): Promise<Plan> {
  return (await project.json('plan', '-t', 'production', '--allow', 'weakening', ...only(kind))) as Plan;
}

async function apply(project: TestProject, kind: Kind): Promise<Outcome> {
  return (await project.json('apply', '-t', 'production', '--yes', '--allow', 'weakening', ...only(kind))) as Outcome;
}

/** Service quirks: responses that the API documents leave open (api-notes sections 2 to 6). */
const QUIRKS: readonly Partial<ServiceQuirks>[] = [
  {},
  { createdStatus: 200, emptyLists: 'missing', unsetSchedule: 'absent', unsetSlicers: 'empty', scheduleAnswered: false },
  { smartStartElements: 'objects', numericStrings: true, switches: 'booleans', unsetSchedule: 'empty', scheduleResets: true },
  { unknownMembers: true, listOrder: 'reversed', abridgedPolicies: true },
  { listOrder: 'shuffled', numericStrings: true, unknownMembers: true, emptyLists: 'missing', abridgedPolicies: true },
];

/** Faults that make a read incomplete, and the exit code that reports them. */
const BAD_READS: readonly (readonly [name: string, rule: FaultRule, code: number])[] = [
  ['401', { status: 401, body: { '@type': 'Error', title: 'Unauthorized' } }, 7],
  ['403', { status: 403, body: { '@type': 'Error', title: 'Forbidden' } }, 7],
  ['400', { status: 400, body: { '@type': 'Error', title: 'Bad Request' } }, 7],
  ['500', { status: 500, body: 'oops' }, 10],
  ['HTML', { html: true }, 10],
  ['an empty body', { empty: true }, 10],
  ['half a body', { truncateBody: true }, 10],
  ['an empty object', { body: {} }, 10],
  ['null', { body: null }, 10],
  ['error 5', { body: { error: 5, msg: 'broken' } }, 10],
  ['a broken connection', { reset: 'before' }, 10],
];

describe.each(kinds.map((kind) => [kind.name, kind] as const))('the kind %s', (name, kind) => {
  it('has exactly one emulated kind of the same name', () => {
    expect(emulatedKinds.filter((emulatedKind) => emulatedKind.name === name)).toHaveLength(1);
  });

  it('describes every field of its schema', () => {
    expect(fieldsWithoutDescription({ properties: kind.schema.properties, definitions: kind.schema.definitions ?? {} })).toEqual([]);
  });

  it.each(QUIRKS.map((quirks) => [JSON.stringify(quirks), quirks] as const))(
    'applies to an empty account once, verifies the result, and then plans no change (service quirks: %s)',
    async (_name, quirks) => {
      const project = await createUnrestrictedExample({ quirks });
      const first = await plan(project, kind);
      expect(first.readStatus[name]).toBe('complete');
      expect(first.changes.length).toBeGreaterThan(0);
      expect(project.writes()).toEqual([]);
      const outcome = await apply(project, kind);
      expect(outcome).toMatchObject({ verified: true, summary: { failed: 0, skipped: 0 } });
      expect(outcome.fingerprint).toBe(first.fingerprint);
      const requests = first.requests.map((request) => `${request.method} ${request.path}`);
      expect([...project.writes()].sort()).toEqual([...requests].sort());
      expect((await plan(project, kind)).changes).toEqual([]);
      await apply(project, kind);
      expect(project.writes()).toEqual([]);
    },
  );

  it('reads all its resources with a few requests, however many there are', async () => {
    const project = await createUnrestrictedExample();
    await apply(project, kind);
    project.emulator.clearRequests();
    expect((await plan(project, kind)).cost).toEqual({ reads: project.emulator.requests().length, writes: 0 });
    expect(project.emulator.requests().length).toBeLessThanOrEqual(2);
  });

  it('exports what it applied, and the plan from the export is empty', async () => {
    const project = await createUnrestrictedExample();
    await apply(project, kind);
    const exported = await project.run('export', '-t', 'production', '--dir', 'exported');
    expect(exported).toMatchObject({ code: 0, stdout: '' });
    useExportAsSource(project);
    expect(await plan(project, kind)).toMatchObject({ changes: [], readStatus: { [name]: 'complete' } });
  });

  it('reports the loss of all its resources as drift, and restores them', async () => {
    const before = await createUnrestrictedExample();
    await apply(before, kind);
    const project = await createUnrestrictedExample({ seed: without(before.emulator.dump(), name) });
    const drift = await project.run('drift', '-t', 'production', ...only(kind));
    expect(drift.code).toBe(3);
    expect(await apply(project, kind)).toMatchObject({ verified: true, summary: { failed: 0 } });
    expect((await project.run('drift', '-t', 'production', ...only(kind))).code).toBe(0);
  });

  it.each(BAD_READS)('writes nothing where the service answers a read with %s', async (_name, rule, code) => {
    const project = await createUnrestrictedExample();
    await plan(project, kind);
    const requested = new Set(project.emulator.requests().map((request) => request.path));
    const reads = (await readPathsOf(kind)).filter((path) => requested.has(path));
    expect(reads.length).toBeGreaterThan(0);
    for (const path of reads) {
      project.emulator.clearRequests();
      project.emulator.setFaults([{ method: 'GET', path, ...rule }]);
      const planned = await project.run('plan', '-t', 'production', '--format', 'json', ...only(kind));
      expect([path, planned.code]).toEqual([path, code]);
      expect(JSON.parse(planned.stdout)).toMatchObject({ changes: [], readStatus: { [name]: 'incomplete' } });
      const applied = await project.run('apply', '-t', 'production', '--yes', '--allow', 'weakening', ...only(kind));
      expect([path, applied.code]).toEqual([path, code]);
      const skipped = await project.run('apply', '-t', 'production', '--yes', '--skip-blocked', '--allow', 'weakening', ...only(kind));
      expect([path, skipped.code]).toEqual([path, code]);
      expect(project.writes()).toEqual([]);
    }
  });

  it('plans the same in whatever order the service lists its resources', async () => {
    const project = await createUnrestrictedExample();
    await apply(project, kind);
    const state = project.emulator.dump();
    const reordered = await createUnrestrictedExample({ seed: state, quirks: { listOrder: 'reversed' } });
    expect((await plan(reordered, kind)).changes).toEqual([]);
  });
});

/** Returns the paths that the kind requests to read all its resources, without those of single reads by `get` and `find`. */
async function readPathsOf(kind: Kind): Promise<readonly string[]> {
  const paths: string[] = [];
  const service: ApiService = {
    send: async ({ path }) => {
      paths.push(path);
      throw new Error('this service only records paths');
    },
  };
  await expect(kind.read(service)).rejects.toThrow('only records paths');
  return paths;
}

/** A dump of one account without the part of one emulation. */
function without(dump: Json, emulation: string): Json {
  const [account] = isJsonObject(dump) ? Object.values(dump) : [];
  const { [emulation]: _removed, ...rest } = isJsonObject(account) ? account : {};
  return rest;
}

/** Paths of schema properties without a description. */
function fieldsWithoutDescription(schema: unknown, path = ''): readonly string[] {
  if (!isObject(schema)) return [];
  return Object.entries(schema).flatMap(([key, part]) => {
    if (key !== 'properties' || !isObject(part)) return fieldsWithoutDescription(part, `${path}/${key}`);
    return Object.entries(part).flatMap(([field, value]) => [
      ...(isObject(value) && (typeof value.description === 'string' || typeof value.$ref === 'string') ? [] : [`${path}/${field}`]),
      ...fieldsWithoutDescription(value, `${path}/${field}`),
    ]);
  });
}
