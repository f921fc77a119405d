import { describe, expect, it } from 'vitest';
import type { CollectionKind, DesiredResource, ExternalLookup, ExternalReferences, Kind } from '../../../src/core/kinds/kind.ts';
import { asStringArray } from '../../../src/core/model/json-readers.ts';
import { resolveExternalIds, withIdsOfLedger } from '../../../src/core/plan/external-ids.ts';
import type { PlanInput } from '../../../src/core/plan/input.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { dial, rule, song } from '../../support/fake-kinds.ts';
import { aRule, aSong, desiredStateOf, only, planInputOf } from '../../support/planning.ts';
import { lastAppliedOf } from '../../support/previous-states.ts';
import { rulesOf } from '../../support/rules.ts';
import { apiError } from '../kinds/fixtures.ts';

/** The position of every reference in a text file, where a test sets one. */
const TEXT_FILE_POSITION = { file: 'cuts.txt', line: 7, column: 3 };

/** What the service answers to a lookup. */
interface Answers {
  /** Which lookups fail, and how. */
  readonly fail?: (ids: readonly string[]) => Error | undefined;
  /** The cuts by external ID; without an entry, the ID `1` names `cut-1`. */
  readonly cuts?: ReadonlyMap<string, readonly string[]>;
  readonly textFilePosition?: typeof TEXT_FILE_POSITION;
}

/** Makes the lists of a kind hold cuts: `~1` is a reference by the external ID `1`. Each request asks about two. */
function cutting(kind: CollectionKind, { fail = () => undefined, cuts, ...more }: Answers = {}) {
  const asked: (readonly string[])[] = [];
  const answered: (readonly string[])[] = [];
  const lookup = (ids: readonly string[]): ExternalLookup => ({
    ids,
    async find() {
      asked.push(ids);
      await Promise.resolve();
      const failure = fail(ids);
      if (failure) throw failure;
      answered.push(ids);
      return cuts ?? new Map(ids.map((id) => [id, [`cut-${id}`]]));
    },
  });
  const external: ExternalReferences = {
    referencesIn: ({ path, fields }) =>
      listOf(fields).flatMap((entry, index) =>
        isReference(entry) ? [{ id: entry.slice(1), path: [...path, 'list', index], ...more }] : [],
      ),
    lookups: (ids) => Array.from({ length: Math.ceil(ids.length / 2) }, (_, index) => lookup(ids.slice(index * 2, index * 2 + 2))),
    resolver: () => ({ resolve: resolveList }),
  };
  const asking: Kind = {
    ...kind,
    referenceLookup: { name: 'cuts', noun: 'cut', code: 'cut-missing', referencesIn: () => [], lookups: () => [], external },
  };
  return { kind: asking, kinds: [dial, asking], asked, answered };
}

const isReference = (entry: string) => entry.startsWith('~');
const listOf = (fields: DesiredResource['fields']) => asStringArray(fields.list) ?? [];

/** Puts the cuts in place of the references whose cuts are known. */
function resolveList(resource: DesiredResource, idOf: (externalId: string) => string | undefined): DesiredResource {
  const externalIds: { [externalId: string]: string } = {};
  const list = listOf(resource.fields).map((entry) => {
    const found = isReference(entry) ? idOf(entry.slice(1)) : undefined;
    if (found === undefined) return entry;
    externalIds[entry.slice(1)] = found;
    return found;
  });
  return Object.keys(externalIds).length === 0 ? resource : { ...resource, fields: { ...resource.fields, list }, externalIds };
}

/** A rule with a list of cuts. */
function aRuleOf(name: string, list: readonly string[]): DesiredResource {
  const plain = aRule(name);
  return { ...plain, fields: { ...plain.fields, list } };
}

/** A resource whose references were resolved by what the ledger recorded. */
function recorded(resource: DesiredResource, externalIds: { readonly [externalId: string]: string }): DesiredResource {
  return { ...resource, externalIds };
}

