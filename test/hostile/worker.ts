/** The child process: feeds the mutants that it is told to, one at a time, and tells what did not hold. A parser may take it down; its parent knows at which mutant. */
import { mutate } from './mutate.ts';
import { pollution } from './oracle.ts';
import { type Random, randomOf } from './random.ts';
import { openSurfaces, type Surface } from './surfaces.ts';

/** Which mutant to feed. */
export interface Order {
  readonly seed: number;
  readonly number: number;
  /** Whether the report is to hold the mutant. */
  readonly show: boolean;
}

/** What came of a mutant; the first report says only that the worker is ready. */
export interface Report {
  readonly number: number;
  readonly surface: string;
  readonly objections: readonly string[];
  readonly tookMs: number;
  /** Largest memory of the process so far, MiB. */
  readonly memoryMib: number;
  /** The mutant, in base64, where it was asked for. */
  readonly mutant: string;
}

const { all, originals } = await openSurfaces();
const others = originals.map((text) => Buffer.from(text));
const heap = all.reduce((sum, { weight }) => sum + weight, 0);

const strays: string[] = [];
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => strays.push(`${event}: ${error instanceof Error ? error.stack : String(error)}`));
}

process.on('message', (order: Order) => {
  void fed(order).then((report) => process.send?.(report));
});
process.send?.({ number: -1, surface: '', objections: [], tookMs: 0, memoryMib: 0, mutant: '' } satisfies Report);

async function fed({ seed, number, show }: Order): Promise<Report> {
  const random = randomOf(seed, number);
  const surface = chosen(random);
  let mutant: Buffer = Buffer.alloc(0);
  const began = performance.now();
  const objections = await surface
    .feed((original) => {
      mutant = mutate(Buffer.from(original), others, random);
      return mutant;
    }, random)
    .catch((error: unknown) => [`feeding threw ${error instanceof Error ? error.stack : String(error)}`]);
  const found = [...objections, ...pollution(), ...strays.splice(0)];
  return {
    number,
    surface: surface.name,
    objections: found,
    tookMs: Math.round(performance.now() - began),
    memoryMib: Math.round(process.resourceUsage().maxRSS / 1024),
    mutant: show ? mutant.toString('base64') : '',
  };
}

/** A surface, by its weight. */
function chosen(random: Random): Surface {
  let left = (random.below(1_000_000) / 1_000_000) * heap;
  for (const surface of all) {
    if (left < surface.weight) return surface;
    left -= surface.weight;
  }
  return random.of(all);
}
