// Mutation tests, room by room: `npm run mutants` (hours), or `npm run mutants -- kinds/playlist safety/checks.ts` for some rooms and files.
// A mutant that a test noticed is not tried again on this machine while both stay as they are.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fold } from './fold.mjs';

const top = new URL('../../', import.meta.url);

/** The folders of src/ whose mutants are tried. */
const FOLDERS = ['api-client', 'apply', 'config', 'drift', 'explain', 'export', 'guards', 'kinds', 'plan', 'safety', 'state'];

/** The folders with source files at and below this one of src/. */
function roomsAt(folder) {
  const entries = readdirSync(new URL(`src/${folder}/`, top), { withFileTypes: true });
  const below = entries.flatMap((entry) => (entry.isDirectory() ? roomsAt(`${folder}/${entry.name}`) : []));
  return entries.some((entry) => entry.name.endsWith('.ts')) ? [folder, ...below] : below;
}

/** The source files of a room, without those of the rooms within it. */
function filesIn(room) {
  const names = readdirSync(new URL(`src/${room}/`, top)).filter((name) => name.endsWith('.ts'));
  return names.map((name) => `src/${room}/${name}`);
}

function json(file) {
  return JSON.parse(readFileSync(new URL(file, top), 'utf8'));
}

/** Lets what survived be tried again: stryker takes it for settled where it runs while a module is loaded, whatever tests are new. */
function forgetSurvivors(kept) {
  if (!existsSync(new URL(kept, top))) return;
  const report = json(kept);
  for (const file of Object.values(report.files)) file.mutants = file.mutants.filter(({ status }) => status === 'Killed');
  writeFileSync(new URL(kept, top), JSON.stringify(report));
}

/** The rooms that are named, each with the files to be mutated: all of its own, or those that are named. */
function chosen(names) {
  const rooms = new Map();
  for (const name of names) {
    const [room, files] = name.endsWith('.ts') ? [posix.dirname(name), [`src/${name}`]] : [name, filesIn(name)];
    rooms.set(room, [...(rooms.get(room) ?? []), ...files]);
  }
  return rooms;
}

const named = process.argv.slice(2);
for (const [room, files] of chosen(named.length > 0 ? named : FOLDERS.flatMap(roomsAt))) {
  const name = room.replaceAll('/', '-');
  forgetSurvivors(`.stryker-tmp/${name}.json`);
  const env = { ...process.env, UPKEEP_ROOM: room };
  const stryker = ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', '--mutate', files.join(',')];
  const { status } = spawnSync(process.execPath, stryker, { cwd: top, env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`the mutants of ${room} were not tried to the end`);
  fold(json(`.stryker-tmp/reports/${name}.json`), files);
}
