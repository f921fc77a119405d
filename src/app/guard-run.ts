import type { GuardRun } from '../core/guards/evaluate.ts';
import { actorOf, ciJobOf } from '../core/ledger/actor.ts';
import { commitMessage } from '../core/ledger/commits.ts';
import type { ConfigRevision } from '../core/model/plan.ts';
import { repositoryOf } from './history/work-tree.ts';
import type { OpenProject } from './run/project.ts';
import type { AppContext } from './run/runtime.ts';

/**
 * Returns what guards know of the run: its command, the commit of its configuration, and what the environment says. Where there is no guard,
 * git is not asked for the message of the commit. @throws GitError
 */
export async function guardRun(
  command: GuardRun['command'],
  config: ConfigRevision | null,
  session: OpenProject,
  io: AppContext,
): Promise<GuardRun> {
  const commit = config && !config.dirty ? config.commit : '';
  const message = commit === '' || session.project.guards.length === 0 ? '' : await commitMessage(await repositoryOf(session, io), commit);
  return { command, ...ciJobOf(io.env), actor: actorOf(io.env).by, commit, message };
}
