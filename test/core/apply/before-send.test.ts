/** What is done with a change by what was just read: the tables of `beforeSend`. */
import { describe, expect, it } from 'vitest';
import { afterRequest, type BeforeSend, beforeSend, type SendFacts } from '../../../src/core/apply/before-send.ts';
import { kinds } from '../../../src/core/kinds/index.ts';
import { type DesiredResource, type Kind, type LiveResource, NEUTRAL, type WriteRequest, weakens } from '../../../src/core/kinds/kind.ts';
import type { JsonObject } from '../../../src/core/model/json.ts';
import type { PlannedChange } from '../../../src/core/state/planned-change.ts';
import { dial, rule, song } from '../../support/fake-kinds.ts';
import { plannedOf } from '../../support/planned-changes.ts';
import { aLiveRule, aLiveSong, aRule, aSong, theDial } from '../../support/planning.ts';

const WRITE: WriteRequest = { method: 'PATCH', path: '/', repeatable: true };

const FACTS: SendFacts = {
  live: null,
  write: WRITE,
  mayHaveWritten: false,
  outdated: [],
  resettable: [],
  whyNotDeclarable: () => new Map(),
  now: 0,
};

/** An answer in one word: `send`, `done`, `unchanged`, `unseen`, or for a change that fails what its reason says first. */
function wordOf(answer: BeforeSend, planned: PlannedChange): string {
  if (answer.state === 'send') return answer.planned === planned ? 'send' : 'send fresh';
  if (answer.state !== 'failed') return answer.state;
  const words = { 'is gone': 'gone', 'it changed': 'changed', 'already exists': 'exists', 'another object': 'other', probably: 'form' };
  const more = { 'another effect': 'effect', 'could not be declared': 'invalid' };
  const found = Object.entries({ ...words, ...more }).find(([text]) => answer.reason.includes(text));
  return found?.[1] ?? answer.reason;
}

/** A setting as it was read. */
const aDial = (open: boolean, list: readonly string[]): LiveResource => ({ id: null, fields: { open, list }, unknownMembers: [] });

const toUpdate = plannedOf(song, 'update', { desired: aSong('a', { level: 3 }), live: aLiveSong('one', { title: 'a' }) });
const toCreate = plannedOf(song, 'create', { desired: aSong('a') });
const toDelete = plannedOf(song, 'delete', { live: aLiveSong('one') });
const toSet: PlannedChange = { ...toUpdate, kind: dial, desired: theDial(true, ['s']), live: { ...aDial(false, []), id: null } };

const [NOT_SENT, MAYBE, MAY_LAG] = [0, 1, 2];

/** Rows: what a read shows. Columns: this run has not sent it; it may have been carried out; it may have, and reads may lag. */
const READS: readonly (readonly [what: string, PlannedChange, LiveResource | null, readonly string[]])[] = [
  ['a create that finds nothing', toCreate, null, ['send', 'send', 'unseen']],
  ['a create that finds it as desired', toCreate, aLiveSong('new', { title: 'a' }), ['exists', 'done', 'done']],
  ['a create that finds another object of its name', toCreate, aLiveSong('x', { title: 'a', level: 9 }), ['exists', 'other', 'other']],
  ['a create that finds another form of its name', toCreate, aLiveSong('x', { title: 'a ' }), ['exists', 'form', 'form']],
  ['an update that finds nothing', toUpdate, null, ['gone', 'gone', 'gone']],
  ['an update that finds the object as planned', toUpdate, aLiveSong('one', { title: 'a' }), ['send', 'send', 'unseen']],
  ['an update that finds it as desired', toUpdate, aLiveSong('one', { title: 'a', level: 3 }), ['unchanged', 'done', 'done']],
  ['an update that finds another value', toUpdate, aLiveSong('one', { title: 'a', level: 9 }), ['changed', 'changed', 'changed']],
  ['a delete that finds nothing', toDelete, null, ['unchanged', 'done', 'done']],
  ['a delete that finds the object as planned', toDelete, aLiveSong('one'), ['send', 'send', 'unseen']],
  ['a delete that finds another value', toDelete, aLiveSong('one', { level: 9 }), ['changed', 'changed', 'changed']],
  ['two requests that find it as planned', toSet, aDial(false, []), ['send', 'send', 'unseen']],
  ['two requests that find the first one carried out', toSet, aDial(false, ['s']), ['changed', 'send fresh', 'send fresh']],
  ['two requests that find the second one carried out', toSet, aDial(true, []), ['changed', 'changed', 'changed']],
  ['two requests that find both carried out', toSet, aDial(true, ['s']), ['unchanged', 'done', 'done']],
  ['two requests that find another value', toSet, aDial(false, ['t']), ['changed', 'changed', 'changed']],
];

