import { describe, expect, it, test } from 'vitest';
import { loadProject } from '../../../src/core/config/load-project.ts';
import { normalizeBaseUrl, type Project } from '../../../src/core/config/project.ts';
import { memoryFiles } from '../../../src/core/config/project-folder.ts';
import { loweredSafeguards } from '../../../src/core/config/safeguards.ts';

const TARGET = `
    base_url: https://services.example.com
    credentials: { owner: { env: A }, api_key: { env: B } }
    sources: [config]
`;

/** Lines at the top of upkeep.yaml and in its target, before and after an edit. */
interface Edit {
  readonly top?: readonly [string, string];
  readonly target?: readonly [string, string];
}

/** Loads upkeep.yaml with these lines at the top, and these in its target. */
function projectOf(top: string, target = ''): Project {
  const needed = target.includes('credentials:') ? TARGET.replace(/ *credentials: .*\n/, '') : TARGET;
  const other = target.includes('after: [other]') ? `  other:${TARGET}    ledger: git\n` : '';
  const text = `version: 1\n${top}\ntargets:\n  live:${needed}    ${target}\n${other}`;
  const { project, findings } = loadProject(memoryFiles([{ name: 'upkeep.yaml', text }]), '2027-01-01');
  expect(findings).toEqual([]);
  if (project === null) throw new Error('no project');
  return project;
}

const summaries = (before: Project, after: Project): readonly string[] =>
  loweredSafeguards(before, after, 'live', () => ({ file: 'upkeep.yaml', line: 1, column: 1 })).map(({ summary }) => summary);

const GUARD = (verdict: string, when = 'change.action == "delete"') =>
  `guards: [{ id: g, when: '${when}', ${verdict}: 'true', message: m }]`;

const LIST = (...entries: readonly string[]) => `rules: [${entries.join(', ')}]`;
const at = (key: string, severity: string, more = '') =>
  `{ code: mixed-codec, address: "playlist/${key}", severity: "${severity}"${more} }`;

const FRIDAYS = 'cron: "0 18 * * FRI", why: weekend';
const OFFICE = 'cron: "0 9 * * MON-FRI", why: office hours';
const deny = (...entries: readonly string[]) => `windows: { time_zone: UTC, deny: [${entries.map((each) => `{ ${each} }`).join(', ')}] }`;
const allow = (...entries: readonly string[]) => `windows: { time_zone: UTC, allow: [${entries.map((each) => `{ ${each} }`).join(', ')}] }`;
const CHRISTMAS = 'from: 2027-12-18T18:00, until: 2028-01-04T06:00, why: Christmas';

