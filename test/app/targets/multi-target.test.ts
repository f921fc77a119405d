/** Several targets in one process, with work that a test does in their place: what becomes of their output, of errors and of interrupts. */
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { TargetRun } from '../../../src/app/account/target-run.ts';
import { CliError } from '../../../src/app/run/exit-codes.ts';
import { openProject } from '../../../src/app/run/project.ts';
import { createReports } from '../../../src/app/run/reports.ts';
import { handledByTarget } from '../../../src/app/run/runtime.ts';
import { CONCURRENT_TARGETS, createOutputOrder, runTargets } from '../../../src/app/targets/multi-target.ts';
import type { ExitCode } from '../../../src/core/model/exit-codes.ts';
import { type FakeIo, fakeIo, TERMINAL } from '../../cli/fake-io.ts';
import { projectIn, temporaryFolder } from '../../support/harness.ts';
import { assertProperty } from '../../support/property.ts';

type Work = (run: TargetRun) => Promise<readonly ExitCode[]>;

interface Result {
  readonly io: FakeIo;
  readonly exits: readonly ExitCode[];
  readonly documents: readonly unknown[];
}

const OWNER = 'OwnerOfTarget';
const KEY = 'ApiKeyOfTarget';

/** Runs this work for targets of these names; OWNER and KEY with the name behind them are their credentials. */
async function runEach(names: readonly string[], work: Work, more: Partial<FakeIo> = {}, asks = false): Promise<Result> {
  const project = projectIn(temporaryFolder());
  const target = (name: string) =>
    `  ${name}:\n    base_url: http://127.0.0.1:9\n    sources: [config]\n` +
    `    credentials: { owner: { env: OWNER_${name} }, api_key: { env: KEY_${name} } }\n`;
  project.write('upkeep.yaml', `version: 1\ntargets:\n${names.map(target).join('')}`);
  project.write('config/of-a.yaml', '{}\n');
  const env = Object.fromEntries(
    names.flatMap((name) => [
      [`OWNER_${name}`, `${OWNER}${name}`],
      [`KEY_${name}`, `${KEY}${name}`],
    ]),
  );
  const io = fakeIo({ cwd: project.folder, env, ...more });
  const session = openProject(io, {});
  const reports = createReports(io, { format: 'json', out: [], color: false, logLevel: 'warn', logFormat: 'text' });
  const exits = await runTargets(io, reports, { session, targets: session.project.targets, quiet: false, writes: false, asks, work });
  await reports.finish();
  return { io, exits, documents: JSON.parse(io.out()) };
}

/** Reports a document that bears the name of the target. */
function report({ target, reports }: TargetRun, ...exits: readonly ExitCode[]): readonly ExitCode[] {
  reports.add({ type: 'history', history: { schemaVersion: 1, target: target.name, entries: [] } });
  return exits;
}

/** A promise, and what resolves it. */
function signal(): { readonly given: Promise<void>; give(): void } {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}

/** Resolves on the first abort. */
function aborted(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }));
}

const NAMES = Array.from({ length: 20 }, (_, index) => `t${index}`);
const expectTargets = (documents: readonly unknown[], names: readonly string[] = NAMES) =>
  expect(documents).toMatchObject(names.map((target) => ({ target })));

afterEach(() => void vi.useRealTimers());

