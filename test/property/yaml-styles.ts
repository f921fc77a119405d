/** Writes values as YAML in random styles: block or flow, with different quotes, comments, indentation and line ends. */
import fc from 'fast-check';
import { isJsonObject, type Json } from '../../src/core/model/json.ts';

/** Numbers that decide the choices of a writer one after another; after the last one it starts again with the first. */
export const styleChoices: fc.Arbitrary<readonly number[]> = fc.array(fc.nat(997), { minLength: 40, maxLength: 160 });

/** Formats a value as YAML. Comments named `c` are beside members of maps, those named `i` within items of lists. */
export function writeYaml(value: { readonly [section: string]: Json }, choices: readonly number[]): string {
  const writer = new YamlWriter(choices);
  const eol = writer.one('\n', '\n', '\n', '\r\n');
  const text = writer.map(value, 0, 'c').join(eol);
  return writer.one('', '', '', '\ufeff') + text + writer.one(eol, eol, eol, '');
}

class YamlWriter {
  readonly #choices: readonly number[];
  readonly #step: number;
  readonly #listStep: number;
  #at = 0;
  #comments = 0;

  constructor(choices: readonly number[]) {
    this.#choices = choices;
    this.#step = this.one(2, 2, 4, 3);
    this.#listStep = this.one(2, 0);
  }

  one<Choice>(...choices: readonly [Choice, ...Choice[]]): Choice {
    this.#at += 1;
    const index = ((this.#choices[this.#at % this.#choices.length] ?? 0) + this.#at) % choices.length;
    return choices[index] ?? choices[0];
  }

  /** Returns the lines of a map whose keys start at this column. */
  map(fields: { readonly [key: string]: Json }, column: number, parentCommentName: string): string[] {
    const pad = ' '.repeat(column);
    return Object.entries(fields).flatMap(([key, value]) => {
      // An edit may remove this list as a whole, with its comments.
      const commentName = key === 'slicer_ids' ? 'i' : parentCommentName;
      const isBlock =
        typeof value === 'object' && value !== null && Object.keys(value).length > 0 && (column === 0 || this.one(true, true, false));
      const head = `${pad}${this.one(key, key, key, `"${key}"`)}:`;
      const below = isJsonObject(value)
        ? () => this.map(value, column + this.#step, commentName)
        : () => this.list(listOf(value), column + this.#listStep);
      const lines = isBlock
        ? [head + this.trailingComment(commentName), ...below()]
        : [`${head}${this.one(' ', ' ', '  ')}${this.inline(value)}${this.trailingComment(commentName)}`];
      return [...this.leadingComment(pad, commentName), ...lines];
    });
  }

  list(items: readonly Json[], column: number): string[] {
    const pad = ' '.repeat(column);
    return items.flatMap((item) => {
      const isBlock = isJsonObject(item) && this.one(true, false);
      const lines = isBlock
        ? this.map(item, column + 2, 'i').map((line, index) => (index === 0 ? `${pad}- ${line.trimStart()}` : line))
        : [];
      // A comment above the first member would be after the dash.
      const isInvalid = lines[0]?.includes('- #') === true || lines[0]?.trim() === '-';
      return [
        ...this.leadingComment(pad, 'i'),
        ...(isBlock && !isInvalid ? lines : [`${pad}- ${this.inline(item)}${this.trailingComment('i')}`]),
      ];
    });
  }

  inline(value: Json): string {
    if (Array.isArray(value))
      return this.wrap(
        '[',
        value.map((item: Json) => this.inline(item)),
        ']',
      );
    if (isJsonObject(value))
      return this.wrap(
        '{',
        Object.entries(value).map(([key, member]) => `${key}: ${this.inline(member)}`),
        '}',
      );
    if (typeof value !== 'string') return JSON.stringify(value);
    const plain = /^[a-z][\w./-]*$/i.test(value) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(value) ? value : JSON.stringify(value);
    return this.one(plain, plain, `'${value.replaceAll("'", "''")}'`, JSON.stringify(value));
  }

  wrap(open: string, parts: readonly string[], close: string): string {
    if (parts.length === 0) return open + close;
    const pad = this.one(' ', '');
    return open + pad + parts.join(this.one(', ', ',  ')) + pad + close;
  }

  trailingComment(commentName: string): string {
    return this.one('', '', '', ` # ${commentName}${++this.#comments}.`, `   # ${commentName}${++this.#comments}.`);
  }

  leadingComment(pad: string, commentName: string): readonly string[] {
    return this.one(
      [],
      [],
      [],
      [],
      [''],
      [`${pad}# ${commentName}${++this.#comments}.`],
      ['', `${pad}# ${commentName}${++this.#comments}.`],
    );
  }
}

function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
