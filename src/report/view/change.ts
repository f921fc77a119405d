/** Builds the items of changes: one for each change, or for many equal ones. */
import { createHash } from 'node:crypto';
import { blockingChecks, type Change, PLAYBACKS, type Playback, type PlaybackReason, type RiskReason } from '../../core/model/change.ts';
import { groupBy } from '../../core/model/collections.ts';
import type { Diagram } from '../../core/model/diagram.ts';
import { CONTENT_KEY_SPECS } from '../../core/model/impact.ts';
import type { ChangeDiagram, DiagramSource } from '../diagrams/index.ts';
import type { Style } from '../text/colors.ts';
import { fieldLines, reasonsOf } from '../text/field-diff.ts';
import { verbFor } from './effects.ts';
import { ACTION_SIGNS, count, ignoredText, ORIGINS, PLAYBACK_LABELS, quoteFlags, riskLabels } from './labels.ts';
import { sourceLink } from './links.ts';
import { type DiagramContent, type Line, type Link, type Member, noDetail, type ViewItem } from './model.ts';

/** What the items of changes need to know of their report. */
export interface ChangeContext {
  readonly target: string;
  /** The addresses that a PATCH updates. */
  readonly patched: ReadonlySet<string>;
  readonly diagramOf: DiagramSource;
  /** The diagrams that HTML shows, by address. */
  readonly diagrams: ReadonlyMap<string, ChangeDiagram>;
  /** Returns where a change is declared. */
  readonly sourceOf: (change: Change) => Link | undefined;
}

/** Returns the context of a change that is shown by itself. */
export function plainContext(target: string, diagramOf: DiagramSource): ChangeContext {
  const sourceOf = ({ declared }: Change) => declared && sourceLink(declared, null, '', null);
  return { target, patched: new Set(), diagramOf, diagrams: new Map(), sourceOf };
}

/** Number of equal changes from which they are one item. */
export const MIN_EQUAL = 3;

/** Builds the items of changes: equal ones, and deletes for the same reason, become one where the first of them is. */
export function changeItems(changes: readonly Change[], context: ChangeContext): readonly ViewItem[] {
  const keys = new Map(changes.map((change) => [change, equalityKey(change, context.patched)]));
  const groups = groupBy(changes, (change) => keys.get(change));
  return changes.flatMap((change) => {
    const group = groups.get(keys.get(change)) ?? [];
    if (group.length < MIN_EQUAL) return [changeItem(change, context)];
    return group[0] === change ? [groupItem(change, group, context)] : [];
  });
}

/** Returns a text that equal changes have in common. What a delete takes away may differ. */
function equalityKey(change: Change, patched: ReadonlySet<string>): string {
  const { address, kind, action, effect, playback, origin, blocked, playbackReasons = [], ignored = [], fields } = change;
  const own = action === 'adopt' || action === 'move' || 'movedFrom' in change || 'adopts' in change ? address : '';
  const rest = [playbackReasons, ignored, action === 'delete' ? [] : fields];
  return JSON.stringify([own, kind, action, effect, playback, origin, blocked, patched.has(address), ...rest]);
}

/** Builds the item of a change. */
export function changeItem(change: Change, context: ChangeContext): ViewItem {
  const { address, name } = change;
  const diagram = context.diagrams.get(address);
  const source = context.sourceOf(change);
  const from = 'movedFrom' in change ? change.movedFrom : undefined;
  const adopted = 'adopts' in change ? change.adopts : undefined;
  const remarks = [
    ...sharedRemarks(change, context),
    from === undefined ? null : `moved from ${from}`,
    adopted === undefined ? null : `adopts ${adopted}`,
  ];
  return {
    ...sharedParts(change),
    subject: address,
    name: name === '' ? address : name,
    anchor: anchorOf(context.target, address),
    ...(source ? { source } : {}),
    remarks: remarks.filter((remark) => remark !== null),
    detail: fieldDetail(change, () => context.diagramOf(change)),
    ...(diagram ? { diagram: diagramContent(change, diagram) } : {}),
  };
}

/** Builds the item of several equal changes; `first` is one of them. */
function groupItem(first: Change, group: readonly Change[], context: ChangeContext): ViewItem {
  const isDelete = first.action === 'delete';
  const members = group.map((change): Member => {
    const { address, name } = change;
    const source = context.sourceOf(change);
    return {
      address,
      name: name === '' ? address : name,
      anchor: anchorOf(context.target, address),
      ...(source ? { source } : {}),
      detail: isDelete ? fieldDetail(change, () => context.diagramOf(change)) : noDetail,
    };
  });
  return {
    ...sharedParts(first, group.length),
    subject: count(group.length, first.kind),
    isPhrase: true,
    members,
    remarks: sharedRemarks(first, context, group.length),
    detail: isDelete ? noDetail : fieldDetail(first, () => context.diagramOf(first)),
  };
}

/** Returns the anchor of a change: the same in every report, whatever else it holds. */
function anchorOf(target: string, address: string): string {
  return `c-${createHash('sha256')
    .update(JSON.stringify([target, address]))
    .digest('hex')
    .slice(0, 12)}`;
}

