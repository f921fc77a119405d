/** A repository without git: each call gets the answer of a script, and is recorded. */
import type { GitCall } from '../../../src/core/ledger/git-process.ts';
import type { Repository } from '../../../src/core/ledger/repository.ts';

/** One call: its arguments, and its options where it had any. */
export type RecordedCall = readonly [args: readonly string[], call?: GitCall];

/** Answers a call with an output, or with the error with which it fails. */
export type Script = (args: readonly string[], call: GitCall, count: number) => string | Buffer | Error;

/** Returns a repository whose calls of git end as the script says, and the list of the calls. */
export function scriptedGit(script: Script, shallow = false): { readonly repository: Repository; readonly calls: readonly RecordedCall[] } {
  const calls: RecordedCall[] = [];
  const answer = (args: readonly string[], call?: GitCall): Buffer => {
    calls.push(call === undefined ? [args] : [args, call]);
    const found = script(args, call ?? {}, calls.length);
    if (found instanceof Error) throw found;
    return Buffer.from(found);
  };
  const repository: Repository = {
    folder: '/project',
    prefix: '',
    shallow,
    nameLength: 40,
    localFolder: '/records',
    run: async (args, call) => answer(args, call),
    runSync: answer,
  };
  return { repository, calls };
}
