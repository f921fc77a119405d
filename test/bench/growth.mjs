// What a small configuration can cost that was shaped to be expensive: `validate` at three sizes, up to 1 MiB.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeProject } from './account.mjs';
import { inTurn, measured, PROGRAM, ratio } from './process.mjs';
import { SHAPES } from './shapes.mjs';

const SIZES = [256, 512, 1024];
/** Codes of a configuration that is valid, and of one that is not. */
const EXITS = [0, 8];

/** Measures each shape at each size. */
export async function growth(folder, { runs }) {
  const measures = [];
  const ratios = [];
  for (const [name, shape] of Object.entries(SHAPES)) {
    const programs = SIZES.map((kib) => {
      const cwd = join(folder, `shape-${Object.keys(SHAPES).indexOf(name)}-${kib}`);
      writeShape(cwd, shape(kib));
      return () => measured([PROGRAM, 'validate'], { cwd, exits: EXITS });
    });
    const found = await inTurn(programs, runs);
    measures.push(...found.map((each, index) => ({ name: `validate of ${SIZES[index]} KiB: ${name}`, ...each })));
    ratios.push(ratio(found[2], found[0], 'cpu'));
  }
  return {
    measures,
    targets: [
      { name: 'validate of any shape of 1 MiB: peak MiB', value: Math.max(...measures.map(({ mib }) => mib)), most: 600 },
      { name: 'validate of any shape of 1 MiB: cpu, times that of a quarter', value: Math.max(...ratios), most: 4.4 },
    ],
  };
}

/** Writes a project with these sources, and a long variable `v`. */
export function writeShape(folder, files) {
  mkdirSync(join(folder, 'config'), { recursive: true });
  writeProject(folder, 'https://services.example.com', [`vars: { v: ${'x'.repeat(4_000)} }`]);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, 'config', file), text);
}
