import { EXIT, type Exit, Stop } from '../exit.ts';
import type { Io } from '../io.ts';
import type { ShardOptions } from '../options.ts';
import { namedTargets, openSession } from '../session.ts';
import { sharedTargets } from './for-each-target.ts';
import { reporting } from './reporting.ts';

/** Most jobs of a matrix, by the documentation of GitHub Actions ("Running variations of jobs in a workflow"). */
const MOST_JOBS = 256;

/** `targets`: the targets of upkeep.yaml, all or those that are named, or the part of them that a shard takes. */
export function targets(io: Io, options: ShardOptions): Promise<Exit> {
  return reporting(io, options, async (reports) => {
    const named = sharedTargets(io, namedTargets(openSession(io, options), options.target), options);
    if ([options, ...options.out].some(({ format }) => format === 'github-matrix')) refuseMany(named.length);
    reports.add({ type: 'targets', targets: named.map(({ name, baseUrl, ownership, ledger }) => ({ name, baseUrl, ownership, ledger })) });
    return [];
  });
}

/** @throws Stop */
function refuseMany(count: number): void {
  if (count <= MOST_JOBS) return;
  const summary = `a matrix has at most ${MOST_JOBS} jobs, and these are ${count} targets`;
  throw new Stop(EXIT.invalid, 'matrix', summary, 'use a matrix of shards, each with `--shard i/n`, or name fewer targets');
}
