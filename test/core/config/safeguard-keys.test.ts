/**
 * Every key of upkeep.yaml is a safeguard, or lowers nothing. A walk through the schema says which keys there are; for each of them is an edit
 * that holds less back, and one that does not, so that the direction of the comparison is tested.
 */
import { describe, expect, test } from 'vitest';
import schema from '../../../schemas/configuration.schema.json' with { type: 'json' };
import { loadProject } from '../../../src/core/config/load-project.ts';
import type { Project } from '../../../src/core/config/project.ts';
import { memoryFiles } from '../../../src/core/config/project-folder.ts';
import { LOWERS_NOTHING, loweredSafeguards, SAFEGUARD_KEYS } from '../../../src/core/config/safeguards.ts';
import { parseYaml } from '../../../src/core/config/yaml/parse.ts';
import { groupBy } from '../../../src/core/model/collections.ts';
import { isJsonObject, isList, type Json, type JsonObject } from '../../../src/core/model/json.ts';

const SCALARS: readonly Json[] = ['string', 'number', 'integer', 'boolean', 'null'];
const isScalar = ({ type = [], enum: values, const: value }: JsonObject): boolean =>
  values !== undefined || value !== undefined || [type].flat().some((each) => SCALARS.includes(each));

/** Returns the keys below a part of a schema that hold values: `*` is any name, `[]` any item. A list of plain values is one key. */
function keysOf(part: Json | undefined, root: JsonObject, at = ''): readonly string[] {
  if (!isJsonObject(part)) return [];
  const { $ref: ref, properties, additionalProperties, items } = part;
  const definition =
    typeof ref === 'string' && isJsonObject(root.definitions) ? root.definitions[ref.replace('#/definitions/', '')] : undefined;
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => part[keyword] ?? []).concat(part.then ?? [], part.else ?? []);
  const below = [
    ...[definition, ...branches].flatMap((each) => keysOf(each, root, at)),
    ...Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, each]) =>
      keysOf(each, root, at === '' ? name : `${at}.${name}`),
    ),
    ...keysOf(additionalProperties, root, `${at}.*`),
    ...keysOf(items, root, `${at}[]`),
  ];
  const isKey = isScalar(part) || (part.type !== undefined && below.length === 0);
  return [...new Set([...(isKey ? [at.replace(/\[\]$/, '')] : []), ...below])];
}

const root: JsonObject = JSON.parse(JSON.stringify(schema));
const KEYS = keysOf(root, root);
const NOTHING = Object.keys(LOWERS_NOTHING);

test('the walk through the schema finds keys of every form', () => {
  expect(KEYS).toEqual(
    expect.arrayContaining([
      ...['version', 'rules.*', 'rules.*.within', 'rules[].until', 'notify[].url.env', 'windows.deny[].for', 'devices.*', 'devices.*.srm'],
      ...['targets.*.ledger', 'targets.*.ledger.git', 'targets.*.protect', 'targets.*.sources', 'targets.*.sources[].defaults.*'],
      ...['targets.*.credentials.write.scoped_key.command', 'targets.*.limits.off_air.percent', 'targets.*.vars.*'],
    ]),
  );
  const b: JsonObject = { type: 'object', properties: { c: { type: ['string', 'object'], properties: { d: { const: 1 } } } } };
  const list: JsonObject = { type: 'array', items: { $ref: '#/definitions/b' } };
  expect(keysOf({ type: 'object', properties: { a: list } }, { definitions: { b } })).toEqual(['a[].c', 'a[].c.d']);
});

test('every key of the schema is a safeguard or lowers nothing, and none is both', () => {
  expect(KEYS.filter((key) => !SAFEGUARD_KEYS.includes(key) && !NOTHING.includes(key))).toEqual([]);
  expect(SAFEGUARD_KEYS.filter((key) => NOTHING.includes(key))).toEqual([]);
});

