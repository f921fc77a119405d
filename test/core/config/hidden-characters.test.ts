import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hiddenCharacters } from '../../../src/core/config/hidden-characters.ts';
import { assertProperty } from '../../support/property.ts';
import { load } from './expand/load.ts';

const A = '10c5467d77c54dc4b739db2cd832143a';

/** Returns `file:line:column address summary` of the warnings about hidden characters. */
function warningsIn(texts: { readonly [file: string]: string }, settings: Parameters<typeof load>[1] = {}): readonly string[] {
  const found = load(texts, settings).findings.filter(({ code }) => code === 'hidden-character');
  return found.map(
    ({ file, line, column, severity, address = '-', summary }) => `${severity} ${file}:${line}:${column} ${address} ${summary}`,
  );
}

describe('a hidden character is a warning', () => {
  test('in a description, a policy name, a text of a list and a key, each at its place, with its code point', () => {
    const source = `
playlists:
  kids: { desc: "Ki\\u200bds", playlist: [ { beam: ${A} } ] }
smart_starts: { vod: { desc: "e\\u00adp\\u202e", assets: [ ${A} ] } }
drm_policies: { "Go\\u2066ld": { fairplay: { persistence: true } } }
static_key: { scope: specific, slicer_ids: [ "a\ufeff" ] }
`;
    expect(warningsIn({ 'config/a.yaml': source })).toEqual([
      'warning config/a.yaml:3:17 playlist/kids the text holds the hidden character U+200B',
      'warning config/a.yaml:4:30 - the text holds the hidden characters U+00AD, U+202E',
      'warning config/a.yaml:5:17 drm-policy/Go%E2%81%A6ld the name holds the hidden character U+2066',
      'warning config/a.yaml:6:46 static-key the text holds the hidden character U+FEFF',
    ]);
  });

  test('in a cell of a table, and in a reason', () => {
    const source = `
templates: { t: { params: { title: string }, playlist: { desc: "\${title}", playlist: [ { beam: ${A} } ], repeat: 2 } } }
playlists_from: [ { file: t.csv, template: t, key: "\${id}" } ]
playlists: { c: { playlist: [ { beam: ${A} } ] } }
ignore_changes: [ { address: playlist/c, fields: [ /active ], why: "be\\u2028cause" } ]
`;
    expect(warningsIn({ 'config/a.yaml': source, 'config/t.csv': 'id,title\na,A\nb,B\u200f\n' })).toEqual([
      'warning config/a.yaml:5:68 - the text holds the hidden character U+2028',
      'warning config/t.csv:3:3 playlist/b the text holds the hidden character U+200F',
    ]);
  });

  test('in upkeep.yaml, of whose line nothing is quoted', () => {
    const { findings } = load({ 'config/a.yaml': 'playlists: {}' }, { vars: { region: 'e\u2060u' } });
    expect(findings).toMatchObject([
      { file: 'upkeep.yaml', code: 'hidden-character', summary: 'the text holds the hidden character U+2060' },
    ]);
    expect(findings[0]).not.toHaveProperty('excerpt');
  });

  test('whose severity a rule sets, for all or for an address', () => {
    const files = { 'config/a.yaml': `playlists: { kids: { desc: "Ki\\u200bds", playlist: [ { beam: ${A} } ] } }` };
    expect(warningsIn(files, { rules: { 'hidden-character': 'off' } })).toEqual([]);
    expect(warningsIn(files, { rules: { 'hidden-character': 'error' } })).toEqual([expect.stringMatching(/^error .*playlist\/kids/)]);
  });
});

const codesIn = (text: string) => hiddenCharacters([text]).map(({ summary }) => summary.replace(/^.*characters? /, ''));

test.each(['❤️‍🔥', '👩🏽‍🚀', '👁️‍🗨️', '🏳️‍🌈', '1️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '👨‍👩‍👧‍👦', '☎︎', '🇩🇪', '©️', 'Naïve 横 عربى ', 'a b', '٠۝'])(
  '%s has no hidden character',
  (text) => {
    expect(codesIn(`A ${text} B`)).toEqual([]);
  },
);

test.each([
  ['a joiner beside an emoji', '🔥\u200d', 'U+200D'],
  ['a joiner between letters', 'a\u200db', 'U+200D'],
  ['a variation selector behind a letter', 'a\ufe0f', 'U+FE0F'],
  ['a variation selector behind a digit that is no keycap', '1\ufe0f', 'U+FE0F'],
  ['a tag behind a letter', 'a\u{e0061}', 'U+E0061'],
  ['a tag behind a flag that is no region', '🏴\u{e0061}\u{e007f}', 'U+E0061, U+E007F'],
  ['a filler of Hangul', '\u3164', 'U+3164'],
  ['a blank of Braille', '\u2800', 'U+2800'],
  ['a mark of direction', '\u061c', 'U+061C'],
  ['one character twice', '\u200b\u200b', 'U+200B'],
  ['many', '\u200b\u200c\u200d\u200e\u200f\u2060', 'U+200B, U+200C, U+200D, U+200E, and 2 more'],
])('a hidden character is found: %s', (_what, text, expected) => {
  expect(codesIn(text)).toEqual([expected]);
});

test('an emoji that browsers and phones know, wherever it stands, has no hidden character, and a bidirectional control always is one', () => {
  const emoji = fc.constantFrom(...'❤️‍🔥 👩🏽‍🚀 🏳️‍⚧️ 🧑🏿‍🤝‍🧑🏻 *️⃣ 🏴󠁧󠁢󠁳󠁣󠁴󠁿 👷🏼‍♀️ 🐦‍⬛ ⛹️‍♂️'.split(' '));
  const control = fc.constantFrom(...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c');
  const text = fc.array(fc.oneof(emoji, fc.constantFrom('a', '7', ' ', '#', 'é')), { maxLength: 8 });
  assertProperty(
    fc.property(text, text, control, (before, after, hidden) => {
      expect(codesIn([...before, ...after].join(''))).toEqual([]);
      expect(codesIn([...before, hidden, ...after].join(''))).toHaveLength(1);
    }),
  );
});
