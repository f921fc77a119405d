// Plans of accounts in which nothing has changed, beside the serial floor and, if asked for, the peer.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { seedOf, writeProject, writeSources } from './account.mjs';
import { inTurn, measured, PROGRAM, ratio, startEmulator } from './process.mjs';
import { terraformPlan, tooMany } from './terraform.mjs';

const FLOOR = fileURLToPath(new URL('floor.mjs', import.meta.url));

/** Measures the plan of `playlists` unchanged ones: the rows, and what they say of the targets. `peer` is undefined, or why it is missing, or true. */
export async function plans(folder, playlists, { runs, peer }) {
  writeSources(folder, { playlists });
  writeFileSync(join(folder, 'seed.json'), JSON.stringify(seedOf({ playlists })));
  const emulator = await startEmulator(folder, 'seed.json');
  writeProject(folder, emulator.url);
  const plan = () => measured([PROGRAM, 'plan', '--format', 'json'], { cwd: folder });
  await emulator.forget();
  const first = await plan();
  const requests = await emulator.requests();
  const [document] = [JSON.parse(first.stdout)].flat();
  if (document.changes.length > 0) throw new Error(`the plan of an unchanged account has ${document.changes.length} changes`);
  const bare = () => measured([FLOOR, folder, emulator.url], { cwd: folder });
  const [cold, floor] = await inTurn([plan, bare], runs);
  await emulator.stop();
  const other = peer === true ? (tooMany(playlists) ?? (await terraformPlan(playlists))) : peer;
  return {
    measures: rowsOf(playlists, { cold, floor, other, requests }),
    targets: targetsOf(playlists, { cold, floor, other, requests }),
    cold,
  };
}

function rowsOf(playlists, { cold, floor, other, requests }) {
  const count = requests.length;
  return [
    { name: `plan of ${playlists}, cold`, ...cold, requests: count, floor },
    ...(other?.wall ? [{ name: `terraform plan of ${playlists}`, ...other }] : []),
  ];
}

function targetsOf(playlists, { cold, floor, other, requests }) {
  const [faster, smaller] = other?.wall ? [other.wall / cold.wall, cold.mib / other.mib] : [];
  const name = (words) => `plan of ${playlists}: ${words}`;
  const single = requests.filter(({ path }) => /\/linear-playlist\/./.test(path)).length;
  const reads = [
    { name: name('single reads'), value: single, most: 25 },
    { name: name('list reads'), value: requests.length - single, most: 2 },
  ];
  // Below, what every start takes is most of it: the rows show it, and say nothing of size.
  if (playlists < 10_000) return reads;
  return [
    { name: name('cold, times the serial floor'), value: ratio(cold, floor, 'wall'), most: 2.2 },
    ...reads,
    ...(other === undefined
      ? []
      : [
          { name: name('times faster than terraform'), value: faster, least: 40, because: other },
          { name: name('memory, times terraform'), value: smaller, most: 0.1, because: other },
        ]),
    ...(playlists < 100_000 ? [] : [{ name: name('peak MiB'), value: cold.mib, most: 1024 }]),
  ];
}
