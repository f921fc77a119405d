/** What listing the applies of a long ledger takes. */
import { expect, test } from 'vitest';
import { listApplies } from '../../../src/app/history/ledger-history.ts';
import type { LedgerRemote } from '../../../src/core/ledger/remote.ts';
import { entry, ledgerOf, newClone, putEntries } from '../../core/ledger/repositories.ts';

const COUNT = 2_000;

/** A ledger of many entries, of which every hundredth changed `playlist/rare`, with the calls of git that its readers make. */
async function longLedger() {
  const { at, url } = await newClone();
  const bindings = { 'playlist/rare': { id: '1', origin: 'created' }, 'playlist/often': { id: '2', origin: 'created' } } as const;
  const entries = Array.from({ length: COUNT }, (_, index) =>
    entry({
      bindings,
      outcomes: [{ address: index % 100 === 0 ? 'playlist/rare' : 'playlist/often', result: 'updated', tookMs: 1 }],
    }),
  );
  putEntries(url, entries);
  const calls: unknown[] = [];
  const run: LedgerRemote['repository']['run'] = (args, call) => {
    calls.push(args);
    return at.repository.run(args, call);
  };
  return { ledger: ledgerOf({ ...at, repository: { ...at.repository, run } }), calls };
}

test('the history of an address starts git a few times for thousands of entries, and less often for the newest changes', async () => {
  const { ledger, calls } = await longLedger();
  const { entries } = await listApplies({ ledger }, { address: 'playlist/rare' });
  expect(entries).toHaveLength(COUNT / 100);
  expect(calls.length).toBeLessThan(60);
  const before = calls.length;
  expect(await listApplies({ ledger }, { address: 'playlist/often', limit: 3 })).toMatchObject({ entries: [{}, {}, {}], more: true });
  expect(calls.length - before).toBeLessThan(30);
});
