/** Compares the configurations of two commits: the plan of one against the other, without credentials and without the network. */
import { basename, join, resolve } from 'node:path';
import type { DesiredState } from '../core/config/desired-state.ts';
import { suggest } from '../core/config/did-you-mean.ts';
import { findingAt, markNewFindings } from '../core/config/findings.ts';
import { loadDesiredState } from '../core/config/load-desired-state.ts';
import { loadProject, positionsIn } from '../core/config/load-project.ts';
import type { Project, Target } from '../core/config/project.ts';
import { loweredSafeguards } from '../core/config/safeguards.ts';
import { actorOf } from '../core/ledger/actor.ts';
import { filesAt } from '../core/ledger/commit-files.ts';
import { localCommit } from '../core/ledger/commits.ts';
import { GitError } from '../core/ledger/errors.ts';
import { headCommit, type Repository } from '../core/ledger/repository.ts';
import { shellText } from '../core/model/command-line.ts';
import { EXIT_CODES, type ExitCode } from '../core/model/exit-codes.ts';
import { compareFindings, type Finding } from '../core/model/finding.ts';
import type { ConfigRevision, Plan } from '../core/model/plan.ts';
import type { ProjectFiles } from '../core/model/project-files.ts';
import { risksOf } from '../core/plan/risks.ts';
import type { TargetRun } from './account/target-run.ts';
import { planConfiguration, unknownBetween } from './configuration-plan.ts';
import { PROMOTED, promotedCommit } from './facts/promoted.ts';
import { guardRun } from './guard-run.ts';
import { differenceFindings, isOwnPath, topOf } from './history/trust-from.ts';
import { repositoryOf, workTreeState } from './history/work-tree.ts';
import { requireMatchedOnly } from './only.ts';
import { CliError, exitCodeOfPlan } from './run/exit-codes.ts';
import type { TargetOptions } from './run/options.ts';
import { hasError, invalidConfiguration, namedTargets, type OpenProject } from './run/project.ts';
import type { AppContext } from './run/runtime.ts';
import { sourceModel } from './run/source-model.ts';
import { forEachTarget } from './targets/for-each-target.ts';

/** Options of a comparison. */
export interface DiffOptions extends TargetOptions {
  /** The commit that stands in the place of the account; undefined = where the work branched off from `branch`. */
  readonly base?: string | undefined;
  /** The commit that is compared with it; undefined = the work tree, `promoted` = the one that `--ref promoted` of a plan names. */
  readonly head?: string | undefined;
  /** Address globs; empty = all. */
  readonly only: readonly string[];
  readonly detailedExitcode?: true | undefined;
  readonly requests?: true | undefined;
}

/** Compares two commits for all targets, or the named ones. It asks no service, and git fetches nothing. */
export function diffTargets(io: AppContext, options: DiffOptions): Promise<ExitCode> {
  // In a partial clone, git would fetch what it reads.
  const offline: AppContext = { ...io, env: { ...io.env, GIT_NO_LAZY_FETCH: '1' } };
  return forEachTarget(
    offline,
    options,
    {
      // What is promoted stands in the ledgers of the remote, for which git asks it.
      prepare: (run) => (options.head === PROMOTED ? preparePromoted(run, options) : prepareDiff(run, options)),
      async work(run, prepared) {
        if (prepared === null) return [];
        const { head, base, more } = prepared;
        const { project, target } = base;
        const headState = base.isUsable
          ? { ...head.state, findings: markNewFindings(head.state.findings, base.state.findings) }
          : head.state;
        const pair = { project, target, base: base.state, head: headState, config: head.config, only: options.only };
        // What a plan of the head would say.
        const planned = await planConfiguration({
          ...pair,
          run: await guardRun('plan', head.config, run.session, run.io),
          now: run.io.now(),
        });
        requireMatchedOnly(run, options, planned);
        const unknown = unknownBetween(base.state, head.state);
        const between = {
          base: {
            commit: base.commit,
            ...(base.isUsable ? {} : { unusable: true as const }),
            ...(base.isDiverged ? { diverged: true as const } : {}),
            ...(unknown.length === 0 ? {} : { unknown }),
          },
        };
        const plan: Plan = {
          ...planned.result.plan,
          ...between,
          risks: risksOf('plan', { ...planned.result.plan, ...between }),
          findings: [...planned.result.plan.findings, ...more].sort(compareFindings),
          run: { at: new Date(run.io.now()).toISOString(), ...actorOf(run.io.env), requests: 0, retries: 0 },
        };
        run.reports.add({ type: 'plan', plan }, { requests: options.requests === true });
        return options.detailedExitcode ? [exitCodeOfPlan(plan)] : [];
      },
    },
    (session) => namedTargets(session, options.target),
  );
}

