/** Lets a cell's fault happen: rules for the emulator, and for a refused connection the place of the request before it. */
import type { Emulator, FaultRule } from '../../../src/emulator/server.ts';
import { stage } from '../../support/harness.ts';
import { config } from '../accounts.ts';
import type { Cell } from './cells.ts';
import type { Scene, Use } from './uses.ts';

/** So many requests to one endpoint meet the fault where every attempt does. */
const EVERY = 200;

/** Arms the emulator for one run of a command. */
export async function arm(emulator: Emulator, cell: Cell, command: 'plan' | 'apply', elsewhere: string): Promise<void> {
  const { use, fault, attempt } = cell;
  const endpoint = { method: use.method, path: use.path };
  if (fault.rule !== null) return emulator.setFaults(ruled(endpoint, use.after, cell, fault.rule({ now: Date.now(), elsewhere })));
  const refuseMs = attempt === 'every' ? 600_000 : 60;
  if (attempt === 'second') return emulator.setFaults([{ ...endpoint, nth: use.after + 1, status: 503, body: {}, refuseMs }]);
  const place = placeOf(await quietRequests(use.scene, command), use);
  if (place === 0) emulator.refuse(refuseMs);
  else emulator.setFaults([{ nth: place, refuseMs }]);
}

function ruled(endpoint: FaultRule, after: number, { attempt }: Cell, rule: FaultRule): readonly FaultRule[] {
  if (attempt === 'first') return [{ ...endpoint, nth: after + 1, ...rule }];
  if (attempt === 'second') {
    return [
      { ...endpoint, nth: after + 1, status: 503, body: {} },
      { ...endpoint, nth: after + 2, ...rule },
    ];
  }
  return [{ ...endpoint, nth: Array.from({ length: EVERY }, (_, index) => after + 1 + index), ...rule }];
}

/** The number of requests before the one that is to be refused. */
function placeOf(requests: readonly Sent[], { method, path, after }: Use): number {
  const [start = '', end] = path.split('*');
  const fits = (sent: Sent) => sent.method === method && (end === undefined ? sent.path === path : sent.path.startsWith(start));
  const places = requests.flatMap((sent, index) => (fits(sent) ? [index] : []));
  const place = places[after];
  if (place === undefined) throw new Error(`no run needs ${method} ${path} ${after + 1} times`);
  return place;
}

interface Sent {
  readonly method: string;
  readonly path: string;
}

const quiet = new Map<string, Promise<readonly Sent[]>>();

/** What a run sends where nothing goes wrong; with one request at a time the order is always the same. */
function quietRequests(scene: Scene, command: 'plan' | 'apply'): Promise<readonly Sent[]> {
  const key = JSON.stringify([command, scene]);
  const known = quiet.get(key) ?? runQuietly(scene, command);
  quiet.set(key, known);
  return known;
}

async function runQuietly(scene: Scene, command: 'plan' | 'apply'): Promise<readonly Sent[]> {
  const target = `http: { concurrency: 1, requests_per_second: 0 }\nloosening: allow\nownership: ${scene.ownership ?? 'shared'}`;
  const set = await stage(config(scene.sections), { seed: scene.seed, target });
  const { code, stderr } = await set.run(command, ...(command === 'apply' ? ['--yes'] : []));
  if (code !== 0) throw new Error(`a quiet ${command} exits ${code}: ${stderr}`);
  const requests = set.emulator.requests();
  await set.close();
  return requests;
}

/** Ends all faults. */
export async function calm(emulator: Emulator): Promise<void> {
  emulator.setFaults([]);
  await emulator.listen();
}
