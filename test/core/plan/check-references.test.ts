import { describe, expect, it } from 'vitest';
import type { Target } from '../../../src/core/config/project.ts';
import type { Kind, Reference, ReferenceAssessment, ReferenceLookup } from '../../../src/core/kinds/kind.ts';
import type { AssessmentInput } from '../../../src/core/kinds/references.ts';
import type { FirstExpiry } from '../../../src/core/model/asset.ts';
import type { Change } from '../../../src/core/model/change.ts';
import type { Json } from '../../../src/core/model/json.ts';
import { asStringArray } from '../../../src/core/model/json-readers.ts';
import { assetsOf, checkReferences, withReferenceFindings } from '../../../src/core/plan/check-references.ts';
import type { PlanInput } from '../../../src/core/plan/input.ts';
import { changeOf } from '../../support/changes.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { rule, song } from '../../support/fake-kinds.ts';
import { aRule, aSong, desiredStateOf, only, planFor, planInputOf, target } from '../../support/planning.ts';
import { ruleFor, rulesOf } from '../../support/rules.ts';
import { apiError, onlyItem } from '../kinds/fixtures.ts';

/** Songs whose lists name cuts; only `x` is there. Each request asks about two, and `fail` says which of them fail. */
function singing(fail: (ids: readonly string[]) => Error | undefined = () => undefined, more: Partial<Reference> = {}) {
  const asked: (readonly string[])[] = [];
  const ask = (ids: readonly string[]): ReferenceLookup => ({
    ids,
    async findExisting() {
      asked.push(ids);
      const failure = fail(ids);
      if (failure) throw failure;
      return new Map(ids.filter((id) => id === 'x').map((id) => [id, { name: '' }]));
    },
  });
  const kind: Kind = {
    ...song,
    findingCodes: { 'cut-missing': { meaning: 'a missing cut' } },
    referenceLookup: {
      name: 'cuts',
      noun: 'cut',
      code: 'cut-missing',
      referencesIn: ({ path, fields }) =>
        (asStringArray(fields.list) ?? []).map((id, index) => ({ id, path: [...path, 'list', index], ...more })),
      lookups: (ids) => Array.from({ length: Math.ceil(ids.length / 2) }, (_, index) => ask(ids.slice(index * 2, index * 2 + 2))),
    },
  };
  return { kinds: [kind, rule], asked };
}

const checking = { ...target, check: { cuts: true } };
const songs = desiredStateOf([aSong('a', { list: ['x', 'y', 'z'] }), aSong('b', { list: ['y', 'w', 'x'] }), aRule('r')]);

