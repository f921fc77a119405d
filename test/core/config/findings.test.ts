import { describe, expect, test } from 'vitest';
import { createFindingList, findingAt, limitFindings, MAX_EXCERPT_LENGTH } from '../../../src/core/config/findings.ts';
import { loadProject } from '../../../src/core/config/load-project.ts';
import { memoryFiles } from '../../../src/core/config/project-folder.ts';
import { errorFinding, type UnlocatedFinding } from '../../../src/core/kinds/kind.ts';
import { declare } from '../../../src/core/kinds/vmp-reject-statuses/declare.ts';
import type { Finding } from '../../../src/core/model/finding.ts';
import { loadConfig } from './fixture.ts';

/** Formats findings: position, severity and code, then summary, then hint. */
function format(findings: readonly Finding[]): string {
  return findings
    .flatMap(({ file, line, column, severity, code, summary, hint }) => [
      `${file}:${line}:${column} ${severity} ${code}`,
      `  ${summary}`,
      ...(hint === undefined ? [] : [`  ${hint}`]),
    ])
    .join('\n');
}

/** Returns the findings about each of these sources, loaded separately. */
function findingsOf(...texts: readonly string[]): string {
  return texts.map((text) => `${text.trim()}\n${format(loadConfig({ 'a.yaml': text }).findings)}`).join('\n\n');
}

const projectFindings = (lines: readonly string[]) =>
  format(loadProject(memoryFiles([{ name: 'upkeep.yaml', text: lines.join('\n') }]), '2027-01-01').findings);

