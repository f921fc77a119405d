/** Runs once before the tests: generated validators that are missing, or of other schemas, would make single tests disagree with `npm test`. */
import { areValidatorsStale } from '../src/build/generate-validators.mjs';

export async function setup(): Promise<void> {
  if (!(await areValidatorsStale())) return;
  // A thrown error would be printed with the stack of vitest.
  process.stderr.write('the generated validators are not those of schemas/: run `npm run build`\n');
  process.exit(1);
}
