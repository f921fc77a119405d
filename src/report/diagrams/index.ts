/** Lays out the diagrams of a plan: what the kinds say that they show, aligned, folded and counted. */
import type { Change, FieldChange } from '../../core/model/change.ts';
import type { Diagram, PlaylistDiagram, PlaylistEntry } from '../../core/model/diagram.ts';
import type { Plan } from '../../core/model/plan.ts';
import { type AssetTimes, assetTimes, type ListEntry, runOfShow } from '../../core/model/run-of-show.ts';
import { type PlaylistDiff, playlistDiffOf } from './playlist-diff.ts';
import { type RequestSequence, requestSequenceOf } from './request-sequence.ts';
import { type RunOfShowLayout, runOfShowLayout } from './run-of-show.ts';
import { type SettingsMatrix, settingsMatrixOf } from './settings-matrix.ts';

/** A diagram, ready to be drawn. Every text is unescaped data. */
export type DiagramLayout = PlaylistDiff | SettingsMatrix | RequestSequence | RunOfShowLayout;

/** Returns the diagram that the kind of a change describes; null if there is none. */
export type DiagramSource = (change: Change) => Diagram | null;

/** Returns a source whose playlists have the assets' names of a plan. */
export function withAssetNames(diagramOf: DiagramSource, { assetNames = {} }: Pick<Plan, 'assetNames'>): DiagramSource {
  const named = (entry: PlaylistEntry): PlaylistEntry => {
    const name = entry.type === 'beam' && Object.hasOwn(assetNames, entry.label) ? assetNames[entry.label] : undefined;
    return name === undefined ? entry : { ...entry, name };
  };
  return (change) => {
    const diagram = diagramOf(change);
    return diagram?.type === 'playlist' ? { ...diagram, before: diagram.before.map(named), after: diagram.after.map(named) } : diagram;
  };
}

/** The diagram of a change, and the fields that are shown as text. */
export interface ChangeDiagram {
  readonly layout: DiagramLayout;
  readonly textFields: readonly FieldChange[];
}

/** Maximum number of changes with a diagram; the others are shown as text. */
export const MAX_DIAGRAMS = 200;

/** Lays out the diagrams of a plan or a drift report, by address. Risky changes have precedence where there are too many. */
export function layOutDiagrams(type: 'plan' | 'drift', plan: Plan, diagramOf: DiagramSource): ReadonlyMap<string, ChangeDiagram> {
  const byAddress = new Map<string, ChangeDiagram>();
  const times = new Map(Object.entries(plan.assets ?? {}).map(([id, facts]) => [id, assetTimes(facts, null)]));
  for (const change of plan.changes.toSorted((a, b) => Number(isRisky(b)) - Number(isRisky(a)))) {
    if (byAddress.size >= MAX_DIAGRAMS) break;
    const diagram = change.fields.length === 0 ? null : diagramOf(change);
    if (diagram) byAddress.set(change.address, layOut(type, diagram, change, plan, times));
  }
  return byAddress;
}

function isRisky({ blocked, effect, playback }: Change): boolean {
  return blocked !== null || effect === 'weakens' || playback === 'stops';
}

function layOut(type: 'plan' | 'drift', diagram: Diagram, change: Change, { requests }: Plan, times: KnownTimes): ChangeDiagram {
  const fieldsExcept = (shown: readonly FieldChange[]) => change.fields.filter((field) => !shown.includes(field));
  switch (diagram.type) {
    case 'playlist':
      return { layout: withRunOfShow(playlistDiffOf(diagram), diagram, times), textFields: fieldsExcept([diagram.field]) };
    case 'policy':
      return { layout: settingsMatrixOf(diagram), textFields: fieldsExcept(diagram.settings.map(({ field }) => field)) };
    case 'account-setting':
      return {
        layout: requestSequenceOf(diagram, change, type === 'drift' ? null : requests),
        textFields: fieldsExcept(diagram.fields),
      };
  }
}

type KnownTimes = ReadonlyMap<string, AssetTimes>;

/** Adds the runs of show before and after, on one scale, if the duration of any asset is known. */
function withRunOfShow(diff: PlaylistDiff, { before, after, field }: PlaylistDiagram, times: KnownTimes): PlaylistDiff {
  const runOf = (entries: readonly PlaylistEntry[]) => {
    const run = runOfShow({ entries: entries.map(listEntry), breakSeconds: 0, repeat: 0 }, times, null);
    // A change does not say how long the ad breaks within assets are.
    return { ...run, hasUnknownBreaks: entries.some(({ type, label }) => type === 'beam' && times.get(label)?.breaks !== 0) };
  };
  const layout = runOfShowLayout(field.before === null ? null : runOf(before), field.after === null ? null : runOf(after));
  return layout.isByEntry ? diff : { ...diff, runOfShow: { ...layout, rows: [] } };
}

function listEntry({ type, label, seconds = 0 }: PlaylistEntry): ListEntry {
  return type === 'beam' ? { type, id: label } : { type, seconds };
}
