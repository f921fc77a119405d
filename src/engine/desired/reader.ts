/** Reads the files of a run, each once, and remembers what the configuration was made of. */
import { createHash } from 'node:crypto';
import { compareText } from '../../model/finding.ts';
import type { Tree } from './declaration.ts';
import { MAX_BYTES } from './text.ts';

/** Why a file cannot be read: a finding's code and its clause. */
interface Unreadable {
  readonly code: 'missing-file' | 'outside-project' | 'too-large';
  readonly reason: string;
}

/** The files of a project, as far as they are asked for. */
export interface Reader {
  /** The bytes of a file, or why they cannot be had; the size is looked at first. */
  read(file: string): { readonly bytes: Uint8Array } | { readonly fault: Unreadable };
  /** `sha256:` over names and bytes of all files read so far, in whatever order they were read. */
  digest(): string;
}

/** A reader over the files of a project. */
export function readerOf(tree: Tree): Reader {
  const hashes = new Map<string, string>();
  return {
    read: (file) => {
      const fault = unreadable(tree, file);
      if (fault !== undefined) return { fault };
      const bytes = tree.read(file);
      if (!hashes.has(file)) hashes.set(file, createHash('sha256').update(bytes).digest('hex'));
      return { bytes };
    },
    digest: () => {
      const sorted = [...hashes].sort(([a], [b]) => compareText(a, b));
      return `sha256:${createHash('sha256').update(JSON.stringify(sorted)).digest('hex')}`;
    },
  };
}

function unreadable(tree: Tree, file: string): Unreadable | undefined {
  const found = tree.at(file);
  if (found === 'outside')
    return { code: 'outside-project', reason: 'it lies outside the project, or is reached through a link that leaves it' };
  if (found !== 'file') return { code: 'missing-file', reason: found === 'folder' ? 'it is a folder' : 'there is no such file' };
  return tree.size(file) > MAX_BYTES ? { code: 'too-large', reason: `it is larger than ${MAX_BYTES / 1024 / 1024} MiB` } : undefined;
}
