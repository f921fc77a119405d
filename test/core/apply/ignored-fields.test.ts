/** Ignored fields are not written; where an object is sent whole, they have the values of a read immediately before the write. */
import { describe, expect, it } from 'vitest';
import { FRESH_MS } from '../../../src/core/apply/looks.ts';
import { type DesiredResource, type Kind, NEUTRAL, type RiskInput, type WhyNotDeclarable, weakens } from '../../../src/core/kinds/kind.ts';
import type { RiskAssessment } from '../../../src/core/model/change.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { dial, rule, song } from '../../support/fake-kinds.ts';
import { applyPlan, aRule, aSong, desiredStateOf, planFor, theDial } from '../../support/planning.ts';
import { stateWith } from '../../support/previous-states.ts';

function ignoring(resource: DesiredResource, path: string): DesiredResource {
  return { ...resource, ignored: [{ path, declared: { file: 'a.yaml', line: 1, column: 1 } }] };
}

/** Plans, lets somebody interfere, applies, and returns what was sent and why changes failed. */
async function run(
  account: FakeAccount,
  desired: DesiredResource,
  interfere: () => void,
  whyNotDeclarable?: WhyNotDeclarable,
  kinds = [song, rule, dial],
) {
  const planned = await planFor(account, desiredStateOf([desired], desired.address === 'rule/p' ? { 'rule/p': 'r-1' } : {}), { kinds });
  account.requests.length = 0;
  interfere();
  const { outcome } = await applyPlan(account, planned, whyNotDeclarable ? { whyNotDeclarable } : {});
  const bodies = account.requests.flatMap(({ method, body }) => (method === 'GET' ? [] : [body]));
  return { bodies, why: outcome.outcomes.map(({ error }) => error), verified: outcome.verified, log: account.log('all') };
}

/** A rule that gets another name, and whose strength is left to others. It is sent whole. */
const renamed = () => ignoring(aRule('p', 1), '/strength');
const ruleAccount = () => new FakeAccount({ rules: { 'r-1': { name: 'old', strength: 5 } } });

const WEAKENED: RiskAssessment = { effect: 'weakens', reasons: [weakens('so strong')] };
const isStrong = (action: RiskInput['action'], before: RiskInput['before']) => action === 'update' && before?.fields.strength === 9;

describe('an object that is sent whole', () => {
  it('is sent with the live values of its ignored fields, read immediately before the write', async () => {
    const account = ruleAccount();
    const done = await run(account, renamed(), () => undefined);
    expect(done).toMatchObject({ bodies: [{ name: 'p', strength: 5 }], verified: true });
    expect(done.log.slice(0, 2)).toEqual(['GET /rules/r-1', 'PATCH /rules/r-1']);
  });

  it('is sent with the newest values of its ignored fields: that they moved does not make the change stale', async () => {
    const account = ruleAccount();
    const done = await run(account, renamed(), () => account.rules.set('r-1', { name: 'old', strength: 9 }));
    expect(done).toMatchObject({ bodies: [{ name: 'p', strength: 9 }], why: [undefined], verified: true });
    expect(account.rules.get('r-1')).toEqual({ name: 'p', strength: 9 });
  });

  it('fails as stale where another field moved', async () => {
    const account = ruleAccount();
    const done = await run(account, renamed(), () => account.rules.set('r-1', { name: 'other', strength: 9 }));
    expect(done).toMatchObject({ bodies: [], why: ['stale: it changed since the plan was made; plan again'] });
  });

  it('fails as stale where it is gone', async () => {
    const account = ruleAccount();
    expect(await run(account, renamed(), () => account.rules.delete('r-1'))).toMatchObject({ bodies: [], why: ['stale: it is gone'] });
  });

  it('fails where the newest values of its ignored fields could not be declared', async () => {
    const account = ruleAccount();
    const why: WhyNotDeclarable = (_kind, objects) =>
      new Map(objects.flatMap(({ id, fields }) => (fields.strength === 9 ? [[id ?? '', 'a strength of 9 is too much']] : [])));
    const done = await run(account, renamed(), () => account.rules.set('r-1', { name: 'old', strength: 9 }), why);
    expect(done).toMatchObject({
      bodies: [],
      why: ['stale: with the ignored fields as they are now, it could not be declared: a strength of 9 is too much'],
    });
    expect((await run(ruleAccount(), renamed(), () => undefined, why)).bodies).toEqual([{ name: 'p', strength: 5 }]);
  });

  it.each<[string, Pick<Kind, 'assessRisk'> | Pick<Kind, 'assessPlayback'>]>([
    [
      'effect on protection',
      { assessRisk: ({ action, before, fields }) => fields.map(() => (isStrong(action, before) ? WEAKENED : NEUTRAL)) },
    ],
    [
      'effect on playback',
      { assessPlayback: ({ action, before }) => (isStrong(action, before) ? [{ playback: 'stops', text: 'off' }] : []) },
    ],
  ])('fails where the change would have another %s with the newest values of its ignored fields', async (_what, assessment) => {
    const account = ruleAccount();
    const interfere = () => account.rules.set('r-1', { name: 'old', strength: 9 });
    const done = await run(account, renamed(), interfere, undefined, [song, { ...rule, ...assessment }, dial]);
    expect(done).toMatchObject({
      bodies: [],
      why: ['stale: with the ignored fields as they are now, it would have another effect; plan again'],
    });
  });

  it('is adopted whatever the values of its ignored fields are, because nothing is sent', async () => {
    const account = new FakeAccount({ rules: { 'r-1': { name: 'p', strength: 5 } } });
    const planned = await planFor(account, desiredStateOf([renamed()]), { ledgerState: stateWith({}) });
    account.rules.set('r-1', { name: 'p', strength: 9 });
    const { outcomeLines } = await applyPlan(account, planned, { whyNotDeclarable: () => new Map([['r-1', 'nobody can declare it']]) });
    expect(outcomeLines).toEqual(['adopted rule/p']);
    expect(account.log()).toEqual([]);
  });

  it('is not written where it cannot be read', async () => {
    const account = ruleAccount();
    const done = await run(account, renamed(), () => account.fail('GET /rules/r-1', { category: 'unreachable' }));
    expect(done).toMatchObject({ bodies: [], why: [expect.stringContaining('it could not be read again before writing')] });
  });

  it('is read again only where it has ignored fields', async () => {
    expect((await run(ruleAccount(), aRule('p', 1), () => undefined)).log[0]).toBe('PATCH /rules/r-1');
  });
});

