/**
 * Generates texts for comparing YAML parsers: blocks as people write them, with a few lines that are not valid or that parsers read
 * differently.
 */
import fc from 'fast-check';

/** Texts in the place of a scalar: common values, and values that YAML reads as another type or rejects. */
const scalars = [
  ...[
    'evening',
    'Playlist 12',
    'a, b [c] {d}',
    'it is: here',
    'a:b',
    'a #b',
    'a# b',
    'a #',
    '#a',
    'x:',
    'http://h/p?q#f',
    '12:30',
    '$'.concat('{region}'),
  ],
  ...[
    '0',
    '1',
    '-1',
    '+1',
    '-0',
    '00',
    '007',
    '0o17',
    '0x1F',
    '1_000',
    '1e3',
    '7771e33',
    '1.',
    '.5',
    '-.5',
    '1.0',
    '.',
    '..',
    '.e1',
    '1e',
    '+',
  ],
  ...[
    '9007199254740993',
    '99999999999999999999',
    '123456789012345',
    '.inf',
    '-.INF',
    '.nan',
    '.NaN',
    '.nAn',
    '190:20:30',
    '2001-12-14',
    '1.2.3',
  ],
  ...[
    'null',
    'Null',
    'nULL',
    '~',
    '~a',
    'true',
    'True',
    'tRUE',
    'yes',
    'No',
    'on',
    'y',
    '<<',
    '=',
    '!x',
    '!!str 1',
    '&a',
    '&a b',
    '*a',
    '*',
  ],
  ...[
    '"a"',
    '"a" #b',
    '"a"#b',
    '"a" b',
    '"\\n"',
    '"\\u0041"',
    '"\\ud800"',
    '"a',
    "'a'",
    "'it''s'",
    "'a",
    "'a' #",
    '""',
    "''",
    '"',
    "'",
    '"a": b',
  ],
  ...[
    '[]',
    '{}',
    '[a, b]',
    '[a,b]',
    '[ 1 , -2 ]',
    '[a, ]',
    '[,]',
    '[a b, "c"]',
    '[[1], {a: 2}]',
    '[a',
    'a]',
    '[a: b]',
    '[a] b',
    '[a] #b',
    '[a]#b',
  ],
  ...[
    '{a: 1}',
    '{ a: 1, b: {c: [d]} }',
    '{a}',
    '{a:1}',
    '{"a": 1}',
    '{"a":1}',
    '{a: }',
    '{a: 1, a: 2}',
    '{? a: 1}',
    '{a: 1,}',
    '{a: -}',
    '{__proto__: 1}',
  ],
  ...[
    '[- a]',
    '[-]',
    '[-1]',
    '[a-]',
    '[...]',
    '[---]',
    '{a: b: c}',
    '{a: b #c}',
    '[a #b]',
    '[*a]',
    '[!a b]',
    "['a''b']",
    '["a": b]',
    '[a]: b',
    '{a: b}: c',
  ],
  ...[
    '|',
    '>',
    '|-\n    text',
    '>\n    text\n    more',
    '? a',
    '?',
    '?a',
    '- a',
    '-',
    '--',
    '---',
    '...',
    '-a',
    '-\ta',
    ': a',
    ':',
    ':a',
    '%a',
    '@a',
    '`a',
  ],
  ...[
    'a\n      b',
    'a\n  b',
    'é',
    '日本',
    '😀',
    '\u00a0',
    'a\u00a0b',
    '\u2028',
    'a\u2028b',
    '\ufeff',
    'a\tb',
    '\ta',
    'a\t',
    '\u0085',
    'a\r',
    '\u00ad',
    '\u200d',
  ],
  ...['a'.repeat(300), '1'.repeat(300), `"${'a'.repeat(1_100)}"`, `[${'['.repeat(70)}${']'.repeat(71)}`, ''],
];

const keys = [
  ...[
    'a',
    'b',
    'desc',
    'pl-1',
    'playlist/a',
    '1',
    '0x10',
    'true',
    'null',
    '7e5',
    'odd%20name',
    'a.b',
    'a~',
    'a@b',
    '"a"',
    "'a'",
    '"a b"',
    '"a: b"',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '""',
    "''",
    '"\\x41"',
    '"a\\"',
    "'a''b'",
    '<<',
    '-',
    '-a',
    '?',
    '? a',
    '~',
    '.a',
    '/a',
    '@a',
    '%a',
  ],
  ...[
    'a b',
    'a ',
    'a:',
    'a #',
    '&a b',
    '*a',
    '!a b',
    '[a]',
    '{a}',
    '[a, b]',
    'é',
    '|',
    'k'.repeat(199),
    'k'.repeat(201),
    'k'.repeat(1_030),
    '',
    '-1',
    '+1',
  ],
];

