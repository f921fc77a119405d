// The figures of the mutation tests, as kept in results.json: one row for each source file.
import { readFileSync, writeFileSync } from 'node:fs';
import packageJson from '@stryker-mutator/core/package.json' with { type: 'json' };
import { folderOf, sourceDigest, sources, testDigest } from './scope.mjs';

const FILE = new URL('results.json', import.meta.url);

function rowsOf() {
  return new Map(Object.entries(JSON.parse(readFileSync(FILE, 'utf8')).files));
}

/** Returns the rows whose source, tests, helpers and tools are still the same. */
export function currentRows() {
  return new Map([...rowsOf()].filter(([source, row]) => sources.includes(source) && isCurrent(source, row)));
}

function isCurrent(source, row) {
  return row.source === sourceDigest(source) && row.tests === testDigest(folderOf(source));
}

/** Writes the rows of these files, from a report of stryker, into results.json. Rows of files that are not measured are dropped. */
export function store(report, files) {
  const rows = new Map([...rowsOf()].filter(([source]) => sources.includes(source)));
  for (const source of files) rows.set(source, rowOf(source, report.files[source]?.mutants ?? []));
  const lines = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([source, row]) => `    ${JSON.stringify(source)}: ${rowText(row)}`);
  writeFileSync(FILE, `{\n  "tool": "stryker ${packageJson.version}",\n  "files": {\n${lines.join(',\n')}\n  }\n}\n`);
}

/** `error` counts mutants with which no test file loads: neither killed nor survived. */
function rowOf(source, mutants) {
  const count = (...statuses) => mutants.filter((mutant) => statuses.includes(mutant.status)).length;
  const lines = readFileSync(new URL(`../../${source}`, import.meta.url), 'utf8').split('\n');
  const survivors = mutants
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map(({ location, mutatorName, replacement }) => ({
      line: location.start.line,
      text: lines[location.start.line - 1].trim(),
      mutator: mutatorName,
      replacement,
    }));
  return {
    date: new Date().toISOString().slice(0, 10),
    source: sourceDigest(source),
    tests: testDigest(folderOf(source)),
    killed: count('Killed'),
    timeout: count('Timeout'),
    error: count('RuntimeError', 'CompileError'),
    survivors,
  };
}

/** A row in one line, each survivor in one of its own. */
function rowText({ survivors, ...row }) {
  if (survivors.length === 0) return JSON.stringify({ ...row, survivors });
  const lines = survivors.map((survivor) => `      ${JSON.stringify(survivor)}`);
  return `${JSON.stringify(row).slice(0, -1)},"survivors":[\n${lines.join(',\n')}\n    ]}`;
}
