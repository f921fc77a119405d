/** Builds the items of changes: one for each change, or for many equal ones. */
import { createHash } from 'node:crypto';
import {
  blockingChecks,
  type Change,
  type FieldChange,
  isForAll,
  PLAYBACKS,
  type Playback,
  type PlaybackReason,
  type RiskReason,
} from '../../core/model/change.ts';
import { groupBy } from '../../core/model/collections.ts';
import type { Diagram } from '../../core/model/diagram.ts';
import { CONTENT_KEY_SPECS } from '../../core/model/impact.ts';
import type { Json } from '../../core/model/json.ts';
import { liftText } from '../../core/model/lift.ts';
import type { ChangeDiagram, DiagramSource } from '../diagrams/index.ts';
import type { Style } from '../text/colors.ts';
import { differingText, fieldLines, reasonsOf } from '../text/field-diff.ts';
import { verbFor } from './effects.ts';
import { ACTION_SIGNS, countOfKind, ignoredText, originLabel, PLAYBACK_LABELS, quoteFlags, riskLabels } from './labels.ts';
import { sourceLink } from './links.ts';
import { type DiagramContent, type Line, type Link, MAX_UNFOLDED_MEMBERS, type Member, noDetail, type ViewItem } from './model.ts';

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
  /** Whether each change is an item of its own. */
  readonly full: boolean;
}

/** Returns the context of a change that is shown by itself. */
export function plainContext(target: string, diagramOf: DiagramSource): ChangeContext {
  const sourceOf = ({ declared }: Change) => declared && sourceLink(declared, null, '', null);
  return { target, patched: new Set(), diagramOf, diagrams: new Map(), sourceOf, full: true };
}

/** Number of equal changes, or of similar ones, from which they are one item. */
export const MIN_EQUAL = 3;

/** Builds the items of changes: equal ones, and similar ones that fold, become one where the first of them is. */
export function changeItems(changes: readonly Change[], context: ChangeContext): readonly ViewItem[] {
  if (context.full) return changes.map((change) => changeItem(change, context));
  const keys = new Map(changes.map((change) => [change, similarityKey(change, context.patched)]));
  const groups = groupBy(changes, (change) => keys.get(change));
  return changes.flatMap((change) => {
    const group = groups.get(keys.get(change)) ?? [];
    if (group.length < MIN_EQUAL) return [changeItem(change, context)];
    return group[0] === change ? [groupItem(change, group, context)] : [];
  });
}

/** Decides whether similar changes like this one fold: nothing blocks it for itself, and it neither weakens protection nor takes playback away. */
export function folds({ blocked, effect, playback }: Change): boolean {
  return (
    (blocked === null || blockingChecks(blocked).every(isForAll)) &&
    effect !== 'weakens' &&
    (playback === 'neutral' || playback === 'gains')
  );
}

/**
 * Returns a text that the changes of one item have in common. What a delete takes away may differ. Of changes that fold, so may the values
 * that a create sets, and the object that an address is bound to.
 */
export function similarityKey(change: Change, patched: ReadonlySet<string>): string {
  const { address, kind, action, effect, playback, origin, blocked, playbackReasons = [], ignored = [], fields } = change;
  const mayFold = folds(change);
  const isOnlyBound = action === 'adopt' || action === 'move';
  const bindsObject = isOnlyBound || 'movedFrom' in change || 'adopts' in change;
  const own = bindsObject && !(isOnlyBound && mayFold) ? address : '';
  const compared = action === 'delete' ? [] : action === 'create' && mayFold ? fields.map(withoutValues) : fields;
  return JSON.stringify([own, kind, action, effect, playback, origin, blocked, patched.has(address), playbackReasons, ignored, compared]);
}

function withoutValues({ before: _before, after: _after, ...field }: FieldChange): Omit<FieldChange, 'before' | 'after'> {
  return field;
}

/** Builds the item of a change. */
export function changeItem(change: Change, context: ChangeContext): ViewItem {
  const { address, name } = change;
  const diagram = context.diagrams.get(address);
  const source = context.sourceOf(change);
  return {
    ...sharedParts(change),
    subject: address,
    name: name === '' ? address : name,
    anchor: anchorOf(context.target, address),
    ...(source ? { source } : {}),
    remarks: [...sharedRemarks(change, context), ...bindingRemarks(change)],
    detail: fieldDetail(change, () => context.diagramOf(change)),
    ...(diagram ? { diagram: diagramContent(change, diagram) } : {}),
  };
}

