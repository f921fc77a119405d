/**
 * The files of a project: a folder on disk, or the same folder at a git commit. Paths are relative to the folder of upkeep.yaml, with `/`.
 * Methods throw where the file system or git fails.
 */
export interface ProjectFiles {
  /**
   * Returns the type of a path: `special` is a pipe, socket or device; `outside` is where the path, or a link in it, leaves the project or
   * leads to `.git`; `skipped` is a file of the commit that git has not checked out.
   */
  typeOf(path: string): 'file' | 'folder' | 'special' | 'missing' | 'outside' | 'skipped';
  /** Returns the names in a folder, unsorted. */
  list(folder: string): readonly string[];
  /** Returns the size of a file in bytes. */
  size(file: string): number;
  read(file: string): Uint8Array;
  /** Returns the path with all links resolved; absent where the files cannot contain links. */
  resolve?(path: string): string;
}
