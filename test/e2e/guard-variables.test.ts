/** Every variable that guards can read (docs/safety.md, schemas/guard.schema.json): a guard that uses it blocks what it denies, and nothing else. */
import { expect, test } from 'vitest';
import schema from '../../schemas/guard.schema.json' with { type: 'json' };
import type { JsonObject } from '../../src/core/model/json.ts';
import { asPlan } from '../support/documents.ts';
import { createGitProject } from '../support/git-project.ts';
import { beams, config, declare } from './accounts.ts';

const EASY = { widevine: { content_key_specs: [spec('ALL', 1, 'HDCP_NONE')] } };
const STRICT = { widevine: { content_key_specs: [spec('ALL_VIDEO', 3, 'HDCP_V2_2'), spec('AUDIO', 1, 'HDCP_NONE')] } };
const WITHOUT_HDCP_SMALL = { playready: { hd: { digital_video_protection_level: 270 } } };
const HDCP_ON_EVERY_OUTPUT = { fairplay: { hd: { hdcp_enforcement: 1 } } };

function spec(track_type: string, security_level: number, hdcp: string): JsonObject {
  return { track_type, security_level, required_output_protection: { hdcp } };
}

/** The environment of a workflow of GitHub that ada has started on the main branch. */
const WORKFLOW = { CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_REF: 'refs/heads/main', GITHUB_ACTOR: 'ada' };

/** What an apply has made, before the configuration and the account change. */
const APPLIED = {
  playlists: { kept: { playlist: beams(1, 2) }, old: { playlist: beams(3, 4) }, hand: { playlist: beams(5, 6) } },
  drm_policies: { strict: EASY, lax: STRICT, gone: {}, limited: {}, free: WITHOUT_HDCP_SMALL, unsure: {} },
  vmp_reject_statuses: [],
};

/** `hand` is edited in the account; `evening` and the changes of the others come from the repository. */
const DECLARED = {
  playlists: { kept: { playlist: beams(1, 2), repeat: 3 }, hand: { playlist: beams(5, 6) }, evening: { playlist: beams(7, 8) } },
  drm_policies: { strict: STRICT, lax: EASY, limited: WITHOUT_HDCP_SMALL, free: {}, unsure: HDCP_ON_EVERY_OUTPUT },
  vmp_reject_statuses: [],
  ignore_changes: [{ address: 'playlist/kept', fields: ['/active'] }],
};

const UPDATED_POLICIES = ['drm-policy/free', 'drm-policy/lax', 'drm-policy/limited', 'drm-policy/strict', 'drm-policy/unsure'];
const PLAYLISTS = ['playlist/evening', 'playlist/hand', 'playlist/kept', 'playlist/old'];
const UPDATES = [...UPDATED_POLICIES, 'playlist/hand', 'playlist/kept'];
const DELETES = ['drm-policy/gone', 'playlist/old'];
const ALL = [...UPDATES, ...DELETES, 'playlist/evening'].sort();

