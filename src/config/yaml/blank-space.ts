/** Skips white space, comments and document marks between the nodes of a YAML text. */

/**
 * Returns the offset of the first character from `start` that is not white space, a comment, one of `others` or a document mark. Written
 * without a regular expression, which would need memory for each line of a text that contains nothing else.
 */
export function pastBlank(text: string, start: number, others?: string): number {
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === HASH) at = lineEnd(text, at);
    else if (code === SPACE || (code >= TAB && code <= CARRIAGE_RETURN)) at += 1;
    else if (others === undefined || Number.isNaN(code)) return at;
    else if (others.includes(text.charAt(at))) at += 1;
    else if (isDocumentEnd(text, at) || isDocumentStart(text, at)) at += 3;
    else return at;
  }
}

const [TAB, CARRIAGE_RETURN, SPACE, HASH] = [0x09, 0x0d, 0x20, 0x23];

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** Decides whether an end-of-document mark (`...`) is at an offset. */
export function isDocumentEnd(text: string, at: number): boolean {
  return isMark(text, at, '...');
}

function isDocumentStart(text: string, at: number): boolean {
  return isMark(text, at, '---');
}

function isMark(text: string, at: number, mark: string): boolean {
  return text.startsWith(mark, at) && (at === 0 || text.charAt(at - 1) === '\n') && /^(?:\s|$)/.test(text.charAt(at + 3));
}