describe('loadDesiredState and loadProject report exactly the expected findings about', () => {
  test('YAML that cannot be read', () => {
    expect(
      findingsOf(
        'lamp: { watts: 1, watts: 2 }',
        'constructor: 1',
        '"": 1',
        'lamp: { <<: { watts: 1 } }',
        '"\\ud800": 1',
        'lamp: { colour: "\\udc00" }',
        'lamp: { watts: 0123 }',
        'lamp: { watts: 9007199254740993 }',
        'lamp: *x',
        'lamp: { shades: &x [*x] }',
        'lamp: !x 1',
        '? [a]\n: b',
        'lamp:\n\twatts: 1',
        'lamp:\n    watts: 1\n  colour: red',
        'lamp: b: c',
        'lamp: "b',
        'lamp: "\\q"',
        'lamp: &x *y',
        'a\nb: 1',
        '%BAD\n---\nlamp: {}',
        'lamp: @x',
        `lamp: ${'['.repeat(65)}`,
        '- lamp',
      ),
    ).toMatchInlineSnapshot(`
      "lamp: { watts: 1, watts: 2 }
      a.yaml:1:19 error duplicate-key
        \`watts\` is defined twice in one map
        The other one is in a.yaml:1. Keep one of them.

      constructor: 1
      a.yaml:1:1 error unsupported-key
        \`constructor\` cannot be used as a key

      "": 1
      a.yaml:1:1 error unsupported-key
        a key must not be empty

      lamp: { <<: { watts: 1 } }
      a.yaml:1:9 error unsupported-key
        merge keys (\`<<\`) are not supported
        Repeat the lines, or overlay them in a later source.

      "\\ud800": 1
      a.yaml:1:1 error not-text
        half a surrogate pair is not a character

      lamp: { colour: "\\udc00" }
      a.yaml:1:17 error not-text
        half a surrogate pair is not a character

      lamp: { watts: 0123 }
      a.yaml:1:16 error ambiguous-number
        a leading zero means different things in different versions of YAML
        Write the number without it. If it is an ID or a text, put it in quotes.

      lamp: { watts: 9007199254740993 }
      a.yaml:1:16 error ambiguous-number
        this number cannot be read exactly
        If it is an ID or a text, put it in quotes.

      lamp: *x
      a.yaml:1:7 error alias
        there is no anchor of this name before the alias
        Quote the text if it was not meant as an alias.

      lamp: { shades: &x [*x] }
      a.yaml:1:21 error alias
        this alias is inside the value that it repeats

      lamp: !x 1
      a.yaml:1:7 error yaml-syntax
        this tag is not supported
        Put a text that begins with ! in quotes; a tag has no meaning here.

      ? [a]
      : b
      a.yaml:1:3 error yaml-syntax
        a key must be plain text
        Quote the key, or the text if it begins with a bracket; lists, maps and aliases cannot be keys.

      lamp:
      	watts: 1
      a.yaml:2:1 error yaml-syntax
        a tab is used for indentation
        YAML is indented with spaces only.

      lamp:
          watts: 1
        colour: red
      a.yaml:3:3 error yaml-syntax
        this line begins in column 3, its siblings in column 5 or 1
        Begin it in column 5 or 1: the keys of one map begin in the same column.

      lamp: b: c
      a.yaml:1:7 error yaml-syntax
        a second colon on one line
        Quote a text that contains a colon and a space.

      lamp: "b
      a.yaml:1:7 error yaml-syntax
        the quote that opens here is not closed
        Write the same quote at the end of the text. Within the text, write \\" in double quotes and '' in single quotes.

      lamp: "\\q"
      a.yaml:1:8 error yaml-syntax
        this escape is not valid in a double-quoted text
        Use single quotes to take every character as it is.

      lamp: &x *y
      a.yaml:1:7 error yaml-syntax
        this alias or anchor is not valid
        Put a text that begins with * or & in quotes.

      a
      b: 1
      a.yaml:1:1 error yaml-syntax
        a colon with a space after it is missing on this line
        Write \`key: value\`. A text of several lines needs quotes; a comment begins with #.

      %BAD
      ---
      lamp: {}
      a.yaml:1:1 error yaml-syntax
        this directive is not supported
        Remove lines that begin with %.

      lamp: @x
      a.yaml:1:7 error yaml-syntax
        a key or text cannot begin with @, % or a backquote
        Put it in quotes.

      lamp: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
      a.yaml:1:71 error too-deep
        nested more than 64 levels deep

      - lamp
      a.yaml:1:1 error wrong-type
        a source file must hold a map of sections
        Write a section such as \`playlists:\` at the top level."
    `);
  });

  test('too many aliases', () => {
    const levels = Array.from({ length: 6 }, (_, level) => `  - &x${level + 1} [${Array(10).fill(`*x${level}`).join(', ')}]`);
    expect(
      format(loadConfig({ 'a.yaml': ['lamp:', '  shades:', '  - &x0 1', ...levels].join('\n').replaceAll('\n  -', '\n    -') }).findings),
    ).toMatchInlineSnapshot(`
      "a.yaml:8:27 error alias
        the aliases of this document repeat more than 100000 values
        Write the values out, or in fewer levels of aliases."
    `);
  });

  test('values of the wrong form', () => {
    expect(
      findingsOf(
        'lamp: { watts: "60" }',
        'lamp: { watts: sixty, colour: 12 }',
        'lamp: { colour: true, shades: {} }',
        'lamp: { color: red }',
        'shelves: { a: { width: 0 } }',
        'shelves: { a: { width: 201, wood: oka, locked: yes, books: [1, 2, 3, 4, 5, 6] } }',
        'shelves: { a: {}, A: { width: 1 } }',
        'shelves: { a: { width: 1, locked: "1" }, b: { width: 1, locked: "true" } }',
        'shelfs: {}',
        'shelves:',
        'lamp: { watts: null }',
        'lamp: null',
      ),
    ).toMatchInlineSnapshot(`
      "lamp: { watts: "60" }
      a.yaml:1:16 error wrong-type
        \`watts\` must be a whole number, not "60"
        Write it without quotes.

      lamp: { watts: sixty, colour: 12 }
      a.yaml:1:16 error wrong-type
        \`watts\` must be a whole number, not "sixty"
        Write a whole number, such as 30.
      a.yaml:1:31 error unquoted-id
        \`colour\` must be a text, but YAML reads \`12\` as a number
        Put it in quotes: "12"

      lamp: { colour: true, shades: {} }
      a.yaml:1:17 error wrong-type
        \`colour\` must be a text, not true
        Put it in quotes: "true"
      a.yaml:1:31 error wrong-type
        \`shades\` must be a list, not a map
        Write a list: each item on a line of its own, after a dash and a space.

      lamp: { color: red }
      a.yaml:1:9 error unknown-key
        unknown key \`color\` in \`lamp\`
        Did you mean \`colour\`?

      shelves: { a: { width: 0 } }
      a.yaml:1:24 error out-of-range
        \`width\` must be at least 1; it is 0

      shelves: { a: { width: 201, wood: oka, locked: yes, books: [1, 2, 3, 4, 5, 6] } }
      a.yaml:1:24 error out-of-range
        \`width\` must be at most 200; it is 201
      a.yaml:1:35 error invalid-value
        \`wood\` must be one of oak, pine; it is "oka"
        Did you mean \`oak\`?
      a.yaml:1:48 error invalid-value
        \`locked\` must be one of 0, 1, false, true; it is "yes"
        Write true in its place; only true and false are switches in YAML 1.2.
      a.yaml:1:60 error out-of-range
        \`books\` must have at most 5 items
      a.yaml:1:61 error unquoted-id
        \`books[0]\` must be a text or a map, but YAML reads \`1\` as a number
        Put it in quotes: "1"
      a.yaml:1:64 error unquoted-id
        \`books[1]\` must be a text or a map, but YAML reads \`2\` as a number
        Put it in quotes: "2"
      a.yaml:1:67 error unquoted-id
        \`books[2]\` must be a text or a map, but YAML reads \`3\` as a number
        Put it in quotes: "3"
      a.yaml:1:70 error unquoted-id
        \`books[3]\` must be a text or a map, but YAML reads \`4\` as a number
        Put it in quotes: "4"
      a.yaml:1:73 error unquoted-id
        \`books[4]\` must be a text or a map, but YAML reads \`5\` as a number
        Put it in quotes: "5"
      a.yaml:1:76 error unquoted-id
        \`books[5]\` must be a text or a map, but YAML reads \`6\` as a number
        Put it in quotes: "6"

      shelves: { a: {}, A: { width: 1 } }
      a.yaml:1:15 error missing-key
        \`a\` needs the key \`width\`
        In centimetres.
      a.yaml:1:19 error invalid-key
        \`A\` cannot be a key here
        It must match ^[a-z0-9.-]+$

      shelves: { a: { width: 1, locked: "1" }, b: { width: 1, locked: "true" } }
      a.yaml:1:35 error invalid-value
        \`locked\` must be one of 0, 1, false, true; it is "1"
        Write it without quotes.
      a.yaml:1:65 error invalid-value
        \`locked\` must be one of 0, 1, false, true; it is "true"
        Write it without quotes.

      shelfs: {}
      a.yaml:1:1 error unknown-key
        unknown key \`shelfs\`
        Did you mean \`shelves\`?

      shelves:
      a.yaml:1:1 error null
        \`shelves:\` has no value
        Write {} or [] for managed and empty, null in a later source to remove it, or leave the line out.

      lamp: { watts: null }
      a.yaml:1:16 error null
        \`watts\` has no value, and no earlier source, template or default has one that null could remove
        Write a value, or remove the line: absent settings have their defaults.

      lamp: null
      a.yaml:1:7 error null
        \`lamp\` has no value, and no earlier source, template or default has one that null could remove
        Write a value, or remove the line: absent settings have their defaults."
    `);
  });

  test('variables', () => {
    const sources = { 'a.yaml': `lamp: { colour: "\${red} \${regin} \${nothing-like-it} \${open" }` };
    expect(format(loadConfig(sources, { more: ['vars: { region: eu }'] }).findings)).toMatchInlineSnapshot(`
      "a.yaml:1:17 error unknown-variable
        \`\${\` without a closing brace
        Write $\${ for a literal \${.
      a.yaml:1:17 error unknown-variable
        no variable \`nothing-like-it\` in \`vars\` of this target
        Give it a value in \`vars\` of the target. Write $\${ for a literal \${.
      a.yaml:1:17 error unknown-variable
        no variable \`red\` in \`vars\` of this target
        Give it a value in \`vars\` of the target. Write $\${ for a literal \${.
      a.yaml:1:17 error unknown-variable
        no variable \`regin\` in \`vars\` of this target
        Did you mean \`region\`? Write $\${ for a literal \${."
    `);
    const much = { 'a.yaml': `lamp: { colour: "${`\${x}`.repeat(8193)}" }` };
    expect(format(loadConfig(much, { more: [`vars: { x: ${'x'.repeat(4096)} }`] }).findings)).toMatchInlineSnapshot(`
      "a.yaml:1:1 error too-large
        the variables expand to more than 32 MiB
        Shorten the values of variables and parameters."
    `);
  });

  test('sources that are missing or invalid', () => {
    const files = { 'list.yaml': '- x', 'empty/readme.txt': '', 'latin.yaml': new Uint8Array([0x61, 0x3a, 0xe9]) };
    const sources = ['gone', '../outside', 'empty', 'list.yaml', 'latin.yaml'];
    expect(format(loadConfig(files, { sources }).findings)).toMatchInlineSnapshot(`
      "latin.yaml:1:1 error not-text
        the file is not text: it is not valid UTF-8
        Save it as UTF-8.
      list.yaml:1:1 error wrong-type
        a source file must hold a map of sections
        Write a section such as \`playlists:\` at the top level.
      upkeep.yaml:7:15 error empty-source
        the source \`gone\` does not exist
        Sources are relative to the folder of upkeep.yaml.
      upkeep.yaml:7:22 error outside-project
        the source \`../outside\` lies outside the project, or is a link that leaves it
      upkeep.yaml:7:35 error empty-source
        the source \`empty\` holds no file
        Only *.yaml and *.yml files count, in this folder and below."
    `);
  });

  test('files that the sources name', () => {
    const text = [
      'shelves:',
      '  a: { width: 1, books_file: gone.txt }',
      '  b: { width: 1, books_file: ../../x.txt }',
      '  c: { width: 1, books_file: latin.txt }',
      '  d: { width: 1, books_file: . }',
    ].join('\n');
    expect(format(loadConfig({ 'a.yaml': text, 'latin.txt': new Uint8Array([0x0a, 0xe9]) }).findings)).toMatchInlineSnapshot(`
      "a.yaml:2:30 error missing-file
        \`gone.txt\` cannot be used: there is no such file
        The path is relative to the folder of the source file that names it.
      a.yaml:3:30 error outside-project
        \`../../x.txt\` cannot be used: it lies outside the project or in .git, or is reached through a link that leads there
        The path is relative to the folder of the source file that names it.
      a.yaml:4:30 error not-text
        \`latin.txt\` cannot be used: it is not valid UTF-8 (line 2)
        The path is relative to the folder of the source file that names it.
      a.yaml:5:30 error missing-file
        \`.\` cannot be used: it is a folder
        The path is relative to the folder of the source file that names it."
    `);
  });

  test('moved, removed and adopt', () => {
    expect(
      findingsOf(
        `
shelves: { a: { width: 1 }, b: { width: 1 }, nameless: { width: 1 } }
loans: { c: x }
moved:
  - { from: shelf/x, to: loan/c }
  - { from: shelf/y, to: shelf/z }
  - { from: shelf/q, to: shelf/a }
  - { from: shelf/q, to: shelf/b }
  - { from: shelf/m, to: shelf/m }
removed: [lamp, shelf/a]
adopt: { lamp: x, loan/c: x, shelf/gone: x, shelf/a: one, shelf/b: one }
`,
      ),
    ).toMatchInlineSnapshot(`
      "shelves: { a: { width: 1 }, b: { width: 1 }, nameless: { width: 1 } }
      loans: { c: x }
      moved:
        - { from: shelf/x, to: loan/c }
        - { from: shelf/y, to: shelf/z }
        - { from: shelf/q, to: shelf/a }
        - { from: shelf/q, to: shelf/b }
        - { from: shelf/m, to: shelf/m }
      removed: [lamp, shelf/a]
      adopt: { lamp: x, loan/c: x, shelf/gone: x, shelf/a: one, shelf/b: one }
      a.yaml:2:46 error unrecognisable
        \`shelf/nameless\` has no name by which it could be matched with an object of the account
        Give it one, or bind it to its live object: \`adopt: { shelf/nameless: <remote ID> }\`.
      a.yaml:5:5 error move
        shelf/x cannot become loan/c: a move keeps the prefix of the address
        Both addresses must begin with the same prefix, for example \`playlist/\`.
      a.yaml:6:5 error move
        shelf/z is not declared
        Declare the resource under its new address.
      a.yaml:7:5 error move
        shelf/q -> shelf/a contradicts another line of \`moved\`
        The other one is in a.yaml:8. Each address may be \`from\` in one line and \`to\` in one line. Remove one of these lines.
      a.yaml:8:5 error move
        shelf/q -> shelf/b contradicts another line of \`moved\`
        The other one is in a.yaml:7. Each address may be \`from\` in one line and \`to\` in one line. Remove one of these lines.
      a.yaml:9:5 error move
        shelf/m -> shelf/m is part of a cycle of moves
        Remove this line: the address stays as it is.
      a.yaml:9:5 error move
        shelf/m is not declared
        Declare the resource under its new address.
      a.yaml:10:11 error removed
        \`lamp\` is not an address that can be removed
        Write the address as a plan shows it, for example \`playlist/legacy\`.
      a.yaml:10:17 error removed
        shelf/a is removed and declared
        Remove it from \`removed\`, or remove its declaration.
      a.yaml:11:10 error not-adoptable
        \`lamp\` cannot be bound to another object
        Its live object is known without \`adopt\`; leave the line out.
      a.yaml:11:19 error not-adoptable
        \`loan/c\` cannot be bound to another object
        Its live object is known without \`adopt\`; leave the line out.
      a.yaml:11:30 error undeclared-address
        \`shelf/gone\` is adopted but not declared
        Declare the resource, or leave the line out.
      a.yaml:11:59 error duplicate-binding
        \`shelf/b\` is bound to the object that \`shelf/a\` is bound to
        The other one is in a.yaml:11. One object belongs to one address: leave one of the two lines out, or correct its ID."
    `);
  });

  test('nulls of an early source are located there, also where a later source has a value or another null', () => {
    const found = (...texts: readonly string[]) => {
      const sources = texts.map((_text, index) => `${index}.yaml`);
      const files = Object.fromEntries(texts.map((text, index) => [`${index}.yaml`, text]));
      return loadConfig(files, { sources }).findings.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`);
    };
    expect(found('lamp: { watts: null }\n', '\nlamp: { watts: 2 }\n')).toEqual(['0.yaml:1:16 null']);
    expect(found('lamp: { watts: null }\n', '\nlamp: { watts: null }\n')).toEqual(['0.yaml:1:16 null', '1.yaml:2:16 null']);
    expect(found('lamp: { watts: 1 }\n', 'lamp: null\n', '\nlamp: { watts: null }\n')).toEqual(['2.yaml:2:16 null']);
    expect(found('lamp: { watts: null }\n', '\nlamp: { watts: many }\n')).toEqual(['0.yaml:1:16 null', '1.yaml:2:16 wrong-type']);
  });

  test('duplicate definitions, and nulls that remove nothing', () => {
    const files = { 's/a.yaml': 'lamp: { watts: 1 }\n', 's/b.yaml': 'lamp: { watts: 2 }\n', 'c.yaml': 'lamp: { colour: null }\n' };
    expect(format(loadConfig(files, { sources: ['s', 'c.yaml'] }).findings)).toMatchInlineSnapshot(`
      "c.yaml:1:17 error null
        \`colour\` has no value, and no earlier source, template or default has one that null could remove
        Write a value, or remove the line: absent settings have their defaults.
      s/b.yaml:1:1 error duplicate-key
        \`lamp\` is defined twice in one source
        The other one is in s/a.yaml:1. Keep one of them."
    `);
  });

  test('rules', () => {
    const rules = '{ odd-shelf: off, odd-shelv: off, nothing-like-it: off, yaml-syntax: warning, broken: warning }';
    const text = 'shelves: { a: { width: 1, label: broken }, b: { width: 1, label: odd } }';
    expect(format(loadConfig({ 'a.yaml': text }, { rules }).findings)).toMatchInlineSnapshot(`
      "a.yaml:1:34 error broken
        broken
      upkeep.yaml:2:26 warning unused-rule
        \`rules\` knows no code \`odd-shelv\`
        Did you mean \`odd-shelf\`?
      upkeep.yaml:2:42 warning unused-rule
        \`rules\` knows no code \`nothing-like-it\`
        Every finding shows its code.
      upkeep.yaml:2:64 warning unused-rule
        the severity of \`yaml-syntax\` cannot be set
        It is an error of structure; fix what it names.
      upkeep.yaml:2:86 warning unused-rule
        the severity of \`broken\` cannot be set
        It is an error of structure; fix what it names."
    `);
  });

  test('upkeep.yaml', () => {
    const lines = (url: string, credentials: string, more: string[] = []) => [
      'version: 1',
      ...more,
      'targets:',
      '  main:',
      `    base_url: ${url}`,
      `    credentials: ${credentials}`,
      '    sources: [a.yaml]',
    ];
    const good = '{ owner: { env: OWNER }, api_key: { env: KEY } }';
    const https = 'https://services.example.com';
    expect(projectFindings(lines('http://services.example.com', good))).toMatchInlineSnapshot(`
      "upkeep.yaml:4:15 error base-url
        \`base_url\` must be an https address without user, query or fragment
        http:// is accepted for 127.0.0.0/8, [::1] and localhost only, because requests would travel in the open."
    `);
    expect(projectFindings(lines('https://me:pw@services.example.com/?x=1', good))).toMatchInlineSnapshot(`
      "upkeep.yaml:4:15 error base-url
        \`base_url\` must be an https address without user, query or fragment
        http:// is accepted for 127.0.0.0/8, [::1] and localhost only, because requests would travel in the open."
    `);
    expect(projectFindings(lines(https, '{ owner: { env: OWNER }, api_key: secret }'))).toMatchInlineSnapshot(`
      "upkeep.yaml:5:52 error literal-credential
        \`api_key\` must say where the credential is found, not what it is
        Write { env: NAME }, { file: PATH } or { command: [PROGRAM, ...] }. A credential that was committed is no longer secret: replace it."
    `);
    expect(projectFindings(lines(https, '{ owner: { env: A, file: B }, api_key: { envv: KEY } }'))).toMatchInlineSnapshot(`
      "upkeep.yaml:5:27 error credential-source
        \`owner\` must have exactly one of env, file and command
        Write { env: NAME }, { file: PATH } or { command: [PROGRAM, ...] }. A credential that was committed is no longer secret: replace it.
      upkeep.yaml:5:57 error credential-source
        \`api_key\` must have exactly one of env, file and command
        Write { env: NAME }, { file: PATH } or { command: [PROGRAM, ...] }. A credential that was committed is no longer secret: replace it."
    `);
    expect(projectFindings(lines(https, '{ owner: { env: OWNER } }'))).toMatchInlineSnapshot(`
      "upkeep.yaml:5:18 error credential-source
        \`credentials\` must hold \`owner\` and \`api_key\`, or \`owner\` and \`scoped_key\`, or such a pair each for \`read\` and \`write\`, and nothing else
        Write { env: NAME }, { file: PATH } or { command: [PROGRAM, ...] }. A credential that was committed is no longer secret: replace it."
    `);
    expect(projectFindings(lines(https, good, ['targts: {}']))).toMatchInlineSnapshot(`
      "upkeep.yaml:2:1 error unknown-key
        unknown key \`targts\`
        Did you mean \`targets\`?"
    `);
    expect(projectFindings([...lines(https, good), '---', 'version: 1'])).toMatchInlineSnapshot(`
      "upkeep.yaml:1:1 error wrong-type
        \`upkeep.yaml\` must hold exactly one document, with \`version\` and \`targets\`"
    `);
    expect(projectFindings(['version: 2', 'targets: { A: {} }'])).toMatchInlineSnapshot(`
      "upkeep.yaml:1:10 error invalid-value
        \`version\` must be 1; it is 2
      upkeep.yaml:2:12 error invalid-key
        \`A\` cannot be a key here
        It must match ^(?!locks$)[a-z0-9-]+$
      upkeep.yaml:2:15 error missing-key
        \`A\` needs the key \`base_url\`
        Address of the service without /api: https, or http for a loopback address.
      upkeep.yaml:2:15 error missing-key
        \`A\` needs the key \`credentials\`
        Where the user ID and a key are found, never the values themselves: \`owner\` and one of \`api_key\` and \`scoped_key\`, or such a pair each for \`read\` and \`write\`.
      upkeep.yaml:2:15 error missing-key
        \`A\` needs the key \`sources\`
        Files, or folders that are searched for *.yaml and *.yml files at any depth, inside the project. Later ones overlay earlier ones."
    `);
    expect(format(loadProject(memoryFiles([]), '2027-01-01').findings)).toMatchInlineSnapshot(`
      "upkeep.yaml:1:1 error missing-file
        \`upkeep.yaml\` cannot be read: there is no such file"
    `);
  });
});