test('no safeguard, and nothing that lowers nothing, is a key that the schema does not have', () => {
  expect([...SAFEGUARD_KEYS, ...NOTHING].filter((key) => !KEYS.includes(key))).toEqual([]);
});

/** An upkeep.yaml: lines at the top, and lines of its target, which replace those that it needs. */
interface Settings {
  readonly top: string;
  readonly target: string;
}

const NEEDED = {
  base_url: 'https://services.example.com',
  credentials: '{ owner: { env: A }, api_key: { env: B } }',
  sources: '[config]',
};

function textOf({ top, target }: Settings): string {
  const lines = target.split('\n').filter((line) => line !== '');
  const needed = Object.entries(NEEDED).flatMap(([key, value]) =>
    lines.some((line) => line.startsWith(`${key}:`)) ? [] : `${key}: ${value}`,
  );
  const staging = `  staging: { base_url: 'https://staging.example.com', credentials: ${NEEDED.credentials}, sources: [config], ledger: git }\n`;
  const stages = target.includes('branch: main\nafter') || target.endsWith('git\nbranch: main') ? staging : '';
  const general = `${top.includes('version') ? '' : 'version: 1\n'}${target.includes('git: "') ? 'project: sports\n' : ''}`;
  return `${general}${top}\ntargets:\n  live:\n${[...needed, ...lines].map((line) => `    ${line}\n`).join('')}${stages}`;
}

function projectOf(settings: Settings): Project {
  const { project, findings } = loadProject(memoryFiles([{ name: 'upkeep.yaml', text: textOf(settings) }]), '2027-01-01');
  expect(findings).toEqual([]);
  if (project === null) throw new Error('no project');
  return project;
}

/** Returns the values in an upkeep.yaml, by the key of the schema. */
function valuesByKey(settings: Settings): ReadonlyMap<string, readonly string[]> {
  const values: (readonly [string, string])[] = [];
  const isKey = (path: string) => KEYS.some((key) => key === path || key.startsWith(`${path}.`) || key.startsWith(`${path}[`));
  const walk = (value: Json, at: string): void => {
    const hasKeys = KEYS.some((key) => key.startsWith(`${at}.`) || at === '');
    if (isJsonObject(value) && hasKeys) {
      for (const [name, each] of Object.entries(value)) {
        const named = at === '' ? name : `${at}.${name}`;
        walk(each, isKey(named) ? named : `${at}.*`);
      }
    } else if (isList(value) && isKey(`${at}[]`)) for (const each of value) walk(each, `${at}[]`);
    else values.push([at.replace(/\[\]$/, ''), JSON.stringify(value)]);
  };
  walk(parseYaml(new TextEncoder().encode(textOf(settings))).documents[0] ?? null, '');
  return new Map([...groupBy(values, ([key]) => key)].map(([key, found]) => [key, found.map(([, value]) => value)]));
}

function editedKeys(before: Settings, after: Settings): readonly string[] {
  const [old, now] = [valuesByKey(before), valuesByKey(after)];
  return KEYS.filter((key) => JSON.stringify(old.get(key)) !== JSON.stringify(now.get(key)));
}

const lowered = (before: Settings, after: Settings): readonly string[] =>
  loweredSafeguards(projectOf(before), projectOf(after), 'live', () => ({ file: 'upkeep.yaml', line: 1, column: 1 })).map(
    ({ summary }) => summary,
  );

/** Two settings: as they were, and as they are now. */
type Edit = readonly [before: string, after: string];

/** A key, an edit of it alone that holds less back or may do so, and an edit with it that does not. */
type Row = readonly [key: string, lowers: Edit, raises: Edit];

function settingsOf(key: string, text: string): Settings {
  if (key.startsWith('targets.*.')) return { top: '', target: text };
  const [top = '', target = ''] = text.split(' --- ');
  return { top, target };
}

/** A row whose second edit is the first one taken back. */
const oneWay = (key: string, before: string, after: string): Row => [key, [before, after], [after, before]];

