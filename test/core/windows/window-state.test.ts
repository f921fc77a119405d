import { describe, expect, it } from 'vitest';
import { type WindowState, windowState } from '../../../src/core/windows/window-state.ts';
import { NO_WINDOWS, type WindowRule, type Windows } from '../../../src/core/windows/windows.ts';

const at = (text: string) => Date.parse(text);
const HOUR = 3_600_000;

const rule = (type: WindowRule['type'], times: WindowRule['times'], why = 'test', unless: WindowRule['unless'] = []): WindowRule => ({
  type,
  why,
  unless,
  times,
  isExpired: false,
  path: ['windows', type, 0],
});
const between = (from: string | null, until: string | null) => ({
  from: from === null ? null : at(from),
  until: until === null ? null : at(until),
});
const cron = (pattern: string, hours: number) => ({ cron: pattern, forMs: hours * HOUR });
const inBerlin = (...rules: readonly WindowRule[]): Windows => ({ timeZone: 'Europe/Berlin', rules });

const minute = (time: number | null) => (time === null ? null : new Date(time).toISOString().slice(0, 16));
const shown = ({ isOpen, changesAt, changesBackAt }: WindowState) => [isOpen ? 'open' : 'closed', minute(changesAt), minute(changesBackAt)];

const FREEZE = rule('deny', between(null, null));
const WEEKEND = rule('deny', cron('0 18 * * FRI', 62));
const OFFICE = rule('allow', cron('0 9 * * MON-FRI', 8));

