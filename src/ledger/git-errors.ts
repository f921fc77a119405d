/** Converts failed calls of git to errors. Every call runs under LC_ALL=C, so the messages of git are in English. */
import { GitError, type GitErrorCode, singleLine } from './errors.ts';

/** A failed call of git. */
export interface GitFailure {
  /** The git command, for example `push`. */
  readonly command: string;
  readonly stdout: string;
  readonly stderr: string;
  /** Code of the system error, where the program could not even be started or its output not be held; else null. */
  readonly system: string | null;
  /** Seconds after which the call was given up; null where it ended by itself. */
  readonly gaveUpAfter: number | null;
}

/** The permissions that the remote must grant; named whenever it rejects a push. */
const ALLOW = 'the remote must let you create, update and delete refs/upkeep/*: look at its hooks, hidden refs and permissions';

/** Patterns in the messages of git, and the error of each; the first match is used. */
const SIGNS: readonly { readonly sign: RegExp; readonly code: GitErrorCode; readonly hint: string }[] = [
  {
    sign: /dubious ownership/,
    code: 'refused',
    hint: 'the repository belongs to another user; if you trust it: git config --global --add safe.directory <its folder>',
  },
  {
    sign: /not a git repository|must be run in a work tree/,
    code: 'no-repository',
    hint: 'run it inside a clone, or set `ledger: none` for the target',
  },
  { sign: /does not support --atomic/, code: 'refused', hint: 'the remote must support atomic pushes' },
  {
    sign: /stale info|fetch first|non-fast-forward/,
    code: 'refused',
    hint: 'somebody else changed the ref meanwhile: another run recorded its apply, or the lock was taken away',
  },
  { sign: /\[(?:remote )?rejected\]|pre-receive hook|error: 403|[Ww]rite access|denied to/, code: 'refused', hint: ALLOW },
  {
    sign: /could not read (?:Username|Password)|Authentication failed|Permission denied|error: 401|terminal prompts disabled|Host key/,
    code: 'unreachable',
    hint: 'the remote asks for credentials: give them to git (credential helper, SSH agent or token); upkeep never prompts for them',
  },
  {
    sign: /not our ref|remote ref .* not found|couldn't find remote ref|unadvertised object|bad object|[Nn]ot a valid (?:object|commit)|[Nn]eeded a single revision/,
    code: 'unknown-commit',
    hint: 'fetch it, or make sure that the remote still has it',
  },
  {
    sign: /[Cc]ould not read from remote|unable to access|does not appear to be a git repository|[Cc]onnection|resolve host|hung up|[Rr]epository .*not found|early EOF/,
    code: 'unreachable',
    hint: 'check the address of the remote, the network, and that your credentials may read it',
  },
];

/** Builds the error for a failed call. */
export function gitErrorOf(failure: GitFailure): GitError {
  const { command, system, gaveUpAfter } = failure;
  if (system === 'ENOENT') return new GitError('no-git', 'the program `git` was not found', 'install git, or put it on the PATH');
  if (gaveUpAfter !== null) {
    return new GitError('unreachable', `git ${command}: no end after ${gaveUpAfter} s`, 'check the network and the remote, then run again');
  }
  const said = `${failure.stderr}\n${failure.stdout}`;
  const found = SIGNS.find(({ sign }) => sign.test(said));
  const message = `git ${command}: ${sentence(failure) || system || 'failed without a word'}`;
  return new GitError(found?.code ?? 'failed', singleLine(message), found?.hint ?? 'run the same command of git by hand to see more');
}

/** Returns the relevant lines of the output: rejected refs, messages of the remote's hooks, and the last error. */
function sentence({ stdout, stderr }: GitFailure): string {
  const lines = stderr.split('\n');
  // A ref that was only rejected because of another ref adds no information.
  const rejected = stdout.split('\n').flatMap((line) => /^!\t[^\t]*\t(?!.*atomic (?:push|transaction))(.*)$/.exec(line)?.[1] ?? []);
  const remote = lines.flatMap((line) => /^remote: *(.*?) *$/.exec(line)?.[1] || []);
  const complaints = lines.flatMap((line) => /^(?:fatal|error): *(.*)$/.exec(line)?.[1] ?? []);
  const own = complaints.filter((line) => !/^failed to push some refs|^Could not read from remote/.test(line)).slice(0, 1);
  return [...new Set([...rejected.slice(0, 1), ...remote.slice(0, 3), ...own])].join('; ') || complaints.join('; ') || stderr;
}
