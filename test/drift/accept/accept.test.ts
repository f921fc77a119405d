/** The room as a whole: sources that declare what is live, and the other targets that read them. */
import { describe, expect, test } from 'vitest';
import { acceptDrift } from '../../../src/drift/accept/accept.ts';
import {
  acceptAll,
  acceptedTexts,
  acceptRequests,
  asset,
  EVENING,
  evening,
  NOW,
  other,
  type Sections,
  textsOrReasons,
  workspaceOf,
} from './project.ts';

describe('what is live is declared', () => {
  test.each<readonly [string, Sections, string]>([
    [
      'settings',
      { ...evening, repeat: -1, skip_drm: 1, active: 0 },
      EVENING.replace('repeat: 3', 'repeat: -1').replace('false', 'true\n    active: 0'),
    ],
    ['a description in its quotes', { ...evening, desc: "it's late" }, EVENING.replace('Evening block', "it''s late")],
    [
      'a setting at its default, which is said',
      { ...evening, desc: 'Evening block', repeat: 0 },
      EVENING.replace('repeat: 3', 'repeat: 0'),
    ],
    [
      'entries',
      { ...evening, playlist: [{ beam: asset(1) }, { ad: 60 }, { beam: asset(5) }, { beam: asset(2) }] },
      EVENING.replace('ad: 90', `ad: 60\n      - beam:\n          id: ${asset(5)}`),
    ],
  ])('%s', (_what, live, made) => {
    expect(acceptedTexts({ 'a.yaml': EVENING }, { playlists: { evening: live, other } })).toEqual({ 'a.yaml': made });
  });

  test('several resources at once', () => {
    const text =
      'vmp_reject_statuses:\n  - PLATFORM_UNVERIFIED # phones\n  - PLATFORM_TAMPERED\nstatic_key: { scope: specific, slicer_ids: [b, a] }\n';
    const live = {
      vmp_reject_statuses: ['PLATFORM_HARDWARE_VERIFIED', 'PLATFORM_UNVERIFIED'],
      static_key: { scope: 'specific', slicer_ids: ['a', 'b', 'c'] },
    };
    expect(acceptedTexts({ 'a.yaml': text }, live)).toEqual({
      'a.yaml': text.replace('TAMPERED', 'HARDWARE_VERIFIED').replace('[b, a]', '[b, a, c]'),
    });
  });

  test('a rotation only in what is declared, and in what has not passed', () => {
    const text = `key_rotation_schedule: { enabled: false, next_rotation: ${NOW - 1} }\n`;
    expect(acceptAll(workspaceOf({ 'a.yaml': text }), { key_rotation_schedule: { enabled: false, next_rotation: NOW + 1 } })).toEqual({
      refusals: [],
    });
  });
});

