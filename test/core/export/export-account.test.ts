import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCsv } from '../../../src/core/config/expand/csv.ts';
import { loadDesiredState } from '../../../src/core/config/load-desired-state.ts';
import { memoryFiles } from '../../../src/core/config/project-folder.ts';
import { type AccountExport, type ExportOptions, exportAccount } from '../../../src/core/export/export-account.ts';
import type { ExportedFile } from '../../../src/core/export/source-files.ts';
import { kinds } from '../../../src/core/kinds/index.ts';
import type { ApiRequest, ApiService, ConfigEntry, DesiredResource, Kind } from '../../../src/core/kinds/kind.ts';
import { playlist } from '../../../src/core/kinds/playlist/index.ts';
import type { Json, JsonObject } from '../../../src/core/model/json.ts';
import { createSettling } from '../../../src/core/model/pauses.ts';
import { buildPlan } from '../../../src/core/plan/build-plan.ts';
import { selectionOf } from '../../../src/core/plan/selection.ts';
import { NO_OTHER_LEDGERS } from '../../../src/core/state/other-ledgers.ts';
import { NO_WINDOWS } from '../../../src/core/windows/windows.ts';
import { rounds } from '../../support/figures.ts';
import { target } from '../../support/planning.ts';
import { assertAsyncProperty } from '../../support/property.ts';
import { sourceModel } from '../../support/source-model.ts';
import { declareServices } from '../kinds/fixtures.ts';

/** What the account holds, as the service would show it. */
interface Account {
  readonly playlists?: readonly JsonObject[];
  readonly policies?: readonly JsonObject[];
  readonly slicers?: readonly string[];
}

function serviceOf({ playlists = [], policies = [], slicers = [] }: Account): ApiService {
  const answers: { readonly [path: string]: JsonObject } = {
    '/api/v3/drm/policies': { error: 0, configs: policies },
    '/api/v3/drm/vmp-reject-statuses': { error: 0, vmp_reject_statuses: ['PLATFORM_TAMPERED'] },
    '/api/v3/drm/static-key-slicer-ids': { error: 0, static_key_slicer_ids: slicers },
    '/api/v3/drm/use-static-encryption-key': { error: 0, use_static_encryption_key: false },
    '/api/v3/drm/key-rotation-schedule': { error: 0, key_rotation_schedule: null },
    '/api/v4/linear-playlist': { items: playlists, total_items: playlists.length },
  };
  return { send: async ({ path }: ApiRequest) => ({ status: 200, body: answers[path] }) };
}

/** The kinds that `serviceOf` answers for. The contract suite exports every kind. */
const exportedKinds = kinds.filter(({ name }) =>
  ['drm-policy', 'key-rotation-schedule', 'playlist', 'static-key', 'vmp-reject-statuses'].includes(name),
);

const project = { file: 'upkeep.yaml', name: null, targets: [target], rules: [], guards: [], notify: [], windows: NO_WINDOWS, devices: {} };

function declarationOf(files: readonly ExportedFile[]) {
  return loadDesiredState(
    memoryFiles(files),
    project,
    { ...target, sources: files.filter(({ name }) => name.endsWith('.yaml')).map(({ name }) => ({ path: name, defaults: {} })) },
    sourceModel,
  );
}

async function exportOf(account: Account, options: ExportOptions = {}, some: readonly Kind[] = exportedKinds): Promise<AccountExport> {
  const service = serviceOf(account);
  const seen = await Promise.all(some.map(async (kind) => ({ kind, result: await kind.read(service) })));
  return exportAccount(seen, declarationOf, 0, options);
}

async function exported(account: Account, options: ExportOptions = {}): Promise<readonly ExportedFile[]> {
  return (await exportOf(account, options)).files;
}

