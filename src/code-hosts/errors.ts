import { CliError, EXIT_CODES, type ExitCode } from '../app/exit-codes.ts';

/** A code host that does not do what it is asked for. `status` is that of its answer; null where there was none. */
export class CodeHostError extends CliError {
  readonly status: number | null;

  constructor(exit: ExitCode, code: string, summary: string, hint: string, status: number | null) {
    super(exit, code, summary, hint);
    this.name = 'CodeHostError';
    this.status = status;
  }
}

/** The error for an answer that lacks something: `what` names it. */
export function unusable(doing: string, what: string): CodeHostError {
  const summary = `${doing}: the answer cannot be used: ${what}`;
  return new CodeHostError(
    EXIT_CODES.error,
    'host-answer',
    summary,
    'check that the address is that of the API, and not of a proxy or a page',
    null,
  );
}
