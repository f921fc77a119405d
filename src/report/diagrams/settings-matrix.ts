/** Builds the matrix of the changed settings of a policy, by DRM system and track. */
import type { Effect } from '../../core/model/change.ts';
import type { PolicyDiagram, PolicySetting } from '../../core/model/diagram.ts';
import { fieldName, valueText } from '../text/field-diff.ts';

/** The changed settings of a policy: a row for each DRM system, a column for each track. */
export interface SettingsMatrix {
  readonly type: 'settings-matrix';
  readonly columns: readonly string[];
  readonly rows: readonly { readonly name: string; readonly cells: readonly (readonly Setting[])[] }[];
}

/** One setting, before and after; null if it is absent on that side. */
export interface Setting {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly effect: Effect;
}

/** Builds the matrix of a diagram. */
export function settingsMatrixOf({ systems, tracks, settings }: PolicyDiagram): SettingsMatrix {
  const cell = (system: string, track: string) =>
    settings.filter((setting) => setting.system === system && setting.track === track).map(settingOf);
  return {
    type: 'settings-matrix',
    columns: tracks,
    rows: systems.map((system) => ({ name: system, cells: tracks.map((track) => cell(system, track)) })),
  };
}

function settingOf({ field: { before, after, effect }, path }: PolicySetting): Setting {
  return { name: fieldName(path) || 'all of it', before: valueText(before), after: valueText(after), effect };
}
