/** Reads CSV (RFC 4180) with the place of every cell. The only module that imports package `csv-parse`. */
import { CsvError, parse } from 'csv-parse/sync';
import { isObject } from '../../model/json.ts';
import { lazy } from '../lazy.ts';
import { decodeText, linesOf } from '../yaml/text.ts';

/** A table of texts. The first record is its header. */
export interface CsvTable {
  readonly header: readonly string[];
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

/** Parses a CSV file: cells are divided by commas, lines end with CR LF or LF, empty lines are ignored. */
export function parseCsv(bytes: Uint8Array): CsvTable | { readonly fault: CsvFault } {
  const decoded = decodeText(bytes);
  if ('error' in decoded) {
    const { reason, line } = decoded.error;
    return {
      fault: { code: 'not-text', summary: `the file is not text: ${reason}`, hint: 'Save it as UTF-8.', line, column: 1 },
    };
  }
  const text = decoded.text.replaceAll('\r\n', '\n');
  const lines = lazy(() => linesOf(text));
  try {
    const [header = [], ...rows] = localFolderOf(text);
    const starts = lazy(() => recordStarts(text));
    // A row with many findings is divided once.
    let located: { readonly row: number; readonly cells: readonly number[] } = { row: Number.NaN, cells: [] };
    return {
      header,
      rows,
      locationOf: (row, column) => {
        if (located.row !== row) located = { row, cells: cellStarts(text, starts()[row + 1] ?? text.length) };
        return lines().at(cellStart(located.cells, column));
      },
    };
  } catch (error) {
    if (error instanceof CsvError) return { fault: syntaxFault(error, text) };
    throw error;
  }
}

/** Cells may differ in number from record to record, which the caller reports. */
const OPTIONS = { record_delimiter: '\n', relax_column_count: true, skip_empty_lines: true } as const;

function localFolderOf(text: string): readonly (readonly string[])[] {
  return parse(text, OPTIONS);
}

function recordStarts(text: string): readonly number[] {
  let offset = 0;
  return rawRecords(text).flatMap((raw) => {
    const start = offset;
    offset += raw.length;
    return raw === '\n' ? [] : [start];
  });
}

/** Returns the text of every record, or of the first ones, with its line end. Empty lines are records, too. */
function rawRecords(text: string, most = -1): readonly string[] {
  const records: readonly unknown[] = parse(text, { ...OPTIONS, raw: true, skip_empty_lines: false, to: most });
  return records.map((record) => (isObject(record) && typeof record.raw === 'string' ? record.raw : ''));
}

/** Returns the range of a cell in the text of a file, quotes included. Row and column as in `locationOf`. */
export function cellRange(original: string, row: number, column: number): { readonly start: number; readonly end: number } {
  const text = original.replaceAll('\r\n', '\n');
  const cells = cellStarts(text, recordStarts(text)[row + 1] ?? text.length);
  const [start, next] = [cellStart(cells, column), cellStart(cells, column + 1)];
  const end = next > start && text[next - 1] === ',' ? next - 1 : next;
  return { start: originalOffset(original, start), end: originalOffset(original, end) };
}

/** Returns the offset in the original text of an offset in the text whose CR LF were replaced by LF. */
function originalOffset(original: string, offset: number): number {
  let shift = 0;
  for (const { index } of original.matchAll(/\r\n/g)) {
    if (index - shift >= offset) break;
    shift += 1;
  }
  return offset + shift;
}

/** Writes the text of a cell, with quotes where it needs them. */
export function writeCell(text: string, isQuoted: boolean): string {
  return isQuoted || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns the offsets at which the cells of a record begin, and after them its end. */
function cellStarts(text: string, record: number): readonly number[] {
  const cell = /(?:"(?:[^"]|"")*"|[^,"\n]*)(,?)/y;
  const starts = [record];
  cell.lastIndex = record;
  for (let divider: string | undefined = ','; divider === ','; ) {
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
function syntaxFault(error: CsvError, text: string): CsvFault {
  const [records, emptyLines, cell] = [error.records, error.empty_lines, error.index].map(Number);
  const before = (records ?? 0) + (emptyLines ?? 0);
  const start = before === 0 ? 0 : rawRecords(text, before).reduce((sum, raw) => sum + raw.length, 0);
  const lines = linesOf(text);
  const { line, column } = lines.at(cellStart(cellStarts(text, start), cell ?? 0));
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
