/** Errors of git and the ledger: messages of one line, without credentials. */
import { shellText, unlockCommand } from '../model/command-line.ts';
import { truncate } from '../model/visible-text.ts';

/**
 * The kinds of git errors:
 * - `no-git`: git is not installed
 * - `no-repository`: the folder is not in a git repository, or only in a bare one
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

/** A ledger, or an unpushed entry, that exists and cannot be used. */
export class LedgerError extends Error {
  readonly hint: string;
  /** Whether a newer version of upkeep wrote the entry, so that this one must not be used. */
  readonly isNewer: boolean;

  constructor(message: string, hint: string, isNewer = false) {
    super(message);
    this.name = 'LedgerError';
    this.hint = hint;
    this.isNewer = isNewer;
  }
}

/** Maximum length of a foreign text in a message, in characters. */
const MAX_LENGTH = 300;

/** Maximum length of a text that is searched for credentials, in characters. */
const MAX_SEARCHED = 4_000;

/** Formats a foreign text as one line of at most 300 characters, without control characters and without credentials in URLs. */
export function singleLine(text: string): string {
  const line = maskCredentials(shorten(text)).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ');
  return truncate(line.trim(), MAX_LENGTH);
}

/** Returns the beginning of a very long text, without the word at its end, since a part of a secret may not look like one. */
function shorten(text: string): string {
  return text.length > MAX_SEARCHED ? text.slice(0, MAX_SEARCHED).replace(/\S*$/, '') : text;
}

