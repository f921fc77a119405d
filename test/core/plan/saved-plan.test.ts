import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/core/model/plan.ts';
import { planFingerprint } from '../../../src/core/plan/plan-document.ts';
import { risksOf } from '../../../src/core/plan/risks.ts';
import { type HideSecrets, type SavedPlanCheck, verifySavedPlan } from '../../../src/core/plan/saved-plan.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { dial, rule } from '../../support/fake-kinds.ts';
import { aRule, aSong, desiredStateOf, only, planFor, target, theDial } from '../../support/planning.ts';

const desiredState = desiredStateOf([aSong('a', { level: 2 }), aSong('b'), aRule('p'), theDial(true, [])]);
const account = () => new FakeAccount({ songs: { 'id-1': { title: 'a', level: 0, list: ['x', 'y'] } } });

/** The plan as it comes back from a file. */
async function saved(): Promise<Plan> {
  return JSON.parse(JSON.stringify((await planFor(account(), desiredState)).plan));
}

function stale(selection: SavedPlanCheck): string {
  return 'stale' in selection ? selection.stale.join('\n') : 'not stale';
}

function chosen(selection: SavedPlanCheck): string[] {
  return 'changes' in selection ? selection.changes.map(({ change }) => change.address) : ['stale'];
}

/** Returns a plan with the risks of its changes. */
function withVerdict(plan: Plan): Plan {
  return { ...plan, risks: risksOf('plan', plan) };
}

