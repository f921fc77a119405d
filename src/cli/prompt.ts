import type { Question } from '../app/apply-preconditions.ts';
import { waitForInterrupt } from '../app/run/runtime.ts';
import { visible } from '../report/escape.ts';
import { indent, pad, wrap } from '../report/text/layout.ts';
import type { CliContext } from './status-line.ts';

/** Maximum length of an answer, characters. */
const MAX_ANSWER_LENGTH = 100;

/** Minimum width that is assumed, columns. */
const MIN_WIDTH = 60;

/** Minimum width of the labels with the space behind them, columns. */
const LABEL_WIDTH = 10;

/**
 * Creates a prompt on the terminal. It returns true only for the confirming answer of the question; without a terminal and when
 * interrupted it returns false.
 */
export function createPrompt(io: CliContext): (question: Question) => Promise<boolean> {
  const nextLine = lineReader(io.stdin);
  return async (question) => {
    if (!io.terminal.stdin || !io.terminal.stderr || io.signal.aborted) return false;
    io.line.ask(promptText(question, Math.max(MIN_WIDTH, io.terminal.columns)));
    const answer = await Promise.race([nextLine(), waitForInterrupt(io.signal)]);
    if (io.signal.aborted) io.line.abandon();
    else io.line.answered();
    return answer?.trim() === question.yes;
  };
}

/** Formats the prompt: the question, the facts in two columns, and the accepted answer. */
function promptText({ question, facts, yes }: Question, width: number): string {
  const labelWidth = Math.max(LABEL_WIDTH, ...facts.map(([label]) => label.length + 2));
  const lines = facts.flatMap(([label, text]) => {
    const [first = '', ...more] = wrap(visible(text), width - labelWidth - 2);
    return [`  ${pad(label, labelWidth)}${first}`, ...indent(more, labelWidth + 2)];
  });
  const accepted = yes === 'yes' ? '`yes`' : `the name of the target, \`${yes}\`,`;
  return `${[visible(question), ...lines].join('\n')}\nOnly ${accepted} is accepted: `;
}

/** Creates a reader that returns one line per call. It opens the input on the first call; the rest of a chunk is kept for the next call. */
export function lineReader(input: AsyncIterable<string | Uint8Array>): () => Promise<string> {
  const decoder = new TextDecoder();
  let chunks: AsyncIterator<string | Uint8Array> | undefined;
  let rest = '';
  return async () => {
    chunks ??= input[Symbol.asyncIterator]();
    while (!rest.includes('\n') && rest.length <= MAX_ANSWER_LENGTH) {
      const { value, done } = await chunks.next();
      if (done) break;
      rest += typeof value === 'string' ? value : decoder.decode(value, { stream: true });
    }
    const [line = '', ...others] = rest.split('\n');
    rest = others.join('\n');
    return line;
  };
}
