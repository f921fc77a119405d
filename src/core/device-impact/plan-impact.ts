/** Analyzes the impact of a plan on devices. */
import { groupBy } from '../model/collections.ts';
import {
  DEFAULT_POLICY,
  type DeviceImpact,
  OUTCOMES,
  type PlanImpact,
  type PlanMatrix,
  type PlanMatrixRow,
  type PlaybackLevel,
  type Playbacks,
  RESOLUTIONS,
  type Resolution,
  type Row,
} from '../model/impact.ts';
import type { JsonObject } from '../model/json.ts';
import { compareDevices, isAffected } from './compare.ts';
import type { Device } from './device.ts';
import { summarizeImpact } from './summarize.ts';
import { type UnnoticedSetting, unnoticedSettings, unnoticedStatuses } from './unnoticed-settings.ts';

/** A policy before and after a plan, in canonical fields; null on the side on which it does not exist. */
export interface PolicyBeforeAfter {
  readonly address: string;
  /** Whether the repository declares it. */
  readonly isDeclared: boolean;
  /** Whether the plan writes it. */
  readonly isWritten: boolean;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

/** The resources of an account that affect devices, before and after a plan. */
export interface BeforeAfterPolicies {
  readonly policies: readonly PolicyBeforeAfter[];
  /** The rejected VMP statuses; null = not managed or not read, so unknown. */
  readonly vmp: {
    readonly address: string;
    readonly isWritten: boolean;
    readonly before: readonly string[] | null;
    readonly after: readonly string[] | null;
  };
  /** The fields of the default policy (drm-api-v3 section 2.5). */
  readonly defaults: JsonObject;
}

/** The impacts of each change, by its address: one entry for each affected device. */
export type Impacts = ReadonlyMap<string, readonly DeviceImpact[]>;

/**
 * Returns the impacts of a plan's changes on devices. A changed policy is compared together with the VMP statuses of the same side; for one
 * that is created or deleted there is nothing to compare. A change of the VMP statuses is also evaluated for each unchanged policy and for
 * the default policy, because it applies under every policy.
 */
export function impactsOf({ policies, vmp, defaults }: BeforeAfterPolicies, devices: readonly Device[]): Impacts {
  const affected = (address: string, before: JsonObject, after: JsonObject) =>
    compareDevices(address, { policy: before, vmp: vmp.before }, { policy: after, vmp: vmp.after }, devices).filter(isAffected);
  const byPolicyChange = policies
    .filter(({ isWritten }) => isWritten)
    .map(({ address, before, after }) => [address, before && after ? affected(address, before, after) : []] as const);
  if (!vmp.isWritten) return new Map(byPolicyChange);
  const unchanged = policies.flatMap(({ isWritten, address, after }) => (isWritten || !after ? [] : [{ address, fields: after }]));
  const byVmpChange = [...unchanged, { address: DEFAULT_POLICY, fields: defaults }].flatMap(({ address, fields }) =>
    affected(address, fields, fields),
  );
  return new Map([...byPolicyChange, [vmp.address, byVmpChange]]);
}

/** Returns the part of a plan document about devices; null if the plan changes neither a policy nor the VMP statuses. */
export function planImpact(account: BeforeAfterPolicies, impacts: Impacts, devices: readonly Device[]): PlanImpact | null {
  if (impacts.size === 0) return null;
  const notes = [...unnoticedNotes(account, devices), ...planNotes(account)];
  return { summaries: summarizeImpact(impacts, account.vmp), matrices: planMatrices(impacts), notes };
}

function planMatrices(impacts: Impacts): readonly PlanMatrix[] {
  const rows = [...impacts.values()].flat().map((impact) => ({ address: impact.address, row: planMatrixRow(impact) }));
  const byPolicy = groupBy(
    rows.filter(({ row }) => row.noticed.length > 0),
    ({ address }) => address,
  );
  return groupPolicies([...byPolicy].map(([address, items]) => [address, items.map(({ row }) => row)]));
}

function planMatrixRow(impact: DeviceImpact): PlanMatrixRow {
  const { device, name, system } = impact;
  const noticed = RESOLUTIONS.filter((resolution) => OUTCOMES.some((outcome) => impact[outcome].includes(resolution)));
  return { device, name, system, before: playbacksOf(impact.before), after: playbacksOf(impact.after), noticed };
}

function playbacksOf(row: Row): Playbacks {
  const at = (resolution: Resolution): PlaybackLevel => row[resolution].playback;
  return { SD: at('SD'), HD: at('HD'), UHD1: at('UHD1'), UHD2: at('UHD2') };
}

/** Builds matrices from the rows of each policy (by address): policies with equal rows share one. */
export function groupPolicies<MatrixRow>(
  rowsByPolicy: readonly (readonly [address: string, rows: readonly MatrixRow[]])[],
): readonly { readonly policies: readonly string[]; readonly devices: readonly MatrixRow[] }[] {
  const groups = groupBy(rowsByPolicy, ([, rows]) => JSON.stringify(rows));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ policies: group.map(([address]) => address), devices: first[1] }] : [];
  });
}

