/** The fault matrix: a sample in `npm test`, all of it in `npm run prove`. */
import { writeFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { emulatedKinds } from '../../../src/emulator/kinds/index.ts';
import { searched } from '../../support/canary.ts';
import { proving, record, rounds } from '../../support/figures.ts';
import { createTestProject } from '../../support/harness.ts';
import { atMost } from '../../support/patience.ts';
import { ATTEMPTS, CELLS, type Cell, FAULTS, impossible } from './cells.ts';
import { oversizedReads } from './checks.ts';
import { startRedirectHost } from './redirect-host.ts';
import { type CellRun, hasTimeout, type LedgerUse, runCell } from './run-cell.ts';
import { figuresOf, matrixJson, matrixText } from './table.ts';
import { USES } from './uses.ts';

/** Cells under way at once: most of their time is waiting; with a ledger most of it is git. */
const WIDTH = { 'no ledger': 32, 'a ledger': 4 };

const possible = CELLS.filter((cell) => impossible(cell) === null);

/** Each fault once, each with another use than the one before; then the uses that none of them has met. */
function sample(): readonly Cell[] {
  const faulty = FAULTS.flatMap((fault, index) => {
    const cells = rotate(possible, 67 * index).filter((cell) => cell.fault === fault);
    return cells.find(({ attempt }) => attempt === ATTEMPTS[index % ATTEMPTS.length]) ?? cells.slice(0, 1);
  });
  const unused = USES.filter((use) => !faulty.some((cell) => cell.use === use));
  return [...faulty, ...unused.flatMap((use, index) => rotate(possible, 67 * index).find((cell) => cell.use === use) ?? [])];
}

/** The list from another place on, and round. */
function rotate<Item>(items: readonly Item[], by: number): readonly Item[] {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

/** Runs all cells. Those with a timeout run first, and thus among themselves, so that other responses are not delayed. */
async function runAll(cells: readonly Cell[], keeping: LedgerUse): Promise<readonly CellRun[]> {
  const redirectHost = await startRedirectHost();
  const queue = [...cells.filter(hasTimeout), ...cells.filter((cell) => !hasTimeout(cell))].values();
  const runs: CellRun[] = [];
  const worker = async (): Promise<void> => {
    for (const cell of queue) runs.push(await runCell(cell, redirectHost, keeping));
  };
  await Promise.all(Array.from({ length: WIDTH[keeping] }, worker));
  await redirectHost.close();
  expect(redirectHost.received, 'redirects are never followed').toEqual([]);
  return runs;
}

test('the fault matrix has a row for every endpoint of both APIs', () => {
  const routes = emulatedKinds.flatMap((emulatedKind) =>
    emulatedKind.routes.map(({ method, path }) => `${method} ${path.replace(':id', '*')}`),
  );
  expect(routes).toHaveLength(18);
  expect([...new Set(USES.map(({ method, path }) => `${method} ${path}`))].sort()).toEqual(routes.sort());
});

test('the fault matrix notices a request to another host, and a response that is read without limit', async () => {
  const redirectHost = await startRedirectHost();
  await fetch(`${redirectHost.url}/stolen?sig=1`);
  expect(redirectHost.received).toEqual(['GET /stolen?sig=1']);
  await redirectHost.close();
  const { emulator } = await createTestProject({}, { faults: [{ flood: 100 }] });
  await (await fetch(`${emulator.url}/api/v3/drm/policies`)).arrayBuffer();
  expect(oversizedReads(emulator)).toHaveLength(1);
});

const cells = proving ? possible : sample();

test('the sample of the fault matrix contains each use and each fault', () => {
  expect(new Set(sample().map(({ use }) => use)).size).toBe(USES.length);
  expect(new Set(sample().map(({ fault }) => fault)).size).toBe(FAULTS.length);
});

test(`all ${cells.length} cells of the fault matrix pass`, { timeout: atMost(rounds(240_000, 3_600_000)) }, async () => {
  const runs = await runAll(cells, 'no ledger');
  const file = process.env.UPKEEP_MATRIX;
  if (file) {
    writeFileSync(file, matrixText(runs));
    writeFileSync(`${file}.json`, matrixJson(runs));
  }
  for (const figure of figuresOf(runs)) record(figure);
  expect(violationsOf(runs)).toEqual([]);
  expect(runs).toHaveLength(cells.length);
});

/** With a ledger every run starts git some thirty times, so a part of the cells must do. */
const ledgerCells = sample().filter((_, index) => proving || index % 11 === 0);

test(`all ${ledgerCells.length} sampled cells of the fault matrix pass with a ledger`, {
  timeout: atMost(rounds(240_000, 1_200_000)),
}, async () => {
  const runs = await runAll(ledgerCells, 'a ledger');
  expect(violationsOf(runs)).toEqual([]);
  expect(runs).toHaveLength(ledgerCells.length);
});

function violationsOf(runs: readonly CellRun[]): readonly string[] {
  return runs.flatMap(({ cell: { use, fault, attempt }, violations }) =>
    violations.map((violation) => `${use.name} x ${fault.name} x ${attempt}: ${violation}`),
  );
}

afterAll(() => {
  const { secrets, texts, leaks } = searched;
  const name = `leaks, fault matrix: ${secrets} secrets in ${texts} texts of ${cells.length + ledgerCells.length} cells`;
  record({ proof: 'secrets', name, value: leaks, wanted: '0', holds: leaks === 0 && texts > cells.length });
});
