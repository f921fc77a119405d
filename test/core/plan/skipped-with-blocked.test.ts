/** Which requests a plan counts on where changes are blocked: those that `apply --skip-blocked` sends (design section 4, rules 6 and 9). */
import { describe, expect, test } from 'vitest';
import { completeChanges, planDocument } from '../../../src/core/plan/plan-document.ts';
import { song } from '../../support/fake-kinds.ts';
import { changed, plannedOf } from '../../support/planned-changes.ts';
import { aLiveSong, aSong, desiredStateOf } from '../../support/planning.ts';

const CONTEXT = {
  target: 'stage',
  baseUrl: 'https://services.example.com',
  owner: 'me',
  resettableMembers: [],
  requestOptions: { bulkLimit: 100 },
  now: 0,
};

const REST: Parameters<typeof planDocument>[2] = {
  config: { commit: '', dirty: false, digest: 'sha256:declaration' },
  readStatus: {},
  findings: [],
  unchanged: 0,
  undeclared: 0,
  reads: 0,
  impact: null,
  overrides: [],
  unread: [],
  ignored: [],
};

const BLOCKED = { check: 'unknown-fields', reason: 'r', lift: { edit: 'o' } } as const;

/** The update of a song: what its effect is, where it stands in the order, and what it waits for. */
interface Update {
  readonly effect?: 'strengthens' | 'weakens';
  readonly phase?: 'strengthen' | 'update' | 'weaken';
  readonly needs?: string;
  readonly isBlocked?: boolean;
}

/** Returns the songs that the requests of a plan write. Each update, by its song, has a wave of its own, in this order. */
function written(updates: { readonly [key: string]: Update }): readonly string[] {
  const checked = Object.entries(updates).map(([key, update], wave) => {
    const { effect = 'neutral', phase = 'update', needs, isBlocked = false } = update;
    const parts = { desired: aSong(key, { level: 1 }), live: aLiveSong(key), effect } as const;
    const dependsOn = needs === undefined ? null : `song/${needs}`;
    return { ...changed(plannedOf(song, 'update', parts), { phase, wave, blocked: isBlocked ? BLOCKED : null }), dependsOn };
  });
  const { requests, cost } = planDocument(completeChanges(checked, CONTEXT, desiredStateOf([])), CONTEXT, REST);
  expect(cost.writes).toBe(requests.length);
  return requests.flatMap(({ addresses }) => addresses);
}

const strengthens: Update = { effect: 'strengthens', phase: 'strengthen' };
const weakens: Update = { effect: 'weakens', phase: 'weaken' };

describe('the requests of a plan', () => {
  test('are those of every change where nothing is blocked', () => {
    expect(written({ a: strengthens, b: {}, c: weakens, d: { needs: 'b' } })).toEqual(['song/a', 'song/b', 'song/c', 'song/d']);
  });

  test('are none of what weakens protection while a change that strengthens it is blocked', () => {
    expect(written({ a: { ...strengthens, isBlocked: true }, b: strengthens, c: {}, d: weakens })).toEqual(['song/b', 'song/c']);
  });

  test('are none of what weakens protection before a blocked change that strengthens it', () => {
    expect(written({ a: weakens, b: { effect: 'strengthens', phase: 'weaken', isBlocked: true } })).toEqual([]);
  });

  test('are those of what weakens protection while other changes are blocked', () => {
    expect(written({ a: { isBlocked: true }, b: { ...weakens, isBlocked: true }, c: weakens })).toEqual(['song/c']);
  });

  test('are none of what needs a blocked rename, or a rename that is not in the plan, and of what needs that in turn', () => {
    expect(written({ a: { isBlocked: true }, b: { needs: 'a' }, c: { needs: 'b' }, d: {}, e: { needs: 'x' } })).toEqual(['song/d']);
  });

  test('are none of what weakens protection after a change that strengthens it and needs a blocked rename', () => {
    expect(written({ a: { isBlocked: true }, b: { ...strengthens, needs: 'a' }, c: weakens })).toEqual([]);
    expect(written({ a: { isBlocked: true }, b: { needs: 'a' }, c: weakens })).toEqual(['song/c']);
  });
});
