/** Files are amended as bytes: marks, line ends and the lines below stay, and it is told which lines are new. */
import { describe, expect, test } from 'vitest';
import type { ProjectFiles } from '../../../src/config/project-files.ts';
import { NotEditable, setIn } from '../../../src/drift/accept/document-edits.ts';
import { editFiles } from '../../../src/drift/accept/file-edits.ts';
import type { AcceptRequest, FileEdit } from '../../../src/drift/accept/verify-edits.ts';
import { isJsonObject, type Json, type Path } from '../../../src/model/json.ts';
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

/** Paths below playlist `a`, and what the sources are to say there. */
type Changes = readonly (readonly [path: Path, value: Json | undefined])[];

interface Options {
  readonly targets?: Targets;
  readonly asked?: (workspace: Workspace) => readonly AcceptRequest[];
  readonly tree?: (tree: ProjectFiles) => ProjectFiles;
}

function amended(files: Files, changes: Changes, { targets, asked = () => [], tree = (same) => same }: Options = {}): readonly FileEdit[] {
  const workspace = workspaceOf(files, targets);
  const before = loadSources(workspace);
  const is = changes.reduce((value: Json, [path, told]) => setIn(value, ['playlists', 'a', ...path], told), before.merged);
  if (!isJsonObject(is)) throw new Error('the sources are a map');
  return editFiles(tree(workspace.tree), before, is, asked(workspace));
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

test('a file is told with what it was, what it is, and the lines that are new', () => {
  const encoder = new TextEncoder();
  expect(amended({ 'config/a.yaml': BLOCK }, [[['repeat'], 5]])).toEqual([
    { file: 'config/a.yaml', before: encoder.encode(BLOCK), after: encoder.encode(BLOCK.replace('repeat: 1', 'repeat: 5')), lines: [3] },
  ]);
});

test('nothing is amended where nothing changes', () => {
  expect(amended({ 'a.yaml': BLOCK }, [])).toEqual([]);
});

describe('the lines that are new', () => {
  test.each<readonly [string, Changes, readonly number[]]>([
    [
      'those of values',
      [
        [['active'], 0],
        [['repeat'], 5],
      ],
      [3, 4],
    ],
    ['that of a member which comes, below the last one', [[['skip_drm'], 1]], [5]],
    [
      'behind one that comes',
      [
        [['skip_drm'], 1],
        [['playlist'], entries(60)],
      ],
      [5, 9],
    ],
    [
      'behind one that goes',
      [
        [['repeat'], undefined],
        [['playlist'], entries(60)],
      ],
      [3, 7],
    ],
    ['each of several that come', [[['playlist'], entries(30, 40, 50)]], [9, 10]],
    [
      'that of an item which comes above all, and below it where the first one went',
      [[['playlist'], [{ ad: 9 }, { ad: 30 }, { beam: asset(2) }]]],
      [6, 7],
    ],
    ['where lines went', [[['playlist'], entries()]], [7]],
  ])('%s', (_what, changes, lines) => {
    expect(amended({ 'a.yaml': BLOCK }, changes).map((each) => each.lines)).toEqual([lines]);
    expect(amended({ 'a.yaml': BLOCK.replaceAll('\n', '\r\n') }, changes).map((each) => each.lines)).toEqual([lines]);
  });
});

test('a line is told once, however much of it is new', () => {
  const text = `playlists:\n  a: { repeat: 1, active: 1, playlist: [beam: ${asset(1)}, beam: ${asset(2)}] }\n`;
  const changes: Changes = [
    [['active'], 0],
    [['repeat'], 5],
  ];
  expect(amended({ 'a.yaml': text }, changes).map((each) => each.lines)).toEqual([[2]]);
});

describe('the text as it is kept', () => {
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
    ['with letters of several bytes', `# Übersicht 🎬\n${BLOCK}`, `# Übersicht 🎬\n${after}`],
    ['with the line end of its first line', `# x\r\n${BLOCK}`, `# x\r\n${after.replace('1\n    skip', '1\r\n    skip')}`],
    ['with that of its first line, whatever comes later', `${BLOCK}# x\r\n`, `${after}# x\r\n`],
  ])('%s', (_what, text, made) => {
    expect(textsOf(amended({ 'a.yaml': text }, more))).toEqual({ 'a.yaml': made });
  });
});

describe('several documents', () => {
  const other = `playlists:\n  b:\n    repeat: 1\n    playlist: [beam: ${asset(3)}, beam: ${asset(4)}]\n`;

  test('of one file are amended each in its place', () => {
    const text = `---\n# nothing\n---\n${other}---\n${BLOCK}`;
    const changes: Changes = [[['repeat'], 5]];
    expect(textsOf(amended({ 'a.yaml': text }, changes))).toEqual({
      'a.yaml': text.replace(BLOCK, BLOCK.replace('repeat: 1', 'repeat: 5')),
    });
  });

  test('of several files are amended in the order in which they are told', () => {
    const over = 'playlists:\n  a:\n    active: 0\n';
    const found = amended({ 'a.yaml': BLOCK, 'b.yaml': over }, [
      [['active'], 1],
      [['repeat'], 5],
    ]);
    expect(textsOf(found)).toEqual({ 'a.yaml': BLOCK.replace('repeat: 1', 'repeat: 5'), 'b.yaml': over.replace('0', '1') });
  });

  test('of one file are both amended', () => {
    const text = `${BLOCK}---\n${other}`;
    const workspace = workspaceOf({ 'a.yaml': text });
    const before = loadSources(workspace);
    const is = setIn(setIn(before.merged, ['playlists', 'a', 'repeat'], 5), ['playlists', 'b', 'repeat'], 6);
    const made = `${BLOCK.replace('repeat: 1', 'repeat: 5')}---\n${other.replace('repeat: 1', 'repeat: 6')}`;
    expect(textsOf(editFiles(workspace.tree, before, isJsonObject(is) ? is : {}, []))).toEqual({ 'a.yaml': made });
  });
});