describe('references', () => {
  it('are looked up once each, and a finding reports every place that names a missing one', async () => {
    const { kinds, asked } = singing();
    const { findings, reads } = await checkReferences(planInputOf(new FakeAccount(), songs, { target: checking, kinds }));
    expect([asked, reads]).toEqual([
      [
        ['x', 'y'],
        ['z', 'w'],
      ],
      2,
    ]);
    expect(findings.map(({ code, severity, file, address }) => [code, severity, file, address])).toEqual([
      ['cut-missing', 'error', 'songs/a/list/1.yaml', 'song/a'],
      ['cut-missing', 'error', 'songs/a/list/2.yaml', 'song/a'],
      ['cut-missing', 'error', 'songs/b/list/0.yaml', 'song/b'],
      ['cut-missing', 'error', 'songs/b/list/1.yaml', 'song/b'],
    ]);
    expect(findings[0]).toMatchObject({ summary: 'the service has no cut y', hint: 'Correct the ID, or create the cut first.' });
  });

  it.each([
    ['the target does not ask for it', { target: { ...target, check: { cuts: false } } }],
    ['--only leads elsewhere', { target: checking, ...only('rule/*') }],
    ['the section is absent', { target: checking, desiredState: desiredStateOf([aSong('a')], {}, ['rules']) }],
    ['the rules ignore it', { target: checking, severityRules: rulesOf({ 'cut-missing': 'off' }) }],
    ['nothing refers to anything', { target: checking, desiredState: desiredStateOf([aSong('a', { list: [] })]) }],
  ])('are not looked up where %s', async (_name, more) => {
    const { kinds, asked } = singing();
    expect(await checkReferences(planInputOf(new FakeAccount(), songs, { kinds, ...more }))).toEqual({
      findings: [],
      reads: 0,
      facts: new Map(),
    });
    expect(asked).toEqual([]);
  });

  it('of addresses that --only does not select are not looked up', async () => {
    const { kinds, asked } = singing();
    await checkReferences(planInputOf(new FakeAccount(), songs, { target: checking, kinds, ...only('song/b') }));
    expect(asked.flat()).toEqual(['y', 'w', 'x']);
  });

  it('that could not be looked up are one warning for each reason, and the others count', async () => {
    const { kinds } = singing((ids) => (ids.includes('z') ? apiError('unreachable') : undefined));
    const { findings } = await checkReferences(planInputOf(new FakeAccount(), songs, { target: checking, kinds }));
    expect(findings.map(({ code, file }) => `${code} ${file}`)).toEqual([
      'cut-missing songs/a/list/1.yaml',
      'cut-missing songs/b/list/0.yaml',
      'references-not-checked songs.yaml',
    ]);
    expect(findings[2]).toMatchObject({ severity: 'warning', summary: '2 of 4 cuts were not checked: GET /: it went wrong', hint: 'look' });
    const all = singing(() => apiError('unreachable'));
    const { findings: alike, reads } = await checkReferences(planInputOf(new FakeAccount(), songs, { target: checking, kinds: all.kinds }));
    expect([all.asked.length, reads]).toEqual([2, 2]);
    expect(alike.map(({ summary }) => summary)).toEqual(['4 of 4 cuts were not checked: GET /: it went wrong']);
  });

  it('that cannot be checked are not looked up, and each is a warning with the reason', async () => {
    const { kinds, asked } = singing(undefined, { whyUncheckable: 'it is of another user' });
    const one = desiredStateOf([aSong('a', { list: ['x', 'y'] })]);
    const { findings, reads } = await checkReferences(planInputOf(new FakeAccount(), one, { target: checking, kinds }));
    expect([asked, reads]).toEqual([[], 0]);
    const same = { severity: 'warning', code: 'references-not-checked', hint: 'Check it by hand.', address: 'song/a', line: 1, column: 1 };
    expect(findings).toEqual([
      { ...same, file: 'songs/a/list/0.yaml', summary: 'whether there is a cut x was not checked: it is of another user' },
      { ...same, file: 'songs/a/list/1.yaml', summary: 'whether there is a cut y was not checked: it is of another user' },
    ]);
  });

  it('that could not be looked up are reported with the severity that the rules set', async () => {
    const findingsWith = async (severity: 'error' | 'off') => {
      const { kinds } = singing(() => apiError('unreachable'));
      const severityRules = rulesOf({ 'references-not-checked': severity });
      return (await checkReferences(planInputOf(new FakeAccount(), songs, { target: checking, kinds, severityRules }))).findings;
    };
    expect((await findingsWith('error')).map(({ severity }) => severity)).toEqual(['error']);
    expect(await findingsWith('off')).toEqual([]);
  });

  it('do not hide a bug in upkeep', async () => {
    const { kinds } = singing(() => new TypeError('oops'));
    await expect(checkReferences(planInputOf(new FakeAccount(), songs, { target: checking, kinds }))).rejects.toThrow('oops');
  });

  it('are located at the line of an asset file, with their alias', async () => {
    const textFilePosition = { file: 'cuts.txt', line: 7, column: 3 };
    const { kinds } = singing(undefined, { textFilePosition, catalogName: { name: 'why', path: ['shelf', 'why'] } });
    const one = desiredStateOf([aSong('a', { list: ['y'] })]);
    const { findings } = await checkReferences(planInputOf(new FakeAccount(), one, { target: checking, kinds }));
    expect(findings).toEqual([
      {
        severity: 'error',
        code: 'cut-missing',
        ...textFilePosition,
        summary: 'the service has no cut y, for which `why` stands',
        hint: 'Correct the ID of `why` in shelf/why.yaml, line 1, or create the cut first.',
        address: 'song/a',
      },
    ]);
  });

  it('add findings and reads to the plan, but do not change its fingerprint', async () => {
    const { plan } = await planFor(new FakeAccount(), songs);
    const { findings } = await checkReferences(planInputOf(new FakeAccount(), songs, { target: checking, kinds: singing().kinds }));
    const withFindings = withReferenceFindings(plan, { findings, reads: 2, facts: new Map() });
    expect(withFindings).toMatchObject({ fingerprint: plan.fingerprint, cost: { reads: plan.cost.reads + 2, writes: plan.cost.writes } });
    expect(withFindings.findings).toHaveLength(plan.findings.length + 4);
    const unsorted = withReferenceFindings(plan, { findings: findings.toReversed(), reads: 2, facts: new Map() });
    expect(unsorted.findings).toEqual(withFindings.findings);
  });

  it('that were refused with the first request are not asked for again, and all count as not checked', async () => {
    const { kinds, asked } = singing(() => apiError('credentials'));
    const { findings, reads } = await checkReferences(planInputOf(new FakeAccount(), songs, { target: checking, kinds }));
    expect([asked, reads]).toEqual([[['x', 'y']], 1]);
    expect(findings.map(({ code, summary }) => `${code}: ${summary}`)).toEqual([
      'references-not-checked: 4 of 4 cuts were not checked: GET /: it went wrong',
    ]);
  });
});

