/** A YAML file as plain values, with the places of what it says. Positions are looked up only where a finding asks for one. */
import { type Json, type Path, pointer } from '../../model/json.ts';
import { cleanDocuments, type Heads } from './clean.ts';
import { once } from './once.ts';
import { plainValue } from './plain.ts';
import { decodeText, type Lines, linesOf } from './text.ts';
import { composeYaml, isMap, isScalar, isSeq, type Node, type Report, type YAMLMap } from './yaml.ts';

/** Something wrong with a file as YAML, before its meaning is looked at. */
interface YamlProblem {
  readonly code: string;
  readonly summary: string;
  readonly hint?: string;
  readonly line: number;
  readonly column: number;
}

/** Where a path of a document is written. */
interface Spot {
  readonly line: number;
  readonly column: number;
  /** The scalar as written, quotes included; undefined for maps, lists and aliases. */
  readonly written: string | undefined;
}

/** Which end of a member a place points at. */
export type Point = 'key' | 'value';

/** A file of YAML documents. */
export interface YamlFile {
  /** The values of the documents that have content. Maps are objects without prototype; what aliases repeat is shared, so never write to it. */
  readonly documents: readonly Json[];
  readonly problems: readonly YamlProblem[];
  /** Paths, of whichever document, where the values are not what the file says. */
  readonly refused: readonly Path[];
  /** Whether aliases share parts of the values: written out they could be a million times longer than the file. */
  readonly repeats: boolean;
  /** Place of a path of a document, else of its nearest written ancestor; a block that begins below its key is placed at the key. */
  locate(document: number, path: Path, point?: Point): Spot;
  /** The line of that number, from 1; empty beyond the text. */
  line(number: number): string;
}

/** Values by the SHA-256, in hexadecimal, of all that they were made of. */
export interface Store {
  /** Maps without prototype, not to be written to; undefined where nothing is known. */
  get(digest: string): readonly Json[] | undefined;
  keep(digest: string, documents: readonly Json[]): void;
}

/** Texts without line breaks, kept in the same way. */
export interface LineStore {
  get(digest: string): readonly string[] | undefined;
  keep(digest: string, lines: readonly string[]): void;
}

/** What files were read as, in this run or an earlier one; only what nothing is wrong with. */
export interface Readings extends Store {
  /** What targets declared in an earlier run (`kept.ts`); absent where nothing is kept from run to run. */
  readonly declared?: LineStore;
}

/** Remembers nothing. */
export const NO_READINGS: Readings = { get: () => undefined, keep: () => undefined };

/** Remembers for the length of a run too, so that files which are alike, in several targets and at several commits, are parsed once. */
export function inRun(readings: Store): Store {
  const known = new Map<string, readonly Json[]>();
  const remember = (digest: string, documents: readonly Json[] | undefined) => {
    if (documents !== undefined) known.set(digest, documents);
    return documents;
  };
  return {
    get: (digest) => known.get(digest) ?? remember(digest, readings.get(digest)),
    keep(digest, documents) {
      remember(digest, documents);
      readings.keep(digest, documents);
    },
  };
}

/** The same as `parseYaml`, without parsing where the file has been read before. */
export function readYaml(bytes: Uint8Array, digest: string, readings: Readings): YamlFile {
  const known = readings.get(digest);
  if (known !== undefined) return fileOf(() => textOf(bytes), { ...flawless, documents: known });
  const file = parseYaml(bytes);
  if (file.problems.length === 0 && file.refused.length === 0 && !file.repeats) readings.keep(digest, file.documents);
  return file;
}

/** Parses the YAML documents of a file. What is wrong with the bytes is listed, never thrown. */
export function parseYaml(bytes: Uint8Array): YamlFile {
  const decoded = decodeText(bytes);
  if ('fault' in decoded) {
    const { reason, line } = decoded.fault;
    const problem = { code: 'not-text', summary: `the file is not text: ${reason}`, hint: 'Save it as UTF-8.', line, column: 1 };
    return fileOf(() => '', { ...flawless, documents: [], problems: [problem] });
  }
  const { text } = decoded;
  const clean = cleanDocuments(text);
  return fileOf(() => text, clean ? { ...flawless, documents: clean } : contentOf(text));
}

