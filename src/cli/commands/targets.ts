import type { Exit } from '../exit.ts';
import type { Io } from '../io.ts';
import type { GlobalOptions } from '../options.ts';
import { chosenTargets, openSession } from '../session.ts';
import { reported } from './shared.ts';

/** `targets`: the targets of upkeep.yaml. */
export function targets(io: Io, options: GlobalOptions): Promise<Exit> {
  return reported(io, options, {}, async () => {
    const session = openSession(io, options);
    const chosen = options.target.length === 0 ? session.project.targets : chosenTargets(session, options.target);
    return [{ type: 'targets', targets: chosen.map(({ name, baseUrl, ownership, ledger }) => ({ name, baseUrl, ownership, ledger })) }];
  });
}
