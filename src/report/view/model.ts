import type { Action, Effect, Playback, RiskReason } from '../../model/change.ts';
import type { DiagramLayout } from '../diagrams/index.ts';
import type { PaintText, Style } from '../text/colors.ts';

/**
 * What a person reads of one document, before it becomes text, Markdown or HTML. Every text is unescaped data, which the format escapes;
 * only `detail` returns escaped lines for a fixed-width block.
 */
export interface View {
  /** The first line, before the title. */
  readonly verdict?: Line;
  readonly title: string;
  /** Sentences before the sections. */
  readonly opening: readonly Line[];
  /** Shown in HTML only; the other formats give the numbers in sentences. */
  readonly totals?: Totals | undefined;
  readonly sections: readonly ViewSection[];
  /** Sentences after the sections. */
  readonly closing: readonly Line[];
}

/** A sentence about the whole document. */
export interface Line {
  readonly style: Style;
  readonly text: string;
  /** Whether it is shown whole, so that it can be copied: neither cut nor wrapped. */
  readonly verbatim?: boolean;
}

/** A list of items of one sort. A section without items is omitted. */
export interface ViewSection {
  readonly title: string;
  /** One sentence below the title. */
  readonly description?: string;
  /** Column titles for formats with tables: of `sign`, of `subject`, and of the remarks and notes. */
  readonly columns: readonly [sign: string, subject: string, remarks: string];
  readonly items: readonly ViewItem[];
  /** Whether all formats but HTML show the first items only: they are many, and alike. */
  readonly folds?: boolean;
  /** Number of all items, where some are folded. */
  readonly total?: number;
  /** Whether only HTML shows it: it repeats another section in another form, or was not asked for. */
  readonly htmlOnly?: boolean;
}

/** One item: a change, a finding, a request, an outcome. */
export interface ViewItem {
  readonly style: Style;
  /** A short mark, `+` or `failed`. */
  readonly sign: string;
  /** The mark as a word; absent if `sign` is a word. */
  readonly word?: string;
  readonly subject: string;
  /** Short remarks on the same line; data in them is quoted. */
  readonly remarks: readonly string[];
  /** Sentences below it. */
  readonly notes: readonly Line[];
  /** Renders the lines of a fixed-width block of `width` columns, escaped and painted; empty if there are none. */
  readonly detail: (paint: PaintText, width: number) => readonly string[];
  /** Only of changes. */
  readonly facets?: Facets;
  /** Replaces `detail` in HTML. */
  readonly diagram?: DiagramContent;
  /** A table below it: columns of text, in HTML a heat map. */
  readonly grid?: Grid;
}

/** The properties by which a reader filters items. */
export interface Facets {
  readonly action: Action;
  readonly effect: Effect;
  readonly playback: Playback;
  readonly blocked: boolean;
  readonly kind: string;
}

/** The diagram of an item, and what it does not show as text. */
export interface DiagramContent {
  readonly layout: DiagramLayout;
  /** The risk reasons of the fields that the diagram shows. */
  readonly reasons: readonly RiskReason[];
  readonly detail: ViewItem['detail'];
}

/** Totals in groups, and by kind; without rows if all changes are of one kind. */
export interface Totals {
  readonly groups: readonly { readonly title: string; readonly tiles: readonly Tile[] }[];
  readonly columns: readonly string[];
  readonly rows: readonly { readonly name: string; readonly counts: readonly number[] }[];
}

/** A number with its label. */
export interface Tile {
  readonly style: Style;
  readonly sign: string;
  readonly count: number;
  readonly label: string;
}

/** A table of words; each row has one cell for each column. */
export interface Grid {
  /** Title of the row names. */
  readonly rowTitle: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly name: string; readonly cells: readonly Cell[] }[];
}

/** A word with its style. */
export interface Word {
  readonly style: Style;
  readonly text: string;
}

/** A cell of a grid. */
export interface Cell extends Word {
  /** The word before, if it is another. */
  readonly before?: Word;
  /** Whether two sides were compared and are equal. */
  readonly isUnchanged?: boolean;
}

/** The detail of an item without one. */
export const noDetail = (): readonly string[] => [];

/** Number of items of a section that folds. */
export const MAX_UNFOLDED = 5;

/** Returns the sections that a format shows: those with items, and those for HTML only if it is HTML. Other formats fold. */
export function sectionsToShow({ sections }: View, format: 'html' | 'text'): readonly ViewSection[] {
  const shown = sections.filter(({ items, htmlOnly }) => items.length > 0 && (format === 'html' || htmlOnly !== true));
  return format === 'html' ? shown : shown.map(folded);
}

/** Replaces the items of a section that folds by the first ones and their number. One item alone is not replaced. */
function folded(section: ViewSection): ViewSection {
  const { items, folds = false } = section;
  const rest = items.length - MAX_UNFOLDED;
  if (!folds || rest < 2) return section;
  const more: ViewItem = {
    style: 'quiet',
    sign: '…',
    subject: `and ${rest.toLocaleString('en-US')} more`,
    remarks: ['the JSON document has all'],
    notes: [],
    detail: noDetail,
  };
  return { ...section, items: [...items.slice(0, MAX_UNFOLDED), more], total: items.length };
}