function resolve(kinds: readonly Kind[], resources: readonly DesiredResource[], more: Partial<PlanInput> = {}, checksRecorded = true) {
  return resolveExternalIds(planInputOf(new FakeAccount(), desiredStateOf(resources), { kinds, ...more }), checksRecorded);
}

const listsOf = (resources: readonly DesiredResource[]) => resources.map(({ fields }) => listOf(fields));
const five = [aSong('a', { list: ['~1', '~2', '~3', '~4', '~5'] })];

describe('external IDs', () => {
  it('are looked up once with a key that is refused, however many requests they take, and the kind is not planned', async () => {
    const { kinds, asked } = cutting(song, { fail: () => apiError('credentials') });
    const { reads, failedExternalIdLookups, findings, isUnresolvable } = await resolve(kinds, five);
    expect([asked, reads]).toEqual([[['1', '2']], 1]);
    expect([[...failedExternalIdLookups.keys()], findings, isUnresolvable]).toEqual([['song'], [], false]);
  });

  it('are looked up by the other requests once the first one was answered', async () => {
    const { kinds, asked, answered } = cutting(song);
    const resolved = resolve(kinds, five);
    expect(asked).toEqual([['1', '2']]);
    const { reads, failedExternalIdLookups } = await resolved;
    expect([answered, reads, failedExternalIdLookups.size]).toEqual([[['1', '2'], ['3', '4'], ['5']], 3, 0]);
  });

  it('are looked up by all requests where the first one fails for another reason', async () => {
    const { kinds, asked } = cutting(song, { fail: (ids) => (ids.includes('1') ? apiError('unreachable') : undefined) });
    const { reads, failedExternalIdLookups, resources, isUnresolvable } = await resolve(kinds, five);
    expect([asked.length, reads, [...failedExternalIdLookups.keys()]]).toEqual([3, 3, ['song']]);
    expect([listsOf(resources), isUnresolvable]).toEqual([[['~1', '~2', 'cut-3', 'cut-4', 'cut-5']], false]);
  });

  it('make the kind incomplete without a warning, however many of the requests about them fail', async () => {
    const { kinds } = cutting(song, { fail: () => apiError('unreachable') });
    const { reads, failedExternalIdLookups, findings } = await resolve(kinds, five);
    expect([reads, [...failedExternalIdLookups.keys()], findings]).toEqual([3, ['song'], []]);
  });

  it('are looked up once each, and their assets take their place', async () => {
    const { kinds, asked } = cutting(song);
    const resources = [aSong('a', { list: ['~1', 'x', '~2'] }), aSong('b', { list: ['~2'] }), aSong('c'), aRuleOf('r', ['~1'])];
    const resolved = await resolve(kinds, resources);
    expect(asked).toEqual([['1', '2']]);
    expect(listsOf(resolved.resources)).toEqual([['cut-1', 'x', 'cut-2'], ['cut-2'], ['x', 'y'], ['~1']]);
    expect(resolved.resources.map(({ externalIds }) => externalIds)).toEqual([
      { 1: 'cut-1', 2: 'cut-2' },
      { 2: 'cut-2' },
      undefined,
      undefined,
    ]);
    expect(resolved).toMatchObject({ findings: [], isUnresolvable: false, failedExternalIdLookups: new Map(), reads: 1 });
  });

  it('need no request and no copy of the resources where nothing is named by one', async () => {
    const { kinds, asked } = cutting(song);
    const resources = [aSong('a'), aRuleOf('r', ['~1'])];
    const resolved = await resolve(kinds, resources);
    expect(resolved).toEqual({ resources, findings: [], isUnresolvable: false, failedExternalIdLookups: new Map(), reads: 0 });
    expect([asked, resolved.resources === resources]).toEqual([[], true]);
  });

  it.each([
    ['--only leads elsewhere', { ...only('rule/*') }],
    ['the section is absent', { desiredState: desiredStateOf(five, {}, ['rules']) }],
  ])('are not looked up where %s', async (_why, more) => {
    const { kinds, asked } = cutting(song);
    const { resources, reads } = await resolve(kinds, five, more);
    expect([asked, reads, resources]).toEqual([[], 0, five]);
  });

  it('do not hide a bug in upkeep', async () => {
    const { kinds } = cutting(song, { fail: () => new TypeError('oops') });
    await expect(resolve(kinds, five)).rejects.toThrow('oops');
  });
});

