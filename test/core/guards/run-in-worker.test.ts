import type { Worker } from 'node:worker_threads';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { GUARD_VARIABLES } from '../../../src/core/config/validate-guards.ts';
import { evaluateInWorker, type GuardJob } from '../../../src/core/guards/run-in-worker.ts';

const change = {
  address: 'drm-policy/premium',
  kind: 'drm-policy',
  name: 'premium',
  action: 'update',
  origin: 'change',
  effect: 'weakens',
  reasons: ['less'],
  phase: 'weaken',
  fields: [{ path: '/a', before: 1, after: 2.5, origin: 'change', effect: 'weakens' }],
};
const impact = [
  {
    address: 'drm-policy/premium',
    device: 'iphone',
    name: 'iPhone',
    system: 'fairplay',
    lost: ['HD'],
    gained: [],
    restricted: [],
    unrestricted: [],
    uncertain: [],
    changed: [],
  },
];
const other = { ...change, address: 'static-key', kind: 'static-key', effect: 'neutral', fields: [] };

function work(...guards: readonly (readonly string[])[]): GuardJob {
  return {
    names: GUARD_VARIABLES,
    guards: guards.map((conditions) => ({ conditions })),
    target: 'production',
    run: { command: 'apply', ci: '', actor: 'ada', commit: '', branch: 'main', pull_request: '' },
    plan: { create: 0, update: 2, delete: 0, changes: [change, other] },
    subjects: [
      { change, impact },
      { change: other, impact: [] },
    ],
  };
}

/** Keeps all that it makes: twenty times as much at every depth, from the inside out, and far more than the thread may have. */
const INSATIABLE = `${Array.from({ length: 7 }, (_, depth) => `[${Array(20).fill(1).join()}].map(x${depth}, `).join('')}x6${')'.repeat(7)}.size() > 0`;

/** Grows faster than any deadline: every list is looked at for every element of the one around it. */
const ENDLESS = `${Array.from({ length: 12 }, (_, depth) => `[1,2,3,4,5,6,7,8,9,10].all(x${depth}, `).join('')}true${')'.repeat(12)}`;

describe('evaluateInWorker', () => {
  test.each([
    ['change.kind == "drm-policy" && change.effect == "weakens" && target == "production"', [true, false]],
    ['impact.exists(d, d.device == "iphone" && d.lost.size() > 0)', [true, false]],
    ['plan.update > 1 && plan.changes.exists(c, c.address == change.address)', [true, true]],
    ['change.fields.exists(f, f.before == 1 && f.after == 2.5)', [true, false]],
    ['run.command == "apply" && run.branch == "main"', [true, true]],
    ['change.phase == "weaken"', [true, true]],
    ['change.address.startsWith("drm-policy/")', [true, false]],
  ])('evaluates %s', async (condition, answers) => {
    expect(await evaluateInWorker(work([condition]))).toEqual([answers]);
  });

  test('requires all conditions to hold, and evaluates later ones only then', async () => {
    expect(
      await evaluateInWorker(work(['change.kind == "static-key"', 'change.fields[0].path == "/a"'], ['false', 'true'], ['true', 'true'])),
    ).toEqual([
      [false, expect.stringContaining('index 0')],
      [false, false],
      [true, true],
    ]);
  });
});

describe('a guard that fails does not affect the others:', () => {
  test('a value of another type', async () => {
    const [first, second] = await evaluateInWorker(work(['change.fields.exists(f, f.after.deep > 1)'], ['true']));
    expect(first).toEqual(['No such key: deep', false]);
    expect(second).toEqual([true, true]);
  });

  test('a rule that exceeds the memory limit, before its deadline', async () => {
    const [first, second, third] = await evaluateInWorker(work(['true'], [INSATIABLE], ['false']), 600_000);
    const full = expect.stringMatching(/^it failed: .*memory/);
    expect([first, second, third]).toEqual([
      [true, true],
      [full, full],
      [false, false],
    ]);
  });

  test('an endless rule, an endless pattern', async () => {
    const late = 'it gave no answer within 2 s';
    expect(await evaluateInWorker(work(['true'], [ENDLESS], [`"${'a'.repeat(40)}b".matches("^(a+)+$")`], ['false']), 2_000)).toEqual([
      [true, true],
      [late, late],
      [late, late],
      [false, false],
    ]);
  });
});

test('after five guards that give no answer, no other is asked', async () => {
  const answers = await evaluateInWorker(work(...Array.from({ length: 6 }, () => [ENDLESS]), ['true']), 100);
  const [late, notAsked] = ['it gave no answer within 0.1 s', 'it was not asked, because 5 guards before it gave no answer'];
  expect(answers.map(([first]) => first)).toEqual([late, late, late, late, late, notAsked, notAsked]);
});

describe('a thread that ends', () => {
  /** Does something to the first thread that is started. */
  function onFirstThread(act: (thread: Worker) => void): void {
    process.once('worker', act);
    onTestFinished(() => void process.off('worker', act));
  }

  test('without an answer has failed for its guard alone', async () => {
    onFirstThread((thread) => void thread.terminate());
    const ended = 'it ended without an answer';
    expect(await evaluateInWorker(work(['true'], ['true']))).toEqual([
      [ended, ended],
      [true, true],
    ]);
  });

  test('may report an error while it is ended, which changes no answer', async () => {
    let isHeard = false;
    onFirstThread((thread) => {
      const terminate = thread.terminate.bind(thread);
      vi.spyOn(thread, 'terminate').mockImplementation(() => {
        // An error that nobody listens to would end the program.
        isHeard = thread.listenerCount('error') > 0 && thread.emit('error', new Error('too late'));
        return terminate();
      });
    });
    expect(await evaluateInWorker(work(['true']))).toEqual([[true, true]]);
    expect(isHeard).toBe(true);
  });
});
