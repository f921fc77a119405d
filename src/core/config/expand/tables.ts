/** Reads tables: CSV files and lists of rows, each row of which makes one resource from a template. */
import { posix } from 'node:path';
import { errorFinding, type UnlocatedFinding, warningFinding } from '../../kinds/kind.ts';
import { isJsonObject, isList, type Json, type JsonObject, type MemberPart, type Path } from '../../model/json.ts';
import { firstNames, suggest } from '../did-you-mean.ts';
import type { FileReader } from '../file-reader.ts';
import type { SourceDocument } from '../source-document.ts';
import { locationIn, type SourceLocation } from '../source-location.ts';
import { expandVariables, type Scope, variablesIn } from '../variables.ts';
import { type ExpansionBudget, tooManyEntries } from './budget.ts';
import { type CsvTable, hasText, parseCsv } from './csv.ts';
import type { ListExpander, Place } from './entry-lists.ts';
import { DELIMITERS, type Delimiter } from './expansion-schema.ts';
import {
  type Argument,
  type Cell,
  defaultFor,
  isOfType,
  missingParameter,
  type Parameter,
  valueOfCell,
  wrongTypeOfArgument,
} from './parameters.ts';
import { isSpreadsheetError } from './spreadsheet-errors.ts';
import { addInstance, argumentIn, namedLikeVariable, type Template } from './templates.ts';

/** A row of a table, with arguments for the parameters of its template. */
export interface Row {
  readonly key: string;
  readonly args: ReadonlyMap<string, Argument>;
  locate(part: MemberPart): SourceLocation;
}

/** A finding, and where it is; a finding without a location is at its path in the document that names the table. */
export interface TableFinding {
  readonly finding: UnlocatedFinding;
  readonly location?: SourceLocation;
}

/** Rows as read, before they are checked against the template. */
interface RawTable {
  readonly columns: readonly string[];
  readonly rows: readonly RawRow[];
  /** Returns the location of the name of a column. */
  locateColumn(column: string): SourceLocation;
}

interface RawRow {
  /** Returns the value of a column; undefined where the row has none. */
  argument(column: string, type: Parameter['type']): Argument | { readonly invalid: string; readonly location: SourceLocation } | undefined;
  /** Returns where the value of a column is written, or would be; undefined where the table has no such column. */
  placeOf(column: string): Cell | Place | undefined;
  locate(): SourceLocation;
  locateColumn(column: string): SourceLocation;
}

/** What reading a table needs. */
export interface TableContext {
  readonly reader: FileReader;
  readonly vars: Scope;
  readonly listExpander: ListExpander;
  readonly budget: ExpansionBudget;
  report(found: TableFinding): void;
  /** Reports a finding at its path in a document. */
  reportIn(document: SourceDocument, finding: UnlocatedFinding): void;
}

/**
 * Reads the rows of a table at a path of a document. Reports what is wrong, all at once. `addRow` gets each row that can be used, and
 * returns false to stop.
 */
export function readTable(
  document: SourceDocument,
  path: Path,
  declared: JsonObject,
  template: Template,
  context: TableContext,
  addRow: (row: Row) => boolean,
): void {
  // Many tables may read one file, also after a limit is exceeded.
  if (!context.budget.addEntries(0) || !context.budget.addResources(0)) return;
  const table = rawTableOf(document, path, declared, template, context);
  // A list without rows has no columns that could be checked.
  if (table === undefined || (isList(declared.rows) && table.rows.length === 0)) return;
  if (!context.budget.addEntries(table.columns.length + table.rows.length)) {
    context.report({ finding: tooManyEntries(path) });
    return;
  }
  const keyText = String(declared.key);
  const keyNames = new Set(variablesIn(keyText).map(({ name }) => name));
  if (!reportColumns(table, keyNames, path, template, context)) return;
  const keyColumns = table.columns.filter((column) => keyNames.has(column));
  const warnAboutErrors = spreadsheetErrors(table.columns, context);
  for (const row of table.rows) {
    warnAboutErrors(row);
    if (!addInstance(template, context)) return;
    const args = argumentsOf(row, template, context);
    const key = keyOf(row, keyText, keyColumns, context);
    if (args !== undefined && key !== undefined && !addRow({ key, args, locate: () => row.locate() })) return;
  }
}

/** Returns a function that warns about the cells of a row that hold an error of a spreadsheet. */
function spreadsheetErrors(columns: readonly string[], { report }: TableContext): (row: RawRow) => void {
  return (row) => {
    for (const column of columns) {
      const cell = row.argument(column, 'string');
      if (cell === undefined || 'invalid' in cell || typeof cell.value !== 'string' || !isSpreadsheetError(cell.value)) continue;
      const summary = `the cell holds an error of a spreadsheet: ${cell.value}`;
      const hint = 'Correct the formula and export the table again, or write what is meant.';
      report({ finding: warningFinding('spreadsheet-error', [], summary, hint), location: cell.locate([], 'value') });
    }
  };
}

