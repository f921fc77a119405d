/** The fault matrix as a table for people, as JSON for programs, and as figures. */
import type { Figure } from '../../support/figures.ts';
import { ATTEMPTS, CELLS, FAULTS, type Fault, impossible } from './cells.ts';
import type { CellRun } from './run-cell.ts';
import { USES, type Use } from './uses.ts';

/** Formats one block for each use, with a line for each fault and a column for each attempt; then the reasons for n/a, and the totals. */
export function matrixText(runs: readonly CellRun[]): string {
  const blocks = USES.map((use) => [
    `${use.name}  (${use.method} ${use.path}, to ${use.purpose})`,
    ...FAULTS.map((fault) => row(use, fault, runs)),
    '',
  ]);
  const sums = figuresOf(runs).map(({ name, value }) => `${name}: ${value}`);
  return `${[HEAD, '', ...blocks.flat(), ...reasons(), '', ...sums].join('\n')}\n`;
}

const HEAD = [
  'Exit code of the faulty apply, and the targets after it. A cell is marked with ! unless exit code and targets are as expected, no create or',
  'delete took effect twice, nothing undeclared was touched, requests had a limit, nothing arrived at another host, no answer was read beyond its bound, and quiet',
  'runs of apply and plan end with nothing left to do.',
].join('\n');

function row(use: Use, fault: Fault, runs: readonly CellRun[]): string {
  const found = ATTEMPTS.map((attempt) => {
    if (impossible({ use, fault, attempt }) !== null) return 'n/a';
    const run = runs.find(({ cell }) => cell.use === use && cell.fault === fault && cell.attempt === attempt);
    return run === undefined ? '-' : `${run.exit} ${accountOf(run)}${run.violations.length > 0 ? ' !' : ''}`;
  });
  return `  ${fault.name.padEnd(30)}${found.map((text) => text.padEnd(36)).join('')}`.trimEnd();
}

/** As before, as desired, or which is which. */
function accountOf({ cell, states }: CellRun): string {
  const [first] = states;
  if (states.every((state) => state === first)) return `as ${first}`;
  return cell.use.scene.targets.map(({ name }, index) => `${name} ${states[index]}`).join(', ');
}

function reasons(): readonly string[] {
  const counts = new Map<string, number>();
  for (const cell of CELLS) {
    const reason = impossible(cell);
    if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => `n/a, ${count} cells: ${reason}`);
}

/** The same without the runs themselves. */
export function matrixJson(runs: readonly CellRun[]): string {
  const cells = runs.map(({ cell: { use, fault, attempt }, exit, states, violations }) => {
    const { name, method, path } = use;
    return { use: name, method, path, kind: fault.name, attempt, exit, states, violations };
  });
  return `${JSON.stringify({ cells }, null, 1)}\n`;
}

/** What `npm run prove` shows. */
export function figuresOf(runs: readonly CellRun[]): readonly Figure[] {
  const proof = 'fault matrix';
  const impossibleCount = CELLS.filter((cell) => impossible(cell) !== null).length;
  const holding = runs.filter(({ violations }) => violations.length === 0).length;
  return [
    {
      proof,
      name: 'cells',
      value: CELLS.length,
      wanted: '18 endpoints x 54 faults x 3 attempts = 2,916 or more',
      holds: CELLS.length >= 2916,
    },
    { proof, name: 'cells n/a', value: impossibleCount, wanted: 'each with a reason', holds: impossibleCount < CELLS.length },
    {
      proof,
      name: 'cells run',
      value: runs.length,
      wanted: 'all that are possible',
      holds: runs.length === CELLS.length - impossibleCount,
    },
    { proof, name: 'cells that hold', value: holding, wanted: 'all that were run', holds: holding === runs.length },
  ];
}
