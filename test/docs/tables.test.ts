/** The tables of the documentation name what the code knows: commands, flags, exit codes, configuration keys, finding codes and gauges. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EXIT_CODES } from '../../src/app/exit-codes.ts';
import { wholeCommandLine } from '../../src/cli/command-line.ts';
import { kinds } from '../../src/kinds/index.ts';
import { GUARD_CODES, LIVE_WARNING_CODES, REFERENCE_CODES } from '../../src/model/finding.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/model/json.ts';

const docs = new URL('../../docs/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, docs), 'utf8');

/** Returns the rows of all tables of a page: the texts of their cells. */
function rows(page: string): readonly (readonly string[])[] {
  return page
    .split('\n')
    .filter((line) => /^\| /.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** Returns what stands between backticks in the first cells of all rows. */
function namesIn(page: string): readonly string[] {
  return rows(page).flatMap(([first = '']) => [...first.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

describe('docs/commands.md', () => {
  const page = read('commands.md');
  const { commands } = wholeCommandLine('0.0.0');
  const visible = commands.filter((command) => command.name() !== 'complete');

  test('has every command in its table', () => {
    expect(visible.map((command) => command.name()).filter((name) => !namesIn(page).includes(name))).toEqual([]);
  });

  test('names no flag that the command line does not have, and misses none', () => {
    const all = [
      ...page.matchAll(/`(?:-t`, `)?(--[a-z-]+)/g),
      ...[read('emulator.md'), read('ci.md')].flatMap((each) =>
        [...each.matchAll(/^\| .*$/gm)].flatMap(([row]) => [...row.matchAll(/`(--[a-z-]+)/g)]),
      ),
    ];
    const documented = new Set(all.map(([, flag = '']) => flag));
    const known = new Set(
      commands.flatMap((command) => [command, ...command.commands]).flatMap((each) => each.options.map(({ long }) => long ?? '')),
    );
    known.add('--help');
    expect([...documented].filter((flag) => !known.has(flag))).toEqual([]);
    expect([...known].filter((flag) => !documented.has(flag)).sort()).toEqual([]);
  });

  test('lists every exit code', () => {
    const listed = rows(page.slice(page.indexOf('## Exit codes'))).map(([code]) => Number(code));
    expect(listed.filter(Number.isInteger)).toEqual(Object.values(EXIT_CODES));
  });
});

describe('docs/configuration.md', () => {
  const page = read('configuration.md');

  test('has every key of upkeep.yaml in its tables', () => {
    const schema: Json = JSON.parse(readFileSync(new URL('../schemas/configuration.schema.json', docs), 'utf8'));
    if (!isJsonObject(schema) || !isJsonObject(schema.definitions) || !isJsonObject(schema.definitions.target))
      throw new Error('the schema has another form');
    const listed = namesIn(page).map((name) => name.replace(/:.*$/, ''));
    const isListed = (key: string): boolean =>
      listed.some((each) => each === key || each.startsWith(`${key}.`) || key.startsWith(`${each}.`));
    const keys = [...keysOf(schema).filter((key) => key !== 'targets'), 'targets.<name>', ...keysOf(schema.definitions.target)];
    expect(keys.filter((key) => !isListed(key))).toEqual([]);
  });

  test('has every finding code that rules can set', () => {
    const codes = [...LIVE_WARNING_CODES, ...GUARD_CODES, ...REFERENCE_CODES, ...kinds.flatMap((kind) => kind.overridableCodes)];
    expect(codes.filter((code) => !namesIn(page).includes(code))).toEqual([]);
  });
});

/** Returns the keys of an object schema as paths, those of nested objects too. */
function keysOf(schema: JsonObject): readonly string[] {
  if (!isJsonObject(schema.properties)) return [];
  return Object.entries(schema.properties).flatMap(([key, value]) => {
    const below = isJsonObject(value) ? keysOf(value) : [];
    return below.length > 0 ? below.map((each) => `${key}.${each}`) : [key];
  });
}

test('docs/reports.md lists every gauge', () => {
  const gauges = (text: string): readonly string[] => [...new Set(text.match(/\bupkeep_[a-z_]+/g))].sort();
  const source = readFileSync(new URL('../src/report/machine/prometheus.ts', docs), 'utf8');
  expect(gauges(read('reports.md'))).toEqual(gauges(source));
});

test('every relative link of the documentation leads to a file, and to a heading of it', () => {
  const pages = [...readdirSync(docs).filter((name) => name.endsWith('.md')), '../README.md', '../.github/CONTRIBUTING.md'];
  const broken = pages.flatMap((page) =>
    [...prose(read(page)).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].flatMap(([link, path = '', heading]) =>
      leadsThere(page, path, heading) ? [] : [`${page}: ${link}`],
    ),
  );
  expect(broken).toEqual([]);
});

function leadsThere(page: string, path: string, heading: string | undefined): boolean {
  const target = path === '' ? new URL(page, docs) : new URL(path, new URL(page, docs));
  try {
    const text = readFileSync(target, 'utf8');
    return heading === undefined || [...prose(text).matchAll(/^#+ (.+)$/gm)].some(([, title = '']) => anchorOf(title) === heading);
  } catch {
    return false;
  }
}

/** Returns a page without its code blocks. */
function prose(page: string): string {
  return page.replace(/^ *```[\s\S]*?^ *```$/gm, '');
}

/** Returns the anchor that GitHub gives a heading. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