/** Reads the file or the rows of a table; reports why it has none. */
function rawTableOf(
  document: SourceDocument,
  path: Path,
  { file, rows, delimiter }: JsonObject,
  template: Template,
  context: TableContext,
): RawTable | undefined {
  if ((file === undefined) === (rows === undefined)) {
    context.report({
      finding: errorFinding(
        'missing-key',
        path,
        'a table needs either `file` or `rows`',
        'Write the name of a CSV file, or the rows themselves.',
      ),
    });
    return undefined;
  }
  if (!isList(rows)) return csvTable(document, path, { name: String(file), delimiter }, context);
  if (delimiter !== undefined) {
    const summary = '`delimiter` has no effect beside `rows`';
    context.report({ finding: errorFinding('invalid-value', [...path, 'delimiter'], summary, 'Leave it out.') });
  }
  return writtenRows(document, [...path, 'rows'], rows, template, context);
}

/** Reads rows in YAML, with variables replaced. A column of a text parameter takes only text. */
function writtenRows(document: SourceDocument, path: Path, written: Json, { params }: Template, context: TableContext): RawTable {
  const { vars, budget, listExpander, report } = context;
  const takesOnlyText = ([, column]: Path) => params.get(String(column))?.type === 'string';
  const { value, findings } = expandVariables(written, vars, { takesOnlyText, budget });
  for (const finding of findings) report({ finding: { ...finding, path: [...path, ...finding.path] } });
  const rows = isList(value) ? value.filter(isJsonObject) : [];
  const firstRowOf = new Map(rows.toReversed().flatMap((row, index) => Object.keys(row).map((name) => [name, rows.length - 1 - index])));
  const locate = (row: number, column: string) => locationIn(document, [...path, row, column], 'key');
  return {
    columns: [...firstRowOf.keys()],
    locateColumn: (column) => locate(firstRowOf.get(column) ?? 0, column),
    rows: rows.map((row, index) => ({
      argument: (column) => {
        const given = row[column];
        return given === undefined || given === null ? undefined : argumentIn(document, [...path, index, column], given, listExpander);
      },
      placeOf: (column) => ({ document, path: [...path, index, column] }),
      locate: () => locationIn(document, [...path, index]),
      locateColumn: (column) => locate(index, column),
    })),
  };
}

function csvTable(
  document: SourceDocument,
  tablePath: Path,
  { name, delimiter }: { readonly name: string; readonly delimiter: Json | undefined },
  { reader, report }: TableContext,
): RawTable | undefined {
  const path = [...tablePath, 'file'];
  const file = posix.isAbsolute(name) ? name : posix.join(posix.dirname(document.file), name);
  const read = reader.read(file, ['.csv']);
  if ('error' in read) {
    const summary = `\`${name}\` cannot be used: ${read.error.reason}`;
    report({
      finding: errorFinding(read.error.code, path, summary, 'The path is relative to the folder of the source file that names it.'),
    });
    return undefined;
  }
  const table = parseCsv(
    read.bytes,
    DELIMITERS.find((each) => each === delimiter),
  );
  if ('fault' in table) {
    const { line, column, code, summary, hint } = table.fault;
    report({ finding: errorFinding(code, path, summary, hint), location: { file, line, column, excerpt: undefined, written: undefined } });
    return undefined;
  }
  const locate = (row: number, column: number): SourceLocation => {
    const { line, column: at } = table.locationOf(row, column);
    return { file, line, column: at, excerpt: undefined, written: undefined };
  };
  if (table.header.length > 0 && table.rows.length === 0)
    report({
      finding: warningFinding('empty-table', path, 'the table has a header and no row', EMPTY_TABLE_HINT),
      location: locate(-1, 0),
    });
  return reportShape(table, path, locate, report) ? rawTableOfCsv(table, file, locate) : undefined;
}

const EMPTY_TABLE_HINT =
  'Its section is managed, so what its rows made is no longer declared. If rows were lost, restore them; else remove the table.';

/** What the delimiters are called in messages. */
const DELIMITER_NAMES = { ',': 'comma', ';': 'semicolon', '\t': 'tab' } as const;

/**
 * Reports names of columns that are missing or repeated, and rows with a wrong number of cells. Returns whether its rows can be read. A
 * column without a name and without text in any row is none.
 */
