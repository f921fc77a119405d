import type { Target } from '../config/project.ts';
import type { CliContext } from './runtime.ts';

/**
 * The environment for git and for credential commands: the user's own, without the variables from which any target takes a credential.
 * What is started inherits it in turn: a hook of a remote on this machine, an ssh command, a credential helper.
 */
export function childEnvironment({ env }: Pick<CliContext, 'env'>, targets: readonly Account[]): CliContext['env'] {
  const hidden = variablesOf(targets);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !hidden.has(name)));
}

type Account = Pick<Target, 'credentials'>;

/** The names of the variables from which these take credentials. */
function variablesOf(targets: readonly Account[]): Set<string> {
  const sources = targets.flatMap(({ credentials }) => [credentials.owner, credentials.apiKey]);
  return new Set(sources.flatMap((source) => ('env' in source ? [source.env] : [])));
}
