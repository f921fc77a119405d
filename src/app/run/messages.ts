/** Messages on stderr: errors, warnings and notes. */

import { firstOf } from '../../core/model/collections.ts';
import { visible } from '../../report/escape.ts';
import { cut } from '../../report/text/layout.ts';
import type { AppContext } from './runtime.ts';

type MessageContext = Pick<AppContext, 'stderr'>;

/** Writes an error and its hint to stderr. */
export function reportError(io: MessageContext, summary: string, hint: string): void {
  writeMessage(io, 'error', summary, hint);
}

/** Writes a warning and its hint to stderr. */
export function warn(io: MessageContext, summary: string, hint: string): void {
  writeMessage(io, 'warning', summary, hint);
}

/** Writes a note to stderr. */
export function info(io: MessageContext, summary: string): void {
  writeMessage(io, 'note', summary, '');
}

function writeMessage(io: MessageContext, level: 'error' | 'warning' | 'note', summary: string, hint: string): void {
  const toLine = (text: string): string => cut(visible(text), MAX_MESSAGE_LENGTH);
  io.stderr.write(`${level}: ${toLine(summary)}\n${hint === '' ? '' : `  hint: ${toLine(hint)}\n`}`);
}

/** Maximum length of a message, characters: foreign text may be arbitrarily long. */
const MAX_MESSAGE_LENGTH = 4_000;

/** Maximum number of clauses of one sentence. */
const MAX_CLAUSES = 5;

/** Joins the first clauses of a list and the number of the remaining ones. */
export function joinClauses(clauses: readonly string[]): string {
  return firstOf(clauses, MAX_CLAUSES).join('; ');
}
