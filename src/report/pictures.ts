/** Which fields of a change can be drawn, told by their shape: lists of assets and ad breaks, settings of DRM systems, settings of the account. */
import type { Change, FieldChange } from '../model/change.ts';
import type { Plan } from '../model/plan.ts';
import { boardOf, isOnBoard } from './board.ts';
import type { Picture } from './picture.ts';
import { type Numbered, stepsOf } from './steps.ts';
import { timelineOf } from './timeline.ts';

/** Changes of a document that are drawn; the others are told in words. */
const MOST_DRAWN = 200;

/** The pictures of a change, and the fields that they leave to words. */
export interface Drawing {
  readonly pictures: readonly Picture[];
  readonly rest: readonly FieldChange[];
}

/** Draws the changes of a plan, or of what drifted: by address, only what can be drawn. */
export function drawingsOf(type: 'plan' | 'drift', { changes, requests }: Plan): ReadonlyMap<string, Drawing> {
  const drawings = new Map<string, Drawing>();
  for (const change of changes.toSorted((a, b) => Number(isRisky(b)) - Number(isRisky(a)))) {
    const own = () => (type === 'drift' ? null : numbered(requests, change.address));
    const drawing = drawings.size < MOST_DRAWN ? drawingOf(change, own) : null;
    if (drawing) drawings.set(change.address, drawing);
  }
  return drawings;
}

/** The requests that cover an address, with their place in the plan, from 1. */
function numbered(requests: Plan['requests'], address: string): readonly Numbered[] {
  return requests.flatMap((request, index) => (request.covers.includes(address) ? [{ ...request, number: index + 1 }] : []));
}

function isRisky({ held, effect }: Change): boolean {
  return held !== null || effect === 'loosens';
}

function drawingOf(change: Change, requests: () => readonly Numbered[] | null): Drawing | null {
  if (change.fields.length === 0) return null;
  // A setting of the account is the only one of its kind, so its address is its kind (design section 1).
  if (change.address === change.kind) return { pictures: [stepsOf(change, requests())], rest: [] };
  const timelines = change.fields.flatMap((field) => timelineOf(field) ?? []);
  const board = boardOf(change.fields);
  const pictures = [...timelines, ...(board ? [board] : [])];
  if (pictures.length === 0) return null;
  return { pictures, rest: change.fields.filter((field) => timelineOf(field) === null && !isOnBoard(field)) };
}
