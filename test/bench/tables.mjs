// What playlists cost that are rows of a CSV file, beside the same playlists in YAML: in processor time, which a noisy machine disturbs least.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seedOf, writeProject, writeSources, writeTable } from './account.mjs';
import { inTurn, measured, PROGRAM, ratio, startEmulator } from './process.mjs';

const ROWS = 10_000;
const SIZE = { playlists: ROWS, smartStarts: 0, policies: 0 };

/** Measures `validate` and `plan` of an account in both forms, in which nothing has changed. */
export async function tables(folder, { runs }) {
  const [yaml, csv] = ['as-yaml', 'as-csv'].map((name) => join(folder, name));
  for (const each of [yaml, csv]) mkdirSync(each, { recursive: true });
  writeSources(yaml, SIZE);
  writeTable(csv, ROWS);
  writeFileSync(join(folder, 'seed.json'), JSON.stringify(seedOf(SIZE)));
  const emulator = await startEmulator(folder, 'seed.json');
  for (const each of [yaml, csv]) writeProject(each, emulator.url);
  const run = (command, cwd) => () => measured([PROGRAM, command, '--format', 'json'], { cwd });
  for (const cwd of [yaml, csv]) {
    const { stdout } = await run('plan', cwd)();
    const [document] = [JSON.parse(stdout)].flat();
    const { changes, summary } = document;
    if (changes.length > 0 || summary.unchanged !== ROWS)
      throw new Error(`the plan has ${changes.length} changes and ${summary.unchanged} unchanged playlists`);
  }
  const forms = [run('validate', yaml), run('validate', csv), run('plan', yaml), run('plan', csv)];
  const [validateYaml, validateCsv, planYaml, planCsv] = await inTurn(forms, runs);
  await emulator.stop();
  const target = (command, one, other) => ({
    name: `${command} of ${ROWS} rows of CSV: cpu, times the same in YAML`,
    value: ratio(one, other, 'cpu'),
    most: 1.5,
  });
  return {
    measures: [
      { name: `validate of ${ROWS} playlists in YAML`, ...validateYaml },
      { name: `validate of ${ROWS} rows of CSV`, ...validateCsv },
      { name: `plan of ${ROWS} playlists in YAML`, ...planYaml },
      { name: `plan of ${ROWS} rows of CSV`, ...planCsv },
    ],
    targets: [target('validate', validateCsv, validateYaml), target('plan', planCsv, planYaml)],
  };
}
