import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadDesiredState } from '../../src/config/load-desired-state.ts';
import { memoryFiles } from '../../src/config/project-folder.ts';
import { type AccountExport, type ExportOptions, exportAccount } from '../../src/export/export-account.ts';
import type { ExportedFile } from '../../src/export/source-files.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { ApiRequest, ApiService, Kind } from '../../src/kinds/kind.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { buildPlan } from '../../src/plan/build-plan.ts';
import { target } from '../support/planning.ts';
import { assertAsyncProperty } from '../support/property.ts';

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

const project = { file: 'upkeep.yaml', targets: [target], rules: {}, guards: [], devices: {} };

function declarationOf(files: readonly ExportedFile[]) {
  return loadDesiredState(
    memoryFiles(files),
    project,
    { ...target, sources: files.filter(({ name }) => name.endsWith('.yaml')).map(({ name }) => ({ path: name, defaults: {} })) },
    kinds,
  );
}

async function exportOf(account: Account, options: ExportOptions = {}, some: readonly Kind[] = kinds): Promise<AccountExport> {
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
    severityRules: {},
    guards: [],
    analyzeImpact: () => ({ byChange: new Map(), playbackReasons: new Map(), summary: null }),
    whyInexpressible: () => new Map(),
    kinds,
    now: () => 0,
    elapsed: () => 0,
    only: [],
    onlyOrigin: null,
    ledgerState: null,
    appliesEarlierCommit: false,
    earlierBindings: null,
    rollback: null,
    lastApplied: null,
    config: null,
    overrides: { deletes: 0, checks: new Set<never>() },
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

  it('gives files whose plan is empty for any account', async () => {
    const desc = fc.oneof(
      fc.constantFrom('', 'same', variable('x'), '123', 'null', '~', 'a: b', '# c', '\t'),
      fc.string({ maxLength: 6, unit: 'grapheme' }),
    );
    const asset = fc.constantFrom(id('a'), id('1'), `7771e33${'0'.repeat(25)}`, 'short', '12345');
    const entry = fc.oneof(
      asset.map((each): JsonObject => ({ beam: { id: each } })),
      fc.nat(3).map((dur): JsonObject => ({ ad: { dur } })),
    );
    const playlist = fc
      .record({
        id: fc.oneof(asset, fc.constantFrom(id('d'), id('e'), id('f'))),
        desc,
        repeat: fc.integer({ min: -2, max: 2 }),
        playlist: fc.array(entry, { maxLength: 3 }),
      })
      .map((each): JsonObject => each);
    const policy = fc.record({ _id: fc.constantFrom('p', 'q', 'r'), policy_name: desc }).map((each): JsonObject => each);
    const account = fc.record({
      playlists: fc.uniqueArray(playlist, { selector: (each) => each.id, maxLength: 5 }),
      policies: fc.uniqueArray(policy, { selector: (each) => each._id }),
    });
    const property = fc.asyncProperty(account, async (held) => {
      expect(await changes(held, await exported(held))).toEqual([]);
    });
    await assertAsyncProperty(property, { numRuns: 60 });
  });
});

it('an object whose ID nobody could write under `adopt` becomes a comment with the reason', async () => {
  const playlist = [{ beam: { id: 'a'.repeat(32) } }];
  const files = await exported({
    playlists: [
      { id: '::odd id', desc: '', playlist },
      { id: 'fine', desc: 'fine', playlist: [...playlist, ...playlist] },
    ],
  });
  const text = files.map((file) => file.text).join('');
  expect(text).toMatch(/^# .*odd.* is left out: /m);
  expect(text).toContain('fine:');
  expect(declarationOf(files).findings.filter(({ severity }) => severity === 'error')).toEqual([]);
});