describe('several targets', () => {
  test('at most eight targets run at a time, and all of them run', async () => {
    let [running, most] = [0, 0];
    const full = signal();
    const { documents } = await runEach(NAMES, async (run) => {
      most = Math.max(most, ++running);
      if (running === CONCURRENT_TARGETS) full.give();
      await full.given;
      running--;
      return report(run);
    });
    expect([most, CONCURRENT_TARGETS]).toEqual([8, 8]);
    expectTargets(documents);
  });

  test('targets run one at a time if the user is prompted', async () => {
    let running = 0;
    const begun: string[] = [];
    const work: Work = async (run) => {
      expect(++running).toBe(1);
      begun.push(run.target.name);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return report(run);
    };
    expectTargets((await runEach(NAMES, work, {}, true)).documents);
    expect(begun).toEqual(NAMES);
  });

  test('targets are reported in the order of upkeep.yaml even if the first one ends last', async () => {
    const others = signal();
    const { documents } = await runEach(['a', 'b'], async (run) => {
      if (run.target.name === 'a') await others.given;
      report(run);
      if (run.target.name === 'b') others.give();
      return [];
    });
    expectTargets(documents, ['a', 'b']);
  });

  test('each line on stderr begins with the name of its target, but a JSON entry of the log, which has it as a member', async () => {
    const { io } = await runEach(['a', 'b'], async (run) => {
      if (run.target.name === 'b') run.io.stderr.write('warning: one\n  hint: two\n');
      if (run.target.name === 'b') run.io.stderr.write('{"level":20,"target":"b","msg":"request"}\n');
      return report(run);
    });
    expect(io.err()).toBe('b: warning: one\nb:   hint: two\n{"level":20,"target":"b","msg":"request"}\n');
  });

  test('the exit codes of all targets are returned', async () => {
    const { exits } = await runEach(['a', 'b', 'c'], async (run) => (run.target.name === 'b' ? report(run, 10, 4) : report(run)));
    expect(exits).toEqual([10, 4]);
  });

  test('each target records its own read files, so that a new file of one target does not make another target dirty', async () => {
    const noted = new Map<string, boolean>();
    await runEach(['a', 'b'], async (run) => {
      if (run.target.name === 'a') run.session.files.read('config/of-a.yaml');
      noted.set(
        run.target.name,
        [...run.session.read].some((path) => path.endsWith('of-a.yaml')),
      );
      return report(run);
    });
    expect([...noted]).toEqual([
      ['a', true],
      ['b', false],
    ]);
  });

  test('the status line counts finished targets and is erased before other output', async () => {
    let time = 0;
    const now = () => (time += 2_000);
    const { io } = await runEach(NAMES.slice(0, 3), async (run) => report(run), { terminal: TERMINAL, now });
    expect(io.err()).toContain('targets 1/3');
    expect(io.err().endsWith('\r\u001b[2K')).toBe(true);
  });

  test('the status line says what each running target does, until it is done with that', async () => {
    let time = 0;
    const now = () => (time += 2_000);
    const allShow = signal();
    let showing = 0;
    const names = NAMES.slice(0, 3);
    const work: Work = async (run) => {
      const status = run.io.startStatus(false);
      status.show(() => 'reading · 3 s');
      if (++showing === names.length) allShow.give();
      await allShow.given;
      if (run.target.name !== 't2') status.clear();
      return report(run);
    };
    const { io } = await runEach(names, work, { terminal: { ...TERMINAL, columns: 200 }, now });
    expect(io.err()).toContain('· t2 reading');
    expect(io.err()).not.toContain('3 s');
    expect(io.err()).not.toContain('targets 3/3 · t0');
  });
});

describe('secrets of several targets', () => {
  test('the API key of every target is redacted in all output, and the owner of a target in its own output only', async () => {
    const [names, all] = [['a', 'b', 'c'], (stem: string) => ['a', 'b', 'c'].map((name) => stem + name).join(' ')];
    const { io } = await runEach(names, async (run) => {
      run.io.stderr.write(`${all(KEY)}\n`);
      run.io.stderr.write(`${all('The-')} ${run.target.name === 'b' ? `${OWNER}a ${OWNER}b` : ''}\n`);
      return report(run);
    });
    const lines = io.err().split('\n');
    expect(lines.filter((line) => line.includes('[hidden] [hidden] [hidden]'))).toHaveLength(3);
    expect(io.err()).not.toContain(KEY);
    expect(io.err()).not.toContain(`${OWNER}b`);
  });

  test('the API key of a target that has not started is redacted in the output of the first target', async () => {
    const { io, documents } = await runEach(NAMES, async (run) => {
      const last = `${KEY}t19`;
      run.io.stderr.write(`${last}\n`);
      run.reports.add({ type: 'history', history: { schemaVersion: 1, target: last, entries: [] } });
      return [];
    });
    expect(io.err()).not.toContain(KEY);
    expect(documents).toMatchObject(NAMES.map(() => ({ target: '[hidden]' })));
  });

  test('credentials are read once for each target, and a missing one is reported by its target only', async () => {
    const work: Work = async (run) => {
      await Promise.all([run.credentials(), run.credentials()]);
      return report(run);
    };
    const env = { OWNER_a: `${OWNER}a`, OWNER_b: `${OWNER}b`, KEY_b: `${KEY}b` };
    const { exits, documents } = await runEach(['a', 'b'], work, { env });
    expect([exits, documents]).toMatchObject([
      [8],
      [
        { target: 'a', error: { code: 'credentials' } },
        { target: 'b', entries: [] },
      ],
    ]);
  });
});

