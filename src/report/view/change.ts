/** A change as an item of a page. */
import type { Change } from '../../model/change.ts';
import type { ChangeDiagrams } from '../diagrams/index.ts';
import { fieldLines, reasonsOf } from '../text/field-diff.ts';
import { ACTION_SIGNS, EFFECTS, ORIGINS, otherName } from './labels.ts';
import { type DiagramContent, type Line, noDetail, type ViewItem } from './model.ts';

/** One change, with what is said of it, and where some of it can be drawn, the drawing. */
export function changeItem(change: Change, patched: ReadonlySet<string>, drawing?: ChangeDiagrams): ViewItem {
  const { address, name, action, effect, blocked, kind } = change;
  const marks = [
    otherName(address, name),
    EFFECTS[effect],
    ORIGINS[change.origin],
    change.movedFrom === undefined ? null : `moved from ${change.movedFrom}`,
    change.adopts === undefined ? null : `adopts ${change.adopts}`,
    patched.has(address) ? 'new sessions only' : null,
  ];
  return {
    ...ACTION_SIGNS[action],
    word: action,
    subject: address,
    remarks: marks.filter((mark) => mark !== null),
    notes: blocked === null ? [] : holding(blocked),
    detail: detailOf(change),
    facets: { action, effect, held: blocked !== null, kind },
    ...(drawing ? { drawn: drawnOf(change, drawing) } : {}),
  };
}

function detailOf(change: Change): ViewItem['detail'] {
  return change.fields.length === 0 ? noDetail : (paint, room) => fieldLines(change, paint, room);
}

/** The pictures with the reasons of what they show; all else stays words. */
function drawnOf(change: Change, { pictures, rest }: ChangeDiagrams): DiagramContent {
  const reasons = change.fields.filter((field) => !rest.includes(field)).flatMap(reasonsOf);
  return {
    pictures,
    reasons: reasons.toSorted((a, b) => Number(b.effect === 'loosens') - Number(a.effect === 'loosens')),
    detail: detailOf({ ...change, fields: rest }),
  };
}

function holding(blocked: NonNullable<Change['blocked']>): readonly Line[] {
  return [
    { tone: 'alarm', text: `held by ${blocked.check}: ${blocked.reason}` },
    { tone: 'plain', text: `way out: ${blocked.override}` },
  ];
}
