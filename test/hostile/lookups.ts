/** The look-ups' side of hostile input: what the service says of assets and slicers (`check`, `export --assets`), changed on its way. */
import type { Liar } from './answers.ts';
import { asset, SEED } from './corpus.ts';
import { objectionsTo, writesTo } from './oracle.ts';
import type { Surface } from './surfaces.ts';
import { openStand } from './test-project.ts';

/** The account with a library in which every reference of the project leads somewhere. */
const LIBRARY = {
  ...SEED,
  playlist: {
    playlists: SEED.playlist ?? [],
    assets: [1, 2, 10, 11, 20, 21].map((number) => ({ id: asset(number), desc: `Asset ${number}` })),
  },
  'static-key': { use_static_encryption_key: false, static_key_slicer_ids: [], live_slicers: ['studio-a', 'studio-b'] },
};

/** Commands that look things up, and the number of requests among which the look-ups are. */
const LOOKERS = [
  { argv: ['plan', '--format', 'json'], among: 2 },
  { argv: ['plan', '--format', 'text'], among: 2 },
  { argv: ['export', '--assets'], among: 7 },
] as const;

/** The surface, on a stand of its own. */
export async function lookUpSurface(liar: Liar): Promise<{ readonly surface: Surface; close(): Promise<void> }> {
  const stand = openStand({}, '    check: { assets: true, slicers: true }\n');
  const emulator = await stand.account(LIBRARY);
  const surface: Surface = {
    name: 'answer to a look-up',
    weight: 2,
    async feed(mutation, random) {
      const { argv, among } = random.of(LOOKERS);
      liar.distort(emulator.url, random.below(among), random.below(5) === 0, mutation);
      stand.write('upkeep.yaml', stand.project(liar.url));
      const ran = await stand.run(...argv);
      return [...objectionsTo(ran), ...writesTo(emulator)];
    },
  };
  return { surface, close: () => stand.close() };
}
