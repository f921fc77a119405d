import type { Target } from '../engine/desired/configuration.ts';
import { type Configuration, configurationOf } from './configuration.ts';
import { type Credentials, credentialsOf } from './credentials.ts';
import type { Io } from './io.ts';
import type { Session } from './session.ts';

/** What a target needs before its account is spoken to. */
export interface Prepared {
  readonly configuration: Configuration;
  readonly credentials: Credentials;
}

/** Gets a target's configuration and credentials. @throws Stop, GitError */
export async function prepared(session: Session, target: Target, io: Io, ref: string | undefined): Promise<Prepared> {
  return { configuration: await configurationOf(session, target, io, ref), credentials: await credentialsOf(target, session, io) };
}
