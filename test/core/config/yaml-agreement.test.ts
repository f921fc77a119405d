/**
 * Compares the parser of the sources (js-yaml) with package yaml: both read the same values, or the parser rejects the text with a finding.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isScalar, parseAllDocuments } from 'yaml';
import { parseYaml, type YamlFile } from '../../../src/core/config/yaml/parse.ts';
import { SOURCES } from '../../hostile/corpus.ts';
import { mutate } from '../../hostile/mutate.ts';
import { randomOf } from '../../hostile/random.ts';
import { record, rounds } from '../../support/figures.ts';
import { atMost } from '../../support/patience.ts';
import { assertProperty, printReplayOnFailure, runNumbers, seed } from '../../support/property.ts';
import { documents } from './documents.ts';
import { yamlTexts } from './yaml-texts.ts';

/** Returns the values that package yaml reads; undefined where it reports an error or a warning. */
function readByYaml(text: string): readonly unknown[] | undefined {
  const parsed = [
    ...parseAllDocuments(text, {
      schema: 'core',
      merge: false,
      stringKeys: true,
      uniqueKeys: false,
      logLevel: 'silent',
      prettyErrors: false,
    }),
  ];
  // Package yaml warns of a closing bracket in the column of its key, and reads it.
  const isInvalid = (warning: { readonly code: string }) => warning.code !== 'BAD_INDENT';
  if (parsed.some(({ errors, warnings }) => errors.length + warnings.filter(isInvalid).length > 0)) return undefined;
  const written = parsed.filter(
    ({ contents }) => contents !== null && !(isScalar(contents) && contents.value === null && contents.source === ''),
  );
  return written.map((document): unknown => document.toJS({ maxAliasCount: -1 }));
}

/** Writes a value as JSON that distinguishes -0 from 0. */
const exact = (value: unknown): string => JSON.stringify(value, (_key, part: unknown) => (Object.is(part, -0) ? '-0' : part));

/** Number of texts, and number of those that the parser accepts. */
interface Tally {
  texts: number;
  accepted: number;
}

/** Checks that both parsers read the same values from a text, unless the parser of the sources rejects it. */
function compare(bytes: Uint8Array, tally: Tally): void {
  const file = parseYaml(bytes);
  tally.texts += 1;
  if (isRejected(file)) return;
  tally.accepted += 1;
  const text = new TextDecoder().decode(bytes);
  expect(exact(file.documents), text).toBe(exact(readByYaml(text)));
}

/** Decides whether a file has findings, and checks that each has a position, a code and a summary. */
function isRejected({ errors }: YamlFile): boolean {
  for (const { line, column, code, summary } of errors) {
    expect(line * column).toBeGreaterThan(0);
    expect(code + summary).toMatch(/^[a-z-]+[^a-z]*[a-z]/);
  }
  return errors.length > 0;
}

/** Records the tally. Requires a share of accepted texts, since a parser that accepts none would agree with every other. */
function recordTally(name: string, { texts, accepted }: Tally, least: number): void {
  expect(accepted).toBeGreaterThan(texts * least);
  record({
    proof: 'js-yaml against yaml',
    name,
    value: accepted,
    wanted: `of ${texts} read by both, all alike`,
    holds: accepted > texts * least,
  });
}

/** Texts in which some of the spaces after a token are tabs. */
const tabbed = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(texts, fc.infiniteStream(fc.constantFrom(' ', '  ', '\t', ' \t'))).map(([text, blanks]) =>
    text.replace(/(?<=[-:,?[\]{}'"\w]) +/g, (spaces) => {
      const blank: unknown = blanks.next().value;
      return typeof blank === 'string' && blank.includes('\t') ? blank : spaces;
    }),
  );

test.each([
  ['texts of every form', yamlTexts, 1_000, 120_000, 0.2],
  ['blocks as people write them', documents, 500, 60_000, 0.3],
  ['blocks with tabs between their tokens', tabbed(documents), 500, 60_000, 0.2],
])(
  'js-yaml and yaml read %s alike, or upkeep reports a finding',
  { timeout: atMost(rounds(120_000, 1_800_000)) },
  (name, texts, short, long, least) => {
    const tally: Tally = { texts: 0, accepted: 0 };
    const encoder = new TextEncoder();
    const property = fc.property(texts, (text) => compare(encoder.encode(text), tally));
    assertProperty(property, { numRuns: rounds(short, long) });
    recordTally(name, tally, least);
  },
);

test('js-yaml and yaml read mutants of the hostile corpus alike, or upkeep reports a finding', {
  timeout: atMost(rounds(120_000, 1_800_000)),
}, () => {
  const corpus = Object.values(SOURCES).map((text) => Buffer.from(text));
  const tally: Tally = { texts: 0, accepted: 0 };
  printReplayOnFailure();
  for (const number of runNumbers(rounds(200, 50_000))) {
    const random = randomOf(seed, number);
    compare(mutate(random.of(corpus), corpus, random), tally);
  }
  recordTally('mutants', tally, 0.01);
});
