import { realpathSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { DesiredState, ProjectFiles } from '../config/desired-state.ts';
import { loadDesiredState } from '../config/load-desired-state.ts';
import { loadProject } from '../config/load-project.ts';
import type { Project, Target } from '../config/project.ts';
import { diskTree, findProject } from '../config/project-files.ts';
import type { ParsedFiles } from '../config/yaml/parse.ts';
import { kinds } from '../kinds/index.ts';
import type { Finding } from '../model/finding.ts';
import { matchesGlob } from '../model/glob.ts';
import { CliError, EXIT_CODES } from './exit-codes.ts';
import type { ProjectOptions } from './options.ts';
import type { CliContext } from './runtime.ts';

/** The project that a command works on. */
export interface OpenProject {
  /** Folder of upkeep.yaml, absolute. */
  readonly folder: string;
  readonly tree: ProjectFiles;
  /** The files of the work tree that were read so far: absolute, behind all links. */
  readonly read: ReadonlySet<string>;
  /** What the sources were parsed to in this run, so that equal files, in several targets and at several commits, are parsed once. */
  readonly parsed: ParsedFiles;
  readonly project: Project;
  /** Findings of upkeep.yaml itself: warnings only. */
  readonly findings: readonly Finding[];
}

/** Finds and reads upkeep.yaml. @throws Stop */
export function openProject(io: CliContext, options: Pick<ProjectOptions, 'project'>): OpenProject {
  const found = findProject(io.cwd, options.project === undefined ? undefined : resolve(io.cwd, options.project));
  if (found === null) {
    const where = options.project ?? `${io.cwd} or above it`;
    throw new CliError(EXIT_CODES.invalid, 'no-project', `no upkeep.yaml in ${where}`, 'name it with --project, or change to its folder');
  }
  const folder = dirname(found);
  const read = new Set<string>();
  const tree = noting(diskTree(folder), (path) => read.add(resolve(realpathSync(folder), path)));
  const { project, findings } = loadProject(tree, basename(found));
  if (!project || hasError(findings)) throw invalid(findings);
  return { folder, tree, read, parsed: new Map(), project, findings };
}

/** Creates the session of one of several targets, which notes the files that this target reads; the whole session notes them too. */
export function ownSession(session: OpenProject): OpenProject {
  const read = new Set(session.read);
  return { ...session, read, tree: noting(session.tree, (path) => read.add(resolve(realpathSync(session.folder), path))) };
}

/** The same tree, which tells the path behind all links of each file that is read. */
function noting(tree: ProjectFiles, note: (path: string) => void): ProjectFiles {
  return {
    ...tree,
    read(path) {
      note(tree.real?.(path) ?? path);
      return tree.read(path);
    },
  };
}

/** The targets that `--target` names; without it the only one. @throws Stop */
export function chosenTargets(session: OpenProject, globs: readonly string[]): readonly Target[] {
  if (globs.length === 0 && session.project.targets.length > 1) {
    throw new CliError(EXIT_CODES.invalid, 'no-target', 'there are several targets, and --target names none', known(session));
  }
  return namedTargets(session, globs);
}

/** The one target that a command is about; `why` says that it takes only one. @throws Stop */
export function oneTarget(session: OpenProject, globs: readonly string[], why: string): Target {
  const [target, other] = chosenTargets(session, globs);
  if (target && !other) return target;
  throw new CliError(EXIT_CODES.invalid, 'one-target', why, 'name one target with --target');
}

/** The targets that `--target` names, in the order of upkeep.yaml; without it all of them. @throws Stop */
export function namedTargets(session: OpenProject, globs: readonly string[]): readonly Target[] {
  const { targets } = session.project;
  const idle = globs.find((glob) => !targets.some((target) => matchesGlob(glob, target.name)));
  if (idle !== undefined) throw new CliError(EXIT_CODES.invalid, 'unknown-target', `--target ${idle} matches no target`, known(session));
  return targets.filter((target) => globs.length === 0 || globs.some((glob) => matchesGlob(glob, target.name)));
}

function known({ project }: OpenProject): string {
  return `the targets are ${project.targets.map((target) => target.name).join(', ')}`;
}

/** What the repository says of a target, with the findings of upkeep.yaml. */
export function desiredStateOf({ tree, parsed, project, findings }: OpenProject, target: Target): DesiredState {
  const declaration = loadDesiredState(tree, project, target, kinds, parsed);
  return { ...declaration, findings: [...findings, ...declaration.findings] };
}

/** The same, for commands that need it without a mistake. @throws Stop */
export function validDesiredStateOf(session: OpenProject, target: Target): DesiredState {
  const desiredState = desiredStateOf(session, target);
  if (hasError(desiredState.findings)) throw invalid(desiredState.findings);
  return desiredState;
}

/** Whether the findings forbid any request. */
export function hasError(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.severity === 'error');
}

function invalid(findings: readonly Finding[]): CliError {
  const errors = findings.filter((finding) => finding.severity === 'error').length;
  const summary = `the configuration has ${errors} ${errors === 1 ? 'error' : 'errors'}`;
  return new CliError(EXIT_CODES.invalid, 'invalid-configuration', summary, 'mend what is listed; no request was sent', findings);
}
