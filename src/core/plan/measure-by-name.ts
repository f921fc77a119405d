/**
 * Measures objects that the outside calls by their unique names, such as the policies in playback URLs, by these names (design section 10):
 * the effect of a change is that of the object that has a name now and of the one that has it afterwards, whatever object, address or move is
 * behind it.
 */
import { type CollectionKind, isLiveObject, type LiveObject } from '../kinds/kind.ts';
import { combineEffects, type FieldChange, worstPlayback, writesOnService } from '../model/change.ts';
import { compareStrings } from '../model/finding.ts';
import { type Assessed, assessChange, isBehind, type PlannedChange, withAssessment } from '../state/planned-change.ts';
import { isCollectionState, type KindState } from './kind-state.ts';

/**
 * Measures the changes of such kinds that are selected; the others are returned as they are. The cases of a name:
 *
 *   has the name now | has it afterwards           | compared                             | at the change that
 *   -----------------+-----------------------------+--------------------------------------+----------------------------
 *   an object        | the same object             | the object before and afterwards     | updates it
 *   an object        | another one, or a new one   | the one now and the one afterwards   | gives the name to the other
 *   an object        | nobody                      | the object and nothing: a delete     | renames or deletes it
 *   nobody           | an object, renamed          | nothing and the object: a create     | renames it
 *   nobody           | a new object                | nothing and the object: a create     | creates it
 *
 * A rename concerns two names: that which it leaves, unless another change takes it, and that which it takes.
 */
export function measureByName(
  planned: readonly PlannedChange[],
  kindStates: readonly KindState[],
  isSelected: (planned: PlannedChange) => boolean,
): readonly PlannedChange[] {
  const names = new Map(
    kindStates
      .filter(isCollectionState)
      .filter(({ kind, read }) => kind.hasUniqueRemoteNames && read.status === 'complete')
      .map(({ kind, read }) => {
        const made = planned.filter((each) => each.kind === kind && writesOnService(each.change) && !isBehind(each) && isSelected(each));
        return [kind.name, namesOf(kind, read.result.objects, made)];
      }),
  );
  return planned.map((each) => {
    const ofKind = names.get(each.kind.name);
    return ofKind?.changes.has(each) ? measured(each, ofKind) : each;
  });
}

/** The names of one kind: which live object has each now, and which change gives it to an object. */
interface Names {
  readonly kind: CollectionKind;
  readonly changes: ReadonlySet<PlannedChange>;
  readonly holders: ReadonlyMap<string, LiveObject>;
  readonly takers: ReadonlyMap<string, PlannedChange>;
}

function namesOf(kind: CollectionKind, objects: readonly LiveObject[], made: readonly PlannedChange[]): Names {
  return {
    kind,
    changes: new Set(made),
    // Where several have a name, `identity` or the schedule blocks its change. Which one is compared does not depend on their order.
    holders: new Map([...objects].sort((a, b) => compareStrings(b.id, a.id)).map((live) => [live.remoteName, live])),
    takers: new Map(made.flatMap((each) => (each.desired?.remoteName === undefined ? [] : [[each.desired.remoteName, each]]))),
  };
}

function measured(planned: PlannedChange, { kind, holders, takers }: Names): PlannedChange {
  const { change, desired, live } = planned;
  const [nameBefore, nameAfter] = [live && isLiveObject(live) ? live.remoteName : undefined, desired?.remoteName];
  if (nameBefore === nameAfter) return planned;
  const holder = nameAfter === undefined ? undefined : holders.get(nameAfter);
  const taker = nameBefore === undefined ? undefined : takers.get(nameBefore);
  // What is created under a new name, or deleted for good, has no namesake.
  if (nameBefore === undefined && holder === undefined) return planned;
  if (nameAfter === undefined && taker === undefined) return planned;
  const taken =
    desired === null ? [] : [assessChange({ kind, action: change.action, before: holder ?? null, after: desired }, change.fields)];
  const left =
    live === null || taker !== undefined ? [] : [assessChange({ kind, action: 'delete', before: live, after: null }, change.fields)];
  return {
    ...withAssessment(planned, combined(change.fields, [...taken, ...left])),
    namesake: holder ?? null,
    nameGoesTo: taker?.change.address ?? null,
  };
}

/** Combines assessments of the same fields: all reasons of each field, and all of playback. */
function combined(fields: readonly FieldChange[], parts: readonly Assessed[]): Assessed {
  const withReasons = fields.map(({ reasons: _own, effect: _effect, ...field }, index): FieldChange => {
    const reasons = parts.flatMap((part) => part.fields[index]?.reasons ?? []);
    return { ...field, effect: combineEffects(reasons), ...(reasons.length === 0 ? {} : { reasons }) };
  });
  const playbackReasons = parts.flatMap((part) => part.playbackReasons ?? []);
  return {
    fields: withReasons,
    effect: combineEffects(withReasons),
    playback: worstPlayback(playbackReasons),
    ...(playbackReasons.length === 0 ? {} : { playbackReasons }),
  };
}
