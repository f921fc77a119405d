import type { Tone } from './style.ts';

/**
 * What a person reads of one document, before it takes the form of a terminal, Markdown or HTML.
 * Every text on a page is data as it came, and escaped by the format that prints it; only `detail` comes ready for a fixed-width block.
 */
export interface Page {
  readonly title: string;
  readonly opening: readonly Statement[];
  readonly sections: readonly Section[];
  readonly closing: readonly Statement[];
}

/** A sentence about the whole document. */
export interface Statement {
  readonly tone: Tone;
  readonly text: string;
  /** Whether it is to be copied whole: not cut, not broken over lines. */
  readonly whole?: boolean;
}

/** A list of things of one sort; one without items is left out. */
export interface Section {
  readonly title: string;
  /** One sentence under the title. */
  readonly about?: string;
  /** What `sign`, `subject` and the rest of its items are, for formats with tables. */
  readonly columns: readonly [sign: string, subject: string, rest: string];
  readonly items: readonly Item[];
  /** Whether it pictures what another section says in words: only for formats that can draw. */
  readonly picture?: boolean;
}

/** One thing: a change, a finding, a request, an outcome. */
export interface Item {
  readonly tone: Tone;
  /** A short mark, `+` or `failed`. */
  readonly sign: string;
  /** The mark in words, where it is not one. */
  readonly word?: string;
  readonly subject: string;
  /** Short remarks on the same line; data among them is quoted. */
  readonly remarks: readonly string[];
  /** Sentences below it. */
  readonly notes: readonly Statement[];
  /** Lines for a fixed-width block of `room` columns, escaped and painted; none = empty. */
  readonly detail: (paint: Paint, room: number) => readonly string[];
  /** A table below it: columns of text, or in a format with colours to fill, a heat map. */
  readonly grid?: Grid;
}

/** Rows by name, and in each the cells of all columns. */
export interface Grid {
  /** What the names of the rows are. */
  readonly of: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly name: string; readonly cells: readonly Cell[] }[];
}

/** A word, and what it means. */
export interface Word {
  readonly tone: Tone;
  readonly text: string;
}

/** What stands at a place of a grid. */
export interface Cell extends Word {
  /** What stood there before, where that is another word. */
  readonly was?: Word;
  /** Whether two sides were compared and are alike: to be drawn less loud. */
  readonly same?: boolean;
}

/** Gives a text its colour, or gives it back as it is. */
export type Paint = (tone: Tone, text: string) => string;

/** The detail of an item that has none. */
export const noDetail = (): readonly string[] => [];

/** The sections that have something to say, for a format that draws pictures, or for one that has words only. */
export function sectionsOf({ sections }: Page, draws: 'pictures' | 'words'): readonly Section[] {
  return sections.filter(({ items, picture }) => items.length > 0 && (draws === 'pictures' || picture !== true));
}
