// How long a command takes that does next to nothing, in processor time, which a noisy machine disturbs least.
import { fileURLToPath } from 'node:url';
import { inTurn, measured, PROGRAM, ratio } from './process.mjs';

const EXAMPLE = fileURLToPath(new URL('../../examples/streaming-account', import.meta.url));

/** Measures `--help` and `validate` of the example beside `node -e 0`. */
export async function starts({ runs }) {
  const node =
    (...argv) =>
    () =>
      measured(argv, { cwd: EXAMPLE });
  // These take tens of milliseconds: more runs cost little, and say more.
  const [bare, help, validate] = await inTurn([node('-e', '0'), node(PROGRAM, '--help'), node(PROGRAM, 'validate')], runs * 3);
  return {
    measures: [
      { name: 'node -e 0', ...bare },
      { name: 'upkeep --help', ...help },
      { name: 'upkeep validate of the example', ...validate },
    ],
    targets: [
      { name: '--help: cpu, times node -e 0', value: ratio(help, bare, 'cpu'), most: 1.6 },
      { name: 'validate: cpu, times node -e 0', value: ratio(validate, bare, 'cpu'), most: 4 },
    ],
  };
}
