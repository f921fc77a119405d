/** Before and after of a plan, device by device: what its stories tell, as matrices. */
import {
  type DeviceImpact,
  OUTCOMES,
  type PlanMatrix,
  type PlanMatrixRow,
  type PlaybackLevel,
  type Playbacks,
  RESOLUTIONS,
  type Resolution,
  type Row,
} from '../model/impact.ts';

/** The devices of which a story tells; policies under which they do the same share a matrix, so that many equal changes are told once. */
export function planMatrices(impacts: ReadonlyMap<string, readonly DeviceImpact[]>): readonly PlanMatrix[] {
  const byPolicy = new Map<string, PlanMatrixRow[]>();
  for (const impact of [...impacts.values()].flat()) {
    const row = rowOf(impact);
    if (row.noticed.length === 0) continue;
    const rows = byPolicy.get(impact.address);
    if (rows) rows.push(row);
    else byPolicy.set(impact.address, [row]);
  }
  const alike = new Map<string, { readonly policies: string[]; readonly devices: readonly PlanMatrixRow[] }>();
  for (const [address, devices] of byPolicy) {
    const key = JSON.stringify(devices);
    const found = alike.get(key);
    if (found) found.policies.push(address);
    else alike.set(key, { policies: [address], devices });
  }
  return [...alike.values()];
}

function rowOf(impact: DeviceImpact): PlanMatrixRow {
  const { device, name, system } = impact;
  const noticed = RESOLUTIONS.filter((resolution) => OUTCOMES.some((outcome) => impact[outcome].includes(resolution)));
  return { device, name, system, before: playbacksOf(impact.before), after: playbacksOf(impact.after), noticed };
}

function playbacksOf(row: Row): Playbacks {
  const at = (resolution: Resolution): PlaybackLevel => row[resolution].playback;
  return { SD: at('SD'), HD: at('HD'), UHD1: at('UHD1'), UHD2: at('UHD2') };
}
