/** Explains why a resource is planned as it is: its live object, its change, and where its values are declared. */

import type { DefinedPlace, DesiredState } from '../core/config/desired-state.ts';
import { suggest } from '../core/config/did-you-mean.ts';
import type { Target } from '../core/config/project.ts';
import { kinds } from '../core/kinds/index.ts';
import { type DesiredResource, isLiveObject, type Kind, type LiveResource } from '../core/kinds/kind.ts';
import { addressPrefixes, kindOfAddress } from '../core/model/address.ts';
import { commandOf, shellText } from '../core/model/command-line.ts';
import { EXIT_CODES, type ExitCode } from '../core/model/exit-codes.ts';
import type { AddressExplanation, MatchedBy, ValueOrigin } from '../core/model/explanation.ts';
import { isJsonObject, type Json, type Path, pointer } from '../core/model/json.ts';
import type { AskedDate } from '../core/model/run-of-show.ts';
import { matchedBy } from '../core/plan/match.ts';
import { applyMoves } from '../core/state/moves.ts';
import type { TargetRun } from './account/target-run.ts';
import { type PlannedTarget, type PreparedTarget, withReadOnlyPlan } from './plan-target.ts';
import { CliError } from './run/exit-codes.ts';
import type { NoiseOptions } from './run/options.ts';
import { runsOfShowOf } from './run-of-show.ts';

/** Options of an explanation of an address. */
export interface ExplainAddressOptions extends NoiseOptions {
  /** `--project`, which a hint repeats. */
  readonly project?: string | undefined;
  /** The date for which a run of show says what is gone; undefined = none. */
  readonly at?: AskedDate | undefined;
}

/** Plans a target and adds the explanation of one address to the reports. Returns the exit codes. @throws CliError */
export function explainAddress(
  run: TargetRun,
  prepared: PreparedTarget,
  kind: Kind,
  address: string,
  { at, project, ...options }: ExplainAddressOptions,
): Promise<readonly ExitCode[]> {
  return withReadOnlyPlan(
    run,
    prepared,
    options,
    { command: 'explain', only: [address], references: 'report' },
    async (planned, incomplete) => {
      const explanation = explanationOf({ target: run.target, project }, address, kind, planned);
      const runOfShow = await runsOfShowOf(address, kind, planned, at ?? null);
      run.reports.add({ type: 'address', address: { ...explanation, ...(runOfShow ? { runOfShow } : {}) } });
      return incomplete;
    },
  );
}

/** Returns the kind of an address. @throws CliError if no kind has such addresses */
export function requireKind(address: string): Kind {
  const kind = kindOfAddress(kinds, address);
  if (kind) return kind;
  const known = kinds.flatMap(addressPrefixes).join(', ');
  throw new CliError(EXIT_CODES.invalid, 'unknown-address', `${address} is not an address`, `addresses begin with or are ${known}`);
}

/** Builds the explanation of an address from its plan. @throws CliError if the address is neither declared nor live */
function explanationOf(
  { target, project }: { readonly target: Target; readonly project: string | undefined },
  address: string,
  kind: Kind,
  planned: PlannedTarget,
): AddressExplanation {
  const { plan, undeclared } = planned.result;
  const { desiredState } = planned.input;
  const desired = desiredState.resources.find((each) => each.address === address);
  const change = [...plan.changes, ...(plan.behind ?? [])].find((each) => each.address === address) ?? null;
  const ignored = (plan.ignored ?? []).flatMap(({ address: of, ...value }) => (of === address ? [value] : []));
  const isLive = undeclared.some((each) => each.address === address);
  if (!desired && !change && !isLive) throw unknownAddress(address, kind, project, planned);
  return {
    schemaVersion: 1,
    target: target.name,
    address,
    kind: kind.name,
    readStatus: plan.readStatus[kind.name] ?? 'unmanaged',
    identity: identityOf(address, kind, desired, planned),
    change,
    ...(ignored.length === 0 ? {} : { ignored }),
    values: desired ? valuesOf(desired, desiredState, target.vars) : [],
  };
}

