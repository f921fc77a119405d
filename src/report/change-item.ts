/** A change as an item of a page. */
import type { Change } from '../model/change.ts';
import { fieldLines, reasonsOf } from './fields.ts';
import { type Drawn, type Item, noDetail, type Statement } from './page.ts';
import type { Drawing } from './pictures.ts';
import { EFFECTS, ORIGINS, otherName, SIGNS } from './words.ts';

/** One change, with what is said of it, and where some of it can be drawn, the drawing. */
export function changeItem(change: Change, patched: ReadonlySet<string>, drawing?: Drawing): Item {
  const { address, name, action, effect, held, kind } = change;
  const marks = [
    otherName(address, name),
    EFFECTS[effect],
    ORIGINS[change.origin],
    change.movedFrom === undefined ? null : `moved from ${change.movedFrom}`,
    change.adopts === undefined ? null : `adopts ${change.adopts}`,
    patched.has(address) ? 'new sessions only' : null,
  ];
  return {
    ...SIGNS[action],
    word: action,
    subject: address,
    remarks: marks.filter((mark) => mark !== null),
    notes: held === null ? [] : holding(held),
    detail: detailOf(change),
    facets: { action, effect, held: held !== null, kind },
    ...(drawing ? { drawn: drawnOf(change, drawing) } : {}),
  };
}

function detailOf(change: Change): Item['detail'] {
  return change.fields.length === 0 ? noDetail : (paint, room) => fieldLines(change, paint, room);
}

/** The pictures with the reasons of what they show; all else stays words. */
function drawnOf(change: Change, { pictures, rest }: Drawing): Drawn {
  const reasons = change.fields.filter((field) => !rest.includes(field)).flatMap(reasonsOf);
  return {
    pictures,
    reasons: reasons.toSorted((a, b) => Number(b.effect === 'loosens') - Number(a.effect === 'loosens')),
    detail: detailOf({ ...change, fields: rest }),
  };
}

function holding(held: NonNullable<Change['held']>): readonly Statement[] {
  return [
    { tone: 'alarm', text: `held by ${held.brake}: ${held.reason}` },
    { tone: 'plain', text: `way out: ${held.release}` },
  ];
}
