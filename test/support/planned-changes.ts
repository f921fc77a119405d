/** Planned changes of songs and rules, one for each action. */
import type { CollectionKind, DesiredResource, Kind, LiveObject } from '../../src/core/kinds/kind.ts';
import type { Action, Change, Effect } from '../../src/core/model/change.ts';
import {
  type PlannedChange,
  planAdopt,
  planCreate,
  planDelete,
  planForget,
  planMove,
  planUpdate,
} from '../../src/core/state/planned-change.ts';
import { aLiveSong, aSong } from './planning.ts';

/** The resources and the effect of a change; by default `song/a` and the live object `one`. */
export interface ChangeParts {
  readonly desired?: DesiredResource;
  readonly live?: LiveObject;
  readonly effect?: Effect;
}

/** Plans a change without fields. */
export function plannedOf(kind: Kind, action: Action, parts: ChangeParts = {}): PlannedChange {
  const { desired = aSong('a'), live = aLiveSong('one', { title: 'The title' }), effect = 'neutral' } = parts;
  const planned = plainChange(kind, action, desired, live);
  const phase = action === 'create' || action === 'update' || action === 'delete' ? kind.phase(action, effect) : planned.change.phase;
  return { ...planned, change: { ...planned.change, effect, phase } };
}

function plainChange(kind: Kind, action: Action, desired: DesiredResource, live: LiveObject): PlannedChange {
  switch (action) {
    case 'create':
      return planCreate(collection(kind), desired, [], { replacesBoundObject: false, identityProblem: null });
    case 'update':
      return planUpdate(kind, desired, live, []);
    case 'delete':
      return planDelete(collection(kind), live, []);
    case 'adopt':
      return planAdopt(kind, desired, live);
    case 'move':
      return planMove(kind, desired, live, 'song/before');
    case 'forget':
      return planForget(kind, kind.idAddress(live), live);
  }
}

function collection(kind: Kind): CollectionKind {
  if (kind.type === 'setting') throw new Error(`${kind.name} is a setting, which is never created or deleted`);
  return kind;
}

/** Returns a planned change whose plain data has these members. */
export function changed(
  planned: PlannedChange,
  members: Partial<
    Pick<Change, 'address' | 'name' | 'fields' | 'effect' | 'origin' | 'playback' | 'playbackReasons' | 'phase' | 'wave' | 'blocked'>
  >,
): PlannedChange {
  return { ...planned, change: { ...planned.change, ...members } };
}
