import { type Io, interruption } from './io.ts';

/** Longest answer that is waited for, characters. */
const LONGEST = 100;

/** Asks on the terminal, as often as it is called; only `yes` is a yes. Where nobody can be asked, and once interrupted, the answer is no. A member of a fleet has the fleet ask. */
export function questioner(io: Io): (question: string) => Promise<boolean> {
  if (io.fleet) return io.fleet.ask;
  const nextLine = lineReader(io.stdin);
  return async (question) => {
    if (!io.terminal.stdin || !io.terminal.stderr || io.signal.aborted) return false;
    io.stderr.write(`${question} Only \`yes\` is accepted: `);
    const answer = await Promise.race([nextLine(), interruption(io.signal)]);
    if (io.signal.aborted) io.stderr.write('\n');
    return answer?.trim() === 'yes';
  };
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
