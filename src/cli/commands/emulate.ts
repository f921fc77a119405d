import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { CliError, codeOf } from '../../app/run/exit-codes.ts';
import { warn } from '../../app/run/messages.ts';
import type { AppContext } from '../../app/run/runtime.ts';
import { waitForInterrupt } from '../../app/run/runtime.ts';
import { checkProbe } from '../../app/run/saved-probe.ts';
import { refuseLeavingLinks } from '../../app/run/symlinks.ts';
import { EXIT_CODES, type ExitCode } from '../../core/model/exit-codes.ts';
import type { Json } from '../../core/model/json.ts';
import { emulatedKinds } from '../../emulator/kinds/index.ts';
import { type ProbedService, probedService } from '../../emulator/probed-quirks.ts';
import { type Emulator, type EmulatorOptions, type FaultRule, parseFaults, startEmulator } from '../../emulator/server.ts';
import { emulatedScopedKeys } from '../emulated-keys.ts';

/** Flags of `emulate`. */
export interface EmulateOptions {
  readonly port: number;
  readonly host: string;
  readonly owner: string;
  readonly apiKey: string;
  readonly data?: string | undefined;
  readonly seed?: string | undefined;
  /** Delay of each response, milliseconds. */
  readonly latency: number;
  readonly faults?: string | undefined;
  /** The result of a probe. */
  readonly quirks?: string | undefined;
  /** A recording, from which every request is answered. */
  readonly replay?: string | undefined;
  /** Files of scoped keys; one that does not exist is written. */
  readonly scopedKey: readonly string[];
}

/** Runs `emulate`: emulates both services on this machine until interrupted. Prints one JSON line with its URL when it listens. */
export async function emulateCommand(io: AppContext, options: EmulateOptions): Promise<ExitCode> {
  const { host, owner } = options;
  if (!/^(localhost|127(\.\d+){3}|::1)$/.test(host)) {
    warn(
      io,
      `the emulator listens on ${host}, where other machines can reach it`,
      'it only imitates the service: give it no real credentials',
    );
  }
  if (options.replay !== undefined) return (await import('./replay.ts')).replayCommand(io, { ...options, replay: options.replay });
  const emulator = await start(io, options);
  io.stdout.write(`${JSON.stringify({ url: emulator.url, owner })}\n`);
  await waitForInterrupt(io.signal);
  await emulator.close();
  return EXIT_CODES.done;
}

async function start(io: AppContext, options: EmulateOptions): Promise<Emulator> {
  const settings = settingsOf(io, options);
  try {
    return await startEmulator(settings);
  } catch (error) {
    const summary = `the emulator cannot start: ${messageOf(error)}`;
    if (codeOf(error) === 'failed')
      throw new CliError(EXIT_CODES.invalid, 'emulator', summary, 'fix or remove the file of --seed or --data');
    throw new CliError(EXIT_CODES.error, 'emulator', summary, 'choose another --port, --host or --data');
  }
}

function settingsOf(io: AppContext, options: EmulateOptions): EmulatorOptions {
  const { host, port, owner, apiKey, latency } = options;
  const dataFile = options.data === undefined ? undefined : resolve(io.cwd, options.data);
  if (dataFile !== undefined)
    for (const path of [dataFile, `${dataFile}.new`, `${dataFile}.journal`]) refuseLeavingLinks(io.cwd, path, relative(io.cwd, path));
  return {
    emulatedKinds,
    host,
    port,
    accounts: [{ owner, apiKey }],
    scopedKeys: emulatedScopedKeys(io, options.scopedKey, owner, emulatedKinds),
    latencyMs: latency,
    now: io.now,
    ...(dataFile === undefined ? {} : { dataFile }),
    ...(options.seed === undefined ? {} : { seed: readJson(io, options.seed) }),
    ...(options.faults === undefined ? {} : { faults: faultRules(io, options.faults) }),
    ...(options.quirks === undefined ? {} : serviceOf(io, options.quirks)),
  };
}

function faultRules(io: AppContext, file: string): readonly FaultRule[] {
  const rules = readJson(io, file);
  try {
    return parseFaults(rules);
  } catch (error) {
    throw new CliError(EXIT_CODES.invalid, 'faults', `${file}: ${messageOf(error)}`, 'see docs/emulator.md');
  }
}

/** Returns how the service of a probe behaves. @throws CliError if the file is not the result of a probe */
function serviceOf(io: AppContext, file: string): ProbedService {
  const result = checkProbe(readJson(io, file));
  if ('value' in result) return probedService(result.value);
  throw new CliError(EXIT_CODES.invalid, 'file', `${file} is not the result of a probe`, 'name a file that `upkeep probe` has written');
}

function readJson(io: AppContext, file: string): Json {
  try {
    return JSON.parse(readFileSync(resolve(io.cwd, file), 'utf8'));
  } catch (error) {
    throw new CliError(EXIT_CODES.invalid, 'file', `${file} cannot be read as JSON: ${messageOf(error)}`, 'check the path and the content');
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
