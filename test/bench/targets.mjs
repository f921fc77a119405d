// A plan over many targets in one run, in each of which nothing has changed.
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seedOf, writeSources } from './account.mjs';
import { inTurn, measured, PROGRAM, startEmulator } from './process.mjs';

const TARGETS = 200;
const SIZE = { playlists: 50, smartStarts: 0, policies: 5 };

/** Measures `plan` of 200 targets of 50 playlists each: all have sources of their own and the same account, since a plan writes nothing. */
export async function targets(folder, { runs }) {
  writeFileSync(join(folder, 'seed.json'), JSON.stringify(seedOf(SIZE)));
  const emulator = await startEmulator(folder, 'seed.json');
  writeTargets(folder, emulator.url);
  const [all] = await inTurn([() => measured([PROGRAM, 'plan', '-t', '*', '--format', 'json'], { cwd: folder })], runs);
  const documents = JSON.parse(all.each[0].stdout);
  const unchanged = documents.filter((document) => document.changes?.length === 0).length;
  if (unchanged !== TARGETS) throw new Error(`${unchanged} of ${TARGETS} targets were planned without a change`);
  await emulator.forget();
  await measured([PROGRAM, 'plan', '-t', '*'], { cwd: folder });
  const requests = (await emulator.requests()).length;
  await emulator.stop();
  rmSync(join(folder, 'sources'), { recursive: true });
  return { measures: [{ name: `plan of ${TARGETS} targets of ${SIZE.playlists}`, ...all, requests }], targets: [] };
}

/** Writes upkeep.yaml with all targets, and a folder of sources for each. */
function writeTargets(folder, url) {
  writeSources(folder, SIZE);
  mkdirSync(join(folder, 'sources'));
  renameSync(join(folder, 'config'), join(folder, 'sources', '0'));
  const lines = Array.from({ length: TARGETS }, (_, index) => {
    if (index > 0) cpSync(join(folder, 'sources', '0'), join(folder, 'sources', String(index)), { recursive: true });
    return `  account-${index}: { base_url: "${url}", credentials: { owner: { env: UPKEEP_OWNER }, api_key: { env: UPKEEP_API_KEY } }, sources: [sources/${index}], http: { requests_per_second: 0 } }\n`;
  });
  writeFileSync(join(folder, 'upkeep.yaml'), `version: 1\ntargets:\n${lines.join('')}`);
}
