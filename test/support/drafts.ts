/** Drafts of changes to songs and rules, one for each action. */
import type { CollectionKind, DesiredResource, Kind, LiveObject } from '../../src/core/kinds/kind.ts';
import type { Action, Effect } from '../../src/core/model/change.ts';
import {
  type ChangeDraft,
  draftAdopt,
  draftCreate,
  draftDelete,
  draftForget,
  draftMove,
  draftUpdate,
} from '../../src/core/state/change-draft.ts';
import { aLiveSong, aSong } from './planning.ts';

/** The resources and the effect of a draft; by default `song/a` and the live object `one`. */
export interface DraftParts {
  readonly desired?: DesiredResource;
  readonly live?: LiveObject;
  readonly effect?: Effect;
}

/** Builds a draft without fields. */
export function draftOf(kind: Kind, action: Action, parts: DraftParts = {}): ChangeDraft {
  const { desired = aSong('a'), live = aLiveSong('one', { title: 'The title' }), effect = 'neutral' } = parts;
  return { ...plainDraft(kind, action, desired, live), effect };
}

function plainDraft(kind: Kind, action: Action, desired: DesiredResource, live: LiveObject): ChangeDraft {
  switch (action) {
    case 'create':
      return draftCreate(collection(kind), desired, [], { replacesBoundObject: false, identityProblem: null });
    case 'update':
      return draftUpdate(kind, desired, live, []);
    case 'delete':
      return draftDelete(collection(kind), live, []);
    case 'adopt':
      return draftAdopt(kind, desired, live);
    case 'move':
      return draftMove(kind, desired, live, 'song/before');
    case 'forget':
      return draftForget(kind, kind.idAddress(live), live);
  }
}

function collection(kind: Kind): CollectionKind {
  if (kind.type === 'setting') throw new Error(`${kind.name} is a setting, which is never created or deleted`);
  return kind;
}