/** The variable, a condition that reads it, and the addresses of the changes for which the condition holds. */
const GUARDS: readonly (readonly [variable: string, condition: string, denied: readonly string[]])[] = [
  ['target', 'target == "live"', ALL],
  ['target', 'target == "staging"', []],
  ['run.command', 'run.command == "plan"', ALL],
  ['run.command', 'run.command == "apply"', []],
  ['run.ci', 'run.ci == "github"', ALL],
  ['run.actor', 'run.actor == "ada"', ALL],
  ['run.commit', 'run.commit.matches("^[0-9a-f]{40}$")', ALL],
  ['run.message', 'run.message == "change"', ALL],
  ['run.branch', 'run.branch == "main"', ALL],
  ['run.branch', 'run.branch != "main"', []],
  ['run.pull_request', 'run.pull_request == ""', ALL],
  ['plan.create', 'plan.create == 1', ALL],
  ['plan.create', 'plan.create != 1', []],
  ['plan.update', 'plan.update == 7', ALL],
  ['plan.update', 'plan.update != 7', []],
  ['plan.delete', 'plan.delete == 2', ALL],
  ['plan.delete', 'plan.delete != 2', []],
  ['plan.changes', 'plan.changes.size() == 10 && plan.changes.exists(c, c.address == "drm-policy/gone" && c.action == "delete")', ALL],
  ['plan.changes', 'plan.changes.exists(c, c.address == "vmp-reject-statuses")', []],
  ['change.address', 'change.address == "playlist/old"', ['playlist/old']],
  ['change.kind', 'change.kind == "playlist"', PLAYLISTS],
  ['change.name', 'change.name == "lax"', ['drm-policy/lax']],
  ['change.former_address', 'change.former_address != ""', []],
  ['change.live_name', 'change.live_name == "lax"', ['drm-policy/lax']],
  ['change.file', 'change.file == ""', DELETES],
  ['change.file', 'change.file == "config/account.yaml"', ALL.filter((address) => !DELETES.includes(address))],
  ['change.action', 'change.action == "create"', ['playlist/evening']],
  ['change.action', 'change.action == "update"', UPDATES],
  ['change.action', 'change.action == "delete"', DELETES],
  ['change.origin', 'change.origin == "drift"', ['playlist/hand']],
  ['change.origin', 'change.origin == "change"', ALL.filter((address) => address !== 'playlist/hand')],
  ['change.effect', 'change.effect == "weakens"', ['drm-policy/free', 'drm-policy/lax']],
  ['change.effect', 'change.effect == "strengthens"', ['drm-policy/limited', 'drm-policy/strict', 'drm-policy/unsure']],
  ['change.effect', 'change.effect == "neutral"', ['drm-policy/gone', ...PLAYLISTS]],
  ['change.reasons', 'change.reasons.exists(r, r.contains("security_level"))', ['drm-policy/lax', 'drm-policy/strict']],
  ['change.playback', 'change.playback == "stops"', ['drm-policy/strict', 'playlist/old']],
  ['change.playback', 'change.playback == "reduces"', ['drm-policy/limited', 'drm-policy/unsure', 'playlist/hand']],
  ['change.playback', 'change.playback == "unknown"', ['drm-policy/gone', 'drm-policy/lax']],
  ['change.playback', 'change.playback == "gains"', ['drm-policy/free', 'playlist/evening', 'playlist/kept']],
  ['change.playbackReasons', 'change.playbackReasons.exists(r, r.contains("off air"))', ['playlist/old']],
  ['change.phase', 'change.phase == "strengthen"', ['drm-policy/limited', 'drm-policy/strict', 'drm-policy/unsure']],
  ['change.phase', 'change.phase == "update"', ['playlist/evening', 'playlist/hand', 'playlist/kept']],
  ['change.phase', 'change.phase == "delete"', ['playlist/old']],
  ['change.phase', 'change.phase == "weaken"', ['drm-policy/free', 'drm-policy/lax']],
  ['change.phase', 'change.phase == "delete-policies"', ['drm-policy/gone']],
  ['change.fields.path', 'change.fields.exists(f, f.path == "/repeat")', ['playlist/hand', 'playlist/kept']],
  ['change.fields.before', 'change.fields.exists(f, f.path == "/repeat" && f.before == 5)', ['playlist/hand']],
  ['change.fields.after', 'change.fields.exists(f, f.path == "/repeat" && f.after == 3)', ['playlist/kept']],
  ['change.fields.origin', 'change.fields.exists(f, f.origin == "drift")', ['playlist/hand']],
  ['change.fields.effect', 'change.fields.exists(f, f.effect == "weakens")', ['drm-policy/free', 'drm-policy/lax']],
  ['change.ignored', '"/active" in change.ignored', ['playlist/kept']],
  ['impact.address', 'impact.exists(d, d.address == "drm-policy/strict")', ['drm-policy/strict']],
  ['impact.device', 'impact.exists(d, d.device == "iphone-mirrored")', ['drm-policy/unsure']],
  ['impact.name', 'impact.exists(d, d.name == "a monitor")', ['drm-policy/free', 'drm-policy/limited']],
  ['impact.system', 'impact.exists(d, d.system == "widevine")', ['drm-policy/lax', 'drm-policy/strict']],
  ['impact.lost', 'impact.exists(d, "UHD1" in d.lost)', ['drm-policy/strict']],
  ['impact.gained', 'impact.exists(d, "UHD1" in d.gained)', ['drm-policy/lax']],
  ['impact.restricted', 'impact.exists(d, d.restricted == ["HD"])', ['drm-policy/limited']],
  ['impact.unrestricted', 'impact.exists(d, d.unrestricted == ["HD"])', ['drm-policy/free']],
  ['impact.uncertain', 'impact.exists(d, d.uncertain == ["HD"])', ['drm-policy/unsure']],
  ['impact.changed', 'impact.exists(d, d.changed == ["HD"])', ['drm-policy/free', 'drm-policy/limited']],
];