function reportShape(
  { header, rows, delimiter }: CsvTable,
  path: Path,
  locate: (row: number, column: number) => SourceLocation,
  report: TableContext['report'],
): boolean {
  const found: TableFinding[] = [];
  const foundInHeader = (column: number, summary: string, hint: string) =>
    found.push({ location: locate(-1, column), finding: errorFinding('csv-header', path, summary, hint) });
  const names = new Set<string>();
  const withText = namelessColumnsWithText(header, rows);
  for (const [column, name] of header.entries()) {
    if (name === '') {
      if (withText.has(column)) foundInHeader(column, 'a column without a name', 'Name it, or remove it.');
      continue;
    }
    if (names.has(name)) foundInHeader(column, `there are two columns \`${name}\``, 'Rename or remove one.');
    names.add(name);
  }
  for (const other of DELIMITERS)
    if (other !== delimiter && names.size <= 1 && header[0]?.includes(other) === true)
      foundInHeader(
        0,
        `the columns are divided by ${DELIMITER_NAMES[other]}s, and not by ${DELIMITER_NAMES[delimiter]}s`,
        'Correct `delimiter` of the table, or leave it out.',
      );
  if (header[0]?.startsWith('#') === true)
    foundInHeader(0, 'the first line is a comment', 'CSV has no comments: begin with the names of the columns.');
  const width = widthOf(header);
  const wrongRows = rows.flatMap((row, index): readonly TableFinding[] => {
    if (isOfWidth(row, header, width)) return [];
    const summary = `the row has ${row.length} cells, and the header ${width}`;
    const hint = hintAboutCells(row, width, delimiter);
    return [{ location: locate(index, 0), finding: errorFinding('csv-cells', path, summary, hint) }];
  });
  for (const each of [...found, ...wrongRows]) report(each);
  return found.length === 0;
}

/** Returns the columns of the header without a name that have text in some row. */
function namelessColumnsWithText(header: readonly string[], rows: CsvTable['rows']): ReadonlySet<number> {
  const found = new Set<number>();
  if (header.every((name) => name !== '')) return found;
  for (const row of rows) for (const [column, cell] of row.entries()) if (header[column] === '' && hasText(cell)) found.add(column);
  return found;
}

/** Returns the number of cells that a row needs: up to the last column with a name. */
function widthOf(header: readonly string[]): number {
  return header.findLastIndex((name) => name !== '') + 1;
}

/** Decides whether a row has a cell for each column. Cells without text behind the last column do no harm. */
function isOfWidth(row: readonly string[], header: readonly string[], width: number): boolean {
  return row.length >= width && (row.length <= header.length || !row.slice(header.length).some(hasText));
}

function hintAboutCells(row: readonly string[], width: number, delimiter: Delimiter): string {
  const one = DELIMITER_NAMES[delimiter];
  if (row.length > width) return `Put a cell that contains a ${one} in quotes.`;
  if (/^(<{7}|={7}|>{7}|\|{7})/.test(row[0] ?? '')) return 'It is an unresolved merge conflict: keep the rows of one side.';
  return `Write a ${one} for each empty cell.`;
}

function rawTableOfCsv(
  { header, rows, delimiter }: CsvTable,
  file: string,
  locate: (row: number, column: number) => SourceLocation,
): RawTable {
  const columnOf = new Map(header.flatMap((name, index) => (name === '' ? [] : [[name, index]])));
  const width = widthOf(header);
  const locateColumn = (row: number, name: string) => locate(row, columnOf.get(name) ?? 0);
  const rowOf = (cells: readonly string[], row: number): RawRow => ({
    argument: (name, type) => {
      const column = columnOf.get(name);
      const text = column === undefined ? '' : (cells[column] ?? '');
      if (column === undefined || text === '') return undefined;
      const value = valueOfCell(text, type);
      if (value === undefined) return { invalid: text, location: locate(row, column) };
      const cell: Cell = { file, row, column, delimiter };
      return { value, text: () => text, locate: () => locate(row, column), placeOf: () => cell };
    },
    placeOf: (name) => {
      const column = columnOf.get(name);
      return column === undefined ? undefined : { file, row, column, delimiter };
    },
    locate: () => locate(row, 0),
    locateColumn: (name) => locateColumn(row, name),
  });
  return {
    columns: [...columnOf.keys()],
    locateColumn: (name) => locateColumn(-1, name),
    rows: rows.flatMap((cells, row) => (isOfWidth(cells, header, width) ? [rowOf(cells, row)] : [])),
  };
}

