/**
 * Properties and samples that can be repeated. `npm test` draws the same examples each time and `npm run prove` fresh ones; a failure prints
 * the line that repeats it. `UPKEEP_SEED` and `UPKEEP_PATH` choose the examples, `UPKEEP_RUNS` limits their number.
 */
import { relative } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFailed } from 'vitest';
import { proving, rounds } from './figures.ts';

/** The seed of all random choices in this process. */
export const seed = wholeNumber('UPKEEP_SEED') ?? (proving ? Date.now() % 2 ** 31 : 20_261_122);

/** The only example to run: the path that a failure printed, or undefined for all examples. */
export const replayPath = process.env.UPKEEP_PATH;

const maxRuns = wholeNumber('UPKEEP_RUNS') ?? Number.POSITIVE_INFINITY;

/** The settings of one property. */
export interface PropertySettings<Example> {
  /** The number of examples, by default 50 in `npm test` and 400 in `npm run prove`. */
  readonly numRuns?: number;
  /** Examples that come before the random ones. */
  readonly examples?: Example[];
  /** By default the seed of this process. */
  readonly seed?: number;
}

/**
 * Asserts that a property holds for all examples.
 *
 * @throws Error naming the counterexample, and the line that repeats it
 */
export function assertProperty<Example>(property: fc.IProperty<Example>, settings: PropertySettings<Example> = {}): void {
  fc.assert(property, parametersOf(settings));
}

/** Asserts like `assertProperty` that a property of promises holds. */
export async function assertAsyncProperty<Example>(
  property: fc.IAsyncProperty<Example>,
  settings: PropertySettings<Example> = {},
): Promise<void> {
  await fc.assert(property, parametersOf(settings));
}

function parametersOf<Example>({ numRuns = rounds(50, 400), ...settings }: PropertySettings<Example>): fc.Parameters<Example> {
  return {
    seed,
    ...settings,
    numRuns: Math.min(numRuns, maxRuns),
    ...(replayPath === undefined ? {} : { path: replayPath, endOnFailure: true }),
    reporter: throwIfFailed,
  };
}

const codePoint = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 0xff }) },
  { weight: 4, arbitrary: fc.integer({ min: 0x100, max: 0xffff }).filter((code) => code < 0xd800 || code > 0xdfff) },
  { weight: 1, arbitrary: fc.integer({ min: 0x10000, max: 0x10ffff }) },
);

/** Returns an arbitrary of texts of any Unicode characters. It is ready in no time, unlike the unit `binary` of fast-check. */
export function anyText(constraints: { readonly minLength?: number; readonly maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: codePoint.map((code) => String.fromCodePoint(code)) });
}

/** Returns examples of an arbitrary; a test that fails with them prints the line that repeats it. Called within a test. */
export function sample<Example>(arbitrary: fc.Arbitrary<Example>, count: number): Example[] {
  printReplayOnFailure();
  return fc.sample(arbitrary, { numRuns: count, seed });
}

/** Returns the numbers of examples that are drawn by number: 0 to `count` - 1, or only that of `UPKEEP_PATH`. */
export function runNumbers(count: number): readonly number[] {
  return replayPath === undefined ? Array.from({ length: count }, (_, number) => number) : [Number(replayPath)];
}

/** Prints the line that repeats the current test with the seed of this process, if the test fails. */
export function printReplayOnFailure(): void {
  const line = replayLine(seed);
  onTestFailed(() => void process.stderr.write(`\nRepeat with: ${line}\n`));
}

/** Returns the command that repeats the current test with a seed and, where it is known, the path to one example. */
export function replayLine(usedSeed: number, path?: string | null): string {
  const { testPath = '', currentTestName = '' } = expect.getState();
  const title = currentTestName.replaceAll(' > ', ' ').replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
  const settings = [...(proving ? ['UPKEEP_PROVE=1'] : []), `UPKEEP_SEED=${usedSeed}`, ...(path ? [`UPKEEP_PATH=${path}`] : [])];
  return `${settings.join(' ')} npx vitest run ${relative(process.cwd(), testPath)} -t '${title.replaceAll("'", "'\\''")}'`;
}

function throwIfFailed<Example>(details: fc.RunDetails<Example>): void {
  if (!details.failed) return;
  const message = `${fc.defaultReportMessage(details)}\nRepeat with: ${replayLine(details.seed, details.counterexamplePath)}`;
  throw new Error(message, { cause: details.errorInstance });
}

function wholeNumber(variable: string): number | undefined {
  const text = process.env[variable];
  if (text === undefined || text === '') return undefined;
  if (!/^-?\d{1,15}$/.test(text)) throw new Error(`${variable} is a whole number`);
  return Number(text);
}
