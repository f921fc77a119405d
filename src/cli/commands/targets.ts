import { declaredTarget, standingTargets } from '../../app/list-targets.ts';
import { CliError } from '../../app/run/exit-codes.ts';
import type { ShardOptions } from '../../app/run/options.ts';
import { namedTargets, openProject } from '../../app/run/project.ts';
import { withReports } from '../../app/run/reports.ts';
import type { AppContext } from '../../app/run/runtime.ts';
import { sharedTargets } from '../../app/targets/for-each-target.ts';
import { EXIT_CODES, type ExitCode } from '../../core/model/exit-codes.ts';

/** Maximum number of jobs of a matrix in GitHub Actions ("Running variations of jobs in a workflow"). */
export const MAX_MATRIX_JOBS = 256;

/** Runs `targets`: lists the targets of upkeep.yaml, all, the named ones, or those of a shard. */
export function targetsCommand(io: AppContext, options: ShardOptions): Promise<ExitCode> {
  return withReports(io, options, async (reports) => {
    const session = openProject(io, options);
    const named = sharedTargets(io, namedTargets(session, options.target), options);
    const formats = [options, ...options.out].map(({ format }) => format);
    if (formats.includes('github-matrix')) refuseLargeMatrix(named.length);
    // A matrix needs the names only.
    const isMatrix = formats.every((format) => format === 'github-matrix');
    const { targets, exits } = isMatrix ? { targets: named.map(declaredTarget), exits: [] } : await standingTargets(session, named, io);
    reports.add({ type: 'targets', targets });
    return exits;
  });
}

/** Refuses a matrix that GitHub would reject. @throws CliError */
function refuseLargeMatrix(count: number): void {
  if (count <= MAX_MATRIX_JOBS) return;
  const summary = `a matrix has at most ${MAX_MATRIX_JOBS} jobs, and these are ${count} targets`;
  throw new CliError(EXIT_CODES.invalid, 'matrix', summary, 'use a matrix of shards, each with `--shard i/n`, or name fewer targets');
}
