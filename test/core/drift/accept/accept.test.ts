/** `drift accept` as a whole: the edited sources declare the live account, and other targets that read them are named. */
import { describe, expect, test } from 'vitest';
import { acceptDrift } from '../../../../src/core/drift/accept/accept.ts';
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

describe('accepting a difference edits', () => {
  test.each<readonly [string, Sections, string]>([
    [
      'settings',
      { ...evening, repeat: -1, skip_drm: 1, active: 0 },
      EVENING.replace('repeat: 3', 'repeat: -1').replace('false', 'true\n    active: 0'),
    ],
    ['a description within its quotes', { ...evening, desc: "it's late" }, EVENING.replace('Evening block', "it''s late")],
    ['a setting that is live at its default', { ...evening, desc: 'Evening block', repeat: 0 }, EVENING.replace('repeat: 3', 'repeat: 0')],
    [
      'entries',
      { ...evening, playlist: [{ beam: asset(1) }, { ad: 60 }, { beam: asset(5) }, { beam: asset(2) }] },
      EVENING.replace('ad: 90', `ad: 60\n      - beam:\n          id: ${asset(5)}`),
    ],
  ])('%s', (_name, live, expected) => {
    expect(acceptedTexts({ 'a.yaml': EVENING }, { playlists: { evening: live, other } })).toEqual({ 'a.yaml': expected });
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

  test('no next rotation that is in the past', () => {
    const text = `key_rotation_schedule: { enabled: false, next_rotation: ${NOW - 1} }\n`;
    expect(acceptAll(workspaceOf({ 'a.yaml': text }), { key_rotation_schedule: { enabled: false, next_rotation: NOW + 1 } })).toEqual({
      refusals: [],
    });
  });
});

describe('accepting a deletion removes the declaration', () => {
  test('with its comments, and its entry of `adopt`', () => {
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

  test('from a list of assets, also of several at once', () => {
    const text = `smart_starts:\n  vod:\n    repeat: 1\n    assets:\n${[1, 2, 3, 4, 5].map((number) => `      - ${asset(number)}\n`).join('')}`;
    const line = (number: number) => `      - ${asset(number)}\n`;
    const live = (...numbers: readonly number[]) => ({ smart_starts: { vod: { repeat: 1, assets: numbers.map(asset) } } });
    expect(acceptedTexts({ 'a.yaml': text }, live(2, 4))).toEqual({
      'a.yaml': [1, 3, 5].reduce((left, number) => left.replace(line(number), ''), text),
    });
    const alsoRepeated = { smart_starts: { vod: { repeat: 2, assets: [asset(2), asset(5)] } } };
    expect(acceptedTexts({ 'a.yaml': text }, alsoRepeated)).toEqual({
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

  test('from a list of assets, in any order of the requests', () => {
    const line = (number: number) => `      - ${asset(number)}\n`;
    const text = `smart_starts:\n  vod:\n    assets:\n${[1, 2, 3, 4, 5].map(line).join('')}`;
    const workspace = workspaceOf({ 'a.yaml': text });
    const requests = acceptRequests(workspace, { smart_starts: { vod: { assets: [asset(2), asset(4)] } } });
    const [first, third, fifth] = requests;
    if (!first || !third || !fifth) throw new Error('three are gone');
    for (const order of [requests, requests.toReversed(), [third, fifth, first], [fifth, first, third]])
      expect(textsOrReasons(acceptDrift(workspace, order, NOW))).toEqual({
        'a.yaml': `smart_starts:\n  vod:\n    assets:\n${line(2)}${line(4)}`,
      });
  });

  test('from an assets file, without editing the YAML', () => {
    const files = {
      'a.yaml': 'smart_starts:\n  vod: { assets_file: vod.txt }\n',
      'vod.txt': `${asset(7)}\n${asset(8)} # late\n${asset(9)}\n`,
    };
    expect(acceptedTexts(files, { smart_starts: { vod: { assets: [asset(7), asset(9)] } } })).toEqual({
      'vod.txt': `${asset(7)}\n${asset(9)}\n`,
    });
  });
});

describe('other targets of the edited files', () => {
  const over = 'playlists: { evening: { repeat: 7 } }\n';
  const files = { 'a.yaml': EVENING, 'b.yaml': over, 'c.yaml': `static_key: { scope: none }\n` };
  const targets = {
    main: { sources: ['a.yaml'] },
    alike: { sources: ['a.yaml', 'c.yaml'] },
    covered: { sources: ['a.yaml', 'b.yaml'] },
    apart: { sources: ['c.yaml'] },
    last: { sources: ['a.yaml'] },
  };

  test('are named if the edit changes what they declare', () => {
    const result = acceptAll(workspaceOf(files, targets), { playlists: { evening: { ...evening, repeat: 5 }, other } });
    expect(result).toMatchObject({ edits: [{ file: 'a.yaml', lines: [6] }], others: ['alike', 'last'] });
  });

  test('are none if no other target reads the file', () => {
    const own = { main: { sources: ['a.yaml', 'b.yaml'] }, apart: { sources: ['a.yaml'] } };
    const result = acceptAll(workspaceOf(files, own), { playlists: { evening: { ...evening, repeat: 5 }, other } });
    expect(result).toMatchObject({ edits: [{ file: 'b.yaml', lines: [1] }], others: [] });
  });
});

test('an error of the file system is thrown, not reported as a refusal', () => {
  const workspace = workspaceOf({ 'a.yaml': EVENING });
  const requests = acceptRequests(workspace, { playlists: { evening: { ...evening, repeat: 4 }, other } });
  let reads = 0;
  const read = (file: string) => {
    if (file === 'a.yaml' && ++reads > 1) throw new Error('the disk is gone');
    return workspace.files.read(file);
  };
  expect(() => acceptDrift({ ...workspace, files: { ...workspace.files, read } }, requests, NOW)).toThrow('the disk is gone');
});

test('nothing is edited without a request', () => {
  expect(acceptDrift(workspaceOf({ 'a.yaml': EVENING }), [], NOW)).toEqual({ refusals: [] });
});
