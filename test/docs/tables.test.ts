/** The documentation: its generated tables are those of the code, it names no unknown flag, and its links lead somewhere. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { wholeCommandLine } from '../../src/cli/command-line.ts';
import { commandsWithFlags, withGeneratedTables } from './generated-tables.ts';

const docs = new URL('../../docs/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, docs), 'utf8');
const pages = readdirSync(docs).filter((name) => name.endsWith('.md'));

describe('the generated tables', () => {
  const schema = JSON.parse(read('../schemas/configuration.schema.json'));

  test.each(pages)('of docs/%s are those of the code (`npm run generate` writes them)', async (name) => {
    await expect(withGeneratedTables(read(name), schema)).toMatchFileSnapshot(`../../docs/${name}`);
  });

  test('include commands, flags, exit codes, keys, finding codes, gauges and assumptions', () => {
    const names = pages.flatMap((name) => [...read(name).matchAll(/<!-- generated: (.+?) -->/g)].map(([, table = '']) => table));
    expect(names).toEqual(
      expect.arrayContaining([
        'commands',
        'common flags',
        'exit codes',
        'keys of upkeep.yaml',
        'keys of a target',
        'finding codes',
        'gauges',
        'assumptions',
      ]),
    );
    expect(commandsWithFlags().filter((name) => !names.includes(`flags of ${name}`))).toEqual([]);
  });

  test('are refused by an unknown name', () => {
    expect(() => withGeneratedTables('<!-- generated: moods -->\n<!-- end -->', {})).toThrow('no generated table has the name "moods"');
  });
});

const commands = wholeCommandLine('0.0.0').commands.flatMap((command) => [command, ...command.commands]);

test('the documentation names no flag that the command line does not have', () => {
  const known = new Set(['--help', ...commands.flatMap((command) => command.options.map(({ long }) => long ?? ''))]);
  const named = pages.flatMap((page) => [...read(page).matchAll(/`(?:upkeep [^`]*?)?(--[a-z-]+)/g)].map(([, flag = '']) => flag));
  expect(named.length).toBeGreaterThan(50);
  expect([...new Set(named)].filter((flag) => !known.has(flag))).toEqual([]);
});

test('every relative link of the documentation leads to a file, and to a heading of it', () => {
  const broken = [...pages, '../README.md', '../.github/CONTRIBUTING.md'].flatMap((page) =>
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
