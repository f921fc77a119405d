import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { brokenArrows, circles, doors, roomOf, type Sources, worldly } from './arrows.ts';

const top = new URL('..', import.meta.url);

function sourcesOf(folder: string): Sources {
  const files = readdirSync(new URL(folder, top), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}${name.replaceAll('\\', '/')}`)
    .filter((file) => /\.[jt]s$/.test(file));
  return new Map(files.map((file) => [file, readFileSync(new URL(file, top), 'utf8')]));
}

function planted(files: { readonly [file: string]: string }): Sources {
  return new Map(Object.entries(files));
}

describe('the house', () => {
  const sources = sourcesOf('src/');

  test('is read', () => {
    expect(sources.size).toBeGreaterThan(10);
  });

  test('holds its arrows, and every file has a room', () => {
    expect(brokenArrows(sources)).toEqual([]);
  });

  test('has no import circle', () => {
    expect(circles(sources)).toEqual([]);
  });

  test('has one door for each third-party package', () => {
    expect([...doors(sources)].filter(([, files]) => files.size > 1).map(([name, files]) => [name, [...files]])).toEqual([]);
  });

  test('reads the environment and reaches the network only through its doors', () => {
    expect(worldly(sources)).toEqual([]);
  });
});

describe('the checker sees a planted violation', () => {
  const column = { 'src/kinds/playlist/index.ts': '', 'src/kinds/static-key/index.ts': '' };

  test.each([
    ['model looks up', 'src/model/a.ts', `import type { A } from '../engine/a.ts';`],
    ['service knows the report', 'src/service/a.ts', `import { visible } from '../report/escape.ts';`],
    ['engine knows the service', 'src/engine/a.ts', `import { sign } from '../service/sign.ts';`],
    ['engine knows a kind', 'src/engine/a.ts', `import { playlist } from '../kinds/playlist/index.ts';`],
    ['engine knows the list of kinds', 'src/engine/a.ts', `import { kinds } from '../kinds/kinds.ts';`],
    ["engine reads a kind's schema", 'src/engine/a.ts', `import s from '../../schemas/playlist.schema.json' with { type: 'json' };`],
    ['report knows the engine', 'src/report/a.ts', `export { plan } from '../engine/plan.ts';`],
    ['ledger knows the report', 'src/ledger/a.ts', `const a = await import('../report/text.ts');`],
    ['emulator knows a double', 'src/emulator/a.ts', `import { emulation } from '../kinds/playlist/emulated.ts';`],
    ["emulator knows the engine's contract", 'src/emulator/a.ts', `import type { Kind } from '../kinds/kind.ts';`],
    ['a kind knows another', 'src/kinds/playlist/a.ts', `import { staticKey } from '../static-key/index.ts';`],
    [
      "a kind reads another's schema",
      'src/kinds/playlist/a.ts',
      `import s from '../../../schemas/static-key.schema.json' with { type: 'json' };`,
    ],
    ['a kind knows the engine', 'src/kinds/playlist/a.ts', `import '../../engine/a.ts';`],
    ['a kind knows its double', 'src/kinds/playlist/a.ts', `import { emulation } from './emulated.ts';`],
    ['a kind without the privilege knows impact', 'src/kinds/playlist/a.ts', `import { impact } from '../../impact/a.ts';`],
    ["a double shares the client's reading", 'src/kinds/playlist/emulated.ts', `import { shape } from './spec.ts';`],
    [
      "a double shares the client's schema",
      'src/kinds/playlist/emulated.ts',
      `import s from '../../../schemas/playlist.schema.json' with { type: 'json' };`,
    ],
    ['a double knows the service', 'src/kinds/playlist/emulated.ts', `import type { Request } from '../../service/request.ts';`],
    ['a double names a type of the other contract', 'src/kinds/playlist/emulated-rules.ts', `let a: import('../kind.ts').Kind;`],
    ['a contract knows a column', 'src/kinds/kind.ts', `import { playlist } from './playlist/index.ts';`],
    ['somebody knows the command line', 'src/report/a.ts', `import { main } from '../cli/main.ts';`],
    ['production code uses a test', 'src/cli/a.ts', `import { brokenArrows } from '../../test/arrows.ts';`],
    ['a template names the module', 'src/model/a.ts', 'const a = await import(`../engine/a.ts`);'],
    ['the name is computed', 'src/cli/a.ts', `const a = await import('../engine' + name);`],
    ['a file without a room', 'src/helpers/a.ts', ''],
    ['a stray file among the kinds', 'src/kinds/shared.ts', ''],
  ])('%s', (_name, file, text) => {
    expect(brokenArrows(planted({ ...column, [file]: text }))).toEqual([expect.stringContaining(file)]);
  });

  test('and lets pass what the arrows allow', () => {
    const allowed = {
      'src/model/json.ts': `import { createHash } from 'node:crypto';`,
      'src/kinds/kind.ts': `export { ServiceError } from '../service/errors.ts'; import type { Json } from '../model/json.ts';`,
      'src/kinds/emulation.ts': `import type { Json } from '../model/json.ts';`,
      'src/kinds/kinds.ts': `import { playlist } from './playlist/index.ts'; import type { Kind } from './kind.ts';`,
      'src/kinds/emulations.ts': `import { emulation } from './playlist/emulated.ts';`,
      'src/kinds/playlist/index.ts': `import { shape } from './spec.ts'; import s from '../../../schemas/playlist.schema.json' with { type: 'json' };`,
      'src/kinds/playlist/emulated.ts': `import { RouteError } from '../emulation.ts';`,
      'src/kinds/drm-policy/index.ts': `import { impact } from '../../impact/impact.ts';`,
      'src/engine/a.ts': `import type { Kind } from '../kinds/kind.ts'; import s from '../../schemas/configuration.schema.json' with { type: 'json' };`,
      'src/cli/main.ts': `import { kinds } from '../kinds/kinds.ts'; const { run } = await import('../engine/reconcile.ts');`,
      'src/report/text.ts': `// import { x } from '../engine/a.ts'\nconst text = "import '../engine/a.ts'";`,
    };
    expect(brokenArrows(planted(allowed))).toEqual([]);
  });

  test('circles, also over types and over several files', () => {
    const files = {
      'src/model/a.ts': `import type { B } from './b.ts';`,
      'src/model/b.ts': `import { c } from './c.ts';`,
      'src/model/c.ts': `export * from './a.ts';`,
      'src/model/d.ts': `import { a } from './a.ts';`,
    };
    expect(circles(planted(files))).toEqual(['src/model/a.ts -> src/model/b.ts -> src/model/c.ts -> src/model/a.ts']);
    expect(circles(planted({ ...files, 'src/model/c.ts': '' }))).toEqual([]);
  });

  test('second doors, also through sub-paths and types', () => {
    const files = {
      'src/engine/schema.ts': `import { Ajv } from 'ajv'; import { readFileSync } from 'node:fs';`,
      'src/report/json.ts': `import type { ErrorObject } from 'ajv/dist/core.js'; import x from '@scope/name/part';`,
    };
    expect(doors(planted(files))).toEqual(
      new Map([
        ['ajv', new Set(['src/engine/schema.ts', 'src/report/json.ts'])],
        ['@scope/name', new Set(['src/report/json.ts'])],
      ]),
    );
  });

  test.each([
    ['calls the global fetch', `await fetch('http://localhost');`],
    ['calls the global fetch', `await globalThis.fetch('http://localhost');`],
    ['reads process.env', 'const home = process.env.HOME;'],
    ['reads process.env', `import process from 'node:process'; const { HOME } = process.env;`],
    ['reads process.env', 'const all = globalThis.process.env;'],
    ['reads a computed member of process', `const all = process['env'];`],
    ['imports the environment', `import { env as world } from 'node:process';`],
  ])('%s: %s', (sentence, text) => {
    expect(worldly(planted({ 'src/engine/a.ts': text }))).toEqual([`src/engine/a.ts ${sentence}`]);
    expect(worldly(planted({ 'src/cli/a.ts': text }))).toEqual([]);
  });

  test('a comment, a text and a method of that name are not the global fetch', () => {
    expect(worldly(planted({ 'src/engine/a.ts': `// fetch('x')\nconst a = 'process.env'; store.fetch(a); task.env;` }))).toEqual([]);
  });

  test('rooms are told apart', () => {
    const kinds = new Set(['playlist']);
    expect(roomOf('src/kinds/playlist/emulated.ts', kinds)).toEqual({ name: 'double', kind: 'playlist' });
    expect(roomOf('src/kinds/playlist/spec.ts', kinds)).toEqual({ name: 'column', kind: 'playlist' });
    expect(roomOf('schemas/playlist.schema.json', kinds)).toEqual({ name: 'kind schema', kind: 'playlist' });
    expect(roomOf('schemas/plan.schema.json', kinds)).toEqual({ name: 'document schema' });
    expect(roomOf('src/index.ts', kinds)).toBeUndefined();
  });
});
