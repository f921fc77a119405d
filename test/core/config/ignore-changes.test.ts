import { describe, expect, it } from 'vitest';
import { applyIgnoreChanges } from '../../../src/core/config/ignore-changes.ts';
import { kinds } from '../../../src/core/kinds/index.ts';
import type { DesiredResource } from '../../../src/core/kinds/kind.ts';
import type { JsonObject } from '../../../src/core/model/json.ts';
import { target } from '../../support/planning.ts';
import { declareServices } from '../kinds/fixtures.ts';
import { findingLines, loadConfig } from './fixture.ts';

const ID = '0123456789abcdef0123456789abcdef';

const SECTIONS: JsonObject = {
  playlists: { evening: { playlist: [{ beam: 'a' }, { beam: 'b' }] } },
  smart_starts: { vod: { assets: [ID] } },
  drm_policies: { premium: {} },
  vmp_reject_statuses: [],
  static_key: { scope: 'none' },
  key_rotation_schedule: { enabled: false },
};

/** Declares one resource of every sort. */
function resources(): readonly DesiredResource[] {
  return kinds.flatMap((kind) => kind.declare(SECTIONS, declareServices).resources);
}

function apply(entries: readonly JsonObject[], allowed = true) {
  const declared = applyIgnoreChanges(
    { ...SECTIONS, ignore_changes: entries },
    { kinds },
    resources(),
    { name: 'stage', ignoreChanges: { ...target.ignoreChanges, allowed } },
    (path) => ({ file: 'a.yaml', line: Number(path[1]) + 1, column: 3 }),
  );
  return {
    ignored: declared.resources.flatMap(({ address, ignored = [] }) => ignored.map(({ path }) => `${address} ${path}`)),
    messages: declared.findings.map(
      ({ path, summary, hint }) => `${path.slice(1).join('/')}: ${summary} (${typeof hint === 'function' ? hint() : hint})`,
    ),
    resources: declared.resources,
  };
}

describe('`ignore_changes`', () => {
  it.each<[string, string, readonly string[]]>([
    ['playlist/*', '/active', ['playlist/evening /active']],
    ['playlist/evening', '/playlist', ['playlist/evening /playlist']],
    ['*', '/active', ['playlist/evening /active', `smart-start/vod/${ID} /active`]],
    ['smart-start/*', '/desc', [`smart-start/vod/${ID} /desc`]],
    ['drm-policy/*', '/fairplay', ['drm-policy/premium /fairplay']],
    [
      'drm-policy/*',
      '/widevine/content_key_specs/UHD1/security_level',
      ['drm-policy/premium /widevine/content_key_specs/UHD1/security_level'],
    ],
    ['vmp-reject-statuses', '/vmp_reject_statuses', ['vmp-reject-statuses /vmp_reject_statuses']],
    ['static-key', '/slicer_ids', ['static-key /slicer_ids']],
    ['key-rotation-schedule', '/next_rotation', ['key-rotation-schedule /next_rotation']],
    ['key-*', '/hour', ['key-rotation-schedule /hour']],
  ])('leaves of %s the field %s to others', (address, field, expected) => {
    expect(apply([{ address, fields: [field] }])).toMatchObject({ ignored: expected, messages: [] });
  });

  it('warns of an entry that matches nothing that is declared', () => {
    expect(apply([{ address: 'playlist/morning', fields: ['/active'] }])).toMatchObject({
      ignored: [],
      messages: [expect.stringContaining('`playlist/morning` matches no resource that is declared')],
    });
  });

  it('joins the fields of all entries that match an address, each with its end, its reason and its place', () => {
    const { resources: declared } = apply([
      { address: 'playlist/*', fields: ['/active', '/repeat'], until: '2027-03-31', why: 'editors' },
      { address: '*', fields: ['/skip_drm'] },
    ]);
    const rest = { until: '2027-03-31', why: 'editors', declared: { file: 'a.yaml', line: 1, column: 3 } };
    expect(declared.find(({ address }) => address === 'playlist/evening')?.ignored).toEqual([
      { path: '/active', ...rest },
      { path: '/repeat', ...rest },
      { path: '/skip_drm', declared: { file: 'a.yaml', line: 2, column: 3 } },
    ]);
    expect(declared.find(({ address }) => address === 'static-key')).not.toHaveProperty('ignored');
  });

  it.each<[string, JsonObject, string]>([
    ['a pointer without its first slash', { fields: ['active'] }, '0/fields/0: `active` is not a JSON Pointer (Did you mean `/active`?)'],
    [
      'names with dots',
      { address: 'drm-policy/*', fields: ['fairplay.lease'] },
      '`fairplay.lease` is not a JSON Pointer (Did you mean `/fairplay/lease`?)',
    ],
    [
      'no pointer at all',
      { fields: ['everything'] },
      '`everything` is not a JSON Pointer (Write a field with a slash before each name, for example `/active`.)',
    ],
    [
      'a field of no kind',
      { address: 'static-key', fields: ['/everything'] },
      'has the field `/everything` (The fields are /scope, /slicer_ids.)',
    ],
    ['a pointer with an empty step', { fields: ['/active/'] }, '`/active/` is not a JSON Pointer'],
    ['a pointer with a tilde that escapes nothing', { fields: ['/a~2'] }, '`/a~2` is not a JSON Pointer'],
    [
      'the whole resource',
      { fields: ['/'] },
      '`/` is not a JSON Pointer (Write a field with a slash before each name, for example `/active`.)',
    ],
    [
      'a misspelled field',
      { fields: ['/actve'] },
      'no resource that `playlist/*` matches has the field `/actve` (Did you mean `/active`?)',
    ],
    ['a field of another kind', { fields: ['/fairplay'] }, 'no resource that `playlist/*` matches has the field `/fairplay`'],
    [
      'one entry of a list',
      { fields: ['/playlist/0/beam'] },
      'has the field `/playlist/0/beam` (`/playlist` has no such part; it can be named as a whole.)',
    ],
    ['the name of a playlist', { fields: ['/desc'] }, '`/desc` cannot be left to others: playlist/evening is recognized by it'],
    ['the name of a policy', { address: '*', fields: ['/policy_name'] }, '`/policy_name` cannot be left to others: drm-policy/premium is'],
    ['an address of no kind', { address: 'playlst/*' }, '0/address: `playlst/*` matches no address (Known addresses begin with, or are:'],
    [
      'a day that does not exist',
      { until: '2027-02-29' },
      '0/until: `2027-02-29` is not a day (Write it as YEAR-MONTH-DAY, such as 2027-03-31.)',
    ],
    ['a time', { until: '2027-02-28T00:00' }, '0/until: `2027-02-28T00:00` is not a day'],
    ['words', { until: 'Easter' }, '0/until: `Easter` is not a day'],
  ])('rejects %s', (_what, entry, message) => {
    expect(apply([{ address: 'playlist/*', fields: ['/active'], ...entry }]).messages).toEqual([expect.stringContaining(message)]);
  });

  it('rejects every entry where the target forbids them', () => {
    const entries = [
      { address: 'playlist/*', fields: ['/active'] },
      { address: 'nothing', fields: ['x'] },
    ];
    expect(apply(entries, false).messages).toEqual([
      '0: target stage forbids `ignore_changes` (upkeep.yaml says so: `ignore_changes.allowed`.)',
      expect.stringContaining('1: target stage forbids'),
    ]);
  });
});