type Content = Pick<YamlFile, 'documents' | 'problems' | 'refused' | 'repeats'>;

const flawless = { problems: [], refused: [], repeats: false } as const;

/** What package `yaml` reads. Its nodes are not kept: they take ten times the memory of the values. */
function contentOf(text: string): Content {
  const lines = linesOf(text);
  const problems: YamlProblem[] = [];
  const report: Report = (offset, code, summary, hint) => {
    problems.push({ code, summary, ...(hint === undefined ? {} : { hint }), ...lines.at(Math.min(offset, text.length)) });
  };
  const contents = composeYaml(text, report).map((root) => plainValue(root, report, (offset) => lines.at(offset).line));
  const refused = contents.flatMap((content) => content.refused);
  return { documents: contents.map(({ value }) => value), problems, refused, repeats: contents.some(({ repeats }) => repeats) };
}

/** A file whose places are looked up in its nodes, which are made when one is first asked for that is not the head of a resource. */
function fileOf(textOf: () => string, content: Content): YamlFile {
  const text = once(textOf);
  const lines = once(() => linesOf(text()));
  const roots = once(() => composeYaml(text(), () => undefined));
  const heads = once(() => headsOf(text()));
  const members: Members = new WeakMap();
  return {
    ...content,
    locate(document, path, point = 'value') {
      const head = path.length > 2 ? undefined : heads().get(pointer(path));
      if (head !== undefined) return { ...lines().at(head), written: undefined };
      return spot(roots()[document], path, point, members, text(), lines());
    },
    line: (number) => lines().line(number),
  };
}

/** Where the resources of a clean file begin: what most places are asked for, without its nodes. */
function headsOf(text: string): Heads {
  const heads: Heads = new Map();
  return cleanDocuments(text, heads) ? heads : new Map();
}

/** The text of bytes that were text before. */
function textOf(bytes: Uint8Array): string {
  const decoded = decodeText(bytes);
  return 'text' in decoded ? decoded.text : '';
}

/** Members by name, made for each map that a path leads through, so that many lookups stay linear. */
type Members = WeakMap<YAMLMap, ReadonlyMap<string, Member>>;

interface Member {
  /** Absent for items of a list. */
  readonly key?: Node;
  readonly value: unknown;
}

function spot(root: Node | undefined, path: Path, point: Point, members: Members, text: string, lines: Lines): Spot {
  let found: Member = { value: root };
  let complete = true;
  for (const step of path) {
    const next = member(found.value, step, members);
    complete = next !== undefined;
    if (next === undefined) break;
    found = next;
  }
  const node = hasRange(found.value) ? found.value : undefined;
  const start = offsetOf(node) ?? offsetOf(found.key) ?? 0;
  const keyStart = offsetOf(found.key);
  const atKey = keyStart !== undefined && ((complete && point === 'key') || isBelow(node, keyStart, start, lines));
  return { ...lines.at(atKey ? keyStart : start), written: complete ? writtenText(node, text) : undefined };
}

function member(node: unknown, step: string | number, members: Members): Member | undefined {
  if (isSeq(node) && typeof step === 'number') return step in node.items ? { value: node.items[step] } : undefined;
  if (!isMap(node)) return undefined;
  const known = members.get(node) ?? membersOf(node);
  members.set(node, known);
  return known.get(String(step));
}

/** The first of two equal keys counts, as it does for the values. */
function membersOf(node: YAMLMap): ReadonlyMap<string, Member> {
  const known = new Map<string, Member>();
  for (const { key, value } of node.items) {
    if (isScalar(key) && typeof key.value === 'string' && !known.has(key.value)) known.set(key.value, { key, value });
  }
  return known;
}

function hasRange(node: unknown): node is Node {
  return typeof node === 'object' && node !== null && 'range' in node;
}

function offsetOf(node: Node | undefined): number | undefined {
  return node?.range?.[0];
}

/** Whether a block begins on a later line than its key, or nothing is written: the key is then the better place. */
function isBelow(node: Node | undefined, key: number, start: number, lines: Lines): boolean {
  if (isScalar(node)) return node.source === '';
  return lines.at(start).line > lines.at(key).line;
}

function writtenText(node: Node | undefined, text: string): string | undefined {
  return isScalar(node) && node.range ? text.slice(node.range[0], node.range[1]) : undefined;
}
