/** The page that GitHub shows for a run, to which each step may add. */
import { appendFileSync, statSync } from 'node:fs';
import type { Room } from '../../report/markdown-within.ts';
import { EXIT, Stop } from '../exit.ts';
import type { Io } from '../io.ts';

/** Bytes that a step may add ("Workflow commands", adding a job summary). */
const MOST_BYTES = 1024 * 1024;

/** What of this step's summary is still free, shared out over so many texts. @throws Stop where there is no summary, or an error of the file system */
export function summaryRoom(io: Pick<Io, 'env'>, texts: number): Room {
  const used = statSync(fileOf(io), { throwIfNoEntry: false })?.size ?? 0;
  return { most: Math.floor((MOST_BYTES - used) / Math.max(1, texts)), unit: 'bytes', size: (text) => Buffer.byteLength(text) };
}

/** Adds to the summary. @throws as above */
export function addToSummary(io: Pick<Io, 'env'>, text: string): void {
  appendFileSync(fileOf(io), text);
}

function fileOf({ env }: Pick<Io, 'env'>): string {
  const file = env.GITHUB_STEP_SUMMARY;
  if (file) return file;
  throw new Stop(
    EXIT.invalid,
    'no-summary',
    'there is no summary of a step: GITHUB_STEP_SUMMARY is not set',
    'leave --summary out, or run in a workflow',
  );
}
