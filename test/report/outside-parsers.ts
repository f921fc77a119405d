/** Reads reports with parsers that the project did not write: micromark with GitHub's extensions for Markdown, parse5 for HTML. */
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode | DefaultTreeAdapterTypes.ParentNode;

/** What a reader of a page sees. */
export interface Page {
  /** The names of all elements. */
  readonly elements: ReadonlySet<string>;
  /** The names of all attributes, with their elements: `a href`. */
  readonly attributes: ReadonlySet<string>;
  /** All text. */
  readonly text: string;
  /** The text outside of code, in which code hosts look for mentions and references. */
  readonly prose: string;
  /** The texts of all code, in order. */
  readonly code: readonly string[];
  /** What the HTML standard calls a parse error. */
  readonly errors: readonly string[];
}

/** Renders Markdown as GitHub does, with the HTML in it, and reads the result. */
export function readMarkdown(markdown: string): Page {
  const html = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
  return readFragment(html);
}

/** Reads a part of a page. */
function readFragment(html: string): Page {
  const errors: string[] = [];
  const fragment = parseFragment(html, { onParseError: ({ code }) => void errors.push(code) });
  return pageOf(fragment, errors);
}

/** Reads a whole page. */
export function readPage(html: string): Page {
  const errors: string[] = [];
  const document = parse(html, { onParseError: ({ code }) => void errors.push(code) });
  return pageOf(document, errors);
}

function pageOf(root: DefaultTreeAdapterTypes.ParentNode, errors: readonly string[]): Page {
  const [elements, attributes, code] = [new Set<string>(), new Set<string>(), [] as string[]];
  const [text, prose] = [[] as string[], [] as string[]];
  const visit = (node: Node, isCode: boolean): void => {
    if ('value' in node && node.nodeName === '#text') {
      text.push(node.value);
      if (!isCode) prose.push(node.value);
    }
    if ('attrs' in node) {
      elements.add(node.nodeName);
      for (const { name } of node.attrs) attributes.add(`${node.nodeName} ${name}`);
      if (node.nodeName === 'code') code.push(textOf(node));
    }
    if ('childNodes' in node)
      for (const child of node.childNodes) visit(child, isCode || ['code', 'pre', 'script', 'style'].includes(node.nodeName));
  };
  visit(root, false);
  return { elements, attributes, code, errors, text: text.join(''), prose: prose.join(' ') };
}

function textOf(node: Node): string {
  if ('value' in node && node.nodeName === '#text') return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}
