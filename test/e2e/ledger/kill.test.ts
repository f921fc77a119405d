/**
 * kill -9 at the request boundaries of an apply over all kinds: the next run converges, nothing is there twice, nothing of the old account
 * is lost.
 */
import { expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../../src/core/model/json.ts';
import { emulatedKinds } from '../../../src/emulator/kinds/index.ts';
import { type Emulator, type FaultRule, startEmulator } from '../../../src/emulator/server.ts';
import { rounds } from '../../support/figures.ts';
import { createGitProject, type GitProject, IS_SEPARATE } from '../../support/git-project.ts';
import { API_KEY, OWNER } from '../../support/harness.ts';
import { runAndKill } from '../../support/kill.ts';
import { readLocalFileOf } from '../../support/local-files.ts';
import { atMost } from '../../support/patience.ts';
import { startProxy } from '../../support/proxy.ts';
import { asset, beams, config, declare, manyPlaylists, PLAYLISTS } from '../accounts.ts';

/** A ledger in a repository of its own differs only by where it is, so a few kills are enough there. */
const KILLS = rounds(2, IS_SEPARATE ? 20 : 200);
const JOURNAL = 'journal.jsonl';

const BEFORE: JsonObject = {
  playlists: { ...manyPlaylists(4), one: { playlist: beams(50) } },
  smart_starts: { vod: { assets: [asset(60), asset(61)] } },
  drm_policies: { basic: {}, hd: { fairplay: { lease: true } }, old: {} },
  vmp_reject_statuses: ['PLATFORM_UNVERIFIED'],
  static_key: { scope: 'specific', slicer_ids: ['a'] },
  key_rotation_schedule: { enabled: true, frequency: 1, unit: 'd', hour: 3 },
};
/** A create, an update and a delete of every kind that knows them, and a policy that takes a name which a rename frees. */
const AFTER: JsonObject = {
  playlists: {
    p1: { repeat: 2, playlist: beams(1, 1001) },
    p3: { playlist: beams(3, 1003) },
    p4: { desc: 'renamed', playlist: beams(4, 1004) },
    one: { active: 0, playlist: beams(50) },
    n1: { playlist: beams(71, 72) },
    n2: { playlist: beams(73, 74) },
    single: { playlist: beams(75) },
  },
  smart_starts: { vod: { assets: [60, 61, 62, 63].map(asset) } },
  drm_policies: { basic: { fairplay: { persistence: true } }, 'hd-1': { fairplay: { lease: true } }, uhd: {} },
  vmp_reject_statuses: ['PLATFORM_TAMPERED'],
  static_key: { scope: 'specific', slicer_ids: ['b'] },
  key_rotation_schedule: { enabled: true, frequency: 1, unit: 'd', hour: 4 },
  moved: [{ from: 'drm-policy/hd', to: 'drm-policy/hd-1' }],
};
const BY_HAND = [
  { id: 'byhand1', desc: 'by hand', playlist: beams(90, 91) },
  { id: 'byhand2', playlist: beams(90, 91) },
];
/** Answers that are lost after the write, so that the killed run is already looking for what it has created. */
const LOST: readonly FaultRule[] = [
  { method: 'POST', path: PLAYLISTS, times: 1, reset: 'after' },
  { method: 'POST', path: '/api/v4/smart-start', times: 1, afterWrite: true, status: 502, body: '' },
  { method: 'DELETE', times: 1, reset: 'after' },
];

type Copy = ReturnType<GitProject['copy']>;

/** What is live, without what the service chooses; the IDs of what was there before stay. */
function account(emulator: Emulator, existingIds: ReadonlySet<Json | undefined>): Json {
  const dump = emulator.dump();
  const accountDump = isJsonObject(dump) && isJsonObject(dump[OWNER]) ? dump[OWNER] : {};
  const plain = (value: Json): Json => {
    if (Array.isArray(value))
      return value
        .map(plain)
        .map((each) => JSON.stringify(each))
        .sort();
    if (!isJsonObject(value)) return value;
    const members = Object.entries(value).filter(
      ([member, each]) => !/^(created|lastmod|lmsig|next_rotation)$/.test(member) && (!/^_?id$/.test(member) || existingIds.has(each)),
    );
    return Object.fromEntries(
      members
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([member, each]) => [member, member === 'playlist' ? JSON.stringify(each) : isJsonObject(each) ? plain(each) : each]),
    );
  };
  return Object.fromEntries(Object.entries(accountDump).map(([kind, value]) => [kind, plain(value)]));
}

