/** Holds back what other projects have, and says what they have changed (design section 3, identity). */
import type { Kind, LiveResource } from '../kinds/kind.ts';
import { takesOver } from '../model/change.ts';
import { listOf } from '../model/collections.ts';
import { shellText } from '../model/command-line.ts';
import type { Finding } from '../model/finding.ts';
import { accountOf, createFindHolder, type FindHolder, type Holder, type OtherLedgers } from '../state/other-ledgers.ts';
import type { IdentityProblem, PlannedChange } from '../state/planned-change.ts';
import type { LedgerState } from '../state/state.ts';
import type { PlanInput } from './input.ts';
import { type KindState, ownerDigestOf } from './kind-state.ts';
import { warningsToFindings } from './live-warnings.ts';

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
  const findHolder = createFindHolder(others, accountOf(input.target.baseUrl, input.owner, ownerDigestOf(kindStates)));
  const boundIds = new Set([...state.bindings.values()].map(({ id }) => id));
  const isBound = ({ id }: LiveResource) => id !== null && boundIds.has(id);
  const changes = planned.map((each) => withHolder(each, state, others, findHolder, isBound));
  return { changes, findings: uncertainFindings(changes, kindStates, state, findHolder, input) };
}

/** Decides whether a change binds an object anew, writes a setting for the first time, or deletes an object. */
function changesHolder({ kind, change }: PlannedChange, state: LedgerState): boolean {
  if (kind.type === 'setting') return change.action === 'update' && !state.settings.has(kind.name);
  return change.action === 'delete' || takesOver(change);
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
  // An ID is of one object, whatever the account; each account has settings of its own.
  const isTheirs = holder !== undefined && (holder.isCertain || live.id !== null);
  const explained = isTheirs && isDrift(planned) ? { ...planned, change: { ...change, changedBy: holder.project } } : planned;
  if (!changesHolder(planned, state)) return explained;
  if (holder?.isCertain)
    return { ...explained, identityProblem: { ...planned.identityProblem, ...heldProblem(planned, live, holder, others) } };
  const [unreadable] = others.unreadable;
  return unreadable === undefined || isBound(live)
    ? explained
    : { ...explained, identityProblem: { ...planned.identityProblem, ...unreadableProblem(kind, live, unreadable, others) } };
}

function heldProblem({ kind, change }: PlannedChange, live: LiveResource, holder: Holder, { remote }: OtherLedgers): IdentityProblem {
  const { project, target, ref, address } = holder;
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
    lift: `${here}${there} first; if that project is gone, delete its ledger: \`${deleteCommand(remote, ref)}\``,
  };
}

function unreadableProblem(
  kind: Kind,
  live: LiveResource,
  { target, ref, reason }: OtherLedgers['unreadable'][number],
  { remote }: OtherLedgers,
): IdentityProblem {
  return {
    reason: `nobody can tell whether ${kind.idAddress(live)} belongs to another project: ${reason}`,
    lift: `repair the ledger of the target ${target}; if its project is gone, delete it: \`${deleteCommand(remote, ref)}\``,
  };
}

function deleteCommand(remote: string, ref: string): string {
  return shellText(['git', 'push', remote, '--delete', ref]);
}

/** Maximum number of addresses that a finding names. */
const MAX_NAMED = 5;

/** The code of the finding about objects of other projects. */
const OTHER_PROJECT_CODE = 'other-project';

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