const UNKNOWN_VMP =
  'The rejected VMP statuses are not known, because they are not managed or were not read. Results for Widevine may therefore be unknown.';

/** Maximum number of policies that a note names. */
const MAX_NAMED = 5;

/** Returns the remarks about the results as a whole, as sentences. */
export function planNotes({ policies, vmp }: BeforeAfterPolicies): readonly string[] {
  const isVmpKnown = vmp.before !== null && vmp.after !== null;
  const named = (test: (policy: PolicyBeforeAfter) => boolean) => policies.filter(test).map(({ address }) => address);
  const created = named(({ isWritten, before }) => isWritten && before === null);
  const deleted = named(({ isWritten, after }) => isWritten && after === null);
  return [
    ...(isVmpKnown ? [] : [UNKNOWN_VMP]),
    ...(created.length === 0
      ? []
      : [`New: ${nameSome(created)}. What names a policy before it exists is not known, so no device is compared.`]),
    ...(deleted.length === 0
      ? []
      : [`Deleted: ${nameSome(deleted)}. The API documents do not say what content plays that still names a deleted policy.`]),
  ];
}

/** Returns sentences about the changed settings on which no device depends, each with the policies in which they change. */
function unnoticedNotes({ policies, vmp, defaults }: BeforeAfterPolicies, devices: readonly Device[]): readonly string[] {
  const perPolicy = policies.flatMap(({ isWritten, address, before, after }) =>
    isWritten && before && after ? unnoticedSettings(before, after, vmp.before, devices).map((setting) => ({ setting, address })) : [],
  );
  const bySetting = [...groupBy(perPolicy, ({ setting: { text, isOpen } }) => `${isOpen} ${text}`).values()].flatMap((all) => {
    const [first] = all;
    return first ? [{ setting: first.setting, policies: nameSome(all.map(({ address }) => address)) }] : [];
  });
  const byPolicies = [...groupBy(bySetting, ({ setting, policies: names }) => `${setting.isOpen} ${names}`).values()];
  const statuses = vmp.isWritten ? unnoticedStatuses(vmp.before ?? [], vmp.after ?? [], defaults, devices) : [];
  return [
    ...byPolicies.map((all) => `Under ${all[0]?.policies}: ${dependsOn(all.map(({ setting }) => setting))}`),
    ...(statuses.length === 0 ? [] : [`Of the VMP statuses: ${dependsOn(statuses.map((text) => ({ text, isOpen: false })))}`]),
  ];
}

/** Says of settings, which are all open or all not, that no class depends on them, or that nobody knows. */
function dependsOn(settings: readonly UnnoticedSetting[]): string {
  const claim = settings.some(({ isOpen }) => isOpen)
    ? 'the API documents do not say whether a class of devices depends on'
    : 'no built-in class of devices depends on';
  return `${claim} ${settings.length === 1 ? 'this setting' : 'these settings'}: ${settings.map(({ text }) => text).join(', ')}.`;
}

function nameSome(addresses: readonly string[]): string {
  const more = addresses.length - MAX_NAMED;
  return `${addresses.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
