/** Tests `drift accept` with random edits by hand in YAML of any style: the plan is empty afterwards, and only values have changed. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadDesiredState } from '../../src/core/config/load-desired-state.ts';
import { loadProject } from '../../src/core/config/load-project.ts';
import { memoryFiles } from '../../src/core/config/project-folder.ts';
import { acceptDrift, type Workspace } from '../../src/core/drift/accept/accept.ts';
import type { AcceptRequest } from '../../src/core/drift/accept/verify-edits.ts';
import { kinds } from '../../src/core/kinds/index.ts';
import type { LiveResource } from '../../src/core/kinds/kind.ts';
import { kindOfAddress } from '../../src/core/model/address.ts';
import type { Json, JsonObject } from '../../src/core/model/json.ts';
import { differencesOf } from '../../src/core/plan/diff-resources.ts';
import { asset } from '../e2e/accounts.ts';
import { record, rounds } from '../support/figures.ts';
import { expectGitApplies } from '../support/git-apply.ts';
import { createTestProject, projectFile } from '../support/harness.ts';
import { atMost } from '../support/patience.ts';
import { assertAsyncProperty, assertProperty } from '../support/property.ts';
import { sourceModel } from '../support/source-model.ts';
import { settings, slicers, vmp } from './accounts.ts';
import { styleChoices, writeYaml } from './yaml-styles.ts';

const beam = fc.integer({ min: 1, max: 9 }).map((number): JsonObject => ({ beam: { id: asset(number) } }));
const adBreak = fc.integer({ min: 1, max: 300 }).map((dur): JsonObject => ({ ad: { dur } }));
/** At least two beams, since a list of one is matched by its asset, not by its name. */
const list = fc
  .tuple(beam, beam, fc.array(fc.oneof(beam, adBreak), { maxLength: 4 }))
  .map(([first, second, rest]) => [first, ...rest, second]);

