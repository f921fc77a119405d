/** Views of a plan and of a drift report. */
import { type Action, type Change, comparePhases, type Effect, type Playback, writesOnService } from '../../core/model/change.ts';
import { groupBy, listOf } from '../../core/model/collections.ts';
import type { Json } from '../../core/model/json.ts';
import type { Plan, PlannedRequest } from '../../core/model/plan.ts';
import { couldReadNothing } from '../../core/model/plan-scope.ts';
import { layOutDiagrams, withAssetNames } from '../diagrams/index.ts';
import type { Options } from '../document.ts';
import { visibleJson } from '../escape.ts';
import { chunks, cut } from '../text/layout.ts';
import { type ChangeContext, changeItems, MIN_EQUAL, similarityKey } from './change.ts';
import { impactLines, playbackMatrixSection, viewersSection } from './device-impact.ts';
import { acceptedLines, findingSections, isLoweredSafeguard, loweredSection, planFindingSections, type SourceLinks } from './findings.ts';
import { holdLines } from './holds.ts';
import {
  ACTION_SIGNS,
  count,
  driftSummary,
  ignoredText,
  kindsWithStatus,
  originCounts,
  overridesByWord,
  planSummary,
  riskRank,
} from './labels.ts';
import { factsOf, sourceLink } from './links.ts';
import {
  foldedLines,
  type Line,
  type Member,
  noDetail,
  type Tile,
  type Totals,
  type View,
  type ViewItem,
  type ViewSection,
} from './model.ts';
import { verdictView } from './verdict.ts';

/** Maximum length of a request's body, characters. */
const MAX_BODY_LENGTH = 4_000;
/** Maximum number of addresses named under one request. */
const MAX_ADDRESSES = 10;
/** Maximum number of requests listed without `--requests`. */
export const MAX_LISTED_REQUESTS = 200;

/**
 * Builds the view of a plan or a drift report in the order of a reader's questions: the verdict, what viewers notice, what changes by risk,
 * and the rest.
 */
export function planView(type: 'plan' | 'drift', plan: Plan, options: Options): View {
  const isPlan = type === 'plan';
  const patched = isPlan ? patchedAddresses(plan) : new Set<string>();
  const { pages = null, folder } = options.origin;
  const diagramOf = withAssetNames(options.diagramOf, plan);
  const context: ChangeContext = {
    target: plan.target,
    patched,
    diagramOf,
    diagrams: layOutDiagrams(type, plan, diagramOf),
    full: options.full,
    sourceOf: ({ declared }) => declared && sourceLink(declared, plan.config, folder, pages),
  };
  const findings = plan.findings.filter((finding) => !isLoweredSafeguard(finding));
  const linkOf: SourceLinks = (place) => sourceLink(place, plan.config, folder, pages);
  const sections = [
    loweredSection(plan.findings, linkOf),
    viewersSection(type, plan),
    ...changeSections(type, plan, context),
    ...(isPlan
      ? planFindingSections(findings, new Set(plan.changes.map(({ address }) => address)), linkOf, options)
      : findingSections(findings, linkOf)),
    behindSection(plan, context),
    ignoredSection(plan),
    playbackMatrixSection(plan),
    ...(isPlan ? [requestSection(plan, context, options)] : []),
    undeclaredSection(plan, options),
  ];
  return {
    verdict: verdictView(type, plan),
    title: `${plan.base ? 'Comparison' : isPlan ? 'Plan' : 'Drift'} for ${plan.target}`,
    revision: formatCommit(plan),
    facts: factsOf(plan, options.origin),
    opening: [...overrideLines(plan), ...holdLines(plan)],
    totals: totalsOf(type, plan),
    sections,
    closing: [
      ...skippedLines(plan),
      ...acceptedLines(plan),
      ...foldedLines(sections),
      ...(isPlan ? planClosing(plan, patched) : summaryLines(plan, driftSummary)),
    ],
  };
}

/** Returns the addresses that a PATCH updates: their new settings reach new playback sessions only (playlist-api-v4 section 3). */
export function patchedAddresses(plan: Plan): ReadonlySet<string> {
  return new Set(plan.requests.flatMap((request) => (request.method === 'PATCH' ? request.addresses : [])));
}