describe('many findings of one kind in one file', () => {
  const limit = (findings: readonly { readonly code: string; readonly summary: string; readonly at: string }[]) =>
    limitFindings(findings, ({ at }) => at).map(({ at, code, summary }) => `${at} ${code}: ${summary}`);
  const many = (count: number, at: string, code: string) =>
    Array.from({ length: count }, (_, index) => ({ code, summary: `no. ${index}`, at }));

  test('are listed up to 100, and the next one says how many more there are', () => {
    const listed = limit(many(1_000, 'a.yaml', 'odd'));
    expect(listed).toHaveLength(101);
    expect(listed.slice(99)).toEqual(['a.yaml odd: no. 99', 'a.yaml odd: 900 more findings of this kind in this file are not listed']);
    expect(limit(many(100, 'a.yaml', 'odd'))).toHaveLength(100);
  });

  test('are counted for each file and each kind of finding on its own', () => {
    expect(limit([...many(80, 'a.yaml', 'odd'), ...many(80, 'b.yaml', 'odd'), ...many(80, 'a.yaml', 'null')])).toHaveLength(240);
  });

  test('are limited whoever finds them', () => {
    const members = Array.from({ length: 300 }, (_, index) => `odd${index}: 1`);
    const { findings } = loadConfig({ 'a.yaml': `lamp: { ${members.join(', ')} }` });
    expect(findings.filter(({ code }) => code === 'unknown-key')).toHaveLength(101);
    expect(findings.some(({ summary }) => summary.includes('more findings of this kind'))).toBe(true);
  });
});