describe('what is gone is declared no longer', () => {
  test('with its comments, and with the object that it was bound to', () => {
    const adopt = `adopt:\n  playlist/evening: one\n  playlist/other: two\n`;
    const files = { 'a.yaml': EVENING, 'b.yaml': adopt };
    expect(acceptedTexts(files, { playlists: { other } })).toEqual({
      'a.yaml': EVENING.replace(/ {2}# the block[\s\S]*?(?=\n {2}other)/, ''),
      'b.yaml': adopt.replace('  playlist/evening: one\n', ''),
    });
  });

  test('by null where an earlier source declares it too', () => {
    const over = 'playlists:\n  other: # tonight\n    repeat: 2\n';
    expect(acceptedTexts({ 'a.yaml': EVENING, 'b.yaml': over }, { playlists: { evening } })).toEqual({
      'b.yaml': 'playlists:\n  other: null # tonight\n',
    });
  });

  test('from a list of assets, however many', () => {
    const text = `smart_starts:\n  vod:\n    repeat: 1\n    assets:\n${[1, 2, 3, 4, 5].map((number) => `      - ${asset(number)}\n`).join('')}`;
    const line = (number: number) => `      - ${asset(number)}\n`;
    const live = (...numbers: readonly number[]) => ({ smart_starts: { vod: { repeat: 1, assets: numbers.map(asset) } } });
    expect(acceptedTexts({ 'a.yaml': text }, live(2, 4))).toEqual({
      'a.yaml': [1, 3, 5].reduce((left, number) => left.replace(line(number), ''), text),
    });
    const louder = { smart_starts: { vod: { repeat: 2, assets: [asset(2), asset(5)] } } };
    expect(acceptedTexts({ 'a.yaml': text }, louder)).toEqual({
      'a.yaml': [1, 3, 4].reduce((left, number) => left.replace(line(number), ''), text).replace('repeat: 1', 'repeat: 2'),
    });
  });

  test('from a list of more than ten assets, the later ones first', () => {
    const numbers = [...Array(12).keys()];
    const text = `smart_starts:\n  vod:\n    assets:\n${numbers.map((number) => `      - ${asset(number)}\n`).join('')}`;
    const left = numbers.filter((number) => ![2, 10, 11].includes(number));
    expect(acceptedTexts({ 'a.yaml': text }, { smart_starts: { vod: { assets: left.map(asset) } } })).toEqual({
      'a.yaml': `smart_starts:\n  vod:\n    assets:\n${left.map((number) => `      - ${asset(number)}\n`).join('')}`,
    });
  });

  test('from a list of assets in whatever order it is asked', () => {
    const line = (number: number) => `      - ${asset(number)}\n`;
    const text = `smart_starts:\n  vod:\n    assets:\n${[1, 2, 3, 4, 5].map(line).join('')}`;
    const workspace = workspaceOf({ 'a.yaml': text });
    const asked = acceptRequests(workspace, { smart_starts: { vod: { assets: [asset(2), asset(4)] } } });
    const [first, third, fifth] = asked;
    if (!first || !third || !fifth) throw new Error('three are gone');
    for (const order of [asked, asked.toReversed(), [third, fifth, first], [fifth, first, third]])
      expect(textsOrReasons(acceptDrift(workspace, order, NOW))).toEqual({
        'a.yaml': `smart_starts:\n  vod:\n    assets:\n${line(2)}${line(4)}`,
      });
  });

  test('from a file of assets, while the YAML stays as it is', () => {
    const files = {
      'a.yaml': 'smart_starts:\n  vod: { assets_file: vod.txt }\n',
      'vod.txt': `${asset(7)}\n${asset(8)} # late\n${asset(9)}\n`,
    };
    expect(acceptedTexts(files, { smart_starts: { vod: { assets: [asset(7), asset(9)] } } })).toEqual({
      'vod.txt': `${asset(7)}\n${asset(9)}\n`,
    });
  });
});

describe('other targets', () => {
  const over = 'playlists: { evening: { repeat: 7 } }\n';
  const files = { 'a.yaml': EVENING, 'b.yaml': over, 'c.yaml': `static_key: { scope: none }\n` };
  const targets = {
    main: { sources: ['a.yaml'] },
    alike: { sources: ['a.yaml', 'c.yaml'] },
    covered: { sources: ['a.yaml', 'b.yaml'] },
    apart: { sources: ['c.yaml'] },
    last: { sources: ['a.yaml'] },
  };

  test('are named where they declare something else then', () => {
    const found = acceptAll(workspaceOf(files, targets), { playlists: { evening: { ...evening, repeat: 5 }, other } });
    expect(found).toMatchObject({ edits: [{ file: 'a.yaml', lines: [6] }], others: ['alike', 'last'] });
  });

  test('are none where nobody else reads the file', () => {
    const own = { main: { sources: ['a.yaml', 'b.yaml'] }, apart: { sources: ['a.yaml'] } };
    const found = acceptAll(workspaceOf(files, own), { playlists: { evening: { ...evening, repeat: 5 }, other } });
    expect(found).toMatchObject({ edits: [{ file: 'b.yaml', lines: [1] }], others: [] });
  });
});

test('a fault of the file system is no refusal', () => {
  const workspace = workspaceOf({ 'a.yaml': EVENING });
  const asked = acceptRequests(workspace, { playlists: { evening: { ...evening, repeat: 4 }, other } });
  let reads = 0;
  const read = (file: string) => {
    if (file === 'a.yaml' && ++reads > 1) throw new Error('the disk is gone');
    return workspace.tree.read(file);
  };
  expect(() => acceptDrift({ ...workspace, tree: { ...workspace.tree, read } }, asked, NOW)).toThrow('the disk is gone');
});

test('nothing is amended where nothing is asked', () => {
  expect(acceptDrift(workspaceOf({ 'a.yaml': EVENING }), [], NOW)).toEqual({ refusals: [] });
});
