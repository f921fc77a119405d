import type { GuardRun } from '../core/guards/evaluate.ts';
import { actorOf, ciJobOf } from '../core/ledger/actor.ts';
import type { ConfigRevision } from '../core/model/plan.ts';
import type { AppContext } from './run/runtime.ts';

/** Returns what guards know of the run: its command, the commit of its configuration, and what the environment says. */
export function guardRun(command: GuardRun['command'], config: ConfigRevision | null, { env }: Pick<AppContext, 'env'>): GuardRun {
  return { command, ...ciJobOf(env), actor: actorOf(env).by, commit: config && !config.dirty ? config.commit : '' };
}