/** The note of a plan with a PATCH (design section 4, rule 15). */
export const RUNNING_SESSIONS: Line = {
  style: 'quiet',
  text: 'Running playback sessions keep the old settings of what is marked "new sessions only".',
};

function formatCommit({ config }: Plan): string {
  return config === null ? '' : ` at commit ${config.commit.slice(0, 12)}${config.dirty ? ', with uncommitted edits' : ''}`;
}

/** Returns the lines about what was overridden, in the report of the run itself with who overrode it and where; none where nothing was. */
export function overrideLines({ overrides = [], run }: Pick<Plan, 'overrides' | 'run'>): readonly Line[] {
  const by = run?.by === undefined ? '' : `, by ${run.by} (${run.where ?? 'unknown'})`;
  return overridesByWord(overrides).map(([word, texts]) => ({ style: 'warning', text: `Overridden ${word}: ${texts.join(', ')}${by}.` }));
}

function skippedLines(plan: Plan): readonly Line[] {
  const kinds = kindsWithStatus(plan, 'skipped');
  return kinds.length === 0 ? [] : [{ style: 'quiet', text: `Not looked at, outside --only: ${kinds.join(', ')}.` }];
}

function planClosing(plan: Plan, patched: ReadonlySet<string>): readonly Line[] {
  return [
    ...impactLines(plan.impact),
    ...(patched.size > 0 ? [RUNNING_SESSIONS] : []),
    ...summaryLines(plan, planSummary),
    ...originCounts(plan).map((text): Line => ({ style: 'plain', text })),
    { style: 'quiet', text: requestsText(plan) },
    // Between two commits there is nothing to confirm.
    ...(plan.fingerprint === undefined || plan.base
      ? []
      : [
          { style: 'quiet', text: `Fingerprint: ${plan.fingerprint}`, verbatim: true } as const,
          ...(hasLiftedApply(plan)
            ? [
                {
                  style: 'quiet',
                  text: 'It is that of this plan without what is blocked; the command to unblock it has another one.',
                } as const,
              ]
            : []),
        ]),
  ];
}

/** Decides whether the report prints the apply of a blocked plan, whose fingerprint is another one. */
function hasLiftedApply({ decision }: Plan): boolean {
  return decision?.next.some(({ allow, command }) => allow !== undefined && command !== undefined) === true;
}

function summaryLines(plan: Plan, summary: (plan: Plan) => string): readonly Line[] {
  return couldReadNothing(plan) ? [] : [{ style: 'title', text: summary(plan) }];
}

/** Counts the requests. While anything is blocked, those that write are only sent with `--skip-blocked`. */
function requestsText({ cost: { reads, writes: sent }, summary: { blocked } }: Plan): string {
  if (blocked === 0) return `Requests: ${count(reads, 'read')}, ${count(sent, 'write')}.`;
  const rest = sent === 0 ? '' : `; \`--skip-blocked\` would send ${count(sent, 'write')}`;
  return `Requests: ${count(reads, 'read')}, no write while changes are blocked${rest}.`;
}

