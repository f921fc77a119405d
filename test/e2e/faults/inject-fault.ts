/** Lets a cell's fault happen: rules for the emulator, and for a refused connection the place of the request before it. */
import type { Emulator, FaultRule } from '../../../src/emulator/server.ts';
import { createTestProject } from '../../support/harness.ts';
import { config } from '../accounts.ts';
import type { Cell } from './cells.ts';
import type { Scene, Use } from './uses.ts';

/** So many requests to one endpoint meet the fault where every attempt does. */
const MANY = 200;

/** Arms the emulator for one run of a command. */
export async function injectFault(emulator: Emulator, cell: Cell, command: 'plan' | 'apply', redirectUrl: string): Promise<void> {
  const { use, fault, attempt } = cell;
  const endpoint = { method: use.method, path: use.path };
  const rule = fault.rule?.({ now: Date.now(), elsewhere: redirectUrl });
  if (rule !== undefined && fault.nature === 'revoked') {
    const number = requestNumber(await requestsWithoutFault(use.scene, command), use);
    const before = attempt === 'second' ? [{ nth: number + 1, status: 503, body: {} }] : [];
    return emulator.setFaults([...before, ...faultRules({}, number, { ...cell, attempt: 'every' }, rule)]);
  }
  if (rule !== undefined) return emulator.setFaults(faultRules(endpoint, use.after, cell, rule));
  const refuseMs = attempt === 'every' ? 600_000 : 60;
  if (attempt === 'second') return emulator.setFaults([{ ...endpoint, nth: use.after + 1, status: 503, body: {}, refuseMs }]);
  const number = requestNumber(await requestsWithoutFault(use.scene, command), use);
  if (number === 0) emulator.refuse(refuseMs);
  else emulator.setFaults([{ nth: number, refuseMs }]);
}

function faultRules(endpoint: FaultRule, after: number, { attempt }: Cell, rule: FaultRule): readonly FaultRule[] {
  if (attempt === 'first') return [{ ...endpoint, nth: after + 1, ...rule }];
  if (attempt === 'second') {
    return [
      { ...endpoint, nth: after + 1, status: 503, body: {} },
      { ...endpoint, nth: after + 2, ...rule },
    ];
  }
  return [{ ...endpoint, nth: Array.from({ length: MANY }, (_, index) => after + 1 + index), ...rule }];
}

/** The number of requests before the one that is to be refused. */
function requestNumber(requests: readonly RequestLine[], { method, path, after }: Use): number {
  const [start = '', end] = path.split('*');
  const matches = (request: RequestLine) =>
    request.method === method && (end === undefined ? request.path === path : request.path.startsWith(start));
  const numbers = requests.flatMap((request, index) => (matches(request) ? [index] : []));
  const number = numbers[after];
  if (number === undefined) throw new Error(`no run needs ${method} ${path} ${after + 1} times`);
  return number;
}

interface RequestLine {
  readonly method: string;
  readonly path: string;
}

const recordedRequests = new Map<string, Promise<readonly RequestLine[]>>();

/** What a run sends where nothing goes wrong; with one request at a time the order is always the same. */
function requestsWithoutFault(scene: Scene, command: 'plan' | 'apply'): Promise<readonly RequestLine[]> {
  const key = JSON.stringify([command, scene]);
  const requests = recordedRequests.get(key) ?? recordRequests(scene, command);
  recordedRequests.set(key, requests);
  return requests;
}

async function recordRequests(scene: Scene, command: 'plan' | 'apply'): Promise<readonly RequestLine[]> {
  const target = `http: { concurrency: 1, requests_per_second: 0 }\nweakening: allow\nownership: ${scene.ownership ?? 'shared'}`;
  const project = await createTestProject(config(scene.sections), { seed: scene.seed, target });
  const { code, stderr } = await project.run(command, ...(command === 'apply' ? ['--yes'] : []));
  if (code !== 0) throw new Error(`a quiet ${command} exits ${code}: ${stderr}`);
  const requests = project.emulator.requests();
  await project.close();
  return requests;
}

/** Ends all faults. */
export async function clearFaults(emulator: Emulator): Promise<void> {
  emulator.setFaults([]);
  await emulator.listen();
}
