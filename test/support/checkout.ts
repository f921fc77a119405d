/** A copy of this checkout, as far as a build needs it: what a clone has, the packages of the run, and what builds it. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject } from '../../src/core/model/json.ts';

const top = fileURLToPath(new URL('../..', import.meta.url));

type Members = { readonly [member: string]: unknown };

/** Reads a JSON file of the checkout, or by its absolute path; what is no object is empty. */
export function readJson(path: string): Members {
  const value: unknown = JSON.parse(readFileSync(path.startsWith('/') ? path : join(top, path), 'utf8'));
  return isObject(value) ? value : {};
}

const { packages } = readJson('package-lock.json');
const locked = Object.entries(isObject(packages) ? packages : {}).map(([path, entry]) => [path, isObject(entry) ? entry : {}] as const);

/** The packages of the run by their folders, as the lock file has them. */
export const runtimePackages: readonly (readonly [string, Members])[] = locked.filter(([path, { dev }]) => path !== '' && dev !== true);

/** Copies the checkout into a folder, without what is built. Returns the names of the files that a clone has. */
export function copyCheckout(folder: string): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: top }).toString().split('\0');
  const files = listed.filter((name) => /^(src|schemas|docs|examples)\/|^[\w-]+\.?[\w-]*$/.test(name) && existsSync(join(top, name)));
  const builders = locked.flatMap(([path]) =>
    /^node_modules\/(typescript$|esbuild$|@esbuild\/)/.test(path) && existsSync(join(top, path)) ? [path] : [],
  );
  for (const path of [...files, ...builders, ...runtimePackages.map(([each]) => each)]) {
    cpSync(join(top, path), join(folder, path), { recursive: true });
  }
  return files;
}