const track = fc.record({ security_level: fc.integer({ min: 1, max: 5 }), hdcp: fc.constantFrom('HDCP_NONE', 'HDCP_V2_2') });
const tracks = fc
  .tuple(
    fc.constantFrom<readonly string[]>(['ALL'], ['ALL_VIDEO', 'AUDIO'], ['SD', 'HD', 'UHD1', 'UHD2', 'AUDIO']),
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

/** Generates the declared values of an account, and the live values after edits by hand. */
const account = fc.record({
  names: fc.uniqueArray(fc.constantFrom('Evening block', "it's late", 'a: b, {c}', '# five', 'plain'), { minLength: 1, maxLength: 3 }),
  playlists: fc.array(fc.tuple(playlist, fc.option(playlist, { freq: 2 })), { minLength: 3, maxLength: 3 }),
  policies: fc.array(fc.tuple(policy, fc.option(policy, { freq: 2 })), { maxLength: 2 }),
  vmp: fc.tuple(vmp, vmp),
  scope: fc.tuple(fc.option(slicers), fc.option(slicers)),
});

/** Returns the declared values as sections, and the live values as a seed of the emulator and as sections. */
function sectionsAndSeed({ names, playlists, policies, vmp: statuses, scope }: Account) {
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
  const live = {
    playlists: Object.fromEntries(seed.playlist.map(({ id: _id, ...playlist }, index) => [`key-${index}`, playlist])),
    drm_policies: Object.fromEntries(seed['drm-policy'].map(({ _id, policy_name, ...policy }) => [policy_name, policy])),
    vmp_reject_statuses: statuses[1],
    static_key: scope[1] ? { scope: 'specific', slicer_ids: scope[1] } : { scope: 'none' },
  };
  return { sections, seed, live };
}

type Sections = { readonly [section: string]: Json };

type Account = typeof account extends fc.Arbitrary<infer Value> ? Value : never;

/** Returns the workspace of a source, and a request of `drift accept` for each resource that differs from the live sections. */
function acceptRequests(text: string, live: Sections): { readonly workspace: Workspace; readonly requests: readonly AcceptRequest[] } {
  const workspace = workspaceOf(text);
  const liveWorkspace = workspaceOf(JSON.stringify(live));
  const byAddress = new Map(
    loadDesiredState(liveWorkspace.files, liveWorkspace.project, liveWorkspace.target, sourceModel).resources.map((each) => [
      each.address,
      each,
    ]),
  );
  const { resources, findings } = loadDesiredState(workspace.files, workspace.project, workspace.target, sourceModel);
  expect(
    findings.filter(({ severity }) => severity === 'error'),
    text,
  ).toEqual([]);
  const requests = resources.flatMap((desired): readonly AcceptRequest[] => {
    const kind = kindOfAddress(kinds, desired.address);
    const fields = byAddress.get(desired.address)?.fields;
    if (!kind || !fields) return [];
    const side: LiveResource = {
      id: 'live',
      remoteName: desired.remoteName ?? '',
      fields,
      isMatchableByRemoteName: true,
      configSection: String(desired.path[0]),
      unknownMembers: [],
    };
    return differencesOf(kind, desired, side, NOW).length > 0 ? [{ kind, desired, live: side }] : [];
  });
  return { workspace, requests };
}

function workspaceOf(text: string): Workspace {
  const files = memoryFiles([
    { name: 'upkeep.yaml', text: projectFile('https://example.com').replace('[config]', '[a.yaml]') },
    { name: 'a.yaml', text },
  ]);
  const { project } = loadProject(files, '2027-01-01');
  const [target] = project?.targets ?? [];
  if (!project || !target) throw new Error('the project of the test is not valid');
  return { files, project, target, model: sourceModel, parseCache: new Map() };
}

const NOW = 1_750_000_000_000;

test(
  'accepted drift is declared, all comments stay, and no unrelated line changes',
  () => {
    let [refused, tried] = [0, 0];
    assertProperty(
      fc.property(account, styleChoices, (values, choices) => {
        const { sections, live } = sectionsAndSeed(values);
        const text = writeYaml(sections, choices);
        const { workspace, requests } = acceptRequests(text, live);
        if (requests.length === 0) return;
        tried += 1;
        const found = acceptDrift(workspace, requests, NOW);
        if ('refusals' in found) {
          refused += 1;
          // Some styles of YAML cannot be edited in place; such files must not be edited at all.
          for (const { summary } of found.refusals) expect(summary, text).toContain('written in a way that cannot be edited in place');
          return;
        }
        // `accept` itself verifies that the edited files declare exactly the live values; here the text is checked.
        if (tried % 3 === 0) expectGitApplies(found.edits);
        for (const { after } of found.edits) expectFaithful(text, new TextDecoder('utf-8', { ignoreBOM: true }).decode(after), requests);
      }),
      { numRuns: rounds(120, 5_000) },
    );
    const share = Math.round((100 * refused) / tried);
    record({ proof: 'drift accept', name: 'YAML styles tried', value: tried, wanted: 'at least 100', holds: tried >= 100 });
    record({ proof: 'drift accept', name: 'YAML styles refused, percent', value: share, wanted: 'at most 5', holds: share <= 5 });
    expect(share).toBeLessThanOrEqual(5);
  },
  atMost(rounds(120_000, 1_500_000)),
);

test(
  'the plan of an account whose drift was accepted is empty',
  async () => {
    await assertAsyncProperty(
      fc.asyncProperty(account, styleChoices, async (values, choices) => {
        const { sections, seed } = sectionsAndSeed(values);
        const project = await createTestProject({ 'config/a.yaml': writeYaml(sections, choices) }, { seed, target: 'weakening: allow' });
        const ran = await project.run('drift', 'accept', '*');
        if (ran.code === 0) expect((await project.plan('--detailed-exitcode')).document.changes).toEqual([]);
        else
          expect([ran.code, ran.stderr.replace(/\s+/g, ' ')]).toEqual([
            8,
            expect.stringContaining('written in a way that cannot be edited in place'),
          ]);
        await project.close();
      }),
      { numRuns: rounds(5, 500) },
    );
  },
  atMost(rounds(120_000, 1_500_000)),
);

/** Checks that an edit kept comments, byte order mark, line ends and unrelated lines. */
function expectFaithful(before: string, after: string, requests: readonly AcceptRequest[]): void {
  const both = `${before}\n----\n${after}`;
  expect(after.match(/# c\d+\./g), both).toEqual(before.match(/# c\d+\./g));
  expect([after.startsWith('\ufeff'), after.endsWith('\n')], both).toEqual([before.startsWith('\ufeff'), before.endsWith('\n')]);
  expect(/(?<!\r)\n/.test(after), both).toBe(/(?<!\r)\n/.test(before));
  const fields = requests
    .flatMap(({ kind, desired, live }) => (live ? differencesOf(kind, desired, live, NOW) : []))
    .map(({ path }) => path);
  if (!fields.every((path) => SETTING.test(path))) return;
  const kept = new Set(after.split('\n'));
  const gone = before.split('\n').filter((line) => !kept.has(line));
  expect(gone.length, both).toBeLessThanOrEqual(fields.length);
}

/** Fields with a single value, which is on one line at most. */
const SETTING = /^\/(?:active|ad_slate_fill|beam_break_duration|repeat|skip_drm|studio_drm_required|(?:fairplay|playready)\/.*)$/;
