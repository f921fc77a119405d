import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadProject } from '../../../src/core/config/load-project.ts';
import { diskFiles, memoryFiles } from '../../../src/core/config/project-folder.ts';
import { NO_WINDOWS } from '../../../src/core/windows/windows.ts';
import { ruleFor } from '../../support/rules.ts';
import { folderWith } from './fixture.ts';

const load = (text: string) => loadProject(memoryFiles([{ name: 'upkeep.yaml', text }]), '2027-01-01');
const codes = (text: string) => load(text).findings.map(({ line, column, code }) => `${line}:${column} ${code}`);

const minimal = (more = '', head = '') => `version: 1
${head}
targets:
  main:
    base_url: https://services.example.com/
    credentials:
      owner: { env: OWNER }
      api_key: { file: key.txt }
    sources: [config]
    ${more}
`;

/** The defaults of `service`. */
const SERVICE = {
  v3Post: 'form',
  signatureIn: 'query',
  scopedKeyV3Post: 'json',
  smartStartBulkLimit: 100,
  settleSeconds: 10,
  referenceApi: 'v2',
  retentionFrom: 'unknown',
  assetReadyStates: ['ok', 'ready'],
  resettableMembers: [],
};

describe('loadProject', () => {
  test('fills in every default', () => {
    expect(load(minimal())).toEqual({
      findings: [],
      project: {
        file: 'upkeep.yaml',
        name: null,
        rules: [],
        guards: [],
        devices: {},
        notify: [],
        windows: NO_WINDOWS,
        targets: [
          {
            name: 'main',
            baseUrl: 'https://services.example.com',
            credentials: { owner: { env: 'OWNER' }, apiKey: { file: 'key.txt' } },
            sources: [{ path: 'config', defaults: {} }],
            vars: new Map(),
            ownership: 'shared',
            ledger: 'none',
            remote: 'origin',
            branch: null,
            after: [],
            soakMs: 0,
            manages: null,
            protect: [],
            limits: { delete: { count: 5, percent: 30 }, update: { percent: 50 }, offAir: { count: 5, percent: 10 } },
            ignoreChanges: { allowed: true, acceptRiskyEditsAt: [] },
            weakening: 'block',
            playbackLoss: 'block',
            http: { concurrency: 8, requestsPerSecond: 10, timeoutSeconds: 30, giveUpSeconds: 20, runSeconds: 0, maxBodyMib: 80 },
            service: SERVICE,
            windows: NO_WINDOWS,
            check: { assets: false, slicers: false },
          },
        ],
      },
    });
  });

  test('keeps written values, and fills in the defaults of an incomplete part', () => {
    const { project } = load(`
version: 1
rules: { mixed-codec: off, other: warning, asset-expires: { level: error, within: 36h }, playlist-empty-after-expiry: { level: off, within: 2d } }
targets:
  b-2:
    base_url: http://127.0.0.1:8080/base/
    credentials: { owner: { command: [pass, owner] }, api_key: { env: KEY } }
    sources: [{ path: a, defaults: { playlists: { active: 0 } } }, b.yaml]
    vars: { region: eu }
    ownership: exclusive
    ledger: git
    remote: upstream
    branch: main
    manages: ["playlist/*"]
    protect: ["playlist/main-*"]
    limits: { delete: { count: 1 }, update: { percent: 100 }, off_air: { percent: 5 } }
    weakening: allow
    ignore_changes: { allowed: false, risky_edits: [playlist/x] }
    playback_loss: strict
    http: { concurrency: 2, max_body_mib: 1 }
    service: { v3_post: json, reference_api: v4 }
    check: { slicers: true }
  a:
    base_url: https://b.example.com
    credentials: { owner: { env: A }, api_key: { env: B } }
    sources: [c]
`);
    expect(project?.rules).toEqual([
      ruleFor({ code: 'mixed-codec', severity: 'off' }),
      ruleFor({ code: 'other', severity: 'warning' }),
      ruleFor({ code: 'asset-expires', severity: 'error', withinMs: 36 * 3_600_000 }),
      ruleFor({ code: 'playlist-empty-after-expiry', severity: 'off', withinMs: 48 * 3_600_000 }),
    ]);
    expect(project?.targets.map((target) => target.name)).toEqual(['b-2', 'a']);
    expect(project?.targets[0]).toEqual({
      name: 'b-2',
      baseUrl: 'http://127.0.0.1:8080/base',
      credentials: { owner: { command: ['pass', 'owner'] }, apiKey: { env: 'KEY' } },
      sources: [
        { path: 'a', defaults: { playlists: { active: 0 } } },
        { path: 'b.yaml', defaults: {} },
      ],
      vars: new Map([['region', { value: 'eu', text: expect.any(Function) }]]),
      ownership: 'exclusive',
      ledger: 'git',
      remote: 'upstream',
      branch: 'main',
      after: [],
      soakMs: 0,
      manages: ['playlist/*'],
      protect: ['playlist/main-*'],
      limits: { delete: { count: 1, percent: 30 }, update: { percent: 100 }, offAir: { count: 5, percent: 5 } },
      ignoreChanges: { allowed: false, acceptRiskyEditsAt: ['playlist/x'] },
      weakening: 'allow',
      playbackLoss: 'strict',
      http: { concurrency: 2, requestsPerSecond: 10, timeoutSeconds: 30, giveUpSeconds: 20, runSeconds: 0, maxBodyMib: 1 },
      service: { ...SERVICE, v3Post: 'json', referenceApi: 'v4' },
      windows: NO_WINDOWS,
      check: { assets: false, slicers: true },
    });
  });

  test('fills in the defaults of parts that aliases share separately', () => {
    const { project, findings } = load(minimal('http: &none {}\n    service: *none'));
    expect(findings).toEqual([]);
    expect(project?.targets[0]?.service).toEqual(SERVICE);
  });
});