const DENY = (more: string) => `windows: { time_zone: UTC, deny: [{ ${more}, why: w }] }`;
const ALLOW = (...entries: readonly string[]) =>
  `windows: { time_zone: UTC, allow: [${entries.map((each) => `{ ${each}, why: w }`).join(', ')}] }`;
const FRIDAYS = 'cron: "0 18 * * FRI", for: 62h';
const CHRISTMAS = 'from: 2027-12-18T18:00, until: 2028-01-04T06:00';

const WINDOW_ROWS: readonly Row[] = ['', 'targets.*.'].flatMap((scope): Row[] => [
  [
    `${scope}windows.time_zone`,
    [DENY(FRIDAYS), DENY(FRIDAYS).replace('UTC', 'Europe/Berlin')],
    [DENY('from: 2027-12-18T18:00Z'), DENY('from: 2027-12-18T18:00Z').replace('UTC', 'Europe/Berlin')],
  ],
  oneWay(`${scope}windows.deny[].from`, DENY(CHRISTMAS), DENY(CHRISTMAS.replace('18T18', '18T19'))),
  oneWay(`${scope}windows.deny[].until`, DENY(CHRISTMAS), DENY(CHRISTMAS.replace('04T06', '04T05'))),
  [`${scope}windows.deny[].cron`, [DENY(FRIDAYS), DENY(FRIDAYS.replace('18', '19'))], ['', DENY(FRIDAYS)]],
  oneWay(`${scope}windows.deny[].for`, DENY(FRIDAYS), DENY(FRIDAYS.replace('62h', '61h'))),
  oneWay(`${scope}windows.deny[].unless`, DENY(FRIDAYS), DENY(`${FRIDAYS}, unless: [strengthens]`)),
  oneWay(`${scope}windows.allow[].from`, ALLOW(CHRISTMAS), ALLOW(CHRISTMAS.replace('18T18', '18T17'))),
  oneWay(`${scope}windows.allow[].until`, ALLOW(CHRISTMAS), ALLOW(CHRISTMAS.replace('04T06', '04T07'))),
  [`${scope}windows.allow[].cron`, [ALLOW(FRIDAYS), ALLOW(FRIDAYS.replace('18', '19'))], [ALLOW(FRIDAYS, CHRISTMAS), ALLOW(CHRISTMAS)]],
  oneWay(`${scope}windows.allow[].for`, ALLOW(FRIDAYS), ALLOW(FRIDAYS.replace('62h', '63h'))),
]);

const RULE = (more: string) => `rules: [{ code: mixed-codec, ${more} }]`;
const OFF = 'severity: "off"';

const RULE_ROWS: readonly Row[] = [
  oneWay('rules.*', 'rules: { mixed-codec: error }', 'rules: { mixed-codec: warning }'),
  oneWay('rules.*.level', 'rules: { asset-expires: { level: error } }', 'rules: { asset-expires: { level: "off" } }'),
  oneWay(
    'rules.*.within',
    'rules: { asset-expires: { level: warning, within: 14d } }',
    'rules: { asset-expires: { level: warning, within: 36h } }',
  ),
  [
    'rules[].code',
    ['rules: [{ code: mixed-codec, severity: error }]', 'rules: [{ code: mixed-container, severity: error }]'],
    ['', 'rules: [{ code: mixed-codec, severity: error }]'],
  ],
  [
    'rules[].address',
    [RULE(`address: playlist/a, ${OFF}`), RULE(`address: playlist/*, ${OFF}`)],
    [RULE(`address: playlist/a, ${OFF}`), ''],
  ],
  ['rules[].file', [RULE(`file: a.yaml, ${OFF}`), RULE(`file: "*.yaml", ${OFF}`)], [RULE(`file: a.yaml, ${OFF}`), '']],
  oneWay('rules[].severity', RULE('severity: error'), RULE('severity: warning')),
  oneWay(
    'rules[].within',
    'rules: [{ code: asset-expires, severity: warning, within: 14d }]',
    'rules: [{ code: asset-expires, severity: warning, within: 7d }]',
  ),
  oneWay('rules[].until', RULE(`${OFF}, until: 2027-06-30`), RULE(`${OFF}, until: 2027-07-31`)),
];

