import { realpathSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { DesiredState } from '../../core/config/desired-state.ts';
import { loadDesiredState } from '../../core/config/load-desired-state.ts';
import { loadProject } from '../../core/config/load-project.ts';
import type { Project, Target } from '../../core/config/project.ts';
import { diskFiles, findProjectFile } from '../../core/config/project-folder.ts';
import type { ParseCache } from '../../core/config/yaml/parse.ts';
import { EXIT_CODES } from '../../core/model/exit-codes.ts';
import { countFindings, type Finding } from '../../core/model/finding.ts';
import { matchesGlob } from '../../core/model/glob.ts';
import { dayOf } from '../../core/model/instant.ts';
import type { ProjectFiles } from '../../core/model/project-files.ts';
import { CliError } from './exit-codes.ts';
import type { ProjectOptions } from './options.ts';
import type { AppContext } from './runtime.ts';
import { sourceModel } from './source-model.ts';
import { unusedRules } from './unused-rules.ts';

/** The project that a command works on. */
export interface OpenProject {
  /** Folder of upkeep.yaml, absolute. */
  readonly folder: string;
  /** The day of the run, UTC, by which entries of `rules` expire. */
  readonly today: string;
  /** `--project`, as it was given. */
  readonly projectOption: string | undefined;
  /** With `--trust-from`: the top of the work tree, whose files the trusted settings do not lead to; else null. */
  readonly untrustedFolder: string | null;
  readonly files: ProjectFiles;
  /** The files of the work tree that were read so far: absolute paths without links. */
  readonly read: ReadonlySet<string>;
  /** The same files by their paths below the folder, as they are named. */
  readonly names: ReadonlySet<string>;
  /** The parsed sources of this run, so that equal files, in several targets and at several commits, are parsed once. */
  readonly parseCache: ParseCache;
  readonly project: Project;
  /** Returns the findings of upkeep.yaml itself that a report on a target has: warnings only. */
  readonly findingsOf: (target: Target) => readonly Finding[];
}

/** Finds and reads upkeep.yaml. @throws CliError */
export function openProject(io: AppContext, options: Pick<ProjectOptions, 'project'>): OpenProject {
  const found = findProjectFile(io.cwd, options.project === undefined ? undefined : resolve(io.cwd, options.project));
  if (found === null) {
    const where = options.project ?? `${io.cwd} or above it`;
    throw new CliError(EXIT_CODES.invalid, 'no-project', `no upkeep.yaml in ${where}`, 'name it with --project, or change to its folder');
  }
  const folder = dirname(found);
  const today = dayOf(io.now());
  const reads = recordReads(folder, diskFiles(folder), new Set(), new Set());
  const { project, findings } = loadProject(reads.files, today, basename(found));
  if (!project || hasError(findings)) throw invalidConfiguration(findings);
  return {
    folder,
    today,
    projectOption: options.project,
    untrustedFolder: null,
    ...reads,
    parseCache: new Map(),
    project,
    findingsOf: () => findings,
  };
}

/** Creates the session of one of several targets, which records the files that this target reads; the whole session records them, too. */
export function ownSession(session: OpenProject): OpenProject {
  return withFiles(session, session.files);
}

/** Creates a session that reads these files, and records what it reads beside what was read before. */
export function withFiles(session: OpenProject, files: ProjectFiles): OpenProject {
  return { ...session, ...recordReads(session.folder, files, new Set(session.read), new Set(session.names)) };
}

/** Returns the files, and the sets to which it adds each file that is read: its absolute path without links, and its path as named. */
function recordReads(
  folder: string,
  files: ProjectFiles,
  read: Set<string>,
  names: Set<string>,
): Pick<OpenProject, 'files' | 'read' | 'names'> {
  const root = realpathSync(folder);
  const recording: ProjectFiles = {
    ...files,
    read(path) {
      read.add(resolve(root, files.resolve?.(path) ?? path));
      names.add(path);
      return files.read(path);
    },
  };
  return { files: recording, read, names };
}

/** Returns the targets that `--target` names; without it the only one. @throws CliError */
export function chosenTargets(session: OpenProject, globs: readonly string[]): readonly Target[] {
  if (globs.length === 0 && session.project.targets.length > 1) {
    throw new CliError(EXIT_CODES.invalid, 'no-target', 'there are several targets, and --target names none', knownTargets(session));
  }
  return namedTargets(session, globs);
}

/** Returns the single target of a command; `why` is the message if there are several. @throws CliError */
export function oneTarget(session: OpenProject, globs: readonly string[], why: string): Target {
  const [target, other] = chosenTargets(session, globs);
  if (target && !other) return target;
  throw new CliError(EXIT_CODES.invalid, 'one-target', why, 'name one target with --target');
}

/** Returns the targets that `--target` names, in the order of upkeep.yaml; without it all of them. @throws CliError */
export function namedTargets(session: OpenProject, globs: readonly string[]): readonly Target[] {
  const { targets } = session.project;
  const unmatched = globs.find((glob) => !targets.some((target) => matchesGlob(glob, target.name)));
  if (unmatched !== undefined)
    throw new CliError(EXIT_CODES.invalid, 'unknown-target', `--target ${unmatched} matches no target`, knownTargets(session));
  return targets.filter((target) => globs.length === 0 || globs.some((glob) => matchesGlob(glob, target.name)));
}

function knownTargets({ project: { targets } }: OpenProject): string {
  return `${targets.length === 1 ? 'the only target is' : 'the targets are'} ${targets.map((target) => target.name).join(', ')}`;
}

/** Loads the desired state of a target, with the findings of upkeep.yaml. */
export function desiredStateOf(session: OpenProject, target: Target): DesiredState {
  const { files, parseCache, project, findingsOf } = session;
  const desiredState = loadDesiredState(files, project, target, sourceModel, parseCache);
  const findings = [...findingsOf(target), ...desiredState.findings];
  const unused = hasError(findings) ? [] : unusedRules(session, desiredState, findings, ({ needs }) => needs === undefined);
  return { ...desiredState, findings: [...findings, ...unused] };
}

/** Loads the desired state of a target. @throws CliError if it has errors */
export function validDesiredStateOf(session: OpenProject, target: Target): DesiredState {
  const desiredState = desiredStateOf(session, target);
  if (hasError(desiredState.findings)) throw invalidConfiguration(desiredState.findings);
  return desiredState;
}

/** Decides whether the findings include an error, which forbids any request. */
export function hasError(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.severity === 'error');
}

/** Returns the error of a configuration that is not valid. */
export function invalidConfiguration(findings: readonly Finding[]): CliError {
  const errors = countFindings(findings, 'error');
  const summary = `the configuration has ${errors} ${errors === 1 ? 'error' : 'errors'}`;
  return new CliError(EXIT_CODES.invalid, 'invalid-configuration', summary, 'fix the errors listed; no request was sent', findings);
}
