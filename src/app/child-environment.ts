import type { Target } from '../config/project.ts';
import type { CliContext } from './runtime.ts';

/**
 * Returns the environment for git and credential commands: the user's own, without the variables that hold credentials of any target.
 * Child processes of git (a hook of a local remote, an ssh command, a credential helper) inherit it, too.
 */
export function childEnvironment({ env }: Pick<CliContext, 'env'>, targets: readonly Account[]): CliContext['env'] {
  const hidden = variablesOf(targets);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !hidden.has(name)));
}

type Account = Pick<Target, 'credentials'>;

/** Returns the names of the environment variables that hold the credentials of these targets. */
function variablesOf(targets: readonly Account[]): Set<string> {
  const sources = targets.flatMap(({ credentials }) => [credentials.owner, credentials.apiKey]);
  return new Set(sources.flatMap((source) => ('env' in source ? [source.env] : [])));
}
