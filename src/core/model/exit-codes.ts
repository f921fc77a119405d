/** Exit codes, a contract (design section 5, exit codes). */
export const EXIT_CODES = {
  done: 0,
  error: 1,
  changes: 2,
  drift: 3,
  blocked: 4,
  failed: 5,
  stale: 6,
  credentials: 7,
  invalid: 8,
  locked: 9,
  incomplete: 10,
  interrupted: 130,
} as const;

/** One of the exit codes. */
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

/** The meaning of each exit code, for the help and the documentation. */
export const EXIT_CODE_MEANINGS: { readonly [code in ExitCode]: string } = {
  0: 'done, or nothing to do',
  1: 'error',
  2: 'changes are pending (`plan --detailed-exitcode`)',
  3: 'drift',
  4: 'held back: blocked by a safety check, waits, or not confirmed',
  5: 'some changes failed, or the service does not show them yet',
  6: 'the saved plan is stale: the account or the configuration has changed',
  7: 'credentials or permission refused',
  8: 'invalid configuration or usage',
  9: 'another run holds the lock',
  10: 'a kind could not be read completely, or the service cannot be reached',
  130: 'interrupted',
};

/** The precedence of exit codes when several apply, highest first. */
export const PRECEDENCE: readonly ExitCode[] = [130, 8, 7, 10, 9, 6, 5, 4, 1, 3, 2, 0];

/** Returns the exit code with the highest precedence; 0 for none. */
export function highestPrecedence(exits: Iterable<ExitCode>): ExitCode {
  const all = new Set(exits);
  return PRECEDENCE.find((exit) => all.has(exit)) ?? EXIT_CODES.done;
}

/** Decides whether a command with this exit code did not do its work. Changes, drift and what is held back are results. */
export function isFailure(exit: number): boolean {
  return ![EXIT_CODES.done, EXIT_CODES.changes, EXIT_CODES.drift, EXIT_CODES.blocked].some((result) => result === exit);
}
