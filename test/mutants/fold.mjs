// What a run of stryker over one room found, folded into the table of all rooms.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import packageJson from '@stryker-mutator/core/package.json' with { type: 'json' };
import explained from './explained.json' with { type: 'json' };

const TABLE = new URL('results.json', import.meta.url);
const top = new URL('../../', import.meta.url);

/** Folds the report of a room, for example `kinds/playlist`, into results.json. Each file counts with the text that was mutated, named by its SHA-256. */
export function fold(room) {
  const report = JSON.parse(readFileSync(new URL(`.stryker-tmp/reports/${room.replaceAll('/', '-')}.json`, top), 'utf8'));
  const { files } = existsSync(TABLE) ? JSON.parse(readFileSync(TABLE, 'utf8')) : { files: {} };
  const rows = new Map(Object.entries(files).filter(([file]) => existsSync(new URL(file, top))));
  const found = sourcesIn(room).map((file) => [
    file,
    report.files[file] ?? { source: readFileSync(new URL(file, top), 'utf8'), mutants: [] },
  ]);
  for (const [file, { source, mutants }] of found) rows.set(file, { ...rowOf(source, mutants), ...survivorsOf(file, source, mutants) });
  const lines = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([file, row]) => `    ${JSON.stringify(file)}: ${JSON.stringify(row)}`);
  writeFileSync(TABLE, `{\n  "tool": "stryker ${packageJson.version}",\n  "files": {\n${lines.join(',\n')}\n  }\n}\n`);
}

/** The source files of a room, without those of the rooms within it. */
function sourcesIn(room) {
  const names = readdirSync(new URL(`src/${room}/`, top)).filter((name) => name.endsWith('.ts'));
  return names.map((name) => `src/${room}/${name}`);
}

/** `error` counts mutants with which no test file loads: neither killed nor survived. */
function rowOf(source, mutants) {
  const count = (status) => mutants.filter((mutant) => mutant.status === status).length;
  return {
    date: new Date().toISOString().slice(0, 10),
    sha256: createHash('sha256').update(source).digest('hex'),
    killed: count('Killed'),
    timeout: count('Timeout'),
    survived: count('Survived'),
    noCoverage: count('NoCoverage'),
    error: count('RuntimeError') + count('CompileError'),
  };
}

/** The survivors themselves, in the files where each of them has to be explained. */
function survivorsOf(file, source, mutants) {
  if (!explained.files.some((each) => file.startsWith(each))) return {};
  const lines = source.split('\n');
  const alive = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  const survivors = alive.map(({ location, mutatorName, replacement }) => ({
    line: lines[location.start.line - 1].trim(),
    mutator: mutatorName,
    replacement,
  }));
  return { survivors };
}
