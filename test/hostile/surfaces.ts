/** Where hostile input comes in: for each place what a mutant is made from, how it is fed to upkeep, and what must hold then. */
import { rmSync } from 'node:fs';
import type { Json } from '../../src/core/model/json.ts';
import type { Emulator } from '../../src/emulator/server.ts';
import { FORMATS } from '../../src/report/document.ts';
import { stateHomeOf, writeLocalFileOf } from '../support/local-files.ts';
import { RULES, SEED, SOURCES } from './corpus.ts';
import { type CorruptingProxy, startCorruptingProxy } from './corrupting-proxy.ts';
import { ledgerSurfaces } from './ledger-surfaces.ts';
import { lookupSurface } from './lookups.ts';
import type { Random } from './random.ts';
import { reportsOf } from './reports.ts';
import { findWrites, unexpectedState, violationsOf } from './run-checks.ts';
import { openTestProject, type TestProject } from './test-project.ts';

/** Makes a mutant of an original; always the same one for the same seed and number. */
export type Mutation = (original: string | Buffer) => Buffer;

/** One place where input comes in. */
export interface Surface {
  readonly name: string;
  /** Its share of the mutants. */
  readonly weight: number;
  /** Feeds one mutant; gives what does not hold. */
  feed(mutation: Mutation, random: Random): Promise<readonly string[]>;
}

/** All surfaces, and the originals that may be spliced into one another. */
export interface Surfaces {
  readonly all: readonly Surface[];
  readonly originals: readonly string[];
  close(): Promise<void>;
}

/** A project and its account. */
interface SurfaceProject {
  readonly project: TestProject;
  emulator: Emulator;
}

/** Sets up every surface; takes about a second. */
export async function openSurfaces(): Promise<Surfaces> {
  const changedProject = await openProject(SEED);
  const proxy = await startCorruptingProxy();
  const reports = await reportsOf(changedProject.project);
  const before = changedProject.emulator.dump();
  const requests = await requestsOf(changedProject, proxy);
  const wanted = changedProject.emulator.dump();
  await resetAccount(changedProject, before);
  const unchangedProject = await openProject(wanted);
  const ledger = await ledgerSurfaces();
  const lookups = await lookupSurface(proxy);
  const accountStates = { before, wanted };
  return {
    all: [
      sourceSurface(unchangedProject),
      assetsFileSurface(unchangedProject),
      project(unchangedProject),
      journal(unchangedProject),
      savedReport(unchangedProject, reports),
      savedPlan(changedProject, reports.plan ?? '', accountStates),
      responseSurface(changedProject, proxy, requests, accountStates),
      lookups.surface,
      ...ledger.all,
    ],
    originals: [
      ...Object.values(SOURCES),
      unchangedProject.project.projectFile('http://127.0.0.1:9'),
      RULES,
      ...Object.values(reports),
      ...ledger.originals,
    ],
    async close() {
      await unchangedProject.project.close();
      await changedProject.project.close();
      await proxy.close();
      await lookups.close();
      await ledger.close();
    },
  };
}

async function openProject(seed: Json): Promise<SurfaceProject> {
  const project = openTestProject();
  return { project, emulator: await project.account(seed) };
}

/** Another account like the first one. */
async function resetAccount(scene: SurfaceProject, seed: Json): Promise<void> {
  scene.emulator = await scene.project.account(seed);
}

/** How many requests an apply sends, which leaves the account as it is wanted. */
async function requestsOf({ project, emulator }: SurfaceProject, proxy: CorruptingProxy): Promise<number> {
  project.write('upkeep.yaml', project.projectFile(proxy.url));
  proxy.corrupt(emulator.url, -1, false, (bytes) => bytes);
  const { code, stderr } = await project.run('apply', '--yes');
  if (code !== 0) throw new Error(`the corpus itself cannot be applied: ${stderr}`);
  return proxy.count();
}

function sourceSurface({ project, emulator }: SurfaceProject): Surface {
  const files = Object.keys(SOURCES).filter((file) => file.endsWith('.yaml'));
  return {
    name: 'source',
    weight: 22,
    async feed(mutation, random) {
      const file = random.of(files);
      project.write(file, mutation(SOURCES[file] ?? ''));
      const ran = await project.run(random.below(6) === 0 ? 'plan' : 'validate', '--format', random.of(FORMATS));
      project.restore();
      return [...violationsOf(ran), ...findWrites(emulator)];
    },
  };
}