/** Builds the sections of changes, by risk: each change is in one, that of its worst risk. */
function changeSections(type: 'plan' | 'drift', plan: Plan, context: ChangeContext): readonly ViewSection[] {
  const inOrder = plan.changes.toSorted((a, b) => comparePhases(a.phase, b.phase) || a.wave - b.wave);
  const section = (title: string, description: string | null, includes: (change: Change) => boolean): ViewSection => ({
    title,
    ...(description === null ? {} : { description }),
    columns: ['Action', 'Resource', 'Details'],
    items: changeItems(inOrder.filter(includes), context),
  });
  const isWritten = (change: Change) => change.blocked === null && writesOnService(change);
  const isRegular = (change: Change) => isWritten(change) && riskRank(change) === 2;
  const isMadeInAccount = (change: Change) => type === 'plan' && change.origin === 'drift';
  const isReduced = ({ playback }: Change) => playback === 'reduces' || playback === 'unknown';
  return [
    section('Blocked', null, (change) => change.blocked !== null),
    section('Stops playback', null, (change) => isWritten(change) && riskRank(change) === 0),
    section('Weakens protection', null, (change) => isWritten(change) && riskRank(change) === 1),
    section('Reduces playback, or may affect it', null, (change) => isRegular(change) && !isMadeInAccount(change) && isReduced(change)),
    section(
      'Strengthens protection',
      null,
      (change) => isRegular(change) && !isMadeInAccount(change) && !isReduced(change) && change.effect === 'strengthens',
    ),
    section(
      type === 'plan' ? 'Other changes' : 'Drifted',
      null,
      (change) => isRegular(change) && !isMadeInAccount(change) && !isReduced(change) && change.effect === 'neutral',
    ),
    section(
      'Changed by hand',
      'Somebody edited the account; applying reverts it.',
      (change) => isRegular(change) && isMadeInAccount(change) && change.changedBy === undefined,
    ),
    section(
      'Changed by other projects',
      'Their ledgers bind these objects, too; applying reverts what they did, and they will revert it again.',
      (change) => isRegular(change) && isMadeInAccount(change) && change.changedBy !== undefined,
    ),
    section('For the ledger only', 'Nothing is written to the service.', (change) => change.blocked === null && !writesOnService(change)),
  ];
}

/** Builds the section of what the commit merely lacks. No number of the report counts it. */
function behindSection({ behind = [] }: Plan, context: ChangeContext): ViewSection {
  return {
    title: 'Behind the commit last applied',
    description: 'This commit lacks what a newer one has brought to the account. Nothing here counts as a change of this commit.',
    columns: ['Action', 'Resource', 'Details'],
    items: changeItems(behind, { ...context, patched: new Set(), diagrams: new Map() }).map(
      ({ facets: _facets, anchor: _anchor, members, ...item }) => ({
        ...item,
        ...(members ? { members: members.map(({ anchor: _own, ...member }) => member) } : {}),
      }),
    ),
  };
}

/** Maximum number of resources that are listed with fields that are left to others. */
const MAX_IGNORED = 50;

/** Builds the section of the fields that are left to others, of resources without a change. */
function ignoredSection({ ignored = [] }: Plan): ViewSection {
  const byAddress = [...groupBy(ignored, ({ address }) => address)];
  const shown = byAddress.slice(0, MAX_IGNORED);
  const more = shown.length < byAddress.length ? ` The first ${shown.length} of ${byAddress.length}; the JSON document has all.` : '';
  return {
    title: 'Left to others',
    description: `Fields that are not as declared, and that ignore_changes leaves to others.${more}`,
    columns: ['', 'Address', 'Fields'],
    items: shown.map(
      ([address, fields]): ViewItem => ({
        style: 'quiet',
        sign: '=',
        word: 'ignored',
        subject: address,
        remarks: [],
        notes: fields.map((field) => ({ style: 'quiet', text: ignoredText(field) })),
        detail: noDetail,
      }),
    ),
  };
}

type WriteAction = Extract<Action, 'create' | 'update' | 'delete'>;

/** Labels of the actions: in a plan what apply does, in a drift report what happened to the account. */
const ACTION_LABELS: { readonly [type in 'plan' | 'drift']: { readonly [action in WriteAction]: string } } = {
  plan: { create: 'create', update: 'update', delete: 'delete' },
  drift: { create: 'appeared', update: 'changed', delete: 'gone' },
};

/** The tiles of the effects, risk first. */
const EFFECT_TILES: readonly (Omit<Tile, 'count'> & { readonly effect: Effect })[] = [
  { effect: 'weakens', style: 'alarm', sign: '', label: 'weaken' },
  { effect: 'strengthens', style: 'good', sign: '', label: 'strengthen' },
  { effect: 'neutral', style: 'plain', sign: '', label: 'neutral' },
];

/** The tiles of playback, worst first. */
const PLAYBACK_TILES: readonly (Omit<Tile, 'count'> & { readonly playback: Playback })[] = [
  { playback: 'stops', style: 'alarm', sign: '', label: 'stop' },
  { playback: 'reduces', style: 'warning', sign: '', label: 'reduce' },
  { playback: 'unknown', style: 'warning', sign: '', label: 'unknown' },
  { playback: 'gains', style: 'good', sign: '', label: 'gain' },
  { playback: 'neutral', style: 'plain', sign: '', label: 'neutral' },
];