function unknownAddress(address: string, kind: Kind, project: string | undefined, { input, result }: PlannedTarget): CliError {
  const declared = input.desiredState.resources.map((each) => each.address);
  const near = suggest(address, [...declared, ...result.undeclared.map((each) => each.address)]);
  const unread = result.plan.readStatus[kind.name] === 'complete' ? '' : `, and ${kind.name} was not read`;
  const list = [...commandOf('plan', { project, only: [] }, { target: input.target.name }), '--undeclared'];
  const hint = near === undefined ? `\`${shellText(list)}\` lists what is there` : `did you mean ${near}?`;
  return new CliError(EXIT_CODES.invalid, 'unknown-address', `${address} is not declared, nor is it in the account${unread}`, hint);
}

function identityOf(
  address: string,
  kind: Kind,
  desired: DesiredResource | undefined,
  { input, result }: PlannedTarget,
): AddressExplanation['identity'] {
  const read = result.readByKind.get(kind.name);
  const identity = (rule: MatchedBy, id: string | null, because: string) => ({ rule, id, because });
  if (read?.status !== 'complete') return identity('not-read', null, `The live object is unknown: ${kind.name} was not read completely.`);
  const blocked = result.plan.changes.find((change) => change.address === address)?.blocked;
  if (blocked?.check === 'identity') return identity('ambiguous', null, `The live object is ambiguous: ${blocked.reason}.`);
  if (!desired) return identity('undeclared', null, 'The repository does not declare it: this address names the live object itself.');
  const id = result.remoteIdByAddress.get(address);
  const live = id === undefined ? undefined : read.result.objects.find((object) => object.id === id);
  if (!live) return identity('none', null, 'No live object matches it, so it would be created.');
  const rule = matchedBy(desired, live, input.desiredState.adopt, applyMoves(input.ledgerState, input.desiredState.moved));
  return identity(rule, live.id, reasonOf(rule, live));
}

function reasonOf(rule: MatchedBy, live: LiveResource): string {
  if (!isLiveObject(live)) return 'The account has exactly one.';
  const { id, remoteName } = live;
  const sentences: { readonly [rule in MatchedBy]?: string } = {
    adopt: `It is the live object ${id}, because \`adopt\` says so.`,
    binding: `It is the live object ${id}, because the ledger binds it since an earlier apply.`,
    id: `It is the live object ${id}, because that is the ID of its asset.`,
    name: `It is the live object ${id}, because it is the only one with this name: ${JSON.stringify(remoteName)}.`,
  };
  return sentences[rule] ?? `It is the live object ${id}, because it has the name from before \`moved\`: ${JSON.stringify(remoteName)}.`;
}

/** Lists every declared value (a list counts as one value) with the place that defines it, and those that it overrides. */
function valuesOf(desired: DesiredResource, desiredState: DesiredState, variables: Target['vars']): readonly ValueOrigin[] {
  return leavesOf(desired.declaredFields, []).map(({ path, value }) => {
    const [{ written, value: _, ...place }, ...overridden] = placesOf(desired, path, desiredState);
    const names = [...(written ?? '').matchAll(/(?<!\$)\$\{([^}]+)\}/g)].flatMap(([, name]) => name ?? []);
    const vars = [...new Set(names)].filter((name) => variables.has(name));
    return { path: pointer(path), value, ...place, vars, overrides: overridden.map(({ written: _written, ...each }) => each) };
  });
}

function leavesOf(value: Json, path: Path): readonly { readonly path: Path; readonly value: Json }[] {
  if (!isJsonObject(value) || Object.keys(value).length === 0) return path.length === 0 ? [] : [{ path, value }];
  return Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...path, key]));
}

/** Returns the places that define a value: below its resource, or below an ancestor that several resources share (a group's settings). */
function placesOf(
  { path, textFilePosition }: DesiredResource,
  leaf: Path,
  desiredState: DesiredState,
): readonly [DefinedPlace, ...(readonly DefinedPlace[])] {
  const ancestors = path.map((_, index) => path.slice(0, path.length - index));
  for (const ancestor of [...ancestors, []]) {
    const [inEffect, ...others] = desiredState.placesOf([...ancestor, ...leaf]);
    if (inEffect) return [inEffect, ...others];
  }
  const { file, line, column } = textFilePosition ?? desiredState.positionOf(path);
  return [{ layer: 'document', value: null, written: undefined, file, line, column }];
}
