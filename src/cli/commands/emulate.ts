import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type EmulatorOptions, parseFaults, startEmulator } from '../../emulator/server.ts';
import { emulations } from '../../kinds/emulations.ts';
import type { Json } from '../../model/json.ts';
import { EXIT, type Exit, Stop } from '../exit.ts';
import type { Io } from '../io.ts';
import { complain } from '../output.ts';

/** Flags of `emulate`. */
export interface EmulateOptions {
  readonly port: number;
  readonly host: string;
  readonly owner: string;
  readonly apiKey: string;
  readonly data?: string | undefined;
  readonly seed?: string | undefined;
  /** Milliseconds before every answer. */
  readonly latency: number;
  readonly faults?: string | undefined;
}

/** `emulate`: both services on this machine, until interrupted. Prints one JSON line with its URL when it listens. */
export async function emulate(io: Io, options: EmulateOptions): Promise<Exit> {
  const emulator = await start(io, options);
  io.stdout.write(`${JSON.stringify({ url: emulator.url, owner: options.owner })}\n`);
  await aborted(io.signal);
  await emulator.close();
  return EXIT.done;
}

async function start(io: Io, options: EmulateOptions) {
  const { host, port, owner, apiKey, latency } = options;
  if (!/^(localhost|127(\.\d+){3}|::1)$/.test(host))
    complain(io, `the emulator listens on ${host}: others can reach it`, 'its control endpoints need no signature');
  const settings: EmulatorOptions = {
    emulations,
    host,
    port,
    accounts: [{ owner, apiKey }],
    latencyMs: latency,
    now: io.now,
    ...(options.data === undefined ? {} : { dataFile: resolve(io.cwd, options.data) }),
    ...(options.seed === undefined ? {} : { seed: jsonFile(io, options.seed) }),
    ...(options.faults === undefined ? {} : { faults: rulesOf(io, options.faults) }),
  };
  try {
    return await startEmulator(settings);
  } catch (error) {
    throw new Stop(
      EXIT.error,
      'emulator',
      `the emulator cannot start: ${messageOf(error)}`,
      'mend the seed or data file, or choose another --port',
    );
  }
}

function rulesOf(io: Io, file: string) {
  try {
    return parseFaults(jsonFile(io, file));
  } catch (error) {
    if (error instanceof Stop) throw error;
    throw new Stop(EXIT.invalid, 'faults', `${file}: ${messageOf(error)}`, 'see the README, section on the emulator');
  }
}

function jsonFile(io: Io, file: string): Json {
  try {
    return JSON.parse(readFileSync(resolve(io.cwd, file), 'utf8'));
  } catch (error) {
    throw new Stop(EXIT.invalid, 'file', `${file} cannot be read as JSON: ${messageOf(error)}`, 'check the path and the content');
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolved) => {
    if (signal.aborted) resolved();
    else signal.addEventListener('abort', () => resolved(), { once: true });
  });
}
