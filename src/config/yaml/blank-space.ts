/** What stands between the nodes of a YAML text. */

/**
 * Offset of the first character, from `start` on, that is no white space, no comment, none of `others`, and no mark between documents. By hand:
 * a regular expression would need memory for each line of a text that is nothing else.
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

/** Whether a document ends here, by a mark of its own. */
export function isDocumentEnd(text: string, at: number): boolean {
  return isMark(text, at, '...');
}

function isDocumentStart(text: string, at: number): boolean {
  return isMark(text, at, '---');
}

function isMark(text: string, at: number, mark: string): boolean {
  return text.startsWith(mark, at) && (at === 0 || text.charAt(at - 1) === '\n') && /^(?:\s|$)/.test(text.charAt(at + 3));
}
