/** Converts the nodes of a YAML text to plain values. Objects have no prototype, so that no key can access inherited members. */
import type { FindingText } from '../../model/finding.ts';
import { type Json, nullProtoObject, type Path } from '../../model/json.ts';
import { ambiguousScalar, anchorWithColon, skipIndicators, TabSearch, tabAtLineStart, tabBefore, tabBeforeBlock } from './ambiguity.ts';
import { plainValue } from './js-yaml-nodes.ts';
import {
  type AbsentNode,
  type AliasNode,
  keyName,
  MAX_DEPTH,
  type MapNode,
  type Member,
  memberOf,
  type ScalarNode,
  type YamlNode,
} from './nodes.ts';
import { MAX_KEY, placeholderAt, tooDeep, YAML_ERRORS, type YamlSyntaxError } from './syntax-errors.ts';
import { skipBlankAndMarks } from './text.ts';

/** Maximum number of values that the aliases of one document may repeat in total. */
const MAX_ALIASED = 100_000;

/** A text that aliases repeat counts as one more value for each hundred characters. */
const CHARACTERS_PER_VALUE = 100;

/** Reports an error at an offset of the text. */
export type Report = (offset: number, code: string, summary: string, hint?: string, otherPlace?: FindingText['otherPlace']) => void;

/** A text and its nodes. */
interface NodeInput {
  readonly text: string;
  readonly roots: readonly YamlNode[];
  readonly report: Report;
  /** Line of an offset, from 1. */
  readonly lineOf: (offset: number) => number;
}

/** The state of the traversal of a document. */
interface Traversal extends Omit<NodeInput, 'roots'> {
  /** Values by anchor, with the number of values in them; null while the anchored value is being read. */
  readonly anchors: Map<string, { readonly value: Json; readonly size: number; readonly isInvalid: boolean } | null>;
  /** The current path. */
  readonly path: (string | number)[];
  /** The paths that `readDocuments` returns. */
  readonly invalidPaths: Path[];
  /** Whether the text contains a tab. */
  readonly hasTabs: boolean;
  readonly tabSearch: TabSearch;
  /** Number of values so far, including those that aliases repeated. */
  valueCount: number;
  /** Number of values that aliases repeated. */
  aliasedCount: number;
  /** Number of enclosing maps and lists. */
  depth: number;
  /** How many of them are in brackets. */
  flowDepth: number;
}

/**
 * Returns the values of the documents with content, and reports every error. `invalidPaths` are the paths of values that must not be used
 * because of an error:
 * - a null that stands for a value that could not be read
 * - a number, or a value after a tab, which is returned as it was read
 * - a map with an invalid key
 *
 * Errors without such a path: a key that cannot be used or is repeated (it is left out with its value), a key with a tag, and half a
 * surrogate pair in a value.
 *
 * @throws TooDeepError
 */
export function readDocuments({ text, roots, report, lineOf }: NodeInput): {
  readonly documents: readonly Json[];
  readonly invalidPaths: readonly Path[];
} {
  const documents: Json[] = [];
  const invalidPaths: Path[] = [];
  const hasTabs = text.includes('\t');
  const tabSearch = new TabSearch(text);
  for (const root of roots) {
    const traversal: Traversal = {
      text,
      report,
      lineOf,
      hasTabs,
      tabSearch,
      anchors: new Map(),
      path: [],
      invalidPaths,
      valueCount: 0,
      aliasedCount: 0,
      depth: 0,
      flowDepth: 0,
    };
    if (root.type === 'absent') checkEmptyDocument(root, traversal);
    else documents.push(readValue(root, traversal));
  }
  return { documents, invalidPaths };
}

/** Rejects a tag or tab in a document without content. */
function checkEmptyDocument({ before, tag }: AbsentNode, traversal: Traversal): void {
  const { text, hasTabs } = traversal;
  const tab = hasTabs ? tabAtLineStart(text, before, skipIndicators(text, before)) : undefined;
  if (tab !== undefined) reportInvalid(tab, traversal);
  if (tag !== undefined) traversal.report(tag, 'yaml-syntax', ...YAML_ERRORS.tag);
}

/** Reports that maps and lists are nested too deep, so that the whole file is rejected. */
export class TooDeepError extends Error {
  readonly reason: YamlSyntaxError;

  constructor(reason: YamlSyntaxError) {
    super(reason.summary);
    this.reason = reason;
  }
}

/** Adds the current path to the invalid ones. Returns null, for a caller that does not keep the value. */
function markInvalid(traversal: Traversal): null {
  traversal.invalidPaths.push([...traversal.path]);
  return null;
}

function readMember(step: string | number, node: YamlNode, traversal: Traversal): Json {
  traversal.path.push(step);
  const value = readValue(node, traversal);
  traversal.path.pop();
  return value;
}