describe('devices', () => {
  const OWN = 'devices: { bar: { system: fairplay, outputs: [internal], expected: false }';

  test('switch a built-in class off, say of one only whether it is expected to play, and declare others', () => {
    const { project, findings } = load(minimal('', `${OWN}, xbox: null, iphone: { expected: false } }`));
    expect(findings).toEqual([]);
    expect(project?.devices).toMatchObject({ bar: { expected: false }, xbox: null, iphone: { expected: false } });
  });

  test.each([
    ['xbix: null', 'unknown-device', 'Did you mean `xbox`?'],
    ['zeppelin: { expected: true }', 'unknown-device', 'The built-in classes are desktop-browser-software, '],
    ['xbox: {}', 'missing-key', undefined],
    ['xbox: { name: box }', 'missing-key', undefined],
    ['xbox: { expected: perhaps }', 'wrong-type', 'Write true or false, without quotes.'],
  ])('refuse %s', (device, code, hint) => {
    const { project, findings } = load(minimal('', `devices: { ${device} }`));
    expect(project).toBe(null);
    expect(findings).toMatchObject([{ code, line: 2 }]);
    expect(findings[0]?.hint?.slice(0, hint?.length)).toBe(hint);
  });
});

describe('base_url', () => {
  const withUrl = (url: string) => load(minimal().replace('https://services.example.com/', url));

  test.each([
    ['https://services.example.com./', 'https://services.example.com'],
    ['https://Services.example.com:443/', 'https://services.example.com'],
    ['https://services.example.com.:8443/a/', 'https://services.example.com:8443/a'],
  ])('%s is the same service as %s', (url, same) => {
    expect(withUrl(url).project?.targets.map(({ baseUrl }) => baseUrl)).toEqual([same]);
  });

  test.each([
    'http://127.0.0.1:9',
    'http://127.9.9.9',
    'http://[::1]:9',
    'http://localhost:9',
    'https://x.example.com:8443/a/b',
    'http://0x7f.1',
  ])('%s is accepted', (url) => {
    expect(withUrl(url).findings).toEqual([]);
  });

  test.each([
    'http://services.example.com',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'http://128.0.0.1',
    'http://[::2]',
    'ftp://127.0.0.1',
    'services.example.com',
    'https://user:hunter2@services.example.com',
    'https://services.example.com/?key=hunter2',
    'https://services.example.com/#x',
    'file:///etc/hosts',
    '"https://"',
  ])('%s is rejected without showing a possible secret', (url) => {
    const { project, findings } = withUrl(url);
    expect(project).toBeNull();
    expect(findings).toMatchObject([{ code: 'base-url', severity: 'error', file: 'upkeep.yaml', line: 5, column: 15 }]);
    expect(JSON.stringify(findings)).not.toContain('hunter2');
  });
});