const GUARD = (more: string, id = 'g') => `guards: [{ id: ${id}, ${more}, message: m }]`;

const GUARD_ROWS: readonly Row[] = [
  ['guards[].id', [GUARD('deny: "true"'), GUARD('deny: "true"', 'h')], ['', GUARD('deny: "true"')]],
  [
    'guards[].when',
    [GUARD('when: change.action == "delete", deny: "true"'), GUARD('when: change.action == "create", deny: "true"')],
    ['', GUARD('when: change.action == "delete", deny: "true"')],
  ],
  ['guards[].deny', [GUARD('deny: plan.delete > 2'), GUARD('deny: plan.delete > 3')], ['', GUARD('deny: plan.delete > 2')]],
  ['guards[].warn', [GUARD('warn: plan.delete > 2'), GUARD('warn: plan.delete > 3')], [GUARD('warn: "true"'), GUARD('deny: "true"')]],
];

const NOTIFY = (more: string) => `notify: [{ url: { env: HOOK }, ${more} }]`;

const NOTIFY_ROWS: readonly Row[] = [
  [
    'notify[].url.env',
    [NOTIFY('on: [drift]'), NOTIFY('on: [drift]').replace('HOOK', 'OTHER')],
    [NOTIFY('on: [drift]'), 'notify: [{ url: { env: OTHER }, on: [drift] }, { url: { env: HOOK }, on: [drift] }]'],
  ],
  oneWay('notify[].on', NOTIFY('on: [drift, failed]'), NOTIFY('on: [failed]')),
  [
    'notify[].secret.env',
    [NOTIFY('on: [drift], secret: { env: KEY }'), NOTIFY('on: [drift]')],
    [NOTIFY('on: [drift]'), NOTIFY('on: [drift], secret: { env: KEY }')],
  ],
];

const DEVICE = (system: string, more: string) => `devices: { mine: { system: ${system}, ${more} } }`;
const FAIRPLAY = 'outputs: [internal]';
const WIDEVINE = 'security_level: 3, outputs: [internal]';
const PLAYREADY = 'security_level: 2000, outputs: [internal]';

/** A property of an expected device, where it cannot be told; of one that is not expected to play, of which no check asks. */
const deviceRow = (property: string, system: string, before: string, after: string): Row => [
  `devices.*.${property}`,
  [DEVICE(system, before), DEVICE(system, after)],
  [DEVICE(system, `${before}, expected: false`), DEVICE(system, `${after}, expected: false`)],
];

const DEVICE_ROWS: readonly Row[] = [
  oneWay('devices.*', '', 'devices: { iphone: null }'),
  oneWay('devices.*.expected', DEVICE('fairplay', `${FAIRPLAY}, expected: true`), DEVICE('fairplay', `${FAIRPLAY}, expected: false`)),
  [
    'devices.*.system',
    [DEVICE('widevine', 'security_level: 3, outputs: [internal]'), DEVICE('fairplay', 'outputs: [internal]')],
    ['', DEVICE('fairplay', FAIRPLAY)],
  ],
  deviceRow('hdcp', 'fairplay', `${FAIRPLAY}, hdcp: none`, `${FAIRPLAY}, hdcp: 1.x`),
  deviceRow('outputs', 'fairplay', FAIRPLAY, 'outputs: [airplay]'),
  deviceRow('offline', 'fairplay', `${FAIRPLAY}, offline: true`, `${FAIRPLAY}, offline: false`),
  deviceRow('security_level', 'widevine', WIDEVINE, WIDEVINE.replace('3', '5')),
  deviceRow('vmp_status', 'widevine', WIDEVINE, `${WIDEVINE}, vmp_status: PLATFORM_SOFTWARE_VERIFIED`),
  deviceRow('cgms_a', 'widevine', WIDEVINE, `${WIDEVINE}, cgms_a: true`),
  deviceRow('srm', 'widevine', `${WIDEVINE}, srm: unknown`, `${WIDEVINE}, srm: current`),
  deviceRow('desktop_browser', 'widevine', WIDEVINE, `${WIDEVINE}, desktop_browser: true`),
  oneWay('devices.*.virtual_machine', DEVICE('playready', PLAYREADY), DEVICE('playready', `${PLAYREADY}, virtual_machine: true`)),
];

