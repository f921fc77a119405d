import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asFailure, asOutcome, asPlan, fingerprintOf } from '../../support/documents.ts';
import { createExampleProject, createTestProject, createUnrestrictedExample, projectFile, vanishingFolder } from '../../support/harness.ts';
import { silentInput } from '../fake-io.ts';

const VMP = { 'config/a.yaml': 'vmp_reject_statuses: [PLATFORM_TAMPERED]\n' };

/** Two targets, of which the first is out of reach, on one account. */
async function twoTargets(first = 'http://127.0.0.1:1') {
  const project = await createTestProject(VMP);
  const second = projectFile(project.emulator.url).split('targets:\n')[1]?.replace('live:', 'spare:') ?? '';
  project.write('upkeep.yaml', projectFile(first) + second);
  return project;
}

function listOf(text: string): readonly unknown[] {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value)) throw new Error(`not a list: ${text}`);
  return value;
}

describe('apply with several targets', () => {
  test('a failing target does not stop the others; all are reported in the order of upkeep.yaml, and the exit code with the highest precedence is returned', async () => {
    const project = await twoTargets();
    const { code, stdout, stderr } = await project.run('apply', '--yes', '-t', 'spare', '-t', 'live', '--format', 'json');
    const [first, second] = listOf(stdout);
    expect(code).toBe(10);
    expect(asFailure(first)).toMatchObject({ target: 'live', error: { exit: 10, code: 'incomplete-read' } });
    expect(asOutcome(second)).toMatchObject({ target: 'spare', verified: true, summary: { updated: 1 } });
    expect(stderr).toContain('Failed: live');
    expect(project.writes()).toHaveLength(1);
  });

  test('the outcome of a target is printed as text before the next target starts', async () => {
    const project = await twoTargets();
    const { stdout } = await project.run('apply', '--yes', '-t', '*');
    expect(stdout.indexOf('Plan for live')).toBeLessThan(stdout.indexOf('Plan for spare'));
    expect(stdout).toMatch(/\n\nApply to spare\n/);
  });

  test('each target is confirmed separately, by its name', async () => {
    const project = await createTestProject(VMP);
    const second = projectFile(project.emulator.url).split('targets:\n')[1]?.replace('live:', 'spare:') ?? '';
    project.write('upkeep.yaml', projectFile(project.emulator.url) + second);
    const { code, stderr } = await project.runWith({ terminal: true, stdin: 'no\nspare\n' }, 'apply', '-t', '*', '--no-color');
    expect(code).toBe(4);
    expect(stderr).toContain('Apply 1 change to live?');
    expect(stderr).toContain('Apply 1 change to spare?');
    expect(project.writes()).toHaveLength(1);
  });
});

describe('the confirmation of apply', () => {
  test('the plan is shown before the question, whatever the format of stdout', async () => {
    const project = await createTestProject(VMP);
    const { code, stdout, stderr } = await project.runWith({ terminal: true, stdin: 'live\n' }, 'apply', '--format', 'json', '--no-color');
    expect(code).toBe(0);
    expect(asOutcome(JSON.parse(stdout)).summary.updated).toBe(1);
    expect(stderr).toMatch(/Plan for live[\s\S]*vmp-reject-statuses[\s\S]*Apply 1 change to live\?/);
  });

  test('an apply without changes asks nothing', async () => {
    const project = await createTestProject({ 'config/a.yaml': 'vmp_reject_statuses: []\n' });
    const { code, stderr } = await project.runWith({ terminal: true }, 'apply');
    expect([code, stderr]).toEqual([0, '']);
  });

  test('an interrupt during the question writes nothing and exits with 130', async () => {
    const project = await createTestProject(VMP);
    const interrupt = new AbortController();
    async function* stdin() {
      interrupt.abort();
      yield* silentInput();
    }
    const { code, stderr } = await project.runWith({ terminal: true, stdin: stdin(), signal: interrupt.signal }, 'apply', '--no-color');
    expect(code).toBe(130);
    expect(stderr).toContain('error: interrupted');
    expect(project.writes()).toEqual([]);
  });
});

