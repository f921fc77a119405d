import { describe, expect, it } from 'vitest';
import type { Kind, Reference, ReferenceLookup } from '../../src/kinds/kind.ts';
import { asStringArray } from '../../src/model/json-readers.ts';
import { checkReferences, withReferenceFindings } from '../../src/plan/check-references.ts';
import { apiError } from '../kinds/fixtures.ts';
import { FakeAccount } from '../support/fake-account.ts';
import { rule, song } from '../support/fake-kinds.ts';
import { aRule, aSong, desiredStateOf, planFor, planInputOf, target } from '../support/planning.ts';

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
    documentedCodes: { 'cut-missing': 'a missing cut' },
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
    ['--only leads elsewhere', { target: checking, only: ['rule/*'] }],
    ['the section is absent', { target: checking, desiredState: desiredStateOf([aSong('a')], {}, ['rules']) }],
    ['the rules ignore it', { target: checking, severityRules: { 'cut-missing': 'off' } as const }],
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
    await checkReferences(planInputOf(new FakeAccount(), songs, { target: checking, kinds, only: ['song/b'] }));
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
    const { findings: alike } = await checkReferences(planInputOf(new FakeAccount(), songs, { target: checking, kinds: all.kinds }));
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
      const severityRules = { 'references-not-checked': severity };
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

  it('that the kind assesses give findings of which the first 100 of a code are listed, and facts about what the changes name', async () => {
    const cuts = Array.from({ length: 150 }, (_, index) => `cut-${index}`);
    const [asking] = singing().kinds;
    const assessing: Kind = {
      ...(asking ?? song),
      referenceLookup: {
        name: 'cuts',
        noun: 'cut',
        code: 'cut-missing',
        referencesIn: () => [],
        lookups: () => [],
        assess: ([resource]) => ({
          facts: new Map([...cuts, 'elsewhere'].map((cut) => [cut, { name: `the ${cut}` }])),
          findings: cuts.map((cut) => ({ code: 'cut-worn', place: { path: resource?.path ?? [] }, summary: cut, hint: 'Press it again.' })),
          firstExpiry: { asset: 'cut-3', at: '2027-01-01T00:00:00Z' },
        }),
      },
    };
    const input = planInputOf(new FakeAccount(), desiredStateOf([aSong('a', { list: ['cut-1', 'cut-2'] })]), { kinds: [assessing, rule] });
    const report = await checkReferences(input);
    expect([report.findings.length, report.findings.at(-1)?.unlisted, report.reads]).toEqual([101, 50, 0]);
    const { plan } = await planFor(new FakeAccount(), desiredStateOf([aSong('a', { list: ['cut-1', 'cut-2'] })]));
    const { assets, firstExpiry } = withReferenceFindings(plan, report);
    expect(assets).toEqual({ 'cut-1': { name: 'the cut-1' }, 'cut-2': { name: 'the cut-2' } });
    expect(firstExpiry).toEqual({ asset: 'cut-3', at: '2027-01-01T00:00:00Z' });
  });
});
