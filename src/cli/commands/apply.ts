import { type ApplyOptions, applyTargets } from '../../app/apply-target.ts';
import type { ExitCode } from '../../core/model/exit-codes.ts';
import { createPrompt } from '../prompt.ts';
import type { CliContext } from '../status-line.ts';

/** Runs `apply`, which asks on the terminal where there is one. */
export function applyCommand(io: CliContext, options: ApplyOptions): Promise<ExitCode> {
  return applyTargets(io, options, io.terminal.stdin ? createPrompt(io) : null);
}