/** The changes that a plan from the exported files would make, in an account that nobody else writes to. */
async function changes(account: Account, files: readonly ExportedFile[], ownership: 'shared' | 'exclusive' = 'shared') {
  const declaration = declarationOf(files);
  expect(declaration.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  const run = {
    owner: 'me',
    severityRules: [],
    failedExternalIdLookups: new Map(),
    guards: [],
    notify: [],
    analyzeImpact: () => ({ byChange: new Map(), playbackReasons: new Map(), summary: null }),
    whyNotDeclarable: () => new Map(),
    reportsRiskyEditsOfIgnoredFields: false,
    kinds,
    now: () => 0,
    elapsed: () => 0,
    selection: selectionOf([], null),
    ledgerState: null,
    emptyLedger: null,
    appliesEarlierCommit: false,
    earlierBindings: null,
    rollback: null,
    lastApplied: null,
    interrupted: [],
    sentCreates: new Map(),
    otherLedgers: async () => NO_OTHER_LEDGERS,
    settling: createSettling(0, { elapsed: () => 0, sleep: async () => undefined }),
    run: { command: 'plan' as const, ci: '', actor: '', commit: '', message: '', branch: '', pullRequest: '' },
    config: null,
    overrides: { deletes: 0, checks: new Set<never>() },
    commandScope: null,
  };
  const { plan } = await buildPlan({ ...run, desiredState: declaration, service: serviceOf(account), target: { ...target, ownership } });
  return plan.changes.map(({ action, address }) => `${action} ${address}`);
}

function textOf(files: readonly ExportedFile[], name: string): string {
  return files.find((file) => file.name === name)?.text ?? '';
}

const beams = (...ids: readonly string[]) => ids.map((id): JsonObject => ({ beam: { id } }));
const variable = (name: string) => `$\{${name}}`;
const PRICE = `costs ${variable('price')} $${variable('x')}`;
const id = (letter: string) => letter.repeat(32);

describe('exportAccount', () => {
  it('writes one file a section, sorted and without defaults', async () => {
    const playlists = [
      { id: id('2'), desc: 'b', repeat: -1, playlist: beams(id('a'), id('b')) },
      { id: id('1'), desc: 'a', active: 1, skip_drm: 0, playlist: [...beams(id('a')), { ad: { dur: 30 } }] },
    ];
    const files = await exported({ playlists });
    expect(files.map(({ name }) => name).sort()).toEqual([
      'drm_policies.yaml',
      'key_rotation_schedule.yaml',
      'playlists.yaml',
      'smart_starts.yaml',
      'static_key.yaml',
      'vmp_reject_statuses.yaml',
    ]);
    const text = textOf(files, 'playlists.yaml');
    expect(text.indexOf('  a:')).toBeLessThan(text.indexOf('  b:'));
    expect(text).not.toMatch(/active|skip_drm/);
    expect(text).toMatchInlineSnapshot(`
      "playlists:
        a:
          playlist:
            - beam: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
            - ad: 30
        b:
          repeat: -1
          playlist:
            - beam: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
            - beam: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
      "
    `);
    expect(textOf(files, 'smart_starts.yaml')).toBe('smart_starts: {}\n');
  });

  it('takes the account for what it is: its plan is empty, and nothing of it would be deleted', async () => {
    const account: Account = {
      playlists: [
        { id: id('1'), desc: 'Evening', playlist: beams(id('a'), id('b')) },
        { id: id('c'), desc: '', skip_drm: 1, playlist: beams(id('c')) },
      ],
      policies: [{ _id: 'p1', policy_name: 'premium/hd', playready: { can_persist: true } }],
      slicers: ['studio'],
    };
    const files = await exported(account);
    expect(await changes(account, files, 'exclusive')).toEqual([]);
  });

  it('binds by `adopt` what identity cannot tell apart', async () => {
    const account: Account = {
      playlists: ['1', '2'].map((letter) => ({ id: id(letter), desc: '', playlist: beams(id('a'), id(letter)) })),
    };
    const files = await exported(account);
    expect(textOf(files, 'adopt.yaml')).toContain(id('1'));
    expect(await changes(account, files, 'exclusive')).toEqual([]);
  });

  it('makes one line of comment of what cannot be declared, whatever its text holds', async () => {
    const hostile = 'evil\nplaylists: { x: {} }\u2028\u202e';
    const account: Account = {
      playlists: [
        { id: id('1'), desc: hostile, playlist: [] },
        { id: id('2'), desc: 'b', playlist: beams('x', 'y') },
      ],
    };
    const files = await exported(account);
    const [comment = '', ...rest] = textOf(files, 'playlists.yaml').split('\n');
    expect(comment).toMatch(new RegExp(`^# playlist/~${id('1')} .*is left out: `));
    expect(comment).not.toMatch(/[\u2028\u202e]/);
    expect(rest.join('\n')).not.toContain('evil');
    expect(await changes(account, files)).toEqual([]);
  });

  it('keeps `${` a text', async () => {
    const account: Account = { playlists: [{ id: id('1'), desc: PRICE, playlist: beams('x', 'y') }] };
    const files = await exported(account);
    expect(await changes(account, files, 'exclusive')).toEqual([]);
    expect(declarationOf(files).resources.find(({ remoteName }) => remoteName === PRICE)).toBeDefined();
  });

  it('leaves out a policy that validation refuses, and says why', async () => {
    const keys = { content_key_specs: [{ track_type: 'SD' }] };
    const account: Account = {
      policies: [
        { _id: 'p1', policy_name: 'odd', widevine: keys },
        { _id: 'p2', policy_name: 'fine' },
      ],
    };
    const files = await exported(account);
    expect(textOf(files, 'drm_policies.yaml')).toMatch(/^# drm-policy\/~p1 "odd" is left out: /);
    expect(await changes(account, files)).toEqual([]);
    expect(declarationOf(files).resources.map(({ address }) => address)).toContain('drm-policy/fine');
  });

  it('is the same whatever order the account comes in', async () => {
    const playlists = ['b', 'a', 'c'].map((name, index): JsonObject => ({ id: id(String(index)), desc: name, playlist: beams('x', 'y') }));
    expect(await exported({ playlists: playlists.toReversed() })).toEqual(await exported({ playlists }));
  });

  it('names each asset by its name in a catalog that the reader knows', async () => {
    const account: Account = {
      playlists: [
        { id: id('1'), desc: 'x', playlist: [...beams(id('a')), { ad: { dur: 30 } }] },
        { id: id('b'), desc: '', playlist: beams(id('b')) },
      ],
    };
    const catalogNames = new Map([
      [id('a'), 'intro'],
      [id('b'), 'film'],
    ]);
    const files = await exported(account, { catalogNames });
    // Without the catalog the names mean other assets, so that nothing can be exported.
    expect(textOf(files, 'playlists.yaml')).toContain('is left out: it would read back as different in /playlist');
    const catalog = { name: 'assets.yaml', text: `assets: { intro: { id: ${id('a')} }, film: { id: ${id('b')} } }\n` };
    const seen = [{ kind: playlist, result: await playlist.read(serviceOf(account)) }];
    const account2 = exportAccount(seen, (own) => declarationOf([...own, catalog]), 0, { catalogNames });
    expect(textOf(account2.files, 'playlists.yaml')).toBe('playlists:\n  x:\n    playlist:\n      - beam: intro\n      - ad: 30\n');
    expect(textOf(account2.files, 'smart_starts.yaml')).toBe('smart_starts:\n  smart-start:\n    assets:\n      - film\n');
    expect(account2.leftOut).toEqual([]);
  });

  it('counts what it writes and says what it leaves out, by address', async () => {
    const { written, leftOut } = await exportOf({
      playlists: [
        { id: id('2'), desc: 'b', playlist: [] },
        { id: id('1'), desc: '', playlist: [] },
        { id: id('3'), desc: 'c', playlist: beams(id('a'), id('b')) },
        { id: id('4'), desc: '', playlist: beams(id('4')) },
        { id: id('5'), desc: '', playlist: beams(id('5')) },
      ],
    });
    expect(written).toEqual({ 'drm-policy': 0, 'key-rotation-schedule': 1, playlist: 3, 'static-key': 1, 'vmp-reject-statuses': 1 });
    expect(leftOut).toEqual([
      { address: `playlist/~${id('1')}`, name: '', reason: 'it holds no asset' },
      { address: `playlist/~${id('2')}`, name: 'b', reason: 'it holds no asset' },
    ]);
  });
});

/** Texts that YAML, CSV, variables, editors or spreadsheets could take for something else. */
const ODD_TEXTS = [
  '',
  'same',
  variable('x'),
  `$${variable('x')}`,
  '123',
  '1e3',
  'null',
  '~',
  'a: b',
  '# c',
  '\t',
  'a\nb',
  'a\r\nb',
  '\ufeffa',
]
  .concat([
    '"quoted"',
    'a, b',
    '"',
    ',',
    '=1+1',
    '+1',
    '@x',
    '-1',
    '::error::x',
    'a\n::error::x',
    '##[group]',
    ' padded ',
    'e\u0301',
    'Ünï',
    '夜',
  ])
  .concat(['constructor', 'a\u202eb', '${', '}', "it's", '{a}', '[a]', '&a', '*a', '!a', '|', '>', '%', '`', 'true', 'yes']);
const anyDescription = fc.oneof(fc.constantFrom(...ODD_TEXTS), fc.string({ maxLength: 6, unit: 'grapheme' }));
const plainDescription = fc.stringMatching(/^[A-Za-z夜ж][A-Za-z0-9 夜ж:,"'$]{0,8}[A-Za-z0-9]$/);
const hexId = fc.constantFrom(id('a'), id('1'), `7771e33${'0'.repeat(25)}`, '1'.repeat(32), id('b'));
const anyAsset = fc.oneof(hexId, fc.constantFrom('short', '12345', 'a:b', `a${variable('x')}`));

const beamOf = (asset: fc.Arbitrary<string>) => asset.map((each): JsonObject => ({ beam: { id: each } }));
const adOf = (dur: fc.Arbitrary<number>) => dur.map((each): JsonObject => ({ ad: { dur: each } }));

/** Ten and more playlists that differ in their description, first asset, `repeat` and ad break, as far as these are drawn differently. */
function familyOf(desc: fc.Arbitrary<string>, asset: fc.Arbitrary<string>): fc.Arbitrary<readonly JsonObject[]> {
  const member = fc.record({ desc, first: asset, dur: fc.constantFrom(30, 60), repeat: fc.constantFrom(-1, 3) });
  return fc
    .tuple(fc.array(beamOf(asset), { maxLength: 2 }), fc.constantFrom(0, 1), fc.array(member, { minLength: 10, maxLength: 20 }))
    .map(([rest, active, members]) =>
      members.map(({ first, dur, ...each }, index) => ({
        id: `d${index.toString(16).padStart(31, '0')}`,
        active,
        ...each,
        playlist: [{ beam: { id: first } }, { ad: { dur } }, ...rest],
      })),
    );
}

function accountOf(
  single: fc.Arbitrary<JsonObject>,
  family: fc.Arbitrary<readonly JsonObject[]>,
  policy: fc.Arbitrary<JsonObject>,
): fc.Arbitrary<Account> {
  return fc
    .record({
      singles: fc.array(single, { maxLength: 5 }),
      family: fc.oneof(family, fc.constant([])),
      policies: fc.uniqueArray(policy, { selector: (each) => each._id, maxLength: 3 }),
    })
    .map(({ singles, family: members, policies }) => ({
      playlists: [...new Map([...singles, ...members].map((each) => [each.id, each])).values()],
      policies,
    }));
}

/** Accounts that hold anything, also what no configuration can declare. */
const anyAccount = accountOf(
  fc
    .record({
      id: fc.oneof(anyAsset, hexId),
      desc: anyDescription,
      repeat: fc.integer({ min: -2, max: 2 }),
      playlist: fc.array(fc.oneof(beamOf(anyAsset), adOf(fc.nat(3))), { maxLength: 3 }),
    })
    .map((each): JsonObject => each),
  fc.oneof(familyOf(anyDescription, anyAsset), familyOf(plainDescription, hexId)),
  fc.record({ _id: fc.constantFrom('p', 'q', 'r'), policy_name: anyDescription }).map((each): JsonObject => each),
);

/** Accounts of which validation has nothing to say. */
const plainAccount = accountOf(
  fc
    .record({
      id: hexId,
      desc: plainDescription,
      skip_drm: fc.constantFrom(0, 1),
      playlist: fc.array(fc.tuple(beamOf(hexId), fc.array(adOf(fc.constant(30)), { maxLength: 1 })), { minLength: 1, maxLength: 3 }),
    })
    .map(({ playlist: pairs, ...each }): JsonObject => ({ ...each, playlist: pairs.flatMap(([asset, ads]) => [asset, ...ads]) })),
  familyOf(plainDescription, hexId),
  fc
    .record({ _id: fc.constantFrom('p', 'q'), policy_name: fc.constantFrom('premium', 'premium/hd', '夜') })
    .map((each): JsonObject => each),
);

const layouts = fc.record({ templates: fc.boolean(), groupBy: fc.constantFrom(undefined, 'prefix' as const, 'file' as const) });

describe('the export of any account', () => {
  it('gives files whose plan is empty, in every layout', async () => {
    const property = fc.asyncProperty(anyAccount, layouts, async (held, layout) => {
      const files = await exported(held, layout);
      expect(await changes(held, files)).toEqual([]);
      const names = files.map(({ name }) => name.toLowerCase());
      expect(new Set(names).size).toBe(names.length);
      // Nothing in the files is invisible, or a command that a CI system would execute.
      for (const { text } of files) expect(text).not.toMatch(/(?!\n)[\p{C}\p{Zl}\p{Zp}]|^::|##\w*\[/mu);
    });
    await assertAsyncProperty(property, { numRuns: rounds(150, 3000) });
  });

  it('has a table of ten or more playlists of one shape, from which the plan is empty', async () => {
    // A description with a space is no key, so that no playlist goes without one.
    const description = fc.stringMatching(/^[A-Z夜][a-z]{0,4} [a-z0-9"',\n$]{0,4}(\$\{x\})?[a-z0-9]$/);
    const property = fc.asyncProperty(familyOf(description, hexId), async (playlists) => {
      const files = await exported({ playlists }, { templates: true });
      const rows = files.filter(({ name }) => name.endsWith('.csv')).map(({ text }) => parseCsv(new TextEncoder().encode(text)));
      expect(rows.map((table) => ('rows' in table ? table.rows.length : table.fault))).toEqual([playlists.length]);
      expect(textOf(files, 'playlists.yaml')).toBe('');
      expect(await changes({ playlists }, files, 'exclusive')).toEqual([]);
    });
    await assertAsyncProperty(property, { numRuns: rounds(40, 1000) });
  });

  it('declares the same in every layout', async () => {
    const property = fc.asyncProperty(anyAccount, layouts, async (held, layout) => {
      const [plain, other] = [await exportOf(held), await exportOf(held, layout)];
      const declared = ({ files }: AccountExport) => declarationOf(files).resources.map(({ address, fields }) => [address, fields]);
      expect(new Map(declared(other).map(([address, fields]) => [address, fields]))).toEqual(
        new Map(declared(plain).map(([address, fields]) => [address, fields])),
      );
      expect([other.written, other.leftOut]).toEqual([plain.written, plain.leftOut]);
    });
    await assertAsyncProperty(property, { numRuns: rounds(40, 1000) });
  });

  /** Codes of warnings that no form of a declaration avoids, because the account itself holds what they are about. */
  const UNAVOIDABLE: { readonly [code: string]: (resource: DesiredResource) => boolean } = {
    'control-character': ({ remoteName }) => /\p{Cc}/u.test(remoteName ?? ''),
    'name-spaces': ({ remoteName = '' }) => remoteName !== remoteName.trim(),
    'hidden-character': ({ remoteName = '' }) => /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u.test(remoteName),
    'name-not-nfc': ({ remoteName = '' }) => remoteName !== remoteName.normalize('NFC'),
    'ad-first': ({ fields }) => Object.hasOwn(Object([fields.playlist].flat()[0]), 'ad'),
    'ad-after-ad': ({ fields }) => JSON.stringify(fields.playlist).includes('},{"ad"'),
  };

  it('validates without a warning, but for what the account itself holds, which the export names', async () => {
    const property = fc.asyncProperty(anyAccount, layouts, async (held, layout) => {
      const { files, warnings } = await exportOf(held, layout);
      const { findings, resources } = declarationOf(files);
      expect(warnings).toEqual(findings);
      for (const { code, address } of findings) {
        // A warning about a group of smart starts has no address.
        const concerned = resources.filter((resource) =>
          address === undefined ? resource.path[0] === 'smart_starts' : resource.address === address,
        );
        expect([code, concerned.some((resource) => UNAVOIDABLE[code]?.(resource))]).toEqual([code, true]);
      }
    });
    await assertAsyncProperty(property, { numRuns: rounds(60, 1500) });
  });

  it('validates without a warning where the account holds nothing odd', async () => {
    const property = fc.asyncProperty(plainAccount, layouts, async (held, layout) => {
      const { files, leftOut } = await exportOf(held, layout);
      expect(declarationOf(files).findings).toEqual([]);
      expect(leftOut.filter(({ reason }) => !reason.includes('has the same name'))).toEqual([]);
    });
    await assertAsyncProperty(property, { numRuns: rounds(60, 1500) });
  });

  it('holds no value that could be left out', async () => {
    const property = fc.asyncProperty(anyAccount, async (held) => {
      const result = await playlist.read(serviceOf(held));
      const { entries } = playlist.toConfig(result.objects);
      const sections = (section: string, edited?: ConfigEntry, value?: Json): Json =>
        Object.fromEntries(
          entries
            .filter((each) => each.section === section)
            .map((each) => [each.key, each === edited && value !== undefined ? value : each.value]),
        );
      const declared = (edited?: ConfigEntry, value?: Json) =>
        playlist
          .declare(
            {
              playlists: sections('playlists', edited, value),
              smart_starts: sections('smart_starts', edited, value),
              assets: sections('assets'),
            },
            { ...declareServices, adoptedId: () => undefined },
          )
          .resources.map(({ address, fields }) => [address, fields]);
      const whole = declared();
      for (const entry of entries.filter(({ section }) => section !== 'assets')) {
        for (const field of Object.keys(Object(entry.value))) {
          const { [field]: _left, ...rest } = Object(entry.value);
          expect(declared(entry, rest), `${entry.key}.${field}`).not.toEqual(whole);
        }
      }
    });
    await assertAsyncProperty(property, { numRuns: rounds(30, 500) });
  });
});
