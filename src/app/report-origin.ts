/** The location of the files that a report names, for the formats of CI systems (design section 5, JSON: `file`). */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { findProject } from '../config/project-files.ts';
import type { ReportOrigin } from '../report/index.ts';
import type { CliContext } from './runtime.ts';
import { VERSION } from './version.ts';

/** Returns the origin of a run's reports. Outside git, and without upkeep.yaml, paths are relative to the folder of upkeep.yaml. */
export function reportOriginOf({ cwd, argv: [command = ''] }: Pick<CliContext, 'cwd' | 'argv'>, project: string | undefined): ReportOrigin {
  const found = findProject(cwd, project === undefined ? undefined : resolve(cwd, project));
  if (found === null) return { command, version: VERSION, folder: '', project: 'upkeep.yaml' };
  const folder = realpathSync(dirname(found));
  const path = relative(topOf(folder) ?? folder, folder);
  return { command, version: VERSION, folder: path === '' ? '' : `${path.split(sep).join('/')}/`, project: basename(found) };
}

/** Returns the root of the work tree that contains a folder: `.git` is a folder there, or a file in linked work trees. */
function topOf(folder: string): string | null {
  if (existsSync(join(folder, '.git'))) return folder;
  const above = dirname(folder);
  return above === folder ? null : topOf(above);
}
