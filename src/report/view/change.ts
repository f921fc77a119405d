import type { Change } from '../../model/change.ts';
import type { Diagram } from '../../model/diagram.ts';
import type { ChangeDiagram, DiagramSource } from '../diagrams/index.ts';
import { fieldLines, reasonsOf } from '../text/field-diff.ts';
import { ACTION_SIGNS, EFFECTS, ORIGINS, quotedName } from './labels.ts';
import { type DiagramContent, type Line, noDetail, type ViewItem } from './model.ts';

/** Builds the item of a change. `patched` are the addresses that a PATCH updates; HTML shows `diagram`, if there is one. */
export function changeItem(change: Change, patched: ReadonlySet<string>, diagramOf: DiagramSource, diagram?: ChangeDiagram): ViewItem {
  const { address, name, action, effect, blocked, kind } = change;
  const from = 'movedFrom' in change ? change.movedFrom : undefined;
  const adopted = 'adopts' in change ? change.adopts : undefined;
  const remarks = [
    quotedName(address, name),
    EFFECTS[effect],
    ORIGINS[change.origin],
    from === undefined ? null : `moved from ${from}`,
    adopted === undefined ? null : `adopts ${adopted}`,
    patched.has(address) ? 'new sessions only' : null,
  ];
  return {
    ...ACTION_SIGNS[action],
    word: action,
    subject: address,
    remarks: remarks.filter((remark) => remark !== null),
    notes: blocked === null ? [] : blockLines(blocked),
    detail: fieldDetail(change, () => diagramOf(change)),
    facets: { action, effect, blocked: blocked !== null, kind },
    ...(diagram ? { diagram: diagramContent(change, diagram) } : {}),
  };
}

function fieldDetail(change: Change, diagram: () => Diagram | null): ViewItem['detail'] {
  return change.fields.length === 0 ? noDetail : (paint, width) => fieldLines(change, diagram(), paint, width);
}

/** Combines a diagram with the risk reasons of the fields that it shows; the other fields stay text. */
function diagramContent(change: Change, { layout, textFields }: ChangeDiagram): DiagramContent {
  const reasons = change.fields.filter((field) => !textFields.includes(field)).flatMap(reasonsOf);
  return {
    layout,
    reasons: reasons.toSorted((a, b) => Number(b.effect === 'loosens') - Number(a.effect === 'loosens')),
    detail: fieldDetail({ ...change, fields: textFields }, () => null),
  };
}

function blockLines({ check, reason, override }: NonNullable<Change['blocked']>): readonly Line[] {
  return [
    { style: 'alarm', text: `blocked by safety check \`${check}\`: ${reason}` },
    { style: 'plain', text: `override: ${override}` },
  ];
}
