/** `git apply` judges the diffs that `drift accept` prints. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { diffOf } from '../../src/app/accept-drift.ts';
import type { FileEdit } from '../../src/core/drift/accept/verify-edits.ts';
import { visible } from '../../src/core/model/visible-text.ts';
import { diffText } from '../../src/report/text/text-diff.ts';

/**
 * Expects that git turns each file of these edits into the bytes that `drift accept` writes, by the diff that it prints. As text, a diff
 * without hidden characters must be the same.
 */
export function expectGitApplies(edits: readonly FileEdit[]): void {
  if (edits.length === 0) return;
  const before = Object.fromEntries(edits.map(({ file, before }) => [file, before]));
  const diffs = edits.map(diffOf);
  const diff = diffs.join('');
  const applied = gitApply(before, diff);
  if (diff.split('\n').every((line) => visible(line) === line)) expect(diffText(diffs)).toBe(diff);
  for (const { file, after } of edits) expect(textOf(applied[file]), file).toBe(textOf(after));
}

/** Applies a diff to a copy of files with git. Returns the bytes of each file then. @throws Error where git refuses the diff */
export function gitApply(files: { readonly [name: string]: Uint8Array }, diff: string): { readonly [name: string]: Uint8Array } {
  const folder = mkdtempSync(join(tmpdir(), 'upkeep-git-apply-'));
  try {
    for (const [name, bytes] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), bytes);
    }
    for (const options of [['--check'], []]) {
      const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
      const { status, stderr } = spawnSync('git', ['apply', ...options], { cwd: folder, env, input: diff, encoding: 'utf8' });
      if (status !== 0) throw new Error(`git apply: ${stderr}\n${diff}`);
    }
    return Object.fromEntries(Object.keys(files).map((name) => [name, readFileSync(join(folder, name))]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Decodes bytes so that a byte order mark and line ends show in a comparison. */
function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
