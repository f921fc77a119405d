/**
 * Takes the settings of a project from another commit (`--trust-from`), so that a branch can change what is declared, but neither where
 * requests and credentials go nor what is checked (design section 4, rule 13).
 */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { findingAt } from '../../core/config/findings.ts';
import { loadProject, positionsIn } from '../../core/config/load-project.ts';
import type { Project, Target } from '../../core/config/project.ts';
import { loweredSafeguards } from '../../core/config/safeguards.ts';
import { parseYaml } from '../../core/config/yaml/parse.ts';
import { filesAt } from '../../core/ledger/commit-files.ts';
import { isFullName, localCommit } from '../../core/ledger/commits.ts';
import type { LedgerRemote } from '../../core/ledger/remote.ts';
import { headCommit, openRepository, type Repository } from '../../core/ledger/repository.ts';
import { EXIT_CODES } from '../../core/model/exit-codes.ts';
import type { Finding } from '../../core/model/finding.ts';
import { equal, isJsonObject, type Json } from '../../core/model/json.ts';
import type { ProjectFiles } from '../../core/model/project-files.ts';
import { CliError } from '../run/exit-codes.ts';
import { hasError, invalidConfiguration, type OpenProject, withFiles } from '../run/project.ts';
import type { AppContext } from '../run/runtime.ts';

/** What to do where the trusted commit does not have what the branch adds. */
const UNTRUSTED_HINT = 'settings are trusted once they are merged: merge upkeep.yaml first, and plan what it declares afterwards';

/** The remote from which a full commit is fetched where it is missing. */
const REMOTE = 'origin';

/**
 * The environment variables, in capitals, that git needs to read a commit and to fetch it; with those of git and ssh themselves. Credentials
 * of a target are not among them, whatever their names.
 */
