import type { RunMetadata } from '../model/run-metadata.ts';
import type { LoadedState } from './load-state.ts';
import type { ApiConnection } from './plan-target.ts';
import type { CliContext } from './runtime.ts';

/** Returns the metadata of a run for dashboards: request counts, retries and the time of the last apply. */
export function describeRun(
  io: Pick<CliContext, 'now'>,
  { service }: ApiConnection,
  before: Pick<LoadedState, 'last'> | null,
): RunMetadata {
  const { reads, writes, retries } = service.counts;
  const lastApply = before?.last?.entry.at;
  return {
    at: new Date(io.now()).toISOString(),
    requests: reads + writes + retries,
    retries,
    ...(lastApply === undefined ? {} : { lastApply }),
  };
}
