/** Builds the impact report: playback on devices under the policies of an account, live, desired, or compared. */
import { type ImpactReport, type ImpactSide, type Matrix, type MatrixRow, RESOLUTIONS, type Row } from '../model/impact.ts';
import type { JsonObject } from '../model/json.ts';
import { compareDevices, isDifferent, isRefused } from './compare.ts';
import type { Device } from './device.ts';
import { evaluateDevices } from './evaluate.ts';
import { type BeforeAfterPolicies, groupPolicies, type PolicyBeforeAfter, planNotes } from './plan-impact.ts';

const KEYS = 'The static key and its rotation affect no device: they do not change license acquisition (drm-api-v3 3).';

/** Returns the report on these policies and devices. If `side` is `difference` and there is none, the report shows the desired side. */
export function reportOn(target: string, side: ImpactSide, account: BeforeAfterPolicies, devices: readonly Device[]): ImpactReport {
  const notes = [...planNotes(account), KEYS];
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
  { vmp, defaults }: BeforeAfterPolicies,
  devices: readonly Device[],
): readonly MatrixRow[] {
  const sides = [
    { policy: before ?? defaults, vmp: vmp.before },
    { policy: after ?? defaults, vmp: vmp.after },
  ] as const;
  return compareDevices(address, ...sides, devices).map(({ address: _address, ...row }) => row);
}

/** Decides whether playback differs between the sides. What is refused on both does not differ, whichever rules refuse it. */
function differs({ before, after }: MatrixRow): boolean {
  return RESOLUTIONS.some((resolution) => {
    const [live, desired] = [before?.[resolution], after?.[resolution]];
    return live !== undefined && desired !== undefined && !(isRefused(live) && isRefused(desired)) && isDifferent(live, desired);
  });
}

const NO_LISTS = { lost: [], gained: [], restricted: [], unrestricted: [], uncertain: [] } as const;

/** Returns the matrices of one side. A policy that is not declared belongs to the live side only. */
function matricesOfSide(side: 'desired' | 'live', { policies, vmp }: BeforeAfterPolicies, devices: readonly Device[]): readonly Matrix[] {
  const isLive = side === 'live';
  const columns = (row: Row) => (isLive ? { before: row, after: null } : { before: null, after: row });
  const rowsOf = (fields: JsonObject): readonly MatrixRow[] =>
    evaluateDevices({ policy: fields, vmp: isLive ? vmp.before : vmp.after }, devices).map(({ row, ...device }) => ({
      ...device,
      ...columns(row),
      ...NO_LISTS,
    }));
  return groupPolicies(
    policies.flatMap(({ address, isDeclared, before, after }) => {
      const fields = isLive ? before : isDeclared ? after : null;
      return fields === null ? [] : [[address, rowsOf(fields)] as const];
    }),
  );
}
