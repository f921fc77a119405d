/**
 * The example as people edit it: the real YAML language server, with the schema that the first line of each file names and nothing else.
 */
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectIn, temporaryFolder } from '../support/harness.ts';
import { type Editor, type Position, startEditor } from './language-server.ts';

const EXAMPLE = 'examples/streaming-account';
const SOURCES = join(EXAMPLE, 'config');
const GUARDS = 'examples/guards';

let editor: Editor;
beforeAll(async () => {
  editor = await startEditor();
});
afterAll(() => editor.close());

const files = [
  join(EXAMPLE, 'upkeep.yaml'),
  ...readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => join(SOURCES, name)),
  ...readdirSync(GUARDS, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => join(GUARDS, name)),
];

/** A file that lies in a folder of the example; the cursor is where `|` stands. */
function opened(text: string, file: string): { readonly file: string; readonly text: string; readonly cursor: Position } {
  const head = text.slice(0, text.indexOf('|'));
  const lines = head.split('\n');
  return {
    file: join(process.cwd(), file),
    text: text.replace('|', ''),
    cursor: { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 },
  };
}

const source = (text: string) =>
  opened(`# yaml-language-server: $schema=../../../../schemas/source.schema.json\n${text}`, join(SOURCES, 'common/new.yaml'));
const project = (text: string) =>
  opened(`# yaml-language-server: $schema=../../schemas/configuration.schema.json\n${text}`, join(EXAMPLE, 'new.yaml'));

const testFile = (text: string) =>
  opened(`# yaml-language-server: $schema=../../schemas/test.schema.json\n${text}`, join(GUARDS, 'new.test.yaml'));

async function completed({ file, text, cursor }: ReturnType<typeof opened>) {
  await editor.open(file, text);
  return editor.complete(file, cursor);
}

async function hovered({ file, text, cursor }: ReturnType<typeof opened>): Promise<string> {
  await editor.open(file, text);
  return editor.hover(file, cursor);
}

