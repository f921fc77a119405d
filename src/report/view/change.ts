/** Renders a change as an item of a view. */
import type { Change } from '../../model/change.ts';
import type { ChangeDiagrams } from '../diagrams/index.ts';
import { fieldLines, reasonsOf } from '../text/field-diff.ts';
import { ACTION_SIGNS, EFFECTS, ORIGINS, otherName } from './labels.ts';
import { type DiagramContent, type Line, noDetail, type ViewItem } from './model.ts';

/** Builds the item of a change, with its diagrams if it has any. */
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
    notes: blocked === null ? [] : blockLines(blocked),
    detail: detailOf(change),
    facets: { action, effect, blocked: blocked !== null, kind },
    ...(drawing ? { drawn: drawnOf(change, drawing) } : {}),
  };
}

function detailOf(change: Change): ViewItem['detail'] {
  return change.fields.length === 0 ? noDetail : (paint, room) => fieldLines(change, paint, room);
}

/** Combines the diagrams with the risk reasons of their fields; the other fields stay text. */
function drawnOf(change: Change, { pictures, rest }: ChangeDiagrams): DiagramContent {
  const reasons = change.fields.filter((field) => !rest.includes(field)).flatMap(reasonsOf);
  return {
    pictures,
    reasons: reasons.toSorted((a, b) => Number(b.effect === 'loosens') - Number(a.effect === 'loosens')),
    detail: detailOf({ ...change, fields: rest }),
  };
}

function blockLines(blocked: NonNullable<Change['blocked']>): readonly Line[] {
  return [
    { tone: 'alarm', text: `blocked by safety check \`${blocked.check}\`: ${blocked.reason}` },
    { tone: 'plain', text: `override: ${blocked.override}` },
  ];
}
