/** Which configuration a run is about: the work tree's, or that of a commit, with today's account and brakes. */
import type { Target } from '../engine/desired/configuration.ts';
import type { Declaration } from '../engine/desired/declaration.ts';
import { declare } from '../engine/desired/declare.ts';
import { loadProject } from '../engine/desired/project.ts';
import { yieldToEventLoop } from '../engine/event-loop.ts';
import { kinds } from '../kinds/kinds.ts';
import { commitOf } from '../ledger/commits.ts';
import { openRepository, workTreeState } from '../ledger/git.ts';
import type { Remote } from '../ledger/remote.ts';
import { treeAt } from '../ledger/tree.ts';
import type { ConfigState } from '../model/plan.ts';
import { childEnvironment } from './child-environment.ts';
import { EXIT, Stop } from './exit.ts';
import type { Io } from './io.ts';
import { hasError, type Session, validDeclarationOf } from './session.ts';

/** A target's configuration and where it comes from. */
export interface Configuration {
  readonly declaration: Declaration;
  /** Null outside git. */
  readonly state: ConfigState | null;
  /** Whether it is that of a named commit (`--ref`). */
  readonly goesBack: boolean;
}

/** The configuration of a target in the work tree, or with `--ref` at that commit. @throws Stop, GitError */
export async function configurationOf(session: Session, target: Target, io: Io, ref: string | undefined): Promise<Configuration> {
  if (ref !== undefined) {
    const at = await remoteOf(session, target, io);
    const commit = await commitOf(at, ref);
    const declaration = await declarationAt(session, target, at, commit);
    if (typeof declaration === 'string')
      throw new Stop(EXIT.invalid, 'ref', `the configuration at ${ref} cannot be used: ${declaration}`, 'name another commit');
    return { declaration, state: { commit, dirty: false, digest: declaration.digest }, goesBack: true };
  }
  // Loading is one stretch of work: other targets of the run have their turn before and after it.
  await yieldToEventLoop();
  const declaration = validDeclarationOf(session, target);
  await yieldToEventLoop();
  const state = await workTreeState(session.folder, childEnvironment(io, session.project.targets), session.read);
  return { declaration, state: state && { ...state, digest: declaration.digest }, goesBack: false };
}

/** The remote that a target's ledger lives on. @throws GitError */
export async function remoteOf(session: Session, target: Target, io: Io): Promise<Remote> {
  return { repository: await openRepository(session.folder, childEnvironment(io, session.project.targets)), remote: target.remote };
}

/**
 * What the configuration at a commit declares, by its own upkeep.yaml, sources and variables; account and brakes are today's.
 * A text says why it cannot be used. @throws GitError
 */
export async function declarationAt(session: Session, target: Target, at: Remote, commit: string): Promise<Declaration | string> {
  const tree = await treeAt(at, commit);
  await yieldToEventLoop();
  const { project, findings } = loadProject(tree, session.project.file);
  if (!project || hasError(findings)) return `its ${session.project.file} is not valid for this version of upkeep`;
  const then = project.targets.find((each) => each.name === target.name);
  if (!then) return `it has no target ${target.name}`;
  const declaration = declare(tree, project, { ...target, sources: then.sources, vars: then.vars }, kinds, session.parsed);
  const [mistake] = declaration.findings.filter((finding) => finding.severity === 'error');
  return mistake ? `${mistake.file}:${mistake.line}: ${mistake.summary}` : declaration;
}
