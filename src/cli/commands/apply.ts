import { type ApplyOptions, applyTarget, isConfirmed, prepareApply } from '../../app/apply-target.ts';
import type { ExitCode } from '../../app/exit-codes.ts';
import { forEachAccount } from '../../app/for-each-target.ts';
import { createPrompt } from '../prompt.ts';
import type { CliContext } from '../status-line.ts';

/** Runs `apply`: plans, asks, writes, verifies and records each target. */
export function applyCommand(io: CliContext, options: ApplyOptions): Promise<ExitCode> {
  const ask = createPrompt(io);
  return forEachAccount(io, options, {
    asks: !isConfirmed(options) && io.terminal.stdin,
    prepare: (run) => prepareApply(run, options),
    work: (run, prepared) => applyTarget(run, prepared, options, ask),
  });
}
