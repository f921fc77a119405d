/** Edits of files as bytes: byte order marks, line ends and all other lines are kept, and the new lines are listed. */
import { describe, expect, test } from 'vitest';
import { editsPerDocument, NotEditable, setIn } from '../../../../src/core/drift/accept/document-edits.ts';
import { editFiles } from '../../../../src/core/drift/accept/file-edits.ts';
import type { AcceptRequest, FileEdit } from '../../../../src/core/drift/accept/verify-edits.ts';
import { isJsonObject, type Json, type Path } from '../../../../src/core/model/json.ts';
import type { ProjectFiles } from '../../../../src/core/model/project-files.ts';
import {
  acceptRequests,
  asset,
  type Files,
  loadSources,
  type Targets,
  textsOf,
  type Workspace,
  withLinks,
  workspaceOf,
} from './project.ts';

/** Paths below playlist `a`, and their new values. */
type Changes = readonly (readonly [path: Path, value: Json | undefined])[];

interface Options {
  readonly targets?: Targets;
  readonly requests?: (workspace: Workspace) => readonly AcceptRequest[];
  readonly filesOf?: (files: ProjectFiles) => ProjectFiles;
}

function fileEdits(
  files: Files,
  changes: Changes,
  { targets, requests = () => [], filesOf = (same) => same }: Options = {},
): readonly FileEdit[] {
  const workspace = workspaceOf(files, targets);
  const before = loadSources(workspace);
  const is = changes.reduce((value: Json, [path, newValue]) => setIn(value, ['playlists', 'a', ...path], newValue), before.merged);
  if (!isJsonObject(is)) throw new Error('the sources are a map');
  return editFiles(filesOf(workspace.files), editsPerDocument(before, is), requests(workspace));
}

const BLOCK = `playlists:
  a: # the first
    repeat: 1
    active: 1
    playlist:
      - beam: ${asset(1)}
      # a break
      - ad: 30
      - beam: ${asset(2)}
`;
const entries = (...dur: readonly number[]) => [{ beam: asset(1) }, ...dur.map((each) => ({ ad: each })), { beam: asset(2) }];

test('a file edit contains the bytes before and after, and the new lines', () => {
  const encoder = new TextEncoder();
  expect(fileEdits({ 'config/a.yaml': BLOCK }, [[['repeat'], 5]])).toEqual([
    { file: 'config/a.yaml', before: encoder.encode(BLOCK), after: encoder.encode(BLOCK.replace('repeat: 1', 'repeat: 5')), lines: [3] },
  ]);
});

test('no file is edited where nothing changes', () => {
  expect(fileEdits({ 'a.yaml': BLOCK }, [])).toEqual([]);
});

describe('the new lines', () => {
  test.each<readonly [string, Changes, readonly number[]]>([
    [
      'are those of changed values',
      [
        [['active'], 0],
        [['repeat'], 5],
      ],
      [3, 4],
    ],
    ['include an added member, below the last one', [[['skip_drm'], 1]], [5]],
    [
      'are counted below an added line',
      [
        [['skip_drm'], 1],
        [['playlist'], entries(60)],
      ],
      [5, 9],
    ],
    [
      'are counted above a removed line',
      [
        [['repeat'], undefined],
        [['playlist'], entries(60)],
      ],
      [3, 7],
    ],
    ['include each of several added items', [[['playlist'], entries(30, 40, 50)]], [9, 10]],
    [
      'include an item added at the top, and the line below a removed item',
      [[['playlist'], [{ ad: 9 }, { ad: 30 }, { beam: asset(2) }]]],
      [6, 7],
    ],
    ['are the lines below removed ones', [[['playlist'], entries()]], [7]],
  ])('%s', (_name, changes, lines) => {
    expect(fileEdits({ 'a.yaml': BLOCK }, changes).map((each) => each.lines)).toEqual([lines]);
    expect(fileEdits({ 'a.yaml': BLOCK.replaceAll('\n', '\r\n') }, changes).map((each) => each.lines)).toEqual([lines]);
  });
});

test('a line with several changes is listed once', () => {
  const text = `playlists:\n  a: { repeat: 1, active: 1, playlist: [beam: ${asset(1)}, beam: ${asset(2)}] }\n`;
  const changes: Changes = [
    [['active'], 0],
    [['repeat'], 5],
  ];
  expect(fileEdits({ 'a.yaml': text }, changes).map((each) => each.lines)).toEqual([[2]]);
});

