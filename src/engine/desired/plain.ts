/** Syntax nodes to plain values. Objects have no prototype, so that no key can reach what every object inherits. */
import { bareFields, type Json, type Path } from '../../model/json.ts';
import { isAlias, isMap, isScalar, isSeq, type Node, type Report, type Scalar, type YAMLMap } from './yaml.ts';

/** Values that the aliases of one document may repeat, all told. */
const MAX_ALIASED = 100_000;

/** What the walk over a document remembers. */
interface Walk {
  readonly report: Report;
  /** Line of an offset, from 1. */
  readonly lineOf: (offset: number) => number;
  /** Values by anchor, with how many values they hold; null while the anchored value is still being read. */
  readonly anchors: Map<string, { readonly value: Json; readonly size: number; readonly isRefused: boolean } | null>;
  /** Where the walk is, and where it met what cannot be a value. */
  readonly path: (string | number)[];
  readonly refused: Path[];
  /** Values so far, repeated ones included, and how many of them aliases repeated. */
  count: number;
  aliased: number;
}

/** The value of a document's root node; what cannot be a value is reported, read as null or left out, and its paths are listed. `repeats`: whether aliases share parts of it. */
export function plainValue(
  root: Node,
  report: Report,
  lineOf: (offset: number) => number,
): { readonly value: Json; readonly refused: readonly Path[]; readonly repeats: boolean } {
  const walk: Walk = { report, lineOf, anchors: new Map(), path: [], refused: [], count: 0, aliased: 0 };
  const value = toValue(root, walk);
  return { value, refused: walk.refused, repeats: walk.aliased > 0 };
}

/** Remembers that what stands at the walk's place is not what the file says. */
function refuse(walk: Walk): null {
  walk.refused.push([...walk.path]);
  return null;
}

function below(step: string | number, node: unknown, walk: Walk): Json {
  walk.path.push(step);
  const value = toValue(node, walk);
  walk.path.pop();
  return value;
}

function toValue(node: unknown, walk: Walk): Json {
  walk.count++;
  if (isAlias(node)) return aliased(node.source, node.range?.[0] ?? 0, walk);
  if (isScalar(node)) return anchored(node.anchor, walk, () => scalarValue(node, walk));
  if (isMap(node)) return anchored(node.anchor, walk, () => mapValue(node, walk));
  if (isSeq(node)) return anchored(node.anchor, walk, () => node.items.map((item, index) => below(index, item, walk)));
  return null;
}

function anchored(anchor: string | undefined, walk: Walk, read: () => Json): Json {
  if (anchor === undefined) return read();
  const { count, refused } = walk;
  const known = refused.length;
  walk.anchors.set(anchor, null);
  const value = read();
  walk.anchors.set(anchor, { value, size: walk.count - count + 1, isRefused: refused.length > known });
  return value;
}

/** The anchored value itself, not a copy. Its size counts, so that a few lines cannot stand for millions of values. */
function aliased(source: string, offset: number, walk: Walk): Json {
  const target = walk.anchors.get(source);
  if (target === undefined)
    walk.report(offset, 'alias', 'no anchor of this name stands before the alias', 'Quote the text if it was not meant as an alias.');
  if (target === null) walk.report(offset, 'alias', 'this alias stands inside the value that it repeats');
  if (!target || walk.aliased > MAX_ALIASED) return refuse(walk);
  walk.aliased += target.size;
  walk.count += target.size;
  if (target.isRefused) refuse(walk);
  if (walk.aliased <= MAX_ALIASED) return target.value;
  walk.report(
    offset,
    'alias',
    `the aliases of this document repeat more than ${MAX_ALIASED} values`,
    'Write the values out, or in fewer levels of aliases.',
  );
  return refuse(walk);
}

function scalarValue(node: Scalar, walk: Walk): Json {
  const { value, range, source } = node;
  const offset = range?.[0] ?? 0;
  if (typeof value === 'number') return numberValue(value, source ?? '', offset, walk);
  if (typeof value === 'string' && /\p{Surrogate}/u.test(value))
    walk.report(offset, 'not-text', 'half a surrogate pair is not a character');
  return typeof value === 'string' || typeof value === 'boolean' ? value : null;
}

/** Two notations are refused although YAML reads them, because the number would not be the one that is written. */
function numberValue(value: number, source: string, offset: number, walk: Walk): Json {
  const hint = 'If it is an ID or a text, put it in quotes.';
  const isInexact = !(Math.abs(value) <= Number.MAX_SAFE_INTEGER);
  const hasLeadingZero = /^[-+]?0[0-9]/.test(source);
  if (isInexact) walk.report(offset, 'ambiguous-number', 'this number cannot be read exactly', hint);
  if (hasLeadingZero) walk.report(offset, 'ambiguous-number', 'a leading zero means different things in different versions of YAML', hint);
  if (isInexact || hasLeadingZero) refuse(walk);
  return value;
}

const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

function mapValue(node: YAMLMap, walk: Walk): Json {
  const value = bareFields();
  const seen = new Map<string, number>();
  for (const { key, value: member } of node.items) {
    const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
    const name = isScalar(key) && typeof key.value === 'string' ? key.value : '';
    const earlier = seen.get(name);
    if (earlier !== undefined) reportDuplicate(name, offset, earlier, walk);
    else if (isUsable(name, offset, walk.report)) value[name] = below(name, member, walk);
    else if (name === '<<') refuse(walk);
    seen.set(name, earlier ?? offset);
  }
  return value;
}

function reportDuplicate(name: string, offset: number, earlier: number, walk: Walk): void {
  walk.report(
    offset,
    'duplicate-key',
    `\`${name}\` is written twice in one map`,
    `It stands first in line ${walk.lineOf(earlier)}; keep one of them.`,
  );
}

function isUsable(name: string, offset: number, report: Report): boolean {
  if (name === '') report(offset, 'bad-key', 'a key must not be empty');
  else if (name === '<<')
    report(offset, 'bad-key', 'merge keys (`<<`) are not supported', 'Repeat the lines, or overlay them in a later source.');
  else if (forbidden.has(name)) report(offset, 'bad-key', `\`${name}\` cannot be used as a key`);
  else if (/\p{Surrogate}/u.test(name)) report(offset, 'not-text', 'half a surrogate pair is not a character');
  else return true;
  return false;
}
