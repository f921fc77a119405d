import { describe, expect, test } from 'vitest';
import { createTestProject } from '../support/harness.ts';

const SOURCE = { 'config/a.yaml': 'vmp_reject_statuses: [PLATFORM_TAMPERED]\nstatic_key: { scope: none }\n' };

describe('the status line of a plan', () => {
  const ERASE = '\r\u001b[2K';

  /** A clock that runs 400 ms at each look. */
  function hurrying(): () => number {
    let ms = Date.now();
    return () => (ms += 400);
  }

  test('a slow run shows its requests in the status line and erases it before it prints', async () => {
    const project = await createTestProject(SOURCE);
    const { stderr } = await project.runWith({ terminal: true, now: hurrying() }, 'plan');
    expect(stderr).toMatch(/\/api\/v3\/drm\//);
    expect(stderr.startsWith(ERASE)).toBe(true);
    expect(stderr.endsWith(ERASE)).toBe(true);
  });

  test('a log entry never follows the status line on the same line', async () => {
    const project = await createTestProject(SOURCE);
    const { stderr } = await project.runWith({ terminal: true, now: hurrying() }, 'plan', '--log-level', 'debug');
    const entries = stderr.split('\n').filter((each) => each.includes('debug:'));
    expect(entries.length).toBeGreaterThan(0);
    for (const line of entries) expect(line.split(ERASE).at(-1)).toMatch(/^debug: /);
  });

  test('--quiet shows no status line', async () => {
    const project = await createTestProject(SOURCE);
    expect((await project.runWith({ terminal: true, now: hurrying() }, 'plan', '--quiet')).stderr).toBe('');
  });
});

test('--only may name a whole kind, also where nothing of it is declared or live', async () => {
  const project = await createTestProject({ 'config/a.yaml': 'playlists: {}\n' });
  expect((await project.run('plan', '--only', 'playlist/*')).code).toBe(0);
  expect((await project.run('plan', '--only', 'drm-policy/*', '--only', 'static-key')).code).toBe(0);
});

test('impact, which has no --only, does not warn about it if no kind that affects devices is managed', async () => {
  const project = await createTestProject({ 'config/a.yaml': 'static_key: { scope: none }\n' });
  const { code, stdout, stderr } = await project.run('impact');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('There is no policy to show.');
});
