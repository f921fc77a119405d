import { type Change, PLAYBACKS, type Playback } from '../../model/change.ts';
import type { Diagram } from '../../model/diagram.ts';
import type { ChangeDiagram, DiagramSource } from '../diagrams/index.ts';
import type { Style } from '../text/colors.ts';
import { fieldLines, reasonsOf } from '../text/field-diff.ts';
import { ACTION_SIGNS, ignoredText, ORIGINS, PLAYBACK_LABELS, quotedName, riskLabels } from './labels.ts';
import { type DiagramContent, type Line, noDetail, type ViewItem } from './model.ts';

/** Builds the item of a change. `patched` are the addresses that a PATCH updates; HTML shows `diagram`, if there is one. */
export function changeItem(change: Change, patched: ReadonlySet<string>, diagramOf: DiagramSource, diagram?: ChangeDiagram): ViewItem {
  const { address, name, action, effect, playback, blocked, kind } = change;
  const from = 'movedFrom' in change ? change.movedFrom : undefined;
  const adopted = 'adopts' in change ? change.adopts : undefined;
  const remarks = [
    quotedName(address, name),
    ...riskLabels(change),
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
    notes: [...(blocked === null ? [] : blockLines(blocked)), ...playbackLines(change), ...ignoredLines(change)],
    detail: fieldDetail(change, () => diagramOf(change)),
    facets: { action, effect, playback, blocked: blocked !== null, kind },
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

/** Returns a line about each field that is left to others. */
function ignoredLines({ ignored = [] }: Change): readonly Line[] {
  return ignored.map((field) => ({ style: 'quiet', text: ignoredText(field) }));
}

/** Maximum number of reasons about playback that are shown for one change. */
const MAX_PLAYBACK_REASONS = 12;

const PLAYBACK_STYLES: { readonly [playback in Playback]: Style } = {
  stops: 'alarm',
  reduces: 'warning',
  unknown: 'warning',
  gains: 'quiet',
  neutral: 'quiet',
};

/** Returns why a change affects playback, worst first. */
function playbackLines({ playbackReasons = [] }: Change): readonly Line[] {
  const rank = ({ playback }: { readonly playback: Playback }) => PLAYBACKS.indexOf(playback);
  const sorted = playbackReasons.toSorted((a, b) => rank(a) - rank(b));
  const more = sorted.length - MAX_PLAYBACK_REASONS;
  return [
    ...sorted
      .slice(0, MAX_PLAYBACK_REASONS)
      .map(({ playback, text }): Line => ({ style: PLAYBACK_STYLES[playback], text: `${PLAYBACK_LABELS[playback]}: ${text}` })),
    ...(more > 0 ? [{ style: 'quiet', text: `and ${more} more reasons about playback, in the JSON document` } as const] : []),
  ];
}
