/** The refusals of `drift accept`, word for word: every reason, with its location. */
import { describe, expect, test } from 'vitest';
import { acceptDrift } from '../../../../src/core/drift/accept/accept.ts';
import type { AcceptRequest } from '../../../../src/core/drift/accept/verify-edits.ts';
import { isLiveObject } from '../../../../src/core/kinds/kind.ts';
import {
  acceptAll,
  acceptedTexts,
  acceptRequests,
  asset,
  beams,
  EVENING,
  evening,
  NOW,
  other,
  textsOrReasons,
  withLinks,
  workspaceOf,
} from './project.ts';

describe('a refusal', () => {
  const byHand = 'edit the sources, or the account, by hand';

  test('has the reason and the location of each resource that cannot be declared', () => {
    const policies = 'drm_policies:\n  p: {}\n';
    const workspace = workspaceOf({ 'a.yaml': EVENING, 'b/p.yaml': policies });
    const [second, first] = acceptRequests(workspace, {
      playlists: { evening: { ...evening, repeat: 4 }, other },
      drm_policies: { p: { fairplay: { persistence: true } } },
    });
    if (!first?.live || !second?.live || !isLiveObject(first.live) || !isLiveObject(second.live)) throw new Error('both differ');
    const odd: AcceptRequest = { ...first, live: { ...first.live, fields: { ...first.live.fields, active: 7 } } };
    const renamed: AcceptRequest = { ...second, live: { ...second.live, remoteName: 'q' } };
    const shared = { severity: 'error', code: 'not-acceptable', hint: byHand } as const;
    expect(acceptDrift(workspace, [odd, renamed, odd], NOW)).toEqual({
      refusals: [
        {
          ...shared,
          summary: 'playlist/evening cannot be accepted: `active` is 7, which the API documents do not define',
          file: 'a.yaml',
          line: 4,
          column: 3,
          address: 'playlist/evening',
        },
        {
          ...shared,
          summary: 'drm-policy/p cannot be accepted: it is named "q" now, and the name is its key here: rename the key, with `moved`',
          file: 'b/p.yaml',
          line: 2,
          column: 6,
          address: 'drm-policy/p',
        },
        expect.objectContaining({ address: 'playlist/evening' }),
      ],
    });
  });

  test('of one resource refuses the whole request', () => {
    const workspace = workspaceOf({ 'a.yaml': EVENING });
    const [first, second] = acceptRequests(workspace, {
      playlists: { evening: { ...evening, repeat: 4 }, other: { ...other, repeat: 4 } },
    });
    if (!first?.live || !second) throw new Error('both differ');
    const odd: AcceptRequest = { ...first, live: { ...first.live, fields: { ...first.live.fields, active: 7 } } };
    expect(textsOrReasons(acceptDrift(workspace, [second, odd], NOW))).toEqual([
      'playlist/evening cannot be accepted: `active` is 7, which the API documents do not define',
    ]);
  });

  test('of an asset in an assets file is located at its line', () => {
    const files = { 'a.yaml': 'smart_starts:\n  vod: { assets_file: vod.txt }\n', 'vod.txt': `# all\n ${asset(7)}\n` };
    const workspace = workspaceOf(files);
    const [only] = acceptRequests(workspace, { smart_starts: { vod: { repeat: 1, assets: [asset(7)] } } });
    if (!only?.live) throw new Error('it differs');
    const replaced: AcceptRequest = {
      ...only,
      live: { ...only.live, fields: { ...only.live.fields, playlist: [{ beam: { id: asset(8) } }] } },
    };
    expect(acceptDrift(workspace, [replaced], NOW)).toMatchObject({
      refusals: [
        {
          summary: `smart-start/vod/${asset(7)} cannot be accepted: its list no longer holds exactly its own asset`,
          file: 'vod.txt',
          line: 2,
          column: 2,
        },
      ],
    });
  });

  test('is the result for a kind without configEdits', () => {
    const workspace = workspaceOf({ 'a.yaml': EVENING });
    const requests = acceptRequests(workspace, { playlists: { evening: { ...evening, repeat: 4 }, other } });
    const withoutConfigEdits = requests.map(
      ({ kind: { configEdits: _configEdits, ...kind }, ...rest }): AcceptRequest => ({ ...rest, kind }),
    );
    expect(acceptDrift(workspace, withoutConfigEdits, NOW)).toMatchObject({
      refusals: [{ summary: 'playlist/evening cannot be accepted: its kind cannot be written from what is live', hint: byHand }],
    });
  });

  test('is the result of an edit that would change other resources too', () => {
    const text = `playlists:\n  a:\n    repeat: &times 2\n    playlist: [beam: ${asset(1)}, beam: ${asset(2)}]\n  b: { repeat: *times, playlist: [beam: ${asset(3)}, beam: ${asset(4)}] }\n  c: { repeat: *times, playlist: [beam: ${asset(5)}, beam: ${asset(6)}] }\n`;
    const live = {
      playlists: {
        a: { repeat: 7, playlist: beams(1, 2) },
        b: { repeat: 2, playlist: beams(3, 4) },
        c: { repeat: 2, playlist: beams(5, 6) },
      },
    };
    const hint = 'edit the sources by hand; a value that an anchor shares is written out beside it';
    expect(acceptAll(workspaceOf({ 'a.yaml': text }), live)).toMatchObject({
      refusals: [
        {
          summary: 'playlist/a cannot be accepted: playlist/b, playlist/c would change too',
          hint,
          file: 'a.yaml',
          line: 2,
          address: 'playlist/a',
        },
      ],
    });
    expect(
      acceptedTexts({ 'a.yaml': text }, { playlists: { ...live.playlists, a: { repeat: 2, playlist: beams(1, 2) }, b: other } }),
    ).toEqual({
      'a.yaml': text.replace('repeat: *times', 'repeat: 0'),
    });
  });

  test('is the result of an edit that would remove an anchor in use', () => {
    const text = `static_key: { scope: specific, slicer_ids: &ids [a] }\nvmp_reject_statuses: *ids\n`;
    expect(acceptedTexts({ 'a.yaml': text }, { static_key: { scope: 'all' }, vmp_reject_statuses: ['a'] })).toEqual([
      expect.stringMatching(/^static-key cannot be accepted: a\.yaml:2 would be refused: /),
    ]);
  });

  test('is the result for a value that contains a variable', () => {
    const text = `playlists:\n  a:\n    desc: \${region} a\n    playlist: [beam: ${asset(1)}, beam: ${asset(2)}]\n`;
    const targets = { main: { sources: ['a.yaml'], vars: { region: 'eu' } } };
    expect(acceptAll(workspaceOf({ 'a.yaml': text }, targets), { playlists: { a: { desc: 'us a', playlist: beams(1, 2) } } })).toEqual({
      refusals: [
        {
          severity: 'error',
          code: 'not-acceptable',
          summary: `playlist/a cannot be accepted: the value is made of a variable: \${region} a`,
          hint: 'edit it by hand: other values may be made of the same variable',
          file: 'a.yaml',
          line: 2,
          column: 3,
          address: 'playlist/a',
        },
      ],
    });
  });

  test('is the result for a file that is reached through a link', () => {
    const workspace = workspaceOf({ 'a.yaml': EVENING });
    const requests = acceptRequests(workspace, { playlists: { evening: { ...evening, repeat: 4 }, other } });
    expect(textsOrReasons(acceptDrift({ ...workspace, files: withLinks(workspace.files, { 'a.yaml': 'b.yaml' }) }, requests, NOW))).toEqual(
      ['playlist/evening cannot be accepted: a.yaml is reached through a link'],
    );
  });
});
