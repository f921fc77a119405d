/** The summary of a workflow step, a page of GitHub Actions. */
import { appendFileSync, statSync } from 'node:fs';
import type { MarkdownBudget } from '../../report/markdown/fit-to-size.ts';
import type { Environment } from './code-host.ts';
import { CodeHostError } from './errors.ts';

/** Maximum size of the summary of a step, bytes ("Workflow commands", adding a job summary). */
const MAX_BYTES = 1024 * 1024;

/** Returns the budget of each of several texts in the summary. @throws CodeHostError if there is no summary, or a file system error */
export function stepSummaryBudget(env: Environment, texts: number): MarkdownBudget {
  const used = statSync(fileOf(env), { throwIfNoEntry: false })?.size ?? 0;
  return { most: Math.floor((MAX_BYTES - used) / Math.max(1, texts)), unit: 'bytes', size: (text) => Buffer.byteLength(text) };
}

/** Adds a text to the summary. @throws CodeHostError if there is no summary, or a file system error */
export function addToStepSummary(env: Environment, text: string): void {
  appendFileSync(fileOf(env), text);
}

function fileOf(env: Environment): string {
  const file = env.GITHUB_STEP_SUMMARY;
  if (file) return file;
  throw new CodeHostError(
    'usage',
    'no-summary',
    'there is no summary of a step: GITHUB_STEP_SUMMARY is not set',
    'leave --summary out, or run in a workflow',
  );
}