const SOURCES_OF_CREDENTIALS: readonly (readonly [form: string, first: string, second: string])[] = [
  ['env', 'ONE', 'TWO'],
  ['file', '/run/one', '/run/two'],
  ['command', '[vault, one]', '[vault, two]'],
];

const pair = (role: string, form: string, value: string) =>
  role === 'owner'
    ? `{ owner: { ${form}: ${value} }, api_key: { env: KEY } }`
    : `{ owner: { env: OWNER }, ${role}: { ${form}: ${value} } }`;

const CREDENTIAL_ROWS: readonly Row[] = ['owner', 'api_key', 'scoped_key'].flatMap((role) =>
  SOURCES_OF_CREDENTIALS.flatMap(([form, first, second]): Row[] => {
    const [one, two] = [pair(role, form, first), pair(role, form, second)];
    const split = (read: string, write: string) => `credentials: { read: ${read}, write: ${write} }`;
    const other = pair('api_key', 'env', 'OTHER');
    return [
      [`targets.*.credentials.${role}.${form}`, [`credentials: ${one}`, `credentials: ${two}`], [`credentials: ${one}`, split(other, one)]],
      [`targets.*.credentials.read.${role}.${form}`, [split(one, other), split(two, other)], [`credentials: ${other}`, split(one, other)]],
      [`targets.*.credentials.write.${role}.${form}`, [split(other, one), split(other, two)], [`credentials: ${one}`, split(other, one)]],
    ];
  }),
);

const target = (key: string, before: string, after: string): Row => oneWay(`targets.*.${key}`, before, after);

