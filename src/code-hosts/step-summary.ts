/** The page that GitHub shows for a run, to which each step may add. */
import { appendFileSync, statSync } from 'node:fs';
import { CliError, EXIT_CODES } from '../app/exit-codes.ts';
import type { CliContext } from '../app/runtime.ts';
import type { MarkdownBudget } from '../report/markdown/fit-to-size.ts';

/** Bytes that a step may add ("Workflow commands", adding a job summary). */
const MOST_BYTES = 1024 * 1024;

/**
 * What of this step's summary is still free, shared out over so many texts. @throws CliError where there is no summary, or an error of the
 * file system
 */
export function summaryRoom(io: Pick<CliContext, 'env'>, texts: number): MarkdownBudget {
  const used = statSync(fileOf(io), { throwIfNoEntry: false })?.size ?? 0;
  return { most: Math.floor((MOST_BYTES - used) / Math.max(1, texts)), unit: 'bytes', size: (text) => Buffer.byteLength(text) };
}

/** Adds to the summary. @throws as above */
export function addToSummary(io: Pick<CliContext, 'env'>, text: string): void {
  appendFileSync(fileOf(io), text);
}

function fileOf({ env }: Pick<CliContext, 'env'>): string {
  const file = env.GITHUB_STEP_SUMMARY;
  if (file) return file;
  throw new CliError(
    EXIT_CODES.invalid,
    'no-summary',
    'there is no summary of a step: GITHUB_STEP_SUMMARY is not set',
    'leave --summary out, or run in a workflow',
  );
}