describe('an edit keeps the form of a text', () => {
  const more: Changes = [
    [['repeat'], 5],
    [['skip_drm'], 1],
  ];
  const after = BLOCK.replace('repeat: 1', 'repeat: 5').replace('active: 1', 'active: 1\n    skip_drm: 1');

  test.each([
    ['with line feeds', BLOCK, after],
    ['with Windows line ends', BLOCK.replaceAll('\n', '\r\n'), after.replaceAll('\n', '\r\n')],
    ['with a byte order mark', `\ufeff${BLOCK}`, `\ufeff${after}`],
    ['with both', `\ufeff${BLOCK.replaceAll('\n', '\r\n')}`, `\ufeff${after.replaceAll('\n', '\r\n')}`],
    ['without a last line break', BLOCK.trimEnd(), after.trimEnd()],
    ['behind an empty line', `\r\n${BLOCK.replaceAll('\n', '\r\n')}`, `\r\n${after.replaceAll('\n', '\r\n')}`],
    ['with characters of several bytes', `# Übersicht 🎬\n${BLOCK}`, `# Übersicht 🎬\n${after}`],
    ['and uses the line end of its first line', `# x\r\n${BLOCK}`, `# x\r\n${after.replace('1\n    skip', '1\r\n    skip')}`],
    ['and uses the line end of its first line, even if a later one differs', `${BLOCK}# x\r\n`, `${after}# x\r\n`],
  ])('%s', (_name, text, expected) => {
    expect(textsOf(fileEdits({ 'a.yaml': text }, more))).toEqual({ 'a.yaml': expected });
  });
});

describe('edits of several documents', () => {
  const other = `playlists:\n  b:\n    repeat: 1\n    playlist: [beam: ${asset(3)}, beam: ${asset(4)}]\n`;

  test('change one document of a file and keep the others', () => {
    const text = `---\n# nothing\n---\n${other}---\n${BLOCK}`;
    const changes: Changes = [[['repeat'], 5]];
    expect(textsOf(fileEdits({ 'a.yaml': text }, changes))).toEqual({
      'a.yaml': text.replace(BLOCK, BLOCK.replace('repeat: 1', 'repeat: 5')),
    });
  });

  test('are returned in the order of the files', () => {
    const over = 'playlists:\n  a:\n    active: 0\n';
    const edits = fileEdits({ 'a.yaml': BLOCK, 'b.yaml': over }, [
      [['active'], 1],
      [['repeat'], 5],
    ]);
    expect(textsOf(edits)).toEqual({ 'a.yaml': BLOCK.replace('repeat: 1', 'repeat: 5'), 'b.yaml': over.replace('0', '1') });
  });

  test('change two documents of one file', () => {
    const text = `${BLOCK}---\n${other}`;
    const workspace = workspaceOf({ 'a.yaml': text });
    const before = loadSources(workspace);
    const is = setIn(setIn(before.merged, ['playlists', 'a', 'repeat'], 5), ['playlists', 'b', 'repeat'], 6);
    const expected = `${BLOCK.replace('repeat: 1', 'repeat: 5')}---\n${other.replace('repeat: 1', 'repeat: 6')}`;
    expect(textsOf(editFiles(workspace.files, editsPerDocument(before, isJsonObject(is) ? is : {}), []))).toEqual({ 'a.yaml': expected });
  });
});