test('a finding has its line as an excerpt, unless that is too long', () => {
  const at = (length: number) => ({ file: 'a.yaml', line: 1, column: 1, excerpt: 'x'.repeat(length) });
  const text = { code: 'odd', summary: 'it is odd' };
  expect(findingAt(at(MAX_EXCERPT_LENGTH), text).excerpt).toHaveLength(MAX_EXCERPT_LENGTH);
  expect(findingAt(at(MAX_EXCERPT_LENGTH + 1), text)).not.toHaveProperty('excerpt');
});

test('findings about one long line do not repeat it', () => {
  const line = `titles: { ${Array.from({ length: 90 }, (_, index) => `p${index}: { odd: '${'\\'.repeat(5_000)}' }`).join(', ')} }`;
  const { findings } = loadConfig({ 'a.yaml': line });
  expect(findings.length).toBeGreaterThan(80);
  expect(JSON.stringify(findings).length).toBeLessThan(line.length / 4);
});

test('a status that is repeated a hundred thousand times gives one finding', () => {
  const { findings } = declare({ vmp_reject_statuses: Array.from({ length: 100_000 }, () => 'X') });
  expect(findings).toMatchObject([{ code: 'unknown-vmp-status', path: ['vmp_reject_statuses', 0] }]);
});

test('a list of findings keeps those that are listed, and says of the others what one look at all of them says', () => {
  const found = Array.from({ length: 35_000 }, (_, index) => errorFinding(index % 2 ? 'odd' : 'even', [index], `number ${index}`, 'x'));
  const limit = (all: readonly UnlocatedFinding[]) => limitFindings(all, () => 'a.yaml');
  const list = createFindingList(limit);
  let most = 0;
  for (const finding of found) {
    list.add([finding]);
    most = Math.max(most, list.all().length);
  }
  expect(most).toBeLessThan(11_000);
  expect(limit(list.all())).toEqual(limit(found));
});
