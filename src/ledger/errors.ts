/** What can go wrong between upkeep and git, in one line each, free of credentials. */
import { truncate } from '../model/visible-text.ts';

/**
 * What went wrong with git:
 * - `no-git`: there is no such program
 * - `no-repository`: the folder is in none
 * - `no-remote`: the repository knows no remote of that name
 * - `unreachable`: the remote did not answer, or let nobody in
 * - `refused`: somebody said no: the remote to a push, or git to a repository of another user
 * - `unknown-commit`: a commit, branch or name that is nowhere to be found
 * - `failed`: anything else
 */
export type GitErrorCode = 'no-git' | 'no-repository' | 'no-remote' | 'unreachable' | 'refused' | 'unknown-commit' | 'failed';

/** A fault of git or of the remote. No cause is kept: git's own text may hold credentials. */
export class GitError extends Error {
  readonly code: GitErrorCode;
  /** What the user can do now. */
  readonly hint: string;

  constructor(code: GitErrorCode, message: string, hint: string) {
    super(message);
    this.name = 'GitError';
    this.code = code;
    this.hint = hint;
  }
}

/** A ledger, or a record kept for it, that is there and cannot be used. */
export class LedgerError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = 'LedgerError';
    this.hint = hint;
  }
}

/** Longest foreign text in a message, characters. */
const LONGEST = 300;

/** Nobody reads further, and masking stays cheap; characters. */
const LONGEST_READ = 4_000;

/** A foreign text as one line of at most 300 characters, without control characters and without the credentials of its URLs. */
export function singleLine(text: string): string {
  const line = masked(shortened(text)).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ');
  return truncate(line.trim(), LONGEST);
}

/** The beginning of a very long text, without the word that the cut would split: its end may be what shows it to be a secret. */
function shortened(text: string): string {
  return text.length > LONGEST_READ ? text.slice(0, LONGEST_READ).replace(/\S*$/, '') : text;
}

/** Everything before the last @ of a URL counts as credentials, since a password may hold any character; so do tokens in a query. */
function masked(text: string): string {
  return text
    .replace(/([a-z][a-z0-9+.-]*:\/\/)\S*@/gi, '$1***@')
    .replace(/[^\s:/@'"]+:[^\s/@]+@/g, '***@')
    .replace(/([?&][^=&\s]*(?:token|key|secret|password)[^=&\s]*=)[^&\s'"]+/gi, '$1***');
}
