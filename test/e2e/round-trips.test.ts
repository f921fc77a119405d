/** How many round trips a plan costs: reads that do not depend on each other are sent side by side. */
import { expect, test } from 'vitest';
import type { Fetch } from '../../src/core/model/fetch.ts';
import { plan } from '../../src/library/index.ts';
import { createGitProject, type GitProject } from '../support/git-project.ts';
import { API_KEY, OWNER } from '../support/harness.ts';
import { stateHomeOf } from '../support/local-files.ts';
import { asset, beams, config, manyPlaylists } from './accounts.ts';

/** Turns of the event loop without a new request after which the program waits for answers. */
const QUIET_TURNS = 50;

/**
 * A network on which time passes only while the program waits: requests are held until it sends no more of them, and then all are answered
 * at once, which is one round trip.
 */
function virtualNetwork(): { readonly fetch: Fetch; readonly trips: readonly number[] } {
  const held: (() => Promise<() => void>)[] = [];
  const trips: number[] = [];
  let isRunning = false;
  const run = async (): Promise<void> => {
    while (held.length > 0) {
      for (let [turn, seen] = [0, held.length]; turn < QUIET_TURNS; turn = held.length > seen ? 0 : turn + 1) {
        seen = held.length;
        await new Promise(setImmediate);
      }
      const sent = held.splice(0);
      trips.push(sent.length);
      // Nobody gets an answer before all are there.
      for (const answer of await Promise.all(sent.map((send) => send()))) answer();
      await new Promise(setImmediate);
      for (let turn = 0; turn < QUIET_TURNS && held.length === 0; turn++) await new Promise(setImmediate);
    }
    isRunning = false;
  };
  return {
    trips,
    fetch: (url, init) =>
      new Promise((resolve, reject) => {
        held.push(async () => {
          try {
            const answer = await fetch(url, init);
            const bytes = await answer.arrayBuffer();
            return () => resolve({ status: answer.status, headers: answer.headers, arrayBuffer: async () => bytes });
          } catch (error) {
            return () => reject(error);
          }
        });
        if (isRunning) return;
        isRunning = true;
        void run();
      }),
  };
}

const POLICIES = { premium: { fairplay: { persistence: true } }, basic: {} };
const SETTINGS = {
  vmp_reject_statuses: ['PLATFORM_TAMPERED'],
  static_key: { scope: 'specific', slicer_ids: ['studio-a'] },
  key_rotation_schedule: { enabled: true, frequency: 1, unit: 'd', hour: 20 },
};
const ASSETS = Array.from({ length: 3000 }, (_, index) => asset(index));

/** Plans an account of all kinds with the most requests: objects to create, objects gone, and more references than one lookup takes. */
async function planOfEverything(concurrency: number) {
  const assets = ASSETS.map((id) => ({ id }));
  const project = await createGitProject(config({ playlists: manyPlaylists(3), drm_policies: POLICIES, ...SETTINGS }), {
    target: `check: { assets: true, slicers: true }\nweakening: allow\nhttp: { requests_per_second: 0, concurrency: ${concurrency} }`,
    seed: { playlist: { playlists: [], assets }, 'static-key': { live_slicers: ['studio-a'] } },
  });
  expect((await project.run('apply', '--yes')).code).toBe(0);
  const [first] = project.playlists();
  project.editPlaylist(String(first?.id), null);
  const policies = [project.live('drm-policy')].flat();
  for (const policy of policies.slice(0, 1)) {
    const id = typeof policy === 'object' && policy !== null && '_id' in policy ? String(policy._id) : '';
    project.emulator.edit({ emulation: 'drm-policy', collection: 'policies', id, document: null });
  }
  const more = {
    playlists: { ...manyPlaylists(30), single: { playlist: beams(2500) } },
    smart_starts: { vod: { assets: ASSETS.slice(0, 2400) } },
  };
  for (const [file, text] of Object.entries(config({ ...more, drm_policies: { ...POLICIES, third: {} }, ...SETTINGS })))
    project.write(file, text);
  project.commit();
  return planOverNetwork(project);
}

/** Plans over a virtual network. */
async function planOverNetwork(project: GitProject) {
  project.emulator.clearRequests();
  const { fetch, trips } = virtualNetwork();
  const env = { ...project.env, UPKEEP_OWNER: OWNER, UPKEEP_API_KEY: API_KEY, XDG_STATE_HOME: stateHomeOf(project.folder) };
  const { documents } = await plan({ project: project.folder, env, fetch });
  return { trips, plan: documents[0], requests: project.emulator.requests() };
}

test('a plan of an account costs three round trips at most, whatever it has to look for', async () => {
  const { trips, plan: planned, requests } = await planOfEverything(64);
  expect(planned?.summary.create).toBeGreaterThan(20);
  const paths = requests.map(({ path }) => path);
  // All that such a plan can send was sent: lists, settings, lookups of references, and spot checks of both collections.
  expect(paths.filter((path) => path === '/api2/asset/get')).toHaveLength(3);
  expect(paths.some((path) => /^\/api\/v3\/drm\/policy\//.test(path))).toBe(true);
  expect(paths.filter((path) => /^\/api\/v4\/linear-playlist\/./.test(path)).length).toBeGreaterThan(5);
  expect(trips.reduce((sum, count) => sum + count, 0)).toBe(requests.length);
  expect(trips.length).toBeLessThanOrEqual(3);
  // The lists, the settings, and the first lookup of each type of reference.
  expect(trips[0]).toBe(8);
});

test('a plan that resolves up to a thousand external IDs costs no more', async () => {
  const assets = ASSETS.slice(0, 1000).map((id, index) => ({ id, external_id: `ep-${index}` }));
  const entries = assets.map(({ external_id }) => ({ beam: { external_id } }));
  const numbered = Array.from({ length: 10 }, (_, index) => [`p${index}`, { playlist: entries.slice(index * 100, (index + 1) * 100) }]);
  const project = await createGitProject(config({ playlists: Object.fromEntries(numbered), drm_policies: POLICIES, ...SETTINGS }), {
    target: 'check: { assets: true, slicers: true }\nhttp: { requests_per_second: 0, concurrency: 64 }',
    seed: { playlist: { playlists: [], assets }, 'static-key': { live_slicers: ['studio-a'] } },
  });
  const { trips, plan: planned } = await planOverNetwork(project);
  expect(planned?.summary.create).toBe(12);
  expect(trips[0]).toBe(1);
  expect(trips.length).toBeLessThanOrEqual(3);
});

test('with `concurrency: 1` the account is read by one request after the other', async () => {
  const { trips, requests } = await planOfEverything(1);
  expect(trips).toEqual(requests.map(() => 1));
});
