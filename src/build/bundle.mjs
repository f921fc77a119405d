// Bundles the program and everything that it needs into dist/, split so that each command loads only its own part.
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { generateTypes } from './generate-types.mjs';
import { generateValidators } from './generate-validators.mjs';

const top = fileURLToPath(new URL('../..', import.meta.url));
const dist = `${top}dist`;

await generateValidators();
await mkdir(dist, { recursive: true });
const fresh = await mkdtemp(`${dist}/.new-`);
await build({
  absWorkingDir: top,
  entryPoints: {
    upkeep: 'src/cli/start.ts',
    index: 'src/library/index.ts',
    // Programs of their own, which are started by these names.
    worker: 'src/app/run/start-worker.ts',
  },
  outdir: fresh,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.18',
  // Bundled CommonJS packages ask for modules of Node by `require`. An old Node reads this line, and knows no `node:`.
  banner: {
    js: `#!/usr/bin/env node
import { createRequire as createBundleRequire } from 'module';
const require = createBundleRequire(import.meta.url);`,
  },
  logLevel: 'warning',
});

// Files are replaced one by one, and the old ones go last, so that a run beside a build misses no file. The entry comes when all that it loads is there.
const files = (await readdir(fresh)).sort((a, b) => Number(a === 'upkeep.js') - Number(b === 'upkeep.js'));
for (const file of files) await rename(`${fresh}/${file}`, `${dist}/${file}`);
await rm(fresh, { recursive: true });
const known = new Set(files);
for (const file of await readdir(dist)) if (file.endsWith('.js') && !known.has(file)) await rm(`${dist}/${file}`, { force: true });
await generateTypes(`${dist}/types`);