function readValue(node: YamlNode, traversal: Traversal): Json {
  traversal.valueCount++;
  if (node.type === 'alias') return resolveAlias(node, traversal);
  if (node.anchor === undefined) return readRejectingTags(node, traversal);
  const { valueCount, invalidPaths } = traversal;
  const known = invalidPaths.length;
  const { name, start } = node.anchor;
  if (name.endsWith(':')) reportInvalid(anchorWithColon(start), traversal);
  traversal.anchors.set(name, null);
  const value = readRejectingTags(node, traversal);
  // A nested anchor of the same name was defined later, and stays in effect.
  if (traversal.anchors.get(name) === null)
    traversal.anchors.set(name, { value, size: traversal.valueCount - valueCount + 1, isInvalid: invalidPaths.length > known });
  return value;
}

type ContentNode = Exclude<YamlNode, AliasNode>;

/** Reads a node without its anchor. Rejects every tag: parsers interpret tags differently, and none has a meaning here. */
function readRejectingTags(node: ContentNode, traversal: Traversal): Json {
  if (node.tag === undefined) return readContent(node, traversal);
  traversal.report(node.tag, 'yaml-syntax', ...YAML_ERRORS.tag);
  readContent(node, traversal);
  return markInvalid(traversal);
}

function readContent(node: ContentNode, traversal: Traversal): Json {
  if (traversal.hasTabs && traversal.flowDepth === 0) rejectTab(node, traversal);
  if (node.type === 'absent') return readAbsent(node, traversal);
  if (node.type === 'scalar') return readScalar(node, traversal);
  const flow = node.isFlow ? 1 : 0;
  traversal.depth += 1;
  traversal.flowDepth += flow;
  if (traversal.depth > MAX_DEPTH) throw new TooDeepError(tooDeep(node.start + 1));
  const value = node.type === 'map' ? readMap(node, traversal) : node.items.map((item, index) => readMember(index, item, traversal));
  traversal.depth -= 1;
  traversal.flowDepth -= flow;
  return value;
}

/** Rejects tabs as indentation, which some parsers accept before a node of one line. */
function rejectTab(node: ContentNode, traversal: Traversal): void {
  const { text } = traversal;
  const isBlock = (node.type === 'map' || node.type === 'list') && !node.isFlow;
  const tab =
    (node.anchor && tabBefore(text, node.anchor.start)) ??
    (node.type === 'absent' ? undefined : isBlock ? tabBeforeBlock(text, node.start) : tabBefore(text, node.start));
  if (tab !== undefined) reportInvalid(tab, traversal);
}

/** Returns the anchored value itself, not a copy. Counts its size, so that a few lines cannot expand to millions of values. */
function resolveAlias({ name, start: offset }: AliasNode, traversal: Traversal): Json {
  const anchored = traversal.anchors.get(name);
  if (anchored === undefined)
    traversal.report(
      offset,
      'alias',
      'there is no anchor of this name before the alias',
      'Quote the text if it was not meant as an alias.',
    );
  if (anchored === null) traversal.report(offset, 'alias', 'this alias is inside the value that it repeats');
  if (!anchored || traversal.aliasedCount > MAX_ALIASED) return markInvalid(traversal);
  traversal.aliasedCount += anchored.size;
  traversal.valueCount += anchored.size;
  if (anchored.isInvalid) markInvalid(traversal);
  if (traversal.aliasedCount <= MAX_ALIASED) return anchored.value;
  traversal.report(
    offset,
    'alias',
    `the aliases of this document repeat more than ${MAX_ALIASED} values`,
    'Write the values out, or in fewer levels of aliases.',
  );
  return markInvalid(traversal);
}

function readAbsent({ before }: AbsentNode, traversal: Traversal): null {
  if (traversal.hasTabs && !isMember(traversal)) rejectTabAtLineStart(before, traversal);
  return null;
}

function readScalar(scalar: ScalarNode, traversal: Traversal): Json {
  const ambiguity = ambiguousScalar(traversal.text, scalar, traversal.path.length === 0);
  if (ambiguity !== undefined) return reportInvalid(ambiguity, traversal);
  const value = scalar.style === 'plain' ? plainValue(scalar.value) : scalar.value;
  if (typeof value === 'number') return numberValue(value, scalar, traversal);
  if (typeof value === 'string' && hasSurrogate(scalar))
    traversal.report(scalar.start, 'not-text', 'half a surrogate pair is not a character');
  if (typeof value === 'string') traversal.valueCount += Math.floor(value.length / CHARACTERS_PER_VALUE);
  return value;
}

/** Decides whether the current value is a member of a map, not an item or a root. */
function isMember({ path }: Traversal): boolean {
  return typeof path.at(-1) === 'string';
}

function reportInvalid({ offset, code, summary, hint }: YamlSyntaxError, traversal: Traversal): null {
  traversal.report(offset, code, summary, hint);
  return markInvalid(traversal);
}

/** Rejects a line that begins with a tab, between a key and its value or where a value is absent: only some parsers accept it. */
function rejectTabAtLineStart(after: number, traversal: Traversal): void {
  const tab = traversal.tabSearch.after(after);
  if (tab !== undefined) reportInvalid(tab, traversal);
}

