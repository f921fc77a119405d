import type { Action, Effect, Playback, RiskReason } from '../../core/model/change.ts';
import type { DiagramLayout } from '../diagrams/index.ts';
import type { PaintText, Style } from '../text/colors.ts';
import { count, quotedName } from './labels.ts';

/**
 * What a person reads of one document, before it becomes text, Markdown or HTML. Every text is unescaped data, which the format escapes;
 * only `detail` returns escaped lines for a fixed-width block.
 */
export interface View {
  /** What a reader must know first; before the title. */
  readonly verdict?: Verdict;
  readonly title: string;
  /** From which commit it was made: what follows the title in formats that do not show the facts. */
  readonly revision?: string;
  /** When, by whom and from what it was made, for HTML. */
  readonly facts?: readonly Link[];
  /** Sentences before the sections. */
  readonly opening: readonly Line[];
  /** Shown in HTML only; the other formats give the numbers in sentences. */
  readonly totals?: Totals | undefined;
  readonly sections: readonly ViewSection[];
  /** Sentences after the sections. */
  readonly closing: readonly Line[];
}

/** Whether it can be applied what it does, and how it goes on. */
export interface Verdict {
  readonly style: Style;
  readonly headline: string;
  /** What it does, and what is not known. */
  readonly lines: readonly Line[];
  /** How it goes on where it is held back, and who may unblock it; absent where it is not. */
  readonly next?: readonly Line[];
}

/** A text with the https address that it leads to, if that is known. */
export interface Link {
  readonly text: string;
  readonly href?: string;
}

/** A sentence about the whole document. */
export interface Line {
  readonly style: Style;
  readonly text: string;
  /** Whether it is shown whole, so that it can be copied: neither cut nor wrapped. */
  readonly verbatim?: boolean;
  /** Makes it an entry of a list, together with its neighbors of the same list: `step` numbers them. */
  readonly item?: 'bullet' | 'step';
}

/** A list of items of one sort. A section without items is omitted. */
export interface ViewSection {
  readonly title: string;
  /** One sentence below the title. */
  readonly description?: string;
  /** Column titles for formats with tables: of `sign`, of `subject`, and of the remarks and notes. */
  readonly columns: readonly [sign: string, subject: string, remarks: string];
  readonly items: readonly ViewItem[];
  /** How many items all formats but HTML show, where they are many, and alike; with 0, HTML collapses them. Absent = all. */
  readonly unfolded?: number;
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
  /** The address, or what stands in its place. */
  readonly subject: string;
  /** Whether the subject is in words, and no address, file or name. */
  readonly isPhrase?: true;
  /** What HTML shows in place of the address, which it gives on hover and on copy. */
  readonly name?: string;
  /** What identifies it in HTML whatever else the report holds. */
  readonly anchor?: string;
  /** The https address of what it is about, if it is a place in a file. */
  readonly href?: string;
  /** Where it is declared. */
  readonly source?: Link;
  /** The resources that it stands for, if it stands for several. */
  readonly members?: readonly Member[];
  /** How many members all formats but HTML name, where they leave something out; absent = all. */
  readonly unfolded?: number;
  /** Short remarks on the same line; data in them is quoted. */
  readonly remarks: readonly string[];
  /** Sentences below it. */
  readonly notes: readonly Line[];
  /** Renders the lines of a fixed-width block of `width` columns, escaped and painted; empty if there are none. */
  readonly detail: (paint: PaintText, width: number) => readonly string[];
  /** The detail is one line; HTML collapses it below this headline wherever it is long. */
  readonly folded?: string;
  /** Only of changes. */
  readonly facets?: Facets;
  /** Replaces `detail` in HTML. */
  readonly diagram?: DiagramContent;
  /** A table below it: columns of text, in HTML a heat map. */
  readonly grid?: Grid;
}

/** One of several resources with the same change, or a similar one. */
export interface Member extends Pick<ViewItem, 'name' | 'anchor' | 'source'> {
  readonly address: string;
  /** What belongs to it alone, in words. */
  readonly remark?: string;
  /** Renders what differs from the other members; empty if nothing does. */
  readonly detail: ViewItem['detail'];
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
  /** How they count. */
  readonly note: string;
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

/** Number of items of a section of which the first ones serve as examples. */
export const MAX_UNFOLDED = 5;

/** Number of members that an item names which stands for similar ones. */
export const MAX_UNFOLDED_MEMBERS = 12;

/** Returns the remarks of an item for formats that show its address: the name first, unless the address contains it. */
export function remarksWithName({ subject, name = '', remarks }: Pick<ViewItem, 'subject' | 'name' | 'remarks'>): readonly string[] {
  const quoted = quotedName(subject, name);
  return quoted === null ? remarks : [quoted, ...remarks];
}

/** Says how many items are folded into how many entries; none where no entry is. */
export function foldedLines(sections: readonly ViewSection[]): readonly Line[] {
  const folded = sections.flatMap(({ items, htmlOnly }) => (htmlOnly ? [] : items.filter(({ unfolded }) => unfolded !== undefined)));
  if (folded.length === 0) return [];
  const all = countItems(folded).toLocaleString('en-US');
  return [{ style: 'quiet', text: `Folded: ${all} similar ones in ${count(folded.length, 'entry')}; --full lists each by itself.` }];
}

/** Returns how many members an item names in all formats but HTML: all of them where one alone would be left out. */
export function numberOfNamed({ members = [], unfolded = members.length }: Pick<ViewItem, 'members' | 'unfolded'>): number {
  return members.length - unfolded < 2 ? members.length : unfolded;
}

/** Counts items, each with as many as it stands for. */
export function countItems(items: readonly Pick<ViewItem, 'members'>[]): number {
  return items.reduce((sum, { members }) => sum + (members?.length ?? 1), 0);
}

/** Returns the sections that a format shows: those with items, and those for HTML only if it is HTML. Other formats fold. */
export function sectionsToShow({ sections }: View, format: 'html' | 'text'): readonly ViewSection[] {
  const shown = sections.filter(({ items, htmlOnly }) => items.length > 0 && (format === 'html' || htmlOnly !== true));
  return format === 'html' ? shown : shown.map(folded);
}

/** Replaces the items of a section that folds by the first ones and their number. One item alone is not replaced. */
function folded(section: ViewSection): ViewSection {
  const { items, unfolded = items.length } = section;
  if (items.length - unfolded < 2) return section;
  const rest = countItems(items.slice(unfolded)).toLocaleString('en-US');
  const more: ViewItem = {
    style: 'quiet',
    sign: '…',
    subject: unfolded === 0 ? `not listed: ${rest}` : `and ${rest} more`,
    remarks: ['the JSON document has all'],
    notes: [],
    detail: noDetail,
  };
  return { ...section, items: [...items.slice(0, unfolded), more], total: countItems(items) };
}
