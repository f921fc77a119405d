import { type Credentials, credentialOf, describeSource, NAMES } from '../../app/credentials.ts';
import { checkAccount, skipAccountChecks } from '../../app/doctor/account.ts';
import { type CheckResult, failed, failedOnError, ok, warning } from '../../app/doctor/check.ts';
import { checkLedger } from '../../app/doctor/ledger.ts';
import { EXIT_CODES, type ExitCode } from '../../app/exit-codes.ts';
import { forEachTarget } from '../../app/for-each-target.ts';
import type { TargetOptions } from '../../app/options.ts';
import { desiredStateOf, namedTargets, type OpenProject } from '../../app/project.ts';
import type { CliContext } from '../../app/runtime.ts';
import type { DesiredState } from '../../config/desired-state.ts';
import type { Target } from '../../config/project.ts';

/**
 * Runs `doctor`: checks whether each selected target could be planned and applied. It writes nothing and continues after a failed check.
 */
export function doctor(commandIo: CliContext, options: TargetOptions): Promise<ExitCode> {
  return forEachTarget(
    commandIo,
    options,
    {
      prepare: async () => null,
      async work({ session, target, io, reports }) {
        const examined = await examine(session, target, io, options);
        const healthy = examined.every(({ state }) => state !== 'failed');
        const checks = examined.map(({ exit: _exit, ...check }) => check);
        reports.add({ type: 'diagnosis', diagnosis: { schemaVersion: 1, target: target.name, healthy, checks } });
        return examined.flatMap(({ exit }) => exit ?? []);
      },
    },
    (session) => namedTargets(session, options.target),
  );
}

async function examine(session: OpenProject, target: Target, io: CliContext, options: TargetOptions): Promise<readonly CheckResult[]> {
  const desiredState = desiredStateOf(session, target);
  const found: Partial<Record<keyof Credentials, string>> = {};
  const credentials: CheckResult[] = [];
  for (const part of ['owner', 'apiKey'] as const) {
    const checks = await failedOnError(`credential ${NAMES[part]}`, async () => {
      found[part] = await credentialOf(part, target, { io, folder: session.folder, project: session.project, timeoutMs: 30_000 });
      return [credentialCheck(part, target, found[part])];
    });
    credentials.push(...checks);
  }
  const { owner, apiKey } = found;
  const isReady = owner !== undefined && apiKey !== undefined;
  return [
    configuration(desiredState),
    ...credentials,
    ...(isReady
      ? await checkAccount(target, { owner, apiKey }, desiredState.managedSections, io, options)
      : skipAccountChecks('not asked: a credential is missing')),
    ...(await checkLedger(session, target, desiredState, io)),
  ];
}

function configuration({ findings, resources }: DesiredState): CheckResult {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.length - errors;
  const counts = [numbered(errors, 'error'), numbered(warnings, 'warning')].flat().join(', ');
  const list = '`upkeep validate` lists them, with their places';
  if (errors > 0) return failed('configuration', counts, list, EXIT_CODES.invalid);
  return findings.length > 0
    ? warning('configuration', counts, list)
    : ok('configuration', ['valid', ...numbered(resources.length, 'resource')].join(', '));
}

function numbered(number: number, noun: string): readonly string[] {
  return number === 0 ? [] : [`${number} ${noun}${number === 1 ? '' : 's'}`];
}

/** A user ID has a known form (api-notes section 1, point 1); a key has none. */
function credentialCheck(part: keyof Credentials, target: Target, value: string): CheckResult {
  const check = `credential ${NAMES[part]}`;
  const { what } = describeSource(target.credentials[part]);
  if (part === 'apiKey' || /^[0-9a-f]{32}$/i.test(value)) return ok(check, `found: ${what}`);
  const remedy = 'check that it is the user ID, and that owner and api_key are not swapped';
  return warning(check, `found: ${what}, but a user ID has 32 hexadecimal characters`, remedy);
}
