import { describe, expect, it } from 'vitest';
import type { ApiError, ExternalLookup, Kind } from '../../src/kinds/kind.ts';
import { asStringArray } from '../../src/model/json-readers.ts';
import { resolveExternalIds } from '../../src/plan/external-ids.ts';
import { apiError } from '../kinds/fixtures.ts';
import { FakeAccount } from '../support/fake-account.ts';
import { rule, song } from '../support/fake-kinds.ts';
import { aSong, desiredStateOf, planInputOf } from '../support/planning.ts';

/** Songs whose lists name cuts by external IDs, each of which names one cut. Each request asks about two; `fail` says which of them fail. */
function singing(fail: (ids: readonly string[]) => ApiError | undefined = () => undefined) {
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
      return new Map(ids.map((id) => [id, [`cut-${id}`]]));
    },
  });
  const kind: Kind = {
    ...song,
    referenceLookup: {
      name: 'cuts',
      noun: 'cut',
      code: 'cut-missing',
      referencesIn: () => [],
      lookups: () => [],
      external: {
        referencesIn: ({ path, fields }) => (asStringArray(fields.list) ?? []).map((id, index) => ({ id, path: [...path, 'list', index] })),
        lookups: (ids) => Array.from({ length: Math.ceil(ids.length / 2) }, (_, index) => lookup(ids.slice(index * 2, index * 2 + 2))),
        resolver: () => ({ resolve: (resource) => resource }),
      },
    },
  };
  return { kinds: [kind, rule], asked, answered };
}

const songs = desiredStateOf([aSong('a', { list: ['1', '2', '3', '4', '5'] })]);
const resolve = (kinds: readonly Kind[]) => resolveExternalIds(planInputOf(new FakeAccount(), songs, { kinds }), true);

describe('external IDs', () => {
  it('are looked up once with a key that is refused, however many requests they take, and the kind is not planned', async () => {
    const { kinds, asked } = singing(() => apiError('credentials'));
    const { reads, failedExternalIdLookups, findings, isUnresolvable } = await resolve(kinds);
    expect([asked, reads]).toEqual([[['1', '2']], 1]);
    expect([[...failedExternalIdLookups.keys()], findings, isUnresolvable]).toEqual([['song'], [], false]);
  });

  it('are looked up by the other requests once the first one was answered', async () => {
    const { kinds, asked, answered } = singing();
    const resolved = resolve(kinds);
    expect(asked).toEqual([['1', '2']]);
    const { reads, failedExternalIdLookups } = await resolved;
    expect([answered, reads, failedExternalIdLookups.size]).toEqual([[['1', '2'], ['3', '4'], ['5']], 3, 0]);
  });

  it('are looked up by all requests where the first one fails for another reason', async () => {
    const { kinds, asked } = singing((ids) => (ids.includes('1') ? apiError('unreachable') : undefined));
    const { reads, failedExternalIdLookups } = await resolve(kinds);
    expect([asked.length, reads, [...failedExternalIdLookups.keys()]]).toEqual([3, 3, ['song']]);
  });
});
