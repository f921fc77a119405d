/** A strict reader of the XML 1.0 that reports need: elements, attributes in double quotes, text, the five entities, one declaration. */

/** An element, with the text directly in it. */
export interface Element {
  readonly name: string;
  readonly attributes: { readonly [name: string]: string };
  readonly children: readonly Element[];
  readonly text: string;
}

/** Characters that are allowed by XML 1.0 section 2.2, production 2. */
const ALLOWED = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
const DECLARATION = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n/;
const TOKEN = /<\/([\w-]+)>|<([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>|([^<]+)/y;
const ENTITIES: { readonly [entity: string]: string } = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** Reads a document. @throws Error where it is not well formed */
export function readXml(document: string): Element {
  if (!ALLOWED.test(document)) throw new Error('a character that XML 1.0 does not allow');
  const [declaration] = DECLARATION.exec(document) ?? [];
  if (declaration === undefined) throw new Error('no XML declaration');
  const top: Draft = { name: '', attributes: {}, children: [], text: '' };
  const open: Draft[] = [top];
  TOKEN.lastIndex = declaration.length;
  while (TOKEN.lastIndex < document.length) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(document);
    if (!token) throw new Error(`no XML at ${JSON.stringify(document.slice(at, at + 60))}`);
    take(token, open);
  }
  const [root, ...others] = top.children;
  if (open.length !== 1 || !root || others.length > 0 || top.text.trim() !== '') throw new Error('not one whole element');
  return root;
}

interface Draft extends Element {
  readonly children: Draft[];
  text: string;
}

function take([, closing, opening, attributes = '', empty, text]: RegExpExecArray, open: Draft[]): void {
  const parent = open.at(-1);
  if (!parent) throw new Error('text behind the end');
  if (text !== undefined) parent.text += plain(text);
  if (closing !== undefined && open.pop()?.name !== closing) throw new Error(`</${closing}> closes what is not open`);
  if (opening === undefined) return;
  const element: Draft = { name: opening, attributes: attributesIn(attributes), children: [], text: '' };
  parent.children.push(element);
  if (empty === '') open.push(element);
}

function attributesIn(text: string): Element['attributes'] {
  const pairs = [...text.matchAll(/ ([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, plain(value)] as const);
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) throw new Error('an attribute stands twice');
  return Object.fromEntries(pairs);
}

function plain(text: string): string {
  if (text.includes(']]>') || /&(?!(?:amp|lt|gt|quot|#39);)/.test(text)) throw new Error(`an entity that is none in ${text.slice(0, 60)}`);
  return text.replace(/&[^;]+;/g, (entity) => ENTITIES[entity] ?? entity);
}