function assetsFileSurface({ project, emulator }: SurfaceProject): Surface {
  const file = 'config/vod.txt';
  return {
    name: 'assets file',
    weight: 4,
    async feed(mutation, random) {
      project.write(file, mutation(SOURCES[file] ?? ''));
      const ran = await project.run('validate', '--format', random.of(FORMATS));
      project.restore();
      return [...violationsOf(ran), ...findWrites(emulator)];
    },
  };
}

function project({ project, emulator }: SurfaceProject): Surface {
  return {
    name: 'upkeep.yaml',
    weight: 14,
    async feed(mutation, random) {
      project.write('upkeep.yaml', mutation(project.projectFile(emulator.url) + random.of(['', RULES])));
      const ran = await project.run(
        random.of(['validate', 'validate', 'validate', 'targets', 'targets', 'plan']),
        '--format',
        random.of(FORMATS),
      );
      project.restore();
      return [...violationsOf(ran), ...findWrites(emulator)];
    },
  };
}

function journal({ project, emulator }: SurfaceProject): Surface {
  const lines = [{ intend: ['playlist/morning', 'smart-start/vod/x'] }, { settle: ['playlist/morning'] }];
  const original = lines.map((line) => `${JSON.stringify({ at: '2026-03-01T10:00:00.000Z', ...line })}\n`).join('');
  return {
    name: 'journal',
    weight: 2,
    async feed(mutation) {
      writeLocalFileOf(project.folder, 'journal.jsonl', mutation(original));
      const ran = await project.run('apply', '--yes', '--format', 'json');
      rmSync(stateHomeOf(project.folder), { recursive: true, force: true });
      return [...violationsOf(ran), ...findWrites(emulator)];
    },
  };
}

function savedReport({ project }: SurfaceProject, reports: { readonly [sort: string]: string }): Surface {
  return {
    name: 'saved report',
    weight: 22,
    async feed(mutation, random) {
      project.write('report.json', mutation(random.of(Object.values(reports))));
      return violationsOf(await project.run('show', 'report.json', '--requests', '--format', random.of(FORMATS)));
    },
  };
}

/** The account before, and as the project wants it. */
interface Truth {
  readonly before: Json;
  readonly wanted: Json;
}

function savedPlan(scene: SurfaceProject, plan: string, { before, wanted }: Truth): Surface {
  const { project } = scene;
  return {
    name: 'saved plan applied',
    weight: 2.5,
    async feed(mutation) {
      project.write('plan.json', mutation(plan));
      const ran = await project.run('apply', '--plan', 'plan.json', '--format', 'json');
      const strays = unexpectedState(before, wanted, scene.emulator.dump());
      if (findWrites(scene.emulator).length > 0) await resetAccount(scene, before);
      return [...violationsOf(ran), ...strays];
    },
  };
}

/** Commands that read responses; a read-only command must not write because of a response either. */
const READERS = [['apply', '--yes'], ['apply', '--yes', '--skip-blocked'], ['plan', '--undeclared'], ['drift'], ['export']] as const;

function responseSurface(scene: SurfaceProject, proxy: CorruptingProxy, requests: number, { before, wanted }: Truth): Surface {
  const { project } = scene;
  return {
    name: 'answer of the service',
    weight: 3.5,
    async feed(mutation, random) {
      const argv = random.of(READERS);
      const nth = random.below(argv[0] === 'apply' ? requests : 8);
      proxy.corrupt(scene.emulator.url, nth, random.below(5) === 0, mutation);
      project.write('upkeep.yaml', project.projectFile(proxy.url));
      const ran = await project.run(...argv, ...(argv[0] === 'export' ? [] : ['--format', 'json']));
      const strays = unexpectedState(before, wanted, scene.emulator.dump());
      const writes = findWrites(scene.emulator);
      if (writes.length > 0) await resetAccount(scene, before);
      return [...violationsOf(ran), ...strays, ...(argv[0] === 'apply' ? [] : writes)];
    },
  };
}
