/** Why an operation failed: unusable flags or environment variables, a refused token, an interrupt by the user, or anything else. */
export type CodeHostErrorCategory = 'usage' | 'credentials' | 'interrupted' | 'failed';

/** An operation on a code host that failed, and what the user can do now. */
export class CodeHostError extends Error {
  readonly category: CodeHostErrorCategory;
  /** Short stable name, as in `error.code` of the JSON documents. */
  readonly code: string;
  readonly hint: string;
  /** The HTTP status of the response; null without one. */
  readonly status: number | null;

  constructor(category: CodeHostErrorCategory, code: string, summary: string, hint: string, status: number | null = null) {
    super(summary);
    this.name = 'CodeHostError';
    this.category = category;
    this.code = code;
    this.hint = hint;
    this.status = status;
  }
}

/** Creates the error for a response that cannot be used; `reason` is a clause. */
export function unusableResponse(operation: string, reason: string): CodeHostError {
  return new CodeHostError(
    'failed',
    'host-answer',
    `${operation}: the answer cannot be used: ${reason}`,
    'check that the address is that of the API, and not of a proxy or a page',
  );
}
