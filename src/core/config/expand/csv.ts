/** Reads CSV (RFC 4180, also with semicolons or tabs) with the place of every cell. The only module that imports package `csv-parse`. */
import { CsvError, parse } from 'csv-parse/sync';
import { isObject } from '../../model/json.ts';
import { lazy } from '../lazy.ts';
import { decodeText, linesOf } from '../yaml/text.ts';
import { DELIMITERS, type Delimiter } from './expansion-schema.ts';

/** A table of texts. The first record with text is its header. */
export interface CsvTable {
  readonly delimiter: Delimiter;
  /** The names of the columns, without white space around them. */
  readonly header: readonly string[];
  /** The records below the header that have text in any cell. */
  readonly rows: readonly (readonly string[])[];
  /** Returns where a cell begins, quotes included. Rows count from 0; the header is row -1. A missing cell is at the end of its row. */
  locationOf(row: number, column: number): { readonly line: number; readonly column: number };
}

/** Why a file is no CSV table, a sentence, and where. */
export interface CsvFault {
  readonly code: 'not-text' | 'csv-syntax';
  readonly summary: string;
  readonly hint: string;
  readonly line: number;
  readonly column: number;
}

/**
 * Parses a CSV file: lines end with CR LF or LF, records without text are ignored. Cells are divided by `declared`; without it as the line
 * `sep=` says, with which a spreadsheet begins a file, or by what the header shows.
 */
export function parseCsv(bytes: Uint8Array, declared?: Delimiter): CsvTable | { readonly fault: CsvFault } {
  const decoded = decodeText(bytes);
  if ('error' in decoded) {
    const { reason, line } = decoded.error;
    return {
      fault: { code: 'not-text', summary: `the file is not text: ${reason}`, hint: 'Save it as UTF-8.', line, column: 1 },
    };
  }
  const text = decoded.text.replaceAll('\r\n', '\n');
  const layout = layoutOf(text, declared);
  const lines = lazy(() => linesOf(text));
  try {
    const [header = [], ...rows] = recordsOf(text, layout);
    const starts = lazy(() => recordStarts(text, layout));
    // A row with many findings is divided once.
    let located: { readonly row: number; readonly cells: readonly number[] } = { row: Number.NaN, cells: [] };
    return {
      delimiter: layout.delimiter,
      header: header.map((name) => name.trim()),
      rows,
      locationOf: (row, column) => {
        if (located.row !== row) located = { row, cells: cellStarts(text, starts()[row + 1] ?? text.length, layout) };
        return lines().at(cellStart(located.cells, column));
      },
    };
  } catch (error) {
    if (error instanceof CsvError) return { fault: syntaxFault(error, text, layout) };
    throw error;
  }
}

/** How a table is written: what divides its cells, and the offset at which its records begin. */
interface Layout {
  readonly delimiter: Delimiter;
  readonly start: number;
}

function layoutOf(text: string, declared: Delimiter | undefined): Layout {
  const [line = '', written] = /^"?sep=([,;\t])"?[,;\t]*(?:\n|$)/i.exec(text) ?? [];
  const named = DELIMITERS.find((delimiter) => delimiter === written);
  return { delimiter: declared ?? named ?? delimiterOfHeader(text, line.length), start: line.length };
}