describe('`ignore_changes` that are very many', () => {
  const many = (count: number, address: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => ({ address: address(index), fields: ['/active'] }));

  it('may name any number of resources, and a thousand globs', () => {
    expect(
      apply([...many(1_000, (index) => `playlist/even*g${'*'.repeat(index % 2)}`), ...many(2_000, () => 'playlist/evening')]),
    ).toMatchObject({
      messages: [],
      ignored: expect.objectContaining({ length: 3_000 }),
    });
  });

  it('are an error beyond a thousand globs', () => {
    const { messages, resources: loaded } = apply(many(1_001, (index) => `playlist/${index}*`));
    expect(messages).toEqual([
      ': `ignore_changes` has more than 1000 entries whose address has a `*` (Name the resources, or let one entry match more of them.)',
    ]);
    expect(loaded).toEqual([]);
  });
});

describe('a source with `ignore_changes`', () => {
  const load = (text: string, more: readonly string[] = []) =>
    loadConfig({ 'a.yaml': `playlists:\n  evening: { playlist: [{ beam: a }, { beam: b }] }\n${text}` }, { kinds, more });

  it('gives each ignored field its place', () => {
    const { resources: declared, findings } = load(
      'ignore_changes:\n  - address: playlist/*\n    fields: [/active]\n    until: 2027-03-31\n',
    );
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(declared[0]?.ignored).toEqual([{ path: '/active', until: '2027-03-31', declared: { file: 'a.yaml', line: 4, column: 5 } }]);
  });

  it.each<[string, string, string]>([
    ['an entry without fields', 'ignore_changes: [{ address: playlist/evening }]', 'a.yaml:3:18 error missing-key'],
    ['an entry without an address', 'ignore_changes: [{ fields: [/active] }]', 'a.yaml:3:18 error missing-key'],
    ['an entry without any field', 'ignore_changes: [{ address: a, fields: [] }]', 'a.yaml:3:40 error out-of-range'],
    ['a field that is listed twice', 'ignore_changes: [{ address: playlist/*, fields: [/active, /active] }]', 'error duplicate-item'],
    ['an unknown key', 'ignore_changes: [{ address: playlist/*, fields: [/active], til: 2027-01-01 }]', 'a.yaml:3:60 error unknown-key'],
    ['a wrong field', 'ignore_changes:\n  - address: playlist/*\n    fields: [/active, /actve]', 'a.yaml:5:23 error ignore-changes'],
  ])('reports %s at its place', (_what, text, line) => {
    expect(findingLines(load(`${text}\n`)).filter((each) => each.includes('error'))).toContainEqual(expect.stringContaining(line));
  });

  it('is refused where the target forbids it', () => {
    const text = 'ignore_changes:\n  - { address: playlist/*, fields: [/active] }\n';
    expect(findingLines(load(text, ['ignore_changes: { allowed: false }']))).toContainEqual('a.yaml:4:5 error ignore-changes');
  });

  it('is replaced as a whole by a later source, which may remove it', () => {
    const base =
      'playlists: { evening: { playlist: [{ beam: a }, { beam: b }] } }\nignore_changes: [{ address: playlist/*, fields: [/active] }]\n';
    const paths = (overlay: string) =>
      loadConfig({ 'a.yaml': base, 'b.yaml': overlay }, { kinds }).resources[0]?.ignored?.map(({ path }) => path);
    expect(paths('ignore_changes: [{ address: playlist/*, fields: [/repeat] }]\n')).toEqual(['/repeat']);
    expect(paths('ignore_changes: null\n')).toBeUndefined();
  });
});
