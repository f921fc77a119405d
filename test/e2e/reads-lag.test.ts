/** A service whose reads lag behind its writes (design section 4, rule 15). */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { asOutcome, asPlan } from '../support/documents.ts';
import { createGitProject } from '../support/git-project.ts';
import { createTestProject } from '../support/harness.ts';
import { stateHomeOf } from '../support/local-files.ts';
import { config, manyPlaylists, PLAYLISTS } from './accounts.ts';

const A = '10c5467d77c54dc4b739db2cd832143a';
const FILES = { 'config/a.yaml': `playlists: { news: { desc: News, playlist: [ { beam: ${A} } ] } }\n` };

/** Settings of a service that shows its writes after a minute of its clock, which the test moves, while a run waits for 0.1 seconds. */
function slowService() {
  const clock = { offset: 0 };
  return {
    options: { quirks: { readDelayMs: 60_000 }, now: () => Date.now() + clock.offset, target: 'service: { settle_seconds: 0.1 }' },
    pass(ms: number) {
      clock.offset += ms;
    },
  };
}

const creates = (writes: readonly string[]) => writes.filter((write) => write.startsWith('POST'));

test('an apply waits until reads show what was written', async () => {
  const project = await createTestProject(FILES, { quirks: { readDelayMs: 300 }, target: 'service: { settle_seconds: 20 }' });
  const { code, stdout } = await project.run('apply', '--yes');
  expect([code, creates(project.writes()).length]).toEqual([0, 1]);
  expect(stdout).toContain('Verified: all that was written reads back as desired.');
});

describe('a create that reads do not show in time', () => {
  test('is not made twice without a ledger: the next runs are blocked until the object is seen', async () => {
    const service = slowService();
    const project = await createTestProject(FILES, service.options);
    const first = await project.run('apply', '--yes', '--format', 'json');
    expect(first.code).toBe(5);
    const { outcomes, summary, verified } = asOutcome(JSON.parse(first.stdout));
    expect([outcomes.map(({ result, because }) => [result, because]), summary.unseen, verified]).toEqual([
      [['unseen', 'the service still shows the state before it: it does not exist']],
      1,
      false,
    ]);
    expect(creates(project.writes()).length).toBe(1);
    const second = await project.run('apply', '--yes', '--format', 'json');
    expect([second.code, project.writes()]).toEqual([4, []]);
    const plan = asPlan(JSON.parse((await project.run('plan', '--format', 'json')).stdout));
    const [blocked] = plan.changes.map((change) => change.blocked);
    expect(blocked?.check).toBe('suspicious-read');
    expect(blocked?.reason).toMatch(
      /^an earlier run created it \([0-9a-f]{32}, answered \d{4}-.*Z\), and the service does not show it yet$/,
    );
    service.pass(61_000);
    const third = await project.run('apply', '--yes');
    expect([third.code, project.writes(), project.playlists().length]).toEqual([0, [], 1]);
    expect((await project.run('plan', '--detailed-exitcode')).code).toBe(0);
  });

  test('is not made twice with a ledger, on any machine, and its entry keeps the ID', async () => {
    const service = slowService();
    const project = await createGitProject(FILES, service.options);
    expect((await project.run('apply', '--yes')).code).toBe(5);
    const [live] = project.playlists();
    const at = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(project.entries().at(-1)?.bindings).toEqual({ 'playlist/news': { id: live?.id, origin: 'created', unseen: at } });
    project.writes();
    const clone = project.clone();
    expect((await clone.run('apply', '--yes')).code).toBe(4);
    expect(project.writes()).toEqual([]);
    service.pass(61_000);
    expect((await clone.run('apply', '--yes')).code).toBe(0);
    expect([project.writes(), project.playlists().length]).toEqual([[], 1]);
    expect(project.entries().at(-1)?.bindings).toEqual({ 'playlist/news': { id: live?.id, origin: 'created' } });
  });

  test('is made again where a person says so', async () => {
    const service = slowService();
    const project = await createTestProject(FILES, service.options);
    await project.run('apply', '--yes');
    expect(creates(project.writes()).length).toBe(1);
    await project.run('apply', '--yes', '--allow', 'suspicious-read');
    expect(creates(project.writes()).length).toBe(1);
  });

  test('is not called gone where its declaration is removed meanwhile: it is deleted once it is seen', async () => {
    const service = slowService();
    const project = await createGitProject(FILES, service.options);
    expect((await project.run('apply', '--yes')).code).toBe(5);
    project.write('config/a.yaml', 'playlists: {}\n');
    project.commit();
    expect((await project.run('apply', '--yes')).code).toBe(0);
    project.writes();
    service.pass(61_000);
    expect(await project.run('apply', '--yes', '--allow', 'deletes=1', '--allow', 'weakening', '--allow', 'playback-loss')).toMatchObject({
      code: 5,
    });
    expect(project.writes().map((write) => write.split(' ')[0])).toEqual(['DELETE']);
    expect(project.playlists()).toEqual([]);
  });
});

