/** Parses YAML with package js-yaml, and reads the values of plain scalars; the only module that imports the package. */
import {
  boolCoreTag,
  COLLECTION_STYLE,
  EVENT_ID,
  type Event,
  floatCoreTag,
  getScalarValue,
  intCoreTag,
  NOT_RESOLVED,
  nullCoreTag,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  YAMLException,
} from 'js-yaml';
import { MAX_DEPTH, type Member, type ScalarNode, type YamlNode } from './nodes.ts';
import { skipBlankAndMarks } from './text.ts';

/** The root nodes of the documents, or the place of the first error. */
type ParsedText = { readonly roots: readonly YamlNode[] } | { readonly errorAt: number; readonly isTooDeep: boolean };

/** Parses a text with at most `MAX_DEPTH` levels of maps and lists. In some layouts it accepts a few more. */
export function parseWithJsYaml(text: string): ParsedText {
  try {
    // js-yaml counts a scalar as a level, and another level where it looks for a key.
    return { roots: new NodeBuilder(text, parseEvents(text, { maxDepth: MAX_DEPTH + 2 })).documents() };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    return { errorAt: error.mark?.position ?? 0, isTooDeep: error.reason.startsWith('nesting exceeded') };
  }
}

/** Returns the value of a plain scalar by the core schema of YAML 1.2. */
export function plainValue(source: string): string | number | boolean | null {
  if (source !== '' && !/^[-+.0-9~nNtTfF]/.test(source)) return source;
  for (const { resolve, tagName } of [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag]) {
    const value = resolve(source, false, tagName);
    if (value !== NOT_RESOLVED) return value;
  }
  // js-yaml reads a number that is too large as a text; by the schema it is a number.
  return /^[-+.0-9]/.test(source) && Math.abs(Number(source)) === Number.POSITIVE_INFINITY ? Number(source) : source;
}

/** Offset of an absent part of an event. */
const ABSENT = -1;

const STYLES: { readonly [style: number]: ScalarNode['style'] } = {
  [SCALAR_STYLE.PLAIN]: 'plain',
  [SCALAR_STYLE.SINGLE_QUOTED]: 'single-quoted',
  [SCALAR_STYLE.DOUBLE_QUOTED]: 'double-quoted',
};

type NodeEvent = Extract<Event, { readonly tagStart: number }>;

/** Builds nodes from events. Follows the offset after the last token, because the event of an absent node has none. */
class NodeBuilder {
  readonly #text: string;
  /** The last one first: an event that was read is not kept. */
  readonly #events: Event[];
  #offset = 0;

  constructor(text: string, events: Event[]) {
    this.#text = text;
    this.#events = events.reverse();
  }

  documents(): readonly YamlNode[] {
    const roots: YamlNode[] = [];
    while (this.#events.pop() !== undefined) {
      const root = this.#node();
      if (root.type === 'absent') this.#offset = skipBlankAndMarks(this.#text, root.before, '');
      roots.push(root);
      this.#events.pop();
    }
    return roots;
  }

  #node(isKey = false): YamlNode {
    const event = this.#events.pop();
    if (event === undefined || event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP)
      throw new Error('js-yaml gives a node no event');
    if (event.type === EVENT_ID.ALIAS) {
      const [start, end] = [event.anchorStart - 1, event.anchorEnd];
      this.#offset = end;
      return { type: 'alias', name: this.#text.slice(start + 1, end), start, end, anchor: undefined, tag: undefined };
    }
    if (event.type === EVENT_ID.SCALAR) return event.valueStart === ABSENT ? this.#absent(event, isKey) : this.#scalar(event);
    const { start, style, tagStart } = event;
    this.#offset = start;
    const isFlow = style === COLLECTION_STYLE.FLOW;
    const anchor = this.#anchor(event);
    const tag = tagStart === ABSENT ? undefined : tagStart;
    return event.type === EVENT_ID.MAPPING
      ? { type: 'map', start, isFlow, members: this.#members(), anchor, tag }
      : { type: 'list', start, isFlow, items: this.#items(), anchor, tag };
  }

  #anchor({ anchorStart, anchorEnd }: NodeEvent): YamlNode['anchor'] {
    return anchorStart === ABSENT ? undefined : { name: this.#text.slice(anchorStart, anchorEnd), start: anchorStart - 1 };
  }

  #scalar(event: ScalarEvent): YamlNode {
    const style = STYLES[event.style] ?? 'block';
    const quote = style === 'single-quoted' || style === 'double-quoted' ? 1 : 0;
    const { valueStart: contentStart, valueEnd: contentEnd, fast: isSimple, tagStart } = event;
    const start = style === 'block' ? this.#blockSign(event) : contentStart - quote;
    const end = contentEnd + quote;
    this.#offset = end;
    const value = getScalarValue(this.#text, event);
    const tag = tagStart === ABSENT ? undefined : tagStart;
    return { type: 'scalar', style, start, end, contentStart, contentEnd, value, isSimple, anchor: this.#anchor(event), tag };
  }

  /** Returns the offset of the sign of a block scalar, which is on the line in front of its content. */
  #blockSign({ valueStart, anchorEnd, tagEnd }: ScalarEvent): number {
    const end = this.#text.charAt(valueStart - 1) === '\n' ? valueStart - 1 : valueStart;
    const head = Math.max(this.#text.lastIndexOf('\n', end - 1) + 1, this.#offset, anchorEnd, tagEnd);
    return head + Math.max(this.#text.slice(head, end).search(/[|>]/), 0);
  }

  #absent(event: ScalarEvent, isKey: boolean): YamlNode {
    const before = Math.max(event.anchorEnd, event.tagEnd, this.#offset);
    const next = skipBlankAndMarks(this.#text, before, ']},');
    let start = isKey ? next : before;
    // With an anchor or tag, the next colon or dash is that of the next node.
    if (!isKey && before === this.#offset && /[-:?]/.test(this.#text.charAt(next))) start = next + 1;
    while (/[ \t]/.test(this.#text.charAt(start))) start += 1;
    this.#offset = start;
    const tag = event.tagStart === ABSENT ? undefined : event.tagStart;
    return { type: 'absent', start, before, anchor: this.#anchor(event), tag };
  }

  #items(): readonly YamlNode[] {
    const items: YamlNode[] = [];
    while (!this.#consumeEnd()) items.push(this.#node());
    return items;
  }

  #members(): readonly Member[] {
    const members: Member[] = [];
    while (!this.#consumeEnd()) members.push({ key: this.#node(true), value: this.#node() });
    return members;
  }

  /** Decides whether the current map or list ends here; consumes its end. */
  #consumeEnd(): boolean {
    if (this.#events.at(-1)?.type !== EVENT_ID.POP) return false;
    this.#events.pop();
    return true;
  }
}
