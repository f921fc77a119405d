import type { Target } from '../../engine/desired/configuration.ts';
import type { Declaration } from '../../engine/desired/declaration.ts';
import { type Credentials, credentialOf, NAMES, told } from '../credentials.ts';
import { examineAccount, unexaminedAccount } from '../doctor/account.ts';
import { type Examined, failed, ok, orFailed, warning } from '../doctor/examined.ts';
import { examineLedger } from '../doctor/ledger.ts';
import { EXIT, type Exit } from '../exit.ts';
import type { Io } from '../io.ts';
import type { TargetOptions } from '../options.ts';
import { declarationOf, namedTargets, type Session } from '../session.ts';
import { forEachTarget } from './for-each-target.ts';

/** `doctor`: whether the set-up of each target, all or those that are named, would carry a run. Only looks, and looks on after a failure. */
export function doctor(commandIo: Io, options: TargetOptions): Promise<Exit> {
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

async function examine(session: Session, target: Target, io: Io, options: TargetOptions): Promise<readonly Examined[]> {
  const declaration = declarationOf(session, target);
  const found: Partial<Record<keyof Credentials, string>> = {};
  const credentials: Examined[] = [];
  for (const part of ['owner', 'apiKey'] as const) {
    const checks = await orFailed(`credential ${NAMES[part]}`, async () => {
      found[part] = await credentialOf(part, target, { io, folder: session.folder, project: session.project, timeoutMs: 30_000 });
      return [credentialCheck(part, target, found[part])];
    });
    credentials.push(...checks);
  }
  const { owner, apiKey } = found;
  const isReady = owner !== undefined && apiKey !== undefined;
  return [
    configuration(declaration),
    ...credentials,
    ...(isReady
      ? await examineAccount(target, { owner, apiKey }, declaration.present, io, options)
      : unexaminedAccount('not asked: a credential is missing')),
    ...(await examineLedger(session, target, declaration, io)),
  ];
}

function configuration({ findings, resources }: Declaration): Examined {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const doubts = findings.length - errors;
  const counts = [numbered(errors, 'error'), numbered(doubts, 'warning')].flat().join(', ');
  const list = '`upkeep validate` lists them, with their places';
  if (errors > 0) return failed('configuration', counts, list, EXIT.invalid);
  return findings.length > 0
    ? warning('configuration', counts, list)
    : ok('configuration', ['valid', ...numbered(resources.length, 'resource')].join(', '));
}

function numbered(number: number, noun: string): readonly string[] {
  return number === 0 ? [] : [`${number} ${noun}${number === 1 ? '' : 's'}`];
}

/** A user ID has a known form (facts.md section 1, point 1); a key has none. */
function credentialCheck(part: keyof Credentials, target: Target, value: string): Examined {
  const check = `credential ${NAMES[part]}`;
  const { what } = told(target.credentials[part]);
  if (part === 'apiKey' || /^[0-9a-f]{32}$/i.test(value)) return ok(check, `found: ${what}`);
  const remedy = 'check that it is the user ID, and that owner and api_key are not swapped';
  return warning(check, `found: ${what}, but a user ID has 32 hexadecimal characters`, remedy);
}