const TARGET_ROWS: readonly Row[] = [
  [
    'targets.*.base_url',
    ['base_url: https://services.example.com', 'base_url: https://other.example.com'],
    ['base_url: https://services.example.com', 'base_url: https://services.example.com/'],
  ],
  target('ownership', 'ownership: shared', 'ownership: exclusive'),
  target('ownership', 'ownership: observe', 'ownership: shared'),
  target('ledger', 'ledger: git', 'ledger: none'),
  [
    'targets.*.ledger.git',
    ['ledger: { git: "https://git.example.com/one" }', 'ledger: { git: "https://git.example.com/two" }'],
    ['', 'ledger: { git: "https://git.example.com/one" }'],
  ],
  ['targets.*.remote', ['remote: origin', 'remote: upstream'], ['', 'remote: origin']],
  [`targets.*.branch`, ['branch: main', 'branch: other'], ['', 'branch: main']],
  target('after', 'ledger: git\nbranch: main\nafter: [staging]', 'ledger: git\nbranch: main'),
  target('soak', 'ledger: git\nbranch: main\nafter: [staging]\nsoak: 24h', 'ledger: git\nbranch: main\nafter: [staging]\nsoak: 90m'),
  target('manages', 'manages: [playlist/a-*]', 'manages: [playlist/a-*, playlist/b-*]'),
  target('manages', 'manages: [playlist/kids-a*]', 'manages: [playlist/kids-*]'),
  target('manages', 'manages: [playlist/a-*]', ''),
  target('protect', 'protect: [playlist/a, playlist/b]', 'protect: [playlist/b]'),
  target('protect', 'protect: [playlist/main-*]', 'protect: [playlist/main-1]'),
  target('limits.delete.count', 'limits: { delete: { count: 3 } }', 'limits: { delete: { count: 4 } }'),
  target('limits.delete.percent', 'limits: { delete: { percent: 9.5 } }', 'limits: { delete: { percent: 10 } }'),
  target('limits.update.percent', 'limits: { update: { percent: 10 } }', 'limits: { update: { percent: 11 } }'),
  target('limits.off_air.count', 'limits: { off_air: { count: 1 } }', 'limits: { off_air: { count: 2 } }'),
  target('limits.off_air.percent', 'limits: { off_air: { percent: 0 } }', 'limits: { off_air: { percent: 1 } }'),
  target('ignore_changes.allowed', 'ignore_changes: { allowed: false }', 'ignore_changes: { allowed: true }'),
  target('ignore_changes.risky_edits', 'ignore_changes: { risky_edits: [] }', 'ignore_changes: { risky_edits: [playlist/a] }'),
  target('ignore_changes.risky_edits', 'ignore_changes: { risky_edits: [playlist/a] }', 'ignore_changes: { risky_edits: ["*"] }'),
  target('weakening', 'weakening: block', 'weakening: allow'),
  target('playback_loss', 'playback_loss: strict', 'playback_loss: block'),
  target('playback_loss', 'playback_loss: block', 'playback_loss: allow'),
  target('http.run_seconds', 'http: { run_seconds: 3600 }', 'http: { run_seconds: 7200 }'),
  target('http.run_seconds', 'http: { run_seconds: 3600 }', 'http: { run_seconds: 0 }'),
  target('service.settle_seconds', 'service: { settle_seconds: 10 }', 'service: { settle_seconds: 0 }'),
  target('service.retention_from', 'service: { retention_from: created }', 'service: { retention_from: unknown }'),
  target('service.asset_ready_states', 'service: { asset_ready_states: [ok] }', 'service: { asset_ready_states: [OK, pending] }'),
  target('service.resettable_members', 'service: { resettable_members: [] }', 'service: { resettable_members: [/x] }'),
  target(
    'service.resettable_members',
    'service: { resettable_members: [/playlist/0/x] }',
    'service: { resettable_members: [/playlist/*/x] }',
  ),
  target('check.assets', 'check: { assets: true }', 'check: { assets: false }'),
  target('check.slicers', 'check: { slicers: true }', 'check: { slicers: false }'),
];

const ROWS: readonly Row[] = [
  ['project', ['project: sports --- ledger: git', 'project: kids --- ledger: git'], ['project: sports', 'project: kids']],
  ...WINDOW_ROWS,
  ...RULE_ROWS,
  ...GUARD_ROWS,
  ...NOTIFY_ROWS,
  ...DEVICE_ROWS,
  ...CREDENTIAL_ROWS,
  ...TARGET_ROWS,
];

/** Keys that cannot be edited without another one. */
const GOES_WITH: { readonly [key: string]: readonly string[] } = { 'devices.*.system': ['devices.*.security_level'] };

