/** The objects of an account that the ledgers of other projects bind (design section 3, identity, rule 18). */

import type { CollectionKind, Kind, LiveResource } from '../kinds/kind.ts';
import { ledgerRef } from '../ledger/push-entry.ts';
import { listOf } from '../model/collections.ts';
import { shellText } from '../model/command-line.ts';
import type { Finding } from '../model/finding.ts';
import { addressByRemoteId, serviceOf } from '../state/bindings.ts';
import type { IdentityProblem, PlannedChange } from '../state/planned-change.ts';
import { type LedgerState, ownerDigest } from '../state/state.ts';
import type { PlanInput } from './input.ts';
import { type KindState, ownerDigestOf } from './kind-state.ts';
import { warningsToFindings } from './live-warnings.ts';

/** The newest entry of another project, as far as it says what that project has. */
export interface OtherLedger {
  readonly project: string;
  readonly target: string;
  /** Scheme and host of the service; null for this machine. */
  readonly baseUrl: string | null;
  /** Digest of the owner that responses named; null where none did. */
  readonly owner: string | null;
  /** Digest of the owner with which requests were signed; null where it is not known. */
  readonly configuredOwner: string | null;
  readonly bindings: LedgerState['bindings'];
  /** The kinds of the settings that it has written. */
  readonly settings: ReadonlySet<string>;
}

/** The ledgers of other projects beside that of the target. */
export interface OtherLedgers {
  readonly readable: readonly OtherLedger[];
  /** The others, and why they cannot be read, a clause. */
  readonly unreadable: readonly { readonly target: string; readonly reason: string }[];
  /** The remote that holds them, as it is given to git. */
  readonly remote: string;
}

/** No other ledger: a target without a ledger knows of none. */
export const NO_OTHER_LEDGERS: OtherLedgers = { readable: [], unreadable: [], remote: '' };

/** The account of a target. */
export interface Account {
  /** Scheme and host of the service; null for this machine. */
  readonly service: string | null;
  /** Digest of the owner that responses name; null where none does. */
  readonly owner: string | null;
  /** Digest of the owner with which requests are signed. */
  readonly configuredOwner: string;
}

/** Returns the account of a plan. `owner` is the digest of the owner that responses name, or null. */
export function accountOf({ target, owner: configured }: Pick<PlanInput, 'target' | 'owner'>, owner: string | null): Account {
  return { service: serviceOf(target.baseUrl), owner, configuredOwner: ownerDigest(configured) };
}

/**
 * Decides whether another ledger is of the same account; `unknown` where the owners cannot be compared.
 *
 *   service | both responses name an owner | signed with       | result
 *   --------+------------------------------+-------------------+----------
 *   other   |                              |                   | `other`
 *   same    | yes, the same                |                   | `same`
 *   same    | yes, another                 |                   | `other`
 *   same    | no                           | the same owner    | `same`
 *   same    | no                           | another, unknown  | `unknown`
 */
export function compareAccounts(
  own: Account,
  other: Pick<OtherLedger, 'baseUrl' | 'owner' | 'configuredOwner'>,
): 'same' | 'other' | 'unknown' {
  if (own.service !== other.baseUrl) return 'other';
  if (own.owner !== null && other.owner !== null) return own.owner === other.owner ? 'same' : 'other';
  return own.configuredOwner === other.configuredOwner ? 'same' : 'unknown';
}

/** A project whose ledger binds an object. */
export interface Holder {
  readonly project: string;
  readonly target: string;
  /** The address to which it binds the object. */
  readonly address: string;
  /** Whether it is certain that the ledger is of the same account. */
  readonly isCertain: boolean;
}

/** Finds the project whose ledger binds an object of a kind, or has written a setting; undefined where none does. */
export type FindHolder = (kind: Kind, id: string | null) => Holder | undefined;

/** Returns a function that finds the holder of an object. One of the same account comes before one of which that is not known. */
export function createFindHolder({ readable }: OtherLedgers, own: Account): FindHolder {
  const compared = readable.map((ledger) => ({ ...ledger, account: compareAccounts(own, ledger) }));
  const ledgers = ['same', 'unknown'].flatMap((account) => compared.filter((each) => each.account === account));
  const byKind = new Map<string, ReadonlyMap<string | null, Holder>>();
  const holdersOf = (kind: Kind): ReadonlyMap<string | null, Holder> => {
    const holders = new Map<string | null, Holder>();
    for (const { project, target, account, settings, bindings } of ledgers) {
      const held: Iterable<readonly [string | null, string]> =
        kind.type === 'setting' ? (settings.has(kind.name) ? [[null, kind.name]] : []) : addressByRemoteId(kind, { bindings });
      for (const [id, address] of held) if (!holders.has(id)) holders.set(id, { project, target, address, isCertain: account === 'same' });
    }
    byKind.set(kind.name, holders);
    return holders;
  };
  return (kind, id) => (byKind.get(kind.name) ?? holdersOf(kind)).get(id);
}

/** The changes of a plan, with the identity problems and origins that the ledgers of other projects give them, and findings about these. */
export interface WithOtherProjects {
  readonly changes: readonly PlannedChange[];
  readonly findings: readonly Finding[];
}

/**
 * Reads the ledgers of other projects where a selected change binds an object anew or deletes one, or where drift is to be explained. A
 * change that would bind or delete an object of another project has an identity problem; a difference of such an object has the project as
 * the one that changed it.
 */
