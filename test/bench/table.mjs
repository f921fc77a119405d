// What was measured, as rows and as sentences about the targets.

const number = (value, digits) => (value === undefined ? '' : value.toFixed(digits));

/** Measured rows in columns: `{ name, wall, cpu, mib, requests, floor }`, where the serial floor is measured beside it. */
export function measuresTable(measures) {
  const head = ['', 'wall s', 'cpu s', 'peak MiB', 'requests', 'serial floor wall s', 'cpu s', 'MiB'];
  const rows = measures.map(({ name, wall, cpu, mib, requests, floor }) => {
    return [
      name,
      number(wall, 3),
      number(cpu, 3),
      number(mib, 0),
      number(requests, 0),
      number(floor?.wall, 3),
      number(floor?.cpu, 3),
      number(floor?.mib, 0),
    ];
  });
  return columns([head, ...rows]);
}

/** Targets, each with what was found: `{ name, value, most?, least?, unit? }`; a value of undefined was not measured, `because` says why. */
export function targetsTable(targets) {
  const rows = targets.map((target) => {
    const wanted = target.most === undefined ? `at least ${target.least}` : `at most ${target.most}`;
    const value = target.value === undefined ? '-' : String(Math.round(target.value * 1000) / 1000);
    return [target.name, value, wanted, verdictOf(target)];
  });
  return columns([['target', 'found', 'wanted', ''], ...rows]);
}

/** Whether a target is met, in words. */
export function verdictOf({ value, most = Number.POSITIVE_INFINITY, least = Number.NEGATIVE_INFINITY, because }) {
  if (value === undefined) return `not measured: ${because}`;
  return value <= most && value >= least ? 'holds' : 'FALLS SHORT';
}

function columns(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
