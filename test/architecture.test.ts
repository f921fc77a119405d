/** The import rules of .dependency-cruiser.cjs hold, and each of them notices a file that breaks it. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const top = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'upkeep-imports-'));

/** The broken rules by the file that breaks them. */
function violations(folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const args = ['src', '--config', join(top, '.dependency-cruiser.cjs'), '--output-type', 'json'];
  return new Promise((resolve, reject) => {
    execFile(join(top, 'node_modules/.bin/depcruise'), args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }, (error, stdout) => {
      if (stdout === '') return reject(error ?? new Error('dependency-cruiser printed nothing'));
      const found = new Map<string, string[]>();
      for (const { from, rule } of JSON.parse(stdout).summary.violations) found.set(from, [...(found.get(from) ?? []), rule.name]);
      resolve(found);
    });
  });
}

const PLANTED: readonly (readonly [title: string, file: string, text: string, rule: string])[] = [
  ['model that imports another folder', 'src/model/a.ts', `import '../plan/b.ts';`, 'model-imports-downwards'],
  ['the API client that knows a kind', 'src/api-client/a.ts', `import '../kinds/kind.ts';`, 'api-client-imports-downwards'],
  ['a planner that knows a kind', 'src/plan/b.ts', `import type { x } from '../kinds/playlist/index.ts';`, 'kinds-by-contract'],
  ['a kind that knows another kind', 'src/kinds/static-key/a.ts', `import '../playlist/index.ts';`, 'kinds-apart'],
  ['a report that plans', 'src/report/a.ts', `await import('../plan/b.ts');`, 'report-imports-downwards'],
  ['a use case that knows the command line', 'src/app/a.ts', `import '../cli/a.ts';`, 'app-imports-downwards'],
  ['a library that knows the command line', 'src/library/a.ts', `import '../cli/a.ts';`, 'library-imports-downwards'],
  ['a code host that knows a use case', 'src/code-hosts/a.ts', `import '../app/b.ts';`, 'code-hosts-imports-downwards'],
  ['an emulator that knows the client', 'src/emulator/a.ts', `import '../kinds/kind.ts';`, 'emulator-imports-downwards'],
  ['an emulator that names an emulated kind', 'src/emulator/b.ts', `import './kinds/playlist.ts';`, 'emulated-kinds-by-contract'],
  [
    "an emulated kind that reads the client's schema",
    'src/emulator/kinds/playlist.ts',
    `import '../../../schemas/a.json';`,
    'emulated-kinds-apart',
  ],
  ['a circle', 'src/state/a.ts', `import './b.ts';`, 'no-circle'],
  ['a folder that is not listed', 'src/helpers/a.ts', `import '../model/c.ts';`, 'known-folder'],
  ['a second importer of a package', 'src/drift/a.ts', `import 'yaml';`, 'one-importer-of-yaml'],
  ['production code that imports a test', 'src/cli/a.ts', `import '../../test/a.ts';`, 'no-test-code'],
];

beforeAll(() => {
  const files = [
    ...PLANTED.map(([, file, text]) => [file, text] as const),
    ['src/kinds/kind.ts', ''],
    ['src/kinds/playlist/index.ts', ''],
    ['src/state/b.ts', `import './a.ts';`],
    ['src/app/b.ts', ''],
    ['src/model/c.ts', ''],
    ['schemas/a.json', '{}'],
    ['test/a.ts', ''],
    ['tsconfig.json', '{ "compilerOptions": { "module": "nodenext", "allowImportingTsExtensions": true, "noEmit": true } }'],
    ['package.json', '{ "type": "module", "dependencies": { "yaml": "*" } }'],
    ['node_modules/yaml/package.json', '{ "name": "yaml", "version": "1.0.0", "main": "index.js" }'],
    ['node_modules/yaml/index.js', ''],
  ] as const;
  for (const [file, text] of files) {
    mkdirSync(dirname(join(scratch, file)), { recursive: true });
    writeFileSync(join(scratch, file), text);
  }
});

afterAll(() => rmSync(scratch, { recursive: true }));

test('src/ follows the import rules', async () => {
  expect(await violations(top)).toEqual(new Map());
});

test('each import rule notices a file that breaks it', async () => {
  const found = await violations(scratch);
  for (const [title, file, , rule] of PLANTED) expect(found.get(file), title).toContain(rule);
  expect([...found.keys()].sort()).toEqual([...PLANTED.map(([, file]) => file)].sort());
});
