/** The scratch objects of a probe are removed; an object of the customer never is. */
import { expect, test } from 'vitest';
import type { ScratchObject } from '../../src/core/kinds/probe.ts';
import { createProbeService } from '../../src/probe/exchange.ts';
import { openScratchJournal, removeScratch } from '../../src/probe/scratch.ts';
import { PLAIN_CONNECTION } from './plain-connection.ts';

const NAME = 'ab'.repeat(16);
const KNOWN: ScratchObject = { kind: 'policy', name: NAME, id: 'known' };

/** A service whose list of policies is empty, and which shows a policy of a given name by its ID, until it is deleted. */
function serviceShowing(policyName: string) {
  const deleted: string[] = [];
  const service = createProbeService({
    transport: {
      exchange: async ({ method, path }) => {
        const isOne = path.includes('/known');
        if (method === 'DELETE') deleted.push(path);
        const configs = isOne && deleted.length === 0 ? [{ _id: 'known', policy_name: policyName }] : [];
        return { status: 200, bytes: Buffer.from(JSON.stringify({ error: 0, configs })), header: () => undefined };
      },
    },
    ...PLAIN_CONNECTION,
  });
  return { service, deleted };
}

function journalWith(object: ScratchObject) {
  const lines: string[] = [];
  const journal = openScratchJournal({
    read: () => lines.join('\n'),
    append: (line) => {
      lines.push(line);
    },
    clear: () => {
      lines.length = 0;
    },
  });
  journal.intend(object);
  return journal;
}

test('a scratch object that the list lacks is removed by its ID where it shows the random name', async () => {
  const { service, deleted } = serviceShowing(`${NAME} probe`);
  expect(await removeScratch(service, journalWith(KNOWN), () => false)).toEqual([]);
  expect(deleted).toHaveLength(1);
});

test('an object with the ID of a scratch object and another name is not removed', async () => {
  const { service, deleted } = serviceShowing('the policy of a customer');
  expect(await removeScratch(service, journalWith(KNOWN), () => false)).toEqual([KNOWN]);
  expect(deleted).toEqual([]);
});