describe('change windows', () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    ['a removed deny', deny(`${FRIDAYS}, for: 62h`), '', 'deny holds'],
    ['one of two that is removed', deny(CHRISTMAS, `${FRIDAYS}, for: 62h`), deny(CHRISTMAS), 'deny holds'],
    ['a removed freeze', deny('why: freeze'), '', 'deny holds'],
    ['a deny that begins later', deny(CHRISTMAS), deny(CHRISTMAS.replace('18T18', '18T19')), 'deny holds'],
    ['a deny that ends earlier', deny(CHRISTMAS), deny(CHRISTMAS.replace('04T06', '04T05')), 'deny holds'],
    ['a deny that gets an end', deny('from: 2027-12-18T18:00, why: x'), deny(CHRISTMAS), 'deny holds'],
    ['a shorter deny', deny(`${FRIDAYS}, for: 62h`), deny(`${FRIDAYS}, for: 61h`), 'deny holds'],
    ['an added exception', deny(`${FRIDAYS}, for: 62h`), deny(`${FRIDAYS}, for: 62h, unless: [strengthens]`), 'deny holds'],
    [
      'an exception beside another one',
      deny(`${FRIDAYS}, for: 62h, unless: [strengthens]`),
      deny(`${FRIDAYS}, for: 62h, unless: [reverts, strengthens]`),
      'deny holds',
    ],
    ['another exception', deny('why: x, unless: [strengthens]'), deny('why: x, unless: [reverts]'), 'deny holds'],
    ['another pattern', deny(`${FRIDAYS}, for: 62h`), deny(`${FRIDAYS.replace('18', '19')}, for: 62h`), 'deny may hold'],
    ['another zone', deny(`${FRIDAYS}, for: 62h`), deny(`${FRIDAYS}, for: 62h`).replace('UTC', 'Europe/Berlin'), 'time_zone may hold'],
    ['a pattern for an interval', deny(CHRISTMAS), deny(`${FRIDAYS}, for: 62h`), 'deny may hold'],
    ['all allow entries that are removed', allow(`${OFFICE}, for: 8h`), '', 'allow holds'],
    ['an added allow', allow(`${OFFICE}, for: 8h`), allow(`${OFFICE}, for: 8h`, CHRISTMAS), 'allow holds'],
    ['a longer allow', allow(`${OFFICE}, for: 8h`), allow(`${OFFICE}, for: 9h`), 'allow holds'],
    ['an allow that ends later', allow(CHRISTMAS), allow(CHRISTMAS.replace('04T06', '04T07')), 'allow holds'],
    ['another allow', allow(`${OFFICE}, for: 8h`), allow(CHRISTMAS), 'allow may hold'],
    ['another reason', deny(`${FRIDAYS}, for: 62h`), deny(`${FRIDAYS.replace('weekend', 'rest')}, for: 62h`), ''],
    ['a longer deny', deny(`${FRIDAYS}, for: 62h`), deny(`${FRIDAYS}, for: 63h`), ''],
    ['an exception that is removed', deny(`${FRIDAYS}, for: 62h, unless: [strengthens]`), deny(`${FRIDAYS}, for: 62h`), ''],
    ['one exception of two that is removed', deny('why: x, unless: [reverts, strengthens]'), deny('why: x, unless: [reverts]'), ''],
    [
      'the same exceptions in another order',
      deny('why: x, unless: [reverts, strengthens]'),
      deny('why: x, unless: [strengthens, reverts]'),
      '',
    ],
    ['a freeze for everything else', deny(CHRISTMAS, `${FRIDAYS}, for: 62h`), deny('why: freeze'), ''],
    ['a deny that was over', deny('until: 2027-01-01T00:00, why: x'), '', ''],
    ['a deny that ends on the day', deny('until: 2027-01-01T00:01, why: x'), '', 'deny holds'],
    ['an added deny', '', deny(CHRISTMAS), ''],
    ['a first allow', '', allow(`${OFFICE}, for: 8h`), ''],
    ['one allow less', allow(`${OFFICE}, for: 8h`, CHRISTMAS), allow(CHRISTMAS), ''],
    ['a shorter allow', allow(`${OFFICE}, for: 8h`), allow(`${OFFICE}, for: 7h`), ''],
    ['the same in another order', deny(CHRISTMAS, 'why: freeze'), deny('why: freeze', CHRISTMAS), ''],
  ];

  test.each(cases)('are compared where the edit is %s', (_what, before, after, lowered) => {
    const expected = lowered === '' ? [] : [lowered];
    const texts = (found: readonly string[], scope: string) =>
      found.map((text) => text.replace(new RegExp(`^.${scope}windows[.](deny|allow|time_zone).`), '$1').replace(/ less back.*/, ''));
    expect(texts(summaries(projectOf(before), projectOf(after)), '')).toEqual(expected);
    expect(texts(summaries(projectOf('', before), projectOf('', after)), 'targets.live.')).toEqual(expected);
  });
});

