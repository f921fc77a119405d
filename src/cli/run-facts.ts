import type { RunFacts } from '../model/run.ts';
import type { Account } from './account.ts';
import type { Io } from './io.ts';
import type { Remembered } from './memory.ts';

/** What dashboards want to know of a run, as far as it has come. */
export function runFacts(io: Pick<Io, 'now'>, { service }: Account, before: Pick<Remembered, 'last'> | null): RunFacts {
  const { reads, writes, retries } = service.counts;
  const lastApply = before?.last?.entry.at;
  return {
    at: new Date(io.now()).toISOString(),
    requests: reads + writes + retries,
    retries,
    ...(lastApply === undefined ? {} : { lastApply }),
  };
}
