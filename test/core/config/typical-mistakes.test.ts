/** The messages about mistakes that somebody makes who is new to YAML or to upkeep, one by one. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadProject } from '../../../src/core/config/load-project.ts';
import { memoryFiles } from '../../../src/core/config/project-folder.ts';
import { kinds } from '../../../src/core/kinds/index.ts';
import { GENERAL_CODES } from '../../../src/core/model/finding-codes.ts';
import { loadConfig, projectText } from './fixture.ts';

interface ExpectedFinding {
  /** Line and column. */
  readonly at: string;
  readonly code: string;
  readonly summary: string;
  readonly hint: string | undefined;
}

/** A source with one mistake. */
interface Mistake {
  readonly mistake: string;
  readonly text: string;
  readonly findings: readonly ExpectedFinding[];
}

/**
 * Reads the mistakes of typical-mistakes.txt: `@` and the mistake, its source, and each finding in two or three lines that begin with `!`:
 * place and code, summary, hint. `<U+0009>` stands for a character that an editor does not show or would change.
 */
function readMistakes(): readonly Mistake[] {
  const written = readFileSync(new URL('typical-mistakes.txt', import.meta.url), 'utf8');
  const shown = (text: string) => text.replace(/<U\+([0-9A-F]{4})>/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
  return written.split(/^@ /m).flatMap((block) => {
    const [mistake = '', ...lines] = block.trimEnd().split('\n');
    const isFinding = (line: string) => line.startsWith('! ');
    const findings = lines
      .filter(isFinding)
      .join('\n')
      .split(/^(?=! \d+:\d+ [a-z-]+$)/m);
    const source = lines.filter((line) => !isFinding(line));
    return mistake === ''
      ? []
      : [{ mistake, text: shown(`${source.join('\n')}\n`), findings: findings.map((each) => readFinding(shown(each))) }];
  });
}

function readFinding(text: string): ExpectedFinding {
  const [place = '', summary = '', hint] = text
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(2));
  const [at = '', code = ''] = place.split(' ');
  return { at, code, summary, hint };
}

const mistakes = readMistakes();

test('all mistakes of the list are read', () => {
  expect(mistakes.length).toBeGreaterThan(150);
});

test.each(mistakes)('a finding names the place of $mistake, and what to write', ({ text, findings }) => {
  const found = loadConfig({ 'a.yaml': text }, { kinds }).findings;
  expect(found.map(({ line, column, code, summary, hint }) => ({ at: `${line}:${column}`, code, summary, hint }))).toEqual(findings);
  const codes = [GENERAL_CODES, ...kinds.map(({ findingCodes }) => findingCodes)].flatMap((list) => Object.keys(list));
  expect(codes).toEqual(expect.arrayContaining(found.map(({ code }) => code)));
});

test.each([
  [
    'a description',
    {
      'a.yaml': 'playlists:\n  a: { desc: x, playlist: [{ beam: one }] }',
      'b.yaml': 'playlists:\n  b: { desc: x, playlist: [{ beam: two }] }',
    },
    'a.yaml:2',
  ],
  ['an asset in a text file', { 'a.yaml': 'smart_starts: { a: { assets_file: a.txt } }', 'a.txt': `one\n\ntwo\none\n` }, 'a.txt:1'],
  [
    'an asset in two text files',
    { 'a.yaml': 'smart_starts: { a: { assets_file: a.txt }, b: { assets_file: b.txt } }', 'a.txt': '# one\none\n', 'b.txt': 'one\n' },
    'a.txt:2',
  ],
  ['an asset ID', { 'a.yaml': 'assets: { a: { id: one } }', 'b.yaml': 'assets:\n  b: { id: one }' }, 'a.yaml:1'],
  [
    'a track',
    {
      'a.yaml':
        'drm_policies:\n  p:\n    widevine:\n      content_key_specs:\n        - { track_type: ALL }\n        - { track_type: ALL }',
    },
    'a.yaml:5',
  ],
  ['an item of a list', { 'a.yaml': 'static_key:\n  scope: specific\n  slicer_ids:\n    - one\n    - two\n    - one' }, 'a.yaml:4'],
  [
    'a remote ID',
    {
      'a.yaml':
        'playlists:\n  a: { playlist: [{ beam: one }] }\n  b: { playlist: [{ beam: two }] }\nadopt:\n  playlist/a: x\n  playlist/b: x',
    },
    'a.yaml:5',
  ],
  [
    'an old address',
    {
      'a.yaml':
        'playlists: { b: { playlist: [{ beam: one }] }, c: { playlist: [{ beam: two }] } }\nmoved:\n  - { from: playlist/a, to: playlist/b }\n  - { from: playlist/a, to: playlist/c }',
    },
    'a.yaml:3',
  ],
])('a finding about %s that is there twice names file and line of the other one', (_what, files, other) => {
  const errors = loadConfig(files, { kinds }).findings.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ hint }) => hint)).toContainEqual(expect.stringMatching(new RegExp(`^The other one is in ${other}\\.`)));
});

test('a finding about two guards with one ID names file and line of the first one', () => {
  const text = `${projectText(['a.yaml'])}\nguards:\n${"  - { id: a, message: m, warn: 'true' }\n".repeat(2)}`;
  const { findings } = loadProject(memoryFiles([{ name: 'upkeep.yaml', text }]), '2027-01-01');
  expect(findings.filter(({ code }) => code === 'duplicate-item')).toMatchObject([
    { hint: expect.stringMatching(/^The other one is in upkeep\.yaml:9\./) },
  ]);
});

interface ProjectMistake extends Pick<Mistake, 'mistake' | 'findings'> {
  readonly baseUrl: string;
  /** A further line of the target. */
  readonly line: string;
}

const projectMistakes: readonly ProjectMistake[] = [
  {
    mistake: 'a list for a variable',
    baseUrl: 'https://services.example.com',
    line: 'vars: { brand: [Fresh] }',
    findings: [
      {
        at: '7:20',
        code: 'wrong-type',
        summary: '`brand` must be a text or a number or true or false, not a list',
        hint: 'Write one text. Quote it if it begins with a bracket or contains a colon and a space.',
      },
    ],
  },
  {
    mistake: 'an address without https',
    baseUrl: 'services.example.com',
    line: 'vars: {}',
    findings: [
      {
        at: '4:15',
        code: 'base-url',
        summary: '`base_url` must be an https address without user, query or fragment',
        hint: 'Write https://services.example.com',
      },
    ],
  },
  ...['/api', '/api/', '/api/v3', '/api/v4/'].map((part) => ({
    mistake: `an address with ${part}`,
    baseUrl: `https://services.example.com/base${part}`,
    line: 'vars: {}',
    findings: [
      {
        at: '4:15',
        code: 'base-url',
        summary: '`base_url` ends with a part of the paths that upkeep adds itself',
        hint: 'Write https://services.example.com/base',
      },
    ],
  })),
];

test.each(projectMistakes)('a finding in upkeep.yaml names the place of $mistake, and what to write', ({ baseUrl, line, findings }) => {
  const credentials = 'credentials: { owner: { env: OWNER }, api_key: { env: KEY } }';
  const text = `version: 1\ntargets:\n  main:\n    base_url: ${baseUrl}\n    ${credentials}\n    sources: [a.yaml]\n    ${line}\n`;
  const found = loadProject(memoryFiles([{ name: 'upkeep.yaml', text }]), '2027-01-01').findings;
  expect(found.map(({ line: at, column, code, summary, hint }) => ({ at: `${at}:${column}`, code, summary, hint }))).toEqual(findings);
});