describe('the state of windows', () => {
  it('is open for ever without any rule', () => {
    expect(windowState([NO_WINDOWS, NO_WINDOWS], 0)).toEqual({
      isOpen: true,
      closedBy: [],
      exceptions: ['strengthens', 'reverts'],
      changesAt: null,
      changesBackAt: null,
      knownUntil: null,
    });
  });

  const CHRISTMAS = rule('deny', between('2026-12-18T17:00Z', '2027-01-04T05:00Z'));
  it.each<[string, readonly Windows[], string, readonly (string | null)[]]>([
    ['a freeze', [inBerlin(FREEZE)], '2026-11-27T12:00Z', ['closed', null, null]],
    [
      'a millisecond before an interval',
      [inBerlin(CHRISTMAS)],
      '2026-12-18T16:59:59.999Z',
      ['open', '2026-12-18T17:00', '2027-01-04T05:00'],
    ],
    ['the beginning of an interval', [inBerlin(CHRISTMAS)], '2026-12-18T17:00Z', ['closed', '2027-01-04T05:00', null]],
    ['a millisecond before its end', [inBerlin(CHRISTMAS)], '2027-01-04T04:59:59.999Z', ['closed', '2027-01-04T05:00', null]],
    ['the end of an interval', [inBerlin(CHRISTMAS)], '2027-01-04T05:00Z', ['open', null, null]],
    [
      'an interval without a beginning',
      [inBerlin(rule('deny', between(null, '2027-01-04T05:00Z')))],
      '2026-01-01T00:00Z',
      ['closed', '2027-01-04T05:00', null],
    ],
    [
      'an interval without an end',
      [inBerlin(rule('allow', between('2027-01-04T05:00Z', null)))],
      '2026-01-01T00:00Z',
      ['closed', '2027-01-04T05:00', null],
    ],
    [
      'an interval that ends before it begins',
      [inBerlin(rule('allow', between('2027-01-04T05:00Z', '2027-01-04T04:00Z')))],
      '2027-01-04T04:30Z',
      ['closed', null, null],
    ],
    ['a Saturday', [inBerlin(WEEKEND)], '2026-11-28T12:00Z', ['closed', '2026-11-30T07:00', '2026-12-04T17:00']],
    ['a moment before the weekend', [inBerlin(WEEKEND)], '2026-11-27T16:59:59.999Z', ['open', '2026-11-27T17:00', '2026-11-30T07:00']],
    ['the beginning of the weekend', [inBerlin(WEEKEND)], '2026-11-27T17:00Z', ['closed', '2026-11-30T07:00', '2026-12-04T17:00']],
    ['the end of the weekend', [inBerlin(WEEKEND)], '2026-11-30T07:00Z', ['open', '2026-12-04T17:00', '2026-12-07T07:00']],
    ['office hours', [inBerlin(OFFICE)], '2026-11-27T12:00Z', ['open', '2026-11-27T16:00', '2026-11-30T08:00']],
    ['the evening', [inBerlin(OFFICE)], '2026-11-27T16:00Z', ['closed', '2026-11-30T08:00', '2026-11-30T16:00']],
    [
      '29 February',
      [inBerlin(rule('deny', cron('0 0 29 2 *', 24)))],
      '2027-06-01T00:00Z',
      ['open', '2028-02-28T23:00', '2028-02-29T23:00'],
    ],
    ['a weekend of 25 hours a day', [inBerlin(WEEKEND)], '2026-10-24T12:00Z', ['closed', '2026-10-26T06:00', '2026-10-30T17:00']],
    ['a weekend of 23 hours a day', [inBerlin(WEEKEND)], '2026-03-28T12:00Z', ['closed', '2026-03-30T07:00', '2026-04-03T16:00']],
    [
      'intervals that touch',
      [
        inBerlin(
          rule('deny', between('2026-12-01T00:00Z', '2026-12-02T00:00Z')),
          rule('deny', between('2026-12-02T00:00Z', '2026-12-03T00:00Z')),
        ),
      ],
      '2026-12-01T00:00Z',
      ['closed', '2026-12-03T00:00', null],
    ],
    [
      'intervals that overlap',
      [
        inBerlin(
          rule('deny', between('2026-12-01T00:00Z', '2026-12-02T12:00Z')),
          rule('deny', between('2026-12-02T00:00Z', '2026-12-03T00:00Z')),
        ),
      ],
      '2026-12-01T00:00Z',
      ['closed', '2026-12-03T00:00', null],
    ],
    [
      'intervals a minute apart',
      [
        inBerlin(
          rule('deny', between('2026-12-01T00:00Z', '2026-12-02T00:00Z')),
          rule('deny', between('2026-12-02T00:01Z', '2026-12-03T00:00Z')),
        ),
      ],
      '2026-12-01T00:00Z',
      ['closed', '2026-12-02T00:00', '2026-12-02T00:01'],
    ],
    [
      'nights that follow each other across midnight',
      [inBerlin(rule('deny', cron('0 22 * * *', 2)), rule('deny', cron('0 0 * * *', 6)))],
      '2026-11-27T21:30Z',
      ['closed', '2026-11-28T05:00', '2026-11-28T21:00'],
    ],
    [
      'repeated intervals that overlap themselves',
      [inBerlin(rule('deny', cron('0 0,1,2 * * *', 2)))],
      '2026-11-26T23:30Z',
      ['closed', '2026-11-27T03:00', '2026-11-27T23:00'],
    ],
    [
      'a project that is open and a target that is closed',
      [inBerlin(OFFICE), inBerlin(WEEKEND)],
      '2026-11-28T12:00Z',
      ['closed', '2026-11-30T08:00', '2026-11-30T16:00'],
    ],
    [
      'allows of two scopes, of which both must be active',
      [inBerlin(OFFICE), inBerlin(rule('allow', cron('0 12 * * *', 2)))],
      '2026-11-27T10:00Z',
      ['closed', '2026-11-27T11:00', '2026-11-27T13:00'],
    ],
    [
      'allows of one scope, of which one must be active',
      [inBerlin(OFFICE, rule('allow', cron('0 16 * * *', 3)))],
      '2026-11-27T10:00Z',
      ['open', '2026-11-27T18:00', '2026-11-28T15:00'],
    ],
    [
      'a pattern without a zone',
      [{ timeZone: null, rules: [rule('deny', cron('0 0 1 1 *', 1))] }],
      '2026-06-01T00:00Z',
      ['closed', null, null],
    ],
    [
      'an allow with a pattern that cannot be read',
      [inBerlin(rule('allow', cron('never', 1)))],
      '2026-06-01T00:00Z',
      ['closed', null, null],
    ],
  ])('at %s is open or closed, and changes at its time and back', (_what, scopes, now, expected) => {
    expect(shown(windowState(scopes, at(now)))).toEqual(expected);
  });

  it('names each deny that is active, and the allow list of which no entry is, with the zone of its scope', () => {
    const project: Windows = {
      timeZone: 'Europe/Berlin',
      rules: [rule('deny', between(null, '2027-01-04T05:00Z'), 'Christmas', ['strengthens']), OFFICE],
    };
    const target: Windows = {
      timeZone: null,
      rules: [
        rule('allow', between('2027-02-01T00:00Z', null), 'later'),
        rule('allow', between(null, '2026-02-01T00:00Z'), 'earlier'),
        FREEZE,
      ],
    };
    const { closedBy } = windowState([project, target], at('2026-11-27T12:00Z'));
    expect(closedBy).toEqual([
      {
        type: 'deny',
        why: 'Christmas',
        endsAt: at('2027-01-04T05:00Z'),
        unless: ['strengthens'],
        isFreeze: false,
        timeZone: 'Europe/Berlin',
        path: ['windows', 'deny', 0],
      },
      { type: 'deny', why: 'test', endsAt: null, unless: [], isFreeze: true, timeZone: null, path: ['windows', 'deny', 0] },
      {
        type: 'allow',
        why: null,
        endsAt: at('2027-02-01T00:00Z'),
        unless: [],
        isFreeze: false,
        timeZone: null,
        path: ['windows', 'allow'],
      },
    ]);
  });

  const GENTLE = rule('deny', between(null, null), 'freeze', ['strengthens']);
  const BOTH = rule('deny', between(null, null), 'freeze', ['reverts', 'strengthens']);
  it.each<[string, readonly Windows[], WindowState['exceptions']]>([
    ['all, where no rule is active', [inBerlin(WEEKEND)], ['strengthens', 'reverts']],
    ['all that every deny names', [inBerlin(BOTH), inBerlin(BOTH)], ['strengthens', 'reverts']],
    ['what another deny names, too', [inBerlin(BOTH), inBerlin(GENTLE)], ['strengthens']],
    ['nothing, where another deny names nothing', [inBerlin(GENTLE), inBerlin(FREEZE)], []],
    ['nothing, where no entry of an allow list is active', [inBerlin(GENTLE, rule('allow', between('2027-01-01T00:00Z', null)))], []],
  ])('lets through %s', (_what, scopes, exceptions) => {
    expect(windowState(scopes, at('2026-11-27T12:00Z')).exceptions).toEqual(exceptions);
  });

  it('is asked at most about a thousand times, and then says up to when it is known', () => {
    const now = at('2026-11-27T12:00Z');
    const dense = windowState([inBerlin(rule('deny', cron('* * * * *', 1 / 30)))], now);
    expect(dense).toMatchObject({ isOpen: false, changesAt: null, changesBackAt: null });
    expect(dense.knownUntil).toBeGreaterThan(now + 1_000 * 60_000 - 1);
    const many = windowState([inBerlin(...Array.from({ length: 50 }, () => rule('deny', cron('* * * * *', 1 / 60))))], now);
    expect(many.knownUntil).toBeGreaterThan(now);
    const beforeThat = windowState([inBerlin(rule('allow', cron('* 12-23 27 11 *', 1 / 60)))], at('2026-11-27T10:00Z'));
    expect(beforeThat).toMatchObject({
      isOpen: false,
      changesAt: at('2026-11-27T11:00Z'),
      changesBackAt: at('2026-11-27T23:00Z'),
      knownUntil: null,
    });
  });
});
