import type { Io } from './io.ts';

/** Asks on the terminal; only `yes` is a yes. Without a terminal nobody can be asked, and the answer is no. */
export async function confirmed(io: Io, question: string): Promise<boolean> {
  if (!io.terminal.stdin || !io.terminal.stderr) return false;
  io.stderr.write(`${question} Only \`yes\` is accepted: `);
  return (await firstLine(io)).trim() === 'yes';
}

async function firstLine(io: Io): Promise<string> {
  let text = '';
  for await (const chunk of io.stdin) {
    text += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
    if (text.includes('\n') || text.length > 100) break;
  }
  return text.split('\n')[0] ?? '';
}
