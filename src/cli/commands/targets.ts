import { CliError, EXIT_CODES, type ExitCode } from '../../app/exit-codes.ts';
import { sharedTargets } from '../../app/for-each-target.ts';
import type { ShardOptions } from '../../app/options.ts';
import { namedTargets, openProject } from '../../app/project.ts';
import type { CliContext } from '../../app/runtime.ts';
import { reporting } from '../../app/with-reports.ts';

/** Most jobs of a matrix, by the documentation of GitHub Actions ("Running variations of jobs in a workflow"). */
const MOST_JOBS = 256;

/** Runs `targets`: lists the targets of upkeep.yaml, all, the named ones, or those of a shard. */
export function targets(io: CliContext, options: ShardOptions): Promise<ExitCode> {
  return reporting(io, options, async (reports) => {
    const named = sharedTargets(io, namedTargets(openProject(io, options), options.target), options);
    if ([options, ...options.out].some(({ format }) => format === 'github-matrix')) refuseMany(named.length);
    reports.add({ type: 'targets', targets: named.map(({ name, baseUrl, ownership, ledger }) => ({ name, baseUrl, ownership, ledger })) });
    return [];
  });
}

/** @throws CliError */
function refuseMany(count: number): void {
  if (count <= MOST_JOBS) return;
  const summary = `a matrix has at most ${MOST_JOBS} jobs, and these are ${count} targets`;
  throw new CliError(EXIT_CODES.invalid, 'matrix', summary, 'use a matrix of shards, each with `--shard i/n`, or name fewer targets');
}
