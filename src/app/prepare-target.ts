import type { Credentials } from './credentials.ts';
import { type SelectedConfiguration, selectConfiguration } from './desired-state.ts';
import type { TargetRun } from './target-run.ts';

/** What a target needs before its account is spoken to. */
export interface PreparedTarget {
  readonly configuration: SelectedConfiguration;
  readonly credentials: Credentials;
}

/** Gets a target's configuration and credentials. @throws Stop, GitError */
export async function prepareTarget({ session, target, io, credentials }: TargetRun, ref: string | undefined): Promise<PreparedTarget> {
  return { configuration: await selectConfiguration(session, target, io, ref), credentials: await credentials() };
}
