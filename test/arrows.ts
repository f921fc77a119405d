/**
 * Which room may look into which: reads the imports of source files and names each one that goes against the arrows of the house.
 * Works on texts, so that the checker itself can be tested with planted violations.
 */
import { posix } from 'node:path';
import ts from 'typescript';

/** A file by its path from the top of the project, with `/`. */
export type Sources = ReadonlyMap<string, string>;

/** One import of any form: static, type-only, re-export, `import()`, `import('..').Type`. `what` is null where it is computed at run time. */
interface Import {
  readonly file: string;
  readonly what: string | null;
}

/** A room, and for what belongs to one kind, that kind. */
interface Room {
  readonly name: string;
  readonly kind?: string;
}

/** The arrows: each room may import itself and these. A room that belongs to a kind is only ever open to the same kind. */
const arrows: { readonly [room: string]: readonly string[] } = {
  model: [],
  service: ['model'],
  impact: ['model'],
  ledger: ['model'],
  report: ['model'],
  kind: ['service', 'model'],
  emulation: ['model'],
  engine: ['kind', 'model', 'document schema'],
  emulator: ['emulation', 'model'],
  column: ['kind', 'service', 'model', 'kind schema'],
  double: ['emulation', 'model'],
  kinds: ['kind', 'model', 'column'],
  emulations: ['emulation', 'model', 'double'],
  cli: [
    'engine',
    'report',
    'kinds',
    'emulations',
    'kind',
    'emulation',
    'ledger',
    'emulator',
    'service',
    'impact',
    'model',
    'column',
    'document schema',
  ],
};

/** Only these may open all doors of all kinds: the two lists, and the room that wires everything. */
const introducers: readonly string[] = ['kinds', 'emulations', 'cli'];

/** What one kind may look into beyond its column's arrows (design section 2). */
const privileges: { readonly [kind: string]: readonly string[] } = { 'drm-policy': ['impact'] };

/** The room of a file; undefined where the house has no such room. */
export function roomOf(file: string, kinds: ReadonlySet<string>): Room | undefined {
  const schema = /^schemas\/([^/]+)\.schema\.json$/.exec(file)?.[1];
  if (schema !== undefined) return kinds.has(schema) ? { name: 'kind schema', kind: schema } : { name: 'document schema' };
  // The contract of the kinds is several pages, of which kind.ts is the one that others open.
  if (/^src\/kinds\/(sides|problem|verdict|references)\.ts$/.test(file)) return { name: 'kind' };
  if (file === 'src/kinds/emulated-look-ups.ts') return { name: 'emulation' };
  const list = /^src\/kinds\/(kind|emulation|kinds|emulations)\.ts$/.exec(file)?.[1];
  if (list !== undefined) return { name: list };
  const [, kind, part] = /^src\/kinds\/([^/]+)\/(.+)\.ts$/.exec(file) ?? [];
  if (kind !== undefined && part !== undefined) return { name: /^emulated(-|$)/.test(part) ? 'double' : 'column', kind };
  const room = /^src\/(model|service|impact|ledger|report|engine|emulator|cli)\/.+\.c?[jt]s$/.exec(file)?.[1];
  return room === undefined ? undefined : { name: room };
}

/** Every import that goes against the arrows, every file without a room, as sentences. */
export function brokenArrows(sources: Sources): readonly string[] {
  const kinds = kindsOf(sources);
  const homeless = [...sources.keys()].filter((file) => !roomOf(file, kinds)).map((file) => `${file} stands in no room of the house`);
  return [...homeless, ...importsOf(sources).flatMap((entry) => brokenArrow(entry, kinds) ?? [])];
}

function brokenArrow({ file, what }: Import, kinds: ReadonlySet<string>): string | undefined {
  if (what === null) return `${file} imports something computed at run time`;
  if (!isOurs(what)) return undefined;
  const [from, to] = [roomOf(file, kinds), roomOf(what, kinds)];
  return from && to && mayImport(from, to) ? undefined : `${file} must not import ${what}`;
}

