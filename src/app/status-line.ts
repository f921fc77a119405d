import { visible } from '../report/escape.ts';
import { clip } from '../report/text/layout.ts';
import type { Runtime, StatusLine, TextWriter } from './runtime.ts';

/** Columns that are left at least: a terminal that says less does not know. */
const NARROWEST = 20;

/** Back to the first column, and the line emptied (ECMA-48: CR, EL 2). */
export const ERASE = '\r\u001b[2K';

/** The streams with such a line under them: whatever else is written to the terminal takes the line away first, so that nothing ever stands beside its remains, nor behind a question. */
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
