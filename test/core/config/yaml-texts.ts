/**
 * YAML texts of every form: block and flow, all styles of scalars, anchors, comments, tags, directives, several documents, and text that
 * only looks like YAML.
 */
import fc from 'fast-check';

/** Generates one of these texts. */
const one = (...texts: readonly string[]) => fc.constantFrom(...texts);

const plain = one(
  ...[
    'a',
    'a b',
    'evening',
    'x y z',
    'é',
    '日本',
    '😀',
    'it is:here',
    'a#b',
    'http://h/p?q#f',
    'a,b',
    'a, b',
    '[x',
    'a]',
    '{',
    'a}',
    '-a',
    '--',
    '?a',
    ':a',
  ],
  ...Array<string>(40).fill('a'),
  ...Array<string>(20).fill('12'),
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
    '0b1',
    '1_000',
    '1e3',
    '7771e33',
    '1e999',
    '1.',
    '.5',
    '-.5',
    '1.0',
    '.',
    '+',
    '.e1',
    '1e',
  ],
  ...[
    '9007199254740993',
    '9007199254740991',
    '99999999999999999999',
    '.inf',
    '-.INF',
    '.nan',
    '.NaN',
    '.nAn',
    '190:20:30',
    '1.2.3',
    '9'.repeat(400),
  ],
  ...[
    '2001-12-14',
    '2001-12-14t21:59:43.10-05:00',
    '12:30',
    '12:30:45',
    'null',
    'Null',
    'NULL',
    'nULL',
    '~',
    'true',
    'True',
    'TRUE',
    'tRUE',
    'false',
    'yes',
    'No',
    'on',
    'y',
  ],
  ...[
    '<<',
    '=',
    '@a',
    '`a',
    '%a',
    '\u00a0',
    'a\u00a0b',
    '\u2028',
    'a\u2028b',
    '\u0085',
    'a\u0085b',
    '\u200d',
    '\u00ad',
    'a\tb',
    'a:',
    'a: b',
    'a #b',
    '...',
    '---',
    '-',
    '?',
    ':',
    '',
  ],
);
const double = one(
  ...Array<string>(30).fill('"a"'),
  ...[
    '""',
    '"a"',
    '"a b"',
    '"a: b"',
    '"#"',
    '"\\n"',
    '"\\u0041"',
    '"\\x41"',
    '"\\U0001f600"',
    '"\\ud83d\\ude00"',
    '"\\ud800"',
    '"\\0\\a\\b\\t\\e\\_\\N\\L\\P"',
    '"\\/"',
    '"\\q"',
  ],
  ...[
    '"\\xg1"',
    '"\\u12"',
    '"a\\',
    '"a',
    '"a" b',
    '"\t"',
    '"\\\t"',
    '"a\\ "',
    '"\\U00110000"',
    '"\\Uffffffff"',
    '"é"',
    '"\'"',
    '"\\""',
    '"a\tb"',
  ],
);
const single = one(
  ...Array<string>(20).fill("'a'"),
  "''",
  "'a'",
  "'a b'",
  "'it''s'",
  "'a: b'",
  "'\"'",
  "'#'",
  "'\\n'",
  "'a",
  "'a' b",
  "'''",
  "''''",
  "'\t'",
);
const name = one('x', 'y', 'z', 'x1', 'é');

/** Generates scalars with several lines, which are indented by `indent` spaces. */
function multiline(indent: number): fc.Arbitrary<string> {
  const pad = ' '.repeat(indent);
  const line = fc.oneof(
    { weight: 9, arbitrary: one('a', 'b c', '  more', ' x', '- y', 'k: v', '# no comment', '"q"', "it's", 'a\\', 'a ', 'a\t') },
    one('', '', ' ', '  ', '\t', ' \t', '---', '...', '\tx', '%x', '#'),
  );
  const lines = fc.array(line, { maxLength: 4 });
  const header = fc.tuple(
    one('|', '>'),
    one('', '', '', '', '', '', '', '', '', '-', '-', '-', '+', '+', '1', '2', '-2', '+1', '2-', '0', '9', '--'),
    one(...Array<string>(12).fill(''), ' ', ' # c', '#c', ' x', '\t', '\t# c'),
  );
  const own = one(pad, pad, pad, pad, `${pad} `, `${pad}  `, pad.slice(1), '');
  const block = fc
    .tuple(header, lines, own)
    .map(([parts, texts, prefix]) => `${parts.join('')}\n${texts.map((text) => (text === '' ? '' : prefix + text)).join('\n')}`);
  const folded = fc
    .tuple(
      one('"', "'", '', ''),
      fc.array(one('a', 'b c', 'x\\', 'z ', '', '\t', '#', '-', ': x', 'é', '...', 'a:'), { minLength: 2, maxLength: 4 }),
      own,
    )
    .map(([quote, texts, prefix]) => `${quote}${texts.join(`\n${prefix}`)}${quote}`);
  return fc.oneof({ weight: 3, arbitrary: block }, folded);
}

