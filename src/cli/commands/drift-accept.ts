import { realpathSync } from 'node:fs';
import { accept } from '../../engine/accepting/accept.ts';
import type { Amendment } from '../../engine/accepting/proof.ts';
import { type Wanted, wantedBy } from '../../engine/accepting/wanted.ts';
import type { Target } from '../../engine/desired/configuration.ts';
import type { Declaration } from '../../engine/desired/declaration.ts';
import { nearestName } from '../../engine/desired/nearest.ts';
import { driftOf } from '../../engine/drift.ts';
import { matchesGlob } from '../../engine/globs.ts';
import { NOTHING_ALLOWED } from '../../engine/guard.ts';
import type { Reconciled } from '../../engine/reconcile.ts';
import { kinds } from '../../kinds/kinds.ts';
import type { Acceptance } from '../../model/acceptance.ts';
import type { Effect } from '../../model/change.ts';
import { diffText, unifiedDiff } from '../../report/text-diff.ts';
import { complainOfFaults, planTarget, withAccount } from '../account.ts';
import { writeAmended } from '../amend.ts';
import { EXIT, type Exit, Stop } from '../exit.ts';
import type { Io } from '../io.ts';
import { openedLedger, remembered } from '../memory.ts';
import type { TargetOptions } from '../options.ts';
import { listed, warn } from '../output.ts';
import { prepared } from '../prepared.ts';
import { oneTarget, type Session } from '../session.ts';
import { forEachTarget } from './for-each-target.ts';

/** Flags of `drift accept`. */
export interface AcceptOptions extends TargetOptions {
  readonly dryRun?: true | undefined;
  readonly shared?: true | undefined;
  readonly allow?: 'loosening' | undefined;
}

/** `drift accept ADDRESS..`: writes what was edited by hand into the YAML that declares it, and nothing else. */
export function driftAccept(commandIo: Io, addresses: readonly string[], options: AcceptOptions): Promise<Exit> {
  return forEachTarget(
    commandIo,
    options,
    {
      prepare: async (run) => {
        const ready = await prepared(run, undefined);
        refuseUndeclared(addresses, ready.configuration.declaration);
        return ready;
      },
      async work({ session, target, io, reports }, { configuration, credentials }) {
        const before = await remembered(session, target, io, await openedLedger(session, target, io), undefined);
        return withAccount(target, credentials, io, options, async (account) => {
          const planning = { configuration, remembered: before, allowed: NOTHING_ALLOWED, checks: false };
          const { reconciled } = await planTarget(session, target, account, io, { only: addresses }, planning);
          const incomplete = complainOfFaults(io, reconciled.faults);
          if (incomplete.length > 0) return incomplete;
          const acceptance = await acceptSteps(io, session, target, reconciled, options);
          if (options.dryRun && options.format === 'text') io.stdout.write(diffText(acceptance.files.map(({ diff }) => diff)));
          else reports.add({ type: 'acceptance', acceptance });
          return [];
        });
      },
    },
    (session) => [oneTarget(session, options.target, 'drift is accepted from one account at a time')],
  );
}

/** @throws Stop where an address is not declared */
function refuseUndeclared(addresses: readonly string[], { resources }: Declaration): void {
  const unknown = addresses.find((glob) => !resources.some(({ address }) => matchesGlob(glob, address)));
  if (unknown === undefined) return;
  const near = nearestName(
    unknown,
    resources.map(({ address }) => address),
  );
  const hint = near === undefined ? '`upkeep export` writes down what nobody declares' : `did you mean ${near}?`;
  throw new Stop(EXIT.invalid, 'not-declared', `${unknown} is not declared, so no file says anything that could be changed`, hint);
}