test('creates that a 429 refuses take no time from what is written: all of them are made, and seen', async () => {
  const project = await createTestProject(config({ playlists: manyPlaylists(3) }), {
    target: 'http: { concurrency: 1, requests_per_second: 0, give_up_seconds: 30 }\nservice: { settle_seconds: 0.1 }',
    faults: [{ method: 'POST', path: PLAYLISTS, nth: [1, 3], status: 429, body: '' }],
  });
  expect(await project.run('apply', '--yes', '--quiet')).toMatchObject({ code: 0 });
  expect(project.playlists().map(({ desc }) => desc)).toEqual(['p1', 'p2', 'p3']);
});

test('an update that reads do not show in time is neither failed nor done, and is a change of the repository in the next plan', async () => {
  const service = slowService();
  const project = await createGitProject(FILES, service.options);
  await project.run('apply', '--yes');
  service.pass(61_000);
  await project.run('apply', '--yes');
  project.write('config/a.yaml', FILES['config/a.yaml'].replace('desc: News', 'desc: News, repeat: 3'));
  project.commit();
  const { code, stdout } = await project.run('apply', '--yes', '--no-color');
  expect(code).toBe(5);
  expect(stdout).toContain('Apply: 1 not seen yet.');
  const { changes } = asPlan(JSON.parse((await project.run('plan', '--format', 'json')).stdout));
  expect(changes.map(({ action, origin }) => [action, origin])).toEqual([['update', 'change']]);
  expect((await project.run('drift')).code).toBe(0);
  service.pass(61_000);
  expect((await project.run('plan', '--detailed-exitcode')).code).toBe(0);
});

test('the journal of this machine is gone once all was seen', async () => {
  const service = slowService();
  const project = await createTestProject(FILES, service.options);
  const journals = () =>
    readdirSync(stateHomeOf(project.folder), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('journal.jsonl'));
  await project.run('apply', '--yes');
  expect(journals().length).toBe(1);
  service.pass(61_000);
  await project.run('apply', '--yes');
  expect(journals()).toEqual([]);
});

test('an apply does not end well whose weakening change waited for a strengthening one that was seen too late, and says so', async () => {
  const live = { id: 'live1', desc: 'p1', playlist: [{ beam: { id: A } }], skip_drm: 1 };
  const project = await createTestProject(
    config({ playlists: { p1: { playlist: [{ beam: A }], skip_drm: 0 } }, vmp_reject_statuses: [] }),
    {
      seed: { playlist: [live], 'vmp-reject-statuses': ['PLATFORM_TAMPERED'] },
      target: 'weakening: allow\nservice: { settle_seconds: 0 }',
    },
  );
  const { document: plan } = await project.plan();
  expect(plan.changes.map(({ address, effect }) => [address, effect])).toEqual([
    ['playlist/p1', 'strengthens'],
    ['vmp-reject-statuses', 'weakens'],
  ]);
  project.emulator.setFaults([{ method: 'GET', path: `${PLAYLISTS}/live1`, status: 200, body: live, nth: 1 }]);
  const { code, document } = await project.apply('--yes');
  expect(document.outcomes.map(({ address, result, because }) => [address, result, because])).toEqual([
    ['playlist/p1', 'updated', undefined],
    [
      'vmp-reject-statuses',
      'skipped',
      'playlist/p1 strengthens protection and is not known to have taken effect, so nothing that weakens it is applied in this run',
    ],
  ]);
  expect(code).toBe(5);
  expect((await project.apply('--yes')).code).toBe(0);
  expect(project.live('vmp-reject-statuses')).toEqual([]);
});