const line = fc
  .record({
    indent: fc.constantFrom('', '', '', '  ', '  ', '    ', '    ', '      ', ' ', '   ', '\t', '  \t'),
    dash: fc.constantFrom('', '', '', '', '- ', '- ', '-   ', '-', '- - ', '-\t'),
    key: fc.constantFrom(...['', '', 'a', 'b', 'c', 'd', 'e', 'f'], ...keys),
    colon: fc.constantFrom(': ', ': ', ': ', ':', ':', ':   ', ' : ', '', ':\t', ' :'),
    scalar: fc.oneof({ weight: 3, arbitrary: fc.constantFrom('', '', 'x', '1', 'a b') }, fc.constantFrom(...scalars)),
    tail: fc.constantFrom('', '', '', '', '', '', ' ', ' # why', '#', '\t', '\r', ' #\t'),
  })
  .map(({ indent, dash, key, colon, scalar, tail }) => `${indent}${dash}${key}${key === '' ? '' : colon}${scalar}${tail}`);

const stray = fc.constantFrom(
  '',
  '',
  '  ',
  '# comment',
  '    # comment',
  '---',
  '--- ',
  '--- a',
  '...',
  '%YAML 1.2',
  '\t',
  '\ufeff',
  '- ',
  '}',
  'a',
  '--- # c',
  '\r',
);

/** Random lines: most are not a valid document. */
const randomLines = fc.array(fc.oneof({ weight: 6, arbitrary: line }, stray), { maxLength: 9 });

/** A placeholder, which is replaced by a key that is unique in the text. */
const FRESH = '\u0001';

/** Generates a block with consistent indentation, in which a few scalars or keys may be anything. */
function block(depth: number, indent: number): fc.Arbitrary<string[]> {
  const pad = ' '.repeat(indent);
  const key = fc.oneof(
    { weight: 40, arbitrary: fc.constant(FRESH) },
    { weight: 2, arbitrary: fc.constantFrom('a', 'b') },
    fc.constantFrom(...keys),
  );
  const scalar = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom('x', '12', 'a b', '"q"', "'q'", '', '{ a: 1 }', '[x, 2]', 'é') },
    fc.constantFrom(...scalars),
  );
  const deeper = depth === 0 ? undefined : fc.constantFrom(1, 2, 2, 2, 2, 2, 2, 4).chain((more) => block(depth - 1, indent + more));
  const tail = fc.constantFrom('', '', '', '', '', ' ', ' # why');
  const leaf = fc.tuple(key, scalar, tail).map(([name, value, end]) => [`${pad}${name}: ${value}${end}`]);
  const item = fc.tuple(fc.constantFrom('- ', '-   '), scalar, tail).map(([dash, value, end]) => [`${pad}${dash}${value}${end}`]);
  const below = deeper && fc.tuple(key, tail, deeper).map(([name, end, lines]) => [`${pad}${name}:${end}`, ...lines]);
  const under =
    depth === 0
      ? undefined
      : block(depth - 1, indent + 2).map(([first = '', ...rest]) =>
          /^ *-/.test(first) ? [`${pad}-`, first, ...rest] : [`${pad}- ${first.trimStart()}`, ...rest],
        );
  const members = below ? fc.oneof({ weight: 2, arbitrary: leaf }, below) : leaf;
  const items =
    under && deeper
      ? fc.oneof(
          item,
          under,
          deeper.map((lines) => [`${pad}-`, ...lines]),
        )
      : item;
  const few = { minLength: 1, maxLength: 4 };
  return fc.oneof(fc.array(members, few), fc.array(items, few)).map((blocks) => blocks.flat());
}

const blocks = fc.tuple(block(3, 0), fc.option(fc.tuple(fc.nat(12), stray), { freq: 5 })).map(([lines, odd]) => {
  return odd === null ? lines : [...lines.slice(0, odd[0]), odd[1], ...lines.slice(odd[0])];
});

/** Texts that are valid documents, nearly valid, or not YAML. */
export const documents: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', '', '', '', '', '', '', '---\n', '# first\n\n---\n', '\n', '%YAML 1.2\n---\n', '\ufeff'),
    fc.oneof(blocks, blocks, blocks, randomLines),
    fc.constantFrom('\n', '\n', '\n', '\n', '', '\n\n', '  \n', '\r\n'),
  )
  .map(([head, lines, end]) => {
    let fresh = 0;
    const key = () => {
      fresh += 1;
      return `k${fresh}`;
    };
    return head + lines.join('\n').replaceAll(FRESH, key) + end;
  });