test.each(files)('%s names its schema, and has nothing underlined', async (file) => {
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(/^# yaml-language-server: \$schema=/);
  expect(await editor.open(join(process.cwd(), file), text)).toEqual([]);
});

test('a resource with a template may remove fields, use variables and include entry lists, and nothing is underlined', async () => {
  const text = `# yaml-language-server: $schema=../../../../schemas/source.schema.json
playlists:
  a: { template: show, with: { title: A }, active: null, desc: null, repeat: "\${n}" }
  b: { playlist: [{ beam: x }, { include: pod }, { ad: "\${n}" }], repeat: null }
drm_policies:
  p: { template: q, fairplay: { lease: null } }
`;
  expect(await editor.open(join(process.cwd(), SOURCES, 'common/new.yaml'), text)).toEqual([]);
});

test('an overlay may remove any field, and nothing is underlined in it', async () => {
  const fields = 'active: null\n    repeat: null\n    desc: null\n    playlist: null';
  const text = `# yaml-language-server: $schema=../../../../schemas/overlay.schema.json\nplaylists:\n  a:\n    ${fields}\n  b: null\n`;
  expect(await editor.open(join(process.cwd(), SOURCES, 'staging/new.yaml'), text)).toEqual([]);
});

test('a project that `init` has made finds the schemas of an installed package, and nothing is underlined in it', async () => {
  const at = projectIn(temporaryFolder());
  expect((await at.run('init', '--base-url', 'https://services.example.com')).code).toBe(0);
  cpSync('schemas', join(at.folder, 'node_modules/upkeep/schemas'), { recursive: true });
  for (const file of ['upkeep.yaml', 'config/account.yaml']) expect(await editor.open(join(at.folder, file), at.read(file))).toEqual([]);
  const text = `${at.read('config/account.yaml')}\nsta`;
  await editor.open(join(at.folder, 'config/more.yaml'), text);
  const found = await editor.complete(join(at.folder, 'config/more.yaml'), { line: text.split('\n').length - 1, character: 3 });
  expect(found.map(({ label }) => label)).toContain('static_key');
});

describe('completion', () => {
  test.each([
    ['sections', source('|'), ['playlists', 'smart_starts', 'drm_policies', 'static_key', 'moved']],
    ['fields of a playlist', source('playlists:\n  a:\n    |'), ['repeat', 'studio_drm_required', 'playlist']],
    ['settings of a policy', source('drm_policies:\n  a:\n    fairplay:\n      |'), ['persistence', 'lease_duration_seconds', 'uhd1']],
    ['members of a case', testFile('cases:\n  - name: a\n    |'), ['base', 'head', 'run', 'expect']],
    ['expectations', testFile('cases:\n  - expect:\n      |'), ['verdict', 'changes', 'blocked', 'findings']],
    [
      'settings of a policy in a case',
      testFile('cases:\n  - head:\n      drm_policies:\n        a:\n          fairplay:\n            |'),
      ['persistence', 'lease_duration_seconds'],
    ],
    ['fields of a target', project('version: 1\ntargets:\n  a:\n    |'), ['base_url', 'ownership', 'limits']],
  ])('offers %s', async (_what, document, wanted) => {
    expect((await completed(document)).map(({ label }) => label)).toEqual(expect.arrayContaining(wanted));
  });

  test.each([
    ['a scope', source('static_key:\n  scope: |'), { specific: 'The slicers in slicer_ids.' }],
    [
      'an HDCP',
      source('drm_policies:\n  a:\n    widevine:\n      content_key_specs:\n        - required_output_protection:\n            hdcp: |'),
      { HDCP_V2_2: 'HDCP 2.2 or later.' },
    ],
    [
      'an ownership',
      project('version: 1\ntargets:\n  a:\n    ownership: |'),
      { observe: 'Nothing is written: plans are shown, and their changes are blocked.' },
    ],
  ])('offers each value of %s with what it means', async (_what, document, wanted) => {
    const found = new Map((await completed(document)).map(({ label, documentation }) => [label, textOf(documentation)]));
    for (const [value, meaning] of Object.entries(wanted)) expect(found.get(value)).toBe(meaning);
  });
});

describe('hover', () => {
  test.each([
    ['a field', source('playlists:\n  a:\n    rep|eat: -1\n'), ['How often the list is repeated']],
    [
      'a value',
      source('drm_policies:\n  a:\n    fairplay:\n      sd:\n        hdcp_enf|orcement: 1\n'),
      ['The HDCP that is enforced', 'Type 1: HDCP 2.2 or later'],
    ],
    ['a section', source('vmp_reject|_statuses: []\n'), ['Verified Media Path statuses']],
    [
      'a setting of a target',
      project('version: 1\ntargets:\n  a:\n    weak|ening: block\n'),
      ['Changes that weaken', 'blocked until overridden'],
    ],
  ])('explains %s', async (_what, document, wanted) => {
    const shown = await hovered(document);
    for (const words of wanted) expect(shown).toContain(words);
  });
});

describe('what is wrong is underlined at its place', () => {
  test.each([
    ['a key', source('playlists:\n  a:\n    playlist: [{ beam: x }]\n    |repaet: 1\n'), 'repaet'.length],
    ['a value', source('static_key:\n  scope: |evrything\n'), 'evrything'.length],
    ['a member of a case', testFile('cases:\n  - name: a\n    head: {}\n    expect: { verdict: a }\n    |bsae: {}\n'), 'bsae'.length],
    ['a number out of its range', source('key_rotation_schedule:\n  hour: |24\n'), 2],
    [
      'a field of a target',
      project(
        'version: 1\ntargets:\n  a:\n    base_url: https://a.example\n    credentials: { owner: { env: A }, api_key: { env: B } }\n    sources: [config]\n    |legder: git\n',
      ),
      'legder'.length,
    ],
  ])('%s is underlined', async (_what, { file, text, cursor }, length) => {
    const { line, character } = cursor;
    expect((await editor.open(file, text)).map(({ range }) => range)).toEqual([
      { start: cursor, end: { line, character: character + length } },
    ]);
  });
});

function textOf(documentation: string | { readonly value: string } | undefined): string {
  return typeof documentation === 'object' ? documentation.value : (documentation ?? '');
}
