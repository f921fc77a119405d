/**
 * Text diffs. Only this file imports package `diff`, and only the parts used, since the whole takes longer to load than a short report to
 * render.
 */
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff/lib/patch/create.js';
import { finish, visible } from '../escape.ts';
import type { PaintText, Style } from './colors.ts';

export { diffArrays } from 'diff/lib/diff/array.js';

/** Returns the unified diff of two versions of a file, in the form that `git apply` accepts. */
export function unifiedDiff(file: string, before: string, after: string): string {
  return createTwoFilesPatch(`a/${file}`, `b/${file}`, before, after, undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  });
}

const STYLES: readonly (readonly [start: RegExp, style: Style])[] = [
  [/^(?:---|\+\+\+|@@)/, 'quiet'],
  [/^-/, 'removed'],
  [/^\+/, 'added'],
];

/** Renders the lines of a unified diff, escaped and painted. */
export function diffLines(diff: string, paint: PaintText): readonly string[] {
  return diff
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => paint(STYLES.find(([start]) => start.test(line))?.[1] ?? 'plain', visible(line)));
}

/** Renders unified diffs as text, escaped; empty if there are none. */
export function diffText(diffs: readonly string[]): string {
  return diffs.length === 0 ? '' : finish(diffs.flatMap((diff) => diffLines(diff, (_tone, text) => text)));
}
