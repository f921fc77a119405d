/** Where the files lie that a report speaks of, for the formats of CI systems (design section 5, JSON: `file`). */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { findProject } from '../config/project-files.ts';
import type { Site } from '../report/index.ts';
import type { CliContext } from './runtime.ts';
import { VERSION } from './version.ts';

/** The site of a run. Outside git, and where there is no upkeep.yaml, paths are those from the folder of upkeep.yaml. */
export function reportOriginOf({ cwd, argv: [command = ''] }: Pick<CliContext, 'cwd' | 'argv'>, project: string | undefined): Site {
  const found = findProject(cwd, project === undefined ? undefined : resolve(cwd, project));
  if (found === null) return { command, version: VERSION, folder: '', project: 'upkeep.yaml' };
  const folder = realpathSync(dirname(found));
  const path = relative(topOf(folder) ?? folder, folder);
  return { command, version: VERSION, folder: path === '' ? '' : `${path.split(sep).join('/')}/`, project: basename(found) };
}

/** The top of the work tree that a folder lies in: git keeps `.git` there, a folder or in other work trees a file. */
function topOf(folder: string): string | null {
  if (existsSync(join(folder, '.git'))) return folder;
  const above = dirname(folder);
  return above === folder ? null : topOf(above);
}
