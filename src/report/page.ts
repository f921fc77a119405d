import type { Action, Effect, Reason } from '../model/change.ts';
import type { Picture } from './picture.ts';
import type { Tone } from './style.ts';

/**
 * What a person reads of one document, before it takes the form of a terminal, Markdown or HTML.
 * Every text on a page is data as it came, and escaped by the format that prints it; only `detail` comes ready for a fixed-width block.
 */
export interface Page {
  readonly title: string;
  readonly opening: readonly Statement[];
  /** What the whole comes to in numbers, for formats that can draw; the others say it in their statements. */
  readonly overview?: Overview | undefined;
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
  /** Whether it is only for formats that can draw and fold: a picture of what another section says in words, or what nobody asked for. */
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
  /** What a reader may pick items by; only of changes. */
  readonly facets?: Facets;
  /** For formats that can draw: what stands in place of `detail`. */
  readonly drawn?: Drawn;
  /** A table below it: columns of text, or in a format with colours to fill, a heat map. */
  readonly grid?: Grid;
}

/** What an item can be told from others by. */
export interface Facets {
  readonly action: Action;
  readonly effect: Effect;
  readonly held: boolean;
  readonly kind: string;
}

/** Pictures in place of the words of an item, and words for what they leave out. */
export interface Drawn {
  readonly pictures: readonly Picture[];
  /** Why the fields that they show are risky or not. */
  readonly reasons: readonly Reason[];
  readonly detail: Item['detail'];
}

/** Numbers in groups, and the same by kind; no rows where there is one kind only. */
export interface Overview {
  readonly groups: readonly { readonly title: string; readonly tiles: readonly Tile[] }[];
  readonly columns: readonly string[];
  readonly rows: readonly { readonly name: string; readonly counts: readonly number[] }[];
}

/** A number with what it counts. */
export interface Tile {
  readonly tone: Tone;
  readonly sign: string;
  readonly count: number;
  readonly label: string;
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