describe('credentials', () => {
  const place = 'owner: { env: OWNER }';

  test.each([
    ['owner: hunter2', '7:14 literal-credential'],
    ['owner: "$OWNER hunter2"', '7:14 literal-credential'],
    ['owner: 12345', '7:14 literal-credential'],
    ['owner: { env: "hunter2==" }', '7:14 literal-credential'],
    ['owner: { hunter2 }', '7:14 credential-source'],
    ['owner: { value: hunter2 }', '7:14 credential-source'],
    ['owner: { env: A, file: hunter2 }', '7:14 credential-source'],
    ['owner: {}', '7:14 credential-source'],
    ['owner: [hunter2]', '7:14 credential-source'],
    ['owner: { command: hunter2 }', '7:14 credential-source'],
  ])('%s is one finding that does not show the credential', (written, expected) => {
    const text = minimal().replace(place, written);
    expect(codes(text)).toEqual([expected]);
    expect(JSON.stringify(load(text).findings)).not.toContain('hunter2');
    expect(load(text).findings[0]?.excerpt).toBeUndefined();
  });

  test.each([
    ['a string for all', (text: string) => text.replace(/credentials:\n.*\n.*\n/, 'credentials: hunter2\n')],
    ['an unknown key', (text: string) => text.replace(place, `${place}\n      hunter2: hunter2`)],
    ['a key in the wrong place', (text: string) => text.replace('sources:', 'api_key: hunter2\n    sources:')],
    ['a key at the top', (text: string) => `api_key: hunter2\n${text}`],
    ['broken YAML', (text: string) => text.replace(place, 'owner: "hunter2')],
    ['a stray line', (text: string) => text.replace(place, `${place}\n      hunter2`)],
    ['a tag', (text: string) => text.replace(place, 'owner: !hunter2 x')],
    ['a number', (text: string) => text.replace(place, 'owner: 0123456')],
  ])('with %s is reported without showing the credential', (_what, spoil) => {
    const { project, findings } = load(spoil(minimal()));
    expect(project).toBeNull();
    expect(findings.length).toBeGreaterThan(0);
    expect(JSON.stringify(findings)).not.toMatch(/hunter2|0123456/);
  });

  const pairs = (text: string): string => minimal().replace(/credentials:\n.*\n.*\n/, `credentials: ${text}\n`);

  test('a scoped key may stand in the place of an API key, and a pair that writes beside one that reads', () => {
    expect(load(pairs('{ owner: { env: A }, scoped_key: { file: key.env } }')).project?.targets[0]?.credentials).toEqual({
      owner: { env: 'A' },
      scopedKey: { file: 'key.env' },
    });
    const both = '{ read: { owner: { env: A }, scoped_key: { file: r } }, write: { owner: { env: A }, api_key: { env: B } } }';
    expect(load(pairs(both)).project?.targets[0]?.credentials).toEqual({
      read: { owner: { env: 'A' }, scopedKey: { file: 'r' } },
      write: { owner: { env: 'A' }, apiKey: { env: 'B' } },
    });
  });

  test.each([
    ['only one pair', '{ read: { owner: { env: A }, api_key: { env: B } } }', 'credential-source'],
    ['two keys', '{ api_key: { env: A }, scoped_key: { env: B } }', 'credential-source'],
    ['a pair beside an owner', '{ owner: { env: A }, read: { owner: { env: A }, api_key: { env: B } } }', 'credential-source'],
    ['three members', '{ owner: { env: A }, api_key: { env: B }, scoped_key: { env: C } }', 'credential-source'],
    [
      'a pair of two keys',
      '{ read: { api_key: { env: A }, scoped_key: { env: B } }, write: { owner: { env: A }, api_key: { env: B } } }',
      'credential-source',
    ],
    [
      'a literal in a pair',
      '{ read: { owner: hunter2, api_key: { env: B } }, write: { owner: { env: A }, api_key: { env: B } } }',
      'literal-credential',
    ],
    ['a literal as a pair', '{ read: hunter2, write: { owner: { env: A }, api_key: { env: B } } }', 'credential-source'],
    ['a literal variable', '{ owner: { env: A }, scoped_key: { env: "hunter2=" } }', 'literal-credential'],
  ])('%s is one finding that does not show the credential', (_name, text, code) => {
    const { project, findings } = load(pairs(text));
    expect([project, findings.map((finding) => finding.code)]).toEqual([null, [code]]);
    expect(JSON.stringify(findings)).not.toContain('hunter2');
  });

  test('a missing credential is reported with the credentials that are needed', () => {
    expect(load(minimal().replace(/\n *owner:.*/, '')).findings).toMatchObject([
      {
        code: 'credential-source',
        summary:
          '`credentials` must hold `owner` and `api_key`, or `owner` and `scoped_key`, or such a pair each for `read` and `write`, and nothing else',
      },
    ]);
  });
});

