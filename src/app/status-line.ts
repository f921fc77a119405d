import { visible } from '../report/escape.ts';
import { clip } from '../report/text/layout.ts';
import type { Runtime, StatusLine, TextWriter } from './runtime.ts';

/** Minimum width, columns: a terminal that reports less reports a wrong width. */
const NARROWEST = 20;

/** Moves to the first column and clears the line (ECMA-48: CR, EL 2). */
export const ERASE = '\r\u001b[2K';

/** Wraps the streams with a status line below them: other output to the terminal first clears the line, or ends the line of a prompt. */
export function withStatusLine({
  stdout,
  stderr,
  terminal,
  env,
}: Pick<Runtime, 'stdout' | 'stderr' | 'terminal' | 'env'>): Pick<Runtime, 'stdout' | 'stderr'> & { readonly line: StatusLine } {
  const isThere = terminal.stderr && env.TERM !== 'dumb';
  let isDrawn = false;
  let isAsked = false;
  const erase = (): void => {
    if (isDrawn) stderr.write(ERASE);
    isDrawn = false;
  };
  const abandon = (): void => {
    if (isAsked) stderr.write('\n');
    isAsked = false;
  };
  const over = (sink: TextWriter): TextWriter => ({
    write(text) {
      erase();
      abandon();
      return sink.write(text);
    },
  });
  const line: StatusLine = {
    isThere,
    draw(text) {
      if (!isThere || isAsked) return;
      isDrawn = true;
      stderr.write(ERASE + clip(visible(text), Math.max(NARROWEST, terminal.columns - 1)));
    },
    erase,
    ask(text) {
      erase();
      abandon();
      stderr.write(text);
      isAsked = true;
    },
    answered() {
      isAsked = false;
    },
    abandon,
  };
  return { stdout: terminal.stdout ? over(stdout) : stdout, stderr: over(stderr), line };
}
