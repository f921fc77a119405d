// Packs what users install: `npm run pack -- --into FOLDER --repository URL`. All packages of the run are bundled into dist/, so the packed
// manifest has no dependencies, and no scripts either. The same commit gives the same bytes, whatever the folder, the time and the umask.
// Beside the tarball it writes upkeep.cdx.json: what is bundled, package by package (CycloneDX), and SHA256SUMS with the hashes of both. With
// `--sign KEY`, a private key of OpenSSH, it signs SHA256SUMS in SHA256SUMS.sig (`ssh-keygen -Y verify`, namespace upkeep-release).
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const top = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: { into: { type: 'string', default: 'release' }, repository: { type: 'string' }, sign: { type: 'string' } },
});
const into = resolve(values.into);

const lock = await json('package-lock.json');
const bundled = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && !dev);

const stage = await mkdtemp(join(tmpdir(), 'upkeep-pack-'));
try {
  const { private: _private, scripts: _scripts, dependencies: _bundled, devDependencies: _tools, ...manifest } = await json('package.json');
  const programs = new Set(Object.values(manifest.bin).map((file) => join(stage, file)));
  const repository = values.repository === undefined ? {} : { repository: { type: 'git', url: values.repository } };
  for (const name of ['README.md', 'LICENSE', ...manifest.files]) await cp(join(top, name), join(stage, name), { recursive: true });
  await writeFile(join(stage, 'THIRD-PARTY-LICENSES.txt'), await licenses());
  manifest.files.push('THIRD-PARTY-LICENSES.txt');
  await writeFile(join(stage, 'package.json'), `${JSON.stringify({ ...manifest, ...repository }, null, 2)}\n`);
  for (const entry of await readdir(stage, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) await chmod(path, programs.has(path) ? 0o755 : 0o644);
  }
  await mkdir(into, { recursive: true });
  const tarball = npm(['pack', '--ignore-scripts', `--pack-destination=${into}`])
    .toString()
    .trim();

  const { devDependencies: _unused, ...root } = lock.packages[''];
  await writeFile(join(stage, 'package.json'), JSON.stringify(root));
  await writeFile(join(stage, 'package-lock.json'), JSON.stringify({ ...lock, packages: { ...Object.fromEntries(bundled), '': root } }));
  await writeFile(join(into, 'upkeep.cdx.json'), npm(['sbom', '--package-lock-only', '--sbom-format=cyclonedx']));
  await writeFile(join(into, 'SHA256SUMS'), (await Promise.all([tarball, 'upkeep.cdx.json'].map(sumOf))).join(''));
  // ssh-keygen asks before it overwrites a signature.
  await rm(join(into, 'SHA256SUMS.sig'), { force: true });
  if (values.sign !== undefined)
    execFileSync('ssh-keygen', ['-Y', 'sign', '-f', resolve(values.sign), '-n', 'upkeep-release', join(into, 'SHA256SUMS')], {
      stdio: ['inherit', 'ignore', 'inherit'],
    });
} finally {
  await rm(stage, { recursive: true });
}

/** Returns the licenses of all packages that are bundled, by their names. */
async function licenses() {
  const texts = ['dist/ contains code of these packages.\n'];
  for (const [path, { version, license }] of bundled) {
    const file = (await readdir(join(top, path))).find((name) => /^licen[cs]e(\.md|\.txt)?$/i.test(name));
    if (file === undefined) throw new Error(`${path} has no license file`);
    const text = (await readFile(join(top, path, file), 'utf8')).trim();
    texts.push(`${path.replace(/^.*node_modules\//, '')} ${version} (${license})\n\n${text}\n`);
  }
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

/** Returns the line of `sha256sum` for a file of the release. @param {string} name */
async function sumOf(name) {
  const hash = createHash('sha256')
    .update(await readFile(join(into, name)))
    .digest('hex');
  return `${hash}  ${name}\n`;
}

/** Runs npm on what is to be packed. @param {string[]} args */
function npm(args) {
  return execFileSync('npm', [...args, '--loglevel=error'], { cwd: stage, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** @param {string} name */
async function json(name) {
  return JSON.parse(await readFile(join(top, name), 'utf8'));
}