describe('the external IDs of two kinds', () => {
  const resources = [aSong('a', { list: ['~1'] }), aRuleOf('r', ['~2'])];
  const none = new Map();

  it('are looked up each by the requests of its kind, and the results are added up', async () => {
    const [songs, rules] = [cutting(song), cutting(rule)];
    const resolved = await resolve([songs.kind, rules.kind], resources);
    expect([songs.asked, rules.asked, resolved.reads]).toEqual([[['1']], [['2']], 2]);
    expect([listsOf(resolved.resources), resolved.findings]).toEqual([[['cut-1'], ['cut-2']], []]);
  });

  it.each([
    ['the first', cutting(song, { cuts: none }), cutting(rule), ['song/a'], true],
    ['the second', cutting(song), cutting(rule, { cuts: none }), ['rule/r'], true],
    ['both', cutting(song, { cuts: none }), cutting(rule, { cuts: none }), ['song/a', 'rule/r'], true],
    ['none', cutting(song), cutting(rule), [], false],
  ])('cannot be resolved where those of %s kind name no asset', async (_which, songs, rules, addresses, isUnresolvable) => {
    const resolved = await resolve([songs.kind, rules.kind], resources);
    expect([resolved.findings.map(({ address }) => address), resolved.isUnresolvable]).toEqual([addresses, isUnresolvable]);
  });

  it('make each kind incomplete whose lookup failed', async () => {
    const failing = { fail: () => apiError('unreachable') };
    const { failedExternalIdLookups, findings } = await resolve([cutting(song, failing).kind, cutting(rule, failing).kind], resources);
    expect([[...failedExternalIdLookups.keys()], findings]).toEqual([['song', 'rule'], []]);
  });

  it('are compared with the last apply only where they are those of its kind', async () => {
    const { kinds } = cutting(song);
    const now = [aSong('a', { list: ['~1'] }), recorded(aRuleOf('r', ['cut-1']), { 1: 'cut-1' })];
    const lastApplied = lastAppliedOf([recorded(aSong('a'), { 1: 'cut-1' }), recorded(aRule('r'), { 1: 'former' })]);
    expect((await resolve(kinds, now, { lastApplied })).findings).toEqual([]);
  });
});

describe('an external ID that does not name exactly one asset', () => {
  const resources = [aSong('a', { list: ['~1', 'x', '~2'] }), aSong('b', { list: ['~2', '~3'] })];
  const notFound = { severity: 'error', code: 'external-id-not-found', hint: 'Correct it, or give the asset this ID first.' } as const;
  const ambiguous = {
    severity: 'error',
    code: 'external-id-ambiguous',
    hint: 'Give it to one of them only, or write the ID of the asset.',
  } as const;

  it('is an error at every place that names it, stays a reference, and nothing can be planned', async () => {
    const cuts = new Map([
      ['1', ['cut-1']],
      ['3', ['z', 'y', 'x']],
    ]);
    const { kinds } = cutting(song, { cuts });
    const resolved = await resolve(kinds, resources);
    const start = { line: 1, column: 1 };
    expect(resolved.findings).toEqual([
      { ...notFound, ...start, file: 'songs/a/list/2.yaml', address: 'song/a', summary: 'no asset has the external ID `2`' },
      { ...notFound, ...start, file: 'songs/b/list/0.yaml', address: 'song/b', summary: 'no asset has the external ID `2`' },
      { ...ambiguous, ...start, file: 'songs/b/list/1.yaml', address: 'song/b', summary: '3 assets have the external ID `3`: x and y' },
    ]);
    expect([resolved.isUnresolvable, listsOf(resolved.resources)]).toEqual([
      true,
      [
        ['cut-1', 'x', '~2'],
        ['~2', '~3'],
      ],
    ]);
  });

  it.each([
    ['external-id-not-found', []],
    ['external-id-ambiguous', ['x', 'y']],
  ])('is located at its line of an asset file: %s', async (code, assets) => {
    const { kinds } = cutting(song, { cuts: new Map([['1', assets]]), textFilePosition: TEXT_FILE_POSITION });
    const { findings } = await resolve(kinds, [aSong('a', { list: ['~1'] })]);
    expect(findings).toMatchObject([{ code, ...TEXT_FILE_POSITION }]);
  });
});

