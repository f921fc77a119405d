import { type CommentOptions, postPlans } from '../../app/pull-request-comments.ts';
import type { AppContext } from '../../app/run/runtime.ts';
import { EXIT_CODES, type ExitCode } from '../../core/model/exit-codes.ts';

/** Runs `comment`: posts saved plans on a pull request. */
export async function commentCommand(io: AppContext, options: CommentOptions): Promise<ExitCode> {
  await postPlans(io, options);
  return EXIT_CODES.done;
}
