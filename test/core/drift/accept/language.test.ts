/** `drift accept` where templates, tables, defaults and entry lists make the resources. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { acceptedTexts, asset, beams } from './project.ts';

const TEMPLATE = `
templates:
  show: # every show
    params: { title: string, pod: { type: integer, default: 60 } }
    playlist:
      desc: "\${title}"
      repeat: -1
      playlist: [ { beam: ${asset(1)} }, { ad: "\${pod}" }, { beam: ${asset(2)} } ]
`;
const show = (desc: string, pod = 60) => ({ desc, repeat: -1, playlist: [{ beam: asset(1) }, { ad: pod }, { beam: asset(2) }] });

describe('a resource that names a template', () => {
  const source = `${TEMPLATE}playlists:\n  a: { template: show, with: { title: A }, active: 0 } # one\n  b:\n    template: show\n    with: { title: B }\n`;

  test('gets an override of its own for a value of the template', () => {
    expect(acceptedTexts({ 'a.yaml': source }, { playlists: { a: { ...show('A'), active: 0, repeat: 3 }, b: show('B') } })).toEqual({
      'a.yaml': source.replace('active: 0 }', 'active: 0, repeat: 3 }'),
    });
  });

  test('has a value of its arguments changed where it gives them, and gets an override in block style for what has none', () => {
    expect(
      acceptedTexts({ 'a.yaml': source }, { playlists: { a: { ...show('A'), active: 0 }, b: { ...show('Bee'), active: 0 } } }),
    ).toEqual({
      'a.yaml': source
        .replace('title: B }\n', 'title: Bee }\n')
        .replace('  b:\n    template: show\n', '  b:\n    template: show\n    active: 0\n'),
    });
  });

  test('gets the whole list where the list of the template changed', () => {
    expect(
      acceptedTexts({ 'a.yaml': source }, { playlists: { a: { ...show('A'), active: 0 }, b: { ...show('B'), playlist: beams(1, 2) } } }),
    ).toEqual({
      'a.yaml': `${source}    playlist:\n      - beam: ${asset(1)}\n      - beam: ${asset(2)}\n`,
    });
  });

  test('changes an own field in place, and removes nothing else', () => {
    expect(acceptedTexts({ 'a.yaml': source }, { playlists: { a: { ...show('A'), active: 1 }, b: show('B') } })).toEqual({
      'a.yaml': source.replace('active: 0 }', 'active: 1 }'),
    });
  });

  test('is removed with its lines when its object is gone', () => {
    expect(acceptedTexts({ 'a.yaml': source }, { playlists: { b: show('B') } })).toEqual({
      'a.yaml': source.replace('  a: { template: show, with: { title: A }, active: 0 } # one\n', ''),
    });
  });

  test('gets an override in the overlay that names it last', () => {
    const over = 'playlists:\n  a: { beam_break_duration: 9 }\n';
    const files = { 'a.yaml': source, 'over.yaml': over };
    const targets = { main: { sources: ['a.yaml', 'over.yaml'] } };
    const live = { playlists: { a: { ...show('A'), active: 0, beam_break_duration: 9, repeat: 5 }, b: show('B') } };
    expect(acceptedTexts(files, live, targets)).toEqual({ 'over.yaml': 'playlists:\n  a: { beam_break_duration: 9, repeat: 5 }\n' });
  });
});

describe('a resource with defaults', () => {
  const source = `defaults:\n  playlists: { repeat: 7 }\nplaylists:\n  a: { playlist: [ { beam: ${asset(1)} }, { beam: ${asset(2)} } ] }\n  b: { desc: B, playlist: [ { beam: ${asset(3)} }, { beam: ${asset(2)} } ] }\n`;

  test('gets an override of its own, so that the others keep the default', () => {
    const live = { playlists: { a: { repeat: 0, playlist: beams(1, 2) }, b: { desc: 'B', repeat: 7, playlist: beams(3, 2) } } };
    expect(acceptedTexts({ 'a.yaml': source }, live)).toEqual({
      'a.yaml': source.replace(`{ beam: ${asset(2)} } ] }\n  b`, `{ beam: ${asset(2)} } ], repeat: 0 }\n  b`),
    });
  });
});

describe('a row of a table', () => {
  const source = `${TEMPLATE}playlists_from:\n  - { file: shows.csv, template: show, key: "\${id}" }\n`;
  const csv = `id,title,pod\r\na,"A, first",60\r\nb,B,\r\n`;
  const live = (a: object, b: object) => ({ playlists: { a: { ...show('A, first'), ...a }, b: { ...show('B'), ...b } } });

  test('changes the cell where the value is exactly one column, and quotes it where it must', () => {
    expect(acceptedTexts({ 'a.yaml': source, 'shows.csv': csv }, live({ desc: 'A "new"' }, { desc: 'B, too' }))).toEqual({
      'shows.csv': `id,title,pod\r\na,"A ""new""",60\r\nb,"B, too",\r\n`,
    });
  });

  test.each([
    ['LF', (text: string) => text],
    ['CR LF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['CR LF and a byte order mark', (text: string) => `\ufeff${text.replaceAll('\n', '\r\n')}`],
  ])('changes its own cell and no other byte where empty lines stand above and below it, in a file with %s', (_what, change) => {
    const table = (a: string, b: string) => change(`\nid,title,pod\n\na,${a},60\n\n\nb,${b},\n\n`);
    expect(acceptedTexts({ 'a.yaml': source, 'shows.csv': table('"A, first"', 'B') }, live({ desc: 'New' }, { desc: 'Bee' }))).toEqual({
      'shows.csv': table('"New"', 'Bee'),
    });
  });

  test('is refused with the place and those who use it, too, where a value of the template changed', () => {
    expect(acceptedTexts({ 'a.yaml': source, 'shows.csv': csv }, live({ repeat: 2 }, {}))).toEqual([
      'playlist/a cannot be accepted: `playlists.a.repeat` comes from the template `show`, a.yaml, line 7; it is not edited there, because playlist/b would change too',
    ]);
  });

  test('changes the cell of an ad break that is a column, also where the cell was empty and the default counted', () => {
    expect(acceptedTexts({ 'a.yaml': source, 'shows.csv': csv }, live(show('A, first', 90), show('B', 30)))).toEqual({
      'shows.csv': csv.replace(',60', ',90').replace('b,B,', 'b,B,30'),
    });
  });

  test('is refused as a whole where an entry came, went or moved', () => {
    expect(acceptedTexts({ 'a.yaml': source, 'shows.csv': csv }, live({ playlist: beams(1, 2) }, {}))).toEqual([
      'playlist/a cannot be accepted: `playlists.a.playlist` comes from the template `show`, a.yaml, line 8, and no single cell of the table holds it',
    ]);
  });

  test('is refused with the line of the template where an entry changed that all rows have, and names the other rows', () => {
    const changed = { playlist: [{ beam: asset(9) }, { ad: 60 }, { beam: asset(2) }] };
    expect(acceptedTexts({ 'a.yaml': source, 'shows.csv': csv }, live(changed, {}))).toEqual([
      'playlist/a cannot be accepted: `playlists.a.playlist.0.beam` comes from the template `show`, a.yaml, line 8; it is not edited there, because playlist/b would change too',
    ]);
  });

  test('has the line of the template changed where it is the only row, or where all rows changed alike', () => {
    const changed = { playlist: [{ beam: asset(9) }, { ad: 60 }, { beam: asset(2) }] };
    const edited = { 'a.yaml': source.replace(asset(1), asset(9)) };
    expect(acceptedTexts({ 'a.yaml': source, 'shows.csv': csv }, live(changed, changed))).toEqual(edited);
    expect(
      acceptedTexts(
        { 'a.yaml': source, 'shows.csv': 'id,title,pod\na,"A, first",60\n' },
        { playlists: { a: { ...show('A, first'), ...changed } } },
      ),
    ).toEqual(edited);
  });

  test('is refused where one place would have to hold two values', () => {
    const changed = (id: number) => ({ playlist: [{ beam: asset(id) }, { ad: 60 }, { beam: asset(2) }] });
    expect(acceptedTexts({ 'a.yaml': source, 'shows.csv': csv }, live(changed(8), changed(9)))).toEqual([
      `playlist/b cannot be accepted: \`playlists.b.playlist.0.beam\` comes from the template \`show\`, a.yaml, line 8, which would have to hold both ${asset(8)} and ${asset(9)}`,
    ]);
  });

  test('is refused where the object of the row is gone', () => {
    expect(acceptedTexts({ 'a.yaml': source, 'shows.csv': csv }, { playlists: { b: show('B') } })).toEqual([
      'playlist/a cannot be accepted: `playlists.a` comes from shows.csv, line 2, a row of a table',
    ]);
  });

  test('is refused where the cell is part of the key, too', () => {
    const keyed = source.replace('"${id}"', '"${title}"').replace('title: string', 'title: string');
    expect(
      acceptedTexts({ 'a.yaml': keyed, 'shows.csv': 'title,pod\nA,60\n' }, { playlists: { A: { ...show('A'), desc: 'New' } } }),
    ).toEqual([
      'playlist/A cannot be accepted: `playlists.A.desc` comes from shows.csv, line 2; it is not edited there, because playlist/A would not be declared any more, playlist/New would change too',
    ]);
  });

  test('can be overridden by a later source that names it', () => {
    const files = { 'a.yaml': source, 'over.yaml': 'playlists:\n  a: {}\n', 'shows.csv': csv };
    expect(acceptedTexts(files, live({ repeat: 2 }, {}), { main: { sources: ['a.yaml', 'over.yaml'] } })).toEqual({
      'over.yaml': 'playlists:\n  a: { repeat: 2 }\n',
    });
  });
});

describe('a text around a column', () => {
  const of = (desc: string) => `templates:
  show:
    params: { title: string, number: { type: integer, default: 1 } }
    playlist:
      desc: "${desc}"
      repeat: "\${number}"
      playlist: [ { beam: ${asset(1)} }, { beam: ${asset(2)} } ]
playlists_from:
  - { file: shows.csv, template: show, key: "\${id}" }
`;
  const accepted = (desc: string, live: string, csv = 'id,title,number\na,One,2\n') =>
    acceptedTexts({ 'a.yaml': of(desc), 'shows.csv': csv }, { playlists: { a: { desc: live, repeat: 2, playlist: beams(1, 2) } } });

  test('gives the cell what stands between, with quotes where it needs them', () => {
    expect(accepted(`The \${title} show`, 'The Big, "new" show')).toEqual({ 'shows.csv': 'id,title,number\na,"Big, ""new""",2\n' });
    expect(accepted(`$\${x} \${title}`, `$\${x} $\${y}`)).toEqual({ 'shows.csv': `id,title,number\na,\${y},2\n` });
  });

  test('is refused where the live text does not have it', () => {
    expect(accepted(`The \${title} show`, 'A film')).toEqual([
      `playlist/a cannot be accepted: \`playlists.a.desc\` comes from the template \`show\`, a.yaml, line 5, as \`The \${title} show\`, which cannot give "A film"`,
    ]);
    expect(accepted(`aba\${title}aba`, 'aba')).toEqual([expect.stringContaining('which cannot give "aba"')]);
  });

  test('is refused where two columns make it, from which it cannot be made back', () => {
    expect(accepted(`\${title}-\${number}`, 'Two-2')).toEqual([
      `playlist/a cannot be accepted: \`playlists.a.desc\` comes from the template \`show\`, a.yaml, line 5, where it is made of variables, from which it cannot be made back: \${title}-\${number}`,
    ]);
    expect(accepted(`\${title} \${title}`, 'Two Two')).toEqual([expect.stringContaining('cannot be made back')]);
  });

  test('is refused where the cell also makes another value, which did not change', () => {
    expect(accepted(`Number \${number}`, 'Number 3')).toEqual([
      'playlist/a cannot be accepted: `playlists.a.desc` comes from the template `show`, a.yaml, line 5; it is not edited there, because playlist/a would still differ in /repeat',
    ]);
  });

  test('is refused where the column has another type', () => {
    expect(accepted(`Number \${number}`, 'Number three')).toEqual([expect.stringContaining('which cannot give "Number three"')]);
  });

  test('is refused where the cell would be empty', () => {
    expect(accepted(`The \${title}`, 'The ')).toEqual([
      expect.stringMatching(/it is not edited there, because shows\.csv:2 would be refused/),
    ]);
  });

  test('is not known to the resource that names the template, which gets an override', () => {
    const source = `${of(`\${title}-\${number}`).split('playlists_from')[0]}playlists:\n  a: { template: show, with: { title: One } }\n`;
    expect(acceptedTexts({ 'a.yaml': source }, { playlists: { a: { desc: 'New', repeat: 1, playlist: beams(1, 2) } } })).toEqual({
      'a.yaml': source.replace('{ title: One } }', '{ title: One }, desc: New }'),
    });
  });
});

describe('an entry of a resource that names a template', () => {
  const source = `${TEMPLATE}playlists:\n  a: { template: show, with: { title: A, pod: 45 } }\n  b:\n    template: show\n    with:\n      title: B\n`;
  const live = (a: JsonObject, b: JsonObject) => ({ playlists: { a: { ...show('A', 45), ...a }, b: { ...show('B'), ...b } } });

  test('changes the argument that it comes from, and adds one where the default counted', () => {
    expect(acceptedTexts({ 'a.yaml': source }, live(show('A', 50), show('B', 70)))).toEqual({
      'a.yaml': source.replace('pod: 45', 'pod: 50').replace('title: B\n', 'title: B\n      pod: 70\n'),
    });
  });

  test('is refused where the template has it, and others use the template', () => {
    expect(acceptedTexts({ 'a.yaml': source }, live({ playlist: [{ beam: asset(1) }, { ad: 45 }, { beam: asset(9) }] }, {}))).toEqual([
      'playlist/a cannot be accepted: `playlists.a.playlist.2.beam` comes from the template `show`, a.yaml, line 8; it is not edited there, because playlist/b would change too',
    ]);
  });

  test('changes an entry of an argument that is a list of entries', () => {
    const lists = `templates:\n  show:\n    params: { middle: entries }\n    playlist:\n      playlist: [ { beam: ${asset(1)} }, "\${middle}", { beam: ${asset(2)} } ]\nplaylists:\n  a: { template: show, with: { middle: [ { ad: 30 }, { ad: 15 } ] } }\n  b: { template: show, with: { middle: [] } }\n`;
    const ads = (...lengths: readonly number[]) => [{ beam: asset(1) }, ...lengths.map((ad) => ({ ad })), { beam: asset(2) }];
    expect(acceptedTexts({ 'a.yaml': lists }, { playlists: { a: { playlist: ads(30, 20) }, b: { playlist: ads() } } })).toEqual({
      'a.yaml': lists.replace('ad: 15', 'ad: 20'),
    });
  });
});

describe('a parameter that makes several values', () => {
  const source = `templates:
  offline:
    params: { seconds: integer, level: { type: integer, default: 1 } }
    drm_policy:
      widevine:
        content_key_specs: [ { track_type: ALL, security_level: "\${level}" } ]
        policy_overrides: { can_play: true, license_duration_seconds: "\${seconds}" }
      playready: { license_duration_seconds: "\${seconds}" }
`;
  const inTable = `${source}drm_policies_from:\n  - { file: policies.csv, template: offline, key: "\${name}" }\n`;
  const csv = 'name,seconds,level\nweek,700,\nday,100,2\n';
  const policy = (widevine: number, playready = widevine, level = 1): JsonObject => ({
    widevine: {
      content_key_specs: [{ track_type: 'ALL', security_level: level }],
      policy_overrides: { can_play: true, license_duration_seconds: widevine },
    },
    playready: { license_duration_seconds: playready },
  });
  const day = policy(100, 100, 2);

  test('is changed where all of them become what it gives, in a cell and in the arguments of a resource', () => {
    expect(acceptedTexts({ 'a.yaml': inTable, 'policies.csv': csv }, { drm_policies: { week: policy(800), day } })).toEqual({
      'policies.csv': csv.replace('700', '800'),
    });
    const own = `${source}drm_policies:\n  week: { template: offline, with: { seconds: 700 } }\n`;
    expect(acceptedTexts({ 'a.yaml': own }, { drm_policies: { week: policy(800) } })).toEqual({
      'a.yaml': own.replace('seconds: 700', 'seconds: 800'),
    });
    expect(acceptedTexts({ 'a.yaml': own }, { drm_policies: { week: policy(700, 800) } })).toEqual({
      'a.yaml': own.replace('700 } }', '700 }, playready: { license_duration_seconds: 800 } }'),
    });
  });

  test('is refused in a row where only one of them changed, or where they differ', () => {
    const refused = (widevine: number, playready: number) =>
      acceptedTexts({ 'a.yaml': inTable, 'policies.csv': csv }, { drm_policies: { week: policy(widevine, playready), day } });
    expect(refused(700, 800)).toEqual([
      'drm-policy/week cannot be accepted: `drm_policies.week.playready.license_duration_seconds` comes from policies.csv, line 2; it is not edited there, because drm-policy/week would still differ in /widevine/policy_overrides/license_duration_seconds',
    ]);
    expect(refused(800, 900)).toEqual([expect.stringContaining('which would have to hold both 800 and 900')]);
  });

  test('is changed where it stands in a list of settings', () => {
    expect(acceptedTexts({ 'a.yaml': inTable, 'policies.csv': csv }, { drm_policies: { week: policy(700, 700, 2), day } })).toEqual({
      'policies.csv': csv.replace('700,', '700,2'),
    });
  });
});

describe('an entry of a row that is written in YAML', () => {
  test('changes the value in its row, and adds one where the default counted', () => {
    const source = `${TEMPLATE}playlists_from:\n  - template: show\n    key: "\${id}"\n    rows:\n      - { id: a, title: A, pod: 45 } # one\n      - { id: b, title: B }\n`;
    expect(acceptedTexts({ 'a.yaml': source }, { playlists: { a: show('A', 50), b: show('B', 70) } })).toEqual({
      'a.yaml': source.replace('pod: 45', 'pod: 50').replace('title: B }', 'title: B, pod: 70 }'),
    });
  });
});

describe('a list that includes an entry list', () => {
  const lists = `entry_lists:\n  pod:\n    - ad: 30 # short\n    - beam: ${asset(7)}\n`;
  const including = (...names: readonly string[]) =>
    `${lists}playlists:\n${names.map((name) => `  ${name}: { playlist: [ { beam: ${asset(1)} }, { include: pod }, { beam: ${asset(2)} } ] }\n`).join('')}`;
  const list = (ad: number, last: number, middle = 7) => ({
    playlist: [{ beam: asset(1) }, { ad }, { beam: asset(middle) }, { beam: asset(last) }],
  });

  test('has an entry of its own changed in place', () => {
    expect(acceptedTexts({ 'a.yaml': including('a', 'b') }, { playlists: { a: list(30, 9), b: list(30, 2) } })).toEqual({
      'a.yaml': including('a', 'b').replace(asset(2), asset(9)),
    });
  });

  test('has an entry of the entry list changed there where it alone includes it', () => {
    expect(acceptedTexts({ 'a.yaml': including('a') }, { playlists: { a: list(40, 2, 8) } })).toEqual({
      'a.yaml': including('a').replace('ad: 30', 'ad: 40').replace(asset(7), asset(8)),
    });
  });

  test('is refused with the line of the entry list where others include it, too', () => {
    expect(
      acceptedTexts({ 'a.yaml': including('a', 'b', 'c') }, { playlists: { a: list(40, 2), b: list(30, 2), c: list(30, 2) } }),
    ).toEqual([
      'playlist/a cannot be accepted: `playlists.a.playlist.1.ad` comes from the entry list `pod`, a.yaml, line 3; it is not edited there, because playlist/b, playlist/c would change too',
    ]);
  });

  test('is refused where it includes the entry list twice, and one of the entries changed', () => {
    const twice = including('a').replace('{ include: pod }', '{ include: pod }, { include: pod }');
    const [first, ad, beam, last] = list(30, 2).playlist;
    const live = { playlists: { a: { playlist: [first, { ad: 40 }, beam, ad, beam, last].flatMap((each) => each ?? []) } } };
    expect(acceptedTexts({ 'a.yaml': twice }, live)).toEqual([
      'playlist/a cannot be accepted: `playlists.a.playlist.1.ad` comes from the entry list `pod`, a.yaml, line 3; it is not edited there, because playlist/a would still differ in /playlist',
    ]);
  });

  test('is refused where an entry came, went or moved, because other lists may include it, too', () => {
    expect(acceptedTexts({ 'a.yaml': including('a') }, { playlists: { a: { playlist: beams(1, 3) } } })).toEqual([
      'playlist/a cannot be accepted: the list includes the entry list `pod`',
    ]);
  });
});

test('a value that is one typed variable is refused', () => {
  const targets = { main: { sources: ['a.yaml'], vars: { n: '3' } } };
  const source = `playlists: { a: { desc: "\${n}", playlist: [ { beam: ${asset(1)} }, { beam: ${asset(2)} } ] } }\n`;
  expect(acceptedTexts({ 'a.yaml': source }, { playlists: { a: { desc: '4', playlist: beams(1, 2) } } }, targets)).toEqual([
    'playlist/a cannot be accepted: the value is made of a variable: ${n}',
  ]);
});
