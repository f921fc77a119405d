// Mutation tests, room by room: `npm run mutants` (hours), or `npm run mutants -- kinds/playlist service` for some rooms.
// What did not change since the last run on this machine is not tried again.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fold } from './fold.mjs';

const src = new URL('../../src/', import.meta.url);

/** The folders with source files at and below this one. */
function roomsAt(folder) {
  const entries = readdirSync(new URL(`${folder}/`, src), { withFileTypes: true });
  const below = entries.flatMap((entry) => (entry.isDirectory() ? roomsAt(`${folder}/${entry.name}`) : []));
  return entries.some((entry) => entry.name.endsWith('.ts')) ? [folder, ...below] : below;
}

const chosen = process.argv.slice(2);
for (const room of chosen.length > 0 ? chosen : ['service', 'kinds', 'engine'].flatMap(roomsAt)) {
  const env = { ...process.env, UPKEEP_ROOM: room };
  const { status } = spawnSync(process.execPath, ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run'], { env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`the mutants of ${room} were not tried to the end`);
  fold(room);
}
