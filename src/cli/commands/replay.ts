import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import recordingSchema from '../../../schemas/recording.schema.json' with { type: 'json' };
import { CliError, codeOf } from '../../app/run/exit-codes.ts';
import { info, warn } from '../../app/run/messages.ts';
import { type AppContext, waitForInterrupt } from '../../app/run/runtime.ts';
import { createValidator } from '../../core/config/validator.ts';
import { EXIT_CODES, type ExitCode } from '../../core/model/exit-codes.ts';
import { startReplay } from '../../emulator/replay-server.ts';
import type { Recording } from '../../recording/recording.ts';

/** Flags of `emulate` with `--replay`; the others cannot be used with it. */
export interface ReplayFlags {
  readonly replay: string;
  readonly owner: string;
  readonly host: string;
  readonly port: number;
  readonly data?: string | undefined;
  readonly seed?: string | undefined;
  readonly latency: number;
  readonly faults?: string | undefined;
  readonly quirks?: string | undefined;
  readonly scopedKey: readonly string[];
}

const checkRecording = createValidator<Recording>(recordingSchema);

/**
 * Runs `emulate --replay`: answers from a recording until interrupted. Prints one JSON line with its URL when it listens, and names each
 * request that was not recorded.
 */
export async function replayCommand(io: AppContext, options: ReplayFlags): Promise<ExitCode> {
  refuseOtherSources(options);
  const { owner, host, port, replay: file } = options;
  const replay = await startReplay({
    recording: readRecording(io, file),
    owner,
    host,
    port,
    now: io.now,
    onUnrecorded: (request) => warn(io, `not in the recording: ${request}`, ''),
  }).catch((error: unknown) => {
    throw error instanceof CliError
      ? error
      : new CliError(EXIT_CODES.error, 'emulator', `the replay cannot start (${codeOf(error)})`, 'choose another --port or --host');
  });
  io.stdout.write(`${JSON.stringify({ url: replay.url, owner })}\n`);
  await waitForInterrupt(io.signal);
  await replay.close();
  const { requests, unrecorded } = replay.counts;
  info(io, `requests: ${requests}; not in the recording: ${unrecorded}`);
  return EXIT_CODES.done;
}

/** Refuses flags that make up an account: a replay has only what was recorded. @throws CliError */
function refuseOtherSources({ seed, quirks, data, faults, latency, scopedKey }: ReplayFlags): void {
  const sources = { seed, quirks, data, faults, latency: latency || undefined, 'scoped-key': scopedKey[0] };
  const other = Object.entries(sources).find(([, value]) => value !== undefined);
  if (!other) return;
  const summary = `--replay and --${other[0]} cannot be used together: a replay answers what was recorded`;
  throw new CliError(EXIT_CODES.invalid, 'usage', summary, 'leave one of them out');
}

/** @throws CliError where the file is not a recording */
function readRecording(io: AppContext, file: string): Recording {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(resolve(io.cwd, file), 'utf8'));
  } catch (error) {
    throw new CliError(EXIT_CODES.invalid, 'file', `${file} cannot be read as JSON (${codeOf(error)})`, 'check the path and the content');
  }
  const result = checkRecording(value);
  if ('value' in result) return result.value;
  throw new CliError(EXIT_CODES.invalid, 'file', `${file} is not a recording`, 'name a file that `--record` has written');
}