/** Counts the changes by action, effect on protection, playback, and kind; undefined if nothing changes. */
function totalsOf(type: 'plan' | 'drift', { changes, summary }: Plan): Totals | undefined {
  const written = changes.filter(writesOnService);
  if (written.length === 0) return undefined;
  const actionTile = (action: WriteAction): Tile => ({
    ...ACTION_SIGNS[action],
    count: summary[action],
    label: ACTION_LABELS[type][action],
  });
  // Where something stops, nothing else looks good.
  const isOutage = written.some(({ playback }) => playback === 'stops');
  const isGainByWeakening = written.some(({ effect, playback }) => effect === 'weakens' && playback === 'gains');
  const styleOf = (style: Tile['style']) => (isOutage && style === 'good' ? 'plain' : style);
  const blocked: Tile = { style: 'warning', sign: '!', count: summary.blocked, label: 'blocked' };
  return {
    note: 'Each change counts once under Protection and once under Playback, by the worst that it does there.',
    groups: [
      { title: type === 'plan' ? 'Changes' : 'Drift', tiles: [actionTile('create'), actionTile('update'), actionTile('delete')] },
      {
        title: 'Protection',
        tiles: EFFECT_TILES.map(
          ({ effect, style, ...tile }): Tile => ({
            ...tile,
            style: styleOf(style),
            count: numberOf(written, (change) => change.effect === effect),
          }),
        ),
      },
      {
        title: 'Playback',
        tiles: PLAYBACK_TILES.map(
          ({ playback, style, ...tile }): Tile => ({
            ...tile,
            style: playback === 'gains' && isGainByWeakening ? 'alarm' : styleOf(style),
            count: numberOf(written, (change) => change.playback === playback),
          }),
        ),
      },
      {
        title: type === 'plan' ? 'Not written' : 'As expected',
        tiles: [
          ...(type === 'plan' ? [blocked] : []),
          { style: 'plain', sign: '=', count: summary.unchanged, label: 'unchanged' },
          { style: 'plain', sign: '?', count: summary.undeclared, label: 'undeclared' },
        ],
      },
    ],
    columns: [
      ...Object.values(ACTION_LABELS[type]),
      'weaken',
      'strengthen',
      'stop playback',
      'reduce playback',
      'may affect playback',
      ...(type === 'plan' ? ['blocked'] : []),
    ],
    rows: totalsByKind(type, written),
  };
}

/** Builds a row for each kind, in the order in which the kinds first occur; no rows if there is only one kind. */
function totalsByKind(type: 'plan' | 'drift', changes: readonly Change[]): Totals['rows'] {
  const kinds = [...new Set(changes.map(({ kind }) => kind))];
  if (kinds.length === 1) return [];
  const columns: readonly ((change: Change) => boolean)[] = [
    ({ action }) => action === 'create',
    ({ action }) => action === 'update',
    ({ action }) => action === 'delete',
    ({ effect }) => effect === 'weakens',
    ({ effect }) => effect === 'strengthens',
    ({ playback }) => playback === 'stops',
    ({ playback }) => playback === 'reduces',
    ({ playback }) => playback === 'unknown',
    ...(type === 'plan' ? [({ blocked }: Change) => blocked !== null] : []),
  ];
  return kinds.map((kind) => {
    const ofKind = changes.filter((change) => change.kind === kind);
    return { name: kind, counts: columns.map((includes) => numberOf(ofKind, includes)) };
  });
}

function numberOf(changes: readonly Change[], includes: (change: Change) => boolean): number {
  return changes.filter(includes).length;
}

