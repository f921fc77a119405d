/** What the histories can find: the program as it is lives through each of these, and with a bug planted in it is caught. */
import { afterEach, expect, test, vi } from 'vitest';
import type * as recordingApplies from '../../src/app/history/apply-entry.ts';
import type * as progressing from '../../src/core/apply/apply-state.ts';
import type * as looking from '../../src/core/apply/looks.ts';
import type * as staticKey from '../../src/core/kinds/static-key/api.ts';
import type { JsonObject } from '../../src/core/model/json.ts';
import type * as reconciling from '../../src/core/plan/build-plan.ts';
import { converge } from './converge.ts';
import { type DisruptedRun, OVERRIDABLE_CHECKS } from './disruptions.ts';
import type { History } from './histories.ts';

afterEach(() => {
  vi.doUnmock('../../src/core/apply/looks.ts');
  vi.doUnmock('../../src/core/apply/apply-state.ts');
  vi.doUnmock('../../src/core/plan/build-plan.ts');
  vi.doUnmock('../../src/core/kinds/static-key/api.ts');
  vi.doUnmock('../../src/app/history/apply-entry.ts');
  vi.resetModules();
});

/** The program with what was planted in it, in the same history. */
async function planted(history: History): Promise<unknown> {
  vi.resetModules();
  const program = await import('./converge.ts');
  return program.converge(history);
}

/** A look that is fresh for ever. */
const UNLIMITED = { beganAt: Number.POSITIVE_INFINITY, freshUntil: Number.POSITIVE_INFINITY };

/** Replaces methods of the looks before a write. */
function plantLooks(methods: Partial<Pick<looking.Looks, 'latest' | 'now'>>): void {
  vi.doMock('../../src/core/apply/looks.ts', async (original) => {
    const real = await original<typeof looking>();
    return {
      ...real,
      Looks: class extends real.Looks {
        override latest = methods.latest ?? super.latest;
        override now = methods.now ?? super.now;
      },
    };
  });
}

/** One apply of these sections to this account, on that day. */
function historyOf(sections: JsonObject, day: Partial<DisruptedRun>, more: Partial<History> = {}): History {
  const run = { faults: [], edits: [], interruption: null, allow: OVERRIDABLE_CHECKS, skipBlocked: false, useSavedPlan: false, ...day };
  const steps = [{ sections, handEdits: [], run }];
  return { account: {}, quirks: {}, ownership: 'shared', ledger: 'none', concurrency: 1, giveUp: 0, planFaults: [], ...more, steps };
}

const LIST = ['1', '2'].map((digit) => ({ beam: { id: digit.repeat(32) } }));
const CREATE = { playlists: { p1: { playlist: LIST } } };

test('the invariants notice a planted bug: a create that is sent again without a read after a lost response', async () => {
  const history = historyOf(CREATE, { faults: [{ method: 'POST', path: '/api/v4/linear-playlist', reset: 'after', nth: 1 }] });
  expect(await converge(history)).toMatchObject({ runs: 1, writes: 1, followUpRuns: 0, empty: true });
  plantLooks({ now: async () => ({ ...UNLIMITED, liveOf: () => null }) });
  await expect(planted(history)).rejects.toThrow('a second create');
});

test.each([{ scope: 'specific', slicer_ids: ['a'] }, { scope: 'none' }])(
  'the invariants notice a planted bug: the two requests of the static key in reverse order: %j',
  async (scope) => {
    const account = { 'static-key': { use_static_encryption_key: true, static_key_slicer_ids: ['b'] } };
    const history = historyOf({ static_key: scope }, {}, { account });
    expect(await converge(history)).toMatchObject({ writes: 2, followUpRuns: 0, empty: true });
    vi.doMock('../../src/core/kinds/static-key/api.ts', async (original) => {
      const real = await original<typeof staticKey>();
      return { ...real, requests: (planning: Parameters<typeof real.requests>[0]) => real.requests(planning).toReversed() };
    });
    await expect(planted(history)).rejects.toThrow('steps of the static key');
  },
);

test('the invariants notice a planted bug: a delete of an object that was last read 40 s before', async () => {
  const account = { playlist: ['a', 'b'].map((id) => ({ id, desc: id, playlist: LIST })) };
  const edit = { on: 'written', pick: 1, playlist: { desc: 'by hand' }, policy: {} } as const;
  const history = historyOf({ playlists: {} }, { edits: [{ edit, after: 1, seconds: 40 }] }, { account, ownership: 'exclusive' });
  expect(await converge(history)).toMatchObject({ followUpRuns: 1, empty: true });
  plantLooks({ latest: async () => ({ ...UNLIMITED, liveOf: ({ live }) => live }) });
  await expect(planted(history)).rejects.toThrow('not looked at before');
});

test('the invariants notice a planted bug: a weakening after a strengthening that failed', async () => {
  const sections = { vmp_reject_statuses: ['PLATFORM_UNVERIFIED'], static_key: { scope: 'all' } };
  const history = historyOf(sections, {
    faults: [
      { method: 'POST', path: '/api/v3/drm/vmp*', nth: 1, status: 400, body: '' },
      { method: 'POST', path: '/api/v3/drm/vmp*', nth: 2, status: 400, body: '' },
    ],
  });
  expect(await converge(history)).toMatchObject({ followUpRuns: 1, empty: true });
  vi.doMock('../../src/core/apply/apply-state.ts', async (original) => {
    const { ApplyState } = await original<typeof progressing>();
    return {
      ApplyState: class extends ApplyState {
        override selectApplicable: typeof ApplyState.prototype.selectApplicable = (wave) => wave;
      },
    };
  });
  await expect(planted(history)).rejects.toThrow('weakened although');
});

test('the invariants notice a planted bug: a plan that writes where a read failed', async () => {
  const history = historyOf(CREATE, {}, { planFaults: [{ method: 'GET', nth: 1, status: 503 }] });
  expect(await converge(history)).toMatchObject({ writes: 1, followUpRuns: 0, empty: true });
  vi.doMock('../../src/core/plan/build-plan.ts', async (original) => {
    const real = await original<typeof reconciling>();
    const writing: typeof real.buildPlan = async (input) => {
      const found = await real.buildPlan(input);
      const body = { desc: 'p1', playlist: LIST };
      if (found.errors.length > 0) await input.service.send({ method: 'POST', path: '/api/v4/linear-playlist', body, repeatable: false });
      return found;
    };
    return { ...real, buildPlan: writing };
  });
  await expect(planted(history)).rejects.toThrow('a plan has written');
});

test('the invariants notice a planted bug: an apply that the ledger does not record', async () => {
  const history = historyOf(CREATE, {}, { ledger: 'git' });
  expect(await converge(history)).toMatchObject({ writes: 1, followUpRuns: 0, empty: true });
  vi.doMock('../../src/app/history/apply-entry.ts', async (original) => ({
    ...(await original<typeof recordingApplies>()),
    pushApplyEntry: async () => [],
  }));
  await expect(planted(history)).rejects.toThrow('not recorded');
});
