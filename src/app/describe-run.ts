import type { RunMetadata } from '../model/run-metadata.ts';
import type { LoadedState } from './load-state.ts';
import type { ApiConnection } from './plan-target.ts';
import type { CliContext } from './runtime.ts';

/** What dashboards want to know of a run, as far as it has come. */
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
