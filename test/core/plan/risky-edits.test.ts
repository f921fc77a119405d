// Fake kinds (test/support/fake-kinds.ts): song = playlist. Its level is lowered by hand where protection is weakened.
import { describe, expect, it } from 'vitest';
import type { CollectionKind, DesiredResource, RiskInput } from '../../../src/core/kinds/kind.ts';
import type { JsonObject } from '../../../src/core/model/json.ts';
import type { ResourceBeforeAfter } from '../../../src/core/plan/before-after.ts';
import type { PlanInput } from '../../../src/core/plan/input.ts';
import { refreshKind } from '../../../src/core/plan/refresh.ts';
import { compareRiskyEdits } from '../../../src/core/plan/risky-edits.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { song } from '../../support/fake-kinds.ts';
import { aSong, desiredStateOf, planInputOf } from '../../support/planning.ts';

const declared = { file: 'a.yaml', line: 7, column: 3 };

/** A song with ignored fields. */
function ignoring(resource: DesiredResource, ...paths: readonly string[]): DesiredResource {
  return { ...resource, ignored: paths.map((path) => ({ path, declared })) };
}

/** The names of the fields in which a resource differs. */
function differing({ before, after }: ResourceBeforeAfter): string {
  const names = Object.keys({ ...before, ...after });
  return names.filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name])).join('+');
}

/** Says of a resource and the fields in which it differs whether playback stops: `song/a list+level`. */
type Stops = (resource: string) => boolean;

/** Compares songs with an account in which each has the given fields, or none. `asked` are the resources of each analysis that differ. */
async function compare(
  edits: readonly (readonly [DesiredResource, JsonObject | null])[],
  stops: Stops = () => false,
  kind: CollectionKind = song,
) {
  const songs = edits.flatMap(([{ fields }, live], index) => (live === null ? [] : [[`id-${index}`, { ...fields, ...live }] as const]));
  const account = new FakeAccount({ songs: Object.fromEntries(songs) });
  const analyses: (readonly ResourceBeforeAfter[])[] = [];
  const analyzeImpact: PlanInput['analyzeImpact'] = ({ resourcesOf }) => {
    const resources = resourcesOf('song');
    analyses.push(resources);
    const stopped = resources.filter((each) => stops(`${each.address} ${differing(each)}`)).map(({ address }) => address);
    const reasons = [{ playback: 'stops', text: 'so it is' } as const];
    return { byChange: new Map(), playbackReasons: new Map(stopped.map((address) => [address, reasons])), summary: null };
  };
  const input = planInputOf(account, desiredStateOf(edits.map(([desired]) => desired)), { kinds: [kind], analyzeImpact });
  const kindStates = [await refreshKind(kind, input, account)];
  const compared = compareRiskyEdits(kindStates, input, 0);
  const ignored = compared.flatMap(({ resources }) => resources).map((each) => (each.ignored ?? []).map(({ path }) => path).join(' '));
  const asked = analyses.map((resources) =>
    resources.filter((each) => differing(each)).map((each) => `${each.address} ${differing(each)}`),
  );
  return { ignored, asked, analyses, isUnchanged: compared === kindStates, resources: compared.flatMap(({ resources }) => resources) };
}

