import { describe, expect, test } from 'vitest';
import { createBudget, entriesIn, MAX_EXPANDED_ENTRIES } from '../../../../src/core/config/expand/budget.ts';
import { load } from './load.ts';

const A = '10c5467d77c54dc4b739db2cd832143a';

describe('a small file that would make very much', () => {
  test('tables of more than 100,000 rows are an error, and make no resources', () => {
    const rows = Array.from({ length: 50_010 }, (_, index) => `k${index}\n`);
    const { findings, resources } = load({
      'config/a.yaml': `
templates: { t: { drm_policy: { fairplay: { lease: true } } } }
drm_policies_from: [ { file: t.csv, template: t, key: "a-\${id}" }, { file: t.csv, template: t, key: "b-\${id}" } ]
`,
      'config/t.csv': `id\n${rows.join('')}`,
    });
    expect(findings.map(({ code, summary }) => `${code} ${summary}`)).toEqual([
      'too-large the tables of this target make more than 100000 resources',
    ]);
    expect(resources).toEqual([]);
  });

  test('an entry list that doubles sixty times is refused before it fills the memory', () => {
    const lists = Array.from({ length: 60 }, (_, index) => `  l${index}: [ { include: l${index + 1} }, { include: l${index + 1} } ]`);
    const { findings } = load({ 'config/a.yaml': `entry_lists:\n${lists.join('\n')}\n  l60: [ { ad: 30 } ]\n` });
    expect(findings.map(({ code }) => code)).toContain('too-large');
  });

  const pod = (length: number) => Array.from({ length }, () => `{ beam: ${A} }`).join(', ');
  const many = (count: number, line: (index: number) => string) => Array.from({ length: count }, (_, index) => line(index)).join('');

  test.each<readonly [string, { readonly [file: string]: string }]>([
    [
      'rows of a table times the entries of a template',
      {
        'config/a.yaml': `templates: { t: { params: { id: string }, playlist: { desc: "\${id}", playlist: [${pod(1_000)}] } } }
playlists_from: [ { file: t.csv, template: t, key: "\${id}" } ]\n`,
        'config/t.csv': `id\n${many(1_100, (index) => `k${index}\n`)}`,
      },
    ],
    [
      'instances times the entries of a template',
      {
        'config/a.yaml': `templates: { t: { playlist: { playlist: [${pod(1_000)}] } } }
playlists:\n${many(1_100, (index) => `  p${index}: { template: t }\n`)}`,
      },
    ],
    [
      'playlists times the entries of their defaults',
      {
        'config/a.yaml': `defaults: { playlists: { playlist: [${pod(1_000)}] } }\nplaylists:\n${many(1_100, (index) => `  p${index}: {}\n`)}`,
      },
    ],
    [
      'rows of a table times the members of a template',
      {
        'config/a.yaml': `templates: { t: { params: { id: string }, drm_policy: {${many(20, (outer) => ` k${outer}: {${many(60, (inner) => ` j${inner}: "\${id}",`)} },`)} } } }
drm_policies_from: [ { file: t.csv, template: t, key: "\${id}" } ]\n`,
        'config/t.csv': `id\n${many(1_100, (index) => `k${index}\n`)}`,
      },
    ],
    [
      'tables times the rows of the file that they name',
      {
        'config/a.yaml': `templates: { t: { params: { id: string, other: string }, playlist: { desc: "\${id}\${other}" } } }
playlists_from: [ ${many(300, () => '{ file: t.csv, template: t, key: "${id}" }, ')} ]\n`,
        'config/t.csv': `id,other\n${many(4_000, (index) => `k${index},\n`)}`,
      },
    ],
    [
      'copies of a source',
      Object.fromEntries(
        Array.from({ length: 600 }, (_, file) => [
          `config/${file}.yaml`,
          `playlists:\n${many(1_000, (index) => `  p${index}: { playlist: [ { ad: 30 } ] }\n`)}`,
        ]),
      ),
    ],
    [
      'resources times the entries of `ignore_changes`',
      {
        'config/a.yaml': `playlists:\n${many(1_100, (index) => `  p${index}: { playlist: [ { beam: ${A} } ] }\n`)}ignore_changes:\n${many(1_000, () => `  - { address: "*", fields: [/active] }\n`)}`,
      },
    ],
    [
      'playlists times a list that they include',
      {
        'config/a.yaml': `entry_lists: { l: [${pod(1_000)}] }
playlists:\n${many(1_100, (index) => `  p${index}: { playlist: [ { include: l } ] }\n`)}`,
      },
    ],
  ])('%s are refused beyond a million entries', (_what, files) => {
    const { findings, resources } = load(files);
    expect(findings.filter(({ code }) => code === 'too-large').map(({ summary }) => summary)).toContain(
      'templates, tables, defaults, lists and `ignore_changes` of this target make more than 1 million entries',
    );
    expect(resources).toEqual([]);
  });

  test('what templates, tables, defaults and lists make counts together', () => {
    const budget = createBudget();
    expect(budget.addEntries(MAX_EXPANDED_ENTRIES)).toBe(true);
    expect(budget.addEntries(1)).toBe(false);
  });

  test('entries are the items of lists at every depth, and members beyond a hundred of a body and ten of an item', () => {
    const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, 1]));
    expect([entriesIn(1), entriesIn([]), entriesIn([1, [2, 3]]), entriesIn({ a: [{ b: [1] }] })]).toEqual([0, 0, 4, 2]);
    expect([entriesIn(members(100)), entriesIn(members(103)), entriesIn([members(101)])]).toEqual([0, 3, 92]);
    const nested = Object.fromEntries(Array.from({ length: 3 }, (_, index) => [`n${index}`, members(40)]));
    expect([entriesIn(nested), entriesIn([nested])]).toEqual([23, 114]);
  });

  test('rows with an error are all counted, however many there are', () => {
    const { findings } = load({
      'config/a.yaml': `templates: { t: { params: { id: string, other: string }, playlist: { desc: "\${id}\${other}" } } }
playlists_from: [ { file: t.csv, template: t, key: "\${id}" } ]\n`,
      'config/t.csv': `id,other\n${many(35_000, (index) => `k${index},\n`)}`,
    });
    const ofRows = findings.filter(({ code }) => code === 'missing-parameter');
    expect([ofRows.length, ofRows.reduce((sum, { unlisted = 1 }) => sum + unlisted, 0)]).toEqual([101, 35_000]);
  });

  test('parameters without a value are looked for in no more resources than may be made, and the first are named', () => {
    const { findings } = load({
      'config/a.yaml': `templates: { t: { params: { ${many(1_200, (index) => `p${index}: string, `)} }, playlist: { desc: "\${p0}" } } }
playlists:\n${many(1_200, (index) => `  k${index}: { template: t }\n`)}`,
    });
    const [first, ...others] = findings.filter(({ code }) => code === 'missing-parameter');
    expect(first?.summary).toBe('the template `t` needs `p0`, `p1`, `p2`, `p3`, `p4`, `p5`, `p6`, `p7`, `p8`, `p9`, and 1190 more');
    expect(others.reduce((sum, { unlisted = 1 }) => sum + unlisted, 1)).toBe(Math.floor(1_000_000 / 1_101));
    expect(findings.map(({ code }) => code)).toContain('too-large');
  });

  test('groups of one long list of assets make no smart starts beyond 100,000', () => {
    const ids = Array.from({ length: 30_000 }, (_, index) => index.toString(16).padStart(32, '0'));
    const groups = Array.from({ length: 4 }, (_, index) => `  g${index}: { template: t }\n`);
    const { findings, resources } = load({
      'config/a.yaml': `templates: { t: { smart_start: { assets_file: ids.txt } } }\nsmart_starts:\n${groups.join('')}`,
      'config/ids.txt': ids.join('\n'),
    });
    expect(findings.map(({ code }) => code)).toContain('too-large');
    expect(resources.length).toBeLessThanOrEqual(100_000);
  });

  test('keys of rows count, too, and nothing of the target is loaded beyond 32 MiB', () => {
    const { findings, resources } = load(
      {
        'config/a.yaml': `templates: { t: { params: { id: string }, playlist: { desc: "\${id}" } } }
playlists_from: [ { file: t.csv, template: t, key: "\${id}${'${v}'.repeat(1_000)}" } ]\n`,
        'config/t.csv': `id\n${many(300, (index) => `k${index}\n`)}`,
      },
      { vars: { v: 'x'.repeat(3_000) } },
    );
    expect(findings.map(({ code, summary }) => `${code} ${summary}`)).toEqual(['too-large the variables expand to more than 32 MiB']);
    expect(resources.length).toBeLessThan(300);
  });

  test('defaults of parameters count, too, whether or not anything uses their templates', () => {
    const templates = many(
      10,
      (index) => `  t${index}: { params: { p: { type: string, default: "${'${v}'.repeat(1_000)}" } }, playlist: { desc: "\${p}" } }\n`,
    );
    const { findings } = load({ 'config/a.yaml': `templates:\n${templates}` }, { vars: { v: 'x'.repeat(4_000) } });
    expect(findings.map(({ code, summary }) => `${code} ${summary}`)).toContain('too-large the variables expand to more than 32 MiB');
  });

  test('text that templates repeat is refused beyond 32 MiB', () => {
    const body = `"${'${x}x'.repeat(1_000)}"`;
    const instances = Array.from({ length: 50 }, (_, index) => `  p${index}: { template: t, with: { x: ${'y'.repeat(1_000)} } }`);
    const { findings } = load({
      'config/a.yaml': `templates: { t: { params: { x: string }, playlist: { desc: ${body}, playlist: [ { beam: ${A} } ] } } }\nplaylists:\n${instances.join('\n')}`,
    });
    expect(findings.map(({ code }) => code)).toContain('too-large');
  });
});
