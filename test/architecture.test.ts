/** The import rules of .dependency-cruiser.cjs hold, and each of them notices a file that breaks it. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  ['a stage of the core that imports upwards', 'src/core/model/a.ts', `import '../plan/b.ts';`, 'core-model-imports-downwards'],
  ['an API client that knows a kind', 'src/core/api-client/a.ts', `import '../kinds/kind.ts';`, 'core-api-client-imports-downwards'],
  ['windows that know a kind', 'src/core/windows/a.ts', `import '../kinds/kind.ts';`, 'core-windows-imports-downwards'],
  ['a core that knows a report', 'src/core/drift/b.ts', `import '../../report/c.ts';`, 'core-stands-alone'],
  ['a core that knows a use case', 'src/core/apply/a.ts', `import '../../app/b.ts';`, 'core-stands-alone'],
  ['a planner that knows a kind', 'src/core/plan/b.ts', `import type { x } from '../kinds/playlist/index.ts';`, 'kinds-by-contract'],
  ['a kind that knows another kind', 'src/core/kinds/static-key/a.ts', `import '../playlist/index.ts';`, 'kinds-apart'],
  ['a kind that knows its views', 'src/core/kinds/playlist/a.ts', `import './views.ts';`, 'core-without-surroundings'],
  [
    'a planner that knows the views of kinds',
    'src/core/plan/a.ts',
    `import type { x } from '../kinds/views.ts';`,
    'core-without-surroundings',
  ],
  ['views that send requests', 'src/core/kinds/static-key/views.ts', `import '../../api-client/b.ts';`, 'views-of-one-kind'],
  ['views that know a kind by its contract', 'src/core/kinds/drm-policy/views.ts', `import '../kind.ts';`, 'views-of-one-kind'],
  [
    'a report that knows more of a kind than its views',
    'src/report/b.ts',
    `import '../core/kinds/playlist/index.ts';`,
    'report-imports-downwards',
  ],
  ['a report that plans', 'src/report/a.ts', `await import('../core/plan/b.ts');`, 'report-imports-downwards'],
  ['a probe that knows a report', 'src/probe/a.ts', `import '../report/c.ts';`, 'probe-imports-downwards'],
  [
    'an export that knows what recordings keep',
    'src/core/export/a.ts',
    `import '../kinds/playlist/recording.ts';`,
    'core-without-surroundings',
  ],
  ['words of a recording that plan', 'src/core/kinds/static-key/recording.ts', `import '../../plan/c.ts';`, 'recording-of-one-kind'],
  ['words of a recording that know the views', 'src/core/kinds/drm-policy/recording.ts', `import './views.ts';`, 'recording-of-one-kind'],
  [
    'a recording that knows more of a kind than its words',
    'src/recording/b.ts',
    `import '../core/kinds/kind.ts';`,
    'recording-imports-downwards',
  ],
  ['questions of a probe that plan', 'src/core/kinds/static-key/probe.ts', `import '../../plan/c.ts';`, 'probe-of-one-kind'],
  ['an apply that knows what a probe asks', 'src/core/apply/b.ts', `import '../kinds/probe.ts';`, 'core-without-surroundings'],
  ['a probe that knows more of a kind than its questions', 'src/probe/b.ts', `import '../core/kinds/kind.ts';`, 'probe-imports-downwards'],
  ['a recording that knows a use case', 'src/recording/a.ts', `import '../app/b.ts';`, 'recording-imports-downwards'],
  ['a use case that knows the command line', 'src/app/a.ts', `import '../cli/a.ts';`, 'app-imports-downwards'],
  ['a context of a run that knows the account', 'src/app/run/a.ts', `import '../account/b.ts';`, 'app-run-imports-downwards'],
  ['an account that knows the history', 'src/app/account/a.ts', `import '../history/b.ts';`, 'app-account-imports-downwards'],
  ['a history that knows several targets', 'src/app/history/a.ts', `import '../targets/b.ts';`, 'app-history-imports-downwards'],
  ['a run of several targets that knows a use case', 'src/app/targets/a.ts', `import '../b.ts';`, 'app-targets-imports-downwards'],
  ['a doctor that knows a use case', 'src/app/doctor/a.ts', `import '../b.ts';`, 'app-doctor-imports-downwards'],
  ['a library that knows the command line', 'src/library/a.ts', `import '../cli/a.ts';`, 'library-imports-downwards'],
  [
    'a code host that knows a use case',
    'src/integrations/code-hosts/a.ts',
    `import '../../app/b.ts';`,
    'integrations-code-hosts-imports-downwards',
  ],
  [
    'a notification that knows a code host',
    'src/integrations/notifications/a.ts',
    `import '../code-hosts/b.ts';`,
    'integrations-notifications-imports-downwards',
  ],
  ['an emulator that knows the client', 'src/emulator/a.ts', `import '../core/kinds/kind.ts';`, 'emulator-imports-downwards'],
  ['an emulator that names an emulated kind', 'src/emulator/b.ts', `import './kinds/playlist.ts';`, 'emulated-kinds-by-contract'],
  [
    "an emulated kind that reads the client's schema",
    'src/emulator/kinds/playlist.ts',
    `import '../../../schemas/a.json';`,
    'emulated-kinds-apart',
  ],
  ['a circle', 'src/core/state/a.ts', `import './b.ts';`, 'no-circle'],
  ['a folder that is not listed', 'src/helpers/a.ts', `import '../core/model/c.ts';`, 'known-folder'],
  ['a stage that is not listed', 'src/core/helpers/a.ts', `import '../model/c.ts';`, 'known-folder'],
  ['a room of the use cases that is not listed', 'src/app/helpers/a.ts', `import '../b.ts';`, 'known-folder'],
  ['a second importer of a package', 'src/core/drift/a.ts', `import 'yaml';`, 'one-importer-of-yaml'],
  ['a second importer of another package', 'src/core/config/a.ts', `import 'csv-parse/sync';`, 'one-importer-of-csv-parse'],
  ['production code that imports a test', 'src/cli/a.ts', `import '../../test/a.ts';`, 'no-test-code'],
];

beforeAll(() => {
  const files = [
    ...PLANTED.map(([, file, text]) => [file, text] as const),
    ['src/core/kinds/kind.ts', ''],
    ['src/core/kinds/views.ts', ''],
    ['src/core/kinds/probe.ts', ''],
    ['src/core/kinds/playlist/recording.ts', ''],
    ['src/core/plan/c.ts', ''],
    ['src/core/kinds/playlist/index.ts', ''],
    ['src/core/kinds/playlist/views.ts', ''],
    ['src/core/api-client/b.ts', ''],
    ['src/core/state/b.ts', `import './a.ts';`],
    ['src/app/b.ts', ''],
    ...['account', 'history', 'targets'].map((room) => [`src/app/${room}/b.ts`, ''] as const),
    ['src/report/c.ts', ''],
    ['src/integrations/code-hosts/b.ts', ''],
    ['src/core/model/c.ts', ''],
    ['schemas/a.json', '{}'],
    ['test/a.ts', ''],
    ['tsconfig.json', '{ "compilerOptions": { "module": "nodenext", "allowImportingTsExtensions": true, "noEmit": true } }'],
    ['package.json', '{ "type": "module", "dependencies": { "yaml": "*", "csv-parse": "*" } }'],
    ['node_modules/yaml/package.json', '{ "name": "yaml", "version": "1.0.0", "main": "index.js" }'],
    ['node_modules/yaml/index.js', ''],
    ['node_modules/csv-parse/package.json', '{ "name": "csv-parse", "version": "1.0.0" }'],
    ['node_modules/csv-parse/sync.js', ''],
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

test('every dependency of package.json has a rule that lets one file import it', async () => {
  const { default: config } = await import('../.dependency-cruiser.cjs');
  const { dependencies } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'));
  const rules = config.forbidden.map(({ name }: { readonly name: string }) => name);
  expect(rules).toEqual(expect.arrayContaining(Object.keys(dependencies).map((name) => `one-importer-of-${name.replaceAll('/', '-')}`)));
});

test('each import rule notices a file that breaks it', async () => {
  const found = await violations(scratch);
  for (const [title, file, , rule] of PLANTED) expect(found.get(file), title).toContain(rule);
  expect([...found.keys()].sort()).toEqual([...PLANTED.map(([, file]) => file)].sort());
});