/** Returns what one change, or one of several equal ones, shows in any case. */
function sharedParts(
  change: Change,
  number = 1,
): Pick<ViewItem, 'style' | 'sign' | 'word' | 'notes' | 'facets'> & { readonly word: string } {
  const { action, effect, playback, blocked, kind } = change;
  return {
    ...ACTION_SIGNS[action],
    word: action,
    notes: [...blockLines(change), ...playbackLines(change, number), ...scopeLines(change), ...ignoredLines(change)],
    facets: { action, effect, playback, blocked: blocked !== null, kind },
  };
}

/** Returns the remarks on one change, or on several equal ones: their verbs are in the number of the subject. */
function sharedRemarks(change: Change, { patched }: ChangeContext, number = 1): readonly string[] {
  const remarks = [
    ...riskLabels(change).map((label) => verbFor({ length: number }, label)),
    ORIGINS[change.origin],
    patched.has(change.address) ? 'new sessions only' : null,
  ];
  return remarks.filter((remark) => remark !== null);
}

function fieldDetail(change: Change, diagram: () => Diagram | null): ViewItem['detail'] {
  return change.fields.length === 0 ? noDetail : (paint, width) => fieldLines(withoutSaidReasons(change), diagram(), paint, width);
}

/** Combines a diagram with the risk reasons of the fields that it shows; the other fields stay text. */
function diagramContent(change: Change, { layout, textFields }: ChangeDiagram): DiagramContent {
  const reasons = withoutSaidReasons({ ...change, fields: change.fields.filter((field) => !textFields.includes(field)) }).fields.flatMap(
    reasonsOf,
  );
  return {
    layout,
    reasons: reasons.toSorted((a, b) => Number(b.effect === 'weakens') - Number(a.effect === 'weakens')),
    detail: fieldDetail({ ...change, fields: textFields }, () => null),
  };
}

/** Names each check that blocks a change. What only weakens protection has its reasons at its fields, and they are not repeated. */
function blockLines({ blocked, fields }: Change): readonly Line[] {
  if (blocked === null) return [];
  const checks = blockingChecks(blocked);
  const hasReasons = fields.some(({ reasons = [] }) => reasons.length > 0);
  return [
    ...checks.flatMap(({ check, reason, override }): readonly Line[] => [
      {
        style: 'alarm',
        text: `blocked by safety check \`${check}\`${check === 'weakening' && hasReasons ? '' : `: ${quoteFlags(reason)}`}`,
      },
      { style: 'plain', text: `override: ${quoteFlags(override)}` },
    ]),
    ...(checks.length > 1
      ? [{ style: 'plain', text: `${checks.length === 2 ? 'both' : `all ${checks.length}`} overrides are needed` } as const]
      : []),
  ];
}

/** Returns a change whose fields do not give the reasons again that the lines about what stops playback give. */
function withoutSaidReasons(change: Change): Change {
  const said = new Set((change.playbackReasons ?? []).filter(({ playback }) => playback === 'stops').map(({ text }) => text));
  const isNew = ({ text }: RiskReason) => !said.has(text);
  const fields = change.fields.map((field) => (field.reasons ? { ...field, reasons: field.reasons.filter(isNew) } : field));
  return { ...change, fields };
}

/** Says of Widevine settings per track to which content they apply (drm-api-v3 section 2.3). */
function scopeLines({ fields }: Change): readonly Line[] {
  return fields.some(({ path }) => path.startsWith('/widevine/content_key_specs/')) ? [{ style: 'quiet', text: CONTENT_KEY_SPECS }] : [];
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

/**
 * Returns why a change affects playback, worst first; without what the reason why it is blocked says in the same words, and without the
 * reasons that its fields give for protection, too.
 */
function playbackLines({ effect, playbackReasons = [], fields, blocked }: Change, number: number): readonly Line[] {
  const textOf = ({ text, offAir }: PlaybackReason) => (number > 1 && offAir ? text.replace(/^it goes\b/, 'they go') : text);
  const labelOf = ({ playback }: PlaybackReason) => verbFor({ length: number }, PLAYBACK_LABELS[playback] ?? '');
  const styleOf = ({ playback }: PlaybackReason) => (playback === 'gains' && effect === 'weakens' ? 'warning' : PLAYBACK_STYLES[playback]);
  const rank = ({ playback }: { readonly playback: Playback }) => PLAYBACKS.indexOf(playback);
  const ofFields = new Set(fields.flatMap(({ reasons = [] }) => reasons.map(({ text }) => text)));
  const isNew = ({ playback, text }: { readonly playback: Playback; readonly text: string }) =>
    blocked?.reason.includes(text) !== true && (playback === 'stops' || !ofFields.has(text));
  const sorted = playbackReasons.filter(isNew).toSorted((a, b) => rank(a) - rank(b));
  const more = sorted.length - MAX_PLAYBACK_REASONS;
  return [
    ...sorted
      .slice(0, MAX_PLAYBACK_REASONS)
      .map((reason): Line => ({ style: styleOf(reason), text: `${labelOf(reason)}: ${textOf(reason)}` })),
    ...(more > 0 ? [{ style: 'quiet', text: `and ${more} more reasons about playback, in the JSON document` } as const] : []),
  ];
}