describe('an external ID that named another asset at the last apply', () => {
  const lastApplied = lastAppliedOf([recorded(aSong('a'), { 1: 'former', 2: 'cut-2' })]);
  const now = [aSong('a', { list: ['~1', '~2', '~3'] }), aSong('new', { list: ['~1'] })];

  it('is a warning that names both assets, at the declaration', async () => {
    const { kinds } = cutting(song);
    expect((await resolve(kinds, now, { lastApplied })).findings).toEqual([
      {
        severity: 'warning',
        code: 'external-id-replaced',
        summary: 'the external ID `1` names asset cut-1, and named former at the last apply',
        hint: 'If the asset was replaced on purpose, apply. Otherwise give the ID back to the former asset.',
        file: 'songs/a.yaml',
        line: 1,
        column: 1,
        address: 'song/a',
      },
    ]);
  });

  it('is located in the asset file that declares the resource', async () => {
    const inFile = now.map((resource) => ({ ...resource, textFilePosition: TEXT_FILE_POSITION }));
    const { findings } = await resolve(cutting(song).kinds, inFile, { lastApplied });
    expect(findings).toMatchObject([{ code: 'external-id-replaced', ...TEXT_FILE_POSITION }]);
  });

  it.each([
    ['error', ['error']],
    ['warning', ['warning']],
    ['off', []],
  ] as const)('has the severity that `rules` sets: %s', async (severity, severities) => {
    const severityRules = rulesOf({ 'external-id-replaced': severity });
    const { findings } = await resolve(cutting(song).kinds, now, { lastApplied, severityRules });
    expect(findings.map((finding) => finding.severity)).toEqual(severities);
  });

  it.each([
    ['nothing was applied', null],
    ['the resource was not declared', lastAppliedOf([recorded(aSong('b'), { 1: 'former' })])],
    ['the resource named no asset by an external ID', lastAppliedOf([aSong('a')])],
    ['the resource named other external IDs', lastAppliedOf([recorded(aSong('a'), { 9: 'former' })])],
  ])('is not reported where %s', async (_why, applied) => {
    expect((await resolve(cutting(song).kinds, now, { lastApplied: applied })).findings).toEqual([]);
  });

  it('is not taken from what every object inherits, whatever its text is', async () => {
    const { findings } = await resolve(cutting(song).kinds, [aSong('a', { list: ['~constructor'] })], { lastApplied });
    expect(findings).toEqual([]);
  });

  describe('where the ledger resolved it', () => {
    const resolved = [recorded(aSong('a', { list: ['former', 'cut-2'] }), { 1: 'former', 2: 'cut-2' }), aSong('b')];

    it('is looked up as well, and the resource keeps the asset of that apply', async () => {
      const { kinds, asked } = cutting(song);
      const { findings, resources, isUnresolvable } = await resolve(kinds, resolved, { lastApplied });
      expect([asked, findings.map(({ code }) => code)]).toEqual([[['1', '2']], ['external-id-replaced']]);
      expect([resources, isUnresolvable]).toEqual([resolved, false]);
    });

    it('is not looked up where nothing may be sent', async () => {
      const { kinds, asked } = cutting(song);
      const { findings, reads } = await resolve(kinds, resolved, { lastApplied }, false);
      expect([asked, findings, reads]).toEqual([[], [], 0]);
    });

    it.each([
      ['no asset', []],
      ['several assets', ['x', 'y']],
    ])('is no error where it names %s by now: the recorded asset counts', async (_what, assets) => {
      const { kinds } = cutting(song, { cuts: new Map([['1', assets]]) });
      const { findings, isUnresolvable } = await resolve(kinds, resolved, { lastApplied });
      expect([findings, isUnresolvable]).toEqual([[], false]);
    });

    it('is a warning where it could not be looked up, with the reason, and the kind is planned', async () => {
      const { kinds } = cutting(song, { fail: () => apiError('unreachable') });
      const { findings, failedExternalIdLookups, reads } = await resolve(kinds, resolved, { lastApplied });
      expect(findings).toEqual([
        {
          severity: 'warning',
          code: 'references-not-checked',
          summary: 'whether 2 external IDs still name the same assets was not checked: GET /: it went wrong',
          hint: 'look',
          file: 'songs.yaml',
          line: 1,
          column: 1,
        },
      ]);
      expect([failedExternalIdLookups.size, reads]).toEqual([0, 1]);
    });

    it.each([
      ['error', ['error']],
      ['off', []],
    ] as const)('is reported as not looked up with the severity that `rules` sets: %s', async (severity, severities) => {
      const { kinds } = cutting(song, { fail: () => apiError('unreachable') });
      const { findings } = await resolve(kinds, resolved, { severityRules: rulesOf({ 'references-not-checked': severity }) });
      expect(findings.map((finding) => finding.severity)).toEqual(severities);
    });

    it('makes the kind incomplete where the request that failed asked about a reference as well', async () => {
      const { kinds, asked } = cutting(song, { fail: (ids) => (ids.includes('new') ? apiError('unreachable') : undefined) });
      const { failedExternalIdLookups, findings } = await resolve(kinds, [...resolved, aSong('c', { list: ['~new'] })]);
      expect([asked, [...failedExternalIdLookups.keys()], findings]).toEqual([[['new', '1'], ['2']], ['song'], []]);
    });

    it('is a warning beside the incomplete kind where another request failed', async () => {
      const { kinds } = cutting(song, { fail: () => apiError('unreachable') });
      const { failedExternalIdLookups, findings } = await resolve(kinds, [
        ...resolved,
        recorded(aSong('d'), { 3: 'cut-3' }),
        aSong('c', { list: ['~new'] }),
      ]);
      expect([...failedExternalIdLookups.keys()]).toEqual(['song']);
      expect(findings.map(({ summary }) => summary)).toEqual([
        'whether 2 external IDs still name the same assets was not checked: GET /: it went wrong',
      ]);
    });
  });
});