/** Songs whose lists name cuts, and what an assessment says of these. `inputs` are those of all assessments. */
function assessed(assessment: Partial<ReferenceAssessment> = {}) {
  const inputs: AssessmentInput[] = [];
  const { kinds, asked } = singing();
  const [asking = song] = kinds;
  const kind: Kind = {
    ...asking,
    ...(asking.referenceLookup && {
      referenceLookup: {
        ...asking.referenceLookup,
        assess(_resources, input) {
          inputs.push(input);
          return { facts: new Map(), findings: [], ...assessment };
        },
      },
    }),
  };
  return { kinds: [kind, rule], inputs, asked };
}

describe('an assessment', () => {
  const check = async (more: Partial<PlanInput> = {}, mayLookUp = true) => {
    const { kinds, inputs, asked } = assessed();
    const report = await checkReferences(planInputOf(new FakeAccount(), songs, { kinds, ...more }), mayLookUp);
    return { report, input: onlyItem(inputs), asked: asked.flat() };
  };

  it('knows what was looked up, also where the rules ignore missing objects', async () => {
    const severityRules = rulesOf({ 'cut-missing': 'off' });
    const { report, input, asked } = await check({ target: checking, severityRules });
    expect([asked, report.findings, report.reads]).toEqual([['x', 'y', 'z', 'w'], [], 2]);
    expect(input.existing).toEqual(new Map([['x', { name: '' }]]));
  });

  it('is made without a request where the target does not ask for one, or nothing may be looked up', async () => {
    for (const { asked, input } of [await check(), await check({ target: checking }, false)])
      expect([asked, input.existing]).toEqual([[], new Map()]);
  });

  it('warns 14 days before an event, or as long before as the rules say', async () => {
    const worn = { code: 'cut-worn', severity: 'warning' } as const;
    const severityRules = [ruleFor({ ...worn, withinMs: 60_000 }), ruleFor({ ...worn, withinMs: 90_000, address: 'song/a' })];
    const { input } = await check({ severityRules });
    const found = [input.within('cut-worn', 'song/b'), input.within('cut-worn', 'song/a'), input.within('cut-lost', 'song/a')];
    expect(found).toEqual([60_000, 90_000, 1_209_600_000]);
  });

  it('counts the retention of an object as the target says, and knows ready states in lower case', async () => {
    const serving = (service: Partial<Target['service']>) => check({ target: { ...target, service: { ...target.service, ...service } } });
    const created = await serving({ retentionFrom: 'created', assetReadyStates: ['OK', 'Slicing'] });
    expect([created.input.isRetainedFromCreation, created.input.readyStates]).toEqual([true, new Set(['ok', 'slicing'])]);
    expect((await serving({ retentionFrom: 'unknown' })).input.isRetainedFromCreation).toBe(false);
  });

  it('says which object is gone first among those of all kinds, and nothing where no end is known', async () => {
    const [late, early] = [
      { asset: 'x', at: '2027-02-01T00:00:00Z' },
      { asset: 'y', at: '2027-01-01T00:00:00Z' },
    ];
    const firstOf = async (...ends: readonly (FirstExpiry | undefined)[]) => {
      const kinds = ends.flatMap((firstExpiry) => assessed(firstExpiry && { firstExpiry }).kinds);
      return checkReferences(planInputOf(new FakeAccount(), songs, { kinds }));
    };
    expect((await firstOf(late, undefined, early)).firstExpiry).toEqual(early);
    expect((await firstOf(early, late)).firstExpiry).toEqual(early);
    expect(await firstOf(undefined)).not.toHaveProperty('firstExpiry');
  });

  it('gives warnings, about an address where there is one', async () => {
    const place = { path: ['songs', 'a'] };
    const worn = { code: 'cut-worn', place, summary: 'x is worn', hint: 'Press it again.' };
    const { kinds } = assessed({ findings: [worn, { ...worn, address: 'song/a' }] });
    const { findings } = await checkReferences(planInputOf(new FakeAccount(), songs, { kinds }));
    const { place: _place, ...text } = worn;
    const expected = { ...text, severity: 'warning', file: 'songs/a.yaml', line: 1, column: 1 };
    expect(findings).toStrictEqual([expected, { ...expected, address: 'song/a' }]);
  });

  it('gives findings of which the first 100 of a code are listed for each file', async () => {
    const worn = (file: string, count: number) =>
      Array.from({ length: count }, (_, index) => {
        const place = { path: [], textFilePosition: { file, line: index + 1, column: 1 } };
        return { code: 'cut-worn', place, summary: `${index} is worn`, hint: 'Press it again.' };
      });
    const { kinds } = assessed({ findings: [...worn('one.txt', 150), ...worn('two.txt', 100)] });
    const { findings } = await checkReferences(planInputOf(new FakeAccount(), songs, { kinds }));
    const filesOf = (file: string) => findings.filter((finding) => finding.file === file);
    expect([filesOf('one.txt').length, filesOf('one.txt').at(-1)?.unlisted]).toEqual([101, 50]);
    expect([filesOf('two.txt').length, filesOf('two.txt').at(-1)?.unlisted]).toEqual([100, undefined]);
  });
});