/** Reports columns that nothing uses, that are variables as well, and parameters without a column. Returns whether rows can be read. */
function reportColumns(
  table: RawTable,
  keyNames: ReadonlySet<string>,
  path: Path,
  template: Template,
  { vars, report }: TableContext,
): boolean {
  const { params, name } = template;
  const columns = new Set(table.columns);
  const at = (column: string, finding: UnlocatedFinding): TableFinding => ({ finding, location: table.locateColumn(column) });
  const unknownInKey = [...keyNames].filter((each) => !columns.has(each) && vars.get(each) === undefined);
  const hasBrokenKey = unknownInKey.length > 0 || keyNames.size === 0;
  // A column that seems unused may be meant by the key.
  const unknown = hasBrokenKey ? [] : table.columns.filter((column) => !params.has(column) && !keyNames.has(column));
  const shadowing = table.columns.filter((column) => !params.has(column) && vars.get(column) !== undefined);
  const missing = [...params.values()].filter((each) => each.fallback === undefined && !columns.has(each.name));
  const found: readonly TableFinding[] = [
    ...unknown.map((column) => at(column, unknownParameter(column, template, path))),
    ...shadowing.map((column) => at(column, namedLikeVariable(column, path))),
    ...(missing.length === 0 ? [] : [{ finding: missingColumns(missing, table, name, path) }]),
    ...unknownInKey.map((each) => ({
      finding: errorFinding(
        'unknown-variable',
        [...path, 'key'],
        `\`key\` uses \`${each}\`, which is no column`,
        `The columns are ${firstNames(table.columns)}.`,
      ),
    })),
    ...(keyNames.size > 0 ? [] : [{ finding: keyWithoutColumn(table, path) }]),
  ];
  for (const each of found) report(each);
  return found.length === 0;
}

function keyWithoutColumn({ columns }: RawTable, path: Path): UnlocatedFinding {
  const hint = `Write the name of a column, for example "\${${columns[0] ?? 'name'}}".`;
  return errorFinding('invalid-value', [...path, 'key'], '`key` names no column, so every row would have the same key', hint);
}

function missingColumns(missing: readonly Parameter[], table: RawTable, template: string, path: Path): UnlocatedFinding {
  const finding = missingParameter(
    missing.map(({ name }) => name),
    template,
    [...path, 'template'],
  );
  const lists = missing.filter(({ type }) => type === 'entries').map(({ name }) => name);
  const hint =
    lists.length > 0
      ? `A list cannot come from a cell: give \`${lists.join('`, `')}\` a default in \`params\`.`
      : `The columns are ${firstNames(table.columns)}.`;
  return { ...finding, hint };
}

/** Builds the error about an argument that no parameter takes. */
export function unknownParameter(name: string, { name: templateName, params }: Template, path: Path): UnlocatedFinding {
  const hint = (): string => {
    const near = suggest(name, params);
    return near === undefined ? `Its parameters are ${firstNames(params) || 'none'}.` : `Did you mean \`${near}\`?`;
  };
  return errorFinding('unknown-parameter', path, `the template \`${templateName}\` has no parameter \`${name}\``, hint);
}

/** Returns the arguments of a row; undefined where a value is missing or of another type, which is reported. */
function argumentsOf(row: RawRow, { name, params }: Template, { report }: TableContext): ReadonlyMap<string, Argument> | undefined {
  const args = new Map<string, Argument>();
  let isComplete = true;
  const fail = (finding: UnlocatedFinding, location: SourceLocation) => {
    isComplete = false;
    report({ finding, location });
  };
  for (const parameter of params.values()) {
    const argument = row.argument(parameter.name, parameter.type) ?? defaultOf(parameter, row);
    if (argument === undefined) fail(missingParameter([parameter.name], name, []), row.locateColumn(parameter.name));
    else if ('invalid' in argument) fail(wrongTypeOfArgument(parameter, `\`${argument.invalid}\``, []), argument.location);
    else if (!isOfType(argument.value, parameter.type))
      fail(wrongTypeOfArgument(parameter, JSON.stringify(argument.value), []), argument.locate([], 'value'));
    else args.set(parameter.name, argument);
  }
  return isComplete ? args : undefined;
}

function defaultOf({ name, fallback }: Parameter, row: RawRow): Argument | undefined {
  const place = row.placeOf(name);
  return fallback && (place === undefined ? fallback() : defaultFor(fallback(), place));
}

/** Returns the key of a row; undefined where a column of it is empty, which is reported. */
function keyOf(row: RawRow, keyText: string, columns: readonly string[], { vars, budget, report }: TableContext): string | undefined {
  const cells = new Map(columns.map((name) => [name, row.argument(name, 'string')]));
  const empty = [...cells].filter(([, cell]) => cell === undefined || 'invalid' in cell);
  for (const [name] of empty)
    report({
      finding: errorFinding('missing-parameter', [], `\`key\` needs \`${name}\``, 'Fill the cell.'),
      location: row.locateColumn(name),
    });
  if (empty.length > 0) return undefined;
  const scope: Scope = {
    get: (name) => {
      const cell = cells.get(name);
      return cell !== undefined && !('invalid' in cell) ? cell : vars.get(name);
    },
    keys: () => cells.keys(),
    outer: vars,
  };
  const { value, findings } = expandVariables(keyText, scope, { takesOnlyText: () => true, budget });
  for (const finding of findings.filter(({ code }) => code === 'too-large')) report({ finding });
  return budget.addCharacters(0) ? String(value) : undefined;
}