/** The two sides of a comparison, and the findings beside those of the head. */
interface PreparedDiff {
  readonly head: { readonly state: DesiredState; readonly config: ConfigRevision | null };
  readonly base: Base & { readonly commit: string; readonly isDiverged: boolean };
  readonly more: readonly Finding[];
}

/** The base, with the settings that count for both sides. */
interface Base {
  readonly project: Project;
  readonly target: Target;
  readonly state: Pick<DesiredState, 'resources' | 'adopt' | 'presentKeys' | 'findings'>;
  /** Its files; null where its upkeep.yaml cannot be used, and that of the head counts. */
  readonly files: ProjectFiles | null;
  /** Whether its configuration could be loaded; if not, nothing stands in the place of the account. */
  readonly isUsable: boolean;
  readonly findings: readonly Finding[];
}

/** An upkeep.yaml and the files beside it. */
interface ProjectAt {
  readonly files: ProjectFiles;
  readonly project: Project;
  readonly findings: readonly Finding[];
}

/** Compares what is promoted to a target with what was last applied to it; null where nothing newer is. @throws CliError, GitError */
async function preparePromoted(run: TargetRun, options: DiffOptions): Promise<PreparedDiff | null> {
  const promoted = await promotedCommit(run);
  if (promoted === null) return null;
  return prepareDiff(run, { ...options, head: promoted.commit, base: options.base ?? promoted.last ?? undefined });
}

async function prepareDiff(
  { session, target: declared, io }: TargetRun,
  { base: baseRef, head: headRef }: DiffOptions,
): Promise<PreparedDiff> {
  const { file } = session.project;
  const repository = await openClone(session, io);
  if (!isOwnPath(pathAsNamed(session, io), topOf(session.folder, repository.prefix)))
    throw new CliError(
      EXIT_CODES.invalid,
      'linked-project',
      `a link of the work tree leads to ${file}`,
      'name the folder of upkeep.yaml by its own path: --project FOLDER',
    );
  const headAt = headRef === undefined ? await headHere(repository) : await commitHere(repository, headRef, declared.remote, '`--head`');
  const head = headRef === undefined ? workTree(session, declared) : await projectAt(session, repository, declared, headAt);
  const own = head.project.targets.find(({ name }) => name === declared.name);
  if (own === undefined)
    throw new CliError(
      EXIT_CODES.invalid,
      'unknown-target',
      `${file} at ${headAt.slice(0, 12)} has no target ${declared.name}`,
      'name another one with --target',
    );
  const commit = await baseOf(repository, own, headAt, baseRef);
  const base = await loadBase(session, repository, { ...head, target: own }, commit);
  const state = loadDesiredState(head.files, base.project, base.target, sourceModel, session.parseCache);
  const findings = [...head.findings, ...state.findings];
  if (hasError(findings)) throw invalidConfiguration(findings);
  const config = await revisionOf(session, declared, io, headRef === undefined ? null : headAt, state.digest);
  // Where upkeep.yaml of the base cannot be used, that of the head counts, and nothing differs.
  const lowered = loweredSafeguards(base.project, head.project, own.name, positionsIn(head.files, file));
  return {
    head: { state, config },
    // In a shallow clone, what is missing may lie between the two.
    base: { ...base, commit, isDiverged: !repository.shallow && !(await isContained(repository, commit, headAt)) },
    more: [
      ...head.findings,
      ...base.findings,
      ...(base.files === null ? [] : differenceFindings(head.files, base.files, file, commit.slice(0, 12))),
      ...lowered,
    ],
  };
}

/** Returns the path of upkeep.yaml as it was named, with its links. */
function pathAsNamed({ folder, project: { file }, projectOption }: OpenProject, { cwd }: AppContext): string {
  const named = resolve(cwd, projectOption ?? join(folder, file));
  return basename(named) === file ? named : join(named, file);
}

