/** Errors of git and the ledger: messages of one line, without credentials. */
import { truncate } from '../model/visible-text.ts';

/**
 * The kinds of git errors:
 * - `no-git`: git is not installed
 * - `no-repository`: the folder is not in a git repository
 * - `no-remote`: the repository has no remote of that name
 * - `unreachable`: the remote did not respond, or denied access
 * - `refused`: the remote rejected a push, or git rejected a repository of another user
 * - `unknown-commit`: a commit, branch or name does not exist
 * - `failed`: anything else
 */
export type GitErrorCode = 'no-git' | 'no-repository' | 'no-remote' | 'unreachable' | 'refused' | 'unknown-commit' | 'failed';

/** An error of git or of the remote, without `cause`, since the text of git may contain credentials. */
export class GitError extends Error {
  readonly code: GitErrorCode;
  /** How the user can fix it. */
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

/** Maximum length of a foreign text in a message, in characters. */
const LONGEST = 300;

/** Maximum length of a text that is searched for credentials, in characters. */
const LONGEST_READ = 4_000;

/** Formats a foreign text as one line of at most 300 characters, without control characters and without credentials in URLs. */
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
