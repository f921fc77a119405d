// Applies: how near they come to what latency, batches and a limit of the service allow.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { seedOf, writeProject, writeSources } from './account.mjs';
import { ENV, inTurn, measured, median, PROGRAM, startEmulator } from './process.mjs';
import { throttled } from './throttle.mjs';

const BARE = fileURLToPath(new URL('bare-patches.mjs', import.meta.url));

const WRITES = 1000;
const LATENCY_MS = 50;
const CONCURRENCY = 8;
const ASSETS = 10_000;
const PER_SECOND = 20;
const THROTTLED_WRITES = 600;

const bare = { smartStarts: 0, policies: 0 };
const isWrite = ({ method }) => method !== 'GET';

/** All that the plan finds is meant: the account is made for it. */
const RELEASED = ['limits: { update: { percent: 100 } }'];

function apply(cwd) {
  return measured([PROGRAM, 'apply', '--yes', '--format', 'json', '--allow', 'updates', '--allow', 'dirty', '--allow', 'first-apply'], {
    cwd,
  });
}

/** Measures three applies: 1,000 PATCHes, smart starts in bulk, and writes under a rate limit. */
export async function applies(folder, { runs }) {
  const parts = [await patches(folder, runs), await smartStarts(folder), await hurried(folder)];
  return { measures: parts.map(({ measure }) => measure), targets: parts.flatMap(({ targets }) => targets) };
}

/**
 * 1,000 PATCHes by a bare script, then back by upkeep, in turn, against a service that takes 50 ms for each answer; upkeep records its own
 * in a ledger.
 */
async function patches(folder, runs) {
  const emulator = await prepare(folder, { playlists: WRITES, ...bare, repeat: 1 }, { playlists: WRITES, ...bare }, LATENCY_MS);
  writeProject(folder, emulator.url, [...RELEASED, 'ledger: git']);
  repository(folder);
  const live = seedOf({ playlists: WRITES, ...bare }).playlist.map(({ id }) => id);
  const byScript = () => measured([BARE, emulator.url, String(CONCURRENCY), ...live], { cwd: folder });
  const planned = () => measured([PROGRAM, 'plan', '--format', 'json'], { cwd: folder });
  const applied = async () => {
    await emulator.forget();
    const whole = await apply(folder);
    return { ...whole, requests: await emulator.requests() };
  };
  const [script, plan, whole] = await inTurn([byScript, planned, applied], runs);
  await emulator.stop();
  const each = whole.each.map(({ wall, requests }, index) => {
    const at = requests.filter(isWrite).map((request) => request.at);
    if (at.length !== WRITES) throw new Error(`${at.length} writes where ${WRITES} were to be`);
    const writing = (Math.max(...at) - Math.min(...at) + LATENCY_MS) / 1000;
    return { writing, bare: Number(script.each[index].stdout), share: (wall - plan.each[index].wall - writing) / wall };
  });
  const ideal = (WRITES * LATENCY_MS) / 1000 / CONCURRENCY;
  const middle = (figure) => median(each.map(figure));
  const bareTook = middle(({ bare: took }) => took).toFixed(1);
  return {
    measure: { name: `apply of ${WRITES} PATCHes`, ...whole, requests: whole.each[0].requests.length },
    targets: [
      {
        name: `${WRITES} PATCHes, first to last, times the ideal ${ideal} s`,
        value: middle(({ writing }) => writing / ideal),
        most: 1.1,
      },
      { name: `the same, times a bare script (${bareTook} s)`, value: middle(({ writing, bare: took }) => writing / took), most: 1.1 },
      { name: 'look-ups, verification and ledger, share of the apply', value: middle(({ share }) => share), most: 0.25 },
    ],
  };
}

/** 10,000 assets that have no smart start yet. */
async function smartStarts(folder) {
  const wanted = { playlists: 0, smartStarts: ASSETS, policies: 0 };
  const emulator = await prepare(folder, wanted, { playlists: 0, ...bare }, 0);
  writeProject(folder, emulator.url, RELEASED);
  const whole = await apply(folder);
  const requests = await emulator.requests();
  await emulator.stop();
  const bulk = requests.filter(isWrite);
  return {
    measure: { name: `apply of ${ASSETS} smart starts`, ...whole, requests: requests.length },
    targets: [{ name: `${ASSETS} smart starts: bulk requests`, value: bulk.length, most: 100 }],
  };
}

/** A service that answers 429 beyond 20 requests a second, and a client that does not know it. */
async function hurried(folder) {
  const emulator = await prepare(folder, { playlists: THROTTLED_WRITES, ...bare, repeat: 1 }, { playlists: THROTTLED_WRITES, ...bare }, 0);
  const front = await throttled(emulator.url, PER_SECOND);
  writeProject(folder, front.url, RELEASED);
  const whole = await apply(folder);
  await front.stop();
  await emulator.stop();
  const { arrivals, refused } = front;
  const served = arrivals.length - refused.count;
  const took = (arrivals.at(-1) - arrivals[0]) / 1000;
  return {
    measure: { name: `apply of ${THROTTLED_WRITES} PATCHes, ${PER_SECOND}/s allowed`, ...whole, requests: arrivals.length },
    targets: [
      { name: `${PER_SECOND}/s allowed: first to last request, times the ideal`, value: took / (served / PER_SECOND), most: 1.15 },
      { name: `${PER_SECOND}/s allowed: share of refused requests`, value: refused.count / arrivals.length, most: 0.05 },
    ],
  };
}

/** An emulator in which `live` is there, and sources that declare `desired`. */
async function prepare(folder, desired, live, latency) {
  rmSync(join(folder, '.upkeep'), { recursive: true, force: true });
  writeSources(folder, desired);
  writeFileSync(join(folder, 'seed.json'), JSON.stringify(seedOf(live)));
  return startEmulator(folder, 'seed.json', latency);
}

/** A repository with a remote on this machine, for the ledger. */
function repository(folder) {
  const git = (...argv) => {
    const { status, stderr } = spawnSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com', ...argv], {
      cwd: folder,
      env: ENV,
    });
    if (status !== 0) throw new Error(`git ${argv.join(' ')}: ${stderr}`);
  };
  const remote = join(folder, 'remote.git');
  for (const old of ['.git', 'remote.git']) rmSync(join(folder, old), { recursive: true, force: true });
  git('init', '-q', '--bare', remote);
  git('init', '-q');
  git('remote', 'add', 'origin', remote);
  git('add', 'upkeep.yaml', 'config');
  git('commit', '-q', '-m', 'The account');
}
