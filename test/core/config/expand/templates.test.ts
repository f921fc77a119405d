import { describe, expect, test } from 'vitest';
import { load } from './load.ts';

const A = '10c5467d77c54dc4b739db2cd832143a';
const B = '7771125f336c4e229c20f7307f8c3122';
const SHOW = `
templates:
  show:
    params: { title: string, first: string, pod: { type: integer, default: 60 } }
    playlist: { desc: "\${title}", repeat: -1, playlist: [ { beam: "\${first}" }, { ad: "\${pod}" }, { beam: ${B} } ] }
`;

describe('a template', () => {
  test('makes playlists with arguments and defaults of parameters', () => {
    const { fields, found } = load({
      'config/templates.yaml': SHOW,
      'config/z.yaml': `playlists: { a: { template: show, with: { title: Show A, first: ${A}, pod: 90 }, active: 0 }, b: { template: show, with: { title: B, first: ${A} } } }`,
    });
    expect(found).toEqual([]);
    const list = (pod: number) => [{ beam: { id: A } }, { ad: { dur: pod } }, { beam: { id: B } }];
    expect(fields['playlist/a']).toMatchObject({ desc: 'Show A', repeat: -1, active: 0, playlist: list(90) });
    expect(fields['playlist/b']).toMatchObject({ desc: 'B', repeat: -1, active: 1, playlist: list(60) });
  });

  test('makes smart-start groups and policies', () => {
    const { fields, merged, found } = load({
      'config/a.yaml': `
templates:
  vod: { params: { break: integer }, smart_start: { beam_break_duration: "\${break}" } }
  hd: { params: { airplay: boolean }, drm_policy: { fairplay: { hd: { allow_airplay: "\${airplay}" } } } }
smart_starts: { films: { template: vod, with: { break: 30 }, assets: [ ${A} ] } }
drm_policies: { gold: { template: hd, with: { airplay: false } } }
`,
    });
    expect(found).toEqual([]);
    expect(fields[`smart-start/films/${A}`]).toMatchObject({ beam_break_duration: 30 });
    expect(merged.drm_policies).toEqual({ gold: { fairplay: { hd: { allow_airplay: false } } } });
  });

  test('takes a list of entries as a whole list, or among other entries', () => {
    const { fields, found } = load({
      'config/a.yaml': `
entry_lists: { pod: [ { ad: 30 } ] }
templates:
  whole: { params: { list: entries }, playlist: { playlist: "\${list}" } }
  within: { params: { list: { type: entries, default: [ { beam: ${B} } ] } }, playlist: { playlist: [ { beam: ${A} }, "\${list}" ] } }
playlists:
  w: { template: whole, with: { list: [ { beam: ${B} }, { include: pod }, { beam: ${A} } ] } }
  x: { template: within }
  y: { template: within, with: { list: [ { ad: 15 }, { beam: ${A} } ] } }
`,
    });
    expect(found).toEqual([]);
    expect(fields['playlist/w']?.playlist).toEqual([{ beam: { id: B } }, { ad: { dur: 30 } }, { beam: { id: A } }]);
    expect(fields['playlist/x']?.playlist).toEqual([{ beam: { id: A } }, { beam: { id: B } }]);
    expect(fields['playlist/y']?.playlist).toEqual([{ beam: { id: A } }, { ad: { dur: 15 } }, { beam: { id: A } }]);
  });

  test('does not expand arguments again, and keeps an escaped dollar sign', () => {
    const { fields, found } = load({
      'config/a.yaml': `
templates: { t: { params: { title: string }, playlist: { desc: "$\${x} \${title}", playlist: [ { beam: ${A} } ] } } }
playlists: { a: { template: t, with: { title: "$\${title}" } } }
`,
    });
    expect(found).toEqual([]);
    expect(fields['playlist/a']?.desc).toBe('${x} ${title}'.replaceAll('$ {', '${'));
  });

  test('shows a number in a text as it is written, or as the value of its variable', () => {
    const { fields, found } = load(
      {
        'config/a.yaml': `
templates:
  t:
    params: { score: number, price: { type: number, default: "\${factor}" } }
    playlist: { desc: "\${score} of \${price}", playlist: [ { beam: ${A} }, { beam: ${B} } ] }
playlists:
  a: { template: t, with: { score: 2.50 } }
  b: { template: t, with: { score: "\${factor}", price: 3 } }
`,
      },
      { vars: { factor: 1.5 } },
    );
    expect(found).toEqual([]);
    expect([fields['playlist/a']?.desc, fields['playlist/b']?.desc]).toEqual(['2.50 of 1.5', '1.5 of 3']);
  });

  test('can be given by an overlay to a resource of an earlier source', () => {
    const { fields, found } = load(
      {
        'base.yaml': `playlists: { a: { desc: A, repeat: 3, playlist: [ { beam: ${A} } ] } }`,
        'over.yaml': `${SHOW}playlists: { a: { template: show, with: { title: New, first: ${A} } } }`,
      },
      { sources: ['base.yaml', 'over.yaml'] },
    );
    expect(found).toEqual([]);
    expect(fields['playlist/a']).toMatchObject({ desc: 'New', repeat: -1 });
  });
});

