// What a comparison of two commits costs, beside `validate` of one of them: in processor time, which a noisy machine disturbs least.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeProject, writeSources } from './account.mjs';
import { inTurn, measured, PROGRAM, ratio } from './process.mjs';

const PLAYLISTS = 10_000;
/** Every so many files of the sources differ between the two commits, or all. */
const EDITS = { 'a hundredth': (n) => (n % 100 === 0 ? 1 : 0), all: () => 1 };

/** Measures `validate` and `diff` of an account whose two commits differ in some playlists, or in all. */
export async function diffs(folder, { runs }) {
  const project = join(folder, 'diffs');
  mkdirSync(project, { recursive: true });
  const git = (...args) => execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@example.com', ...args], { cwd: project });
  git('init', '--quiet');
  writeProject(project, 'http://127.0.0.1:9');
  const commit = (repeat) => {
    writeSources(project, { playlists: PLAYLISTS, repeat });
    git('add', '--all');
    git('commit', '--quiet', '--message', 'bench');
    return git('rev-parse', 'HEAD').toString().trim();
  };
  const base = commit(0);
  const heads = Object.entries(EDITS).map(([what, repeat]) => ({ what, head: commit(repeat) }));
  const validate = () => measured([PROGRAM, 'validate', '--format', 'json'], { cwd: project });
  const diff = (head) => () => measured([PROGRAM, 'diff', '--base', base, '--head', head, '--format', 'json'], { cwd: project });
  const [validated, ...compared] = await inTurn([validate, ...heads.map(({ head }) => diff(head))], runs);
  const rows = heads.map(({ what }, index) => ({ name: `diff of ${PLAYLISTS} playlists, ${what} edited`, measure: compared[index] }));
  return {
    measures: [{ name: `validate of ${PLAYLISTS} playlists`, ...validated }, ...rows.map(({ name, measure }) => ({ name, ...measure }))],
    // Where all are edited, the report of 10,000 changes is most of it: the row shows it, and says nothing of the comparison.
    targets: rows
      .slice(0, 1)
      .map(({ name, measure }) => ({ name: `${name}: cpu, times validate`, value: ratio(measure, validated, 'cpu'), most: 3 })),
  };
}
