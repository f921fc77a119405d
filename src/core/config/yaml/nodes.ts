/** The syntax nodes of a text, with their offsets, whichever parser read them. */

/** Maximum nesting depth of maps and lists. */
export const MAX_DEPTH = 64;

/** An anchor; `start` is the offset of its ampersand. */
interface Anchor {
  readonly name: string;
  readonly start: number;
}

interface NodeBase {
  /** Offset of its first character, quote, bracket or block sign, after anchor and tag. */
  readonly start: number;
  readonly anchor: Anchor | undefined;
  /** Offset of its tag. */
  readonly tag: number | undefined;
}

export interface ScalarNode extends NodeBase {
  readonly type: 'scalar';
  readonly style: 'plain' | 'single-quoted' | 'double-quoted' | 'block';
  /** Offset after its last character or quote. */
  readonly end: number;
  /** Offsets of its content, without quotes and the line of its block sign. */
  readonly contentStart: number;
  readonly contentEnd: number;
  /** Its content as text, without escapes and indentation. */
  readonly value: string;
  /** Whether the value is its source text without the quotes: it is on one line, has no escapes, and is no block. */
  readonly isSimple: boolean;
}

export interface MapNode extends NodeBase {
  readonly type: 'map';
  /** Whether it is in brackets. */
  readonly isFlow: boolean;
  readonly members: readonly Member[];
}

interface ListNode extends NodeBase {
  readonly type: 'list';
  readonly isFlow: boolean;
  readonly items: readonly YamlNode[];
}

export interface AliasNode extends NodeBase {
  readonly type: 'alias';
  readonly name: string;
  readonly end: number;
}

/** A node without content; `start` is after its colon, dash or anchor and the blanks behind that, or that of the colon after it. */
export interface AbsentNode extends NodeBase {
  readonly type: 'absent';
  /** Offset after the token in front of it. */
  readonly before: number;
}

export type YamlNode = ScalarNode | MapNode | ListNode | AliasNode | AbsentNode;

/** A member of a map. */
export interface Member {
  readonly key: YamlNode;
  readonly value: YamlNode;
}

/** Returns the text of a key; undefined for a key that is no text. */
export function keyName({ key }: Member): string | undefined {
  if (key.type === 'absent') return '';
  return key.type === 'scalar' ? key.value : undefined;
}

const indexes = new WeakMap<MapNode, ReadonlyMap<string, Member>>();

/** Returns a member of a map by its key, the first of several. */
export function memberOf(map: MapNode, name: string): Member | undefined {
  let index = indexes.get(map);
  if (index === undefined) {
    index = new Map(map.members.toReversed().map((member) => [keyName(member) ?? '', member]));
    indexes.set(map, index);
  }
  return index.get(name);
}

/** Returns the nodes on the way from a root to the last node that begins in front of an offset. */
export function pathTo(root: YamlNode, offset: number): readonly [YamlNode, ...YamlNode[]] {
  const path: [YamlNode, ...YamlNode[]] = [root];
  for (let node: YamlNode | undefined = root; node !== undefined; ) {
    const children: readonly YamlNode[] =
      node.type === 'map' ? node.members.flatMap(({ key, value }) => [key, value]) : node.type === 'list' ? node.items : [];
    node = children.findLast((child) => child.start < offset && child.type !== 'absent');
    if (node !== undefined) path.push(node);
  }
  return path;
}