/** Returns the first of the delimiters that stands outside of quotes in the header. */
function delimiterOfHeader(text: string, start: number): Delimiter {
  const blank = /[\s,;"]*\n|/y;
  blank.lastIndex = start;
  blank.exec(text);
  const part = /[^\n"]*(?:"[^"]*")?/y;
  let found = '';
  for (let at = blank.lastIndex; ; at = part.lastIndex) {
    part.lastIndex = at;
    const [read = ''] = part.exec(text) ?? [];
    found += read.replace(/"[^"]*"$/, '');
    if (read === '' || !read.endsWith('"')) break;
  }
  return DELIMITERS.find((delimiter) => found.includes(delimiter)) ?? ',';
}

/** Cells may differ in number from record to record, which the caller reports. */
const OPTIONS = { record_delimiter: '\n', relax_column_count: true, skip_empty_lines: true } as const;

function recordsOf(text: string, { delimiter, start }: Layout): readonly (readonly string[])[] {
  const records: readonly (readonly string[])[] = parse(text.slice(start), { ...OPTIONS, delimiter });
  return records.filter((cells) => cells.some(hasText));
}

/** Decides whether a cell has more than white space. */
export function hasText(cell: string): boolean {
  return cell !== '' && cell.trim() !== '';
}

/** Returns the offsets at which the records with text begin. */
function recordStarts(text: string, layout: Layout): readonly number[] {
  let offset = layout.start;
  return rawRecords(text, layout).flatMap(({ raw, cells }) => {
    const start = offset;
    offset += raw.length;
    return cells.some(hasText) ? [start] : [];
  });
}

/** A record, and its text with its line end. */
interface RawRecord {
  readonly cells: readonly string[];
  readonly raw: string;
}

/** Returns every record, or the first ones. Empty lines are records, too. */
function rawRecords(text: string, { delimiter, start }: Layout, most = -1): readonly RawRecord[] {
  const options = { ...OPTIONS, delimiter, raw: true, skip_empty_lines: false, to: most };
  const records: readonly unknown[] = parse(text.slice(start), options);
  return records.map((record) => {
    const { raw, record: cells } = isObject(record) ? record : {};
    return { raw: typeof raw === 'string' ? raw : '', cells: Array.isArray(cells) ? cells.map(String) : [] };
  });
}

/**
 * Returns a function that gives the range of a cell in the text of a file with this delimiter, quotes included. Row and column as in
 * `locationOf`.
 */
export function cellRanges(
  original: string,
  declared: Delimiter,
): (row: number, column: number) => { readonly start: number; readonly end: number } {
  const text = original.replaceAll('\r\n', '\n');
  const layout = layoutOf(text, declared);
  const starts = recordStarts(text, layout);
  const [lines, originalLines] = [linesOf(text), linesOf(original)];
  const originalOffset = (offset: number) => {
    const { line, column } = lines.at(offset);
    return originalLines.start(line) + column - 1;
  };
  return (row, column) => {
    const cells = cellStarts(text, starts[row + 1] ?? text.length, layout);
    const [start, next] = [cellStart(cells, column), cellStart(cells, column + 1)];
    const end = next > start && text[next - 1] === layout.delimiter ? next - 1 : next;
    return { start: originalOffset(start), end: originalOffset(end) };
  };
}

/** Writes the text of a cell, with quotes where it needs them. */
export function writeCell(text: string, isQuoted: boolean, delimiter: Delimiter = ','): string {
  return isQuoted || text.includes(delimiter) || /["\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The cell at an offset, and what divides it from the next one. */
const CELLS: { readonly [delimiter in Delimiter]: RegExp } = {
  ',': /(?:"(?:[^"]|"")*"|[^,"\n]*)(,?)/y,
  ';': /(?:"(?:[^"]|"")*"|[^;"\n]*)(;?)/y,
  '\t': /(?:"(?:[^"]|"")*"|[^\t"\n]*)(\t?)/y,
};

/** Returns the offsets at which the cells of a record begin, and after them its end. */
function cellStarts(text: string, record: number, { delimiter }: Layout): readonly number[] {
  const cell = CELLS[delimiter];
  const starts = [record];
  cell.lastIndex = record;
  for (let divider: string | undefined = delimiter; divider === delimiter; ) {
    divider = cell.exec(text)?.[1];
    starts.push(cell.lastIndex);
  }
  return starts;
}

/** Returns the offset of a cell; that of a missing one is the end of its record. */
function cellStart(starts: readonly number[], column: number): number {
  return starts[column] ?? starts.at(-1) ?? 0;
}

/** Describes an error of the parser at the cell where the parser stopped, which is where its quote was opened. */
function syntaxFault(error: CsvError, text: string, layout: Layout): CsvFault {
  const [records, emptyLines, cell] = [error.records, error.empty_lines, error.index].map(Number);
  const before = (records ?? 0) + (emptyLines ?? 0);
  const start = before === 0 ? layout.start : rawRecords(text, layout, before).reduce((sum, { raw }) => sum + raw.length, layout.start);
  const lines = linesOf(text);
  const { line, column } = lines.at(cellStart(cellStarts(text, start, layout), cell ?? 0));
  const at = { code: 'csv-syntax' as const, line, column };
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return {
      ...at,
      summary: 'the quote that opens this cell is never closed',
      hint: 'Close it with ". A quote within a quoted cell is written twice.',
    };
  const summary = 'a quote stands in the middle of this cell';
  return { ...at, summary, hint: 'Put the whole cell in quotes, and write each quote within it twice.' };
}
