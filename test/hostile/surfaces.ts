/** Where hostile input comes in: for each place what a mutant is made from, how it is fed to upkeep, and what must hold then. */
import type { Emulator } from '../../src/emulator/server.ts';
import type { Json } from '../../src/model/json.ts';
import { FORMATS } from '../../src/report/document.ts';
import { type Liar, startLiar } from './answers.ts';
import { RULES, SEED, SOURCES } from './corpus.ts';
import { ledgerSurfaces } from './ledger-surfaces.ts';
import { lookUpSurface } from './lookups.ts';
import { objectionsTo, strayFrom, writesTo } from './oracle.ts';
import type { Random } from './random.ts';
import { reportsOf } from './reports.ts';
import { openStand, type Stand } from './test-project.ts';

/** Makes a mutant of an original; the same one whenever the same mutant is asked for. */
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

/** A stand, the account behind it, and how both are put back in order. */
interface Scene {
  readonly stand: Stand;
  emulator: Emulator;
}

/** Sets up every surface; takes about a second. */
export async function openSurfaces(): Promise<Surfaces> {
  const busy = await sceneOf(SEED);
  const liar = await startLiar();
  const reports = await reportsOf(busy.stand);
  const before = busy.emulator.dump();
  const requests = await requestsOf(busy, liar);
  const wanted = busy.emulator.dump();
  await refresh(busy, before);
  const quiet = await sceneOf(wanted);
  const ledger = await ledgerSurfaces();
  const lookUps = await lookUpSurface(liar);
  const truth = { before, wanted };
  return {
    all: [
      source(quiet),
      assets(quiet),
      project(quiet),
      journal(quiet),
      savedReport(quiet, reports),
      savedPlan(busy, reports.plan ?? '', truth),
      answer(busy, liar, requests, truth),
      lookUps.surface,
      ...ledger.all,
    ],
    originals: [
      ...Object.values(SOURCES),
      quiet.stand.project('http://127.0.0.1:9'),
      RULES,
      ...Object.values(reports),
      ...ledger.originals,
    ],
    async close() {
      await quiet.stand.close();
      await busy.stand.close();
      await liar.close();
      await lookUps.close();
      await ledger.close();
    },
  };
}

async function sceneOf(seed: Json): Promise<Scene> {
  const stand = openStand();
  return { stand, emulator: await stand.account(seed) };
}

/** Another account like the first one. */
async function refresh(scene: Scene, seed: Json): Promise<void> {
  scene.emulator = await scene.stand.account(seed);
}

/** How many requests an apply sends, which leaves the account as it is wanted. */
async function requestsOf({ stand, emulator }: Scene, liar: Liar): Promise<number> {
  stand.write('upkeep.yaml', stand.project(liar.url));
  liar.distort(emulator.url, -1, false, (bytes) => bytes);
  const { code, stderr } = await stand.run('apply', '--yes');
  if (code !== 0) throw new Error(`the corpus itself cannot be applied: ${stderr}`);
  return liar.count();
}

function source({ stand, emulator }: Scene): Surface {
  const files = Object.keys(SOURCES).filter((file) => file.endsWith('.yaml'));
  return {
    name: 'source',
    weight: 22,
    async feed(mutation, random) {
      const file = random.of(files);
      stand.write(file, mutation(SOURCES[file] ?? ''));
      const ran = await stand.run(random.below(6) === 0 ? 'plan' : 'validate', '--format', random.of(FORMATS));
      stand.restore();
      return [...objectionsTo(ran), ...writesTo(emulator)];
    },
  };
}

function assets({ stand, emulator }: Scene): Surface {
  const file = 'config/vod.txt';
  return {
    name: 'assets file',
    weight: 4,
    async feed(mutation, random) {
      stand.write(file, mutation(SOURCES[file] ?? ''));
      const ran = await stand.run('validate', '--format', random.of(FORMATS));
      stand.restore();
      return [...objectionsTo(ran), ...writesTo(emulator)];
    },
  };
}

function project({ stand, emulator }: Scene): Surface {
  return {
    name: 'upkeep.yaml',
    weight: 14,
    async feed(mutation, random) {
      stand.write('upkeep.yaml', mutation(stand.project(emulator.url) + random.of(['', RULES])));
      const ran = await stand.run(
        random.of(['validate', 'validate', 'validate', 'targets', 'targets', 'plan']),
        '--format',
        random.of(FORMATS),
      );
      stand.restore();
      return [...objectionsTo(ran), ...writesTo(emulator)];
    },
  };
}

function journal({ stand, emulator }: Scene): Surface {
  const lines = [{ intend: ['playlist/morning', 'smart-start/vod/x'] }, { settle: ['playlist/morning'] }];
  const original = lines.map((line) => `${JSON.stringify({ at: '2026-03-01T10:00:00.000Z', ...line })}\n`).join('');
  return {
    name: 'journal',
    weight: 2,
    async feed(mutation) {
      stand.write('.upkeep/journal/live.jsonl', mutation(original));
      const ran = await stand.run('apply', '--yes', '--format', 'json');
      stand.remove('.upkeep');
      return [...objectionsTo(ran), ...writesTo(emulator)];
    },
  };
}

function savedReport({ stand }: Scene, reports: { readonly [sort: string]: string }): Surface {
  return {
    name: 'saved report',
    weight: 22,
    async feed(mutation, random) {
      stand.write('report.json', mutation(random.of(Object.values(reports))));
      return objectionsTo(await stand.run('show', 'report.json', '--requests', '--format', random.of(FORMATS)));
    },
  };
}

/** The account before, and as the project wants it. */
interface Truth {
  readonly before: Json;
  readonly wanted: Json;
}

function savedPlan(scene: Scene, plan: string, { before, wanted }: Truth): Surface {
  const { stand } = scene;
  return {
    name: 'saved plan applied',
    weight: 2.5,
    async feed(mutation) {
      stand.write('plan.json', mutation(plan));
      const ran = await stand.run('apply', '--plan', 'plan.json', '--format', 'json');
      const strays = strayFrom(before, wanted, scene.emulator.dump());
      if (writesTo(scene.emulator).length > 0) await refresh(scene, before);
      return [...objectionsTo(ran), ...strays];
    },
  };
}

/** Commands that read answers; those that do not write must not write because of an answer either. */
const READERS = [['apply', '--yes'], ['apply', '--yes', '--skip-blocked'], ['plan', '--unmanaged'], ['drift'], ['export']] as const;

function answer(scene: Scene, liar: Liar, requests: number, { before, wanted }: Truth): Surface {
  const { stand } = scene;
  return {
    name: 'answer of the service',
    weight: 3.5,
    async feed(mutation, random) {
      const argv = random.of(READERS);
      const nth = random.below(argv[0] === 'apply' ? requests : 8);
      liar.distort(scene.emulator.url, nth, random.below(5) === 0, mutation);
      stand.write('upkeep.yaml', stand.project(liar.url));
      const ran = await stand.run(...argv, ...(argv[0] === 'export' ? [] : ['--format', 'json']));
      const strays = strayFrom(before, wanted, scene.emulator.dump());
      const writes = writesTo(scene.emulator);
      if (writes.length > 0) await refresh(scene, before);
      return [...objectionsTo(ran), ...strays, ...(argv[0] === 'apply' ? [] : writes)];
    },
  };
}