/** Masks credentials: everything before the last @ of a URL, since a password may contain any character, and tokens in a query. */
function maskCredentials(text: string): string {
  return text
    .replace(/([a-z][a-z0-9+.-]*:\/\/)\S*@/gi, '$1***@')
    .replace(/[^\s:/@'"]+:[^\s/@]+@/g, '***@')
    .replace(/([?&][^=&\s]*(?:token|key|secret|password)[^=&\s]*=)[^&\s'"]+/gi, '$1***');
}

/** A failed call of git. Every call runs under LC_ALL=C, so that the messages of git are in English. */
export interface GitFailure {
  /** The git command, for example `push`. */
  readonly command: string;
  readonly stdout: string;
  readonly stderr: string;
  /** Code of the system error where git could not be started or its output was too large; else null. */
  readonly systemError: string | null;
  /** Timeout in seconds, if the call exceeded it; else null. */
  readonly timedOutAfter: number | null;
}

/** Hint for a rejected push: the permissions that the remote must grant. */
const PERMISSIONS_HINT = 'the remote must let you create, update and delete refs/upkeep/*: look at its hooks, hidden refs and permissions';

/** Patterns in the messages of git, and the error of each; the first match is used. */
const PATTERNS: readonly { readonly pattern: RegExp; readonly code: GitErrorCode; readonly hint: string }[] = [
  {
    pattern: /dubious ownership/,
    code: 'refused',
    hint: 'the repository belongs to another user; if you trust it: git config --global --add safe.directory <its folder>',
  },
  {
    pattern: /cannot use bare repository/,
    code: 'no-repository',
    hint: 'a folder here holds the files of a repository without being called `.git`: remove them, or name the repository with GIT_DIR',
  },
  {
    pattern: /not a git repository|must be run in a work tree/,
    code: 'no-repository',
    hint: 'run it inside a clone, or set `ledger: none` for the target',
  },
  {
    pattern: /transport '\w*' not allowed/,
    code: 'refused',
    hint: 'a ledger repository is reached by https and ssh only, or by a path: look at url.*.insteadOf in your configuration of git',
  },
  { pattern: /does not support --atomic/, code: 'refused', hint: 'the remote must support atomic pushes' },
  {
    pattern: /stale info|fetch first|non-fast-forward/,
    code: 'refused',
    hint: 'somebody else changed the ref meanwhile: another run recorded its apply, or the lock was taken away',
  },
  { pattern: /\[(?:remote )?rejected\]|pre-receive hook|error: 403|[Ww]rite access|denied to/, code: 'refused', hint: PERMISSIONS_HINT },
  {
    pattern: /could not read (?:Username|Password)|Authentication failed|Permission denied|error: 401|terminal prompts disabled|Host key/,
    code: 'unreachable',
    hint: 'the remote asks for credentials: give them to git (credential helper, SSH agent or token); upkeep never prompts for them',
  },
  {
    pattern:
      /not our ref|want \w+ not valid|remote ref .* not found|couldn't find remote ref|unadvertised object|bad object|[Nn]ot a valid (?:object|commit)|[Nn]eeded a single revision/,
    code: 'unknown-commit',
    hint: 'fetch it, or make sure that the remote still has it',
  },
  {
    pattern:
      /[Cc]ould not read from remote|unable to access|does not appear to be a git repository|[Cc]onnection|resolve host|hung up|[Rr]epository .*not found|early EOF/,
    code: 'unreachable',
    hint: 'check the address of the remote, the network, and that your credentials may read it',
  },
];

/** Builds the error for a failed call. */
export function gitErrorOf(failure: GitFailure): GitError {
  const { command, systemError, timedOutAfter } = failure;
  if (systemError === 'ENOENT') return new GitError('no-git', 'the program `git` was not found', 'install git, or put it on the PATH');
  if (timedOutAfter !== null) {
    return new GitError(
      'unreachable',
      `git ${command}: no end after ${timedOutAfter} s`,
      'check the network and the remote, then run again',
    );
  }
  const output = `${failure.stderr}\n${failure.stdout}`;
  const match = PATTERNS.find(({ pattern }) => pattern.test(output));
  const message = `git ${command}: ${messageIn(failure) || systemError || 'failed without a message'}`;
  return new GitError(match?.code ?? 'failed', singleLine(message), match?.hint ?? 'run the same command of git by hand to see more');
}

/** Returns the relevant lines of the output: rejected refs, messages of the remote's hooks, and the last error. */
function messageIn({ stdout, stderr }: GitFailure): string {
  const lines = stderr.split('\n');
  // A ref that was only rejected because of another ref adds no information.
  const rejected = stdout.split('\n').flatMap((line) => /^!\t[^\t]*\t(?!.*atomic (?:push|transaction))(.*)$/.exec(line)?.[1] ?? []);
  const remote = lines.flatMap((line) => /^remote: *(.*?) *$/.exec(line)?.[1] || []);
  const errors = lines.flatMap((line) => /^(?:fatal|error): *(.*)$/.exec(line)?.[1] ?? []);
  const first = errors.filter((line) => !/^failed to push some refs|^Could not read from remote/.test(line)).slice(0, 1);
  const told = [...new Set([...rejected.slice(0, 1), ...remote.slice(0, 3), ...first])].join('; ');
  // Why ssh ended is in the line before.
  const why = lines[lines.findIndex((line) => line.startsWith('fatal: Could not read from remote')) - 1]?.trim();
  return told || (why ? `Could not read from remote repository: ${why}` : errors.join('; ')) || stderr;
}

/** Who holds a lock; fields that cannot be read are `unknown`. */
export interface LockHolder {
  /** ID of the lock for `unlock --id`: the beginning of the hash of its commit. */
  readonly id: string;
  /** Full name of the lock's commit. */
  readonly commit: string;
  readonly by: string;
  /** ISO 8601, UTC. */
  readonly since: string;
  /** The machine, or the address of the CI job. */
  readonly where: string;
  /** The project of the run; null where that is not known. */
  readonly project: string | null;
  /** What it applies; null where that is not known or has no commit. */
  readonly configuration: LockedConfiguration | null;
}

/** The configuration that the holder of a lock applies. */
export interface LockedConfiguration {
  readonly commit: string;
  readonly digest: string;
  /** The commit of a ledger repository that holds its files; null in a project. */
  readonly snapshot: string | null;
}

/** Another run holds the lock. */
export class LockHeldError extends Error {
  readonly holder: LockHolder;
  readonly hint: string;

  /** `project` is `--project` of this run, which the printed command repeats. */
  constructor(target: string, holder: LockHolder, project?: string) {
    const { by, since, where, id } = holder;
    super(`${target} is locked by ${by} since ${since}, from ${where} (lock ${id})`);
    this.name = 'LockHeldError';
    this.holder = holder;
    this.hint = `wait for it (--lock-timeout SECONDS); if that run is dead: ${shellText(unlockCommand({ project }, target, id))}`;
  }
}