describe('the place of a value of a template', () => {
  const { positionOf, placesOf } = load({
    'config/t.yaml': `
entry_lists:
  pod:
    - { ad: 15 }
    - { beam: ${B} }
templates:
  show:
    params:
      title: string
      length: { type: integer, default: 60 }
      tail: entries
    playlist:
      desc: "\${title}"
      repeat: -1
      playlist:
        - { beam: ${A} }
        - { include: pod }
        - { ad: "\${length}" }
        - { beam: ${A} }
        - "\${tail}"
`,
    'config/u.yaml': `
playlists:
  a:
    template: show
    with:
      title: Show A
      tail:
        - { beam: ${A} }
        - { include: pod }
    active: 0
`,
  });
  const placeOf = (...path: readonly (string | number)[]) => {
    const { file, line } = positionOf(['playlists', 'a', ...path]);
    return `${file}:${line}`;
  };

  test.each([
    ['the resource', [], 'config/u.yaml:3'],
    ['a text that is one parameter', ['desc'], 'config/u.yaml:6'],
    ['a value of the body', ['repeat'], 'config/t.yaml:14'],
    ['an own field', ['active'], 'config/u.yaml:10'],
    ['an entry of the body', ['playlist', 0], 'config/t.yaml:16'],
    ['the first included entry', ['playlist', 1, 'ad'], 'config/t.yaml:4'],
    ['the second included entry', ['playlist', 2, 'beam'], 'config/t.yaml:5'],
    ['the default of a parameter', ['playlist', 3, 'ad'], 'config/t.yaml:10'],
    ['an entry after included ones', ['playlist', 4], 'config/t.yaml:19'],
    ['an entry of a list that is an argument', ['playlist', 5, 'beam'], 'config/u.yaml:8'],
    ['an entry that an argument includes', ['playlist', 6, 'ad'], 'config/t.yaml:4'],
    ['the last entry that an argument includes', ['playlist', 7], 'config/t.yaml:5'],
  ] as const)('is known of %s', (_what, path, expected) => {
    expect(placeOf(...path)).toBe(expected);
    const [inEffect] = placesOf(['playlists', 'a', ...path]);
    expect(`${inEffect?.file}:${inEffect?.line}`).toBe(expected);
  });
});

