/** Selects the fields of a change that have a diagram, by their shape: lists of assets and ad breaks, DRM settings, account settings. */
import type { Change, FieldChange } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import type { Diagram } from './model.ts';
import { playlistDiffOf } from './playlist-diff.ts';
import { type Numbered, requestSequenceOf } from './request-sequence.ts';
import { isInSettingsMatrix, settingsMatrixOf } from './settings-matrix.ts';

/** Maximum number of changes with diagrams; the others are shown as text. */
const MOST_DRAWN = 200;

/** The diagrams of a change, and the fields that are shown as text. */
export interface ChangeDiagrams {
  readonly pictures: readonly Diagram[];
  readonly rest: readonly FieldChange[];
}

/** Draws the changes of a plan, or of what drifted: by address, only what can be drawn. */
export function diagramsOf(type: 'plan' | 'drift', { changes, requests }: Plan): ReadonlyMap<string, ChangeDiagrams> {
  const drawings = new Map<string, ChangeDiagrams>();
  for (const change of changes.toSorted((a, b) => Number(isRisky(b)) - Number(isRisky(a)))) {
    const own = () => (type === 'drift' ? null : numbered(requests, change.address));
    const drawing = drawings.size < MOST_DRAWN ? drawingOf(change, own) : null;
    if (drawing) drawings.set(change.address, drawing);
  }
  return drawings;
}

/** Returns the requests of an address, with their number in the plan, from 1. */
function numbered(requests: Plan['requests'], address: string): readonly Numbered[] {
  return requests.flatMap((request, index) => (request.addresses.includes(address) ? [{ ...request, number: index + 1 }] : []));
}

function isRisky({ blocked, effect }: Change): boolean {
  return blocked !== null || effect === 'loosens';
}

function drawingOf(change: Change, requests: () => readonly Numbered[] | null): ChangeDiagrams | null {
  if (change.fields.length === 0) return null;
  // A setting of the account is the only one of its kind, so its address is its kind (design section 1).
  if (change.address === change.kind) return { pictures: [requestSequenceOf(change, requests())], rest: [] };
  const timelines = change.fields.flatMap((field) => playlistDiffOf(field) ?? []);
  const board = settingsMatrixOf(change.fields);
  const pictures = [...timelines, ...(board ? [board] : [])];
  if (pictures.length === 0) return null;
  return { pictures, rest: change.fields.filter((field) => playlistDiffOf(field) === null && !isInSettingsMatrix(field)) };
}