function workTree({ files, project, findingsOf }: OpenProject, target: Target): ProjectAt {
  return { files, project, findings: findingsOf(target) };
}

/** Returns the project at a commit that is here. @throws CliError if it is not valid */
async function projectAt(session: OpenProject, repository: Repository, { remote }: Target, commit: string): Promise<ProjectAt> {
  const files = await filesAt({ repository, remote }, commit);
  const { project, findings } = loadProject(files, session.today, session.project.file);
  if (!project || hasError(findings)) throw invalidConfiguration(findings);
  return { files, project, findings };
}

async function revisionOf(
  session: OpenProject,
  target: Target,
  io: AppContext,
  commit: string | null,
  digest: string,
): Promise<ConfigRevision | null> {
  if (commit !== null) return { commit, dirty: false, digest };
  const state = await workTreeState(session, target, io);
  return state && { commit: state.commit, dirty: state.differing.length > 0, digest };
}

/** Opens the repository. @throws CliError outside of one, GitError */
async function openClone(session: OpenProject, io: AppContext): Promise<Repository> {
  try {
    return await repositoryOf(session, io);
  } catch (error) {
    if (!(error instanceof GitError) || error.code !== 'no-repository') throw error;
    throw new CliError(
      EXIT_CODES.invalid,
      'no-repository',
      'diff compares commits, and this is no git repository',
      'run it inside a clone',
    );
  }
}

/** Decides whether a commit is one of those that another one contains, as far as this clone knows. @throws GitError */
async function isContained(repository: Repository, commit: string, head: string): Promise<boolean> {
  return (await repository.run(['rev-list', '--max-count=1', commit, `^${head}`])).length === 0;
}

/** Where short names are looked for. */
const REF_FOLDERS = ['refs/tags/', 'refs/heads/', 'refs/remotes/'];

/** Returns the commit that a ref or hash names in this clone; `named` says where the name stands. @throws CliError, GitError */
async function commitHere(repository: Repository, ref: string, remote: string, named: string): Promise<string> {
  const full = (await repository.run(['for-each-ref', '--format=%(refname)', '--', ...REF_FOLDERS.map((folder) => `${folder}${ref}`)]))
    .toString()
    .split('\n')
    .filter((name) => REF_FOLDERS.some((folder) => name === `${folder}${ref}`));
  if (full.length > 1)
    throw new CliError(
      EXIT_CODES.invalid,
      'ambiguous-commit',
      `${ref} of ${named} may be each of ${full.join(', ')}`,
      'write the full name that you mean',
    );
  const found = ref === '' ? null : await localCommit(repository, ref);
  if (found !== null) return found;
  const summary = `the commit ${ref === '' ? 'with an empty name' : ref} of ${named} is not in this clone`;
  throw new CliError(EXIT_CODES.invalid, 'unknown-commit', summary, await howToGet(repository, ref, remote));
}

