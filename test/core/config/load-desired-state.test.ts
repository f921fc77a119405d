// Fake kinds (fixture.ts), others than those of the planner: shelf and loan are collections, lamp is a setting.
import { symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { acceptedFindings, listedFindings } from '../../../src/core/config/findings.ts';
import { loadDesiredState } from '../../../src/core/config/load-desired-state.ts';
import { diskFiles, memoryFiles } from '../../../src/core/config/project-folder.ts';
import { countFindings } from '../../../src/core/model/finding.ts';
import { fakeModel, findingLines, folderWith, lamp, loadConfig, openProject, projectText, shelf } from './fixture.ts';

describe('loadDesiredState', () => {
  test('returns the resources of every kind, the keys that are present and the lines of `adopt`', () => {
    const { resources, presentKeys, adopt, findings } = loadConfig({
      'a.yaml': 'shelves: { big: { width: 5 } }\nloans: { x: y }\nadopt: { shelf/big: id-1 }',
      'b.yaml': 'lamp: { watts: 5 }',
    });
    expect(findings).toEqual([]);
    expect(resources.map(({ address }) => address)).toEqual(['shelf/big', 'loan/x', 'lamp']);
    expect([...presentKeys].sort()).toEqual(['adopt', 'lamp', 'loans', 'shelves']);
    expect([...adopt]).toEqual([['shelf/big', 'id-1']]);
  });

  test('manages an empty section, but not an absent one', () => {
    expect([...loadConfig({ 'a.yaml': 'shelves: {}' }).presentKeys]).toEqual(['shelves']);
    expect(loadConfig({ 'a.yaml': '# nothing' }).presentKeys.size).toBe(0);
  });

  test('overlays sources in order, where null removes a field, a resource or a section', () => {
    const { resources, presentKeys, findings } = loadConfig({
      'a.yaml': 'shelves: { x: { width: 5, label: a }, y: { width: 6 } }\nlamp: { watts: 5 }',
      'b.yaml': 'shelves: { x: { width: 7, label: null }, y: null }\nlamp: null',
    });
    expect(findings).toEqual([]);
    expect(resources.map(({ address, fields }) => [address, fields])).toEqual([['shelf/x', { width: 7 }]]);
    expect([...presentKeys]).toEqual(['shelves']);
  });

  test('replaces variables in texts', () => {
    const files = { 'a.yaml': `shelves: { x: { width: 5, label: "\${region} $\${region}" } }` };
    expect(loadConfig(files, { more: ['vars: { region: eu }'] }).resources[0]?.fields).toEqual({ width: 5, label: `eu \${region}` });
  });

  test('reads YAML files in folders at any depth, except hidden files and upkeep.yaml', () => {
    const { resources, findings } = loadConfig(
      {
        'c/z/1.yml': 'shelves: { a: { width: 1 } }',
        'c/b.yaml': 'shelves: { b: { width: 1 } }',
        'c/n.txt': '{',
        '.git/x.yaml': '{',
        'c/.h.yaml': '{',
      },
      { sources: ['.'] },
    );
    expect(findings.map(({ file, code }) => `${file} ${code}`)).toEqual(['c/.h.yaml file-not-read']);
    expect(resources.map(({ address }) => address).sort()).toEqual(['shelf/a', 'shelf/b']);
  });
});

describe('findings', () => {
  test.each([
    ['an unknown section', 'shelfs: {}', '1:1 error unknown-key'],
    ['an unknown field', 'shelves:\n  x: { width: 1, lable: a }', '2:18 error unknown-key'],
    ['a field that only the service sets', 'shelves:\n  x: { width: 1, id: a }', '2:18 error unknown-key'],
    ['a missing field', 'shelves:\n  x:\n    label: a', '2:3 error missing-key'],
    ['a number out of range', 'shelves:\n  x: { width: 201 }', '2:15 error out-of-range'],
    ['a value that is not one of the allowed ones', 'shelves: { x: { width: 1, wood: Oak } }', '1:33 error invalid-value'],
    ['an ID without quotes', 'loans: { x: 77711253 }', '1:13 error unquoted-id'],
    ['an ID that looks like an exponent', 'loans: { x: 7771e33 }', '1:13 error unquoted-id'],
    ['an ID with a leading zero', 'loans: { x: 0123 }', '1:13 error unquoted-id'],
    ['an ID that is too large for a number', 'loans: { x: 77711253000000000000000000000000 }', '1:13 error unquoted-id'],
    ['an ID in a list', 'shelves: { x: { width: 1, books: [7] } }', '1:35 error unquoted-id'],
    ['a number with a leading zero', 'shelves: { x: { width: 010 } }', '1:24 error ambiguous-number'],
    ['a number that is too large', 'shelves: { x: { width: 9007199254740993 } }', '1:24 error ambiguous-number'],
    ['a bare section', 'shelves:', '1:1 error null'],
    ['a null section', 'shelves: null', '1:10 error null'],
    ['a null resource', 'shelves: { x: null }', '1:15 error null'],
    ['a null field', 'shelves: { x: { width: 1, label: ~ } }', '1:34 error null'],
    ['a null in a list', 'shelves: { x: { width: 1, books: [null] } }', '1:35 error null'],
    ['a list at the top', '- a', '1:1 error wrong-type'],
    ['a scalar at the top', 'a', '1:1 error wrong-type'],
    ['a repeated key', 'lamp: {}\nlamp: {}', '2:1 error duplicate-key'],
    [
      'a repeated resource in a later document',
      'shelves: { x: { width: 1 } }\n---\nshelves: { x: { width: 2 } }',
      '3:12 error duplicate-key',
    ],
    ['an unknown variable', `loans: { x: "\${nowhere}" }`, '1:13 error unknown-variable'],
    ['not YAML', 'loans: { x', '1:8 error yaml-syntax'],
    ['an invalid key', 'shelves: { A B: { width: 1 } }', '1:12 error invalid-key'],
    ['a forbidden key', 'shelves: { __proto__: { width: 1 } }', '1:12 error unsupported-key'],
    ['an address of no kind', 'adopt: { shelve/x: a }', '1:10 error unknown-address'],
    ['an address that is not declared', 'adopt: { shelf/x: a }', '1:10 error undeclared-address'],
    ['an adopted setting', 'lamp: {}\nadopt: { lamp: a }', '2:10 error not-adoptable'],
    ['an adopted resource that is not matched by bindings', 'loans: { x: y }\nadopt: { loan/x: a }', '2:10 error not-adoptable'],
    ['a resource that nothing can be matched with', 'shelves: { nameless: { width: 1 } }', '1:12 error unrecognisable'],
    ['an adopted number', 'shelves: { x: { width: 1 } }\nadopt: { shelf/x: 12 }', '2:19 error unquoted-id'],
    ['a section of the wrong type', 'shelves: []', '1:10 error wrong-type'],
  ])('report %s at its position', (_what, text, expected) => {
    const desiredState = loadConfig({ 'a.yaml': text });
    expect(findingLines(desiredState)).toEqual([`a.yaml:${expected}`]);
    expect(desiredState.findings[0]?.excerpt).toBe(text.split('\n')[Number(expected.split(':')[0]) - 1]);
  });

  test('are reported all at once, sorted, and an invalid file does not hide those of other files', () => {
    const desiredState = loadConfig({
      'b.yaml': 'lamp: { wats: 5 }\nloans: { x: 1 }',
      'a.yaml': 'loans: [',
      'c.yaml': new Uint8Array([0xff]),
      'd.yaml': 'shelves: { x: { width: 0, label: 2 } }',
    });
    expect(findingLines(desiredState)).toEqual([
      'a.yaml:1:8 error yaml-syntax',
      'b.yaml:1:9 error unknown-key',
      'b.yaml:2:13 error unquoted-id',
      'c.yaml:1:1 error not-text',
      'd.yaml:1:24 error out-of-range',
      'd.yaml:1:34 error unquoted-id',
    ]);
  });

  test('suggest a correction', () => {
    const { findings } = loadConfig({ 'a.yaml': 'lamp: { wats: 5 }\nloans: { x: 0123 }\nshelves: { x: { id: 1, width: 1 } }' });
    expect(findings.map(({ hint }) => hint)).toEqual([
      'Did you mean `watts`?',
      'Put it in quotes: "0123"',
      'The service sets it; leave it out.',
    ]);
  });

  test('have the address of their resource, if it is known', () => {
    const { findings } = loadConfig({ 'a.yaml': 'lamp: { wats: 5 }\nshelves: { x: { width: 1, label: odd } }' });
    expect(findings.map(({ address }) => address)).toEqual(['lamp', 'shelf/x']);
  });

  test('about a key that is defined twice in one folder point to the first file', () => {
    const { findings } = loadConfig(
      { 'c/1.yaml': 'shelves: { x: { width: 1 } }', 'c/2.yaml': 'lamp: {}\nshelves: { x: { width: 2 } }' },
      { sources: ['c'] },
    );
    expect(findings).toMatchObject([
      { file: 'c/2.yaml', line: 2, column: 12, code: 'duplicate-key', hint: 'The other one is in c/1.yaml:1. Keep one of them.' },
    ]);
  });

  test('report a null in an overlay that removes nothing, and a section without a value', () => {
    expect(findingLines(loadConfig({ 'a.yaml': 'lamp: { watts: 1 }', 'b.yaml': 'lamp: { colour: null }\nshelves: null' }))).toEqual([
      'b.yaml:1:17 error null',
      'b.yaml:2:10 error null',
    ]);
    const bare = loadConfig({ 'a.yaml': 'lamp: { watts: 1 }', 'b.yaml': 'lamp:' });
    expect([findingLines(bare), [...bare.presentKeys]]).toEqual([['b.yaml:1:1 error null'], ['lamp']]);
  });

  test('do not prevent valid resources of other sections from being built', () => {
    const { resources } = loadConfig({ 'a.yaml': 'shelves: { x: { width: 0 } }\nloans: { x: y }\nlamp: { watts: 5 }' });
    expect(resources.map(({ address }) => address)).toEqual(['loan/x', 'lamp']);
  });

  test('are reported for every line of `adopt`', () => {
    expect(findingLines(loadConfig({ 'a.yaml': 'adopt:\n  shelf/x: 1\n  lamp: a\n  nope: b' }))).toEqual([
      'a.yaml:2:12 error unquoted-id',
      'a.yaml:3:3 error not-adoptable',
      'a.yaml:4:3 error unknown-address',
    ]);
  });

  test('do not repeat an error for the line in `adopt` of an invalid resource', () => {
    expect(findingLines(loadConfig({ 'a.yaml': 'shelves: { x: { width: 0 } }\nadopt: { shelf/x: a }' }))).toEqual([
      'a.yaml:1:24 error out-of-range',
    ]);
  });
});

describe('a source', () => {
  test.each([
    ['nowhere', 'empty-source'],
    ['empty', 'empty-source'],
    ['../x', 'outside-project'],
    ['/etc', 'outside-project'],
    ['link', 'outside-project'],
    ['./a.yaml', 'duplicate-item'],
    ['again.yaml', 'duplicate-item'],
  ])('named %s is reported in upkeep.yaml', (source, code) => {
    const folder = folderWith({ 'upkeep.yaml': projectText(['a.yaml', source]), 'a.yaml': 'lamp: {}', 'empty/x.txt': '' });
    symlinkSync(folderWith({ 'x.yaml': 'lamp: { watts: 1 }' }), join(folder, 'link'));
    symlinkSync('a.yaml', join(folder, 'again.yaml'));
    const { project, target } = openProject(folder);
    const { findings, resources } = loadDesiredState(diskFiles(folder), project, target, fakeModel);
    expect(findings).toMatchObject([{ file: 'upkeep.yaml', line: 7, column: 24, severity: 'error', code }]);
    expect(resources).toHaveLength(1);
  });

  test('with a link that leaves the project, or whose target is missing, is reported at the link', () => {
    const folder = folderWith({ 'upkeep.yaml': projectText(['c']), 'c/a.yaml': 'lamp: {}' });
    symlinkSync(join(folderWith({ x: 'shelves: {}' }), 'x'), join(folder, 'c/out.yaml'));
    symlinkSync('nowhere', join(folder, 'c/gone.yaml'));
    const { project, target } = openProject(folder);
    expect(findingLines(loadDesiredState(diskFiles(folder), project, target, fakeModel))).toEqual([
      'c/gone.yaml:1:1 error missing-file',
      'c/out.yaml:1:1 error outside-project',
    ]);
  });

  test('over 32 MiB is rejected without being read', () => {
    const folder = folderWith({ 'upkeep.yaml': projectText(['a.yaml']), 'a.yaml': '' });
    truncateSync(join(folder, 'a.yaml'), 32 * 1024 * 1024 + 1);
    const { project, target } = openProject(folder);
    expect(findingLines(loadDesiredState(diskFiles(folder), project, target, fakeModel))).toEqual(['a.yaml:1:1 error too-large']);
  });
});

describe('a text file that a source names', () => {
  const files = (name: string) => ({ 'c/a.yaml': `shelves: { x: { width: 1, books_file: ${name} } }` });

  test('is looked up relative to the file that names it, and a finding in it names its line without quoting it', () => {
    const desiredState = loadConfig({ ...files('lists/b.txt'), 'c/lists/b.txt': '\ufeffone\r\nbad\r\n' }, { sources: ['c'] });
    expect(desiredState.findings).toMatchObject([{ code: 'bad-line', file: 'c/lists/b.txt', line: 2, column: 1, address: 'shelf/x' }]);
  });

  test('is looked up relative to the overlay that names it', () => {
    const overlay = { 'over/b.yaml': 'shelves: { x: { books_file: b.txt } }', 'over/b.txt': 'bad' };
    expect(loadConfig({ ...files('b.txt'), ...overlay }, { sources: ['c', 'over'] }).findings).toMatchObject([{ file: 'over/b.txt' }]);
  });

  test.each([
    ['gone.txt', 'missing-file'],
    ['.', 'missing-file'],
    ['../../x', 'outside-project'],
    ['/etc/hosts', 'outside-project'],
    ['binary.txt', 'not-text'],
    ['large.txt', 'too-large'],
    ['list.csv', 'file-ending'],
  ])('is reported where the source names it, if it is unusable: %s', (name, code) => {
    const folder = folderWith({
      'upkeep.yaml': projectText(['c']),
      ...files(name),
      'c/list.csv': 'x',
      'c/binary.txt': new Uint8Array([0x61, 0x00]),
      'c/large.txt': '',
    });
    truncateSync(join(folder, 'c/large.txt'), 32 * 1024 * 1024 + 1);
    const { project, target } = openProject(folder);
    expect(findingLines(loadDesiredState(diskFiles(folder), project, target, fakeModel))).toEqual([`c/a.yaml:1:39 error ${code}`]);
  });
});

describe('`rules`', () => {
  const files = (label: string) => ({ 'a.yaml': `shelves: { x: { width: 1, label: ${label} } }` });
  const severity = (label: string, rules: string) =>
    loadConfig(files(label), { rules }).findings.map(({ severity: found, code }) => `${found} ${code}`);

  test('set the severity of findings where the kind allows it', () => {
    expect(severity('odd', '{}')).toEqual(['warning odd-shelf']);
    expect(severity('odd', '{ odd-shelf: error }')).toEqual(['error odd-shelf']);
    expect(severity('odd', '{ odd-shelf: off }')).toEqual([]);
    expect(severity('mixed', '{ mixed-sizes: warning }')).toEqual(['warning mixed-sizes']);
    expect(severity('mixed', '{ mixed-sizes: off }')).toEqual([]);
  });

  test('cannot set the severity of schema errors, or of errors that the kind does not list', () => {
    expect(severity('broken', '{ broken: off }')).toEqual(['error broken', 'warning unused-rule']);
    expect(severity('[]', '{ wrong-type: off }')).toEqual(['error wrong-type', 'warning unused-rule']);
  });

  test('report an unknown code with a warning that suggests a known one', () => {
    expect(loadConfig(files('a'), { rules: '{ mixed-size: off }' }).findings).toMatchObject([
      { severity: 'warning', code: 'unused-rule', file: 'upkeep.yaml', line: 2, column: 10, hint: 'Did you mean `mixed-sizes`?' },
    ]);
  });
});

describe('a list of `rules`', () => {
  const files = {
    'a.yaml': 'shelves: { x: { width: 1, label: odd }, y: { width: 1, label: odd } }',
    'b.yaml': 'shelves: { z: { width: 1, label: odd } }',
  };
  const found = (...entries: readonly string[]) =>
    loadConfig(files, { rules: `[${entries.map((entry) => `{ code: odd-shelf, ${entry} }`).join(', ')}]` }).findings.map(
      ({ severity, code, address = '', accepted = false }) => `${accepted ? 'accepted' : severity} ${code} ${address}`.trim(),
    );

  test('equals the map where its entries have no place', () => {
    expect(found('severity: error')).toEqual(['error odd-shelf shelf/x', 'error odd-shelf shelf/y', 'error odd-shelf shelf/z']);
    expect(found('severity: "off"')).toEqual([]);
  });

  test('sets the severity at an address or in a file, and accepts what is off there', () => {
    expect(found('address: shelf/x, severity: "off"', 'file: b.*, severity: error')).toEqual([
      'accepted odd-shelf shelf/x',
      'warning odd-shelf shelf/y',
      'error odd-shelf shelf/z',
    ]);
  });

  test('lets the last entry count that matches', () => {
    const [all, one] = ['severity: error', 'address: shelf/y, severity: "off"'];
    expect(found(all, one)).toEqual(['error odd-shelf shelf/x', 'accepted odd-shelf shelf/y', 'error odd-shelf shelf/z']);
    expect(found(one, all)).toEqual(['error odd-shelf shelf/x', 'error odd-shelf shelf/y', 'error odd-shelf shelf/z']);
  });

  test('has an entry in effect on its last day, and reports it at its place from the next day on', () => {
    expect(found('address: shelf/*, severity: "off", until: 2027-01-01')).toEqual([
      'accepted odd-shelf shelf/x',
      'accepted odd-shelf shelf/y',
      'accepted odd-shelf shelf/z',
    ]);
    const rules = '[{ code: odd-shelf, address: shelf/x, severity: "off", why: a gift, until: 2026-12-31 }]';
    expect(loadConfig(files, { rules }).findings.filter(({ file }) => file === 'upkeep.yaml')).toMatchObject([
      {
        severity: 'warning',
        code: 'unused-rule',
        line: 2,
        column: 9,
        summary: 'the entry about `odd-shelf` at shelf/x was in effect until 2026-12-31',
        hint: expect.stringContaining('Its reason was: a gift'),
      },
    ]);
    expect(found('address: shelf/x, severity: "off", until: 2026-12-31')).toContain('warning odd-shelf shelf/x');
  });

  test('cannot accept an error of structure', () => {
    const broken = { 'a.yaml': 'shelves: { x: { width: 1, label: broken } }' };
    const rules = '[{ code: broken, address: shelf/x, severity: "off" }]';
    expect(findingLines(loadConfig(broken, { rules }))).toEqual(['a.yaml:1:34 error broken', 'upkeep.yaml:2:9 warning unused-rule']);
  });

  test('accepts also what is counted and not listed, and nothing else', () => {
    const shelves = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, index) => `  ${prefix}${index}: { width: 1, label: odd }\n`).join('');
    const rules = '[{ code: odd-shelf, address: shelf/s*, severity: "off" }]';
    const { findings } = loadConfig({ 'a.yaml': `shelves:\n${shelves('s', 105)}${shelves('t', 103)}` }, { rules });
    expect(acceptedFindings(findings)).toEqual({ accepted: { 'odd-shelf': 105 } });
    expect(countFindings(listedFindings(findings), 'warning')).toBe(103);
    expect(listedFindings(findings).find(({ unlisted }) => unlisted)).toMatchObject({ code: 'odd-shelf', unlisted: 3 });
  });
});

