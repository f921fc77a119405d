import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../src/engine/plan.ts';
import { type Selection, select } from '../../src/engine/select.ts';
import type { Plan } from '../../src/model/plan.ts';
import { FakeAccount } from './fake-account.ts';
import { aRule, aSong, declaring, planned, target, theDial } from './runs.ts';

const declaration = declaring([aSong('a', { guard: 2 }), aSong('b'), aRule('p'), theDial(true, [])]);
const account = () => new FakeAccount({ songs: { one: { title: 'a', guard: 0, list: ['x', 'y'] } } });

/** The plan as it comes back from a file. */
async function saved(): Promise<Plan> {
  return JSON.parse(JSON.stringify((await planned(account(), declaration)).plan));
}

function stale(selection: Selection): string {
  return 'stale' in selection ? selection.stale.join('\n') : 'not stale';
}

function chosen(selection: Selection): string[] {
  return 'steps' in selection ? selection.steps.map(({ change }) => change.address) : ['stale'];
}

describe('select', () => {
  it('takes a plan that stands unchanged as a whole', async () => {
    const selection = select(await saved(), await planned(account(), declaration));
    expect(chosen(selection)).toEqual(['rule/p', 'song/a', 'song/b', 'dial']);
    expect(selection).toMatchObject({ leftAlone: [] });
  });

  it('leaves other differences alone, and names them', async () => {
    const now = account();
    now.rules.set('r', { name: 'extra', strength: 1 });
    const selection = select(await saved(), await planned(now, declaration));
    expect(chosen(selection)).toEqual(['rule/p', 'song/a', 'song/b', 'dial']);
    expect(selection).toMatchObject({ leftAlone: ['rule/~r'] });
  });

  it('goes by the brakes of now, not by those of the file', async () => {
    const now = await planned(account(), declaration, { target: { ...target, loosening: 'hold' } });
    const selection = select(await saved(), now);
    expect('steps' in selection && selection.steps.at(-1)?.change.held?.brake).toBe('loosening');
  });

  it('tells which field of a change moved', async () => {
    const now = account();
    now.songs.set('one', { title: 'a', guard: 1, list: ['x', 'y'] });
    expect(stale(select(await saved(), await planned(now, declaration)))).toBe('song/a: /guard planned 0 -> 2, now 1 -> 2');
  });

  it('tells which field came or went', async () => {
    const now = account();
    now.songs.set('one', { title: 'a', guard: 2, list: ['x'] });
    const text = stale(select(await saved(), await planned(now, declaration)));
    expect(text).toBe('song/a: /guard planned 0 -> 2, now untouched; /list planned untouched, now ["x"] -> ["x","y"]');
  });

  it('tells what is done already, and what would be done now instead', async () => {
    const now = account();
    now.songs.clear();
    now.rules.set('r', { name: 'p', strength: 1 });
    const text = stale(select(await saved(), await planned(now, declaration)));
    expect(text).toMatchInlineSnapshot(`
      "rule/p: planned was create; now there is nothing to do
      song/a: planned was update; now it would be create"
    `);
  });

  it('tells that an object was replaced by an equal one', async () => {
    const now = account();
    now.songs.clear();
    now.songs.set('other', { title: 'a', guard: 0, list: ['x', 'y'] });
    expect(stale(select(await saved(), await planned(now, declaration)))).toBe('song/a: its requests are not those that were planned');
  });

  it('tells that a kind could not be read, or was not', async () => {
    const now = account();
    now.fail('GET /songs', { fault: 'failed' });
    expect(stale(select(await saved(), await planned(now, declaration)))).toMatchInlineSnapshot(`
      "song/a: planned was update; now song is incomplete
      song/b: planned was create; now song is incomplete"
    `);
    const only = await planned(account(), declaration, { only: ['song/*'] });
    expect(stale(select(await saved(), only))).toMatchInlineSnapshot(`
      "rule/p: planned was create; now rule is skipped
      dial: planned was update; now dial is skipped"
    `);
  });

  it('refuses the plan of another target, base URL or owner', async () => {
    const plan = await saved();
    const now = await planned(account(), declaration, { owner: 'somebody' });
    expect(stale(select(plan, now))).toBe(
      'the plan does not match its own fingerprint: it was edited, or made for another base URL or owner',
    );
    expect(stale(select({ ...plan, target: 'production' }, now))).toBe('the plan is for target production, not stage');
    const moved = await planned(account(), declaration, { target: { ...target, baseUrl: 'https://other.example.com' } });
    expect(stale(select(plan, moved))).toBe(
      'the plan does not match its own fingerprint: it was edited, or made for another base URL or owner',
    );
  });

  it('refuses a file that was edited', async () => {
    const plan = await saved();
    const now = await planned(account(), declaration);
    const [first, ...rest] = plan.changes;
    if (!first) throw new Error('no change');
    expect(stale(select({ ...plan, changes: rest }, now))).toBe(
      'the plan does not match its own fingerprint: it was edited, or made for another base URL or owner',
    );
    expect(stale(select({ ...plan, changes: [...plan.changes, { ...first, digest: 'sha256:other' }] }, now))).toBe(
      'the plan does not match its own fingerprint: it was edited, or made for another base URL or owner',
    );
    const harmless = { ...first, fields: [] };
    expect(stale(select({ ...plan, changes: [harmless, ...rest] }, now))).toBe(
      'rule/p: the plan was edited, or repeats a secret, which was hidden in it',
    );
    expect(stale(select({ ...plan, changes: [{ ...first, address: 'rule/q' }, ...rest] }, now))).toBe(
      'rule/q: the plan was edited, or repeats a secret, which was hidden in it',
    );
    expect(stale(select({ ...plan, changes: [{ ...first, action: 'delete' }, ...rest] }, now))).toBe(
      'rule/p: the plan was edited, or repeats a secret, which was hidden in it',
    );
  });

  it('takes a part of a plan whose fingerprint was drawn again', async () => {
    const plan = await saved();
    const now = await planned(account(), declaration);
    const changes = plan.changes.slice(0, 1);
    const part = {
      ...plan,
      changes,
      fingerprint: fingerprint(
        now.context,
        changes.map(({ digest }) => digest),
      ),
    };
    const selection = select(part, now);
    expect(chosen(selection)).toEqual(['rule/p']);
    expect(selection).toMatchObject({ leftAlone: ['song/a', 'song/b', 'dial'] });
  });
});
