import type { Finding } from '../model/finding.ts';

/** Exit codes, a contract (design section 5). */
export const EXIT = {
  done: 0,
  error: 1,
  changes: 2,
  drift: 3,
  held: 4,
  failed: 5,
  stale: 6,
  credentials: 7,
  invalid: 8,
  locked: 9,
  incomplete: 10,
  interrupted: 130,
} as const;

/** One of the exit codes. */
export type Exit = (typeof EXIT)[keyof typeof EXIT];

/** Which code wins when several apply, strongest first. */
const PRECEDENCE: readonly Exit[] = [130, 8, 7, 10, 9, 6, 5, 4, 1, 3, 2, 0];

/** The exit code of a run to which all of these apply. */
export function strongest(exits: Iterable<Exit>): Exit {
  const all = new Set(exits);
  return PRECEDENCE.find((exit) => all.has(exit)) ?? EXIT.done;
}

/** A run that cannot go on: what happened, and what the user can do now. */
export class Stop extends Error {
  readonly exit: Exit;
  /** Short stable name, as in `error.code` of the JSON documents. */
  readonly code: string;
  readonly hint: string;
  readonly findings: readonly Finding[];

  constructor(exit: Exit, code: string, summary: string, hint: string, findings: readonly Finding[] = []) {
    super(summary);
    this.name = 'Stop';
    this.exit = exit;
    this.code = code;
    this.hint = hint;
    this.findings = findings;
  }
}
