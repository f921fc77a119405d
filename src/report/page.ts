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
  readonly columns: readonly string[];
  readonly rows: readonly { readonly name: string; readonly cells: readonly Cell[] }[];
}

/** A word, and what it means. */
export interface Cell {
  readonly tone: Tone;
  readonly text: string;
}

/** Gives a text its colour, or gives it back as it is. */
export type Paint = (tone: Tone, text: string) => string;

/** The detail of an item that has none. */
export const noDetail = (): readonly string[] => [];