/** Decides whether a text contains half a surrogate pair, which only escapes can produce, since UTF-8 cannot contain one. */
function hasSurrogate({ isSimple, value }: ScalarNode): boolean {
  return !isSimple && /\p{Surrogate}/u.test(value);
}

/** Rejects two notations that YAML allows, because the number would differ from the written one. */
function numberValue(value: number, { start: offset, value: written }: ScalarNode, traversal: Traversal): Json {
  const hint = 'If it is an ID or a text, put it in quotes.';
  const isInexact = !(Math.abs(value) <= Number.MAX_SAFE_INTEGER);
  const hasLeadingZero = /^[-+]?0[0-9]/.test(written);
  if (isInexact) traversal.report(offset, 'ambiguous-number', 'this number cannot be read exactly', hint);
  if (hasLeadingZero)
    traversal.report(
      offset,
      'ambiguous-number',
      'a leading zero means different things in different versions of YAML',
      'Write the number without it. If it is an ID or a text, put it in quotes.',
    );
  if (isInexact || hasLeadingZero) markInvalid(traversal);
  return value;
}

function readMap(map: MapNode, traversal: Traversal): Json {
  const value = nullProtoObject();
  for (const member of map.members) {
    const name = readKey(member, traversal);
    if (traversal.hasTabs && traversal.flowDepth === 0) rejectTabAtLineStart(keyEnd(member), traversal);
    if (name === undefined) continue;
    if (name in value) reportDuplicate(name, member.key.start, memberOf(map, name)?.key.start ?? 0, traversal);
    else if (!rejectUnusableKey(name, member, traversal) && !rejectMapOnKeyLine(member, traversal))
      value[name] = readMember(name, member.value, traversal);
  }
  return value;
}

/** Reports a map in block style that begins on the line of its key. Returns whether it does. */
function rejectMapOnKeyLine(member: Member, { text, report }: Traversal): boolean {
  const { value } = member;
  if (value.type !== 'map' || value.isFlow || text.slice(keyEnd(member), value.start).includes('\n')) return false;
  report(value.start, 'yaml-syntax', ...YAML_ERRORS.secondColon);
  return true;
}

function keyEnd({ key }: Member): number {
  return key.type === 'scalar' || key.type === 'alias' ? key.end : key.start;
}

/** Returns the text of a key. Reports a key that is not text, and returns undefined for it. */
function readKey(member: Member, traversal: Traversal): string | undefined {
  const { key } = member;
  const { text, report } = traversal;
  const name = keyName(member);
  if (name === undefined) {
    const placeholder = placeholderAt(text, key.start);
    if (placeholder !== undefined) return reportInvalid(placeholder, traversal) ?? undefined;
    report(key.start, 'yaml-syntax', ...YAML_ERRORS.key);
    markInvalid(traversal);
    return undefined;
  }
  if (key.type === 'scalar' && traversal.hasTabs && traversal.flowDepth === 0) rejectTab(key, traversal);
  if (key.tag !== undefined) report(key.tag, 'yaml-syntax', ...YAML_ERRORS.tag);
  const ambiguity = key.type === 'scalar' ? ambiguousScalar(text, key, false) : undefined;
  if (ambiguity !== undefined) reportInvalid(ambiguity, traversal);
  return name;
}

function reportDuplicate(name: string, offset: number, first: number, { report, lineOf }: Traversal): void {
  report(offset, 'duplicate-key', `\`${name}\` is defined twice in one map`, 'Keep one of them.', { line: lineOf(first) });
}

const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

/** Reports a key that cannot be used. Returns whether it was rejected. */
function rejectUnusableKey(name: string, member: Member, traversal: Traversal): boolean {
  const { key } = member;
  const report = (code: string, summary: string, hint?: string) => traversal.report(key.start, code, summary, hint);
  const isMerge = name === '<<' && key.type === 'scalar' && key.style === 'plain';
  if (name === '') report('unsupported-key', 'a key must not be empty');
  else if (isMerge)
    report('unsupported-key', 'merge keys (`<<`) are not supported', 'Repeat the lines, or overlay them in a later source.');
  else if (forbidden.has(name)) report('unsupported-key', `\`${name}\` cannot be used as a key`);
  else if (key.type === 'scalar' && hasSurrogate(key)) report('not-text', 'half a surrogate pair is not a character');
  else if (isTooLong(member, traversal)) report('yaml-syntax', ...YAML_ERRORS.longKey);
  else return false;
  // A merge may bring any key, so it is not certain that a key of this map is missing.
  if (isMerge) markInvalid(traversal);
  return true;
}

/** Decides whether a key is longer than YAML allows, which js-yaml does not check. */
function isTooLong(member: Member, { text }: Traversal): boolean {
  const end = keyEnd(member);
  const colon = text.charAt(end) === ':' ? end : skipBlankAndMarks(text, end, ']},');
  return colon - member.key.start > MAX_KEY;
}
