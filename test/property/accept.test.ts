/** `drift accept` of any edit by hand, in YAML of any handwriting: the plan is empty then, and nothing but the values has changed. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Fields, Json } from '../../src/model/json.ts';
import { asAcceptance } from '../documents.ts';
import { asset } from '../e2e/accounts.ts';
import { record, rounds } from '../figures.ts';
import { stage } from '../harness.ts';
import { settings, slicers, vmp } from './accounts.ts';
import { hand, written } from './handwriting.ts';

const CASES = rounds(40, 1_500);

const beam = fc.integer({ min: 1, max: 9 }).map((number): Fields => ({ beam: { id: asset(number) } }));
const adBreak = fc.integer({ min: 1, max: 300 }).map((dur): Fields => ({ ad: { dur } }));
/** Two beams at least: a list of one is known by its asset, not by its name. */
const list = fc
  .tuple(beam, beam, fc.array(fc.oneof(beam, adBreak), { maxLength: 4 }))
  .map(([first, second, rest]) => [first, ...rest, second]);

const track = fc.record({ security_level: fc.integer({ min: 1, max: 5 }), hdcp: fc.constantFrom('HDCP_NONE', 'HDCP_V2_2') });
const tracks = fc
  .tuple(
    fc.constantFrom<readonly (readonly string[])[]>(['ALL'], ['ALL_VIDEO', 'AUDIO'], ['SD', 'HD', 'UHD1', 'UHD2', 'AUDIO']),
    fc.array(track, { minLength: 5, maxLength: 5 }),
  )
  .chain(([names, levels]) => fc.shuffledSubarray([...names], { minLength: names.length }).map((shuffled) => specs(shuffled, levels)));

function specs(names: readonly string[], levels: readonly { readonly security_level: number; readonly hdcp: string }[]): readonly Json[] {
  return names.map((track_type, index) => {
    const { security_level = 1, hdcp = 'HDCP_NONE' } = levels[index] ?? {};
    return { track_type, security_level, required_output_protection: { hdcp } };
  });
}

const policy = fc.record(
  {
    fairplay: fc.record(
      { persistence: fc.boolean(), lease: fc.boolean(), sd: fc.record({ allow_airplay: fc.boolean() }) },
      { requiredKeys: [] },
    ),
    widevine: fc.record(
      { content_key_specs: tracks, policy_overrides: fc.record({ can_play: fc.boolean(), can_persist: fc.boolean() }) },
      { requiredKeys: [] },
    ),
    playready: fc.record({ can_play: fc.boolean(), hd: fc.record({ security_level: fc.constantFrom(2000, 3000) }) }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

const playlist = fc.record({ playlist: list, ...settings }, { requiredKeys: ['playlist'] });

/** Both sides of one account: what is declared, and what somebody has made of it. */
const account = fc.record({
  names: fc.uniqueArray(fc.constantFrom('Evening block', "it's late", 'a: b, {c}', '# five', 'plain'), { minLength: 1, maxLength: 3 }),
  playlists: fc.array(fc.tuple(playlist, fc.option(playlist, { freq: 2 })), { minLength: 3, maxLength: 3 }),
  policies: fc.array(fc.tuple(policy, fc.option(policy, { freq: 2 })), { maxLength: 2 }),
  vmp: fc.tuple(vmp, vmp),
  scope: fc.tuple(fc.option(slicers), fc.option(slicers)),
});

/** The declared side as sections, and the live side as a seed. */
function sidesOf({ names, playlists, policies, vmp: statuses, scope }: Account) {
  const lists = names.map((desc, index) => ({ desc, sides: playlists[index] ?? [{ playlist: [] }, null] }));
  const sections = {
    playlists: Object.fromEntries(lists.map(({ desc, sides: [declared] }, index) => [`key-${index}`, { desc, ...declared }])),
    drm_policies: Object.fromEntries(policies.map(([declared], index) => [`policy ${index}`, declared])),
    vmp_reject_statuses: statuses[0],
    static_key: scope[0] ? { scope: 'specific', slicer_ids: scope[0] } : { scope: 'none' },
  };
  const seed = {
    playlist: lists.map(({ desc, sides: [declared, live] }, index) => ({ id: `live${index}`, desc, ...(live ?? declared) })),
    'drm-policy': policies.map(([declared, live], index) => ({
      _id: `live${index}`,
      policy_name: `policy ${index}`,
      ...(live ?? declared),
    })),
    'vmp-reject-statuses': statuses[1],
    'static-key': { use_static_encryption_key: false, static_key_slicer_ids: scope[1] ?? [] },
  };
  return { sections, seed };
}

type Account = typeof account extends fc.Arbitrary<infer Value> ? Value : never;

test(
  'the plan is empty, the comments are all there, and no line goes that has nothing to do with it',
  async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(account, hand, async (sides, tape) => {
        const { sections, seed } = sidesOf(sides);
        const text = written(sections, tape);
        const set = await stage({ 'config/a.yaml': text }, { seed });
        const ran = await set.run('drift', 'accept', '*', '--format', 'json');
        const after = set.read('config/a.yaml');
        if (ran.code === 8) {
          // Some ways of writing cannot be edited in place: then nothing is.
          expect(ran.stdout).toContain('written in a way that cannot be edited in place');
          expect(after).toBe(text);
          refused += 1;
        } else {
          expect(ran.code, ran.stderr + text).toBe(0);
          const { document } = await set.plan('--detailed-exitcode');
          expect(document.changes, `${text}\n----\n${after}`).toEqual([]);
          expectFaithful(text, after, asAcceptance(JSON.parse(ran.stdout)).accepted);
        }
        await set.close();
      }),
      { numRuns: CASES },
    );
    const share = Math.round((100 * refused) / CASES);
    record({ proof: 'drift accept', name: 'handwritings refused, percent', value: share, wanted: 'at most 5', holds: share <= 5 });
    expect(share).toBeLessThanOrEqual(5);
  },
  CASES * 2_000,
);

/** What holds of a text that came out of another one. */
function expectFaithful(before: string, after: string, accepted: readonly { readonly fields: readonly string[] }[]): void {
  if (accepted.length === 0) expect(after).toBe(before);
  expect(after.match(/# c\d+\./g)).toEqual(before.match(/# c\d+\./g));
  expect([after.startsWith('\ufeff'), after.endsWith('\n')]).toEqual([before.startsWith('\ufeff'), before.endsWith('\n')]);
  expect(/(?<!\r)\n/.test(after)).toBe(/(?<!\r)\n/.test(before));
  if (
    accepted.every(({ fields }) => fields.every((field) => /^\/[a-z_]+$/.test(field) && field !== '/playlist' && !/vmp|slicer/.test(field)))
  ) {
    const kept = new Set(after.split('\n'));
    const gone = before.split('\n').filter((line) => !kept.has(line));
    expect(gone.length, `${before}\n----\n${after}`).toBeLessThanOrEqual(accepted.flatMap(({ fields }) => fields).length);
  }
}
