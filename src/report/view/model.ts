import type { Action, Effect, RiskReason } from '../../model/change.ts';
import type { Diagram } from '../diagrams/model.ts';
import type { Style } from '../text/colors.ts';

/**
 * What a person reads of one document, before it takes the form of a terminal, Markdown or HTML.
 * Every text on a page is data as it came, and escaped by the format that prints it; only `detail` comes ready for a fixed-width block.
 */
export interface View {
  readonly title: string;
  readonly opening: readonly Line[];
  /** What the whole comes to in numbers, for formats that can draw; the others say it in their statements. */
  readonly overview?: Overview | undefined;
  readonly sections: readonly ViewSection[];
  readonly closing: readonly Line[];
}

/** A sentence about the whole document. */
export interface Line {
  readonly tone: Style;
  readonly text: string;
  /** Whether it is to be copied whole: not cut, not broken over lines. */
  readonly whole?: boolean;
}

/** A list of things of one sort; one without items is left out. */
export interface ViewSection {
  readonly title: string;
  /** One sentence under the title. */
  readonly about?: string;
  /** What `sign`, `subject` and the rest of its items are, for formats with tables. */
  readonly columns: readonly [sign: string, subject: string, rest: string];
  readonly items: readonly ViewItem[];
  /** Whether it is only for formats that can draw and fold: a picture of what another section says in words, or what nobody asked for. */
  readonly picture?: boolean;
}

/** One thing: a change, a finding, a request, an outcome. */
export interface ViewItem {
  readonly tone: Style;
  /** A short mark, `+` or `failed`. */
  readonly sign: string;
  /** The mark in words, where it is not one. */
  readonly word?: string;
  readonly subject: string;
  /** Short remarks on the same line; data among them is quoted. */
  readonly remarks: readonly string[];
  /** Sentences below it. */
  readonly notes: readonly Line[];
  /** Lines for a fixed-width block of `room` columns, escaped and painted; none = empty. */
  readonly detail: (paint: PaintText, room: number) => readonly string[];
  /** What a reader may pick items by; only of changes. */
  readonly facets?: Facets;
  /** For formats that can draw: what stands in place of `detail`. */
  readonly drawn?: DiagramContent;
  /** A table below it: columns of text, or in a format with colours to fill, a heat map. */
  readonly grid?: Grid;
}

/** The properties by which a reader filters items. */
export interface Facets {
  readonly action: Action;
  readonly effect: Effect;
  readonly blocked: boolean;
  readonly kind: string;
}

/** Pictures in place of the words of an item, and words for what they leave out. */
export interface DiagramContent {
  readonly pictures: readonly Diagram[];
  /** Why the fields that they show are risky or not. */
  readonly reasons: readonly RiskReason[];
  readonly detail: ViewItem['detail'];
}

/** Numbers in groups, and the same by kind; no rows where there is one kind only. */
export interface Overview {
  readonly groups: readonly { readonly title: string; readonly tiles: readonly Tile[] }[];
  readonly columns: readonly string[];
  readonly rows: readonly { readonly name: string; readonly counts: readonly number[] }[];
}

/** A number with what it counts. */
export interface Tile {
  readonly tone: Style;
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
  readonly tone: Style;
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
export type PaintText = (tone: Style, text: string) => string;

/** The detail of an item that has none. */
export const noDetail = (): readonly string[] => [];

/** The sections that have something to say, for a format that draws pictures, or for one that has words only. */
export function sectionsOf({ sections }: View, draws: 'pictures' | 'words'): readonly ViewSection[] {
  return sections.filter(({ items, picture }) => items.length > 0 && (draws === 'pictures' || picture !== true));
}
