import type { ProbeOptions } from '../../app/probe-preconditions.ts';
import { probeTargets } from '../../app/probe-target.ts';
import type { ExitCode } from '../../core/model/exit-codes.ts';
import { createPrompt } from '../prompt.ts';
import type { CliContext } from '../status-line.ts';

/** Runs `probe`, which asks on the terminal before it writes, where there is one. */
export function probeCommand(io: CliContext, options: ProbeOptions): Promise<ExitCode> {
  return probeTargets(io, options, io.terminal.stdin ? createPrompt(io) : null);
}