describe('an error about templates', () => {
  const own = (text: string) => load({ 'config/a.yaml': `${SHOW.trimStart()}${text}` }).found;

  test.each([
    [
      'a template that does not exist',
      `playlists: { a: { template: shaw } }`,
      ['config/a.yaml:5:29 unknown-template there is no template `shaw`'],
    ],
    [
      'a template for other resources',
      `drm_policies: { a: { template: show } }`,
      ['config/a.yaml:5:32 unknown-template the template `show` makes a playlist, not a drm_policy'],
    ],
    [
      'missing arguments',
      `playlists: { a: { template: show } }`,
      ['config/a.yaml:5:17 missing-parameter the template `show` needs `title`, `first`'],
    ],
    [
      'an unknown argument',
      `playlists: { a: { template: show, with: { title: A, first: ${A}, pot: 3 } } }`,
      ['config/a.yaml:5:94 unknown-parameter the template `show` has no parameter `pot`'],
    ],
    [
      'an argument of another type',
      `playlists: { a: { template: show, with: { title: 5, first: ${A}, pod: x } } }`,
      ['config/a.yaml:5:50 wrong-type `title` must be text, not 5', 'config/a.yaml:5:99 wrong-type `pod` must be a whole number, not "x"'],
    ],
    [
      'arguments that are no map',
      `playlists: { a: { template: show, with: 3 } }`,
      ['config/a.yaml:5:41 wrong-type `with` must be a map of arguments'],
    ],
    [
      'arguments without a template',
      `playlists: { a: { with: {}, playlist: [ { beam: ${A} } ] }, b: { template: show, with: { title: B, first: ${A} } } }`,
      ['config/a.yaml:5:19 missing-key `with` needs `template` beside it'],
    ],
    [
      'a template that is no name',
      `playlists: { a: { template: [show] } }`,
      ['config/a.yaml:5:29 wrong-type `template` must be the name of a template'],
    ],
  ])('is reported: %s', (_what, text, expected) => {
    expect(own(text).filter((each) => !each.includes('unused'))).toEqual(expected);
  });

  test('a value that a template makes wrong is reported in the template, once for all its resources', () => {
    const { found } = load({
      'config/a.yaml': `
templates: { t: { params: { n: integer }, playlist: { desc: "\${n}", repeat: -2, playlist: [ { beam: ${A} }, { beam: ${B} } ] } } }
playlists: { a: { template: t, with: { n: 1 } }, b: { template: t, with: { n: 2 } } }
`,
    });
    expect(found).toEqual(['config/a.yaml:2:77 out-of-range `repeat` must be at least -1; it is -2']);
  });

  test('an argument that makes a value wrong is reported where it is given', () => {
    const { found } = load({ 'config/a.yaml': `${SHOW}playlists:\n  a: { template: show, with: { title: A, first: ${A}, pod: 0 } }\n` });
    expect(found).toEqual([expect.stringMatching(/^config\/a\.yaml:7:\d+ out-of-range `ad` must be at least 1; it is 0$/)]);
  });

  test.each([
    ['no body', '{ params: { x: string } }', 'template-body the template `t` must have one body'],
    ['two bodies', '{ playlist: {}, drm_policy: {} }', 'template-body the template `t` must have one body'],
    [
      'a type that does not exist',
      '{ params: { x: text }, playlist: { desc: "${x}" } }',
      'invalid-value `x` has no type that upkeep knows',
    ],
    [
      'a default of another type',
      '{ params: { x: { type: integer, default: a } }, playlist: { desc: "${x}" } }',
      'wrong-type `x` must be a whole number, not "a"',
    ],
    [
      'an unknown name',
      '{ params: { x: string }, playlist: { desc: "${x} ${y}" } }',
      'unknown-variable no variable `y` in `params` of the template, or in `vars` of this target',
    ],
    [
      'a parameter with the name of a variable',
      '{ params: { region: string }, playlist: { desc: "${region}" } }',
      'parameter-is-variable `region` is also a variable in `vars` of the target',
    ],
    [
      'a list within a text',
      '{ params: { x: entries }, playlist: { desc: "a ${x}" } }',
      'wrong-type `x` is a list of entries and cannot stand within a text',
    ],
    ['an unknown key', '{ params: {}, playlists: {} }', 'unknown-key unknown key `playlists` in `t`'],
  ])('is reported in the template: %s', (_what, template, expected) => {
    const { found } = load({ 'config/a.yaml': `templates:\n  t: ${template}\n` }, { vars: { region: 'eu' } });
    expect(found.map((each) => each.replace(/^\S+ /, ''))).toContain(expected);
  });

  test('two templates of one name are an error that names both places, in any sources', () => {
    const { found } = load({ 'a.yaml': SHOW, 'b.yaml': SHOW }, { sources: ['a.yaml', 'b.yaml'] });
    expect(found).toEqual(['b.yaml:3:3 duplicate-key the template `show` is declared twice']);
  });

  test('unused templates and parameters are warnings, whose severity `rules` can set', () => {
    const text = { 'config/a.yaml': `templates: { t: { params: { x: string }, playlist: { playlist: [ { beam: ${A} } ] } } }` };
    expect(load(text).found).toEqual([
      'config/a.yaml:1:14 unused-template nothing uses the template `t`',
      'config/a.yaml:1:29 unused-parameter the template `t` does not use `x`',
    ]);
    expect(load(text, { rules: { 'unused-template': 'off', 'unused-parameter': 'error' } }).findings).toEqual([
      expect.objectContaining({ code: 'unused-parameter', severity: 'error' }),
    ]);
  });
});

