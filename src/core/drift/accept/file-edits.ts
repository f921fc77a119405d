/** Turns edits of documents into edited files. */
import { posix } from 'node:path';
import { cellRanges, writeCell } from '../../config/expand/csv.ts';
import { composeYaml } from '../../config/yaml/syntax-nodes.ts';
import { linesOf } from '../../config/yaml/text.ts';
import { groupBy } from '../../model/collections.ts';
import type { ProjectFiles } from '../../model/project-files.ts';
import { type CellEdit, type DocumentEdit, NotEditable, type SourceEdits } from './document-edits.ts';
import { applyTextEdits, lineEnd, removeLinesAt, type TextEdit } from './text-edits.ts';
import type { AcceptRequest, FileEdit } from './verify-edits.ts';
import { editsOf } from './yaml-edit.ts';

/** Returns the edited files, in which no asset file lists a removed asset any more. @throws NotEditable */
export function editFiles(files: ProjectFiles, { documents, cells }: SourceEdits, requests: readonly AcceptRequest[]): readonly FileEdit[] {
  const byFile = new Map<string, DocumentEdit[]>();
  for (const edit of documents) byFile.set(edit.part.file, [...(byFile.get(edit.part.file) ?? []), edit]);
  const removedLines = new Map<string, number[]>();
  for (const { desired, live } of requests) {
    if (live === null && desired.textFilePosition)
      removedLines.set(desired.textFilePosition.file, [
        ...(removedLines.get(desired.textFilePosition.file) ?? []),
        desired.textFilePosition.line,
      ]);
  }
  return [
    ...[...byFile].map(([file, documentEdits]) => editFile(files, file, (text) => yamlEdits(file, text, documentEdits))),
    ...[...groupBy(cells, ({ cell }) => cell.file)].map(([file, edits]) => editFile(files, file, (text) => cellEdits(text, edits))),
    ...[...removedLines].map(([file, lines]) => editFile(files, file, (text) => removeLines(text, lines))),
  ];
}

function editFile(files: ProjectFiles, file: string, editsIn: (text: string) => readonly TextEdit[]): FileEdit {
  if ((files.resolve?.(file) ?? file) !== posix.normalize(file))
    throw new NotEditable(`${file} is reached through a link`, 'edit the file itself by hand');
  if (file.split('/').includes('.git')) throw new NotEditable(`${file} belongs to git`, 'edit the sources by hand');
  const before = files.read(file);
  const text = new TextDecoder().decode(before);
  const edits = editsIn(text);
  const result = applyTextEdits(text, edits);
  if (result === undefined) throw new NotEditable(`${file} is written in a way that cannot be edited in place`, 'edit it by hand');
  const byteOrderMark = text.length < new TextDecoder('utf-8', { ignoreBOM: true }).decode(before).length ? '\ufeff' : '';
  return { file, before, after: new TextEncoder().encode(byteOrderMark + result), lines: linesIn(text, edits) };
}

function yamlEdits(file: string, text: string, documentEdits: readonly DocumentEdit[]): readonly TextEdit[] {
  const roots = composeYaml(text);
  const eol = /\r\n/.test(text.slice(0, lineEnd(text, 0) + 2)) ? '\r\n' : '\n';
  return documentEdits.flatMap(({ part, was, is }) => {
    const root = roots[part.index];
    const edits = root ? editsOf({ text, eol }, root, was, is) : null;
    if (edits === null) throw new NotEditable(`${file} is written in a way that cannot be edited in place`, 'edit it by hand');
    return edits;
  });
}

/** Returns the edits of a CSV file. A quoted cell stays quoted. */
function cellEdits(text: string, edits: readonly CellEdit[]): readonly TextEdit[] {
  return [...groupBy(edits, ({ cell }) => cell.delimiter)].flatMap(([delimiter, ofTable]) => {
    const rangeOf = cellRanges(text, delimiter);
    return ofTable.map(({ cell, text: value }) => {
      const { start, end } = rangeOf(cell.row, cell.column);
      return { start, end, text: writeCell(value, text[start] === '"', delimiter) };
    });
  });
}

/** Returns the edits that remove lines of a text file, counted from 1. */
function removeLines(text: string, lines: readonly number[]): readonly TextEdit[] {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return lines.map((line) => {
    const start = starts[line - 1] ?? 0;
    return removeLinesAt(text, start, lineEnd(text, start));
  });
}

function linesIn(text: string, edits: readonly TextEdit[]): readonly number[] {
  const lines = linesOf(text);
  let shift = 0;
  const found = edits
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .map(({ start, end, text: inserted }) => {
      const leadingBreak = /^\r?\n/.test(inserted) ? 1 : 0;
      const line = lines.at(start).line + shift + leadingBreak;
      shift += (inserted.match(/\n/g)?.length ?? 0) - (text.slice(start, end).match(/\n/g)?.length ?? 0);
      return line;
    });
  return [...new Set(found)];
}