function mayImport(from: Room, to: Room): boolean {
  if (from.name === to.name && from.kind === to.kind) return true;
  const sameKind = to.kind === undefined || to.kind === from.kind || introducers.includes(from.name);
  const open = [...(arrows[from.name] ?? []), ...(from.name === 'column' ? (privileges[from.kind ?? ''] ?? []) : [])];
  return sameKind && open.includes(to.name);
}

/** The circles among files, each as `a -> b -> a`; type-only imports count too. */
export function circles(sources: Sources): readonly string[] {
  const next = new Map<string, string[]>([...sources.keys()].map((file) => [file, []]));
  for (const { file, what } of importsOf(sources)) if (what !== null && sources.has(what)) next.get(file)?.push(what);
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) found.push([...trail.slice(start), file].join(' -> '));
    if (start >= 0 || done.has(file)) return;
    for (const other of next.get(file) ?? []) walk(other, [...trail, file]);
    done.add(file);
  };
  for (const file of sources.keys()) walk(file, []);
  return found;
}

/** The files that import each third-party package, by package. */
export function doors(sources: Sources): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { file, what } of importsOf(sources)) {
    if (what === null || isOurs(what) || what.startsWith('node:')) continue;
    const name = what.split('/', what.startsWith('@') ? 2 : 1).join('/');
    found.set(name, (found.get(name) ?? new Set()).add(file));
  }
  return found;
}

/** Where the global `fetch` is called or the environment is read outside the command line, as sentences. */
export function worldly(sources: Sources): readonly string[] {
  return [...sources]
    .filter(([file]) => !file.startsWith('src/cli/'))
    .flatMap(([file, text]) => nodesOf(file, text).flatMap((node) => reachOut(node)?.replace(/^/, `${file} `) ?? []));
}

function reachOut(node: ts.Node): string | undefined {
  const text = ts.isCallExpression(node) ? node.expression.getText() : '';
  if (text === 'fetch' || text === 'globalThis.fetch') return 'calls the global fetch';
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'env' && /(^|\.)process$/.test(node.expression.getText()))
    return 'reads process.env';
  if (ts.isElementAccessExpression(node) && /(^|\.)process$/.test(node.expression.getText())) return 'reads a computed member of process';
  const isEnv = ts.isImportSpecifier(node) && (node.propertyName ?? node.name).text === 'env';
  return isEnv && moduleOf(node.parent.parent.parent) === 'node:process' ? 'imports the environment' : undefined;
}

function kindsOf(sources: Sources): ReadonlySet<string> {
  return new Set([...sources.keys()].flatMap((file) => /^src\/kinds\/([^/]+)\//.exec(file)?.[1] ?? []));
}

function isOurs(what: string): boolean {
  return /^(src|schemas|test|examples)\//.test(what);
}

function importsOf(sources: Sources): readonly Import[] {
  return [...sources].flatMap(([file, text]) =>
    nodesOf(file, text).flatMap((node) => {
      const what = moduleOf(node);
      return what === undefined ? [] : [{ file, what: what?.startsWith('.') ? posix.join(posix.dirname(file), what) : what }];
    }),
  );
}

/** The module that a node imports: undefined where it imports nothing, null where the name is computed. */
function moduleOf(node: ts.Node): string | null | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier ? literal(node.moduleSpecifier) : undefined;
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? literal(node.argument.literal) : null;
  const loads =
    ts.isCallExpression(node) && (node.expression.kind === ts.SyntaxKind.ImportKeyword || node.expression.getText() === 'require');
  return loads ? literal(node.arguments[0]) : undefined;
}

function literal(node: ts.Node | undefined): string | null {
  return node && ts.isStringLiteralLike(node) ? node.text : null;
}

function nodesOf(file: string, text: string): readonly ts.Node[] {
  const nodes: ts.Node[] = [];
  const collect = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, collect);
  };
  collect(ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true));
  return nodes;
}