describe('a field that is edited by hand', () => {
  it('stays ignored where the edit is harmless, with the other fields that the resource ignores', async () => {
    const desired = ignoring(aSong('a'), '/list', '/title');
    expect((await compare([[desired, { list: ['z', 'w'] }]])).resources).toEqual([desired]);
  });

  it('is compared where the edit weakens protection; those fields of the resource that were not edited need no entry', async () => {
    const { ignored } = await compare([[ignoring(aSong('a', { level: 5 }), '/level', '/list', '/title'), { level: 1, list: ['z'] }]]);
    expect(ignored).toEqual(['/list']);
  });

  it('is found in each of several resources', async () => {
    const edits = [
      [ignoring(aSong('a', { level: 5 }), '/level', '/list'), { level: 1, list: ['z', 'w'] }],
      [ignoring(aSong('b', { level: 5 }), '/level', '/list'), { level: 1 }],
      [ignoring(aSong('c', { level: 5 }), '/level', '/list'), { list: ['z', 'w'] }],
    ] as const;
    expect((await compare(edits)).ignored).toEqual(['/list', '', '/level /list']);
  });

  it('is assessed as an update from the declared value, with everything else as it is in the account', async () => {
    const seen: RiskInput[] = [];
    const kind: CollectionKind = {
      ...song,
      assessRisk: (input) => {
        seen.push(input);
        return song.assessRisk(input);
      },
    };
    const desired = { ...ignoring(aSong('a', { level: 1, list: ['z', 'w'] }), '/level'), kindData: { names: { z: 'film' } } };
    await compare([[desired, { level: 5, list: ['x', 'y'] }]], undefined, kind);
    const live = { title: 'a', level: 5, list: ['x', 'y'] };
    expect(seen).toEqual([
      {
        action: 'update',
        before: { id: 'id-0', fields: { ...live, level: 1 } },
        after: { fields: live, kindData: desired.kindData },
        fields: [{ path: '/level', before: 1, after: 5 }],
      },
    ]);
    await compare([[ignoring(aSong('a', { level: 1 }), '/level'), { level: 5 }]], undefined, kind);
    expect(seen[1]?.after).not.toHaveProperty('kindData');
  });

  it('is compared where the kind itself says that the edit stops playback', async () => {
    const kind: CollectionKind = { ...song, assessPlayback: () => [{ playback: 'stops', text: 'nothing is left' }] };
    expect((await compare([[ignoring(aSong('a'), '/list'), { list: [] }]], undefined, kind)).ignored).toEqual(['']);
    const reducing: CollectionKind = { ...song, assessPlayback: () => [{ playback: 'reduces', text: 'little is left' }] };
    expect((await compare([[ignoring(aSong('a'), '/list'), { list: [] }]], undefined, reducing)).ignored).toEqual(['/list']);
  });
});

describe('the impact of edits by hand', () => {
  it('is not analyzed where no ignored field was edited', async () => {
    const edits = [
      [ignoring(aSong('same'), '/list'), {}],
      [aSong('open'), { list: ['z', 'w'] }],
      [ignoring(aSong('new'), '/list'), null],
    ] as const;
    const { asked, isUnchanged } = await compare(edits);
    expect([asked, isUnchanged]).toEqual([[], true]);
  });

  it('is that of the ignored fields alone, as writes', async () => {
    const edited = ignoring(aSong('a', { level: 1 }), '/list');
    const { asked, analyses, ignored } = await compare(
      [
        [edited, { level: 5, list: ['z', 'w'] }],
        [aSong('b'), { list: ['z', 'w'] }],
      ],
      (resource) => resource.includes('level'),
    );
    expect([asked, ignored]).toEqual([[['song/a list']], ['/list', '']]);
    expect(analyses[0]?.map(({ address, isWritten }) => `${address} ${isWritten}`)).toEqual(['song/a true', 'song/b false']);
  });

  it('is analyzed once where playback goes on', async () => {
    const { asked, ignored } = await compare([[ignoring(aSong('a'), '/list', '/level'), { list: ['z', 'w'], level: 2 }]]);
    expect([asked, ignored]).toEqual([[['song/a level+list']], ['/list /level']]);
  });

  it('is analyzed for the fields of each resource whose playback stops, one at a time', async () => {
    const edit = { list: ['z', 'w'], level: 2 };
    const { asked, ignored } = await compare(
      [
        [ignoring(aSong('a'), '/list', '/level'), edit],
        [ignoring(aSong('b'), '/list', '/level'), edit],
        [ignoring(aSong('c'), '/list'), edit],
      ],
      (resource) => /^song\/[ac] .*list/.test(resource),
    );
    expect(asked).toEqual([['song/a level+list', 'song/b level+list', 'song/c list'], ['song/a level', 'song/c list'], ['song/a list']]);
    expect(ignored).toEqual(['/level', '/list /level', '']);
  });

  it('makes all edited fields of a resource risky where only several together stop playback', async () => {
    const edit = { list: ['z', 'w'], level: 2 };
    const { ignored } = await compare([[ignoring(aSong('a'), '/list', '/level', '/title'), edit]], (resource) =>
      resource.endsWith('level+list'),
    );
    expect(ignored).toEqual(['']);
  });
});