describe('the plan', () => {
  const factsOf = (ids: readonly string[]) => new Map(ids.map((id) => [id, { name: `the ${id}` }]));
  const change = (address: string, before: Json = null, after: Json = null): Change =>
    changeOf({ address, fields: [{ path: '/list', before, after, origin: 'change', effect: 'neutral' }] });

  it('describes the assets that the addresses and the values of its changes name, however deep, and no other', () => {
    const plan = { changes: [change('single/group/one', ['two'], { deep: [{ id: 'three' }, 7, true] })], behind: [change('single/four')] };
    const facts = factsOf(['one', 'two', 'three', 'four', 'group', 'single/four', 'elsewhere']);
    expect(assetsOf(plan, facts)).toEqual({
      assets: { one: { name: 'the one' }, two: { name: 'the two' }, three: { name: 'the three' }, four: { name: 'the four' } },
    });
  });

  it('does not describe assets of which nothing is known', async () => {
    expect(assetsOf({ changes: [change('single/one')] }, new Map([['one', {}]]))).toStrictEqual({});
    expect(assetsOf({ changes: [change('single/one')] }, new Map())).toStrictEqual({});
    const { plan } = await planFor(new FakeAccount(), songs);
    expect(withReferenceFindings(plan, { findings: [], reads: 0, facts: new Map() })).toStrictEqual(plan);
  });

  it('describes at most 10,000 assets', () => {
    const ids = Array.from({ length: 10_001 }, (_, index) => `cut-${index}`);
    const { assets = {} } = assetsOf({ changes: [change('song/a', null, ids)] }, factsOf(ids));
    expect(Object.keys(assets)).toEqual(ids.slice(0, 10_000));
  });

  it('has the end that is first of all, and facts about what its changes name', async () => {
    const firstExpiry = { asset: 'cut-3', at: '2027-01-01T00:00:00Z' };
    const { kinds } = assessed({ facts: factsOf(['x', 'elsewhere']), firstExpiry });
    const report = await checkReferences(planInputOf(new FakeAccount(), songs, { kinds }));
    const { plan } = await planFor(new FakeAccount(), songs);
    expect(withReferenceFindings(plan, report)).toMatchObject({ assets: { x: { name: 'the x' } }, firstExpiry });
    expect(withReferenceFindings(plan, report).assets).not.toHaveProperty('elsewhere');
  });
});
