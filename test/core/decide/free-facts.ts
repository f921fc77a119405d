/** Facts of a run that nothing holds back; a test gives what it is about. */
import { type Facts, NO_STAGES } from '../../../src/core/decide/facts.ts';
import type { Change } from '../../../src/core/model/change.ts';
import { NO_OVERRIDES } from '../../../src/core/safety/overrides.ts';

type Planned = NonNullable<Facts['plan']>;

/** Returns a plan that sends a request for each change that is not blocked. */
export function planOf(changes: readonly Change[], more: Partial<Planned> = {}): Planned {
  const requests = changes
    .filter(({ blocked }) => blocked === null)
    .map(({ address }) => ({ method: 'PATCH', path: '/', body: {}, addresses: [address] }) as const);
  return { changes, requests, fingerprint: 'sha256:plan', ...more };
}

/** All that decides a run, where nothing holds it back and nobody goes on with it by a command. */
export const FREE_FACTS: Facts = {
  moment: 'planned',
  now: 0,
  target: 'live',
  plan: planOf([]),
  differs: { known: [] },
  commit: { known: null },
  branch: { known: null },
  stages: { known: NO_STAGES },
  windows: { known: [] },
  lock: { known: 'held' },
  answer: { known: 'yes' },
  overrides: NO_OVERRIDES,
  skipsHeld: false,
  commands: null,
};
