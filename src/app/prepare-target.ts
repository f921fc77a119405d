import type { Credentials } from './credentials.ts';
import { type SelectedConfiguration, selectConfiguration } from './desired-state.ts';
import type { TargetRun } from './target-run.ts';

/** The inputs that a target needs before its first request. */
export interface PreparedTarget {
  readonly configuration: SelectedConfiguration;
  readonly credentials: Credentials;
}

/** Loads a target's configuration and credentials. @throws CliError, GitError */
export async function prepareTarget({ session, target, io, credentials }: TargetRun, ref: string | undefined): Promise<PreparedTarget> {
  return { configuration: await selectConfiguration(session, target, io, ref), credentials: await credentials() };
}
