/** Several targets in one process, with work that a test does in their place: what becomes of their output, of errors and of interrupts. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { CliError, type ExitCode } from '../../src/app/exit-codes.ts';
import { CONCURRENT_TARGETS, runTargets } from '../../src/app/multi-target.ts';
import { createReports } from '../../src/app/output.ts';
import { openProject } from '../../src/app/project.ts';
import type { TargetRun } from '../../src/app/target-run.ts';
import { handledByTarget } from '../../src/app/unhandled-errors.ts';
import { type FakeIo, fakeIo, TERMINAL } from '../cli/fake-io.ts';
import { projectIn, temporaryFolder } from '../support/harness.ts';

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
  const exits = await runTargets(io, reports, { session, targets: session.project.targets, quiet: false, asks, work });
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
const named = (documents: readonly unknown[], names: readonly string[] = NAMES) =>
  expect(documents).toMatchObject(names.map((target) => ({ target })));

afterEach(() => void vi.useRealTimers());

describe('targets', () => {
  test('run eight at a time, and all of them run', async () => {
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
    named(documents);
  });

  test('run one at a time where the user is asked about them', async () => {
    let running = 0;
    const begun: string[] = [];
    const work: Work = async (run) => {
      expect(++running).toBe(1);
      begun.push(run.target.name);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return report(run);
    };
    named((await runEach(NAMES, work, {}, true)).documents);
    expect(begun).toEqual(NAMES);
  });

  test('are reported in their order although the first one ends last', async () => {
    const others = signal();
    const { documents } = await runEach(['a', 'b'], async (run) => {
      if (run.target.name === 'a') await others.given;
      report(run);
      if (run.target.name === 'b') others.give();
      return [];
    });
    named(documents, ['a', 'b']);
  });

  test('have their name before each line on stderr, and within a log entry in JSON', async () => {
    const { io } = await runEach(['a', 'b'], async (run) => {
      if (run.target.name === 'b') run.io.stderr.write('warning: one\n  hint: two\n');
      if (run.target.name === 'b') run.io.stderr.write('{"level":20,"msg":"request"}\n');
      return report(run);
    });
    expect(io.err()).toBe('b: warning: one\nb:   hint: two\n{"target":"b","level":20,"msg":"request"}\n');
  });

  test('give all their exit codes', async () => {
    const { exits } = await runEach(['a', 'b', 'c'], async (run) => (run.target.name === 'b' ? report(run, 10, 4) : report(run)));
    expect(exits).toEqual([10, 4]);
  });

  test('note for themselves which files they read, so that a new file of one does not count as an edit of another', async () => {
    const noted = new Map<string, boolean>();
    await runEach(['a', 'b'], async (run) => {
      if (run.target.name === 'a') run.session.tree.read('config/of-a.yaml');
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

  test('count on the line of the terminal, which makes way for what is said', async () => {
    let time = 0;
    const now = () => (time += 2_000);
    const { io } = await runEach(NAMES.slice(0, 3), async (run) => report(run), { terminal: TERMINAL, now });
    expect(io.err()).toContain('targets 1/3');
    expect(io.err().endsWith('\r\u001b[2K')).toBe(true);
  });
});

describe('secrets', () => {
  test('hide the API key of every target in the output of each, and its owner in its own output only', async () => {
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

  test('hide the API key of a target that has not begun in the output of the first', async () => {
    const { io, documents } = await runEach(NAMES, async (run) => {
      const last = `${KEY}t19`;
      run.io.stderr.write(`${last}\n`);
      run.reports.add({ type: 'history', history: { schemaVersion: 1, target: last, entries: [] } });
      return [];
    });
    expect(io.err()).not.toContain(KEY);
    expect(documents).toMatchObject(NAMES.map(() => ({ target: '[hidden]' })));
  });

  test('are read once for each target; one that is missing is reported by that target alone', async () => {
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

describe('a target that fails', () => {
  test('is reported in its place, and stops no other', async () => {
    const { exits, documents } = await runEach(['a', 'b', 'c'], async (run) => {
      if (run.target.name === 'b') throw new CliError(6, 'stale-plan', 'the plan is stale', 'plan again');
      return report(run);
    });
    expect(exits).toEqual([6]);
    expect(documents).toMatchObject([{ target: 'a' }, { target: 'b', error: { exit: 6, code: 'stale-plan' } }, { target: 'c' }]);
  });

  test('does not fail through reports that cannot be written: that fails the run once all targets have ended', async () => {
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
    const reports = { add: broken, show: broken, emit: broken, protectFiles: broken, finish: async () => [] };
    const run = runTargets(io, reports, { session, targets: session.project.targets, quiet: true, asks: false, work });
    await expect(run).rejects.toThrow('no report');
    expect(ended).toEqual(['a', 'b']);
  });
});

describe('an interrupt', () => {
  test('reaches every target that runs; the others do not begin, and every target has its document', async () => {
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
    named(documents);
    expect(documents.slice(CONCURRENT_TARGETS)).toMatchObject(
      NAMES.slice(CONCURRENT_TARGETS).map(() => ({ error: { exit: 130, code: 'interrupted' } })),
    );
  });
});

describe('an error that nobody handles', () => {
  /** As Node reports an unhandled rejection or an uncaught exception: in the context in which it arose. */
  const arises = (error: unknown) =>
    new Promise<boolean>((resolve) => {
      setImmediate(() => resolve(handledByTarget(error)));
    });

  test('is reported by the target that it arose in, which stops, and the others go on', async () => {
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

  test('is not taken for an interrupt where the target stops because of it', async () => {
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

  test('ends a target that waits for ever because of it, after a time in which it could have finished', async () => {
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

  test('is the run’s where it arises in no target, or after the last of them has ended', async () => {
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
