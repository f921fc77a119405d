// Bundles src/ into dist/: our own code is bundled and split per command, so that each command loads only the packages that it needs.
// Every file is replaced whole, and what is left over goes last, so that a run beside a build does not miss a file.
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { lateCel } from './cel.mjs';
import packageFile from './package.json' with { type: 'json' };
import { quickStart } from './start.mjs';
import { narrowUndici } from './undici.mjs';
import { verdicts } from './verdicts.mjs';

// What is needed before a command knows what to do is bundled too, since finding and reading the many files of a package takes longer than
// running them. All stay dependencies: the bill of materials names them, and their licences come along. Whatever speaks to the network stays outside.
const BUNDLED = ['@commander-js/extra-typings', '@marcbachmann/cel-js', 'commander', 'diff', 'picocolors'];
const outside = Object.keys(packageFile.dependencies).filter((name) => !BUNDLED.includes(name));

await mkdir('dist', { recursive: true });
const fresh = await mkdtemp('dist/.new-');
await build({
  // The process of one of several targets and the guards' thread are loaded by their own names, beside whatever chunk starts them.
  entryPoints: { upkeep: 'src/cli/upkeep.ts', member: 'src/cli/member.ts', worker: 'src/engine/guards/worker.js' },
  outdir: fresh,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.18',
  external: outside.filter((name) => name !== 'undici'),
  plugins: [verdicts, narrowUndici, lateCel, quickStart],
  // The bundled packages ask for modules of Node by `require`.
  banner: { js: '#!/usr/bin/env node\nconst require = process.getBuiltinModule;' },
  logLevel: 'warning',
});
// The entry comes last, when all that it loads is there.
const files = (await readdir(fresh)).sort((a, b) => Number(a === 'upkeep.js') - Number(b === 'upkeep.js'));
for (const file of files) await rename(`${fresh}/${file}`, `dist/${file}`);
await rm(fresh, { recursive: true });
const known = new Set(files);
for (const file of await readdir('dist')) if (file.endsWith('.js') && !known.has(file)) await rm(`dist/${file}`, { force: true });
