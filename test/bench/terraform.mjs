// The peer: `terraform plan` over as many unchanged resources of the same shape, in the way that is fastest for it: one static block each of the
// built-in `terraform_data`, local state, so no provider to start and no network.
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const numbers = Array.from({ length: 6 }, (_, at) => at);

const playlistOf = (n) => ({
  desc: `Playlist ${n}`,
  active: 1,
  repeat: 0,
  skip_drm: 0,
  playlist: numbers.map((at) => (at % 2 === 0 ? { beam: { id: `asset${n}x${at}` } } : { ad: { dur: 30 } })),
});

const TYPE = [
  'object',
  {
    desc: 'string',
    active: 'number',
    repeat: 'number',
    skip_drm: 'number',
    playlist: [
      'tuple',
      numbers.map((at) => ['object', at % 2 === 0 ? { beam: ['object', { id: 'string' }] } : { ad: ['object', { dur: 'number' }] }]),
    ],
  },
];

function hcl(value) {
  if (Array.isArray(value)) return `[${value.map(hcl).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${name} = ${hcl(member)}`)
    .join(', ')} }`;
}

function instanceOf(n) {
  const held = { value: playlistOf(n), type: TYPE };
  const attributes = { id: randomUUID(), input: held, output: held, triggers_replace: null };
  return {
    mode: 'managed',
    type: 'terraform_data',
    name: `pl${n}`,
    provider: 'provider["terraform.io/builtin/terraform"]',
    instances: [{ schema_version: 0, attributes, sensitive_attributes: [] }],
  };
}

/** Why there is no peer to measure, in words; undefined where there is one. */
export function missing() {
  if (spawnSync('terraform', ['version']).error) return 'terraform is not on the PATH';
  return spawnSync('/usr/bin/time', ['--version']).error ? '/usr/bin/time (GNU time), which measures it, is missing' : undefined;
}

/** What a resource takes of memory, MiB: 10,000 take 2.6 GB, and it grows in step. */
const MIB_EACH = 0.26;

/** Why the peer cannot plan `count` resources here, in words; undefined where it can. Out of memory, it would take the machine with it. */
export function tooMany(count) {
  const [needed, free] = [count * MIB_EACH, freemem() / 2 ** 20].map((mib) => Math.round(mib / 1024));
  return needed < free ? undefined : `terraform takes about ${needed} GiB for ${count}, and ${free} are free`;
}

/** Plans `count` unchanged resources once: seconds of wall clock, peak resident MiB. @throws Error where it finds changes or fails */
export async function terraformPlan(count) {
  const cwd = mkdtempSync(join(tmpdir(), 'upkeep-peer-'));
  try {
    const all = Array.from({ length: count }, (_, n) => n);
    writeFileSync(
      join(cwd, 'main.tf'),
      all.map((n) => `resource "terraform_data" "pl${n}" {\n  input = ${hcl(playlistOf(n))}\n}\n`).join(''),
    );
    const head = { version: 4, terraform_version: '1.4.0', serial: 1, lineage: randomUUID(), outputs: {}, check_results: null };
    writeFileSync(join(cwd, 'terraform.tfstate'), JSON.stringify({ ...head, resources: all.map(instanceOf) }));
    await run(cwd, 'terraform', ['init', '-no-color']);
    const said = await run(cwd, '/usr/bin/time', ['-o', 'usage', '-f', '%e %M', 'terraform', 'plan', '-no-color']);
    if (!said.includes('No changes')) throw new Error(`terraform plan: ${said.slice(-500)}`);
    const [wall = '', kib = ''] = readFileSync(join(cwd, 'usage'), 'utf8').trim().split(' ');
    return { wall: Number(wall), mib: Number(kib) / 1024 };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

function run(cwd, program, argv) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, argv, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        said += text;
      });
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve(said) : reject(new Error(`${program} ended with ${code}: ${said.slice(-500)}`))));
  });
}
