/** Builds the impact report: playback on devices under the policies of an account, live, desired, or compared. */
import {
  CONTENT_KEY_SPECS,
  type ImpactReport,
  type ImpactSide,
  type Matrix,
  type MatrixRow,
  RESOLUTIONS,
  type Row,
} from '../model/impact.ts';
import type { JsonObject } from '../model/json.ts';
import { compareDevices, isDifferent } from './compare.ts';
import type { Device } from './device.ts';
import { evaluateDevices } from './evaluate.ts';
import { type BeforeAfterPolicies, groupPolicies, type PolicyBeforeAfter, planNotes } from './plan-impact.ts';

const KEYS = 'The static key and its rotation affect no device: they do not change license acquisition (drm-api-v3 3).';

/** Returns the report on these policies and devices. If `side` is `difference` and there is none, the report shows the desired side. */
export function reportOn(target: string, side: ImpactSide, account: BeforeAfterPolicies, devices: readonly Device[]): ImpactReport {
  const notes = [...planNotes(account), CONTENT_KEY_SPECS, KEYS];
  if (side !== 'difference')
    return { schemaVersion: 1, target, of: side, matrices: matricesOfSide(side, account, devices), unchanged: [], notes };
  const rows = account.policies.map((policy) => [policy.address, comparePolicy(policy, account, devices)] as const);
  const different = rows.filter(([, row]) => row.some(differs));
  const unchanged = rows.filter(([, row]) => !row.some(differs)).map(([address]) => address);
  if (different.length > 0) return { schemaVersion: 1, target, of: side, matrices: groupPolicies(different), unchanged, notes };
  return { schemaVersion: 1, target, of: 'desired', matrices: matricesOfSide('desired', account, devices), unchanged, notes };
}

function comparePolicy(
  { address, before, after }: PolicyBeforeAfter,
  { vmp }: BeforeAfterPolicies,
  devices: readonly Device[],
): readonly MatrixRow[] {
  if (before && after) {
    const sides = [{ policy: before, vmp: vmp.before } as const, { policy: after, vmp: vmp.after } as const] as const;
    return compareDevices(address, ...sides, devices).map(({ address: _address, ...row }) => row);
  }
  return [
    ...(before ? rowsOfSide('live', before, vmp.before, devices) : []),
    ...(after ? rowsOfSide('desired', after, vmp.after, devices) : []),
  ];
}

/** Decides whether playback differs between the sides. A policy that exists on one side only differs. */
function differs({ before, after }: MatrixRow): boolean {
  return before === null || after === null || RESOLUTIONS.some((resolution) => isDifferent(before[resolution], after[resolution]));
}

const NO_LISTS = { lost: [], gained: [], restricted: [], unrestricted: [], uncertain: [], changed: [] } as const;

function rowsOfSide(
  side: 'desired' | 'live',
  policy: JsonObject,
  vmp: readonly string[] | null,
  devices: readonly Device[],
): readonly MatrixRow[] {
  const columns = (row: Row) => (side === 'live' ? { before: row, after: null } : { before: null, after: row });
  return evaluateDevices({ policy, vmp }, devices).map(({ row, ...device }) => ({ ...device, ...columns(row), ...NO_LISTS }));
}

/** Returns the matrices of one side. A policy that is not declared belongs to the live side only. */
function matricesOfSide(side: 'desired' | 'live', { policies, vmp }: BeforeAfterPolicies, devices: readonly Device[]): readonly Matrix[] {
  const statuses = side === 'live' ? vmp.before : vmp.after;
  return groupPolicies(
    policies.flatMap(({ address, isDeclared, before, after }) => {
      const fields = side === 'live' ? before : isDeclared ? after : null;
      return fields === null ? [] : [[address, rowsOfSide(side, fields, statuses, devices)] as const];
    }),
  );
}