const properties = fc.oneof(
  { weight: 80, arbitrary: fc.constant('') },
  { weight: 6, arbitrary: name.map((anchor) => `&${anchor} `) },
  one(
    '!x ',
    '!!str ',
    '!!int ',
    '!!binary ',
    '!!float ',
    '! ',
    '!<tag:yaml.org,2002:str> ',
    '!e!x ',
    '&',
    '&a &b ',
    '&x !!str ',
    '!!map ',
    '!!seq ',
    '!!null ',
    '!a%20b ',
  ),
);
/** Aliases. There are few in a text, since most have no anchor. */
const alias = name.map((anchor) => `*${anchor}`);
const scalar = fc
  .tuple(properties, fc.oneof({ weight: 30, arbitrary: plain }, { weight: 10, arbitrary: double }, { weight: 5, arbitrary: single }, alias))
  .map((parts) => parts.join(''));

/** A placeholder, which is replaced by a key that is unique in the text. */
const FRESH = '\u0001';

const key = fc.oneof(
  { weight: 60, arbitrary: fc.constant(FRESH) },
  {
    weight: 6,
    arbitrary: one('"a"', "'b'", '"a b"', '1', '"1"', '0x10', 'true', 'null', 'NULL', '7e5', 'a b', 'é', 'a.b', '-1', '2001-12-14', '~'),
  },
  one(
    ...[
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      '""',
      '',
      '<<',
      '"<<"',
      '&x a',
      '*x ',
      '!!str a',
      '? a\n',
      '?',
      '? |\n  a\n',
      '[a]',
      '{a: b}',
    ],
    ...[
      '"\\x61"',
      'a:',
      'a #',
      '-',
      '- a',
      '@a',
      '%a',
      'k'.repeat(1_020),
      'k'.repeat(1_030),
      '"\\ud800"',
      '|',
      'a\tb',
      ': a',
      '\ufeffa',
      '"a\\\n b"',
      '"a\n b"',
    ],
  ),
);
const colon = fc.oneof(
  { weight: 40, arbitrary: fc.constant(': ') },
  one(':', ':  ', ' : ', ':\t', ' :', '\t: ', ':\n ', ': \t', ': # c\n  ', ':\r'),
);
const comment = fc.oneof({ weight: 20, arbitrary: fc.constant('') }, one(' # why', '#no', ' #', '\t# c', ' ', '\t', '  # é "\' [', ' \t '));

/** Generates a flow collection, or a scalar in one. */
function flow(depth: number): fc.Arbitrary<string> {
  if (depth === 0) return scalar;
  const inner = flow(depth - 1);
  const comma = fc.oneof(
    { weight: 30, arbitrary: fc.constant(', ') },
    one(',', ' , ', ',\n  ', ' # c\n  , ', ',\t', '\n,', ',,', ' ', ',\n', ', # c\n  ', ',\n\t'),
  );
  const entry = fc.tuple(key, colon, inner).map((parts) => parts.join(''));
  const items = (item: fc.Arbitrary<string>) =>
    fc.tuple(fc.array(fc.tuple(item, comma), { maxLength: 3 }), item).map(([some, last]) => some.flat().join('') + last);
  const wrap = (open: string, close: string) => (arbitrary: fc.Arbitrary<string>) =>
    fc
      .tuple(
        properties,
        one('', '', '', ' ', ' ', ' ', '\n  ', '\t', ' # c\n  '),
        arbitrary,
        one('', '', '', ' ', ' ', ' ', ' ', ',', '\n ', '\n', '\t', ' # c\n '),
      )
      .map(([before, start, text, end]) => `${before}${open}${start}${text}${end}${close}`);
  return fc.oneof(
    { weight: 3, arbitrary: scalar },
    wrap('[', ']')(items(fc.oneof({ weight: 4, arbitrary: inner }, entry))),
    wrap('{', '}')(items(fc.oneof({ weight: 5, arbitrary: entry }, inner))),
    one(
      '[]',
      '{}',
      '[ ]',
      '{ }',
      '[,]',
      '{,}',
      '[',
      '}',
      '[? a]',
      '[? a : b]',
      '{? a}',
      '{a}',
      '["a":b]',
      '{"a":1}',
      '[a: b, c: d]',
      '[: a]',
      '{: a}',
    ),
  );
}

