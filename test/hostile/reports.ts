/** Reports that mutants are made from. */
import type { TestProject } from './test-project.ts';

/** One document of each sort, as upkeep itself writes them. */
export async function reportsOf(project: TestProject): Promise<{ readonly [sort: string]: string }> {
  const run = async (...argv: readonly string[]) => (await project.run(...argv, '--format', 'json')).stdout;
  const plan = await run('plan');
  project.write('config/vod.txt', 'not an asset');
  const [validation, failure] = [await run('validate'), await run('plan')];
  project.restore();
  return { plan, validation, failure, outcome: OUTCOME, history: HISTORY };
}

const summary = { created: 1, updated: 0, deleted: 0, adopted: 0, moved: 0, forgotten: 0, failed: 1, skipped: 0 };
const fingerprint = `sha256:${'ab'.repeat(32)}`;
const OUTCOME = JSON.stringify({
  schemaVersion: 1,
  target: 'live',
  fingerprint,
  outcomes: [
    { address: 'playlist/evening', result: 'created', tookMs: 12 },
    { address: 'playlist/morning', result: 'failed', error: 'HTTP 500', tookMs: 3 },
  ],
  summary,
  verified: false,
});
const entryFields = { at: '2026-03-01T10:00:00.000Z', by: 'ada', where: 'build-1', tool: '1.0.0', commit: 'c'.repeat(40) };
const HISTORY = JSON.stringify({
  schemaVersion: 1,
  target: 'live',
  entries: [{ id: 'e'.repeat(40), ...entryFields, fingerprint, summary, verified: true }],
});
