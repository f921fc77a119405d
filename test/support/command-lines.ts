/** The last command lines of a test, so that one that fails can show how they ended. */

/** How many of them are shown: a property runs thousands. */
const SHOWN = 5;
const MAX_STDERR = 4_000;

const lines: string[] = [];

/** Remembers how a command line ended until the test ends. */
export function rememberCommandLine(argv: readonly string[], { code, stderr }: { readonly code: number; readonly stderr: string }): void {
  const written = stderr.length > MAX_STDERR ? `...${stderr.slice(-MAX_STDERR)}` : stderr;
  lines.push(`upkeep ${argv.join(' ')}\n  exit code ${code}, stderr:\n${written.trimEnd().replace(/^/gm, '    ')}`);
  if (lines.length > SHOWN) lines.shift();
}

/** Forgets the command lines of the test that ended. Returns what a failed test shows of them; an empty text where there were none. */
export function takeCommandLines(): string {
  return lines.splice(0).join('\n');
}
