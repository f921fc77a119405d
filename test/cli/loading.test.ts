import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';

const top = fileURLToPath(new URL('../..', import.meta.url));
let inputs: Metafile['inputs'] = {};

beforeAll(async () => {
  const entryPoints = ['src/cli/upkeep.ts'];
  const settings = { bundle: true, format: 'esm', platform: 'node', packages: 'external', write: false, metafile: true } as const;
  inputs = (await build({ absWorkingDir: top, entryPoints, outdir: 'unwritten', splitting: true, ...settings })).metafile.inputs;
});

/** Returns the packages, and the files of our own, that are loaded with these files, before anything is imported on demand. */
function loadedWith(...files: readonly string[]): { readonly packages: ReadonlySet<string>; readonly files: ReadonlySet<string> } {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const waiting = [...files];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const { path, kind, external } of inputs[file]?.imports ?? []) {
      if (kind !== 'import-statement') continue;
      if (!external) waiting.push(path);
      else if (!path.startsWith('node:')) packages.add(path.split('/', path.startsWith('@') ? 2 : 1).join('/'));
    }
  }
  return { packages, files: seen };
}

/** The use cases of the commands that have no file of their own. */
const USE_CASES: { readonly [command: string]: string } = { plan: 'src/app/plan-target.ts', validate: 'src/app/validate.ts' };

/** Returns the files that a command loads first. */
function command(name: string): readonly string[] {
  const file = USE_CASES[name] ?? `src/cli/commands/${name}.ts`;
  expect(Object.keys(inputs)).toContain(file);
  return ['src/cli/upkeep.ts', file];
}

describe('a command loads only the packages that it needs', () => {
  test('help and version load no package but the argument parser', () => {
    expect([...loadedWith('src/cli/upkeep.ts').packages]).toEqual(['@commander-js/extra-typings']);
  });

  test.each(['validate', 'targets', 'show'])('%s loads no HTTP client, log or validator', (name) => {
    const { packages } = loadedWith(...command(name));
    for (const other of ['undici', 'pino', 'ajv']) expect(packages).not.toContain(other);
  });

  test('show loads no YAML parser', () => {
    expect(loadedWith(...command('show')).packages).not.toContain('yaml');
  });

  test.each(['plan', 'apply', 'drift', 'export'])('%s loads no file of the emulator', (name) => {
    const { packages, files } = loadedWith(...command(name));
    expect(packages).toContain('undici');
    expect([...files].filter((file) => file.startsWith('src/emulator/'))).toEqual([]);
  });

  test.each(['validate', 'plan', 'apply', 'drift', 'export'])('%s loads no log and no notifications before they are asked for', (name) => {
    const { packages, files } = loadedWith(...command(name));
    expect(packages).not.toContain('pino');
    expect([...files].filter((file) => /^src\/notifications\//.test(file))).toEqual([]);
    const onDemand = [...files].flatMap((file) => (inputs[file]?.imports ?? []).filter(({ kind }) => kind === 'dynamic-import'));
    const demanded = onDemand.map(({ path }) => path);
    expect(demanded).toEqual(expect.arrayContaining(['pino', 'src/integrations/notifications/send.ts']));
  });

  test('comment loads an HTTP client, and nothing to read the configuration', () => {
    const { packages } = loadedWith(...command('comment'));
    expect(packages).toContain('undici');
    for (const other of ['yaml', 'pino', 'ajv']) expect(packages).not.toContain(other);
  });

  test('emulate loads the emulator and no client', () => {
    const { packages, files } = loadedWith(...command('emulate'));
    expect(files).toContain('src/emulator/server.ts');
    for (const other of ['undici', 'yaml', 'ajv', 'pino']) expect(packages).not.toContain(other);
  });
});