describe('of a project', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    [GUARD('deny'), '', 'holds'],
    [GUARD('deny'), GUARD('warn'), 'may hold'],
    [GUARD('warn'), GUARD('deny'), ''],
    [GUARD('deny'), GUARD('deny', 'change.action == "update"'), 'may hold'],
    ['', GUARD('deny'), ''],
    ['rules: { mixed-codec: error }', 'rules: { mixed-codec: warning }', 'holds'],
    ['rules: { mixed-codec: error }', '', 'may hold'],
    ['', 'rules: { mixed-codec: off }', 'holds'],
    ['', 'rules: { mixed-codec: warning }', 'may hold'],
    ['rules: { mixed-codec: warning }', '', ''],
    ['rules: { mixed-codec: off }', 'rules: { mixed-codec: error }', ''],
    ['', LIST('{ code: mixed-codec, address: playlist/a, severity: "off" }'), 'holds'],
    ['', LIST('{ code: mixed-codec, file: a.yaml, severity: warning }'), 'may hold'],
    ['', LIST('{ code: mixed-codec, address: playlist/a, severity: error }'), ''],
    [LIST('{ code: mixed-codec, severity: error }'), 'rules: { mixed-codec: error }', ''],
    [LIST(at('a', 'error')), LIST(at('a', 'warning')), 'holds'],
    [LIST(at('a', 'off')), LIST(at('a', 'off', ', until: 2027-06-30')), ''],
    [LIST(at('a', 'off', ', until: 2027-06-30')), LIST(at('a', 'off', ', until: 2027-07-31')), 'holds'],
    [LIST(at('a', 'off', ', until: 2026-12-31')), LIST(at('a', 'off', ', until: 2027-07-31')), 'holds'],
    [LIST(at('a', 'off')), '', ''],
    [LIST(at('a', 'warning')), '', 'may hold'],
    [LIST(at('a', 'off'), at('*', 'error')), LIST(at('*', 'error'), at('a', 'off')), 'may hold'],
    ['rules: { asset-expires: { level: warning, within: 14d } }', 'rules: { asset-expires: { level: warning, within: 7d } }', 'holds'],
    ['rules: { asset-expires: { level: warning, within: 7d } }', 'rules: { asset-expires: { level: warning, within: 14d } }', ''],
    ['', 'devices: { stick-without-hdcp: null }', 'holds'],
    ['', 'devices: { stick-without-hdcp: { expected: false } }', 'holds'],
    ['devices: { stick-without-hdcp: null }', '', ''],
  ];

  test.each(cases)('an edit from `%s` to `%s` is said to hold less back: %s', (before, after, says) => {
    const found = summaries(projectOf(before), projectOf(after));
    expect(found.map((text) => text.replace(/^`[^`]+` | less back.*$/g, ''))).toEqual(says === '' ? [] : [says]);
  });

  it('names a target that is removed, because nothing looks at its account any more', () => {
    const before = projectOf('');
    const [live] = before.targets;
    const twice = { ...before, targets: live ? [live, { ...live, name: 'other' }] : [] };
    expect(summaries(twice, before)).toEqual(['`targets.other` is removed: nothing looks at its account any more']);
  });
});

it.each([
  ['https://services.example.com', true],
  ['https://services.example.com.', true],
  ['https://SERVICES.example.com:443/v2', true],
  ['https://services.example.com:8443', false],
  ['https://elsewhere.example.com', false],
])('names a new target at a service that another one has, however its address is written: %s', (baseUrl, isNamed) => {
  const before = projectOf('');
  const [live] = before.targets;
  if (live === undefined) throw new Error('no target');
  const other = { ...live, name: 'other', baseUrl: normalizeBaseUrl(baseUrl) ?? '' };
  const found = summaries(before, { ...before, targets: [live, other] });
  expect(found).toEqual(isNamed ? [expect.stringContaining('`targets.other` is another target at')] : []);
});

describe('what a value was and is', () => {
  const credentials = (key: string) => `credentials: { owner: { env: A }, ${key} }`;
  const cases: readonly (readonly [string, Edit, string])[] = [
    [
      'durations with their unit',
      {
        target: [
          'ledger: git\n    branch: main\n    after: [other]\n    soak: 1d',
          'ledger: git\n    branch: main\n    after: [other]\n    soak: 90m',
        ],
      },
      '`targets.live.soak` holds less back: before `24h`, now `90m`',
    ],
    [
      'how long before an event',
      {
        top: ['rules: { asset-expires: { level: warning, within: 14d } }', 'rules: { asset-expires: { level: warning, within: 36h } }'],
      },
      '`rules.asset-expires.within` holds less back: before `14d`, now `36h`',
    ],
    [
      'windows, and the time zone by itself',
      {
        top: [
          deny(`${FRIDAYS}, for: 62h`, CHRISTMAS.replace('Christmas', 'it is Christmas')),
          deny(`${FRIDAYS}, for: 1d`).replace('UTC', 'Europe/Berlin'),
        ],
      },
      '`windows.deny` holds less back: before `[ { cron: 0 18 * * FRI, for: 62h, why: weekend }, ' +
        '{ from: 2027-12-18T18:00:00Z, until: 2028-01-04T06:00:00Z, why: it is Christmas } ]`, ' +
        'now `[ { cron: 0 18 * * FRI, for: 24h, why: weekend } ]`\n' +
        '`windows.time_zone` may hold less back: before `UTC`, now `Europe/Berlin`',
    ],
    [
      'a guard by what differs of it',
      { top: [GUARD('deny'), GUARD('deny').replace("'true'", "'plan.delete > 2'")] },
      '`guards.g` may hold less back: before `{ deny: "true" }`, now `{ deny: plan.delete > 2 }`',
    ],
    [
      'a rule at a place',
      { top: ['', 'rules: [{ code: mixed-codec, address: playlist/a, severity: "off", until: 2027-06-30, why: w }]'] },
      '`rules.mixed-codec` holds less back: before not set, now `[ { severity: off, address: playlist/a, until: 2027-06-30 } ]`',
    ],
    [
      'a ledger elsewhere',
      { top: ['project: p', 'project: p'], target: ['ledger: git', 'ledger: { git: "https://git.example.com/x" }'] },
      '`targets.live.ledger` may hold less back: before `git`, now `{ git: https://git.example.com/x }`',
    ],
    [
      'a device class by what differs of it',
      {
        top: [
          'devices: { mine: { system: fairplay, outputs: [internal] } }',
          'devices: { mine: { system: fairplay, outputs: [airplay] } }',
        ],
      },
      '`devices.mine` may hold less back: before `{ outputs: [ internal ] }`, now `{ outputs: [ airplay ] }`',
    ],
    [
      'a receiver by what differs of it',
      { top: ['notify: [{ url: { env: HOOK }, on: [drift, failed] }]', 'notify: [{ url: { env: HOOK }, on: [failed] }]'] },
      '`notify.HOOK` holds less back: before `{ on: [ drift, failed ] }`, now `{ on: [ failed ] }`',
    ],
    [
      'a scoped key for which an API key is taken',
      { target: [credentials('scoped_key: { file: /run/key }'), credentials('api_key: { command: [vault, read, x] }')] },
      '`targets.live.credentials` holds less back: before `{ scoped_key: { file: /run/key } }`, now `{ api_key: { command: [ vault, ... ] } }`',
    ],
    [
      'arguments of a program, which no report shows',
      { target: [credentials('api_key: { command: [vault, s3cr3t] }'), credentials('api_key: { command: [vault, other] }')] },
      '`targets.live.credentials` may hold less back: other arguments, which no report shows',
    ],
    [
      'the pair that reads, where the one that writes is left',
      {
        target: [
          'credentials: { read: { owner: { env: A }, api_key: { env: R } }, write: { owner: { env: A }, api_key: { env: B } } }',
          credentials('api_key: { env: B }'),
        ],
      },
      '`targets.live.credentials` holds less back: before `{ read: { owner: { env: A }, api_key: { env: R } }, write: { owner: { env: A }, ' +
        'api_key: { env: B } } }`, now `{ owner: { env: A }, api_key: { env: B } }`',
    ],
  ];

  test.each(cases)('is told of %s, as YAML that can stand in upkeep.yaml', (_what, { top = ['', ''], target = ['', ''] }, expected) => {
    expect(summaries(projectOf(top[0], target[0]), projectOf(top[1], target[1]))).toEqual(expected.split('\n'));
  });

  it('is cut where it is long, around the place where it begins to differ', () => {
    const [text = ''] = summaries(projectOf(GUARD('deny', `change.name == "${'x'.repeat(300)}"`)), projectOf(''));
    expect(text).toMatch(/^`guards\.g` holds less back: before `\{ when: change\.name.{150,190}\.\.\.`, now not set$/);
    const [differs = ''] = summaries(
      projectOf(GUARD('deny', `change.name == "${'x'.repeat(300)}a"`)),
      projectOf(GUARD('deny', `change.name == "${'x'.repeat(300)}b"`)),
    );
    expect(differs).toMatch(/^`guards\.g` may hold less back: before `\.\.\.x{50}a" \}`, now `\.\.\.x{50}b" \}`$/);
  });

  it('is what differs of long lists, and how many others there are', () => {
    const many = Array.from({ length: 40 }, (_, index) => `playlist/channel-${index}`);
    const protect = (...more: readonly string[]) => projectOf('', `protect: [${[...many, ...more].join(', ')}]`);
    expect(summaries(protect('playlist/b'), protect())).toEqual([
      '`targets.live.protect` holds less back: before `[ playlist/b ]` and 40 others, now 40 others',
    ]);
  });
});

describe('devices that are not expected to play', () => {
  const device = (more: string) => `devices: { mine: { system: fairplay, outputs: [internal], expected: ${more} } }`;
  const edits: readonly (readonly [string, string, string])[] = [
    ['other outputs', device('false').replace('internal', 'airplay'), 'may hold'],
    ['a class that is gone', '', 'may hold'],
    ['a class that is expected now', device('true'), ''],
  ];

  test.each(edits)('are compared where there is a guard, which may ask about them: %s', (_what, after, says) => {
    expect(summaries(projectOf(device('false')), projectOf(after))).toEqual([]);
    const found = summaries(projectOf(`${device('false')}\n${GUARD('deny')}`), projectOf(`${after}\n${GUARD('deny')}`));
    expect(found.map((text) => text.replace(/^`devices[.]mine` | less back.*$/g, ''))).toEqual(says === '' ? [] : [says]);
  });
});

it('tells about two receivers at one address once, and about a key that one of them no longer has', () => {
  const notify = (...receivers: readonly string[]) =>
    projectOf(`notify: [${receivers.map((each) => `{ url: { env: HOOK }, ${each} }`).join(', ')}]`);
  const both = notify('on: [drift], secret: { env: KEY }', 'on: [failed], secret: { env: KEY }');
  expect(summaries(both, notify('on: [failed, drift], secret: { env: KEY }'))).toEqual([]);
  expect(summaries(both, notify('on: [drift]', 'on: [failed], secret: { env: KEY }'))).toEqual([
    '`notify.HOOK` holds less back: before `{ secret: { env: KEY } }`, now `{}`',
  ]);
  expect(summaries(both, projectOf(''))).toHaveLength(1);
});

it('says in the hint what follows from an edit of an address', () => {
  const [finding] = loweredSafeguards(projectOf('', 'ledger: git'), projectOf('', 'ledger: none'), 'live', () => ({
    file: 'upkeep.yaml',
    line: 1,
    column: 1,
  }));
  expect(finding?.hint).toBe(
    'Without the entries that it has now, it is as before a first apply, where neither `identity` nor `rollback` holds. Ask for the reason.',
  );
});
