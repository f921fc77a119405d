import { type CliContext, interruption } from '../app/runtime.ts';
import { visible } from '../report/escape.ts';
import { indent, pad, wrap } from '../report/text/layout.ts';

/** A question about a target. */
export interface Question {
  readonly question: string;
  /** What the user is to know before answering: a word, and what stands beside it. */
  readonly facts: readonly (readonly [word: string, text: string])[];
  /** The one answer that is a yes: `yes`, or the name of the target. */
  readonly yes: string;
}

/** Longest answer that is waited for, characters. */
const LONGEST = 100;

/** Columns of a terminal that are assumed at least. */
const NARROWEST = 60;

/** Columns in which the words of a question's facts stand. */
const WORDS = 10;

/**
 * Asks on the terminal, as often as it is called; only the question's own yes is one. Where nobody can be asked, and once interrupted, the
 * answer is no.
 */
export function createPrompt(io: CliContext): (question: Question) => Promise<boolean> {
  const nextLine = lineReader(io.stdin);
  return async (question) => {
    if (!io.terminal.stdin || !io.terminal.stderr || io.signal.aborted) return false;
    io.line.ask(asked(question, Math.max(NARROWEST, io.terminal.columns)));
    const answer = await Promise.race([nextLine(), interruption(io.signal)]);
    if (io.signal.aborted) io.line.abandon();
    else io.line.answered();
    return answer?.trim() === question.yes;
  };
}

/** `Apply 2 changes to live?`, the facts in two columns, and at the end what is accepted. */
function asked({ question, facts, yes }: Question, width: number): string {
  const lines = facts.flatMap(([word, text]) => {
    const [first = '', ...more] = wrap(visible(text), width - WORDS - 2);
    return [`  ${pad(word, WORDS)}${first}`, ...indent(more, WORDS + 2)];
  });
  const wanted = yes === 'yes' ? '`yes`' : `the name of the target, \`${yes}\`,`;
  return `${[visible(question), ...lines].join('\n')}\nOnly ${wanted} is accepted: `;
}

/** Reads line by line, and nothing before the first line is asked for; what follows a line is kept for the next question. */
export function lineReader(input: AsyncIterable<string | Uint8Array>): () => Promise<string> {
  const decoder = new TextDecoder();
  let chunks: AsyncIterator<string | Uint8Array> | undefined;
  let rest = '';
  return async () => {
    chunks ??= input[Symbol.asyncIterator]();
    while (!rest.includes('\n') && rest.length <= LONGEST) {
      const { value, done } = await chunks.next();
      if (done) break;
      rest += typeof value === 'string' ? value : decoder.decode(value, { stream: true });
    }
    const [line = '', ...others] = rest.split('\n');
    rest = others.join('\n');
    return line;
  };
}
