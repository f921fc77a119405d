/** Reads the files of a run, which are YAML files and the text files that sources name, and computes their digest. */
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { DeclareServices, UnlocatedFinding } from '../kinds/kind.ts';
import { compareStrings } from '../model/finding.ts';
import type { Path } from '../model/json.ts';
import type { ProjectFiles } from '../model/project-files.ts';
import { type ParseCache, parseYamlCached, type YamlFile } from './yaml/parse.ts';
import { decodeText, MAX_BYTES } from './yaml/text.ts';

/** Why a file cannot be read: the code of a finding, and a part of its sentence. */
interface ReadError {
  readonly code: 'missing-file' | 'not-checked-out' | 'outside-project' | 'too-large' | 'file-ending';
  readonly reason: string;
}

/** Reads files of a project. */
export interface FileReader {
  /**
   * Reads the bytes of a file, or returns why it cannot be read. Does not read a file that is too large, or whose name has none of the
   * endings: a source cannot have other files shown. upkeep.yaml, which the user names, may have any.
   */
  read(file: string, endings?: readonly string[]): { readonly bytes: Uint8Array } | { readonly error: ReadError };
  /** Reads and parses a YAML file; equal bytes are parsed once. */
  parse(file: string): { readonly yaml: YamlFile } | { readonly error: ReadError };
  /** Returns `sha256:` and the hash of names and bytes of all files read so far, independent of their order. */
  digest(): string;
}

type ReadFile = { readonly bytes: Uint8Array; readonly hash: string } | { readonly error: ReadError };

/** Creates a reader over the files of a project. `parseCache` contains files that were parsed before. */
export function createFileReader(files: ProjectFiles, parseCache: ParseCache = new Map()): FileReader {
  const hashes = new Map<string, string>();
  const read = (file: string, endings?: readonly string[]): ReadFile => {
    const error = readErrorOf(files, file, endings);
    if (error !== undefined) return { error };
    const bytes = files.read(file);
    const hash = createHash('sha256').update(bytes).digest('hex');
    if (!hashes.has(file)) hashes.set(file, hash);
    return { bytes, hash };
  };
  return {
    read,
    parse: (file) => {
      if (isTestFile(file)) return { error: { code: 'file-ending', reason: 'a file with this ending holds tests, and is no source' } };
      const result = read(file, YAML_ENDINGS);
      return 'error' in result ? result : { yaml: parseYamlCached(result.bytes, result.hash, parseCache) };
    },
    digest: () => {
      const sorted = [...hashes].sort(([a], [b]) => compareStrings(a, b));
      return `sha256:${createHash('sha256').update(JSON.stringify(sorted)).digest('hex')}`;
    },
  };
}

/** Why a path that is no file cannot be read. */
const REASONS = { folder: 'it is a folder', special: 'it is not a regular file', missing: 'there is no such file' };

/** Decides whether a file holds tests. Such a file is never a source. */
export function isTestFile(file: string): boolean {
  return /\.test\.ya?ml$/.test(file);
}

/** Decides whether the name of a file is not UTF-8. Reading a folder puts U+FFFD for bytes that are not UTF-8. */
export function isUnreadableName(file: string): boolean {
  return file.includes('\ufffd');
}

function readErrorOf(files: ProjectFiles, file: string, endings: readonly string[] = ['']): ReadError | undefined {
  if (isUnreadableName(file)) return { code: 'missing-file', reason: 'its name is not UTF-8' };
  const type = files.typeOf(file);
  if (type === 'outside')
    return { code: 'outside-project', reason: 'it lies outside the project or in .git, or is reached through a link that leads there' };
  if (type === 'skipped')
    return {
      code: 'not-checked-out',
      reason: 'git has not checked it out (sparse checkout, or skip-worktree), although the commit has it',
    };
  if (type !== 'file') return { code: 'missing-file', reason: REASONS[type] };
  if (!endings.some((ending) => file.toLowerCase().endsWith(ending)))
    return { code: 'file-ending', reason: `its name does not end with ${endings.join(' or ')}` };
  return files.size(file) > MAX_BYTES ? { code: 'too-large', reason: `it is larger than ${MAX_BYTES / 1024 / 1024} MiB` } : undefined;
}

const YAML_ENDINGS: readonly string[] = ['.yaml', '.yml'];

/**
 * Returns a function that reads the text files (.txt) that sources name. Their names are relative to the source file that names them, which
 * `fileOf` returns for a path.
 */
export function textFileReader(reader: FileReader, fileOf: (path: Path) => string): DeclareServices['readText'] {
  return (path, name) => {
    const file = posix.isAbsolute(name) ? name : posix.join(posix.dirname(fileOf(path)), name);
    const result = reader.read(file, ['.txt']);
    if ('error' in result) return { error: unusableFile(path, name, result.error.code, result.error.reason) };
    const decoded = decodeText(result.bytes);
    if ('error' in decoded) return { error: unusableFile(path, name, 'not-text', `${decoded.error.reason} (line ${decoded.error.line})`) };
    return { file, text: decoded.text.replaceAll('\r\n', '\n') };
  };
}

function unusableFile(path: Path, name: string, code: string, reason: string): UnlocatedFinding {
  return {
    severity: 'error',
    code,
    summary: `\`${name}\` cannot be used: ${reason}`,
    hint: 'The path is relative to the folder of the source file that names it.',
    path,
  };
}