function idsIn(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value.flatMap(idsIn);
  if (!isJsonObject(value)) return [];
  return [value.id, value._id].flatMap((id) => (id === undefined ? [] : [id])).concat(Object.values(value).flatMap(idsIn));
}

test(`the next run converges after each of ${KILLS} kills`, { timeout: atMost(rounds(120_000, 3_600_000)) }, async () => {
  const proxy = await startProxy();
  try {
    const project = await createGitProject(config(BEFORE), {
      target: 'weakening: allow\nplayback_loss: allow',
      seed: { playlist: BY_HAND },
    });
    proxy.target = project.emulator.url;
    project.write('upkeep.yaml', project.read('upkeep.yaml').replace(/base_url: .*/, `base_url: ${proxy.url}`));
    project.commit();
    expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { verified: true } });
    declare(project, AFTER);
    project.commit();
    const dump = project.emulator.dump();
    const seed = isJsonObject(dump) ? dump[OWNER] : undefined;
    if (seed === undefined) throw new Error('there is no account');
    const existingIds = new Set(idsIn(seed));

    /** Does something with a copy of all that, the account included. */
    const withCopy = async <Result>(
      faults: readonly FaultRule[],
      work: (clone: Copy, emulator: Emulator) => Promise<Result>,
    ): Promise<Result> => {
      const emulator = await startEmulator({ emulatedKinds, accounts: [{ owner: OWNER, apiKey: API_KEY }], seed, faults });
      proxy.target = emulator.url;
      proxy.count = 0;
      const clone = project.copy();
      try {
        return await work(clone, emulator);
      } finally {
        await emulator.close();
        clone.discard();
      }
    };
    const whole = (faults: readonly FaultRule[]) =>
      withCopy(faults, async (clone, emulator) => {
        expect(await clone.apply('--yes')).toMatchObject({ code: 0, document: { verified: true, summary: { failed: 0, skipped: 0 } } });
        return { requests: proxy.count, account: account(emulator, existingIds) };
      });
    const plain = await whole([]);
    const lost = await whole(LOST);
    expect(lost.account).toEqual(plain.account);
    expect(lost.requests).toBeGreaterThan(plain.requests);

    let kills = 0;
    let reported = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const { faults, requests } = kill % 2 === 0 ? { faults: [], requests: plain.requests } : { faults: LOST, requests: lost.requests };
      // Spread evenly over both boundaries of all requests.
      const place = Math.floor((kill * 2 * requests) / KILLS);
      const at = { nth: 1 + Math.floor(place / 2), boundary: place % 2 === 0 ? 'before' : 'after' } as const;
      await withCopy(faults, async (clone, emulator) => {
        // The number of requests differs by a few from run to run, so the last boundaries may not be reached.
        if (!(await runAndKill({ folder: clone.folder, env: project.env, argv: ['apply', '--yes'] }, proxy, at))) return;
        kills += 1;
        emulator.setFaults([]);
        const trace = readLocalFileOf(clone.folder, JOURNAL);
        expect([trace?.includes(API_KEY), trace?.includes(OWNER)]).not.toContain(true);

        const refused = await clone.run('apply', '--yes');
        const [, id = ''] = /unlock --target live --id ([0-9a-f]+)/.exec(refused.stderr) ?? [];
        expect([refused.code, id], `kill ${kill}`).toEqual([9, expect.stringMatching(/^[0-9a-f]{12}$/)]);
        expect((await clone.run('unlock', '--id', id)).code).toBe(0);
        const next = await clone.apply('--yes');
        expect(next, `kill ${kill} at ${at.nth} ${at.boundary}`).toMatchObject({ code: 0, document: { verified: true } });
        expect(next.stderr.includes('was interrupted at')).toBe(trace !== null);
        reported += trace === null ? 0 : 1;
        expect(readLocalFileOf(clone.folder, JOURNAL)).toBeNull();
        expect(account(emulator, existingIds)).toEqual(plain.account);
        expect([clone.entries().length, Object.keys(clone.refs())]).toEqual([3, ['refs/upkeep/live']]);
      });
    }
    expect(kills).toBeGreaterThan(KILLS * 0.9);
    expect(reported).toBeGreaterThan(0);
  } finally {
    await proxy.close();
  }
});