const GIT_VARIABLES: readonly string[] = [
  ...['PATH', 'LD_LIBRARY_PATH', 'HOME', 'USER', 'LOGNAME', 'TMPDIR', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_RUNTIME_DIR'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'CURL_CA_BUNDLE', 'KRB5CCNAME'],
];

/**
 * Returns the session with the upkeep.yaml of another commit, but the `sources` and `vars` of the commit that is checked out, whose files
 * are those of the session. Warns where the two files differ in anything else. Targets that only the latter has are left out.
 * @throws CliError, GitError
 */
export async function withTrustedSettings(session: OpenProject, ref: string, io: AppContext): Promise<OpenProject> {
  const { file } = session.project;
  const repository = await openRepository(session.folder, untrustedEnvironment(io));
  const at = { repository, remote: REMOTE };
  const untrustedFolder = requireOwnPath(session, repository, io);
  await requireFullName(repository, ref);
  const files = await filesAt(at, await commitHere(repository, ref));
  const own = await filesOfBranch(session, at);
  if (files.typeOf(basename(file)) === 'missing')
    throw new CliError(EXIT_CODES.invalid, 'trust-from', `${file} does not exist at ${ref}`, UNTRUSTED_HINT);
  const { project: trusted, findings: trustedFindings } = loadProject(files, session.today, basename(file));
  if (!trusted || hasError(trustedFindings)) {
    const [first] = trustedFindings;
    const reason = first === undefined ? '' : `: ${first.summary} (line ${first.line})`;
    throw new CliError(
      EXIT_CODES.invalid,
      'trust-from',
      `${file} at ${ref} cannot be used${reason}`,
      'name a commit whose settings are valid',
    );
  }
  const targets = trusted.targets.flatMap((target) => {
    const declared = own.project.targets.find(({ name }) => name === target.name);
    return declared === undefined ? [] : [{ ...target, sources: declared.sources, vars: declared.vars }];
  });
  if (targets.length === 0)
    throw new CliError(EXIT_CODES.invalid, 'trust-from', `${file} has no target that it has at ${ref}`, UNTRUSTED_HINT);
  const omitted = trusted.targets.filter(({ name }) => !targets.some((target) => target.name === name));
  const project: Project = { ...trusted, targets, omitted };
  const general = [...own.findings, ...differenceFindings(own.files, files, file, ref)];
  const findingsOf = (target: Target) => [
    ...general,
    ...loweredSafeguards(trusted, own.project, target.name, positionsIn(own.files, file)),
  ];
  return { ...withFiles(session, own.files), untrustedFolder, project, findingsOf };
}

/** Returns the commit that a ref or hash names in this clone. A fetch would be the choice of whoever names it. @throws CliError, GitError */
async function commitHere(repository: Repository, ref: string): Promise<string> {
  const found = await localCommit(repository, ref);
  if (found !== null) return found;
  throw new CliError(
    EXIT_CODES.invalid,
    'trust-from',
    `the commit ${ref} is not in this clone`,
    `--trust-from fetches nothing: fetch it first (git fetch ${REMOTE} ${ref})`,
  );
}

/**
 * Returns the files of the commit that is checked out, and what its upkeep.yaml says: a branch is what it holds, and not what lies in its
 * work tree. @throws CliError, GitError
 */
async function filesOfBranch({ project: { file }, today }: OpenProject, at: LedgerRemote): Promise<ProjectAt> {
  const head = await headCommit(at.repository);
  if (head === null) throw new CliError(EXIT_CODES.invalid, 'trust-from', 'there is no commit yet', 'commit what is to be planned');
  const files = await filesAt(at, head);
  if (files.typeOf(file) === 'missing')
    throw new CliError(
      EXIT_CODES.invalid,
      'trust-from',
      `${file} is not committed`,
      `commit it: with --trust-from, what counts is the commit`,
    );
  const { project, findings } = loadProject(files, today, file);
  if (!project || hasError(findings)) throw invalidConfiguration(findings);
  return { files, project, findings };
}

/** The files of a commit, and the project that they declare. */
interface ProjectAt {
  readonly files: ProjectFiles;
  readonly project: Project;
  readonly findings: readonly Finding[];
}

/**
 * Returns the environment for git while no upkeep.yaml is trusted yet: that of the branch does not decide which variables hold secrets, so
 * that git gets those that it needs and no other.
 */
function untrustedEnvironment({ env }: AppContext): AppContext['env'] {
  const kept = Object.entries(env).filter(([name]) => /^(?:GIT|SSH)_/.test(name) || GIT_VARIABLES.includes(name.toUpperCase()));
  // In a partial clone, git would fetch what it reads.
  return { ...Object.fromEntries(kept), GIT_NO_LAZY_FETCH: '1' };
}

/**
 * Refuses everything but the full name of a branch and the whole hash of a commit: whoever can push a tag could otherwise choose which
 * commit a short name means. @throws CliError
 */
async function requireFullName(repository: Repository, ref: string): Promise<void> {
  if (isFullName(ref) && ref.length === repository.nameLength) return;
  const short = ref.replace(/^refs\/(?:heads|remotes)\//, '');
  const candidates = [`refs/remotes/${short}`, `refs/remotes/${REMOTE}/${short}`, `refs/heads/${short}`];
  const listed = (await repository.run(['for-each-ref', '--format=%(refname)', '--', ...candidates])).toString().split('\n');
  const full = candidates.filter((candidate) => listed.includes(candidate));
  if (full.includes(ref)) return;
  const [first] = full;
  const hint =
    first === undefined
      ? `fetch the branch whose settings are trusted first, and write its full name, for example --trust-from refs/remotes/${REMOTE}/main`
      : `write --trust-from ${full.join(' or --trust-from ')}`;
  throw new CliError(EXIT_CODES.invalid, 'trust-from', `${ref} is not the full name of a branch, nor the whole hash of a commit`, hint);
}

/**
 * Refuses an upkeep.yaml that was searched in the folders above, or lies behind a link of the work tree: the branch would choose whose
 * settings are trusted. Returns the top of the work tree. @throws CliError
 */
function requireOwnPath({ folder, project: { file }, projectOption }: OpenProject, { prefix }: Repository, io: AppContext): string {
  const top = topOf(folder, prefix);
  if (!isAbsolute(projectOption ?? '') && realpathSync(io.cwd) !== top)
    throw new CliError(
      EXIT_CODES.invalid,
      'trust-from',
      'with --trust-from, upkeep runs at the top of the work tree: a folder below it may be a link of the branch',
      `run it in ${top}, and name the folder of upkeep.yaml with --project`,
    );
  const named = resolve(top, projectOption ?? file);
  const path = projectOption === undefined || basename(named) === file ? named : join(named, file);
  if (isOwnPath(path, top)) return top;
  const summary = `with --trust-from, ${file} is not searched in the folders above, and no link of the work tree leads to it`;
  throw new CliError(EXIT_CODES.invalid, 'trust-from', summary, 'name the folder of upkeep.yaml by its own path: --project FOLDER');
}

/** Returns the top of the work tree, from a folder of it and the path from there to that folder. */
export function topOf(folder: string, prefix: string): string {
  const up = prefix
    .split('/')
    .filter(Boolean)
    .map(() => '..');
  return resolve(realpathSync(folder), ...up);
}

/** Decides whether no link of the work tree leads to a file: links above its top do not matter. */
export function isOwnPath(path: string, top: string): boolean {
  const inTree = belowTop(path, top);
  return inTree !== null && existsSync(path) && realpathSync(path) === join(top, inTree);
}

/** Returns the part of a path that lies below a folder, which is one of those above it; links above the folder do not matter. */
function belowTop(path: string, top: string): string | null {
  for (let above = dirname(path); ; above = dirname(above)) {
    if (existsSync(above) && realpathSync(above) === top) return relative(above, path);
    if (dirname(above) === above) return null;
  }
}

/** Returns a warning where upkeep.yaml differs from that at a trusted ref in more than `sources` and `vars`. */
export function differenceFindings(own: ProjectFiles, trusted: ProjectFiles, file: string, ref: string): readonly Finding[] {
  if (equal(settingsIn(own, file), settingsIn(trusted, file))) return [];
  const summary = `${file} differs from ${ref} in more than \`sources\` and \`vars\`; the settings at ${ref} count`;
  const hint = 'They take effect once they are merged. Review them with care: they say where requests go and what is checked.';
  return [findingAt({ file, line: 1, column: 1 }, { severity: 'warning', code: 'settings-not-trusted', summary, hint })];
}

/** Returns the content of upkeep.yaml without `sources` and `vars`. */
function settingsIn(files: ProjectFiles, file: string): Json {
  const [content] = parseYaml(files.read(file)).documents;
  if (!isJsonObject(content) || !isJsonObject(content.targets)) return content ?? null;
  const targets = Object.entries(content.targets).map(([name, target]) => [name, withoutSources(target)]);
  return { ...content, targets: Object.fromEntries(targets) };
}

function withoutSources(target: Json): Json {
  if (!isJsonObject(target)) return target;
  const { sources: _sources, vars: _vars, ...settings } = target;
  return settings;
}
