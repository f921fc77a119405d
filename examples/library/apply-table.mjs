// @ts-check
// Declares a playlist for each row of a table, and makes the account the same: validates, plans, looks at the plan, and applies it.
// It runs on the account that UPKEEP_BASE_URL, UPKEEP_OWNER and UPKEEP_API_KEY name, for example that of `upkeep emulate`, in a folder
// that it is given:
//
//     node apply-table.mjs FOLDER
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apply, drift, plan, UpkeepError, validate } from 'upkeep';

/** @import { Logger, Playlist, ProjectFile, SourceFile } from 'upkeep' */

const [folder = 'account'] = process.argv.slice(2);

/** The account. The compiler checks each key. @type {ProjectFile} */
const project = {
  version: 1,
  targets: {
    live: {
      base_url: process.env.UPKEEP_BASE_URL ?? '',
      credentials: { owner: { env: 'UPKEEP_OWNER' }, api_key: { env: 'UPKEEP_API_KEY' } },
      sources: ['sources'],
    },
  },
};

/** Returns the playlist of a row, by its key. @param {string} row @returns {[key: string, playlist: Playlist]} */
function playlistOf(row) {
  const [key = '', desc = '', beam = ''] = row.split(',');
  return [key, { desc, playlist: [{ beam }, { ad: 30 }] }];
}

/** Returns what the account should hold. @param {string} table @returns {SourceFile} */
function sourceOf(table) {
  const [, ...rows] = table.trim().split('\n');
  return { playlists: Object.fromEntries(rows.map(playlistOf)) };
}

/** @type {Logger} */
const logger = { log: (level, text) => console.error(`[${level}] ${text}`) };

async function main() {
  const table = await readFile(new URL('catalog.csv', import.meta.url), 'utf8');
  await mkdir(join(folder, 'sources'), { recursive: true });
  // Every JSON text is YAML.
  await writeFile(join(folder, 'upkeep.yaml'), JSON.stringify(project, null, 2));
  await writeFile(join(folder, 'sources/playlists.yaml'), JSON.stringify(sourceOf(table), null, 2));

  const options = { project: folder, logger };
  const checked = await validate(options);
  for (const { findings } of checked.documents) {
    for (const { severity, file, line, summary } of findings) console.log(`${severity}: ${file}:${line}: ${summary}`);
  }
  if (checked.exit !== 'done') return checked.code;

  const planned = await plan(options);
  for (const { target, risks, changes } of planned.documents) {
    console.log(`plan of ${target}: ${changes.length} changes. ${risks}`);
    for (const { action, address } of changes) console.log(`  ${action} ${address}`);
  }
  // A program decides for itself what it lets through; `blocked` and `incomplete` are two more names.
  if (planned.exit === 'done') return 0;
  if (planned.exit !== 'changes') return planned.code;

  const applied = await apply({ ...options, plans: planned.documents });
  for (const { target, summary } of applied.documents)
    console.log(`apply of ${target}: ${summary.created} created, ${summary.failed} failed`);
  if (applied.exit !== 'done') return applied.code;

  const { exit } = await drift(options);
  console.log(`drift: ${exit}`);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof UpkeepError)) throw error;
  console.error(`${error.message}\n  what to do: ${error.hint}`);
  process.exitCode = 1;
}
