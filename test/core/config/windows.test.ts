import { describe, expect, it } from 'vitest';
import { loadProject } from '../../../src/core/config/load-project.ts';
import { memoryFiles } from '../../../src/core/config/project-folder.ts';
import { NO_WINDOWS } from '../../../src/core/windows/windows.ts';

const TARGET = `targets:
  live:
    base_url: https://services.example.com
    credentials: { owner: { env: A }, api_key: { env: B } }
    sources: [config]
`;

const load = (text: string, today = '2026-11-27') => loadProject(memoryFiles([{ name: 'upkeep.yaml', text }]), today);

/** Loads upkeep.yaml with these lines below `windows` at the top, from line 3 on. */
const loadWindows = (lines: string, today?: string) => load(`version: 1\nwindows:\n${lines}\n${TARGET}`, today);

/** Loads upkeep.yaml with windows at the top, and in its target. */
const loadBoth = (top: string, target: string) => load(`version: 1\n${top}\n${TARGET}    windows: ${target}\n`);

const at = (text: string) => Date.parse(text);

describe('windows', () => {
  it('of the project and of a target are read, each with its zone', () => {
    const { project, findings } = load(`version: 1
windows:
  time_zone: Europe/Berlin
  deny:
    - from: 2026-12-18T18:00
      until: 2027-01-04T06:00
      why: Christmas
      unless: [strengthens]
    - cron: "0 18 * * FRI"
      for: 62h
      why: no changes at weekends
    - until: 2026-11-27T00:00:00Z
      why: it was Thursday
  allow:
    - cron: "0 9 * * MON-FRI"
      for: 90m
      why: office hours
${TARGET}    windows:
      deny:
        - why: freeze
        - from: 2026-12-18T18:00:30+01:00
          why: for good
`);
    expect(findings).toEqual([]);
    const deny = (index: number) => ({ type: 'deny', unless: [], isExpired: false, path: ['windows', 'deny', index] });
    expect(project?.windows).toEqual({
      timeZone: 'Europe/Berlin',
      rules: [
        { ...deny(0), why: 'Christmas', unless: ['strengthens'], times: { from: at('2026-12-18T17:00Z'), until: at('2027-01-04T05:00Z') } },
        { ...deny(1), why: 'no changes at weekends', times: { cron: '0 18 * * FRI', forMs: 62 * 3_600_000 } },
        { ...deny(2), why: 'it was Thursday', times: { from: null, until: at('2026-11-27T00:00Z') }, isExpired: true },
        {
          ...deny(0),
          type: 'allow',
          why: 'office hours',
          times: { cron: '0 9 * * MON-FRI', forMs: 90 * 60_000 },
          path: ['windows', 'allow', 0],
        },
      ],
    });
    const path = (index: number) => ({ path: ['targets', 'live', 'windows', 'deny', index] });
    expect(project?.targets[0]?.windows).toEqual({
      timeZone: null,
      rules: [
        { ...deny(0), ...path(0), why: 'freeze', times: { from: null, until: null } },
        { ...deny(1), ...path(1), why: 'for good', times: { from: at('2026-12-18T17:00:30Z'), until: null } },
      ],
    });
  });

  it('are empty where there are none', () => {
    const { project } = load(`version: 1\n${TARGET}`);
    expect([project?.windows, project?.targets[0]?.windows]).toEqual([NO_WINDOWS, NO_WINDOWS]);
    expect(load(`version: 1\nwindows: { time_zone: UTC }\n${TARGET}`).project?.windows.rules).toEqual([]);
  });

  // The night on which 02:30 occurs twice, and the one on which it does not exist.
  it.each([
    ['a deny', 'deny', '2026-10-25T02:15', '2026-10-25T02:45', '2026-10-25T00:15Z', '2026-10-25T01:45Z'],
    ['an allow', 'allow', '2026-10-25T01:15', '2026-10-25T02:45', '2026-10-24T23:15Z', '2026-10-25T00:45Z'],
    ['an allow', 'allow', '2026-10-25T02:15', '2026-10-25T03:45', '2026-10-25T01:15Z', '2026-10-25T02:45Z'],
    ['a deny', 'deny', '2026-03-29T02:15', '2026-03-29T03:45', '2026-03-29T01:00Z', '2026-03-29T01:45Z'],
    ['an allow', 'allow', '2026-03-29T01:15', '2026-03-29T02:45', '2026-03-29T00:15Z', '2026-03-29T01:00Z'],
  ])('close more where clocks change: %s', (_what, type, from, until, first, end) => {
    const { project } = loadWindows(
      `  time_zone: Europe/Berlin\n  ${type}: [{ from: ${from}, until: ${until}, why: night }]`,
      '2026-01-01',
    );
    expect(project?.windows.rules[0]?.times).toEqual({ from: at(first), until: at(end) });
  });
});