describe('a mistake about templates has one finding that says what to write', () => {
  const template = `
templates:
  show: { params: { title: string, first: string }, playlist: { desc: "\${title}", playlist: [ { beam: "\${first}" }, { beam: ${B} } ] } }
entry_lists: { pod: [ { beam: ${A} } ] }
`;
  const messages = (text: string, more: { readonly [file: string]: string } = {}) =>
    load({ 'config/a.yaml': `${template.trimStart()}${text}`, ...more }, { vars: { n: '90', m: 90 } })
      .findings.filter(({ severity }) => severity === 'error')
      .map(({ code, summary, hint }) => `${code}: ${summary}. ${hint ?? ''}`);

  test.each([
    [
      'parameters beside `template`',
      `playlists: { a: { template: show, title: A, first: ${A} } }`,
      ['missing-parameter: the template `show` needs `title`, `first`. Move title, first below `with`.'],
    ],
    [
      'a misspelled template',
      `playlists: { a: { template: shwo } }`,
      ['unknown-template: there is no template `shwo`. Did you mean `show`?'],
    ],
    [
      'the name of an entry list without `include`',
      `playlists: { a: { playlist: [ { beam: ${A} }, pod ] } }`,
      ['wrong-type: `playlist[1]` must be a map, not "pod". Write `include: pod`'],
    ],
    [
      'a table with another error',
      `playlists: { a: { template: show, with: { title: A, first: ${A} } } }\nplaylists_from: [ { rows: [], template: show } ]`,
      [expect.stringContaining('missing-key: ')],
    ],
    [
      'a misspelled table key',
      `playlist_from: [ { rows: [ { title: A, first: ${A}, id: x } ], template: show, key: "\${id}" } ]`,
      ['unknown-key: unknown key `playlist_from`. Did you mean `playlists_from`?'],
    ],
    [
      'a variable that is text in quotes',
      `playlists: { a: { repeat: "\${n}", playlist: [ { beam: ${A} }, { beam: ${B} } ] } }`,
      ['wrong-type: `repeat` must be a whole number, not "90". Write the value of `n` without quotes in `vars`.'],
    ],
    [
      'a variable within a longer text',
      `playlists: { a: { repeat: "\${m}0", playlist: [ { beam: ${A} }, { beam: ${B} } ] } }`,
      [
        'wrong-type: `repeat` must be a whole number, not "900". It is made of `${m}`: a value that is only a variable keeps its type; within a longer text it becomes text.',
      ],
    ],
  ])('is reported once: %s', (_what, text, expected) => {
    expect(messages(text).filter((each) => !each.startsWith('missing-key: `a` needs'))).toEqual(expected);
  });

  test('a template that names another one', () => {
    const { findings } = load({
      'config/a.yaml': `templates: { a: { playlist: { template: b, playlist: [ { beam: ${A} } ] } } }\nplaylists: { p: { template: a }, q: { template: a } }`,
    });
    expect(findings.map(({ summary }) => summary)).toEqual(['a template cannot have `template`']);
  });

  test('an unknown key of a template or of defaults, once for all resources', () => {
    const { found } = load({
      'config/a.yaml': `
defaults: { playlists: { studio_drm: 1 } }
templates: { t: { params: { d: string }, playlist: { desc: "\${d}", repeats: 1, playlist: [ { beam: ${A} }, { beam: ${B} } ] } } }
playlists: { a: { template: t, with: { d: A } }, b: { template: t, with: { d: B } } }
`,
    });
    expect(found).toEqual([
      'config/a.yaml:2:26 unknown-key unknown key `studio_drm` in `defaults` of playlists',
      'config/a.yaml:3:68 unknown-key unknown key `repeats` in the template `t`',
    ]);
  });

  test('a section that is a list in one of several files', () => {
    const { found } = load({
      'config/a.yaml': `playlists: { a: { playlist: [ { beam: ${A} } ] } }`,
      'config/b.yaml': 'playlists: [ { desc: B } ]',
    });
    expect(found).toEqual(['config/b.yaml:1:12 wrong-type `playlists` must be a map, not a list or a text']);
  });

  test('names are not reported as unknown where the file that may declare them has an error', () => {
    const { findings } = load({
      'config/a.yaml': 'templates: { show: { playlist: [ }',
      'config/b.yaml': `playlists: { a: { template: show }, b: { playlist: [ { beam: ${A} }, { include: pod } ] } }`,
    });
    expect(new Set(findings.map(({ file }) => file))).toEqual(new Set(['config/a.yaml']));
  });
});
