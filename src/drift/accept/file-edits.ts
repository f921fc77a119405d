/** From what the sources are to say to files with other content. */
import { posix } from 'node:path';
import type { ProjectFiles } from '../../config/desired-state.ts';
import type { DesiredStateWithSources } from '../../config/desired-state-with-sources.ts';
import { linesOf } from '../../config/yaml/text.ts';
import { composeYaml } from '../../config/yaml/yaml.ts';
import type { JsonObject } from '../../model/json.ts';
import { type DocumentEdit, editsPerDocument, NotEditable } from './document-edits.ts';
import { edited, lineEnd, type TextEdit, withoutLines } from './text-edits.ts';
import type { AcceptRequest, FileEdit } from './verify-edits.ts';
import { editsOf } from './yaml-edit.ts';

/** The files that have to change so that the sources say `is`, and name no asset that is gone. @throws Unwritable */
export function editFiles(
  tree: ProjectFiles,
  before: DesiredStateWithSources,
  is: JsonObject,
  asked: readonly AcceptRequest[],
): readonly FileEdit[] {
  const byFile = new Map<string, DocumentEdit[]>();
  for (const revised of editsPerDocument(before, is)) byFile.set(revised.part.file, [...(byFile.get(revised.part.file) ?? []), revised]);
  const lines = new Map<string, number[]>();
  for (const { desired, live } of asked) {
    if (live === null && desired.inFile) lines.set(desired.inFile.file, [...(lines.get(desired.inFile.file) ?? []), desired.inFile.line]);
  }
  return [
    ...[...byFile].map(([file, revised]) => amended(tree, file, (text) => yamlEdits(file, text, revised))),
    ...[...lines].map(([file, gone]) => amended(tree, file, (text) => lineEdits(text, gone))),
  ];
}

function amended(tree: ProjectFiles, file: string, editsIn: (text: string) => readonly TextEdit[]): FileEdit {
  if ((tree.real?.(file) ?? file) !== posix.normalize(file))
    throw new NotEditable(`${file} is reached through a link`, 'edit the file itself by hand');
  if (file.split('/').includes('.git')) throw new NotEditable(`${file} belongs to git`, 'edit the sources by hand');
  const before = tree.read(file);
  const text = new TextDecoder().decode(before);
  const edits = editsIn(text);
  const result = edited(text, edits);
  if (result === undefined) throw new NotEditable(`${file} is written in a way that cannot be edited in place`, 'edit it by hand');
  const mark = text.length < new TextDecoder('utf-8', { ignoreBOM: true }).decode(before).length ? '\ufeff' : '';
  return { file, before, after: new TextEncoder().encode(mark + result), lines: linesIn(text, edits) };
}

function yamlEdits(file: string, text: string, revised: readonly DocumentEdit[]): readonly TextEdit[] {
  const roots = composeYaml(text);
  const eol = /\r\n/.test(text.slice(0, lineEnd(text, 0) + 2)) ? '\r\n' : '\n';
  return revised.flatMap(({ part, was, is }) => {
    const root = roots[part.document];
    const edits = root ? editsOf({ text, eol }, root, was, is) : null;
    if (edits === null) throw new NotEditable(`${file} is written in a way that cannot be edited in place`, 'edit it by hand');
    return edits;
  });
}

/** Lines of a text file, from 1, are taken away. */
function lineEdits(text: string, gone: readonly number[]): readonly TextEdit[] {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return gone.map((line) => {
    const start = starts[line - 1] ?? 0;
    return withoutLines(text, start, lineEnd(text, start));
  });
}

/** Where the edits stand once they are made. */
function linesIn(text: string, edits: readonly TextEdit[]): readonly number[] {
  const lines = linesOf(text);
  let shift = 0;
  const found = edits
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .map(({ start, end, text: put }) => {
      const first = /^\r?\n/.test(put) ? 1 : 0;
      const at = lines.at(start).line + shift + first;
      shift += (put.match(/\n/g)?.length ?? 0) - (text.slice(start, end).match(/\n/g)?.length ?? 0);
      return at;
    });
  return [...new Set(found)];
}
