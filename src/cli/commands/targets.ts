import type { Exit } from '../exit.ts';
import type { Io } from '../io.ts';
import type { TargetOptions } from '../options.ts';
import { namedTargets, openSession } from '../session.ts';
import { reporting } from './reporting.ts';

/** `targets`: the targets of upkeep.yaml, all or those that are named. */
export function targets(io: Io, options: TargetOptions): Promise<Exit> {
  return reporting(io, options, async (reports) => {
    const named = namedTargets(openSession(io, options), options.target);
    reports.add({ type: 'targets', targets: named.map(({ name, baseUrl, ownership, ledger }) => ({ name, baseUrl, ownership, ledger })) });
    return [];
  });
}