/** @throws Stop where something cannot be accepted, or a file cannot be written; nothing is written then */
async function acceptSteps(
  io: Io,
  session: Session,
  target: Target,
  reconciled: Pick<Reconciled, 'plan' | 'steps'>,
  { dryRun, shared, allow }: Pick<AcceptOptions, 'dryRun' | 'shared' | 'allow'>,
): Promise<Acceptance> {
  const effects = new Map(driftOf(reconciled).changes.map(({ address, effect }) => [address, effect]));
  const wanted = reconciled.steps.map((step) => {
    const { address } = step.change;
    return { address, effect: effects.get(address) ?? ('neutral' as const), ...undoubted(wantedBy(step)) };
  });
  const asked = wanted.flatMap((each) => each.asked ?? []);
  if (target.loosening === 'hold' && allow !== 'loosening') refuseLoosening(wanted.filter((each) => each.asked));
  const pending = wanted.filter((each) => each.pending.length > 0).map(({ address, pending: fields }) => ({ address, fields }));
  const about = { schemaVersion: 1, target: target.name, pending } as const;
  if (asked.length === 0) return { ...about, written: false, accepted: [], shared: [], files: [] };
  const { tree, project, parsed } = session;
  const found = accept({ tree, project, target, kinds, parsed }, asked, io.now());
  if ('refusals' in found) {
    const summary = `nothing was written: ${listed(found.refusals.map((refusal) => refusal.summary))}`;
    throw new Stop(EXIT.invalid, 'not-acceptable', summary, 'see what is listed', found.refusals);
  }
  const { amendments, others } = found;
  if (others.length > 0 && !shared) throw sharedBy(others, amendments);
  refuseSecrets(io, amendments);
  if (others.length > 0) warn(io, `these targets declare the same values, and change too: ${others.join(', ')}`, '');
  if (!dryRun) await writeAmended(realpathSync(session.folder), amendments);
  return {
    ...about,
    written: !dryRun,
    accepted: wanted.flatMap(({ address, effect, asked: each, fields }) =>
      each ? [{ address, result: each.live ? ('updated' as const) : ('removed' as const), effect, fields }] : [],
    ),
    shared: others,
    files: amendments.map(({ file, lines, ...texts }) => ({
      file,
      lines,
      diff: unifiedDiff(file, textOf(texts.before), textOf(texts.after)),
    })),
  };
}

/** @throws Stop where nobody may ask */
function undoubted(wanted: Wanted): Exclude<Wanted, { readonly doubt: string }> {
  if (!('doubt' in wanted)) return wanted;
  const { doubt, hint, isHeld } = wanted;
  throw new Stop(isHeld ? EXIT.held : EXIT.invalid, isHeld ? 'held' : 'not-acceptable', `nothing was written: ${doubt}`, hint);
}

/** Once the repository says the same, no plan shows any more that protection was loosened: this is where it is held. @throws Stop */
function refuseLoosening(wanted: readonly { readonly address: string; readonly effect: Effect }[]): void {
  const loosened = wanted.filter(({ effect }) => effect === 'loosens').map(({ address }) => address);
  if (loosened.length === 0) return;
  const summary = `nothing was written: the edits by hand loosen protection: ${listed(loosened)}`;
  const hint =
    'take them back with an apply, or accept them with --allow loosening; the commit that you review is all that tells of them then';
  throw new Stop(EXIT.held, 'held', summary, hint);
}

function sharedBy(others: readonly string[], amendments: readonly Amendment[]): Stop {
  const places = amendments.map(({ file, lines }) => `${file}:${lines[0] ?? 1}`);
  const summary = `nothing was written: ${places.join(', ')} is read by other targets too, which would change: ${others.join(', ')}`;
  return new Stop(
    EXIT.invalid,
    'shared-source',
    summary,
    'write the value into a later source of this target alone, or accept it for all with --shared',
  );
}

/** What is committed must not repeat a credential. @throws Stop */
function refuseSecrets(io: Io, amendments: readonly Amendment[]): void {
  const tells = (bytes: Uint8Array) => io.secrets.hidden(textOf(bytes)) !== textOf(bytes);
  const telling = amendments.filter(({ before, after }) => tells(after) && !tells(before)).map(({ file }) => file);
  if (telling.length === 0) return;
  const summary = `nothing was written: a text of the account repeats its owner or its API key, which would come into ${telling.join(', ')}`;
  throw new Stop(EXIT.invalid, 'secret', summary, 'change the text in the account');
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
