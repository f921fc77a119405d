/** Reads the files of a run, each once, and remembers what the configuration was made of. */
import { createHash } from 'node:crypto';
import { compareText } from '../../model/finding.ts';
import type { Tree } from './declaration.ts';
import { NO_READINGS, type Readings, readYaml, type YamlFile } from './parse.ts';
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
  /** A file of YAML, likewise; one that was read as something before is not parsed again. */
  parse(file: string): { readonly yaml: YamlFile } | { readonly fault: Unreadable };
  /** The SHA-256 of a file in hexadecimal, undefined where it cannot be had; whoever reads it next gets the bytes of which it is. */
  hash(file: string): string | undefined;
  /** The files read so far. */
  files(): readonly string[];
  /** `sha256:` over names and bytes of all files read so far, in whatever order they were read. */
  digest(): string;
}

type Got = { readonly bytes: Uint8Array; readonly hash: string } | { readonly fault: Unreadable };

/** A reader over the files of a project. */
export function readerOf(tree: Tree, readings: Readings = NO_READINGS): Reader {
  const hashes = new Map<string, string>();
  const ahead = new Map<string, Got>();
  const open = (file: string): Got => {
    const fault = unreadable(tree, file);
    if (fault !== undefined) return { fault };
    const bytes = tree.read(file);
    const hash = createHash('sha256').update(bytes).digest('hex');
    if (!hashes.has(file)) hashes.set(file, hash);
    return { bytes, hash };
  };
  const read = (file: string): Got => {
    const got = ahead.get(file) ?? open(file);
    ahead.delete(file);
    return got;
  };
  return {
    read,
    parse: (file) => {
      const got = read(file);
      return 'fault' in got ? got : { yaml: readYaml(got.bytes, got.hash, readings) };
    },
    hash: (file) => {
      const got = ahead.get(file) ?? open(file);
      ahead.set(file, got);
      return 'hash' in got ? got.hash : undefined;
    },
    files: () => [...hashes.keys()],
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
