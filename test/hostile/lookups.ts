/** Hostile input of lookups: corrupted responses about assets and slicers (`check`, `export --assets`). */

import { asset, SEED } from './corpus.ts';
import type { CorruptingProxy } from './corrupting-proxy.ts';
import { findWrites, violationsOf } from './run-checks.ts';
import type { Surface } from './surfaces.ts';
import { openTestProject } from './test-project.ts';

/** The account with a library in which every reference of the project leads somewhere. */
const LIBRARY = {
  ...SEED,
  playlist: {
    playlists: SEED.playlist ?? [],
    assets: [1, 2, 10, 11, 20, 21].map((number) => ({ id: asset(number), desc: `Asset ${number}` })),
  },
  'static-key': { use_static_encryption_key: false, static_key_slicer_ids: [], live_slicers: ['studio-a', 'studio-b'] },
};

/** Commands with lookups, and the number of requests that include the lookups. */
const LOOKUP_COMMANDS = [
  { argv: ['plan', '--format', 'json'], among: 2 },
  { argv: ['plan', '--format', 'text'], among: 2 },
  { argv: ['export', '--assets'], among: 7 },
] as const;

/** Opens the surface, with a project of its own. */
export async function lookupSurface(proxy: CorruptingProxy): Promise<{ readonly surface: Surface; close(): Promise<void> }> {
  const project = openTestProject({}, '    check: { assets: true, slicers: true }\n');
  const emulator = await project.account(LIBRARY);
  const surface: Surface = {
    name: 'answer to a look-up',
    weight: 2,
    async feed(mutation, random) {
      const { argv, among: requestCount } = random.of(LOOKUP_COMMANDS);
      proxy.corrupt(emulator.url, random.below(requestCount), random.below(5) === 0, mutation);
      project.write('upkeep.yaml', project.projectFile(proxy.url));
      const ran = await project.run(...argv);
      return [...violationsOf(ran), ...findWrites(emulator)];
    },
  };
  return { surface, close: () => project.close() };
}
