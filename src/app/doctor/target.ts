/** Checks whether a target could be planned and applied. */

import type { DesiredState } from '../../config/desired-state.ts';
import type { Target } from '../../config/project.ts';
import { countFindings } from '../../model/finding.ts';
import { CREDENTIAL_NAMES, type Credentials, credentialOf, describeSource } from '../credentials.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import type { NoiseOptions } from '../options.ts';
import { desiredStateOf, type OpenProject } from '../project.ts';
import type { AppContext } from '../runtime.ts';
import { probeFile, savedProbe } from '../saved-probe.ts';
import { checkAccount, skipAccountChecks } from './account.ts';
import { type CheckResult, failed, failedOnError, ok, skipped, warning } from './check.ts';
import { checkLedger } from './ledger.ts';

/** Makes all checks of a target; it continues after a failed check. @throws CliError when interrupted */
export async function examineTarget(
  session: OpenProject,
  target: Target,
  io: AppContext,
  options: NoiseOptions,
): Promise<readonly CheckResult[]> {
  const desiredState = desiredStateOf(session, target);
  const values: Partial<Record<keyof Credentials, string>> = {};
  const credentialChecks: CheckResult[] = [];
  for (const part of ['owner', 'apiKey'] as const) {
    const checks = await failedOnError(`credential ${CREDENTIAL_NAMES[part]}`, async () => {
      const value = await credentialOf(part, target, { io, folder: session.folder, project: session.project });
      values[part] = value;
      return [credentialCheck(part, target, value)];
    });
    credentialChecks.push(...checks);
  }
  const { owner, apiKey } = values;
  return [
    configurationCheck(desiredState),
    ...credentialChecks,
    ...(owner !== undefined && apiKey !== undefined
      ? await checkAccount(target, { owner, apiKey }, desiredState.managedSections, io, options)
      : skipAccountChecks('not asked: a credential is missing')),
    ...(await checkLedger(session, target, desiredState, io)),
    probeCheck(session.folder, target, io.now()),
  ];
}

function configurationCheck({ findings, resources }: DesiredState): CheckResult {
  const [errors, warnings] = [countFindings(findings, 'error'), countFindings(findings, 'warning')];
  const summary = [...countOf(errors, 'error'), ...countOf(warnings, 'warning')].join(', ');
  const remedy = '`upkeep validate` lists them, with their places';
  if (errors > 0) return failed('configuration', summary, remedy, EXIT_CODES.invalid);
  return findings.length > 0
    ? warning('configuration', summary, remedy)
    : ok('configuration', ['valid', ...countOf(resources.length, 'resource')].join(', '));
}

/** Formats a count, or nothing for 0. */
function countOf(number: number, noun: string): readonly string[] {
  return number === 0 ? [] : [`${number} ${noun}${number === 1 ? '' : 's'}`];
}

/** Checks the form of a credential: that of a user ID is known (api-notes section 1, point 1), that of a key is not. */
function credentialCheck(part: keyof Credentials, target: Target, value: string): CheckResult {
  const check = `credential ${CREDENTIAL_NAMES[part]}`;
  const { what } = describeSource(target.credentials[part]);
  if (part === 'apiKey' || /^[0-9a-f]{32}$/i.test(value)) return ok(check, `found: ${what}`);
  const remedy = 'check that it is the user ID, and that owner and api_key are not swapped';
  return warning(check, `found: ${what}, but a user ID has 32 hexadecimal characters`, remedy);
}

/** Age from which a probe is old, days. */
export const OLD_PROBE_DAYS = 90;

const DAY_MS = 86_400_000;

/** Checks whether it is known how the service of this account behaves. */
function probeCheck(folder: string, target: Target, now: number): CheckResult {
  const probe = savedProbe(folder, target);
  const file = probeFile(target);
  if (probe === null) return skipped('probe', `there is no ${file}: \`upkeep probe\` finds out how this service behaves`);
  if (probe === 'unusable') return warning('probe', `${file} cannot be read`, 'run `upkeep probe` again');
  const contradicted = probe.answers.filter(({ state }) => state === 'contradicted');
  const [first] = contradicted;
  const day = probe.at.slice(0, 10);
  if (first) {
    const more = contradicted.length === 1 ? '' : `, and ${contradicted.length - 1} more`;
    return warning(
      'probe',
      `of ${day}: ${contradicted.length} of the assumptions are contradicted`,
      `do not use upkeep for ${first.notFor}${more}`,
    );
  }
  const days = Math.floor((now - Date.parse(probe.at)) / DAY_MS);
  if (!(days < OLD_PROBE_DAYS)) return warning('probe', `${file} is ${days} days old`, 'run `upkeep probe` again: a service changes');
  const open = probe.answers.filter(({ state }) => state === 'not found out').length;
  return ok('probe', `of ${day}, by ${probe.steps.join(', ')}; ${open} of ${probe.answers.length} questions not found out`);
}
