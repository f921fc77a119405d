/** A service that refuses the key while writing (design section 4, rule 7). */
import { describe, expect, it } from 'vitest';
import { FakeAccount } from '../../support/fake-account.ts';
import { applyPlan, aRule, aSong, desiredStateOf, planFor } from '../../support/planning.ts';

const COUNT = 50;

/** Applies updates of many songs and creates of some policies, while the service refuses the writes of songs with this status. */
async function applyRefused(status: number, times: number) {
  const titles = Array.from({ length: COUNT }, (_, index) => `s${index}`);
  const account = new FakeAccount({ songs: Object.fromEntries(titles.map((title) => [title, { title, level: 0, list: [] }])) });
  const desired = desiredStateOf([...titles.map((title) => aSong(title, { level: 1, list: [] })), aRule('p'), aRule('q')]);
  const planResult = await planFor(account, desired);
  account.requests.length = 0;
  account.fail('PATCH', { category: 'credentials', status }, times);
  const done = await applyPlan(account, planResult, { concurrency: 4 });
  const reasons = new Map<string, number>();
  for (const { result, error, because } of done.outcome.outcomes) {
    const key = `${result}${error === undefined ? '' : ' itself'} ${because ?? ''}`.trim();
    reasons.set(key, (reasons.get(key) ?? 0) + 1);
  }
  return { patches: account.log().filter((line) => line.startsWith('PATCH')).length, reasons: Object.fromEntries(reasons) };
}

describe('a refused key', () => {
  it('ends writing at the second 401, but for the requests that were under way', async () => {
    const { patches, reasons } = await applyRefused(401, COUNT);
    expect(patches).toBeLessThanOrEqual(2 + 4);
    expect(reasons).toMatchObject({
      'failed itself': patches,
      'skipped not sent, because the service refuses the key: it was credentials': COUNT - patches,
    });
  });

  it('does not end writing by one 401 alone', async () => {
    expect((await applyRefused(401, 1)).reasons).toEqual({ 'failed itself': 1, updated: COUNT - 1, created: 2 });
  });

  it('ends the writes of its kind at the first 403, and of no other kind', async () => {
    const { patches, reasons } = await applyRefused(403, COUNT);
    expect(patches).toBeLessThanOrEqual(1 + 4);
    expect(reasons).toMatchObject({ created: 2, 'failed itself': patches });
  });
});