describe('beforeSend', () => {
  it.each(READS)('%s', (_what, planned, live, words) => {
    const write = { ...WRITE, path: '/dial/list', body: { list: ['s'] } };
    const facts = { ...FACTS, live, write };
    const answers = [
      beforeSend(planned, facts),
      beforeSend(planned, { ...facts, mayHaveWritten: true }),
      beforeSend(planned, { ...facts, mayHaveWritten: true, outdated: [planned.live] }),
    ];
    expect(answers.map((answer) => wordOf(answer, planned))).toEqual([words[NOT_SENT], words[MAYBE], words[MAY_LAG]]);
  });

  it('tells the ID of what a create made, and none of a setting', () => {
    const found = { ...FACTS, mayHaveWritten: true };
    expect(beforeSend(toCreate, { ...found, live: aLiveSong('new', { title: 'a' }) })).toEqual({ state: 'done', id: 'new' });
    expect(beforeSend({ ...toCreate, kind: dial, desired: theDial(true, []), live: null }, { ...found, live: aDial(true, []) })).toEqual({
      state: 'done',
    });
  });

  it('tells an object that one of several match keys names from one that none of them names', () => {
    const planned = plannedOf(song, 'create', { desired: aSong('y', { list: ['y'] }) });
    const why = (id: string, fields: JsonObject) =>
      beforeSend(planned, { ...FACTS, mayHaveWritten: true, live: aLiveSong(id, { list: ['y'], ...fields }) });
    expect(why('y', { title: 'other' })).toMatchObject({ reason: 'stale: another object exists (y), which differs in /title' });
    expect(why('x', { title: 'y', list: ['x', 'y'] })).toMatchObject({
      reason: 'stale: another object exists (x), which differs in /list',
    });
    expect(why('x', { title: 'y ' })).toMatchObject({ reason: expect.stringContaining('x is probably what was created') });
  });

  it('sends an update of a field that reads may leave out, although nothing else differs', () => {
    const live = { ...aLiveSong('one', { title: 'a' }), maybeMissingInRead: ['/level'] };
    const planned = { ...toUpdate, live };
    expect(wordOf(beforeSend(planned, { ...FACTS, live }), planned)).toBe('send');
  });

  it('sends the second request of a sequence after a read that shows the first one, and waits for that as long as reads may lag', () => {
    const write = { ...WRITE, path: '/dial/list', body: { list: ['s'] } };
    const second = afterRequest(toSet, write) ?? toSet;
    const answer = (live: LiveResource, mayLag: boolean) =>
      wordOf(beforeSend(second, { ...FACTS, live, outdated: mayLag ? [toSet.live] : [] }), second);
    expect([true, false].map((mayLag) => answer(aDial(false, ['s']), mayLag))).toEqual(['send', 'send']);
    expect([true, false].map((mayLag) => answer(aDial(false, []), mayLag))).toEqual(['unseen', 'changed']);
    expect([true, false].map((mayLag) => answer(aDial(false, ['t']), mayLag))).toEqual(['changed', 'changed']);
    expect(answer(aDial(true, ['s']), false)).toBe('unchanged');
  });

  it('has no state between two requests for a kind that sends one, nor for a create or a delete', () => {
    expect([toUpdate, { ...toCreate, kind: dial }, { ...toDelete, kind: dial }].map((planned) => afterRequest(planned, WRITE))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('beforeSend of an object that is sent whole, with a field that is left to others', () => {
  const kind: Kind = {
    ...rule,
    assessRisk: ({ before, fields }) =>
      fields.map(() => (before?.fields.strength === 9 ? { effect: 'weakens', reasons: [weakens('so strong')] } : NEUTRAL)),
  };
  const desired: DesiredResource = { ...aRule('p', 5), ignored: [{ path: '/strength', declared: { file: 'a.yaml', line: 1, column: 1 } }] };
  const live = aLiveRule('1', 'old', 5);
  const fields = [{ path: '/name', before: 'old', after: 'p', origin: 'change', effect: 'neutral' } as const];
  const base = plannedOf(kind, 'update', { desired, live });
  const planned: PlannedChange = { ...base, change: { ...base.change, fields } };

  /** What may be so. In their order each is done to what is read, and to the facts. */
  const CONDITIONS = ['gone', 'edited', 'member', 'ignored', 'effect', 'invalid', 'desired', 'maybe', 'lag'] as const;
  type Condition = (typeof CONDITIONS)[number];

  function factsOf(conditions: readonly Condition[]): SendFacts {
    const has = (condition: Condition) => conditions.includes(condition);
    const strength = has('effect') ? 9 : has('ignored') ? 6 : 5;
    const name = has('edited') ? 'other' : has('desired') ? 'p' : 'old';
    const read = { ...aLiveRule('1', name, strength), unknownMembers: has('member') ? [{ path: '/odd', value: 1 }] : [] };
    return {
      ...FACTS,
      live: has('gone') ? null : read,
      mayHaveWritten: has('maybe'),
      outdated: has('lag') ? [live] : [],
      whyNotDeclarable: () => (has('invalid') ? new Map([['1', 'a strength of 6 is too much']]) : new Map()),
    };
  }

  /** Each condition alone (in the diagonal), and with each other one. */
  const TABLE = `
              gone      edited    member    ignored     effect    invalid   desired    maybe       lag
    gone      gone      gone      gone      gone        gone      gone      gone       gone        gone
    edited              changed   changed   changed     changed   changed   changed    changed     changed
    member                        changed   changed     changed   changed   unchanged  changed     changed
    ignored                                 send-fresh  effect    invalid   unchanged  send-fresh  unseen
    effect                                              effect    effect    unchanged  effect      unseen
    invalid                                                       invalid   unchanged  invalid     unseen
    desired                                                                 unchanged  done        unchanged
    maybe                                                                              send-fresh  unseen
    lag                                                                                            unseen`;

  const rows = TABLE.trim()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/));
  const cells = CONDITIONS.flatMap((first, row) =>
    CONDITIONS.slice(row).map((second, column) => [first, second, rows[row]?.[column + 1]?.replace('-', ' ') ?? ''] as const),
  );

  it.each(cells)('%s, %s: %s', (first, second, word) => {
    const facts = factsOf([first, second]);
    expect(wordOf(beforeSend(planned, facts), planned)).toBe(word);
  });

  it('has a cell for each two conditions, and sends where there is none', () => {
    expect(rows.map(([name]) => name)).toEqual([...CONDITIONS]);
    expect(cells).toHaveLength(45);
    expect(beforeSend(planned, factsOf([]))).toMatchObject({ state: 'send', planned: { desired: { fields: { name: 'p', strength: 5 } } } });
  });

  it('sends the values that others gave to the field since, unless the change would then have another effect', () => {
    expect(beforeSend(planned, factsOf(['ignored']))).toMatchObject({
      state: 'send',
      planned: { desired: { fields: { name: 'p', strength: 6 } }, live: { fields: { name: 'old', strength: 6 } } },
    });
  });

  it('sends where the target accepts that a member is reset, whatever its value', () => {
    const facts = { ...factsOf(['member']), resettable: ['/odd'] };
    expect(wordOf(beforeSend(planned, facts), planned)).toBe('send fresh');
  });

  it('does not count members below a field that is left to others', () => {
    const below = { ...aLiveRule('1', 'old', 5), unknownMembers: [{ path: '/strength/deep', value: 1 }] };
    expect(wordOf(beforeSend(planned, { ...FACTS, live: below }), planned)).toBe('send fresh');
    const changed = { ...aLiveRule('1', 'old', 5), unknownMembers: [{ path: '/odd', value: 2 }] };
    const withOdd = { ...planned, live: { ...live, unknownMembers: [{ path: '/odd', value: 1 }] } };
    expect(wordOf(beforeSend(withOdd, { ...FACTS, live: changed }), withOdd)).toBe('changed');
  });
});

describe('the static key between its two requests', () => {
  const staticKeyKind = kinds.find(({ name }) => name === 'static-key') ?? dial;
  /** The scope after each of its requests, as a read shows it. */
  const SCOPES: readonly (readonly [from: string, to: string, between: string])[] = [
    ['all x', 'specific s', 'all s'],
    ['all x', 'none', 'specific x'],
    ['all', 'specific s', 'all s'],
  ];
  const fieldsOf = (text: string) => {
    const [scope = '', ...ids] = text.split(' ');
    return { scope, slicer_ids: ids };
  };

  it.each(SCOPES)('from %s to %s is %s', (from, to, between) => {
    const resource: DesiredResource = { ...theDial(true, []), fields: fieldsOf(to), declaredFields: fieldsOf(to) };
    const planned: PlannedChange = {
      ...toSet,
      kind: staticKeyKind,
      desired: resource,
      live: { id: null, fields: fieldsOf(from), unknownMembers: [] },
    };
    const [first, second] = staticKeyKind.requests(planned, { bulkLimit: 1 }, 0);
    if (!first || !second) throw new Error('it has two requests');
    const then = afterRequest(planned, first) ?? planned;
    expect(then.live?.fields).toEqual(fieldsOf(between));
    expect(staticKeyKind.requests(then, { bulkLimit: 1 }, 0)).toEqual([second]);
    expect(afterRequest(then, second)?.live?.fields).toEqual(fieldsOf(to));
    expect(wordOf(beforeSend(then, { ...FACTS, live: then.live }), then)).toBe('send');
  });
});