/** Builds the section of requests: all with `--requests`, else the first ones, for HTML only. */
function requestSection({ requests, changes, summary: { blocked } }: Plan, context: ChangeContext, options: Options): ViewSection {
  const shown = options.requests ? requests : requests.slice(0, MAX_LISTED_REQUESTS);
  const sentences = [
    ...(blocked > 0 ? ['Sent only with `--skip-blocked`: while anything is blocked, apply writes nothing.'] : []),
    ...(shown.length < requests.length ? [`The first ${shown.length} of ${requests.length}; --requests lists all.`] : []),
  ];
  return {
    title: blocked > 0 ? 'Requests with --skip-blocked, in this order' : 'Requests, in this order',
    ...(sentences.length > 0 ? { description: sentences.join(' ') } : {}),
    columns: ['', 'Request', 'For'],
    items: requestItems(shown, changes, context),
    htmlOnly: !options.requests,
  };
}

/** Builds the items of requests: neighbors with the same method, each for another change of one item, become one. */
function requestItems(
  requests: readonly PlannedRequest[],
  changes: readonly Change[],
  { patched, full }: ChangeContext,
): readonly ViewItem[] {
  if (full) return requests.map(requestItem);
  const keys = new Map(changes.map((change) => [change.address, similarityKey(change, patched)]));
  const runs: { readonly key: string; readonly first: number; readonly requests: PlannedRequest[] }[] = [];
  for (const [index, request] of requests.entries()) {
    const [address = '', ...others] = request.addresses;
    const key = JSON.stringify([request.method, others.length > 0 ? index : (keys.get(address) ?? index)]);
    const last = runs.at(-1);
    if (last?.key === key && last.requests.at(-1)?.addresses[0] !== address) last.requests.push(request);
    else runs.push({ key, first: index, requests: [request] });
  }
  return runs.flatMap(({ first, requests: run }) =>
    run.length < MIN_EQUAL ? run.map((request, index) => requestItem(request, first + index)) : [requestsItem(run, first)],
  );
}

/** Builds the item of several requests, of which `first` is the index of the first one. */
function requestsItem(requests: readonly PlannedRequest[], first: number): ViewItem {
  const bodies = new Set(requests.map(({ body }) => JSON.stringify(body)));
  const [{ method, path, body } = { method: 'GET', path: '', body: null }] = requests;
  const isSamePath = requests.every((request) => request.path === path);
  const members = requests.map(
    (request): Member => ({
      address: request.addresses.join(', '),
      ...(isSamePath ? {} : { remark: request.path }),
      detail: bodies.size === 1 ? noDetail : bodyDetail(request.body),
    }),
  );
  return {
    style: 'plain',
    sign: `${first + 1}.-${first + requests.length}.`,
    subject: `${method} ${isSamePath ? path : path.replace(/[^/]*$/, '*')}`,
    remarks: [count(requests.length, 'request')],
    notes: bodies.size === 1 ? [] : [{ style: 'quiet', text: `${bodies.size} different bodies` }],
    detail: bodies.size === 1 ? bodyDetail(body) : noDetail,
    members,
    unfolded: MAX_ADDRESSES,
    folded: 'Body',
  };
}

function bodyDetail(body: Json): ViewItem['detail'] {
  return body === null ? noDetail : (_paint, width) => chunks(cut(visibleJson(body), MAX_BODY_LENGTH), width);
}

function requestItem({ method, path, body, addresses }: PlannedRequest, index: number): ViewItem {
  return {
    style: 'plain',
    sign: `${index + 1}.`,
    subject: `${method} ${path}`,
    remarks: [],
    notes: [{ style: 'quiet', text: `for ${listOf(addresses, MAX_ADDRESSES)}` }],
    detail: bodyDetail(body),
    folded: 'Body',
  };
}

function undeclaredSection(plan: Plan, options: Options): ViewSection {
  const ofTarget = (options.undeclared ?? []).filter(({ target }) => target === undefined || target === plan.target);
  return {
    title: 'Undeclared',
    description: 'Live objects that nobody declares; they stay as they are.',
    columns: ['', 'Address', 'Name'],
    items: ofTarget.map(
      ({ address, name }): ViewItem => ({
        style: 'quiet',
        sign: '?',
        word: 'undeclared',
        subject: address,
        remarks: name === '' ? [] : [visibleJson(name)],
        notes: [],
        detail: noDetail,
      }),
    ),
  };
}
