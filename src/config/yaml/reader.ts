/** Reads the files of a run, each once, and remembers what the configuration was made of. */
import { createHash } from 'node:crypto';
import { compareStrings } from '../../model/finding.ts';
import type { ProjectFiles } from '../desired-state.ts';
import { type ParsedFiles, readYaml, type YamlFile } from './parse.ts';
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
  /** A file of YAML, likewise; one whose bytes were parsed before is not parsed again. */
  parse(file: string): { readonly yaml: YamlFile } | { readonly fault: Unreadable };
  /** `sha256:` over names and bytes of all files read so far, in whatever order they were read. */
  digest(): string;
}

type Got = { readonly bytes: Uint8Array; readonly hash: string } | { readonly fault: Unreadable };

/** A reader over the files of a project. `parsed` holds what files were parsed to before, by hash. */
export function readerOf(tree: ProjectFiles, parsed: ParsedFiles = new Map()): Reader {
  const hashes = new Map<string, string>();
  const read = (file: string): Got => {
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
