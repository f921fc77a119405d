/** Files of a commit that git has not checked out: a sparse checkout must not look like a deleted declaration (design section 4, rule 13). */
import { posix } from 'node:path';
import type { ProjectFiles } from '../model/project-files.ts';

/** Returns the files of a work tree, in which these paths are listed and of the type `skipped` where they are not on disk. */
export function withSkippedFiles(files: ProjectFiles, skipped: readonly string[]): ProjectFiles {
  if (skipped.length === 0) return files;
  const namesByFolder = new Map<string, Set<string>>();
  for (const path of skipped) {
    for (let child = path; child !== '.'; child = posix.dirname(child)) {
      const folder = posix.dirname(child);
      namesByFolder.set(folder, (namesByFolder.get(folder) ?? new Set()).add(posix.basename(child)));
    }
  }
  const isSkipped = new Set(skipped);
  const onDisk = (folder: string): readonly string[] => (files.typeOf(folder) === 'folder' ? files.list(folder) : []);
  return {
    ...files,
    typeOf(path) {
      const type = files.typeOf(path);
      if (type !== 'missing') return type;
      const normal = posix.normalize(path).replace(/(?<=.)\/$/, '');
      return isSkipped.has(normal) ? 'skipped' : namesByFolder.has(normal) ? 'folder' : type;
    },
    resolve: (path) => (files.typeOf(path) === 'missing' ? posix.normalize(path) : (files.resolve?.(path) ?? path)),
    list: (folder) => [...new Set([...onDisk(folder), ...(namesByFolder.get(folder) ?? [])])],
  };
}
