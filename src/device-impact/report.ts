/** The matrices of an account: what devices do under its policies, as it is, as it will be, or on both sides. */
import { type ImpactReport, type ImpactSide, type Judgement, type Matrix, type MatrixRow, RESOLUTIONS } from '../model/impact.ts';
import { impact, isDifferent } from './compare.ts';
import type { Device } from './device.ts';
import { evaluateDevices } from './evaluate.ts';
import type { BeforeAfterPolicies, PolicyBeforeAfter } from './input.ts';
import { matrixNotes } from './notes.ts';

/** The report on these policies and devices. Where a difference was asked for and there is none, it shows what is desired. */
export function reportOn(target: string, asked: ImpactSide, account: BeforeAfterPolicies, devices: readonly Device[]): ImpactReport {
  const notes = matrixNotes(account);
  if (asked !== 'difference')
    return { schemaVersion: 1, target, of: asked, matrices: shown(asked, account, devices), unchanged: [], notes };
  const rows = new Map(account.policies.map((policy) => [policy.address, compared(policy, account, devices)]));
  const differing = [...rows].filter(([, row]) => row.some(differs));
  const unchanged = [...rows.keys()].filter((address) => !differing.some(([each]) => each === address));
  if (differing.length > 0) return { schemaVersion: 1, target, of: asked, matrices: united(differing), unchanged, notes };
  return { schemaVersion: 1, target, of: 'desired', matrices: shown('desired', account, devices), unchanged, notes };
}

type Rows = readonly [address: string, rows: readonly MatrixRow[]];

function compared(
  { address, before, after }: PolicyBeforeAfter,
  { vmp, defaults }: BeforeAfterPolicies,
  devices: readonly Device[],
): readonly MatrixRow[] {
  const sides = [
    { policy: before ?? defaults, vmp: vmp.before },
    { policy: after ?? defaults, vmp: vmp.after },
  ] as const;
  return impact(address, ...sides, devices).map(({ address: _address, ...row }) => row);
}

/** What is refused on both sides is the same to a device, whatever refuses it. */
function differs({ before, after }: MatrixRow): boolean {
  const isRefused = (judgement: Judgement) => judgement.playback === 'refused';
  return RESOLUTIONS.some((resolution) => {
    const [was, is] = [before?.[resolution], after?.[resolution]];
    return was !== undefined && is !== undefined && !(isRefused(was) && isRefused(is)) && isDifferent(was, is);
  });
}

/** One side alone. What nobody declares is live, but not desired. */
function shown(side: 'desired' | 'live', { policies, vmp }: BeforeAfterPolicies, devices: readonly Device[]): readonly Matrix[] {
  const isLive = side === 'live';
  return united(
    policies.flatMap((policy): readonly Rows[] => {
      const fields = isLive ? policy.before : policy.declared ? policy.after : null;
      if (fields === null) return [];
      const rows = evaluateDevices({ policy: fields, vmp: isLive ? vmp.before : vmp.after }, devices);
      return [[policy.address, rows.map(({ row, ...device }) => ({ ...device, ...(isLive ? live(row) : desired(row)), ...NO_LISTS }))]];
    }),
  );
}

const NO_LISTS = { lost: [], gained: [], restricted: [], unrestricted: [], uncertain: [] } as const;
const live = (row: NonNullable<MatrixRow['before']>) => ({ before: row, after: null });
const desired = (row: NonNullable<MatrixRow['after']>) => ({ before: null, after: row });

/** Policies under which every device does the same for the same reasons share a matrix. */
function united(all: readonly Rows[]): readonly Matrix[] {
  const alike = new Map<string, { readonly policies: string[]; readonly devices: readonly MatrixRow[] }>();
  for (const [address, devices] of all) {
    const key = JSON.stringify(devices);
    const found = alike.get(key);
    if (found) found.policies.push(address);
    else alike.set(key, { policies: [address], devices });
  }
  return [...alike.values()];
}