describe('positionOf', () => {
  test('returns the position of the merged value for every path', () => {
    const { positionOf } = loadConfig({ 'a.yaml': 'lamp:\n  watts: 5\n  colour: red', 'b.yaml': 'lamp: { watts: 6 }' });
    expect(positionOf(['lamp', 'watts'])).toMatchObject({ file: 'b.yaml', line: 1, column: 16 });
    expect(positionOf(['lamp', 'colour'])).toMatchObject({ file: 'a.yaml', line: 3, column: 11 });
    expect(positionOf(['shelves', 'x'])).toMatchObject({ file: 'upkeep.yaml', line: 7 });
    expect(positionOf([])).toMatchObject({ file: 'upkeep.yaml', line: 7 });
  });
});

describe('the digest', () => {
  const files = { 'c/a.yaml': 'shelves: { x: { width: 1, books_file: b.txt } }', 'c/b.txt': 'one', 'c/unused.txt': 'x' };
  const digestOf = (changed: object = {}) => loadConfig({ ...files, ...changed }, { sources: ['c'] }).digest;

  test('covers names and contents of upkeep.yaml, the sources and the files that they name', () => {
    const before = digestOf();
    expect(before).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(digestOf()).toBe(before);
    expect(digestOf({ 'c/unused.txt': 'y' })).toBe(before);
    expect(digestOf({ 'c/b.txt': 'two' })).not.toBe(before);
    expect(digestOf({ 'c/a.yaml': `${files['c/a.yaml']}\n` })).not.toBe(before);
    expect(digestOf({ 'c/z.yaml': '' })).not.toBe(before);
    expect(loadConfig(files, { sources: ['c'], rules: '{ odd-shelf: off }' }).digest).not.toBe(before);
    expect(loadConfig(files, { sources: ['c', 'c/a.yaml'] }).digest).not.toBe(before);
  });

  test('does not depend on the order in which files are read', () => {
    const folder = folderWith({ 'upkeep.yaml': projectText(['.']), 'a.yaml': 'lamp: {}', 'b.yaml': 'shelves: {}' });
    const { project, target } = openProject(folder);
    const digest = (sources: readonly string[]) =>
      loadDesiredState(diskFiles(folder), project, { ...target, sources: sources.map((path) => ({ path, defaults: {} })) }, fakeModel)
        .digest;
    expect(digest(['b.yaml', 'a.yaml'])).toBe(digest(['a.yaml', 'b.yaml']));
  });
});

test('loadDesiredState throws where two kinds have the same section or definition', () => {
  expect(() => loadConfig({ 'a.yaml': 'lamp: {}' }, { kinds: [lamp, { ...lamp }] })).toThrow('two kinds claim the section lamp');
  const other = { ...shelf, schema: { properties: {}, definitions: { shelf: {} } } };
  expect(() => loadConfig({ 'a.yaml': 'lamp: {}' }, { kinds: [shelf, other] })).toThrow('two kinds claim the definition shelf');
});

test('loadDesiredState accepts sources in memory without an upkeep.yaml', () => {
  const { project, target } = openProject(folderWith({ 'upkeep.yaml': projectText(['a.yaml']) }));
  const files = memoryFiles([{ name: 'a.yaml', text: 'lamp: { watts: 1 }' }]);
  expect(loadDesiredState(files, project, target, fakeModel)).toMatchObject({ findings: [], resources: [{ address: 'lamp' }] });
});