describe('an error in windows', () => {
  const ZONE = '  time_zone: Europe/Berlin\n';
  it.each<[string, string, string, string]>([
    [
      'an unknown zone',
      '  time_zone: Mars/Phobos\n  deny: [{ from: 2026-12-18T18:00, why: x }]',
      '3:14 invalid-value',
      '`Mars/Phobos` is no time zone',
    ],
    [
      'a pattern that cannot be read',
      `${ZONE}  deny:\n    - cron: "61 9 * * *"\n      for: 8h\n      why: x`,
      '5:13 invalid-value',
      '`61 9 * * *` is no cron pattern: Invalid value for minute: 61',
    ],
    [
      'a pattern with seconds',
      `${ZONE}  deny:\n    - cron: "0 0 9 * * *"\n      for: 8h\n      why: x`,
      '5:13 invalid-value',
      '`0 0 9 * * *` is no cron pattern: it has 6 fields, and needs 5',
    ],
    [
      'a pattern without a zone',
      '  allow:\n    - cron: "0 9 * * *"\n      for: 8h\n      why: x',
      '4:13 missing-key',
      'a `cron` pattern is local, and `windows` has no `time_zone`',
    ],
    [
      'a local time without a zone',
      '  deny:\n    - from: 2026-12-18T18:00\n      why: x',
      '4:13 missing-key',
      '`2026-12-18T18:00` is local, and `windows` has no `time_zone`',
    ],
    [
      'a date without a time',
      `${ZONE}  deny:\n    - from: 2026-12-18\n      why: x`,
      '5:13 invalid-value',
      '`2026-12-18` is no date with a time',
    ],
    [
      '24:00',
      `${ZONE}  deny:\n    - until: 2026-12-18T24:00\n      why: x`,
      '5:14 invalid-value',
      '`2026-12-18T24:00` is no date with a time',
    ],
    [
      'a day that does not exist',
      `${ZONE}  deny:\n    - until: 2027-02-29T12:00\n      why: x`,
      '5:14 invalid-value',
      '`2027-02-29T12:00` is no date with a time',
    ],
    [
      'a year out of reach',
      `${ZONE}  deny:\n    - until: 3000-01-01T12:00\n      why: x`,
      '5:14 invalid-value',
      '`3000-01-01T12:00` is no date with a time',
    ],
    [
      'a time with a fraction',
      `${ZONE}  deny:\n    - until: 2027-01-01T12:00:00.5Z\n      why: x`,
      '5:14 invalid-value',
      '`2027-01-01T12:00:00.5Z` is no date with a time',
    ],
    [
      'an end before the beginning',
      `${ZONE}  deny:\n    - from: 2026-12-18T18:00\n      until: 2026-12-18T17:59\n      why: x`,
      '6:14 invalid-value',
      '`until: 2026-12-18T17:59` is not after `from: 2026-12-18T18:00`',
    ],
    [
      'an end at the beginning',
      `${ZONE}  allow:\n    - from: 2026-12-18T18:00\n      until: 2026-12-18T17:00Z\n      why: x`,
      '6:14 invalid-value',
      '`until: 2026-12-18T17:00Z` is not after `from: 2026-12-18T18:00`',
    ],
    [
      'both forms',
      `${ZONE}  deny:\n    - from: 2026-12-18T18:00\n      cron: "0 9 * * *"\n      for: 1h\n      why: x`,
      '6:7 invalid-key',
      '`cron` does not go with `from` and `until`',
    ],
    [
      'a duration with an end',
      `${ZONE}  deny:\n    - until: 2026-12-18T18:00\n      for: 1h\n      why: x`,
      '6:7 invalid-key',
      '`for` does not go with `from` and `until`',
    ],
    [
      'a pattern without a duration',
      `${ZONE}  deny:\n    - cron: "0 9 * * *"\n      why: x`,
      '5:7 missing-key',
      '`cron` needs `for`: how long it lasts',
    ],
    ['a duration alone', `${ZONE}  deny:\n    - for: 8h\n      why: x`, '5:7 missing-key', '`for` needs `cron`: when it begins'],
    ['an allow without times', '  allow:\n    - why: x', '4:7 missing-key', 'an `allow` entry needs times'],
    [
      '367 days',
      `${ZONE}  deny:\n    - cron: "0 0 1 1 *"\n      for: 367d\n      why: x`,
      '6:12 out-of-range',
      '`for: 367d` is longer than 366 days',
    ],
    ['a duration without a unit', `${ZONE}  deny:\n    - cron: "0 0 1 1 *"\n      for: "8"\n      why: x`, '6:12 invalid-value', ''],
    ['an entry without a reason', '  deny:\n    - from: 2026-12-18T18:00Z', '4:7 missing-key', ''],
    [
      'an allow with an exception',
      '  allow:\n    - from: 2026-12-18T18:00Z\n      why: x\n      unless: [strengthens]',
      '6:7 unknown-key',
      '',
    ],
    ['an empty list', '  allow: []', '3:10 out-of-range', ''],
  ])('is found at its line and column: %s', (_what, lines, place, summary) => {
    const { project, findings } = loadWindows(lines);
    expect(project).toBe(null);
    expect(findings.map(({ line, column, code }) => `${line}:${column} ${code}`)).toEqual([place]);
    expect(findings[0]).toMatchObject({ severity: 'error', file: 'upkeep.yaml' });
    if (summary !== '') expect(findings[0]?.summary).toBe(summary);
  });

  it('is found in a target, too', () => {
    const { findings } = loadBoth('', '{ deny: [{ from: 2026-12-18T18:00, why: x }] }');
    expect(findings).toMatchObject([{ code: 'missing-key', line: 8, column: 31 }]);
  });

  it('about a date without a time says how to write it', () => {
    expect(loadWindows('  deny: [{ from: 2026-12-18, why: x }]').findings).toMatchObject([
      { hint: 'Write the time as well: 2026-12-18T00:00.' },
    ]);
  });

  it('about a zone is found once, whatever needs the zone', () => {
    const lines = '  time_zone: Mars\n  deny:\n    - { from: 2026-12-18T18:00, why: x }\n    - { cron: "0 9 * * *", for: 1h, why: x }';
    expect(loadWindows(lines).findings).toMatchObject([{ code: 'invalid-value', line: 3 }]);
  });

  it('leaves no night out: an end at a time that the clocks jump over is after a beginning there', () => {
    const lines = '  time_zone: Europe/Berlin\n  deny: [{ from: 2026-03-29T02:15, until: 2026-03-29T02:45, why: x }]';
    expect(loadWindows(lines).findings).toEqual([]);
  });
});