describe('an assets file', () => {
  const yaml = `smart_starts:\n  vod:\n    repeat: 1\n    assets_file: vod.txt\n`;
  const ids = `# all\n\n# the first\n${asset(7)}\n${asset(8)} # late\n  # odd\n  ${asset(9)}\n`;
  /** Requests to accept that these assets are gone. */
  const gone =
    (...numbers: readonly number[]) =>
    (workspace: Workspace) =>
      acceptRequests(workspace, {}).filter(({ desired }) => numbers.some((number) => desired.address.endsWith(asset(number))));

  test.each<readonly [string, string, readonly number[], string, readonly number[]]>([
    ['loses a line with the comment above it', ids, [7], `# all\n\n${asset(8)} # late\n  # odd\n  ${asset(9)}\n`, [3]],
    ['loses a line with the comment behind it', ids, [8], `# all\n\n# the first\n${asset(7)}\n  # odd\n  ${asset(9)}\n`, [5]],
    ['keeps a comment in another column', ids, [9], `# all\n\n# the first\n${asset(7)}\n${asset(8)} # late\n  # odd\n`, [7]],
    ['loses several lines', ids, [7, 9], `# all\n\n${asset(8)} # late\n  # odd\n`, [3, 5]],
    ['loses its first line', `${asset(7)}\r\n${asset(8)}\r\n`, [7], `${asset(8)}\r\n`, [1]],
    ['loses its last line', `${asset(7)}\n${asset(8)}`, [8], asset(7), [2]],
  ])('%s', (_name, text, numbers, expected, lines) => {
    const edits = fileEdits({ 'a.yaml': yaml, 'vod.txt': text }, [], { requests: gone(...numbers) });
    expect([textsOf(edits), edits.map((each) => each.lines)]).toEqual([{ 'vod.txt': expected }, [lines]]);
  });

  test('is edited after the YAML files', () => {
    const files = { 'a.yaml': yaml, 'vod.txt': ids };
    const workspace = workspaceOf(files);
    const before = loadSources(workspace);
    const is = setIn(before.merged, ['smart_starts', 'vod', 'repeat'], 2);
    const edits = editFiles(workspace.files, editsPerDocument(before, isJsonObject(is) ? is : {}), gone(8)(workspace));
    expect(edits.map(({ file, lines }) => [file, lines])).toEqual([
      ['a.yaml', [3]],
      ['vod.txt', [5]],
    ]);
  });

  test('is not edited for other differences, nor for assets that are listed in YAML', () => {
    const live = (workspace: Workspace) =>
      acceptRequests(workspace, { smart_starts: { vod: { repeat: 2, assets: [7, 8, 9].map(asset) } } });
    expect(fileEdits({ 'a.yaml': yaml, 'vod.txt': ids }, [], { requests: live })).toEqual([]);
    const inYaml = { 'a.yaml': yaml.replace('assets_file: vod.txt', `assets: [${asset(7)}, ${asset(8)}]`) };
    expect(fileEdits(inYaml, [], { requests: gone(7) })).toEqual([]);
  });

  test('cannot lose the same line twice', () => {
    const twice = (workspace: Workspace) => [...gone(7)(workspace), ...gone(7)(workspace)];
    expect(() => fileEdits({ 'a.yaml': yaml, 'vod.txt': ids }, [], { requests: twice })).toThrow(
      new NotEditable('vod.txt is written in a way that cannot be edited in place', 'edit it by hand'),
    );
  });
});

describe('a file is not edited', () => {
  const change: Changes = [[['repeat'], 5]];

  test('if it is reached through a link', () => {
    const filesOf = (of: ProjectFiles) => withLinks(of, { 'config/a.yaml': 'elsewhere/a.yaml' });
    expect(() => fileEdits({ 'config/a.yaml': BLOCK }, change, { filesOf })).toThrow(
      new NotEditable('config/a.yaml is reached through a link', 'edit the file itself by hand'),
    );
    expect(fileEdits({ 'config/a.yaml': BLOCK }, change, { filesOf: (of) => withLinks(of, {}) })).toHaveLength(1);
  });

  test.each(['.git/a.yaml', 'modules/.git/x/a.yaml'])('if it belongs to git: %s', (file) => {
    expect(() => fileEdits({ [file]: BLOCK }, change)).toThrow(new NotEditable(`${file} belongs to git`, 'edit the sources by hand'));
  });

  test('only if its folder is .git, not if its name contains git', () => {
    expect(fileEdits({ '.github/a.git.yaml': BLOCK }, change)).toHaveLength(1);
  });

  test('if it cannot be edited in place', () => {
    const text = BLOCK.replace('    repeat: 1\n', '    ? repeat\n    : 1\n');
    expect(() => fileEdits({ 'a.yaml': text }, [[['repeat'], undefined]])).toThrow(
      new NotEditable('a.yaml is written in a way that cannot be edited in place', 'edit it by hand'),
    );
  });
});
