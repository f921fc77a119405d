import { describe, expect, it, test } from 'vitest';
import { loadProject } from '../../../src/core/config/load-project.ts';
import type { Project } from '../../../src/core/config/project.ts';
import { memoryFiles } from '../../../src/core/config/project-folder.ts';
import { loweredSafeguards } from '../../../src/core/config/safeguards.ts';

const TARGET = `
    base_url: https://services.example.com
    credentials: { owner: { env: A }, api_key: { env: B } }
    sources: [config]
`;

/** Loads upkeep.yaml with these lines at the top, and these in its target. */
function projectOf(top: string, target = ''): Project {
  const text = `version: 1\n${top}\ntargets:\n  live:${TARGET}    ${target}\n`;
  const { project, findings } = loadProject(memoryFiles([{ name: 'upkeep.yaml', text }]), '2027-01-01');
  expect(findings).toEqual([]);
  if (project === null) throw new Error('no project');
  return project;
}

const summaries = (before: Project, after: Project): readonly string[] =>
  loweredSafeguards(before, after, 'live', () => ({ file: 'upkeep.yaml', line: 1, column: 1 })).map(({ summary }) => summary);

const GUARD = (verdict: string, when = 'change.action == "delete"') =>
  `guards: [{ id: g, when: '${when}', ${verdict}: 'true', message: m }]`;

describe('of a target', () => {
  const cases: readonly (readonly [string, string, string, boolean])[] = [
    ['protect', 'protect: [playlist/a, playlist/b]', 'protect: [playlist/b]', true],
    ['protect', 'protect: [playlist/a]', 'protect: [playlist/b, playlist/a]', false],
    ['limits.delete.count', 'limits: { delete: { count: 3 } }', 'limits: { delete: { count: 4 } }', true],
    ['limits.delete.percent', 'limits: { delete: { percent: 10 } }', 'limits: { delete: { percent: 9 } }', false],
    ['limits.update.percent', 'limits: { update: { percent: 10 } }', 'limits: { update: { percent: 11 } }', true],
    ['limits.off_air.count', 'limits: { off_air: { count: 1 } }', 'limits: { off_air: { count: 2 } }', true],
    ['limits.off_air.percent', 'limits: { off_air: { percent: 1 } }', 'limits: { off_air: { percent: 0 } }', false],
    ['manages', 'manages: [playlist/a-*]', 'manages: [playlist/a-*, playlist/b-*]', true],
    ['manages', 'manages: [playlist/a-*]', '', true],
    ['manages', '', 'manages: [playlist/a-*]', false],
    ['weakening', 'weakening: block', 'weakening: allow', true],
    ['weakening', 'weakening: allow', '', false],
    ['playback_loss', 'playback_loss: strict', '', true],
    ['playback_loss', 'playback_loss: allow', 'playback_loss: block', false],
    ['ownership', 'ownership: shared', 'ownership: exclusive', true],
    ['ownership', 'ownership: shared', 'ownership: observe', false],
    ['branch', 'branch: main', '', true],
    ['branch', '', 'branch: main', false],
    ['ledger', 'ledger: git', 'ledger: none', true],
    ['ignore_changes.allowed', 'ignore_changes: { allowed: false }', 'ignore_changes: { allowed: true }', true],
    ['ignore_changes.risky_edits', 'ignore_changes: {}', 'ignore_changes: { risky_edits: [playlist/a] }', true],
    ['service.resettable_members', '', 'service: { resettable_members: [/x] }', true],
    ['check.assets', 'check: { assets: true }', 'check: { assets: false }', true],
    ['check.assets', 'check: { assets: false }', 'check: { assets: true }', false],
  ];

  test.each(cases)('an edit of %s from `%s` to `%s` holds less back: %s', (path, before, after, isLowered) => {
    const found = summaries(projectOf('', before), projectOf('', after));
    expect(found.map((text) => text.split('`')[1])).toEqual(isLowered ? [`targets.live.${path}`] : []);
  });
});

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
    ['an added exception', deny(`${FRIDAYS}, for: 62h`), deny(`${FRIDAYS}, for: 62h, unless: strengthens`), 'deny holds'],
    ['another pattern', deny(`${FRIDAYS}, for: 62h`), deny(`${FRIDAYS.replace('18', '19')}, for: 62h`), 'deny may hold'],
    ['another zone', deny(`${FRIDAYS}, for: 62h`), deny(`${FRIDAYS}, for: 62h`).replace('UTC', 'Europe/Berlin'), 'deny may hold'],
    ['a pattern for an interval', deny(CHRISTMAS), deny(`${FRIDAYS}, for: 62h`), 'deny may hold'],
    ['all allow entries that are removed', allow(`${OFFICE}, for: 8h`), '', 'allow holds'],
    ['an added allow', allow(`${OFFICE}, for: 8h`), allow(`${OFFICE}, for: 8h`, CHRISTMAS), 'allow holds'],
    ['a longer allow', allow(`${OFFICE}, for: 8h`), allow(`${OFFICE}, for: 9h`), 'allow holds'],
    ['an allow that ends later', allow(CHRISTMAS), allow(CHRISTMAS.replace('04T06', '04T07')), 'allow holds'],
    ['another allow', allow(`${OFFICE}, for: 8h`), allow(CHRISTMAS), 'allow may hold'],
    ['another reason', deny(`${FRIDAYS}, for: 62h`), deny(`${FRIDAYS.replace('weekend', 'rest')}, for: 62h`), ''],
    ['a longer deny', deny(`${FRIDAYS}, for: 62h`), deny(`${FRIDAYS}, for: 63h`), ''],
    ['an exception that is removed', deny(`${FRIDAYS}, for: 62h, unless: strengthens`), deny(`${FRIDAYS}, for: 62h`), ''],
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
      found.map((text) => text.replace(new RegExp(`^.${scope}windows[.](deny|allow).`), '$1').replace(/ less back.*/, ''));
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

  it('says what a value was and is, cut where it is long', () => {
    const [text = ''] = summaries(projectOf(GUARD('deny', `change.name == "${'x'.repeat(300)}"`)), projectOf(''));
    expect(text).toMatch(/^`guards\.g` holds less back: before `deny: change\.name.{150,190}\.\.\.`, now not set$/);
  });
});
