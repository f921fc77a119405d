// What a run of stryker over one room found, folded into the table of all rooms.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import packageJson from '@stryker-mutator/core/package.json' with { type: 'json' };
import explained from './explained.json' with { type: 'json' };

const TABLE = new URL('results.json', import.meta.url);
const top = new URL('../../', import.meta.url);

/** Folds what the report says of these files into results.json. Each counts with the text that was mutated, named by its SHA-256; a file without a mutant has no place in a report. */
export function fold(report, files) {
  const { files: known } = existsSync(TABLE) ? JSON.parse(readFileSync(TABLE, 'utf8')) : { files: {} };
  const rows = new Map(Object.entries(known).filter(([file]) => existsSync(new URL(file, top))));
  for (const file of files) {
    const { source, mutants } = report.files[file] ?? { source: readFileSync(new URL(file, top), 'utf8'), mutants: [] };
    rows.set(file, { ...rowOf(source, mutants), ...survivorsOf(file, source, mutants) });
  }
  const lines = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([file, row]) => `    ${JSON.stringify(file)}: ${JSON.stringify(row)}`);
  writeFileSync(TABLE, `{\n  "tool": "stryker ${packageJson.version}",\n  "files": {\n${lines.join(',\n')}\n  }\n}\n`);
}

/** `error` counts mutants with which a test file does not load: neither killed nor survived. */
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