describe('an interrupt of apply', () => {
  test('an interrupt before the first request asks and writes nothing, exits with 130 and reports one document a target', async () => {
    const project = await twoTargets();
    const { code, stdout } = await project.runWith({ signal: AbortSignal.abort() }, 'apply', '--yes', '-t', '*', '--format', 'json');
    expect(code).toBe(130);
    expect(listOf(stdout).map((document) => asFailure(document).error.code)).toEqual(['interrupted', 'interrupted']);
    expect(project.emulator.requests()).toEqual([]);
  });

  test('an interrupt while reading writes nothing and exits with 130', async () => {
    const project = await createTestProject(VMP);
    const interrupt = new AbortController();
    const now = () => {
      if (project.emulator.requests().length > 0) interrupt.abort();
      return Date.now();
    };
    const { code } = await project.runWith({ signal: interrupt.signal, now }, 'apply', '--yes');
    expect(code).toBe(130);
    expect(project.writes()).toEqual([]);
  });

  test.each([
    ['a change is blocked', {}],
    ['a read fails', { faults: [{ html: true as const }] }],
  ])('an interrupt while reading exits with 130, even if %s', async (_, options) => {
    const project = await createTestProject(
      { 'config/a.yaml': 'vmp_reject_statuses: []\n' },
      { seed: { 'vmp-reject-statuses': ['A'] }, ...options },
    );
    const interrupt = new AbortController();
    const now = () => {
      if (project.emulator.requests().length > 0) interrupt.abort();
      return Date.now();
    };
    const { code, stderr } = await project.runWith({ signal: interrupt.signal, now }, 'apply', '--yes');
    expect([code, stderr]).toEqual([130, expect.stringContaining('interrupted')]);
    expect(project.writes()).toEqual([]);
  });

  test('an interrupt while writing finishes the requests in flight, skips and reports the rest, and exits with 130', async () => {
    const project = await createUnrestrictedExample();
    const interrupt = new AbortController();
    const now = () => {
      if (project.emulator.requests().some((request) => request.method !== 'GET')) interrupt.abort();
      return Date.now();
    };
    const argv = ['apply', '-t', 'production', '--yes', '--allow', 'weakening', '--format', 'json'];
    const { code, stdout } = await project.runWith({ signal: interrupt.signal, now }, ...argv);
    expect(code).toBe(130);
    const { summary, outcomes, verified } = asOutcome(JSON.parse(stdout));
    expect(summary.skipped).toBeGreaterThan(0);
    expect(verified).toBe(false);
    expect(outcomes.filter(({ because }) => because === 'the run was interrupted').length).toBeGreaterThan(0);
  });
});

describe('a report of apply that cannot be written', () => {
  test('a report that cannot be written exits with 1 and hides neither the outcome nor the other reports', async () => {
    const project = await createTestProject(VMP);
    mkdirSync(join(project.folder, 'reports'));
    const argv = ['apply', '--yes', '--out', `json=${vanishingFolder(project)}/a.json`, '--out', 'json=reports/b.json'];
    const { code, stdout, stderr } = await project.run(...argv);
    expect(code).toBe(1);
    expect(stdout).toContain('Verified:');
    expect(stderr).toContain('error: --out cannot write to vanishing/a.json: its folder does not exist');
    expect(asOutcome(JSON.parse(readFileSync(join(project.folder, 'reports/b.json'), 'utf8'))).verified).toBe(true);
  });

  test('a report that cannot be written does not replace a stronger exit code of the run', async () => {
    const project = await createTestProject(VMP);
    expect((await project.run('apply', '--out', `json=${vanishingFolder(project)}/a.json`)).code).toBe(4);
  });
});

describe('a reviewed plan', () => {
  test('--plan applies a saved plan without a question, names the other changes, and is stale when one of its resources has changed', async () => {
    const project = await createTestProject(VMP);
    await project.run('plan', '--out', 'json=plan.json');
    project.write('config/b.yaml', 'static_key: { scope: all }\n');
    const { code, stderr } = await project.run('apply', '--plan', 'plan.json', '--format', 'json', '--quiet');
    expect([code, stderr]).toEqual([0, 'note: not in the saved plan, and not applied: static-key\n']);
    expect(project.writes()).toEqual(['POST /api/v3/drm/vmp-reject-statuses/update']);
    const again = await project.run('apply', '--plan', 'plan.json', '--format', 'json');
    expect(again.code).toBe(6);
    expect(asFailure(JSON.parse(again.stdout)).error).toEqual({
      exit: 6,
      code: 'stale-plan',
      summary: 'the plan is stale: vmp-reject-statuses: planned was update; now there is nothing to do',
      hint: 'nothing was written; have a new plan reviewed: upkeep plan --target live',
    });
    expect(project.writes()).toEqual([]);
  });

  test('--expect applies the plan only if it has that fingerprint', async () => {
    const project = await createTestProject(VMP);
    const fingerprint = fingerprintOf(asPlan(JSON.parse((await project.run('plan', '--format', 'json')).stdout)));
    const other = await project.run('apply', '--expect', 'sha256:0');
    expect(other.code).toBe(6);
    expect(other.stderr).toContain(`the plan is now ${fingerprint}, not`);
    expect(project.writes()).toEqual([]);
    expect((await project.run('apply', '--expect', fingerprint)).code).toBe(0);
  });
});

test('a blocked plan is refused with the safety check and its override', async () => {
  const project = await createTestProject(VMP, { target: 'ownership: observe' });
  const { code, stdout } = await project.run('apply', '--yes', '--format', 'json');
  expect(code).toBe(4);
  expect(asFailure(JSON.parse(stdout)).error).toEqual({
    exit: 4,
    code: 'blocked',
    summary:
      'nothing was written, because changes are blocked (1 of 1): vmp-reject-statuses by safety check `observe`: target live is only observed',
    hint: 'set `ownership: shared` in upkeep.yaml',
  });
});

test('a plan with many blocked changes is refused with the first of them, and the reason once', async () => {
  const project = await createExampleProject();
  const yaml = readFileSync(join(project.folder, 'upkeep.yaml'), 'utf8').replace('ownership: shared', 'ownership: observe');
  project.write('upkeep.yaml', yaml);
  const { stdout } = await project.run('apply', '-t', 'production', '--yes', '--format', 'json');
  const { summary } = asFailure(JSON.parse(stdout)).error;
  expect(summary).toMatch(/: \S+, \S+, \S+ and \d+ more by safety check `observe`: target production is only observed(;|$)/);
});