describe('a setting', () => {
  const desired = () => ignoring(theDial(false, ['b']), '/open');

  it('is written without its ignored fields, whatever happened to them', async () => {
    const account = new FakeAccount({ dial: { list: ['a'], open: false } });
    const done = await run(account, desired(), () => account.setDial({ list: ['a'], open: true }));
    expect(done).toMatchObject({ bodies: [{ list: ['b'] }], why: [undefined], verified: true });
    expect(account.dial).toEqual({ list: ['b'], open: true });
  });

  it('fails as stale where another field moved', async () => {
    const account = new FakeAccount({ dial: { list: ['a'], open: false } });
    const done = await run(account, desired(), () => account.setDial({ list: ['c'], open: true }));
    expect(done).toMatchObject({ bodies: [], why: [expect.stringContaining('stale')] });
  });
});

describe('an object of which only differences are sent', () => {
  const live = { title: 'a', level: 1, list: ['x', 'y'] };
  const desired = () => ignoring(aSong('a', { list: ['z', 'w'] }), '/level');

  it('is sent without its ignored fields, and is not read before', async () => {
    const account = new FakeAccount({ songs: { 'id-1': live } });
    const done = await run(account, desired(), () => account.songs.set('id-1', { ...live, level: 9 }));
    expect(done).toMatchObject({ bodies: [{ list: ['z', 'w'] }], verified: true });
    expect(done.log[0]).toBe('PATCH /songs/id-1');
    expect(account.songs.get('id-1')).toMatchObject({ level: 9 });
  });

  it.each([
    ['only an ignored field moved, is written', { level: 9 }, [{ list: ['z', 'w'] }]],
    ['another field moved, fails as stale', { title: 'b' }, []],
  ])('is read again after half a minute, and where %s', async (_what, edit, bodies) => {
    const account = new FakeAccount({ songs: { 'id-1': live } });
    const interfere = () => {
      account.time += FRESH_MS + 1;
      account.songs.set('id-1', { ...live, ...edit });
    };
    expect((await run(account, desired(), interfere)).bodies).toEqual(bodies);
  });

  it('is verified in all fields after a create, with the declared value of each', async () => {
    const account = new FakeAccount();
    const items = [{ id: 'born-1', ...live, list: ['z', 'w'], level: 9 }];
    const done = await run(account, desired(), () => account.intercept('GET /songs', () => ({ body: { items } })));
    expect(done).toMatchObject({
      bodies: [{ level: 0, list: ['z', 'w'] }],
      why: ['inconsistent after apply: /level reads 9, not 0'],
    });
  });
});