describe('a failing target', () => {
  test('a failing target is reported in its place and does not stop the others', async () => {
    const { exits, documents } = await runEach(['a', 'b', 'c'], async (run) => {
      if (run.target.name === 'b') throw new CliError(6, 'stale-plan', 'the plan is stale', 'plan again');
      return report(run);
    });
    expect(exits).toEqual([6]);
    expect(documents).toMatchObject([{ target: 'a' }, { target: 'b', error: { exit: 6, code: 'stale-plan' } }, { target: 'c' }]);
  });

  test('an error of the reports fails the run after all targets have ended, and no target', async () => {
    const ended: string[] = [];
    const work: Work = async (run) => {
      ended.push(run.target.name);
      return report(run);
    };
    const io = fakeIo();
    const project = projectIn(temporaryFolder());
    const target = (name: string) =>
      `  ${name}: { base_url: 'http://127.0.0.1:9', sources: [c], credentials: { owner: { env: O }, api_key: { env: K } } }\n`;
    project.write('upkeep.yaml', `version: 1\ntargets:\n${target('a')}${target('b')}`);
    const session = openProject({ ...io, cwd: project.folder }, {});
    const broken = () => {
      throw new TypeError('no report');
    };
    const reports = { add: broken, show: broken, emit: broken, showTargets: broken, protectFiles: broken, finish: async () => [] };
    const run = runTargets(io, reports, { session, targets: session.project.targets, quiet: true, writes: false, asks: false, work });
    await expect(run).rejects.toThrow('no report');
    expect(ended).toEqual(['a', 'b']);
  });
});

describe('an interrupt of several targets', () => {
  test('an interrupt stops all running targets, starts no other, and every target has its document', async () => {
    const interrupt = new AbortController();
    const begun: string[] = [];
    const work: Work = async (run) => {
      begun.push(run.target.name);
      const stopped = aborted(run.io.signal);
      if (begun.length === CONCURRENT_TARGETS) interrupt.abort();
      await stopped;
      return report(run, 130);
    };
    const { exits, documents } = await runEach(NAMES, work, { signal: interrupt.signal });
    expect(begun).toEqual(NAMES.slice(0, CONCURRENT_TARGETS));
    expect(exits).toEqual(NAMES.map(() => 130));
    expectTargets(documents);
    expect(documents.slice(CONCURRENT_TARGETS)).toMatchObject(
      NAMES.slice(CONCURRENT_TARGETS).map(() => ({ error: { exit: 130, code: 'interrupted' } })),
    );
  });
});

