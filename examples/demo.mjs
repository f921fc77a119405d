// The whole story on this machine in less than a minute: an account that differs from the repository is checked, planned, written, verified,
// edited behind upkeep's back, and healed. Talks to the emulator only; every exit code is checked.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const program = fileURLToPath(new URL('../dist/upkeep.js', import.meta.url));
const owner = '05c6b23cccd0bbd8277201c7306d0e6c';
const apiKey = 'demo-key-of-the-emulator';

/** Children that still run, ended whatever happens. */
const children = new Set();
let steps = 0;

function start(args, options) {
  const child = spawn(process.execPath, args, { ...options, env: { ...process.env, UPKEEP_OWNER: owner, UPKEEP_API_KEY: apiKey } });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

function ended(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? signal));
  });
}

/** Runs the emulator and gives its URL, which stands in the one JSON line it prints when it listens. */
async function emulate() {
  const seed = join(here, 'demo.seed.json');
  const args = [program, 'emulate', '--port', '0', '--owner', owner, '--api-key', apiKey, '--seed', seed];
  const child = start(args, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    child.stdout.resume();
    return JSON.parse(line).url;
  }
  throw new Error('the emulator ended before it listened');
}

/** Copies the example and points its targets at the emulator. */
async function project(folder, url) {
  await cp(join(here, 'streaming-account'), folder, { recursive: true });
  const file = join(folder, 'upkeep.yaml');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replaceAll(/(base_url:) \S+/g, `$1 ${url}`));
}

function say(sentence) {
  steps += 1;
  console.log(`\n${'─'.repeat(100)}\n${steps}. ${sentence}\n`);
}

/** One step: the sentence, the command as a user would type it, its output, and the exit code it must have. */
async function step(cwd, sentence, command, expected) {
  say(sentence);
  console.log(`$ upkeep ${command}`);
  const code = await ended(start([program, ...command.split(' ')], { cwd, stdio: ['ignore', 'inherit', 'inherit'] }));
  console.log(`(exit code ${code})`);
  if (code !== expected) throw new Error(`step ${steps}: "upkeep ${command}" ended with ${code}, expected ${expected}`);
}

/** Changes the account as somebody with the service's own console would: without upkeep, without git. */
async function editByHand(url) {
  const edits = [
    { emulation: 'playlist', collection: 'playlists', id: '5f99a1426eef24a520e40da102622555', merge: { skip_drm: 1, repeat: -1 } },
    { emulation: 'vmp-reject-statuses', collection: 'settings', id: 'current', document: { vmp_reject_statuses: [] } },
  ];
  say('Now somebody edits the account by hand: the evening block plays without a signature, and no player is refused any more.');
  for (const edit of edits) {
    const body = JSON.stringify(edit);
    console.log(`$ curl -X POST ${url}/__edit -d '${body}'`);
    const answer = await fetch(`${url}/__edit`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    if (!answer.ok) throw new Error(`the emulator refused the edit: ${answer.status} ${await answer.text()}`);
  }
}

/** `npm ci` has built the program; a checkout without it is built now. */
async function build() {
  if (existsSync(program)) return;
  const top = join(here, '..');
  const code = await ended(start([join(top, 'src', 'build', 'bundle.mjs')], { cwd: top, stdio: 'inherit' }));
  if (code !== 0) throw new Error(`the build ended with ${code}`);
}

async function story(folder) {
  await build();
  const url = await emulate();
  const cwd = join(folder, 'streaming-account');
  await project(cwd, url);
  const run = (sentence, command, expected) => step(cwd, sentence, command, expected);
  await run('The files are checked on their own; nothing is sent.', 'validate -t production', 0);
  const planned =
    'The account is compared with the files, and the plan is saved. One change loosens protection and is blocked: exit code 4.';
  await run(planned, 'plan -t production --detailed-exitcode --out json=plan.json', 4);
  const applied =
    'A reviewer allows that change. The saved plan and nothing else is applied, in the order of the requests shown, and read back.';
  await run(applied, 'apply -t production --plan plan.json --allow loosening --requests', 0);
  await run('A second plan is empty: the account is what the files say.', 'plan -t production --detailed-exitcode', 0);
  await editByHand(url);
  await run('A nightly job notices: exit code 3 is drift.', 'drift -t production', 3);
  await run('Applying again heals it. Both changes tighten protection, so no safety check blocks them.', 'apply -t production --yes', 0);
  await run('No drift is left.', 'drift -t production', 0);
}

async function cleanUp(folder) {
  const running = [...children];
  for (const child of running) child.kill();
  await Promise.all(running.map((child) => (child.exitCode === null && child.signalCode === null ? ended(child) : undefined)));
  await rm(folder, { recursive: true, force: true });
}

const folder = await mkdtemp(join(tmpdir(), 'upkeep-demo-'));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => cleanUp(folder).then(() => process.exit(130)));
try {
  await story(folder);
  console.log(`\nDone: ${steps} steps, every exit code as expected.`);
} catch (error) {
  console.error(`\nThe demo failed. ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  await cleanUp(folder);
}
