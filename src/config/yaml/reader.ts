/** Reads the files of a run, and computes the digest of the configuration. */
import { createHash } from 'node:crypto';
import { compareStrings } from '../../model/finding.ts';
import type { ProjectFiles } from '../desired-state.ts';
import { type ParsedFiles, readYaml, type YamlFile } from './parse.ts';
import { MAX_BYTES } from './text.ts';

/** Why a file cannot be read: code and text of a finding. */
interface Unreadable {
  readonly code: 'missing-file' | 'outside-project' | 'too-large';
  readonly reason: string;
}

/** Reads files of a project. */
export interface Reader {
  /** Reads the bytes of a file, or returns why it cannot be read; checks the size first. */
  read(file: string): { readonly bytes: Uint8Array } | { readonly fault: Unreadable };
  /** Reads and parses a YAML file; equal bytes are parsed once. */
  parse(file: string): { readonly yaml: YamlFile } | { readonly fault: Unreadable };
  /** Returns `sha256:` and the hash of names and bytes of all files read so far, independent of their order. */
  digest(): string;
}

type ReadFile = { readonly bytes: Uint8Array; readonly hash: string } | { readonly fault: Unreadable };

/** Creates a reader over the files of a project. `parsed` contains files that were parsed before, by hash. */
export function readerOf(tree: ProjectFiles, parsed: ParsedFiles = new Map()): Reader {
  const hashes = new Map<string, string>();
  const read = (file: string): ReadFile => {
    const fault = unreadable(tree, file);
    if (fault !== undefined) return { fault };
    const bytes = tree.read(file);
    const hash = createHash('sha256').update(bytes).digest('hex');
    if (!hashes.has(file)) hashes.set(file, hash);
    return { bytes, hash };
  };
  return {
    read,
    parse: (file) => {
      const got = read(file);
      return 'fault' in got ? got : { yaml: readYaml(got.bytes, got.hash, parsed) };
    },
    digest: () => {
      const sorted = [...hashes].sort(([a], [b]) => compareStrings(a, b));
      return `sha256:${createHash('sha256').update(JSON.stringify(sorted)).digest('hex')}`;
    },
  };
}

function unreadable(tree: ProjectFiles, file: string): Unreadable | undefined {
  const found = tree.at(file);
  if (found === 'outside')
    return { code: 'outside-project', reason: 'it lies outside the project, or is reached through a link that leaves it' };
  if (found !== 'file') return { code: 'missing-file', reason: found === 'folder' ? 'it is a folder' : 'there is no such file' };
  return tree.size(file) > MAX_BYTES ? { code: 'too-large', reason: `it is larger than ${MAX_BYTES / 1024 / 1024} MiB` } : undefined;
}
