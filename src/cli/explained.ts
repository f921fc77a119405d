/** Why a resource is planned as it is: the road of `plan`, and of its end what concerns one address. */
import type { Target } from '../engine/desired/configuration.ts';
import type { Declaration } from '../engine/desired/declaration.ts';
import { nearestName } from '../engine/desired/nearest.ts';
import { NOTHING_ALLOWED } from '../engine/guard.ts';
import { recall } from '../engine/memory.ts';
import { recognisedBy } from '../engine/recognised.ts';
import type { Desired, Kind } from '../kinds/kind.ts';
import { kinds } from '../kinds/kinds.ts';
import type { AddressExplanation, IdentityRule, ValueOrigin } from '../model/explanation.ts';
import { isFields, type Json, type Path, pointer } from '../model/json.ts';
import { complainOfFaults, type Planned, planTarget, withAccount } from './account.ts';
import { forEachTarget } from './commands/for-each-target.ts';
import { EXIT, type Exit, Stop } from './exit.ts';
import type { Io } from './io.ts';
import { openedLedger, remembered } from './memory.ts';
import type { TargetOptions } from './options.ts';
import { prepared } from './prepared.ts';

/** `explain ADDRESS`. Writes nothing. */
export function explainAddress(commandIo: Io, address: string, options: TargetOptions): Promise<Exit> {
  const kind = kindOf(address);
  return forEachTarget(commandIo, options, {
    prepare: (run) => prepared(run, undefined),
    async work({ session, target, io, reports }, { configuration, credentials }) {
      const before = await remembered(session, target, io, await openedLedger(session, target, io), undefined);
      return withAccount(target, credentials, io, options, async (account) => {
        const planning = { configuration, remembered: before, allowed: NOTHING_ALLOWED, checks: false };
        const planned = await planTarget(session, target, account, io, { only: [address] }, planning);
        const incomplete = complainOfFaults(io, planned.reconciled.faults);
        reports.add({ type: 'address', address: explanationOf(target, address, kind, planned) });
        return incomplete;
      });
    },
  });
}

/** @throws Stop where no kind has such addresses */
function kindOf(address: string): Kind {
  const kind = kinds.find(({ singleton, addresses }) =>
    addresses.some((prefix) => (singleton ? address === prefix : address.startsWith(prefix))),
  );
  if (kind) return kind;
  const known = kinds.flatMap(({ addresses }) => addresses).join(', ');
  throw new Stop(EXIT.invalid, 'unknown-address', `${address} is no address`, `addresses begin with or are ${known}`);
}

/** @throws Stop where the address is neither declared nor live */
function explanationOf(target: Target, address: string, kind: Kind, planned: Planned): AddressExplanation {
  const { plan } = planned.reconciled;
  const { declaration } = planned.run;
  const desired = declaration.resources.find((each) => each.address === address);
  const change = plan.changes.find((each) => each.address === address) ?? null;
  const isLive = planned.reconciled.unmanaged.some((each) => each.address === address);
  if (!desired && !change && !isLive) throw unknown(address, kind, planned);
  return {
    schemaVersion: 1,
    target: target.name,
    address,
    kind: kind.name,
    observed: plan.observed[kind.name] ?? 'unmanaged',
    identity: identityOf(address, kind, desired, planned),
    change,
    values: desired ? valuesOf(desired, declaration) : [],
  };
}

function unknown(address: string, kind: Kind, { run, reconciled }: Planned): Stop {
  const declared = run.declaration.resources.map((each) => each.address);
  const near = nearestName(address, [...declared, ...reconciled.unmanaged.map((each) => each.address)]);
  const unseen = reconciled.plan.observed[kind.name] === 'complete' ? '' : `, and ${kind.name} was not read`;
  const hint = near === undefined ? '`upkeep plan --unmanaged` lists what is there' : `did you mean ${near}?`;
  return new Stop(EXIT.invalid, 'unknown-address', `${address} is not declared, nor is it in the account${unseen}`, hint);
}

function identityOf(
  address: string,
  kind: Kind,
  desired: Desired | undefined,
  { run, reconciled }: Planned,
): AddressExplanation['identity'] {
  const seen = reconciled.seen.get(kind.name);
  const told = (rule: IdentityRule, id: string | null, because: string) => ({ rule, id, because });
  if (seen?.state !== 'complete')
    return told('unread', null, `Which live object it is nobody can tell: ${kind.name} was not read completely.`);
  const held = reconciled.plan.changes.find((change) => change.address === address)?.held;
  if (held?.brake === 'identity') return told('contested', null, `Which live object it is cannot be told: ${held.reason}.`);
  if (!desired) return told('undeclared', null, 'The repository does not declare it: this address names the live object itself.');
  const id = reconciled.pairs.get(address);
  const live = seen.observation.objects.find((object) => object.id === id);
  if (!live) return told('none', null, 'No live object was recognised as this one, so it would be created.');
  const rule = recognisedBy(kind, desired, live, run.declaration.adopt, recall(run.memory, run.declaration.moved));
  return told(rule, live.id, because(rule, live.id, live.label));
}

function because(rule: IdentityRule, id: string, label: string): string {
  const sentences: { readonly [rule in IdentityRule]?: string } = {
    singleton: 'The account has exactly one.',
    adopt: `It is the live object ${id}, because \`adopt\` says so.`,
    binding: `It is the live object ${id}, because the ledger remembers it from an earlier apply.`,
    id: `It is the live object ${id}, because that is the ID of its asset.`,
    name: `It is the live object ${id}, because that alone has its name: ${JSON.stringify(label)}.`,
  };
  return (
    sentences[rule] ?? `It is the live object ${id}, because that has the name that it had before \`moved\`: ${JSON.stringify(label)}.`
  );
}

/** Every value that is declared, lists whole, with the last place that says it. */
function valuesOf(desired: Desired, declaration: Declaration): readonly ValueOrigin[] {
  return leavesOf(desired.declared, []).map(({ path, value }) => {
    const site = siteOf(desired, path, declaration);
    const { file, line, column, written = '' } = site;
    const vars = [...new Set([...written.matchAll(/(?<!\$)\$\{([^}]+)\}/g)].flatMap(([, name]) => name ?? []))];
    return { path: pointer(path), value, file, line, column, vars };
  });
}

function leavesOf(value: Json, path: Path): readonly { readonly path: Path; readonly value: Json }[] {
  if (!isFields(value) || Object.keys(value).length === 0) return path.length === 0 ? [] : [{ path, value }];
  return Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...path, key]));
}

/** A value stands below its resource, or where several share it, below what holds them all (a group's settings). */
function siteOf({ path, inFile }: Desired, leaf: Path, declaration: Declaration) {
  const holders = path.map((_, index) => path.slice(0, path.length - index));
  for (const holder of [...holders, []]) {
    const site = declaration.written([...holder, ...leaf]);
    if (site) return site;
  }
  return { written: undefined, ...(inFile ?? declaration.place(path)) };
}
