/** What listing the applies of a long ledger takes. */
import { expect, test } from 'vitest';
import { declarationsBy } from '../../../src/app/history/entry-declarations.ts';
import { listApplies } from '../../../src/app/history/ledger-history.ts';
import type { LedgerEntry } from '../../../src/core/ledger/entry.ts';
import type { LedgerRemote } from '../../../src/core/ledger/remote.ts';
import { entry, ledgerOf, newClone, putEntries } from '../../core/ledger/repositories.ts';
import { aSong, desiredStateOf } from '../../support/planning.ts';

const COUNT = 2_000;

/** A ledger of many entries, of which every hundredth changed `playlist/rare`, with the calls of git and the loads that its readers make. */
async function longLedger(configOf: (index: number) => LedgerEntry['config']) {
  const { at, url } = await newClone();
  const bindings = { 'playlist/rare': { id: '1', origin: 'created' }, 'playlist/often': { id: '2', origin: 'created' } } as const;
  const entries = Array.from({ length: COUNT }, (_, index) =>
    entry({
      config: configOf(index),
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
  const loads: string[] = [];
  const read = declarationsBy(async (_entry, commit) => {
    loads.push(commit);
    return { desiredState: desiredStateOf([{ ...aSong('rare'), address: 'playlist/rare' }]) };
  });
  return { ledger: ledgerOf({ ...at, repository: { ...at.repository, run } }), calls, read, loads };
}

const digest = (index: number) => `sha256:${index.toString(16).padStart(64, '0')}`;
const commitAt = (index: number) => index.toString(16).padStart(40, '0');

test('the history of an address starts git a few times for thousands of entries, and less often for the newest changes', async () => {
  const { ledger, calls, read } = await longLedger(() => ({ commit: null, digest: digest(0) }));
  const { entries } = await listApplies({ ledger }, { address: 'playlist/rare' }, read);
  expect(entries).toHaveLength(COUNT / 100);
  expect(calls.length).toBeLessThan(60);
  const before = calls.length;
  const newest = await listApplies({ ledger }, { address: 'playlist/often', limit: 3 }, read);
  expect(newest).toMatchObject({ entries: [{}, {}, {}], more: true });
  expect(calls.length - before).toBeLessThan(30);
});

test('the history of an address loads each configuration once, and none where entries declare the same', async () => {
  const distinct = await longLedger((index) => ({ commit: commitAt(index), digest: digest(index) }));
  await listApplies(distinct, { address: 'playlist/*' }, distinct.read);
  expect([distinct.loads.length, new Set(distinct.loads).size]).toEqual([COUNT, COUNT]);
  const equal = await longLedger((index) => ({
    commit: commitAt(index),
    digest: digest(index),
    declared: digest(Math.floor(index / 500)),
  }));
  await listApplies(equal, { address: 'playlist/rare' }, equal.read);
  expect(equal.loads).toHaveLength(COUNT / 500);
});

test.each<[string, Parameters<typeof listApplies>[1], number]>([
  ['no address is asked for', {}, 0],
  ['nothing has the asked address', { address: 'playlist/none' }, 0],
  ['somebody else applied', { address: 'playlist/rare', actor: 'eve' }, 0],
  ['older ones are not asked for', { address: 'playlist/rare', since: { text: '2999-01-01', time: Date.parse('2999-01-01') } }, 0],
  ['the newest ones are enough', { address: 'playlist/often', limit: 2 }, 4],
])('the history of an address loads no configuration, or few, where %s', async (_why, filters, most) => {
  const { ledger, read, loads } = await longLedger((index) => ({ commit: commitAt(index), digest: digest(index) }));
  await listApplies({ ledger }, filters, read);
  expect(loads.length).toBeLessThanOrEqual(most);
});