describe('a warning about windows', () => {
  const ZONE = '  time_zone: UTC\n';
  it.each<[string, string, string, string]>([
    [
      'an allow list that is over',
      `${ZONE}  allow:\n    - { until: 2026-11-27T00:00, why: launch }\n    - { until: 2026-11-26T00:00, why: test }`,
      '4:3',
      '`windows` never open again: `allow` keeps them closed',
    ],
    [
      'a deny that covers every minute',
      `${ZONE}  deny:\n    - { cron: "*/5 * * * *", for: 5m, why: x }`,
      '5:7',
      'at least: the `deny` entry (x) keeps them closed',
    ],
    [
      'an allow that a deny covers',
      `${ZONE}  deny:\n    - { cron: "0 0 * * *", for: 24h, why: all day }\n  allow:\n    - { until: 2026-12-01T00:00, why: x }`,
      '5:7',
      'at least: the `deny` entry (all day) keeps them closed',
    ],
    [
      'an allow with a pattern that matches no date',
      `${ZONE}  allow:\n    - cron: "0 0 30 2 *"\n      for: 5h\n      why: x`,
      '5:13',
      '`cron` matches no date',
    ],
    [
      'a deny with a pattern that matches no date',
      `${ZONE}  deny:\n    - cron: "0 0 31 4,6 *"\n      for: 5h\n      why: x`,
      '5:13',
      '`cron` matches no date',
    ],
  ])('is at its line and column, and leaves the project as it is: %s', (_what, lines, place, summary) => {
    const { project, findings } = loadWindows(lines);
    expect(project?.targets.map(({ name }) => name)).toEqual(['live']);
    expect(findings.map(({ severity, code, line, column }) => `${severity} ${code} ${line}:${column}`)).toEqual([
      `warning window-never-opens ${place}`,
    ]);
    expect(findings[0]?.summary).toContain(summary);
  });

  it('is about a target whose windows are never open together with those of the project', () => {
    const nights = '{ time_zone: UTC, allow: [{ cron: "0 0 * * *", for: 6h, why: nights }] }';
    const days = 'windows: { time_zone: UTC, allow: [{ cron: "0 9 * * *", for: 8h, why: days }] }';
    expect(loadBoth('', nights).findings).toEqual([]);
    expect(loadBoth(days, nights).findings).toMatchObject([{ code: 'window-never-opens', severity: 'warning' }]);
    expect(loadBoth(days, days.slice(9)).findings).toEqual([]);
  });

  it('is given for the project once, and not for each of its targets', () => {
    const closed = 'windows: { allow: [{ until: 2026-01-01T00:00Z, why: x }] }';
    expect(loadBoth(closed, '{ deny: [{ cron: "0 0 * * *", for: 1h, why: x }], time_zone: UTC }').findings).toMatchObject([{ line: 2 }]);
  });

  it('is given for at most twenty targets', () => {
    const closed = '    windows: { allow: [{ until: 2026-01-01T00:00Z, why: x }] }';
    const target = TARGET.split('\n').slice(2).join('\n') + closed;
    const names = Array.from({ length: 25 }, (_, index) => `  t${index}:\n${target}`);
    const { project, findings } = load(`version: 1\ntargets:\n${names.join('\n')}\n`);
    expect([project?.targets.length, findings.length]).toEqual([25, 20]);
  });

  it.each([
    ['a freeze', '  deny: [{ why: freeze }]'],
    ['a freeze from some day on', '  deny: [{ from: 2026-12-18T18:00Z, why: freeze }]'],
    ['a freeze beside an allow list that is over', '  deny: [{ why: freeze }]\n  allow: [{ until: 2026-01-01T00:00Z, why: x }]'],
    ['a deny that is over', '  deny: [{ until: 2026-01-01T00:00Z, why: x }]'],
    ['an allow that ended in the course of the day', '  allow: [{ until: 2026-11-27T00:01Z, why: x }]'],
    ['an allow that begins in years', '  allow: [{ from: 2040-01-01T00:00Z, why: x }]'],
    ['29 February', '  time_zone: UTC\n  allow: [{ cron: "0 0 29 2 *", for: 1h, why: x }]'],
  ])('is not given about %s', (_what, lines) => {
    expect(loadWindows(lines).findings).toEqual([]);
  });
});