/** Returns how to get a commit that is not here: the line that fetches a branch of the remote or a hash, else the nearest name. */
async function howToGet(repository: Repository, ref: string, remote: string): Promise<string> {
  const prefix = [`refs/remotes/${remote}/`, `${remote}/`].find((each) => ref.startsWith(each));
  const branch = prefix === undefined || /[~^:@{]|\.\./.test(ref) ? undefined : ref.slice(prefix.length);
  const hash = /^[0-9a-f]{40,64}$/.test(ref) ? ref : undefined;
  const refspec = branch === undefined ? hash : `+refs/heads/${branch}:refs/remotes/${remote}/${branch}`;
  if (refspec !== undefined && !(await isFetchedFrom(repository, remote)))
    return `diff fetches nothing: fetch it first, from the remote that you trust (\`remote\` in upkeep.yaml is none of this clone)`;
  if (refspec !== undefined) return `diff fetches nothing: fetch it first (${shellText(['git', 'fetch', remote, refspec])})`;
  const listed = await repository.run(['for-each-ref', '--format=%(refname:short)', 'refs/heads', 'refs/remotes', 'refs/tags']);
  const near = suggest(ref, listed.toString().split('\n'));
  return near === undefined ? 'git branch --all lists the branches that are here' : `did you mean ${near}?`;
}

/** Decides whether this clone has fetched from a remote. The name stands in upkeep.yaml, which may be that of a stranger, and may be an address. */
async function isFetchedFrom(repository: Repository, remote: string): Promise<boolean> {
  if (remote === 'origin') return true;
  return /^[\w.-]+$/.test(remote) && (await repository.run(['for-each-ref', '--count=1', '--', `refs/remotes/${remote}/`])).length > 0;
}

async function headHere(repository: Repository): Promise<string> {
  const commit = await headCommit(repository);
  if (commit !== null) return commit;
  throw new CliError(EXIT_CODES.invalid, 'unknown-commit', 'there is no commit yet', 'commit what is to be compared');
}

/** Returns the commit of `--base`, else where the head branched off from `branch` of the target, as far as this clone knows it. */
async function baseOf(repository: Repository, { name, remote, branch }: Target, head: string, ref: string | undefined): Promise<string> {
  if (ref !== undefined) return commitHere(repository, ref, remote, '`--base`');
  if (branch === null) {
    const summary = `the target ${name} has no \`branch\`, so that nothing says with which commit to compare`;
    const hint = `name it, for example --base refs/remotes/${remote}/main, or write \`branch: main\` into the target`;
    throw new CliError(EXIT_CODES.invalid, 'no-base', summary, hint);
  }
  const tip = await commitHere(repository, `refs/remotes/${remote}/${branch}`, remote, `\`branch\` of the target ${name}`);
  try {
    return (await repository.run(['merge-base', head, tip])).toString().trim();
  } catch (error) {
    // Without a common commit, git ends with an error code.
    if (!(error instanceof GitError) || error.code !== 'failed') throw error;
    const deepen = shellText(['git', 'fetch', '--unshallow', remote]);
    const hint = repository.shallow
      ? `this clone is shallow: fetch more of it (${deepen}), or name a commit with --base`
      : 'name a commit with --base';
    throw new CliError(EXIT_CODES.invalid, 'no-base', `the head has no commit in common with \`${branch}\` here`, hint);
  }
}

/** The head: its files, its project, and its target. */
interface Head extends ProjectAt {
  readonly target: Target;
}

/**
 * Loads the base, whose upkeep.yaml counts for both sides but for `sources` and `vars`. Where it cannot be used, nothing stands in the place
 * of the account, and a finding says why, with its place there.
 */
async function loadBase(session: OpenProject, repository: Repository, head: Head, commit: string): Promise<Base> {
  const { file } = session.project;
  const { sources, vars, remote, name } = head.target;
  const files = await filesAt({ repository, remote }, commit);
  const { project, findings } = loadProject(files, session.today, file);
  if (project === null || hasError(findings)) return withoutBase(head.project, head.target, null, commit, findings[0]);
  const settings = project.targets.find((each) => each.name === name);
  if (settings === undefined) {
    const summary = `${file} has no target ${name}`;
    return withoutBase(project, head.target, files, commit, findingAt({ file, line: 1, column: 1 }, { code: UNUSABLE_BASE, summary }));
  }
  const target = { ...settings, sources, vars };
  const state = loadDesiredState(files, project, settings, sourceModel, session.parseCache);
  const error = state.findings.find(({ severity }) => severity === 'error');
  return error === undefined
    ? { project, target, state, files, isUsable: true, findings: [] }
    : withoutBase(project, target, files, commit, error);
}

/** The code of the finding that says why a base cannot be used. */
const UNUSABLE_BASE = 'unusable-base';

function withoutBase(project: Project, target: Target, files: ProjectFiles | null, commit: string, reason: Finding | undefined): Base {
  const { file, line, column, summary } = reason ?? { file: project.file, line: 1, column: 1, summary: 'it cannot be read' };
  const finding = findingAt(
    { file, line, column },
    {
      severity: 'warning',
      code: UNUSABLE_BASE,
      summary: `the configuration at ${commit.slice(0, 12)} cannot be compared with: ${summary}`,
      hint: 'Everything is shown as if nothing had been declared before. The line is that of the base.',
    },
  );
  return { project, target, state: NOTHING_DECLARED, files, isUsable: false, findings: [finding] };
}

const NOTHING_DECLARED: Base['state'] = { resources: [], adopt: new Map(), presentKeys: new Set(), findings: [] };
