/** Clocks: a run that has an end in time, and a machine whose clock is wrong. */
import { afterEach, describe, expect, test } from 'vitest';
import { asOutcome, asPlan } from '../support/documents.ts';
import { createTestProject } from '../support/harness.ts';
import { type RequestProxy, startProxy } from '../support/proxy.ts';
import { config, manyPlaylists } from './accounts.ts';

const proxies: RequestProxy[] = [];
afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.close();
});

/** An account behind a proxy, whose run may take 60 s; its clock goes an hour on at the first request of this method. */
async function projectWithDeadline(method: string) {
  const proxy = await startProxy();
  proxies.push(proxy);
  const http = 'http: { concurrency: 1, requests_per_second: 0, give_up_seconds: 0, run_seconds: 60 }';
  const project = await createTestProject(config({ playlists: manyPlaylists(4), vmp_reject_statuses: ['PLATFORM_TAMPERED'] }), {
    target: http,
  });
  proxy.target = project.emulator.url;
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace(/base_url: .*/, `base_url: ${proxy.url}`));
  let clockOffset = 0;
  proxy.watch = (_nth, boundary, sent) => {
    if (boundary === 'after' && sent === method) clockOffset = 3_600_000;
  };
  return { project, now: () => Date.now() + clockOffset };
}

describe('the deadline http.run_seconds', () => {
  test('makes a plan incomplete with exit code 10 where not everything was read', async () => {
    const { project, now } = await projectWithDeadline('GET');
    const { code, stdout, stderr } = await project.runWith({ now }, 'plan', '--format', 'json');
    expect(code).toBe(10);
    expect(Object.values(asPlan(JSON.parse(stdout)).readStatus)).toContain('incomplete');
    expect(stderr).toMatch(/not sent, because the 60 s that a run may take \(http\.run_seconds\) are over\n {2}hint: Run again/);
  });

  test('in an apply lets requests in flight finish, fails the rest with the reason, and reports nothing as verified', async () => {
    const { project, now } = await projectWithDeadline('POST');
    const { code, stdout } = await project.runWith({ now }, 'apply', '--yes', '--format', 'json');
    const { outcomes, summary, verified } = asOutcome(JSON.parse(stdout));
    expect(summary).toMatchObject({ created: 0, updated: 1, failed: 4, skipped: 0 });
    expect(outcomes.find(({ result }) => result === 'failed')?.error).toContain('http.run_seconds');
    expect([code, verified]).toEqual([10, false]);
    expect(project.writes()).toHaveLength(1);
  });
});

test.each([
  ['v4', { playlists: manyPlaylists(1) }],
  ['v3', { vmp_reject_statuses: ['PLATFORM_TAMPERED'] }],
])('a wrong clock is named with its difference where %s rejects the signature, with exit code 7', async (_api, sections) => {
  const project = await createTestProject(config(sections));
  const { code, stderr } = await project.runWith({ now: () => Date.now() + 3_600_000 }, 'plan');
  expect(code).toBe(7);
  expect(stderr).toMatch(/The clock of this machine is 3(599|600|601) s ahead of that of the service\./);
});
