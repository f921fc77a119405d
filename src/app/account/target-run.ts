/** The run of one target of a command, with its own context. */

import type { Target } from '../../core/config/project.ts';
import { type OpenProject, ownSession } from '../run/project.ts';
import type { Reports } from '../run/reports.ts';
import type { AppContext } from '../run/runtime.ts';
import { type Credentials, credentialsOf, hasWritingPair, type Purpose } from './credentials.ts';

/** The reports that a target adds to. */
export type TargetReports = Pick<Reports, 'add' | 'show' | 'emit'>;

/** The inputs of a command for one target. */
export interface TargetRun {
  readonly session: OpenProject;
  readonly target: Target;
  readonly io: AppContext;
  readonly reports: TargetReports;
  /** Whether the command runs on no other target. */
  readonly isOnlyTarget: boolean;
  /** Returns the target's credentials for a purpose, by default for reading; their source is read only once. @throws CliError */
  credentials(purpose?: Purpose): Promise<Credentials>;
}

/** Creates the run for the only target of a command. */
export function targetRun(session: OpenProject, target: Target, io: AppContext, reports: TargetReports): TargetRun {
  const credentials: { [purpose in Purpose]?: Promise<Credentials> } = {};
  const observed = { ...io, telemetry: io.telemetry?.forTarget(target.name, io) };
  return {
    session,
    target,
    io: observed,
    reports,
    isOnlyTarget: true,
    credentials(purpose = 'read') {
      const own = purpose === 'write' && hasWritingPair(target) ? 'write' : 'read';
      credentials[own] ??= credentialsOf(target, session, observed, own);
      return credentials[own];
    },
  };
}

/**
 * Creates the run for one of several targets. It records its own read files and redacts its owner in its own output only; API keys and
 * tokens are redacted in the output of all targets.
 */
export function separateRun(session: OpenProject, target: Target, io: AppContext, reports: TargetReports): TargetRun {
  const secrets = io.secrets.forTarget();
  const stderr = { write: (text: string) => io.stderr.write(secrets.redact(text)) };
  const targetReports: TargetReports = {
    add: (document, options = {}) => reports.add(secrets.redactIn(document), secrets.redactIn(options)),
    show: (document, options = {}) => reports.show(secrets.redactIn(document), secrets.redactIn(options)),
    emit: (events) => reports.emit(secrets.redactIn(events)),
  };
  return { ...targetRun(ownSession(session), target, { ...io, stderr, secrets }, targetReports), isOnlyTarget: false };
}
