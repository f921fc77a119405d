import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanDocuments, type Heads } from '../../../src/engine/desired/clean.ts';
import { parseYaml } from '../../../src/engine/desired/parse.ts';
import { plainValue } from '../../../src/engine/desired/plain.ts';
import { decodeText } from '../../../src/engine/desired/text.ts';
import { composeYaml } from '../../../src/engine/desired/yaml.ts';
import type { Json } from '../../../src/model/json.ts';
import { record, rounds } from '../../figures.ts';
import { SOURCES } from '../../hostile/corpus.ts';
import { mutate } from '../../hostile/mutate.ts';
import { randomOf } from '../../hostile/random.ts';
import { documents } from './documents.ts';

/** What package `yaml` reads; null where it finds anything wrong. */
function authority(text: string): readonly Json[] | null {
  let faults = 0;
  const report = () => {
    faults += 1;
  };
  const contents = composeYaml(text, report).map((root) => plainValue(root, report, () => 0));
  return faults > 0 || contents.some(({ refused }) => refused.length > 0) ? null : contents.map(({ value }) => value);
}

/** The text of a file; undefined where it is refused before anybody parses it. */
function decoded(bytes: Uint8Array): string | undefined {
  const read = decodeText(bytes);
  return 'text' in read ? read.text : undefined;
}

/** JSON with -0 told from 0. */
const exact = (value: unknown): string => JSON.stringify(value, (_key, part: unknown) => (Object.is(part, -0) ? '-0' : part));

/** Whether the fast road reads a text; what it reads must be what `yaml` reads, and its heads must be where `yaml` has them. */
function agrees(text: string | undefined): boolean {
  const heads: Heads = new Map();
  const read = text === undefined ? undefined : cleanDocuments(text, heads);
  if (text === undefined || read === undefined) return false;
  expect(exact(read)).toBe(exact(authority(text)));
  if (heads.size > 0) expect(placesIn(text, heads)).toEqual(placesIn(`${text}\n#\t`, heads));
  return true;
}

/** Where a file has these heads; a tab leaves it to `yaml`. */
function placesIn(text: string, heads: Heads) {
  const file = parseYaml(new TextEncoder().encode(text));
  const paths = [...heads.keys()].map((head) => head.split('/').slice(1).map(unescaped));
  return paths.map((path) => [path, file.locate(0, path), file.locate(0, path, 'key')]);
}

function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** How many of the documents both roads read; a road that reads none would agree with everything. */
function tell(name: string, clean: number, of: number, least: number): void {
  expect(clean).toBeGreaterThan(of * least);
  record({ proof: 'two roads of YAML', name, value: clean, wanted: `of ${of}, read by both, all alike`, holds: clean > of * least });
}

describe('the fast road reads what `yaml` reads, or nothing', () => {
  test('documents from a generator, clean and hostile', { timeout: 600_000 }, () => {
    const numRuns = rounds(1_500, 150_000);
    let drawn = 0;
    let clean = 0;
    const property = fc.property(documents, (written) => {
      drawn += 1;
      if (agrees(decoded(new TextEncoder().encode(written)))) clean += 1;
    });
    fc.assert(property, { numRuns });
    tell('generated documents', clean, drawn, 0.1);
  });

  test('mutants of the hostile corpus', { timeout: 600_000 }, () => {
    const corpus = [...Object.values(SOURCES), BLOCKS].map((text) => Buffer.from(text));
    const count = rounds(500, 50_000);
    let clean = 0;
    for (let number = 0; number < count; number++) {
      const random = randomOf(20_261_121, number);
      if (agrees(decoded(mutate(random.of(corpus), corpus, random)))) clean += 1;
    }
    tell('mutants', clean, count, 0.02);
  });
});

/** The shape that accounts are written in, by hand and by `export`. */
const BLOCKS = `# yaml-language-server: $schema=../schemas/source.schema.json
---
playlists:
  evening-block:
    desc: Evening block   # as viewers see it
    repeat: -1
    playlist:
      - beam:
          id: 10c5467d77c54dc4b739db2cd832143a
      - ad: { dur: 90 }
      - beam: news-intro
      -
        ad: 60
  "7": { desc: "it is: here", playlist: [{ beam: intro }] }

vmp_reject_statuses:
- PLATFORM_UNVERIFIED
- 'PLATFORM_TAMPERED'
adopt: {}
removed: []
`;

describe('the fast road', () => {
  test('takes what most files are made of', () => {
    expect(cleanDocuments(BLOCKS)).toEqual(authority(BLOCKS));
    expect(cleanDocuments('a: ~\nb:\nc:   # nothing\n  - true\n  - -12 \n')).toEqual([{ a: null, b: null, c: [true, -12] }]);
    expect(cleanDocuments('# only a comment\n\n---\n')).toEqual([]);
  });

  test('notes where sections and resources begin whose values stand below', () => {
    const heads: Heads = new Map();
    cleanDocuments(BLOCKS, heads);
    expect([...heads.keys()]).toEqual(['/playlists/evening-block', '/playlists', '/vmp_reject_statuses']);
    expect(parseYaml(new TextEncoder().encode(BLOCKS)).locate(0, ['playlists', 'evening-block'])).toMatchObject({ line: 4, column: 3 });
  });

  test('gives maps without prototype', () => {
    const [document] = cleanDocuments('a: { b: { c: 1 } }') ?? [];
    expect(Object.getPrototypeOf(document)).toBeNull();
    expect(Object.getPrototypeOf(Object(document).a.b)).toBeNull();
  });

  test.each([
    ...['a: 007', 'a: 1.5', 'a: .inf', 'a: 0x1f', 'a: 0o7', 'a: +1', 'a: -0', 'a: 1234567890123456', 'a: 7771e33', '[.nan]'],
    ...['a: &x 1', 'a: *x', 'a: !!str 1', 'a: |\n  x', 'a: >\n  x', 'a: "\\n"', "a: 'it''s'", 'a: x: y', 'a: @x', 'a: `x', 'a: %x'],
    ...['a: 1\na: 2', '{ a: 1, a: 2 }', '__proto__: 1', 'a: { constructor: 1 }', '"": 1', '<<: 1', '? a', '- - a', 'a', '"a"'],
    ...['a:\n\t- b', 'a: b\r\nc: d', 'a: \u00a0b', 'a: b\u2028', 'a: b\n  c', '- a\n  b', 'a: [1,\n 2]', '%YAML 1.2\n---\na: 1'],
    ...[
      'a: 1\n---\nb: 2',
      'a: 1\n...\n',
      'a: b\n c: d',
      '  a: 1\nb: 2',
      '- a\nb: 1',
      `${'k'.repeat(300)}: 1`,
      `a: ${'['.repeat(40)}${']'.repeat(40)}`,
    ],
  ])('leaves %j to `yaml`', (text) => {
    expect(cleanDocuments(text)).toBeUndefined();
  });

  test.each([' ', '\n', '- ', 'a: ', '# ', '[', '{a: ', '"', "'", 'a', '1', ' #', '---\n'])('ends soon on megabytes of `%s`', (piece) => {
    for (const head of ['', 'a: ', 'a: [b', '- {a: "', 'a: b', "a: 'b", '1', '[a ', '{ a']) {
      expect(cleanDocuments(head + piece.repeat(1_000_000 / piece.length)) ?? []).toBeInstanceOf(Array);
    }
  });
});
