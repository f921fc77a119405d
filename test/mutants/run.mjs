// Mutation tests, room by room: `npm run mutants` (hours), or `npm run mutants -- kinds/playlist service` for some rooms.
// A mutant that a test noticed is not tried again on this machine while both stay as they are.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fold } from './fold.mjs';

const src = new URL('../../src/', import.meta.url);

/** The folders with source files at and below this one. */
function roomsAt(folder) {
  const entries = readdirSync(new URL(`${folder}/`, src), { withFileTypes: true });
  const below = entries.flatMap((entry) => (entry.isDirectory() ? roomsAt(`${folder}/${entry.name}`) : []));
  return entries.some((entry) => entry.name.endsWith('.ts')) ? [folder, ...below] : below;
}

/** Lets what survived be tried again: stryker takes it for settled where it runs while a module is loaded, whatever tests are new. */
function forgetSurvivors(room) {
  const kept = new URL(`../../.stryker-tmp/${room.replaceAll('/', '-')}.json`, import.meta.url);
  if (!existsSync(kept)) return;
  const report = JSON.parse(readFileSync(kept, 'utf8'));
  for (const file of Object.values(report.files)) file.mutants = file.mutants.filter(({ status }) => status === 'Killed');
  writeFileSync(kept, JSON.stringify(report));
}

const chosen = process.argv.slice(2);
for (const room of chosen.length > 0 ? chosen : ['service', 'kinds', 'engine'].flatMap(roomsAt)) {
  forgetSurvivors(room);
  const env = { ...process.env, UPKEEP_ROOM: room };
  const { status } = spawnSync(process.execPath, ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run'], { env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`the mutants of ${room} were not tried to the end`);
  fold(room);
}