describe('an unhandled error', () => {
  /** As Node reports an unhandled rejection or an uncaught exception: in the context in which it arose. */
  const arises = (error: unknown) =>
    new Promise<boolean>((resolve) => {
      setImmediate(() => resolve(handledByTarget(error)));
    });

  test('an unhandled error is reported by the target that caused it and stops only that target', async () => {
    const others = signal();
    const work: Work = async (run) => {
      const stopped = aborted(run.io.signal);
      if (run.target.name === 'b') {
        expect(await arises(new TypeError('x is not a function'))).toBe(true);
        await stopped;
        others.give();
        return report(run, 130);
      }
      await others.given;
      expect(run.io.signal.aborted).toBe(false);
      return report(run);
    };
    const { exits, documents, io } = await runEach(['a', 'b', 'c'], work);
    expect(exits).toEqual([1]);
    expect(documents).toMatchObject([
      { target: 'a', entries: [] },
      { target: 'b', error: { exit: 1, code: 'unexpected', summary: 'unexpected: TypeError: x is not a function' } },
      { target: 'b', entries: [] },
      { target: 'c', entries: [] },
    ]);
    expect(io.err()).not.toMatch(/^ +at /m);
  });

  test('a target that stops after its own unhandled error does not count as interrupted', async () => {
    const { exits, documents } = await runEach(['a', 'b'], async (run) => {
      if (run.target.name === 'a') {
        await arises('a text');
        throw new CliError(130, 'interrupted', 'interrupted', 'run again');
      }
      return report(run);
    });
    expect([exits, documents]).toMatchObject([
      [1],
      [
        { target: 'a', error: { code: 'unexpected' } },
        { target: 'b', entries: [] },
      ],
    ]);
  });

  test('a target that the user interrupts after its own unhandled error counts as interrupted', async () => {
    const user = new AbortController();
    const { exits } = await runEach(
      ['a', 'b'],
      async (run) => {
        if (run.target.name === 'b') return report(run);
        await arises('a text');
        user.abort();
        return [130];
      },
      { signal: user.signal },
    );
    expect(exits).toContain(130);
  });

  test('a target that never ends after an unhandled error is given up after the grace period', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const waits = signal();
    const running = runEach(['a', 'b'], async (run) => {
      if (run.target.name === 'b') return report(run);
      await arises(new Error('lost'));
      waits.give();
      return new Promise<never>(() => undefined);
    });
    await waits.given;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await running).toMatchObject({ exits: [1, 1], documents: [{ target: 'a', error: { code: 'unexpected' } }, { target: 'b' }] });
  });

  test('an unhandled error outside any target, or after the last one has ended, is left to the run', async () => {
    expect(await arises(new Error('somewhere'))).toBe(false);
    const [late, noticed] = [signal(), signal()];
    let handled: boolean | undefined;
    await runEach(['a', 'b'], async (run) => {
      if (run.target.name === 'a')
        void late.given.then(async () => {
          handled = await arises(new Error('late'));
          noticed.give();
        });
      return report(run);
    });
    late.give();
    await noticed.given;
    expect(handled).toBe(false);
  });
});

test('the output order writes output of the first incomplete target at once, that of a later one in its turn, and late output at once', () => {
  const order = createOutputOrder();
  const done: string[] = [];
  const say = (place: number, text: string) => order.at(place, () => done.push(text));
  say(1, 'b1');
  say(0, 'a1');
  order.close(2);
  say(1, 'b2');
  expect(done).toEqual(['a1']);
  order.close(0);
  expect(done).toEqual(['a1', 'b1', 'b2']);
  say(1, 'b3');
  order.close(1);
  say(3, 'd1');
  expect(done).toEqual(['a1', 'b1', 'b2', 'b3', 'd1']);
  say(0, 'a2');
  expect(done).toEqual(['a1', 'b1', 'b2', 'b3', 'd1', 'a2']);
});

test('the output order is that of the targets, and within a target that of its writes, whichever is ready first', () => {
  const counts = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 8 });
  assertProperty(
    fc.property(counts, fc.infiniteStream(fc.nat()), (said, choices) => {
      const order = createOutputOrder();
      const done: string[] = [];
      const left = said.map((count, place) => ({ place, count, next: 0 }));
      for (const choice of choices) {
        const running = left.filter(({ count, next }) => next <= count);
        const one = running[choice % running.length];
        if (!one) break;
        const text = `${one.place}.${one.next}`;
        if (one.next === one.count) order.close(one.place);
        else order.at(one.place, () => done.push(text));
        one.next += 1;
      }
      expect(done).toEqual(said.flatMap((count, place) => Array.from({ length: count }, (_, next) => `${place}.${next}`)));
    }),
  );
});