describe('an error in upkeep.yaml:', () => {
  test.each([
    ['an unknown key', minimal('ownershp: shared'), '10:5 unknown-key'],
    ['an unknown key at the top', minimal('', 'verison: 1'), '2:1 unknown-key'],
    ['an unknown value', minimal('ownership: mine'), '10:16 invalid-value'],
    ['a number out of range', minimal('limits: { delete: { percent: 101 } }'), '10:34 out-of-range'],
    ['a list for a variable', minimal('vars: { year: [2024] }'), '10:19 wrong-type'],
    ['a wrong type', minimal('protect: playlist/x'), '10:14 wrong-type'],
    ['another version', minimal().replace('version: 1', 'version: 2'), '1:10 invalid-value'],
    ['no source', minimal().replace('[config]', '[]'), '9:14 out-of-range'],
    ['no target', 'version: 1\ntargets: {}', '2:10 out-of-range'],
    ['a target called locks', minimal().replace('main:', 'locks:'), '4:3 invalid-key'],
    ['a target with capitals', minimal().replace('main:', 'Main:'), '4:3 invalid-key'],
    ['an unknown severity', minimal('', 'rules: { x: fatal }'), '2:13 invalid-value'],
    ['a rule without a severity', minimal('', 'rules: [{ code: x }]'), '2:9 missing-key'],
    [
      'a rule until a day that does not exist',
      minimal('', 'rules: [{ code: x, severity: warning, until: 2027-02-30 }]'),
      '2:46 invalid-value',
    ],
    ['a rule about an event in a file', minimal('', 'rules: [{ code: x, severity: warning, file: a, within: 1d }]'), '2:56 invalid-value'],
    ['a remote that git would read as an option', minimal('remote: --upload-pack=x'), '10:13 invalid-value'],
    ['a null', minimal('http:'), '10:5 wrong-type'],
    ['a duplicate key', minimal('sources: [other]'), '10:5 duplicate-key'],
    ['a list', '- a', '1:1 wrong-type'],
    ['nothing', '', '1:1 wrong-type'],
    ['two documents', 'version: 1\n---\nversion: 1', '1:1 wrong-type'],
    ['not YAML', 'version: [', '1:10 yaml-syntax'],
    ['a number that cannot be read', minimal('http: { concurrency: 1e999 }'), '10:26 ambiguous-number'],
  ])('is reported at its place: %s', (_what, text, expected) => {
    expect(codes(text)).toEqual([expected]);
    expect(load(text).project).toBeNull();
  });

  test('all errors are reported at once, in the order of the file, with hints and the line', () => {
    const { findings } = load(minimal('ownershp: shared\n    weakening: no', 'rule: {}'));
    expect(findings.map(({ line, hint }) => [line, hint])).toEqual([
      [2, 'Did you mean `rules`?'],
      [10, 'Did you mean `ownership`?'],
      [11, undefined],
    ]);
    expect(findings[1]?.excerpt).toBe('    ownershp: shared');
  });

  test('a file that is missing, outside or another one', () => {
    const folder = folderWith({ 'other.yaml': minimal() });
    symlinkSync(join(folderWith({ x: minimal() }), 'x'), join(folder, 'link.yaml'));
    expect(loadProject(diskFiles(folder), '2027-01-01').findings).toMatchObject([{ code: 'missing-file', file: 'upkeep.yaml', line: 1 }]);
    expect(loadProject(diskFiles(folder), '2027-01-01', 'link.yaml').findings).toMatchObject([{ code: 'outside-project' }]);
    expect(loadProject(diskFiles(folder), '2027-01-01', 'other.yaml').project?.file).toBe('other.yaml');
  });
});

describe('a finding that only follows from an invalid part of upkeep.yaml is not reported:', () => {
  test.each([
    ['an alias to nothing', minimal('http: *nowhere'), ['10:11 alias']],
    ['an alias within itself', minimal('http: &http { concurrency: *http }'), ['10:32 alias']],
    ['a merge key', minimal('http: { <<: *nowhere, timeout_seconds: x }'), ['10:13 unsupported-key']],
    ['a number that is none', minimal('http: { concurrency: .inf }'), ['10:26 ambiguous-number']],
  ])('only %s is reported', (_what, text, expected) => {
    expect(codes(text)).toEqual(expected);
  });

  test('a literal credential is still reported', () => {
    expect(codes(minimal().replace('{ env: OWNER }', '0123'))).toEqual(['7:14 ambiguous-number', '7:14 literal-credential']);
  });
});
