/** Random histories of a service whose reads lag behind its writes (design section 4, rule 15). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextState } from '../../../src/core/apply/next-state.ts';
import { buildPlan } from '../../../src/core/plan/build-plan.ts';
import type { SentCreate } from '../../../src/core/state/state.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { record, rounds } from '../../support/figures.ts';
import { applyPlan, aSong, desiredStateOf, planInputOf } from '../../support/planning.ts';
import { EMPTY_LEDGER } from '../../support/previous-states.ts';
import { assertAsyncProperty } from '../../support/property.ts';

const HISTORIES = rounds(150, 5_000);
const BUDGET_MS = 10_000;
const list = ['x', 'y'];

interface Step {
  /** The songs that are declared, with their levels. */
  readonly songs: { readonly [title: string]: number };
  /** How many creates lose their response. */
  readonly losses: number;
  /** How long until the next run, milliseconds. */
  readonly pauseMs: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  songs: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.nat(2), { maxKeys: 3 }),
  losses: fc.nat(2),
  pauseMs: fc.constantFrom(0, 0, 500, 20_000),
});

/** A history. Where responses are lost, reads lag for at most the budget: whether a lost create was made is not known beyond it. */
const history = fc
  .record({ steps: fc.array(step, { minLength: 1, maxLength: 5 }), lagMs: fc.nat(60_000), losesResponses: fc.boolean() })
  .map(({ steps, lagMs, losesResponses }) => ({
    steps: losesResponses ? steps : steps.map((each) => ({ ...each, losses: 0 })),
    lagMs: losesResponses ? lagMs % (BUDGET_MS + 1) : lagMs,
  }));

/** Runs an account through a history with a ledger. Returns functions that run once more, and that tell what runs have done. */
function createRuns(account: FakeAccount) {
  let ledger = EMPTY_LEDGER;
  let sentCreates: ReadonlyMap<string, SentCreate> = new Map();
  const run = async (songs: Step['songs']) => {
    const desiredState = desiredStateOf(Object.entries(songs).map(([title, level]) => aSong(title, { level, list })));
    const settling = account.settling(BUDGET_MS);
    const { state: ledgerState, lastApplied } = ledger;
    const input = planInputOf(account, desiredState, { ledgerState, lastApplied, settling, sentCreates });
    const planResult = await buildPlan(input);
    const open = new Map<string, SentCreate>();
    const journal = {
      recordIntent(addresses: readonly string[]) {
        for (const address of addresses) open.set(address, { id: null, at: '' });
        return null;
      },
      recordResult(addresses: readonly string[]) {
        for (const address of addresses) open.delete(address);
      },
    };
    const done = await applyPlan(account, planResult, { settling, journal });
    const results = new Map(done.outcome.outcomes.map(({ address, result }) => [address, result]));
    const next = nextState(ledger, input, planResult, { results, ids: done.ids, at: '2026-01-01T00:00:00Z' });
    ledger = { ...ledger, ...next, lastApplied: { resources: new Map(), unknownAddresses: new Set(Object.keys(songs)) } };
    sentCreates = open;
    return { changes: planResult.plan.changes, unseen: done.outcome.summary.unseen ?? 0 };
  };
  return { run };
}

test(`in ${HISTORIES} histories with lag no object is made twice, and what is declared is there in the end`, {
  timeout: 600_000,
}, async () => {
  const totals = { histories: 0, unseen: 0, blocked: 0, mostRequests: 0 };
  await assertAsyncProperty(
    fc.asyncProperty(history, async ({ steps, lagMs }) => {
      const account = new FakeAccount();
      account.lagMs = Math.max(1, lagMs);
      const { run } = createRuns(account);
      const titles = () => [...account.songs.values()].map(({ title }) => String(title)).sort();
      for (const { songs, losses, pauseMs } of steps) {
        if (losses > 0) account.fail('POST', { category: 'failed', lost: true }, losses);
        account.requests.length = 0;
        const { changes, unseen } = await run(songs);
        expect(titles()).toEqual([...new Set(titles())]);
        totals.unseen += unseen;
        totals.blocked += changes.filter(({ blocked }) => blocked?.check === 'suspicious-read').length;
        totals.mostRequests = Math.max(totals.mostRequests, account.requests.length);
        account.time += pauseMs;
      }
      const { songs = {} } = steps.at(-1) ?? {};
      for (let quiet = 0; quiet < 4; quiet++) {
        account.time += 100_000;
        // The losses that no create of the history met.
        await run(songs);
      }
      account.time += 100_000;
      expect((await run(songs)).changes).toEqual([]);
      expect(titles()).toEqual(Object.keys(songs).sort());
      totals.histories += 1;
    }),
    { numRuns: HISTORIES },
  );
  const proof = 'reads that lag';
  record({ proof, name: 'histories', value: totals.histories, wanted: `${HISTORIES}`, holds: totals.histories === HISTORIES });
  record({ proof, name: 'changes not seen in time', value: totals.unseen, wanted: 'more than none', holds: totals.unseen > 0 });
  record({ proof, name: 'creates blocked', value: totals.blocked, wanted: 'more than none', holds: totals.blocked > 0 });
  record({ proof, name: 'requests of one run', value: totals.mostRequests, wanted: 'at most 120', holds: totals.mostRequests <= 120 });
  expect([totals.unseen > 0, totals.blocked > 0, totals.mostRequests <= 120]).toEqual([true, true, true]);
});
