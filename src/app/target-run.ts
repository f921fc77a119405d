/** One target of a command: what it works on, and its own view of the outside world. */
import type { Target } from '../config/project.ts';
import { type Credentials, credentialsOf } from './credentials.ts';
import type { Reports } from './output.ts';
import { type OpenProject, ownSession } from './project.ts';
import type { CliContext } from './runtime.ts';

/** The reports that a target adds to. */
export type TargetReports = Pick<Reports, 'add' | 'show' | 'emit'>;

/** What a command is given for a target. */
export interface TargetRun {
  readonly session: OpenProject;
  readonly target: Target;
  readonly io: CliContext;
  readonly reports: TargetReports;
  /** Gets the target's credentials; where they come from is asked once, however often this is called. @throws Stop */
  credentials(): Promise<Credentials>;
}

/** Creates the run of the only target of a command. */
export function targetRun(session: OpenProject, target: Target, io: CliContext, reports: TargetReports): TargetRun {
  let found: Promise<Credentials> | undefined;
  const credentials = (): Promise<Credentials> => {
    found ??= credentialsOf(target, session, io);
    return found;
  };
  return { session, target, io, reports, credentials };
}

/**
 * Creates the run of one of several targets. It notes for itself which files it reads, and hides its owner in nothing but its own output:
 * API keys and tokens are hidden for the run as a whole.
 */
export function separateRun(session: OpenProject, target: Target, io: CliContext, reports: TargetReports): TargetRun {
  const secrets = io.secrets.forTarget();
  const stderr = { write: (text: string) => io.stderr.write(secrets.hidden(text)) };
  const own: TargetReports = {
    add: (document, look = {}) => reports.add(secrets.hiddenIn(document), secrets.hiddenIn(look)),
    show: (document, look = {}) => reports.show(secrets.hiddenIn(document), secrets.hiddenIn(look)),
    emit: (events) => reports.emit(secrets.hiddenIn(events)),
  };
  return targetRun(ownSession(session), target, { ...io, stderr, secrets }, own);
}