/** The names of all variables: members of objects and of the elements of lists, by dots. */
function variablesOf(properties: { readonly [name: string]: SchemaNode }, prefix = ''): readonly string[] {
  return Object.entries(properties).flatMap(([name, node]) => {
    const reference = node.$ref ?? node.items?.$ref;
    const path = `${prefix}${name}`;
    if (reference === undefined || path === 'plan.changes') return [path];
    return variablesOf(definitions[reference.replace('#/definitions/', '')]?.properties ?? {}, `${path}.`);
  });
}

/** The part of JSON Schema that says what a variable is made of. */
interface SchemaNode {
  readonly description?: string;
  readonly $ref?: string;
  readonly items?: { readonly type?: string; readonly $ref?: string };
}

const definitions: { readonly [name: string]: { readonly properties: { readonly [name: string]: SchemaNode } } } = schema.definitions;

test('guards that use each variable block the changes for which their condition holds, and no others', async () => {
  const project = await createGitProject(config(APPLIED), { target: 'weakening: allow\nlimits: { delete: { percent: 100 } }' });
  expect((await project.apply('--yes')).code).toBe(0);
  const hand = project.playlists().find(({ desc }) => desc === 'hand');
  project.editPlaylist(String(hand?.id), { repeat: 5 });
  declare(project, DECLARED);
  const guards = GUARDS.map(([, condition], index) => ({ id: `g${index}`, deny: condition, message: 'no' }));
  const devices = { monitor: { name: 'a monitor', system: 'playready', security_level: 2000, outputs: ['digital'] } };
  const top = `version: 1\nguards: ${JSON.stringify(guards)}\ndevices: ${JSON.stringify(devices)}`;
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace('version: 1', top));
  project.commit();

  const { stdout } = await project.runWith({ env: WORKFLOW }, 'plan', '--format', 'json');
  const document = asPlan(JSON.parse(stdout));
  expect(document.findings.map(({ code }) => code).sort()).toEqual(['policy-name-in-urls', 'scheduled-entries']);
  expect(document.changes.map(({ address }) => address).sort()).toEqual(ALL);
  const denied = GUARDS.map(([variable, condition], index) => {
    const blocked = document.changes.filter((change) => change.blocked?.reason.split('; ').includes(`guard \`g${index}\`: no`));
    return [variable, condition, blocked.map(({ address }) => address).sort()];
  });
  expect(denied).toEqual(GUARDS.map(([variable, condition, addresses]) => [variable, condition, [...addresses].sort()]));
  expect(document.changes.map(({ blocked }) => blocked?.check)).toEqual(ALL.map(() => 'guard'));
});

test('the table of guards above has a row for each variable that schemas/guard.schema.json describes', () => {
  expect([...new Set(GUARDS.map(([variable]) => variable))].sort()).toEqual([...variablesOf(schema.properties)].sort());
});