export async function withOtherProjects(
  planned: readonly PlannedChange[],
  kindStates: readonly KindState[],
  input: PlanInput,
): Promise<WithOtherProjects> {
  const { ledgerState: state, selection, otherLedgers } = input;
  if (state === null) return { changes: planned, findings: [] };
  const isAsked = (each: PlannedChange) => selection.has(each.change) && (changesHolder(each, state) || isDrift(each));
  if (!planned.some(isAsked)) return { changes: planned, findings: [] };
  const others = await otherLedgers();
  const findHolder = createFindHolder(others, accountOf(input, ownerDigestOf(kindStates)));
  const boundIds = new Set([...state.bindings.values()].map(({ id }) => id));
  const isBound = ({ id }: LiveResource) => id !== null && boundIds.has(id);
  const changes = planned.map((each) => withHolder(each, state, others, findHolder, isBound));
  return { changes, findings: uncertainFindings(changes, kindStates, state, findHolder, input) };
}

/** Decides whether a change binds an object anew, writes a setting for the first time, or deletes an object. */
function changesHolder({ kind, change }: PlannedChange, state: LedgerState): boolean {
  if (kind.type === 'setting') return change.action === 'update' && !state.settings.has(kind.name);
  return change.action === 'delete' || bindsAnew(change);
}

function bindsAnew(change: PlannedChange['change']): boolean {
  return 'adopts' in change && change.adopts !== undefined;
}

function isDrift({ change, live }: PlannedChange): boolean {
  return live !== null && (change.origin === 'drift' || change.origin === 'both');
}

function withHolder(
  planned: PlannedChange,
  state: LedgerState,
  others: OtherLedgers,
  findHolder: FindHolder,
  isBound: (live: LiveResource) => boolean,
): PlannedChange {
  const { kind, live, change } = planned;
  if (live === null) return planned;
  const holder = findHolder(kind, live.id);
  const explained = holder && isDrift(planned) ? { ...planned, change: { ...change, changedBy: holder.project } } : planned;
  if (!changesHolder(planned, state)) return explained;
  if (holder?.isCertain) return { ...explained, identityProblem: heldProblem(planned, live, holder, others) };
  const [unreadable] = others.unreadable;
  return unreadable === undefined || isBound(live)
    ? explained
    : { ...explained, identityProblem: unreadableProblem(kind, live, unreadable, others) };
}

function heldProblem({ kind, change }: PlannedChange, live: LiveResource, holder: Holder, { remote }: OtherLedgers): IdentityProblem {
  const { project, target, address } = holder;
  const what =
    kind.type === 'setting' ? `has written it (target ${target})` : `binds ${kind.idAddress(live)} to ${address} (target ${target})`;
  const there =
    kind.type === 'setting'
      ? `remove it from the configuration of ${project}, and apply that`
      : `name it under \`removed\` in the configuration of ${project}, and apply that`;
  const here =
    change.action === 'delete' ? `to forget it here, write \`removed: [${change.address}]\`; to delete it here, ` : 'if it is yours now, ';
  return {
    reason: `the ledger of the project ${project} ${what}`,
    lift: `${here}${there} first; if that project is gone, delete its ledger: \`${deleteCommand(remote, target)}\``,
  };
}

function unreadableProblem(
  kind: Kind,
  live: LiveResource,
  { target, reason }: OtherLedgers['unreadable'][number],
  { remote }: OtherLedgers,
): IdentityProblem {
  return {
    reason: `nobody can tell whether ${kind.idAddress(live)} belongs to another project: ${reason}`,
    lift: `repair the ledger of the target ${target}; if its project is gone, delete it: \`${deleteCommand(remote, target)}\``,
  };
}

function deleteCommand(remote: string, target: string): string {
  return shellText(['git', 'push', remote, '--delete', ledgerRef(target)]);
}

/** Maximum number of addresses that a finding names. */
const MAX_NAMED = 5;

/** The code of the finding about objects of other projects. */
export const OTHER_PROJECT_CODE = 'other-project';

/** Warns of objects that another project binds, of which nobody knows whether it has the same account: one finding for each kind. */
function uncertainFindings(
  planned: readonly PlannedChange[],
  kindStates: readonly KindState[],
  state: LedgerState,
  findHolder: FindHolder,
  input: PlanInput,
): readonly Finding[] {
  return kindStates.flatMap((kindState) => {
    const held = planned.flatMap((each) => {
      const holder = each.kind === kindState.kind && each.live !== null ? findHolder(each.kind, each.live.id) : undefined;
      const isMeant = holder !== undefined && !holder.isCertain && changesHolder(each, state) && input.selection.has(each.change);
      return isMeant ? [{ address: each.change.address, holder }] : [];
    });
    const [first] = held;
    if (first === undefined) return [];
    const projects = [...new Set(held.map(({ holder }) => holder.project))];
    const summary = `the ledger of ${projects.length === 1 ? 'the project' : 'the projects'} ${listOf(projects, MAX_NAMED)} binds the objects of ${listOf(
      held.map(({ address }) => address),
      MAX_NAMED,
    )}, perhaps in the same account: the service names no owner by which to tell`;
    const hint = 'If it is the same account, let that project forget them first, with `removed` and an apply there.';
    return warningsToFindings([{ code: OTHER_PROJECT_CODE, address: first.address, summary, hint }], kindState, input);
  });
}

/**
 * Returns what killed applies created: nothing that another project binds, and nothing at all where the ledger of one cannot be read, since
 * then nobody can tell.
 */
export function withoutHeld(
  kind: CollectionKind,
  created: LedgerState['bindings'],
  others: OtherLedgers,
  own: Account,
): LedgerState['bindings'] {
  if (others.unreadable.length > 0) return new Map();
  const findHolder = createFindHolder(others, own);
  return new Map([...created].filter(([, { id }]) => findHolder(kind, id) === undefined));
}