describe('of each key that is a safeguard', () => {
  test('there is an edit that holds less back, and one that does not', () => {
    expect(SAFEGUARD_KEYS.filter((key) => !ROWS.some(([each]) => each === key))).toEqual([]);
  });

  test.each(ROWS.map(([key, [before, after]]) => [key, before, after] as const))(
    'an edit of `%s` alone that holds less back is told, from `%s` to `%s`',
    (key, before, after) => {
      const [old, now] = [settingsOf(key, before), settingsOf(key, after)];
      expect(editedKeys(old, now).filter((each) => !GOES_WITH[key]?.includes(each))).toEqual([key]);
      const found = lowered(old, now);
      expect(found.length).toBeGreaterThan(0);
      // The finding is about this setting, and about no other one.
      const [section = ''] = key.replace('targets.*.', 'targets.live.').split(/\[|[.][*]|[.]git$/);
      const top = section
        .split('.')
        .slice(0, section.startsWith('targets') ? 3 : 1)
        .join('.');
      expect(found.filter((text) => !text.startsWith(`\`${top}`))).toEqual([]);
      expect(found.filter((text) => !/ (holds|may hold) less back/.test(text))).toEqual([]);
    },
  );

  test.each(ROWS.map(([key, , [before, after]]) => [key, before, after] as const))(
    'an edit of `%s` that holds no less back is not told, from `%s` to `%s`',
    (key, before, after) => {
      const [old, now] = [settingsOf(key, before), settingsOf(key, after)];
      expect(editedKeys(old, now)).toContain(key);
      expect(lowered(old, now)).toEqual([]);
    },
  );
});

/** A key that lowers nothing, and an edit of it. */
const QUIET: readonly (readonly [string, string, string])[] = [
  ['version', 'version: 1', 'version: 1.0'],
  ['rules[].why', RULE(`${OFF}, why: a`), RULE(`${OFF}, why: b`)],
  ['guards[].message', GUARD('deny: "true"'), GUARD('deny: "true"').replace('message: m', 'message: n')],
  ['notify[].format', NOTIFY('on: [drift], format: json'), NOTIFY('on: [drift], format: slack')],
  ...['windows', 'targets.*.windows'].flatMap((key): (readonly [string, string, string])[] => [
    [`${key}.deny[].why`, DENY(FRIDAYS), DENY(FRIDAYS).replace('why: w', 'why: v')],
    [`${key}.allow[].why`, ALLOW(FRIDAYS), ALLOW(FRIDAYS).replace('why: w', 'why: v')],
  ]),
  ['devices.*.name', DEVICE('fairplay', `${FAIRPLAY}, name: a`), DEVICE('fairplay', `${FAIRPLAY}, name: b`)],
  ['targets.*.sources', 'sources: [config]', 'sources: [config, more]'],
  ['targets.*.sources[].path', 'sources: [{ path: config }]', 'sources: [{ path: more }]'],
  [
    'targets.*.sources[].defaults.*',
    'sources: [{ path: config, defaults: { playlists: { ad: 1 } } }]',
    'sources: [{ path: config, defaults: { playlists: { ad: 2 } } }]',
  ],
  ['targets.*.vars.*', 'vars: { region: eu }', 'vars: { region: us }'],
  ...['concurrency', 'requests_per_second', 'timeout_seconds', 'give_up_seconds', 'max_body_mib'].map(
    (key): readonly [string, string, string] => [`targets.*.http.${key}`, `http: { ${key}: 5 }`, `http: { ${key}: 7 }`],
  ),
  ['targets.*.service.v3_post', 'service: { v3_post: form }', 'service: { v3_post: json }'],
  ['targets.*.service.signature_in', 'service: { signature_in: query }', 'service: { signature_in: header }'],
  ['targets.*.service.scoped_key_v3_post', 'service: { scoped_key_v3_post: json }', 'service: { scoped_key_v3_post: form }'],
  ['targets.*.service.smart_start_batch', 'service: { smart_start_batch: 10 }', 'service: { smart_start_batch: 100 }'],
  ['targets.*.service.reference_api', 'service: { reference_api: v2 }', 'service: { reference_api: v4 }'],
];

describe('of each key that lowers nothing', () => {
  test('there is a reason, and an edit', () => {
    expect(Object.values(LOWERS_NOTHING).filter((reason) => reason.length < 10)).toEqual([]);
    expect(NOTHING.filter((key) => !QUIET.some(([each]) => each === key))).toEqual([]);
  });

  test.each(QUIET)('an edit of `%s` is not told, from `%s` to `%s`', (key, before, after) => {
    const [old, now] = [settingsOf(key, before), settingsOf(key, after)];
    if (key !== 'version') expect(editedKeys(old, now)).toEqual([key]);
    expect([lowered(old, now), lowered(now, old)]).toEqual([[], []]);
  });
});
