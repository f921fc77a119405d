/** The fault matrix: a sample in `npm test`, all of it in `npm run prove`. */
import { writeFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { emulatedKinds } from '../../../src/emulator/kinds/index.ts';
import { searched } from '../../support/canary.ts';
import { proving, record, rounds } from '../../support/figures.ts';
import { stage } from '../../support/harness.ts';
import { ATTEMPTS, CELLS, type Cell, FAULTS, impossible } from './cells.ts';
import { unbounded } from './checks.ts';
import { startElsewhere } from './elsewhere.ts';
import { type CellRun, hangs, type Keeping, runCell } from './run.ts';
import { figuresOf, matrixJson, matrixText } from './table.ts';
import { USES } from './uses.ts';

/** Cells under way at once: most of their time is waiting; with a ledger most of it is git. */
const WIDTH = { 'no ledger': 32, 'a ledger': 4 };

const possible = CELLS.filter(({ use, fault }) => impossible(use, fault) === null);

/** Each fault once, each with another use than the one before; then the uses that none of them has met. */
function sample(): readonly Cell[] {
  const faulty = FAULTS.flatMap((fault, place) => {
    const attempt = ATTEMPTS[place % ATTEMPTS.length];
    return turned(possible, 67 * place).find((cell) => cell.fault === fault && cell.attempt === attempt) ?? [];
  });
  const unused = USES.filter((use) => !faulty.some((cell) => cell.use === use));
  return [...faulty, ...unused.flatMap((use, place) => turned(possible, 67 * place).find((cell) => cell.use === use) ?? [])];
}

/** The list from another place on, and round. */
function turned<Item>(items: readonly Item[], by: number): readonly Item[] {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

/** Those that hang go first, and so by themselves where there are many: no sound answer should be late for want of a processor. */
async function runAll(cells: readonly Cell[], keeping: Keeping): Promise<readonly CellRun[]> {
  const elsewhere = await startElsewhere();
  const queue = [...cells.filter(hangs), ...cells.filter((cell) => !hangs(cell))].values();
  const runs: CellRun[] = [];
  const worker = async (): Promise<void> => {
    for (const cell of queue) runs.push(await runCell(cell, elsewhere, keeping));
  };
  await Promise.all(Array.from({ length: WIDTH[keeping] }, worker));
  await elsewhere.close();
  expect(elsewhere.arrived, 'redirects are never followed').toEqual([]);
  return runs;
}

test('every endpoint of both APIs has its row', () => {
  const routes = emulatedKinds.flatMap((emulatedKind) =>
    emulatedKind.routes.map(({ method, path }) => `${method} ${path.replace(':id', '*')}`),
  );
  expect(routes).toHaveLength(18);
  expect([...new Set(USES.map(({ method, path }) => `${method} ${path}`))].sort()).toEqual(routes.sort());
});

test('a request at another host, and an answer that is read without bound, would be noticed', async () => {
  const elsewhere = await startElsewhere();
  await fetch(`${elsewhere.url}/stolen?sig=1`);
  expect(elsewhere.arrived).toEqual(['GET /stolen?sig=1']);
  await elsewhere.close();
  const { emulator } = await stage({}, { faults: [{ flood: 100 }] });
  await (await fetch(`${emulator.url}/api/v3/drm/policies`)).arrayBuffer();
  expect(unbounded(emulator)).toHaveLength(1);
});

const chosen = proving ? possible : sample();

test('the sample holds each use and each fault', () => {
  expect(new Set(sample().map(({ use }) => use)).size).toBe(USES.length);
  expect(new Set(sample().map(({ fault }) => fault)).size).toBe(FAULTS.length);
});

test(`${chosen.length} cells hold`, { timeout: rounds(120_000, 3_600_000) }, async () => {
  const runs = await runAll(chosen, 'no ledger');
  const file = process.env.UPKEEP_MATRIX;
  if (file) {
    writeFileSync(file, matrixText(runs));
    writeFileSync(`${file}.json`, matrixJson(runs));
  }
  for (const figure of figuresOf(runs)) record(figure);
  expect(broken(runs)).toEqual([]);
  expect(runs).toHaveLength(chosen.length);
});

/** With a ledger every run starts git some thirty times, so a part of the cells must do. */
const recorded = sample().filter((_, place) => proving || place % 8 === 0);

test(`${recorded.length} cells hold with a ledger too`, { timeout: rounds(120_000, 1_200_000) }, async () => {
  const runs = await runAll(recorded, 'a ledger');
  expect(broken(runs)).toEqual([]);
  expect(runs).toHaveLength(recorded.length);
});

function broken(runs: readonly CellRun[]): readonly string[] {
  return runs.flatMap(({ cell: { use, fault, attempt }, violations }) =>
    violations.map((violation) => `${use.name} x ${fault.name} x ${attempt}: ${violation}`),
  );
}

afterAll(() => {
  const { secrets, texts, leaks } = searched;
  const name = `leaks, fault matrix: ${secrets} secrets in ${texts} texts of ${chosen.length + recorded.length} cells`;
  record({ proof: 'secrets', name, value: leaks, wanted: '0', holds: leaks === 0 && texts > chosen.length });
});
