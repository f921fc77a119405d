// npm run bench -- [playlists ...] [--peer] [--runs N] [--json FILE] [--part NAME ...]: speed and memory of the built command line against the emulator.
// Without numbers 1,000, 10,000 and 100,000 playlists. Ratios are what counts: what is compared runs in turn, and the medians are shown.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { applies } from './applies.mjs';
import { diffs } from './diffs.mjs';
import { growth } from './growth.mjs';
import { link } from './link.mjs';
import { plans } from './plans.mjs';
import { reports } from './reports.mjs';
import { starts } from './starts.mjs';
import { measuresTable, targetsTable, verdictOf } from './table.mjs';
import { tables } from './tables.mjs';
import { targets as manyTargets } from './targets.mjs';
import { missing } from './terraform.mjs';

const SIZES = [1_000, 10_000, 100_000];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    peer: { type: 'boolean', default: false },
    runs: { type: 'string', default: '5' },
    json: { type: 'string' },
    part: {
      type: 'string',
      multiple: true,
      default: ['starts', 'plans', 'tables', 'diffs', 'targets', 'applies', 'reports', 'link', 'growth'],
    },
  },
});
const sizes = positionals.length === 0 ? SIZES : positionals.map((word) => Number(word.replaceAll(',', '')));
const runs = Number(values.runs);
if (![...sizes, runs].every((number) => Number.isInteger(number) && number > 0))
  throw new Error('sizes and runs are whole numbers above 0');
const peer = values.peer ? (missing() ?? true) : undefined;
if (typeof peer === 'string') console.error(`without the peer: ${peer}`);

/** Each part of the benchmark: measured rows, and what they say of the targets. */
const PARTS = {
  starts: () => starts({ runs }),
  plans: allPlans,
  tables: (folder) => tables(folder, { runs }),
  diffs: (folder) => diffs(folder, { runs }),
  targets: (folder) => manyTargets(folder, { runs }),
  applies: (folder) => applies(folder, { runs }),
  reports: (folder) => reports(folder, { runs }),
  link: (folder) => link(folder, { runs }),
  growth: (folder) => growth(folder, { runs }),
};

/** All sizes, and how the largest compares with the one before it. */
async function allPlans(folder) {
  const all = [];
  for (const size of sizes) all.push({ size, ...(await plans(folder, size, { runs, peer })) });
  const [ten, hundred] = [10_000, 100_000].map((size) => all.find((each) => each.size === size)?.cold);
  const growth = { name: 'plan of 100000: times the plan of 10000', value: ten && hundred && hundred.wall / ten.wall, most: 11 };
  return {
    measures: all.flatMap(({ measures }) => measures),
    targets: [...all.flatMap(({ targets }) => targets), ...(growth.value === undefined ? [] : [growth])],
  };
}

const found = [];
const folder = mkdtempSync(join(tmpdir(), 'upkeep-bench-'));
try {
  for (const part of values.part) {
    console.error(`measuring ${part} ...`);
    found.push(await PARTS[part](folder));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const measures = found.flatMap((part) => part.measures);
const targets = found.flatMap((part) => part.targets);
const machine = { node: process.version, cpus: cpus().length, model: cpus()[0]?.model ?? '' };
console.log(`\nNode ${machine.node}, ${machine.cpus} processors (${machine.model}), medians of ${runs} runs\n`);
console.log(`${measuresTable(measures)}\n\n${targetsTable(targets)}\n`);
if (values.json !== undefined) {
  const plain = measures.map(({ each: _, stdout: __, stderr: ___, floor, ...rest }) => ({
    ...rest,
    ...(floor ? { floor: { wall: floor.wall, cpu: floor.cpu, mib: floor.mib } } : {}),
  }));
  const document = { machine, runs, measures: plain, targets: targets.map((target) => ({ ...target, verdict: verdictOf(target) })) };
  writeFileSync(values.json, `${JSON.stringify(document, null, 2)}\n`);
}