describe('the assets that the ledger recorded', () => {
  const resources = [aSong('a', { list: ['~1', '~2', '~constructor'] }), aSong('b', { list: ['~1'] }), aRuleOf('r', ['~1']), aSong('c')];

  it('take the place of the references of each address, and what was not recorded stays a reference', () => {
    const kinds = [rule, cutting(song).kind];
    const byAddress = { 'song/a': { 1: 'cut-1' }, 'song/c': { 1: 'cut-1' }, 'rule/r': { 1: 'cut-1' } };
    const after = withIdsOfLedger(resources, kinds, byAddress);
    expect(listsOf(after)).toEqual([['cut-1', '~2', '~constructor'], ['~1'], ['~1'], ['x', 'y']]);
    expect(after.slice(1)).toEqual(resources.slice(1));
    expect(after[0]?.externalIds).toEqual({ 1: 'cut-1' });
  });

  it('are those of the kind that declares the address', () => {
    const kinds = [cutting(rule).kind, { ...cutting(song).kind, sections: [{ key: 'songs', addressPrefix: 'other/' }] }];
    const byAddress = { 'song/a': { 1: 'cut-1' }, 'rule/r': { 1: 'cut-1' } };
    expect(listsOf(withIdsOfLedger(resources, kinds, byAddress)).map(([first]) => first)).toEqual(['~1', '~1', 'cut-1', 'x']);
  });

  it('change nothing where no entry recorded any', () => {
    expect(withIdsOfLedger(resources, [cutting(song).kind], undefined)).toBe(resources);
    expect(withIdsOfLedger([aSong('a', { list: ['~1'] })], [cutting(song).kind], {})).toEqual([aSong('a', { list: ['~1'] })]);
  });
});