describe('a list of assets in a file of its own', () => {
  const yaml = `smart_starts:\n  vod:\n    repeat: 1\n    assets_file: vod.txt\n`;
  const ids = `# all\n\n# the first\n${asset(7)}\n${asset(8)} # late\n  # odd\n  ${asset(9)}\n`;
  /** All of these assets are gone. */
  const gone =
    (...numbers: readonly number[]) =>
    (workspace: Workspace) =>
      acceptRequests(workspace, {}).filter(({ desired }) => numbers.some((number) => desired.address.endsWith(asset(number))));

  test.each<readonly [string, string, readonly number[], string, readonly number[]]>([
    ['loses a line with the comment above it', ids, [7], `# all\n\n${asset(8)} # late\n  # odd\n  ${asset(9)}\n`, [3]],
    ['loses a line with the comment behind it', ids, [8], `# all\n\n# the first\n${asset(7)}\n  # odd\n  ${asset(9)}\n`, [5]],
    ['keeps what stands in another column', ids, [9], `# all\n\n# the first\n${asset(7)}\n${asset(8)} # late\n  # odd\n`, [7]],
    ['loses several lines', ids, [7, 9], `# all\n\n${asset(8)} # late\n  # odd\n`, [3, 5]],
    ['loses its first line', `${asset(7)}\r\n${asset(8)}\r\n`, [7], `${asset(8)}\r\n`, [1]],
    ['loses its last line', `${asset(7)}\n${asset(8)}`, [8], asset(7), [2]],
  ])('%s', (_what, text, numbers, made, lines) => {
    const found = amended({ 'a.yaml': yaml, 'vod.txt': text }, [], { asked: gone(...numbers) });
    expect([textsOf(found), found.map((each) => each.lines)]).toEqual([{ 'vod.txt': made }, [lines]]);
  });

  test('is amended after the YAML', () => {
    const files = { 'a.yaml': yaml, 'vod.txt': ids };
    const workspace = workspaceOf(files);
    const before = loadSources(workspace);
    const is = setIn(before.merged, ['smart_starts', 'vod', 'repeat'], 2);
    const found = editFiles(workspace.tree, before, isJsonObject(is) ? is : {}, gone(8)(workspace));
    expect(found.map(({ file, lines }) => [file, lines])).toEqual([
      ['a.yaml', [3]],
      ['vod.txt', [5]],
    ]);
  });

  test('is not touched for what is live otherwise, nor for what stands in YAML', () => {
    const live = (workspace: Workspace) =>
      acceptRequests(workspace, { smart_starts: { vod: { repeat: 2, assets: [7, 8, 9].map(asset) } } });
    expect(amended({ 'a.yaml': yaml, 'vod.txt': ids }, [], { asked: live })).toEqual([]);
    const inYaml = { 'a.yaml': yaml.replace('assets_file: vod.txt', `assets: [${asset(7)}, ${asset(8)}]`) };
    expect(amended(inYaml, [], { asked: gone(7) })).toEqual([]);
  });

  test('does not lose one line twice', () => {
    const twice = (workspace: Workspace) => [...gone(7)(workspace), ...gone(7)(workspace)];
    expect(() => amended({ 'a.yaml': yaml, 'vod.txt': ids }, [], { asked: twice })).toThrow(
      new NotEditable('vod.txt is written in a way that cannot be edited in place', 'edit it by hand'),
    );
  });
});

describe('a file is left to people', () => {
  const change: Changes = [[['repeat'], 5]];

  test('behind a link', () => {
    const tree = (of: ProjectFiles) => withLinks(of, { 'config/a.yaml': 'elsewhere/a.yaml' });
    expect(() => amended({ 'config/a.yaml': BLOCK }, change, { tree })).toThrow(
      new NotEditable('config/a.yaml is reached through a link', 'edit the file itself by hand'),
    );
    expect(amended({ 'config/a.yaml': BLOCK }, change, { tree: (of) => withLinks(of, {}) })).toHaveLength(1);
  });

  test.each(['.git/a.yaml', 'modules/.git/x/a.yaml'])('that belongs to git: %s', (file) => {
    expect(() => amended({ [file]: BLOCK }, change)).toThrow(new NotEditable(`${file} belongs to git`, 'edit the sources by hand'));
  });

  test('but not one that is only named so', () => {
    expect(amended({ '.github/a.git.yaml': BLOCK }, change)).toHaveLength(1);
  });

  test('where an edit in place cannot be made', () => {
    const text = BLOCK.replace('    repeat: 1\n', '    ? repeat\n    : 1\n');
    expect(() => amended({ 'a.yaml': text }, [[['repeat'], undefined]])).toThrow(
      new NotEditable('a.yaml is written in a way that cannot be edited in place', 'edit it by hand'),
    );
  });
});