describe('verifySavedPlan', () => {
  it('accepts a plan that is unchanged', async () => {
    const selection = verifySavedPlan(await saved(), await planFor(account(), desiredState));
    expect(chosen(selection)).toEqual(['rule/p', 'song/a', 'song/b', 'dial']);
    expect(selection).toMatchObject({ notInPlan: [] });
  });

  it('leaves other changes alone, and names them', async () => {
    const now = account();
    now.rules.set('r', { name: 'extra', strength: 1 });
    const selection = verifySavedPlan(await saved(), await planFor(now, desiredState));
    expect(chosen(selection)).toEqual(['rule/p', 'song/a', 'song/b', 'dial']);
    expect(selection).toMatchObject({ notInPlan: ['rule/~r'] });
  });

  it('refuses a plan that shows a change as free that is blocked now', async () => {
    const now = await planFor(account(), desiredState, { target: { ...target, weakening: 'block' } });
    expect(stale(verifySavedPlan(await saved(), now))).toMatch(
      /^dial: it is shown as free, and is blocked now by safety check `weakening`: /,
    );
  });

  it('accepts a change that was blocked and still is, and one whose safety check is overridden now', async () => {
    const blocking = { ...target, weakening: 'block' } as const;
    const blocked = await planFor(account(), desiredState, { target: blocking });
    const plan: Plan = JSON.parse(JSON.stringify(blocked.plan));
    expect(chosen(verifySavedPlan(plan, blocked))).toEqual(['rule/p', 'song/a', 'song/b', 'dial']);
    const overrides = { deletes: 0, checks: new Set(['weakening'] as const) };
    const overridden = await planFor(account(), desiredState, { target: blocking, overrides });
    expect(chosen(verifySavedPlan(plan, overridden))).toEqual(['rule/p', 'song/a', 'song/b', 'dial']);
    expect(stale(verifySavedPlan(plan, await planFor(account(), desiredState)))).toBe(
      'dial: it is shown as blocked by safety check `weakening`, which does not block it now',
    );
  });

  it('refuses names of assets that are not those of the catalog now', async () => {
    const named = (name: string) => desiredStateOf([{ ...aSong('b'), kindData: { names: { x: name, z: 'unused' } } }]);
    const now = await planFor(new FakeAccount(), named('the film'));
    const plan: Plan = JSON.parse(JSON.stringify(now.plan));
    expect(plan.assetNames).toEqual({ x: 'the film' });
    expect(chosen(verifySavedPlan(plan, now))).toEqual(['song/b']);
    for (const renamed of [
      await planFor(new FakeAccount(), named('another film')),
      await planFor(new FakeAccount(), desiredStateOf([aSong('b')])),
    ])
      expect(stale(verifySavedPlan(plan, renamed))).toBe('its names of assets are not those of the catalog');
  });

  it('refuses ignored fields whose last day or reason is another one now', async () => {
    const declared = { file: 'a.yaml', line: 7, column: 3 };
    const ignoring = (more: { readonly until?: string; readonly why?: string }) =>
      desiredStateOf([{ ...aSong('a', { list: ['z', 'w'] }), ignored: ['/level', '/title'].map((path) => ({ path, ...more, declared })) }]);
    const plan: Plan = JSON.parse(JSON.stringify((await planFor(account(), ignoring({ until: '2027-03-31', why: 'editors' }))).plan));
    const staleNow = async (more: { readonly until?: string; readonly why?: string }) =>
      stale(verifySavedPlan(plan, await planFor(account(), ignoring(more))));
    const shown = '["/level","2027-03-31","editors"], ["/title","2027-03-31","editors"]';
    const text = (now: string) => `song/a: what is left to others is shown as ${shown}, and is ${now} now`;
    expect(await staleNow({ until: '2027-03-31', why: 'editors' })).toBe('not stale');
    expect(await staleNow({ why: 'editors' })).toBe(text('["/level",null,"editors"], ["/title",null,"editors"]'));
    expect(await staleNow({ until: '2027-03-31' })).toBe(text('["/level","2027-03-31",null], ["/title","2027-03-31",null]'));
  });

  it('refuses a list of overrides that does not fit its changes, also where this run overrides the same checks', async () => {
    const overrides = { deletes: 0, checks: new Set(['weakening'] as const) };
    const now = await planFor(account(), desiredState, { target: { ...target, weakening: 'block' }, overrides });
    const plan: Plan = JSON.parse(JSON.stringify(now.plan));
    expect(plan.overrides).toEqual([{ check: 'weakening', count: 1 }]);
    expect(chosen(verifySavedPlan(plan, now))).toEqual(['rule/p', 'song/a', 'song/b', 'dial']);
    const { overrides: _overrides, ...without } = plan;
    const refingerprinted = (overridden: Plan['overrides'] = []) =>
      planFingerprint(
        now.context,
        plan.changes.map(({ digest }) => digest),
        { overrides: overridden },
      );
    expect(stale(verifySavedPlan(without, now))).toContain('does not match its own fingerprint');
    const more = [{ check: 'weakening', count: 2 }] as const;
    for (const edited of [
      { ...without, fingerprint: refingerprinted() },
      { ...plan, overrides: more, fingerprint: refingerprinted(more) },
    ])
      expect(stale(verifySavedPlan(edited, now))).toBe('its overrides are not those of its changes');
  });

  it('refuses a change that is shown as blocked, unless it is still blocked or its check is overridden now', async () => {
    const blocking = { target: { ...target, weakening: 'block' } } as const;
    const plan: Plan = JSON.parse(JSON.stringify((await planFor(account(), desiredState, blocking)).plan));
    const still = verifySavedPlan(plan, await planFor(account(), desiredState, blocking));
    expect('changes' in still && still.changes.at(-1)?.change.blocked?.check).toBe('weakening');
    const overrides = { deletes: 0, checks: new Set(['weakening'] as const) };
    const overridden = verifySavedPlan(plan, await planFor(account(), desiredState, { ...blocking, overrides }));
    expect('changes' in overridden && overridden.changes.at(-1)?.change.blocked).toBeNull();
    expect(stale(verifySavedPlan(plan, await planFor(account(), desiredState)))).toBe(
      'dial: it is shown as blocked by safety check `weakening`, which does not block it now',
    );
  });

  it('names each statement of the plan about a change that is not true now', async () => {
    const plan = await saved();
    const now = await planFor(account(), desiredState);
    const edited = (edit: (change: Plan['changes'][number]) => object) =>
      stale(verifySavedPlan({ ...plan, changes: plan.changes.map((change) => ({ ...change, ...edit(change) })) }, now));
    expect(edited(({ address }) => (address === 'dial' ? { effect: 'neutral' } : {}))).toBe(
      'dial: effect is shown as neutral, and is weakens now',
    );
    const stops = { playback: 'stops', text: 'it stops' } as const;
    expect(edited(({ address }) => (address === 'dial' ? { playback: 'stops', playbackReasons: [stops] } : {}))).toBe(
      'dial: the effect on playback is shown as stops (it stops), and is neutral now',
    );
    expect(edited(({ address }) => (address === 'dial' ? { playback: 'gains' } : {}))).toBe(
      'dial: playback is shown as gains, and is neutral now',
    );
    expect(edited(({ address }) => (address === 'dial' ? { phase: 'update' } : {}))).toBe(
      'dial: phase is shown as update, and is weaken now',
    );
    expect(edited(({ address }) => (address === 'song/a' ? { movedFrom: 'song/z' } : {}))).toBe(
      'song/a: movedFrom is shown as song/z, and is none now',
    );
    expect(
      edited(({ address, fields }) => (address === 'dial' ? { fields: fields.map((each) => ({ ...each, reasons: [] })) } : {})),
    ).toMatch(/^dial: the effect of \/open is shown as weakens, and is weakens because .* now/);
  });

  it('does not compare what devices notice, which depends on more than the changes of the plan', async () => {
    const plan = await saved();
    const stops = {
      playback: 'stops',
      text: 'TV plays nothing any more',
      devices: [{ device: 'tv', name: 'TV', system: 'widevine' }],
    } as const;
    const shown = plan.changes.map((change) => ({ ...change, playback: 'stops' as const, playbackReasons: [stops] }));
    const now = await planFor(account(), desiredState);
    expect(verifySavedPlan(withVerdict({ ...plan, changes: shown }), now)).toHaveProperty('changes');
    expect(stale(verifySavedPlan({ ...plan, changes: shown }, now))).toBe('its risks are not those of its changes');
  });

  it('reports that the plan lacks a statement about a change', async () => {
    const adopting = desiredStateOf([aSong('a', { level: 2 })], { 'song/a': 'id-1' });
    const now = await planFor(account(), adopting);
    const plan: Plan = JSON.parse(JSON.stringify(now.plan));
    const adopts = (change: Plan['changes'][number]) => ('adopts' in change ? change.adopts : undefined);
    expect(plan.changes.map(adopts)).toEqual(['id-1']);
    expect(chosen(verifySavedPlan(plan, now))).toEqual(['song/a']);
    const changes = plan.changes.flatMap((change) => {
      if (change.action !== 'update') return [];
      const { adopts: _adopts, ...rest } = change;
      return [rest];
    });
    expect(stale(verifySavedPlan({ ...plan, changes }, now))).toBe('song/a: adopts is shown as none, and is id-1 now');
  });

  it('refuses a change that lacks the reasons of an effect', async () => {
    const plan = await saved();
    const changes = plan.changes.map((change) => ({ ...change, fields: change.fields.map(({ reasons: _reasons, ...field }) => field) }));
    expect(stale(verifySavedPlan({ ...plan, changes }, await planFor(account(), desiredState)))).toBe(
      'song/a: the effect of /level is shown as strengthens, and is strengthens because level rises to 2 now\n' +
        'dial: the effect of /open is shown as weakens, and is weakens because the dial opens now',
    );
  });

  it('refuses values of a field that are not those of the change', async () => {
    const plan = await saved();
    const now = await planFor(account(), desiredState);
    const edited = (edit: { readonly before?: string; readonly after?: string; readonly path?: string }) => {
      const changes = plan.changes.map((each) =>
        each.address === 'dial' ? { ...each, fields: each.fields.map((field) => ({ ...field, ...edit })) } : each,
      );
      return stale(verifySavedPlan({ ...plan, changes }, now));
    };
    const text = 'dial: the plan was edited, or it contained a secret, which was redacted when it was saved';
    expect([edited({ before: 'x' }), edited({ after: 'x' }), edited({ path: '/x' })]).toEqual([text, text, text]);
  });

  it('refuses waves in another order than that of the changes, and accepts gaps between the numbers of waves', async () => {
    const plan = await saved();
    const now = await planFor(account(), desiredState);
    const waved = (waveOf: (wave: number) => number) =>
      verifySavedPlan({ ...plan, changes: plan.changes.map((change) => ({ ...change, wave: waveOf(change.wave) })) }, now);
    expect(new Set(plan.changes.map(({ wave }) => wave)).size).toBeGreaterThan(2);
    expect(chosen(waved((wave) => 3 * wave + 1))).toEqual(['rule/p', 'song/a', 'song/b', 'dial']);
    expect(stale(waved((wave) => 9 - wave))).toBe('its waves are not those of its changes');
  });

  it('refuses requests, a summary and a cost that do not follow from the changes', async () => {
    const plan = await saved();
    const now = await planFor(account(), desiredState);
    const edited = (edit: Partial<Plan>) => stale(verifySavedPlan({ ...plan, ...edit }, now));
    expect(edited({ requests: plan.requests.slice(1) })).toBe('its requests are not those of its changes');
    expect(edited({ requests: plan.requests.map((request) => ({ ...request, path: '/other' })) })).toBe(
      'its requests are not those of its changes',
    );
    expect(edited({ summary: { ...plan.summary, update: 7 } })).toBe('its summary does not count its changes');
    expect(edited({ cost: { ...plan.cost, writes: 0 } })).toBe('its cost does not count its requests');
    expect(edited({ assetNames: { stranger: 'a trusted film' } })).toBe('its names of assets are not those of the catalog');
    expect(edited({ changes: plan.changes.toReversed() })).toBe('its changes are not in the order in which they are planned');
    expect(edited({ changes: plan.changes.map((change) => ({ ...change, wave: 0 })) })).toBe('its waves are not those of its changes');
  });

  it('reports which field of a change differs', async () => {
    const now = account();
    now.songs.set('id-1', { title: 'a', level: 1, list: ['x', 'y'] });
    expect(stale(verifySavedPlan(await saved(), await planFor(now, desiredState)))).toBe('song/a: /level planned 0 -> 2, now 1 -> 2');
  });

  it('reports which field was added or removed', async () => {
    const now = account();
    now.songs.set('id-1', { title: 'a', level: 2, list: ['x'] });
    const text = stale(verifySavedPlan(await saved(), await planFor(now, desiredState)));
    expect(text).toBe('song/a: /level planned 0 -> 2, now untouched; /list planned untouched, now ["x"] -> ["x","y"]');
  });

  it('reports the fields in their order, whichever of the two plans has them', async () => {
    const before = account();
    before.songs.set('id-1', { title: 'a', level: 2, list: ['x'] });
    const plan: Plan = JSON.parse(JSON.stringify((await planFor(before, desiredState)).plan));
    expect(stale(verifySavedPlan(plan, await planFor(account(), desiredState)))).toBe(
      'song/a: /level planned untouched, now 0 -> 2; /list planned ["x"] -> ["x","y"], now untouched',
    );
  });

  it('reports that a kind is unknown now', async () => {
    const now = await planFor(account(), desiredState, { kinds: [rule, dial] });
    expect(stale(verifySavedPlan(await saved(), now))).toBe(
      'song/a: planned was update; now song is unknown\nsong/b: planned was create; now song is unknown',
    );
  });

  it('reports changes that are already applied, and changes with another action', async () => {
    const now = account();
    now.songs.clear();
    now.rules.set('r', { name: 'p', strength: 1 });
    const text = stale(verifySavedPlan(await saved(), await planFor(now, desiredState)));
    expect(text).toMatchInlineSnapshot(`
      "rule/p: planned was create; now there is nothing to do
      song/a: planned was update; now it would be create"
    `);
  });

  it('reports that an object was replaced by an equal one', async () => {
    const now = account();
    now.songs.clear();
    now.songs.set('other', { title: 'a', level: 0, list: ['x', 'y'] });
    expect(stale(verifySavedPlan(await saved(), await planFor(now, desiredState)))).toBe(
      'song/a: its object or its requests are not those that were planned',
    );
  });

  it('reports that a kind could not be read, or was not', async () => {
    const now = account();
    now.fail('GET /songs', { category: 'failed' });
    expect(stale(verifySavedPlan(await saved(), await planFor(now, desiredState)))).toMatchInlineSnapshot(`
      "song/a: planned was update; now song is incomplete
      song/b: planned was create; now song is incomplete"
    `);
    const songs = await planFor(account(), desiredState, only('song/*'));
    expect(stale(verifySavedPlan(await saved(), songs))).toMatchInlineSnapshot(`
      "rule/p: planned was create; now rule is skipped
      dial: planned was update; now dial is skipped"
    `);
  });

  it('refuses the plan of another target, base URL or owner', async () => {
    const plan = await saved();
    const now = await planFor(account(), desiredState, { owner: 'somebody' });
    expect(stale(verifySavedPlan(plan, now))).toBe(
      'the plan does not match its own fingerprint: it was edited, or made for another base URL or owner',
    );
    expect(stale(verifySavedPlan({ ...plan, target: 'production' }, now))).toBe('the plan is for target production, not stage');
    const moved = await planFor(account(), desiredState, { target: { ...target, baseUrl: 'https://other.example.com' } });
    expect(stale(verifySavedPlan(plan, moved))).toBe(
      'the plan does not match its own fingerprint: it was edited, or made for another base URL or owner',
    );
  });

  it('refuses a file that was edited', async () => {
    const plan = await saved();
    const now = await planFor(account(), desiredState);
    const [first, ...rest] = plan.changes;
    if (!first) throw new Error('no change');
    expect(stale(verifySavedPlan({ ...plan, changes: rest }, now))).toBe(
      'the plan does not match its own fingerprint: it was edited, or made for another base URL or owner',
    );
    expect(stale(verifySavedPlan({ ...plan, changes: [...plan.changes, { ...first, digest: 'sha256:other' }] }, now))).toBe(
      'the plan does not match its own fingerprint: it was edited, or made for another base URL or owner',
    );
    const harmless = { ...first, fields: [] };
    expect(stale(verifySavedPlan({ ...plan, changes: [harmless, ...rest] }, now))).toBe(
      'rule/p: the plan was edited, or it contained a secret, which was redacted when it was saved',
    );
    expect(stale(verifySavedPlan({ ...plan, changes: [{ ...first, address: 'rule/q' }, ...rest] }, now))).toBe(
      'rule/q: the plan was edited, or it contained a secret, which was redacted when it was saved',
    );
    expect(stale(verifySavedPlan({ ...plan, changes: [{ ...first, action: 'delete' }, ...rest] }, now))).toBe(
      'rule/p: the plan was edited, or it contained a secret, which was redacted when it was saved',
    );
  });

  it('names no difference in a value that is a secret, since the file has it hidden', async () => {
    const hideSecrets: HideSecrets = (part) => JSON.parse(JSON.stringify(part).replaceAll('secret', '[hidden]'));
    const changed = (level: number) => desiredStateOf([aSong('a', { level, list: ['secret'] })]);
    const plan: Plan = JSON.parse(JSON.stringify(hideSecrets((await planFor(account(), changed(2))).plan)));
    expect(stale(verifySavedPlan(plan, await planFor(account(), changed(3)), hideSecrets))).toBe(
      'song/a: /level planned 0 -> 2, now 0 -> 3',
    );
  });

  it('accepts a part of a plan whose fingerprint was computed again', async () => {
    const plan = await saved();
    const now = await planFor(account(), desiredState);
    const changes = plan.changes.slice(0, 1);
    const part = withVerdict({
      ...plan,
      changes,
      requests: plan.requests.filter(({ addresses }) => addresses.includes('rule/p')),
      summary: { ...plan.summary, create: 1, update: 0 },
      cost: { ...plan.cost, writes: 1 },
      fingerprint: planFingerprint(
        now.context,
        changes.map(({ digest }) => digest),
      ),
    });
    const selection = verifySavedPlan(part, now);
    expect(chosen(selection)).toEqual(['rule/p']);
    expect(selection).toMatchObject({ notInPlan: ['song/a', 'song/b', 'dial'] });
  });
});