/** Names the objects that a change binds to its address. */
function bindingRemarks(change: Change): readonly string[] {
  const from = 'movedFrom' in change ? change.movedFrom : undefined;
  const adopted = 'adopts' in change ? change.adopts : undefined;
  return [...(from === undefined ? [] : [`moved from ${from}`]), ...(adopted === undefined ? [] : [`adopts ${adopted}`])];
}

/** Builds the item of several equal or similar changes; `first` is one of them. */
function groupItem(first: Change, group: readonly Change[], context: ChangeContext): ViewItem {
  const isDelete = first.action === 'delete';
  const valuesOf = differingValues(group);
  const members = group.map((change): Member => {
    const { address, name } = change;
    const source = context.sourceOf(change);
    const [remark] = bindingRemarks(change);
    const own = isDelete ? change : { ...change, fields: change.fields.filter(({ path }) => valuesOf.has(path)) };
    return {
      address,
      name: name === '' ? address : name,
      anchor: anchorOf(context.target, address),
      ...(source ? { source } : {}),
      ...(remark === undefined ? {} : { remark }),
      detail: fieldDetail(own, () => context.diagramOf(change)),
    };
  });
  const isShort = folds(first) && (isDelete || valuesOf.size > 0 || group.length > MAX_UNFOLDED_MEMBERS + 1);
  const texts = new Map([...valuesOf].map(([path, values]) => [path, differingText(values)]));
  return {
    ...sharedParts(first, group.length),
    subject: countOfKind(group.length, first.kind),
    isPhrase: true,
    members,
    ...(isShort ? { unfolded: MAX_UNFOLDED_MEMBERS } : {}),
    remarks: sharedRemarks(first, context, group.length),
    detail: isDelete ? noDetail : fieldDetail(first, () => context.diagramOf(first), texts),
  };
}

/** Returns the values of the fields in which changes with the same fields differ, by path. */
function differingValues(group: readonly Change[]): ReadonlyMap<string, readonly Json[]> {
  const byPath = groupBy(
    group.flatMap(({ fields }) => fields),
    ({ path }) => path,
  );
  const differing = [...byPath].flatMap(([path, fields]): [string, readonly Json[]][] => {
    const values = new Set(fields.map(({ before, after }) => JSON.stringify([before, after])));
    return values.size === 1 ? [] : [[path, fields.map(({ after }) => after)]];
  });
  return new Map(differing);
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
    originLabel(change.origin, change),
    patched.has(change.address) ? 'new sessions only' : null,
  ];
  return remarks.filter((remark) => remark !== null);
}

/** Renders the fields of a change; those in which several changes differ as the texts given by path. */
function fieldDetail(change: Change, diagram: () => Diagram | null, texts: ReadonlyMap<string, string> = new Map()): ViewItem['detail'] {
  return change.fields.length === 0 ? noDetail : (paint, width) => fieldLines(withoutSaidReasons(change), diagram(), paint, width, texts);
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

/**
 * Names each check that blocks a change. What only weakens protection has its reasons at its fields, and what blocks all changes alike has its
 * own above them: they are not repeated.
 */
function blockLines({ blocked, fields }: Change): readonly Line[] {
  if (blocked === null) return [];
  const checks = blockingChecks(blocked);
  const hasReasons = fields.some(({ reasons = [] }) => reasons.length > 0);
  return [
    ...checks.flatMap((blocking): readonly Line[] => {
      const { check, reason, lift } = blocking;
      const blockedBy = `blocked by safety check \`${check}\``;
      if (isForAll(blocking)) return [{ style: 'alarm', text: blockedBy }];
      return [
        { style: 'alarm', text: check === 'weakening' && hasReasons ? blockedBy : `${blockedBy}: ${quoteFlags(reason)}` },
        { style: 'plain', text: `to lift it: ${quoteFlags(liftText(lift))}` },
      ];
    }),
    ...(checks.length > 1
      ? [{ style: 'plain', text: `${checks.length === 2 ? 'both' : `all ${checks.length}`} are needed` } as const]
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
