/** Checks whether a target could be planned and applied. */
import type { DesiredState } from '../../core/config/desired-state.ts';
import type { Target } from '../../core/config/project.ts';
import { localFolderFault } from '../../core/ledger/local-files.ts';
import { EXIT_CODES, type ExitCode } from '../../core/model/exit-codes.ts';
import { countFindings } from '../../core/model/finding.ts';
import { visible } from '../../report/escape.ts';
import {
  type Credentials,
  credentialsWith,
  describeSource,
  hasWritingPair,
  type Key,
  keyOf,
  type NamedCredential,
  namedCredentials,
  ownerOf,
  type Purpose,
} from '../account/credentials.ts';
import { localFolderOf } from '../history/work-tree.ts';
import type { NoiseOptions, TargetOptions } from '../run/options.ts';
import { desiredStateOf, namedTargets, type OpenProject } from '../run/project.ts';
import type { AppContext } from '../run/runtime.ts';
import { probeFile, savedProbe } from '../run/saved-probe.ts';
import { forEachTarget } from '../targets/for-each-target.ts';
import { checkAccount, checkWritingKey, skipAccountChecks } from './account.ts';
import { type CheckResult, failed, failedOnError, ok, skipped, warning } from './check.ts';
import { checkConditions } from './conditions.ts';
import { checkLedger } from './ledger.ts';

/** Makes all checks of a target; it continues after a failed check. @throws CliError when interrupted */
export async function examineTarget(
  session: OpenProject,
  target: Target,
  io: AppContext,
  options: NoiseOptions,
): Promise<readonly CheckResult[]> {
  const desiredState = desiredStateOf(session, target);
  const reading = await credentialChecks(session, target, 'read', io);
  const writing = hasWritingPair(target) ? await credentialChecks(session, target, 'write', io) : null;
  const { presentKeys } = desiredState;
  return [
    configurationCheck(desiredState),
    ...reading.checks,
    ...(writing?.checks ?? []),
    ...(reading.credentials
      ? await checkAccount(target, reading.credentials, presentKeys, io, options)
      : skipAccountChecks('not asked: a credential is missing')),
    ...(writing?.credentials
      ? await checkWritingKey(target, { reading: reading.credentials, writing: writing.credentials }, io, options)
      : []),
    ...(await checkLedger(session, target, desiredState, io)),
    ...(await failedOnError('conditions', () => checkConditions(session, target, io))),
    ...(await failedOnError('local files', async () => [localFilesCheck(await localFolderOf(session, target, io))])),
    probeCheck(session.folder, target, io.now()),
  ];
}

/** Checks whether an apply could remember what it does: it writes nothing to the account otherwise. A run that only reads can do without. */
function localFilesCheck(folder: string): CheckResult {
  const fault = localFolderFault(folder);
  if (fault === null) return ok('local files', 'an apply can write them');
  const remedy = 'make it writable for whoever applies; `plan` and `drift` work without it';
  return warning('local files', `no file can be written in ${folder} (${fault}), so that no apply can begin`, remedy);
}

/** Reads a pair of credentials and checks each of them; null where one is unusable. @throws CliError when interrupted */
async function credentialChecks(
  session: OpenProject,
  target: Target,
  purpose: Purpose,
  io: AppContext,
): Promise<{ readonly credentials: Credentials | null; readonly checks: readonly CheckResult[] }> {
  const { folder, untrustedFolder, project } = session;
  const context = { target, purpose, io, folder, untrustedFolder, project };
  const named = namedCredentials(target, purpose);
  let owner: string | undefined;
  let key: Key | undefined;
  const ownerChecks = await failedOnError(`credential ${named.owner.name}`, async () => {
    owner = await ownerOf(context);
    return [ownerCheck(named.owner, owner)];
  });
  const keyChecks = await failedOnError(`credential ${named.key.name}`, async () => {
    key = await keyOf(context);
    return [keyCheck(named.key, key, io.now())];
  });
  return { credentials: owner !== undefined && key ? credentialsWith(owner, key) : null, checks: [...ownerChecks, ...keyChecks] };
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

/** Checks the form of a user ID, which is known (api-notes section 1, point 1). */
function ownerCheck({ name, source }: NamedCredential, owner: string): CheckResult {
  const check = `credential ${name}`;
  const { what } = describeSource(source);
  if (/^[0-9a-f]{32}$/i.test(owner)) return ok(check, `found: ${what}`);
  const remedy = 'check that it is the user ID, and that owner and api_key are not swapped';
  return warning(check, `found: ${what}, but a user ID has 32 hexadecimal characters`, remedy);
}

/** Checks when a key ends, as far as the file of a scoped key says so. */
function keyCheck({ name, source }: NamedCredential, key: Key, now: number): CheckResult {
  const check = `credential ${name}`;
  const found = `found: ${describeSource(source).what}`;
  if ('apiKey' in key) return ok(check, found);
  const { endsAt, scopes } = key.scopedKey;
  const scopeText = `scopes: ${scopes.map(visible).join(', ')}`;
  if (endsAt === null) return ok(check, `${found}; ${scopeText}; when it ends is unknown: its file does not say`);
  const end = new Date(endsAt).toISOString();
  const remedy = 'make a new key, and put its file in the place of this one';
  if (endsAt <= now) return failed(check, `${found}, but the key ended at ${end}`, remedy, EXIT_CODES.credentials);
  const days = Math.floor((endsAt - now) / DAY_MS);
  const summary = `${found}; ${scopeText}; it ends at ${end}, in ${days} ${days === 1 ? 'day' : 'days'}`;
  return days < DAYS_TO_RENEW ? warning(check, summary, remedy) : ok(check, summary);
}

const DAY_MS = 86_400_000;
/** A key that ends earlier than that is worth a warning, days. */
const DAYS_TO_RENEW = 14;

/** Age from which a probe is old, days. */
export const OLD_PROBE_DAYS = 90;

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

/** Checks whether each target could be planned and applied, all by default. It writes nothing and continues after a failed check. */
export function doctorTargets(io: AppContext, options: TargetOptions): Promise<ExitCode> {
  return forEachTarget(
    io,
    options,
    {
      prepare: async () => null,
      async work({ session, target, io: targetIo, reports }) {
        const results = await examineTarget(session, target, targetIo, options);
        const healthy = results.every(({ state }) => state !== 'failed');
        const checks = results.map(({ exit: _exit, ...check }) => check);
        reports.add({ type: 'diagnosis', diagnosis: { schemaVersion: 1, target: target.name, healthy, checks } });
        return results.flatMap(({ exit }) => exit ?? []);
      },
    },
    (session) => namedTargets(session, options.target),
  );
}
