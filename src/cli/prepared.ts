import { type Configuration, configurationOf } from './configuration.ts';
import type { Credentials } from './credentials.ts';
import type { TargetRun } from './target-run.ts';

/** What a target needs before its account is spoken to. */
export interface Prepared {
  readonly configuration: Configuration;
  readonly credentials: Credentials;
}

/** Gets a target's configuration and credentials. @throws Stop, GitError */
export async function prepared({ session, target, io, credentials }: TargetRun, ref: string | undefined): Promise<Prepared> {
  return { configuration: await configurationOf(session, target, io, ref), credentials: await credentials() };
}
