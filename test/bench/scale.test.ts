/** What grows with an account, and what must not: requests stay the same, and no step of the program is taken more often than twice for twice as many resources. */
import { describe, expect, test } from 'vitest';
import { emulatedKinds } from '../../src/emulator/kinds/index.ts';
import { startEmulator } from '../../src/emulator/server.ts';
import { API_KEY, OWNER, temporaryFolder } from '../support/harness.ts';
import { seedOf, writeProject, writeSources } from './account.mjs';
import { type Counts, counted, steep } from './counted.ts';

interface Size {
  readonly playlists: number;
  readonly smartStarts: number;
  readonly policies: number;
}

const LARGE: Size = { playlists: 1000, smartStarts: 200, policies: 100 };
const SMALL: Size = { playlists: 500, smartStarts: 100, policies: 50 };

/** Plans an account in which every playlist has this `repeat` while 0 is live, and a part of the playlists is missing. */
async function planned(size: Size, { repeat = 0, missing = 0 }: { readonly repeat?: number; readonly missing?: number } = {}) {
  const folder = temporaryFolder();
  const seed = seedOf({ ...size, playlists: size.playlists - missing });
  const emulator = await startEmulator({ emulatedKinds, accounts: [{ owner: OWNER, apiKey: API_KEY }], seed });
  try {
    writeSources(folder, { ...size, repeat });
    writeProject(folder, emulator.url);
    const { code, stdout, counts } = await counted(folder, 'plan', '--format', 'json');
    expect(code).toBe(0);
    const requests = emulator.requests().map(({ method, path }) => `${method} ${path}`);
    return { summary: JSON.parse(stdout).summary, requests, counts };
  } finally {
    await emulator.close();
  }
}

describe('an account of twice the size', () => {
  test('is planned with the same requests, one list for each collection', async () => {
    const [small, large] = [await planned(SMALL), await planned(LARGE)];
    expect(large.summary).toMatchObject({ create: 0, update: 0, delete: 0, unchanged: 1300 });
    expect(large.requests.toSorted()).toEqual(['GET /api/v3/drm/policies', 'GET /api/v4/linear-playlist']);
    expect(small.requests.toSorted()).toEqual(large.requests.toSorted());
    expect(large.counts.size).toBeGreaterThan(1000);
    expect(steep(small.counts, large.counts)).toEqual([]);
  });

  test('takes no step more than twice as often where much has changed, and at most 25 single reads', async () => {
    const small = await planned(SMALL, { repeat: 1, missing: 100 });
    const large = await planned(LARGE, { repeat: 1, missing: 200 });
    expect(large.summary).toMatchObject({ create: 200, update: 800 });
    expect(large.requests.length).toBe(small.requests.length);
    expect(large.requests.length).toBeLessThanOrEqual(2 + 25);
    expect(steep(small.counts, large.counts)).toEqual([]);
  });
});

test('a step that is taken for each pair is noticed', () => {
  const counts = (n: number): Counts =>
    new Map([
      ['each', n * 100],
      ['pairs', n * n],
    ]);
  expect(steep(counts(500), counts(1000))).toEqual(['pairs: 250000, then 1000000']);
});
