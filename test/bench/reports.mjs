// What it costs to report many changes, beyond finding them: in processor time, since the two runs differ in nothing else.
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seedOf, writeProject, writeSources } from './account.mjs';
import { inTurn, measured, median, PROGRAM, startEmulator } from './process.mjs';

const CHANGES = 10_000;

/** Seconds that each format may take. */
const SECONDS = { text: 1, markdown: 1, json: 1, html: 2 };

/** Measures each format of a plan of 10,000 changes beside the same plan, of which only the counts are told. */
export async function reports(folder, { runs }) {
  const size = { playlists: CHANGES, smartStarts: 0, policies: 0 };
  // No two changes are equal, so that none becomes part of another's entry.
  writeSources(folder, { ...size, repeat: (n) => n + 1 });
  writeFileSync(join(folder, 'seed.json'), JSON.stringify(seedOf(size)));
  const emulator = await startEmulator(folder, 'seed.json');
  writeProject(folder, emulator.url);
  const plan = (...flags) => measured([PROGRAM, 'plan', ...flags], { cwd: folder });
  const formats = Object.keys(SECONDS);
  const silent = () => plan('--format', 'prometheus');
  const [without, ...shown] = await inTurn([silent, ...formats.map((format) => () => plan('--format', format))], runs);
  await plan('--out', 'html=report.html');
  await emulator.stop();
  const beyond = (one) => median(one.each.map((run, index) => run.cpu - without.each[index].cpu));
  return {
    measures: [
      { name: `plan of ${CHANGES} changes, only counted`, ...without },
      ...formats.map((format, index) => ({ name: `the same as ${format}`, ...shown[index] })),
    ],
    targets: [
      ...formats.map((format, index) => ({
        name: `${format} of ${CHANGES} changes: cpu seconds beyond the plan`,
        value: beyond(shown[index]),
        most: SECONDS[format],
      })),
      { name: `html of ${CHANGES} changes: MB`, value: statSync(join(folder, 'report.html')).size / 1e6, most: 10 },
    ],
  };
}
