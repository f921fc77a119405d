/**
 * The child process: feeds the requested mutants, one at a time, and reports violations. A parser may crash it; its parent knows the
 * mutant.
 */
import { mutate } from './mutate.ts';
import { type Random, randomOf } from './random.ts';
import { prototypePollution } from './run-checks.ts';
import { openSurfaces, type Surface } from './surfaces.ts';

/** Which mutant to feed. */
export interface MutantRequest {
  readonly seed: number;
  readonly number: number;
  /** Whether the report is to hold the mutant. */
  readonly show: boolean;
}

/** The result of a mutant; the first report only means that the worker is ready. */
export interface Report {
  readonly number: number;
  readonly surface: string;
  readonly violations: readonly string[];
  readonly tookMs: number;
  /** Largest memory of the process so far, MiB. */
  readonly memoryMib: number;
  /** The mutant, in base64, where it was requested. */
  readonly mutant: string;
}

const { all, originals } = await openSurfaces();
const others = originals.map((text) => Buffer.from(text));
const totalWeight = all.reduce((sum, { weight }) => sum + weight, 0);

const unhandledErrors: string[] = [];
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => unhandledErrors.push(`${event}: ${error instanceof Error ? error.stack : String(error)}`));
}

process.on('message', (request: MutantRequest) => {
  void feedMutant(request).then((report) => process.send?.(report));
});
process.send?.({ number: -1, surface: '', violations: [], tookMs: 0, memoryMib: 0, mutant: '' } satisfies Report);

async function feedMutant({ seed, number, show }: MutantRequest): Promise<Report> {
  const random = randomOf(seed, number);
  // The first mutants reach each surface once.
  const surface = all[number] ?? chooseSurface(random);
  let mutant: Buffer = Buffer.alloc(0);
  const startedAt = performance.now();
  const found = await surface
    .feed((original) => {
      mutant = mutate(Buffer.from(original), others, random);
      return mutant;
    }, random)
    .catch((error: unknown) => [`feeding threw ${error instanceof Error ? error.stack : String(error)}`]);
  const violations = [...found, ...prototypePollution(), ...unhandledErrors.splice(0)];
  return {
    number,
    surface: surface.name,
    violations,
    tookMs: Math.round(performance.now() - startedAt),
    memoryMib: Math.round(process.resourceUsage().maxRSS / 1024),
    mutant: show ? mutant.toString('base64') : '',
  };
}

/** A surface, by its weight. */
function chooseSurface(random: Random): Surface {
  let left = (random.below(1_000_000) / 1_000_000) * totalWeight;
  for (const surface of all) {
    if (left < surface.weight) return surface;
    left -= surface.weight;
  }
  return random.of(all);
}