/** Generates the lines of a block in column `indent`. */
function block(depth: number, indent: number): fc.Arbitrary<string> {
  const pad = one(...Array<string>(300).fill(' '.repeat(indent)), ' '.repeat(indent + 1), ' '.repeat(Math.max(indent - 1, 0)), '\t');
  const inline = fc.tuple(fc.oneof({ weight: 20, arbitrary: scalar }, { weight: 4, arbitrary: flow(2) }, multiline(indent + 2)), comment);
  const value = inline.map(([text, end]) => text + end);
  const deeper =
    depth === 0
      ? undefined
      : one('1', '2', '2', '2', '2', '2', '2', '2', '0', '4').chain((more) => block(depth - 1, indent + Number(more)));
  const below = deeper && fc.tuple(properties, comment, deeper).map(([before, end, lines]) => `${before.trimEnd()}${end}\n${lines}`);
  const content = below ? fc.oneof({ weight: 2, arbitrary: value }, below) : value;
  const member = fc.tuple(pad, key, colon, content).map((parts) => parts.join(''));
  const explicit = fc.tuple(pad, key, pad, content).map(([before, question, next, answer]) => `${before}? ${question}\n${next}: ${answer}`);
  const dash = one(...Array<string>(16).fill('- '), '-   ', '-', '-\t', '- - ', '- \t');
  const compact = deeper ? deeper.map((lines) => lines.trimStart()) : value;
  const item = fc.tuple(pad, dash, fc.oneof(content, compact)).map((parts) => parts.join(''));
  const stray = one('', '', '', '# c', '# c', '  # c', '  # c', '\t', '   ', '   ', '\t# c', '\ufeff', '\r');
  const line = (arbitrary: fc.Arbitrary<string>) => fc.oneof({ weight: 80, arbitrary }, stray);
  const few = { minLength: 1, maxLength: 4 };
  const members = fc.oneof({ weight: 20, arbitrary: member }, explicit);
  return fc.oneof({ weight: 3, arbitrary: fc.array(line(members), few) }, fc.array(line(item), few)).map((lines) => lines.join('\n'));
}

/** Nested maps and lists, with a number of levels near the limit or far above it. */
const deep = fc
  .tuple(
    one('[', '{a: ', '- ', '[a: ', '? ', '&x [', 'a:\n'),
    fc.oneof(fc.integer({ min: 60, max: 68 }), fc.integer({ min: 1, max: 500 })),
    one('', 'x', 'a: b'),
  )
  .map(([open, count, end]) => {
    if (open === 'a:\n')
      return Array.from({ length: count + 1 }, (_, level) =>
        level < count ? `${' '.repeat(level)}a:` : `${' '.repeat(level)}${end}`,
      ).join('\n');
    const close = open.includes('{') ? '}' : open.includes('[') ? ']' : '';
    return open.repeat(count) + end + close.repeat(count);
  });

const root = fc.oneof(
  { weight: 24, arbitrary: block(3, 0) },
  { weight: 3, arbitrary: flow(3) },
  { weight: 2, arbitrary: multiline(0) },
  { weight: 1, arbitrary: scalar },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: one('', '# only a comment', ' ', '\t') },
);
const between = one(
  ...Array<string>(8).fill('\n---\n'),
  '\n--- ',
  '\n...\n',
  '\n...\n---\n',
  '\n--- # c\n',
  '\n---\t',
  '\n...',
  '\n...  # c\n',
  '\n...\n%YAML 1.2\n---\n',
  '\n---\n---\n',
  '\n... x\n',
  '\n\ufeff---\n',
);
const head = fc.oneof(
  { weight: 24, arbitrary: fc.constant('') },
  one(
    '---\n',
    '---\n',
    '---\n',
    '# c\n',
    '\ufeff',
    '--- ',
    '# c\n',
    '\ufeff',
    '\n\n',
    '%YAML 1.2\n---\n',
    '%YAML 1.1\n---\n',
    '%YAML 2.0\n---\n',
    '%TAG !e! tag:e,2000:\n---\n',
    '%BAD x\n---\n',
    '%',
    '...\n',
    '\ufeff---\n',
    ' ',
    '\t',
    '%YAML 1.2\n',
  ),
);
const tail = fc.oneof(
  { weight: 16, arbitrary: fc.constant('\n') },
  one('', '\n\n', '  \n', '\n...\n', '\n...', '\n# end', '\n---\n', '\n\t', '\n  ', '\r\n'),
);

/** Texts that are valid YAML, nearly valid, or not YAML. */
export const yamlTexts: fc.Arbitrary<string> = fc
  .tuple(
    head,
    root,
    fc.array(fc.tuple(between, root), { maxLength: 1 }),
    tail,
    fc.oneof({ weight: 6, arbitrary: fc.constant('\n') }, one('\r\n')),
  )
  .map(([start, first, others, end, eol]) => {
    let fresh = 0;
    return [start, first, ...others.flat(), end]
      .join('')
      .replaceAll('\n', eol)
      .replaceAll(FRESH, () => `k${++fresh}`);
  });
