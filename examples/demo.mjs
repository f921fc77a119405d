// Demonstrates upkeep on this machine in less than a minute: validates files, plans and applies changes to an account that differs from
// them, edits the account by hand, detects the drift, and corrects it. Sends requests only to the emulator, and checks every exit code.
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

/** Child processes that still run; they are killed at the end. */
const children = new Set();
let steps = 0;

function start(args, options) {
  const child = spawn(process.execPath, args, { ...options, env: { ...process.env, UPKEEP_OWNER: owner, UPKEEP_API_KEY: apiKey } });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

/** Resolves to the exit code or the signal of a child process. */
function exitOf(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? signal));
  });
}

/** Starts the emulator and returns its URL, which it prints in a JSON line when it is ready. */
async function startEmulator() {
  const seed = join(here, 'demo.seed.json');
  const args = [program, 'emulate', '--port', '0', '--owner', owner, '--api-key', apiKey, '--seed', seed];
  const child = start(args, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    child.stdout.resume();
    return JSON.parse(line).url;
  }
  throw new Error('the emulator exited before it was ready');
}

/** Copies the example project and sets the base URL of its targets to the emulator. */
async function copyProject(folder, url) {
  await cp(join(here, 'streaming-account'), folder, { recursive: true });
  const file = join(folder, 'upkeep.yaml');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replaceAll(/(base_url:) \S+/g, `$1 ${url}`));
}

/** Prints the sentence that begins the next step. */
function printStep(sentence) {
  steps += 1;
  console.log(`\n${'─'.repeat(100)}\n${steps}. ${sentence}\n`);
}

/** Runs one step: prints the sentence, the command and its output, and checks the exit code. */
async function runStep(cwd, sentence, command, expected) {
  printStep(sentence);
  console.log(`$ upkeep ${command}`);
  const code = await exitOf(start([program, ...command.split(' ')], { cwd, stdio: ['ignore', 'inherit', 'inherit'] }));
  console.log(`(exit code ${code})`);
  if (code !== expected) throw new Error(`step ${steps}: "upkeep ${command}" exited with code ${code}, expected ${expected}`);
}

/** Edits the account as somebody in the console of the service would, without upkeep and git. */
async function editByHand(url) {
  const edits = [
    { emulation: 'playlist', collection: 'playlists', id: '5f99a1426eef24a520e40da102622555', merge: { skip_drm: 1, repeat: -1 } },
    { emulation: 'vmp-reject-statuses', collection: 'settings', id: 'current', document: { vmp_reject_statuses: [] } },
  ];
  printStep('Somebody edits the account by hand: the evening block now plays without a signature, and no player is rejected any more.');
  for (const edit of edits) {
    const body = JSON.stringify(edit);
    console.log(`$ curl -X POST ${url}/__edit -d '${body}'`);
    const response = await fetch(`${url}/__edit`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    if (!response.ok) throw new Error(`the emulator rejected the edit: ${response.status} ${await response.text()}`);
  }
}

/** Builds the program if it is missing; `npm ci` builds it too. */
async function build() {
  if (existsSync(program)) return;
  const top = join(here, '..');
  const code = await exitOf(start([join(top, 'src', 'build', 'bundle.mjs')], { cwd: top, stdio: 'inherit' }));
  if (code !== 0) throw new Error(`the build exited with code ${code}`);
}

async function demonstrate(folder) {
  await build();
  const url = await startEmulator();
  const cwd = join(folder, 'streaming-account');
  await copyProject(cwd, url);
  const run = (sentence, command, expected) => runStep(cwd, sentence, command, expected);
  await run('The files are validated. No request is sent.', 'validate -t production', 0);
  const planSentence =
    'The plan compares the account with the files, and is saved. One change weakens protection and is blocked: exit code 4.';
  await run(planSentence, 'plan -t production --detailed-exitcode --out json=plan.json --out html=plan.html', 4);
  const applySentence =
    'A reviewer allows that change. Exactly the saved plan is applied, in the order of the listed requests, and verified by reading.';
  await run(applySentence, 'apply -t production --plan plan.json --allow weakening --requests', 0);
  await run('A second plan has no changes: the account matches the files.', 'plan -t production --detailed-exitcode', 0);
  await editByHand(url);
  await run('A nightly job detects the drift: exit code 3.', 'drift -t production', 3);
  await run(
    'Another apply corrects the drift. Both changes strengthen protection, so no safety check blocks them.',
    'apply -t production --yes',
    0,
  );
  await run('There is no drift any more.', 'drift -t production', 0);
  return keepReport(join(cwd, 'plan.html'));
}

/** Copies the report of the plan out of the folder of the demo, which is removed. Returns its path. */
async function keepReport(file) {
  const kept = join(await mkdtemp(join(tmpdir(), 'upkeep-demo-report-')), 'plan.html');
  await cp(file, kept);
  return kept;
}

async function cleanUp(folder) {
  const running = [...children];
  for (const child of running) child.kill();
  await Promise.all(running.map((child) => (child.exitCode === null && child.signalCode === null ? exitOf(child) : undefined)));
  await rm(folder, { recursive: true, force: true });
}

const folder = await mkdtemp(join(tmpdir(), 'upkeep-demo-'));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => cleanUp(folder).then(() => process.exit(130)));
try {
  const report = await demonstrate(folder);
  console.log(`\nDone: ${steps} steps, every exit code as expected.\nThe report of the first plan, for a browser: ${report}`);
} catch (error) {
  console.error(`\nThe demo failed. ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  await cleanUp(folder);
}
