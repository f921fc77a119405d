/**
 * Reads reports of hostile documents with other programs: JUnit with libxml2 and junitparser, gauges with the client library of
 * Prometheus, and tables with Python. `.ci/run` installs them from Debian.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCsv, writeCell } from '../../src/core/config/expand/csv.ts';
import { type Format, render } from '../../src/report/index.ts';
import { temporaryFolder } from '../support/harness.ts';
import { sample } from '../support/property.ts';
import { OPTIONS } from './documents.ts';
import { hostileDocument, hostileText } from './hostile.ts';
import { readExposition } from './languages/exposition.ts';
import { readJunit } from './languages/junit.ts';

const PACKAGES = 'libxml2-utils python3-junitparser python3-prometheus-client';
/** The Python of Debian, which has the packages, even if another one comes first on the path. */
const PYTHON = '/usr/bin/python3';

const isHere = [spawnSync('xmllint', ['--version']), spawnSync(PYTHON, ['-c', 'import junitparser, prometheus_client.parser'])].every(
  ({ status }) => status === 0,
);
if (!isHere) process.stderr.write(`The reports were not read by other programs, which are not here: apt-get install ${PACKAGES}\n`);

test('CI has the programs that read JUnit and Prometheus reports', () => {
  expect(isHere || (process.env.CI ?? '') === '', `apt-get install ${PACKAGES}`).toBe(true);
});

/** Renders reports of hostile documents, one or two in each. */
function reports(format: Format): readonly string[] {
  const samples = sample(fc.array(hostileDocument, { minLength: 1, maxLength: 2 }), 60);
  return samples.map((documents) => render(documents, format, OPTIONS));
}

/** Runs a Python program that returns a number, or a list, for each text. */
function python(program: string, texts: readonly string[]): unknown {
  const whole = `import json, sys\n${program}\njson.dump([number(text) for text in json.load(sys.stdin)], sys.stdout)`;
  return JSON.parse(execFileSync(PYTHON, ['-c', whole], { input: JSON.stringify(texts) }).toString());
}

test.runIf(isHere)('libxml2 accepts every JUnit report, and junitparser reads all its tests', () => {
  const texts = reports('junit');
  const folder = temporaryFolder();
  const files = texts.map((text, index) => {
    const file = join(folder, `${index}.xml`);
    writeFileSync(file, text);
    return file;
  });
  expect(spawnSync('xmllint', ['--noout', ...files]).stderr.toString()).toBe('');
  const program =
    'from junitparser import JUnitXml\nnumber = lambda text: sum(len(list(suite)) for suite in JUnitXml.fromstring(text.encode()))';
  expect(python(program, texts)).toEqual(texts.map((text) => readJunit(text).children.flatMap(({ children }) => children).length));
});

test.runIf(isHere)("Python's csv reads the cells that an export writes, and so does upkeep", () => {
  // A source is text without control characters, and a line break in it is LF.
  const cell = hostileText.map((text) => text.replace(/[^\P{Cc}\n\t]|\p{Cs}/gu, ''));
  const tables = sample(fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 4 }), 60);
  const texts = tables.map((rows) => rows.map((row) => `${['key', ...row].map((cell) => writeCell(cell, false)).join(',')}\n`).join(''));
  const program = 'import csv, io\nnumber = lambda text: list(csv.reader(io.StringIO(text, newline="")))';
  const written = tables.map((rows) => rows.map((row) => ['key', ...row]));
  expect(python(program, texts)).toEqual(written);
  const read = texts.map((text) => parseCsv(Buffer.from(text)));
  const withTrimmedHeader = ([header = [], ...rows]: readonly (readonly string[])[]) => [header.map((name) => name.trim()), ...rows];
  expect(read.map((table) => ('fault' in table ? table.fault : [table.header, ...table.rows]))).toEqual(written.map(withTrimmedHeader));
});

test.runIf(isHere)('the client library of Prometheus reads all samples', () => {
  const texts = reports('prometheus');
  const program =
    'from prometheus_client.parser import text_string_to_metric_families as read\nnumber = lambda text: sum(len(family.samples) for family in read(text))';
  expect(python(program, texts)).toEqual(texts.map((text) => readExposition(text).length));
});
