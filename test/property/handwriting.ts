/** YAML as different people write it: the same values in brackets or in lines, with quotes, comments, indentation and line ends of every sort. */
import fc from 'fast-check';
import { isJsonObject, type Json } from '../../src/model/json.ts';

/** Choices, made one after another; the tape is repeated when it ends. */
export const hand: fc.Arbitrary<readonly number[]> = fc.array(fc.nat(997), { minLength: 40, maxLength: 160 });

/** A written text. Comments named `c` stand beside members of maps, those named `i` within items of lists. */
export function written(value: { readonly [section: string]: Json }, tape: readonly number[]): string {
  const pen = new Pen(tape);
  const eol = pen.one('\n', '\n', '\n', '\r\n');
  const text = pen.map(value, 0, 'c').join(eol);
  return pen.one('', '', '', '\ufeff') + text + pen.one(eol, eol, eol, '');
}

class Pen {
  readonly #tape: readonly number[];
  readonly #step: number;
  readonly #listStep: number;
  #at = 0;
  #comments = 0;

  constructor(tape: readonly number[]) {
    this.#tape = tape;
    this.#step = this.one(2, 2, 4, 3);
    this.#listStep = this.one(2, 0);
  }

  one<Choice>(...choices: readonly [Choice, ...Choice[]]): Choice {
    this.#at += 1;
    const index = ((this.#tape[this.#at % this.#tape.length] ?? 0) + this.#at) % choices.length;
    return choices[index] ?? choices[0];
  }

  /** The lines of a map whose keys stand in this column. */
  map(fields: { readonly [key: string]: Json }, column: number, around: string): string[] {
    const pad = ' '.repeat(column);
    return Object.entries(fields).flatMap(([key, value]) => {
      // What may go as a whole takes its comments along.
      const mark = key === 'slicer_ids' ? 'i' : around;
      const isBlock =
        typeof value === 'object' && value !== null && Object.keys(value).length > 0 && (column === 0 || this.one(true, true, false));
      const head = `${pad}${this.one(key, key, key, `"${key}"`)}:`;
      const below = isJsonObject(value)
        ? () => this.map(value, column + this.#step, mark)
        : () => this.list(listOf(value), column + this.#listStep);
      const lines = isBlock
        ? [head + this.beside(mark), ...below()]
        : [`${head}${this.one(' ', ' ', '  ')}${this.inline(value)}${this.beside(mark)}`];
      return [...this.above(pad, mark), ...lines];
    });
  }

  list(items: readonly Json[], column: number): string[] {
    const pad = ' '.repeat(column);
    return items.flatMap((item) => {
      const isBlock = isJsonObject(item) && this.one(true, false);
      const lines = isBlock
        ? this.map(item, column + 2, 'i').map((line, index) => (index === 0 ? `${pad}- ${line.trimStart()}` : line))
        : [];
      // A comment above the first member would stand behind the dash.
      const isOdd = lines[0]?.includes('- #') === true || lines[0]?.trim() === '-';
      return [...this.above(pad, 'i'), ...(isBlock && !isOdd ? lines : [`${pad}- ${this.inline(item)}${this.beside('i')}`])];
    });
  }

  inline(value: Json): string {
    if (Array.isArray(value))
      return this.within(
        '[',
        value.map((item: Json) => this.inline(item)),
        ']',
      );
    if (isJsonObject(value))
      return this.within(
        '{',
        Object.entries(value).map(([key, member]) => `${key}: ${this.inline(member)}`),
        '}',
      );
    if (typeof value !== 'string') return JSON.stringify(value);
    const plain = /^[a-z][\w./-]*$/i.test(value) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(value) ? value : JSON.stringify(value);
    return this.one(plain, plain, `'${value.replaceAll("'", "''")}'`, JSON.stringify(value));
  }

  within(open: string, parts: readonly string[], close: string): string {
    if (parts.length === 0) return open + close;
    const pad = this.one(' ', '');
    return open + pad + parts.join(this.one(', ', ',  ')) + pad + close;
  }

  beside(mark: string): string {
    return this.one('', '', '', ` # ${mark}${++this.#comments}.`, `   # ${mark}${++this.#comments}.`);
  }

  above(pad: string, mark: string): readonly string[] {
    return this.one([], [], [], [], [''], [`${pad}# ${mark}${++this.#comments}.`], ['', `${pad}# ${mark}${++this.#comments}.`]);
  }
}

function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
