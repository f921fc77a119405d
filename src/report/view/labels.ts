/** Labels and summaries that several views and formats share. */
import { type Action, type Change, type Effect, type Origin, type Playback, writesOnService } from '../../core/model/change.ts';
import { listOf } from '../../core/model/collections.ts';
import { type CheckOverride, CONDITIONS } from '../../core/model/decision.ts';
import { countFindings } from '../../core/model/finding.ts';
import { type IgnoredValue, LIVE_VALUE } from '../../core/model/ignored-fields.ts';
import { DEFAULT_POLICY } from '../../core/model/impact.ts';
import type { Outcome, Result } from '../../core/model/outcome.ts';
import type { Plan, Validation } from '../../core/model/plan.ts';
import { leftOutText, scopeOf } from '../../core/model/plan-scope.ts';
import { visibleJson } from '../escape.ts';
import type { Style } from '../text/colors.ts';
import { nameInAddress } from './address-name.ts';

/** The sign of each action. The last three write nothing on the service. */
export const ACTION_SIGNS: { readonly [action in Action]: { readonly sign: string; readonly style: Style } } = {
  create: { sign: '+', style: 'added' },
  update: { sign: '~', style: 'changed' },
  delete: { sign: '-', style: 'removed' },
  adopt: { sign: '=', style: 'quiet' },
  move: { sign: '>', style: 'quiet' },
  forget: { sign: 'x', style: 'quiet' },
};

/** The label of an effect; null for a neutral one. */
export const EFFECTS: { readonly [effect in Effect]: string | null } = {
  strengthens: 'strengthens protection',
  weakens: 'weakens protection',
  neutral: null,
};

/** The label of what a change does to playback; null for a neutral one. */
export const PLAYBACK_LABELS: { readonly [playback in Playback]: string | null } = {
  stops: 'stops playback',
  reduces: 'reduces playback',
  unknown: 'may affect playback',
  gains: 'gains playback',
  neutral: null,
};

/** The risks of a change, worst first: a word of either axis. */
const RISKS: readonly (Effect | Playback)[] = ['stops', 'weakens', 'reduces', 'unknown', 'strengthens', 'gains'];

/** Returns the risks of a change in words, worst first. */
export function riskLabels({ effect, playback }: Pick<Change, 'effect' | 'playback'>): readonly string[] {
  const labels = [
    { risk: effect, label: EFFECTS[effect] },
    { risk: playback, label: PLAYBACK_LABELS[playback] },
  ];
  return labels.toSorted((a, b) => RISKS.indexOf(a.risk) - RISKS.indexOf(b.risk)).flatMap(({ label }) => label ?? []);
}

/** Returns the rank of a change by its worst risk: 0 stops playback, 1 weakens protection, 2 is any other. */
export function riskRank({ effect, playback }: Pick<Change, 'effect' | 'playback'>): number {
  return playback === 'stops' ? 0 : effect === 'weakens' ? 1 : 2;
}

/** Separates the overrides of safety checks from those of conditions of the run, and says which they are; neither where it has none. */
export function overridesByWord(overrides: readonly CheckOverride[]): readonly (readonly [word: string, texts: readonly string[]])[] {
  const isCondition = ({ check }: CheckOverride) => CONDITIONS.some((condition) => condition === check);
  const words = [
    ['safety checks', overrides.filter((each) => !isCondition(each))],
    ['conditions', overrides.filter(isCondition)],
  ] as const;
  return words.flatMap(([word, own]) => (own.length === 0 ? [] : [[word, own.map(overrideText)] as const]));
}

/** Names an overridden safety check with the addresses for which it is, and how many changes only that override permits. */
export function overrideText({ check, count: changes, only }: CheckOverride): string {
  return `${check}${only === undefined ? '' : ` of ${only.join(', ')}`} (${count(changes, 'change')})`;
}

/** Says of a field that it is left to others, until when and why. */
export function ignoredText({ path, until, why }: IgnoredValue): string {
  const details = [until === undefined ? '' : `until ${until}`, why ?? ''].filter((detail) => detail !== '').join(', ');
  return `${path} ${LIVE_VALUE}: ignored${details === '' ? '' : ` (${details})`}`;
}

/**
 * Returns the label of an origin; null for a change from the repository and for an unknown origin. `changedBy` is the other project that has
 * probably made the difference in the account; absent for none.
 */
export function originLabel(origin: Origin, { changedBy }: Pick<Change, 'changedBy'>): string | null {
  const by = changedBy === undefined ? 'by hand' : `by project ${changedBy}`;
  if (origin === 'drift') return `changed ${by}`;
  return origin === 'both' ? `changed here and ${by}` : null;
}

/** Returns the sentence that counts the changes by origin; empty if no origin is known, and between two commits. */
export function originCounts({ changes, base }: Plan): readonly string[] {
  if (base) return [];
  const written = changes.filter(writesOnService);
  const numberOf = (origin: Origin) => written.filter((change) => change.origin === origin).length;
  const [change, drift, both] = [numberOf('change'), numberOf('drift'), numberOf('both')];
  if (change + drift + both === 0) return [];
  const byProjects = written.filter(({ origin, changedBy }) => origin === 'drift' && changedBy !== undefined).length;
  const parts = [
    `${change} from the repository`,
    byProjects === 0 || drift > byProjects ? `${drift - byProjects} by hand` : '',
    byProjects > 0 ? `${byProjects} by other projects` : '',
    both > 0 ? `${both} from both` : '',
  ];
  return [`Origin: ${joinParts(parts)}.`];
}

/** Puts the flags of a text into backticks, so that they can be copied: `--allow weakening`, or with a glob in the quotes of a shell. */
export function quoteFlags(text: string): string {
  return text.replace(/(?<!`)--allow (?:'[^']*'|[\w=-]+)/g, '`$&`');
}

/** Returns the quoted name of a resource; null if its address already contains the name. */
export function quotedName(address: string, name: string): string | null {
  return name === '' || address === name || address.endsWith(`/${name}`) ? null : visibleJson(name);
}

/** Kinds whose name is not how people say it. */
const KIND_NOUNS: { readonly [kind: string]: string } = { 'drm-policy': 'DRM policy' };

/** Maximum number of resources that are named in one sentence. */
const MAX_NAMES = 4;

/** Names the resources of changes in a sentence: one with its kind, of several the first ones. */
export function namesOf(changes: readonly Change[], most: number = MAX_NAMES): string {
  const [first, ...others] = changes;
  if (!first) return '';
  const nameOf = ({ address, name }: Change) => (name === '' ? address : name);
  if (others.length > 0) return listOf(changes.map(nameOf), most);
  const isNamed = first.name !== '' && first.address !== first.kind;
  return isNamed ? `${KIND_NOUNS[first.kind] ?? first.kind} ${first.name}` : first.address;
}

/** Names policies as people call them, the first ones: `policy hd`, `policies hd, sd and the default policy`. */
export function policyWords(addresses: readonly string[], most: number): string {
  const names = addresses.filter((address) => address !== DEFAULT_POLICY).map(nameOfPolicy);
  const own = names.length === 0 ? [] : [`${names.length === 1 ? 'policy' : 'policies'} ${listOf(names, most)}`];
  return [...own, ...(names.length < addresses.length ? ['the default policy'] : [])].join(' and ');
}

/** Returns the name in an address; HTML finds it itself in one with encoded characters, and gives the address on hover. */
function nameOfPolicy(address: string): string {
  return nameInAddress(address) === address ? address.replace(/^drm-policy\//, '') : address;
}

/** Makes a sentence of a clause: with a capital letter and a full stop. */
export function sentence(clause: string): string {
  return `${clause.slice(0, 1).toUpperCase()}${clause.slice(1)}${/[.!?]$/.test(clause) ? '' : '.'}`;
}

/** Returns the last line of a plan: `Plan: 2 to create, 1 to update, 0 to delete; 1 of them blocked; 10 unchanged, 3 undeclared.` */
export function planSummary(plan: Plan): string {
  const { create, update, delete: deleted, blocked } = plan.summary;
  if (plan.changes.length === 0) return joinSentences(noChanges(plan), otherCounts(plan));
  const written = create + update + deleted;
  const changes = joinParts([
    ...(written === 0 ? [] : [`${create} to create`, `${update} to update`, `${deleted} to delete`]),
    plan.changes.length === written ? '' : `${plan.changes.length - written} of the ledger only`,
  ]);
  if (blocked === 0) return `Plan: ${joinParts([changes, otherCounts(plan)])}.`;
  return `Plan: ${[changes, `${blocked} of them blocked`, otherCounts(plan)].filter((part) => part !== '').join('; ')}.`;
}

/** Returns the last line of a drift report. Its create, update and delete read from what was last applied to what is live. */
export function driftSummary(plan: Plan): string {
  const { create, update, delete: deleted } = plan.summary;
  if (create + update + deleted > 0)
    return `Drift: ${joinParts([`${create} appeared`, `${update} changed`, `${deleted} gone`, otherCounts(plan)])}.`;
  return joinSentences(noDrift(plan), otherCounts(plan));
}

function noChanges(plan: Plan): string {
  if (kindsWithStatus(plan, 'incomplete').length > 0) return 'No changes in what could be read';
  if (plan.behind) return 'No changes of this commit, which is behind the commit last applied';
  const { leftOut } = plan;
  switch (scopeOf(plan)) {
    case 'none':
      return 'Nothing was looked at';
    case 'part':
      return `No changes in what was looked at${leftOut ? `; ${leftOutText(leftOut)}` : ''}`;
    case 'all':
      return plan.base ? 'No changes. Both commits declare the same' : 'No changes. The account matches the repository';
  }
}

function noDrift(plan: Plan): string {
  if (kindsWithStatus(plan, 'incomplete').length > 0) return 'No drift in what could be read';
  switch (scopeOf(plan)) {
    case 'none':
      return 'Nothing was looked at';
    case 'part':
      return 'No drift in what was looked at';
    case 'all':
      return 'No drift: the account is as expected';
  }
}

function otherCounts({ summary: { unchanged, undeclared, unmanaged = 0, recognized = 0 } }: Plan): string {
  const counts = { unchanged, undeclared, 'managed by others': unmanaged, 'recognized by name': recognized };
  return joinParts(Object.entries(counts).map(([what, number]) => (number > 0 ? `${number} ${what}` : '')));
}

/** Returns the kinds that have a read status. */
export function kindsWithStatus(plan: Plan, status: Plan['readStatus'][string]): readonly string[] {
  return Object.entries(plan.readStatus).flatMap(([kind, readStatus]) => (readStatus === status ? [kind] : []));
}

/** Maximum number of addresses that differ and are named. */
const MAX_DIFFERING = 4;

const NOT_SEEN = 'the service does not show all that was written yet. Run again later: nothing is created twice';

/** Says why an outcome is not verified: what differs, what could not be read, and what is not seen yet. */
export function unverifiedText({ unverified, summary }: Outcome): string {
  const { differs, notRead } = unverified ?? { differs: [], notRead: [] };
  const clauses = [
    differs.length === 0 ? '' : `${listOf(differs, MAX_DIFFERING)} ${differs.length === 1 ? 'reads' : 'read'} back otherwise than desired`,
    notRead.length === 0 ? '' : `${listOf(notRead, notRead.length)} could not be read back`,
    (summary.unseen ?? 0) === 0 ? '' : NOT_SEEN,
  ].filter((clause) => clause !== '');
  return clauses.length === 0 ? 'not all that was to be written reads back as desired' : clauses.join('; ');
}

const RESULTS: readonly Result[] = [
  ...(['created', 'updated', 'deleted', 'adopted', 'moved', 'forgotten'] as const),
  ...(['failed', 'skipped', 'unseen', 'unchanged'] as const),
];

/** Returns a result in words. */
export function resultWords(result: Result): string {
  return result === 'unseen' ? 'not seen yet' : result;
}

/** Returns the last line of an apply: `Apply: 2 created, 1 failed.` */
export function outcomeSummary({ summary }: Outcome): string {
  const counts = RESULTS.flatMap((result) => {
    const number = summary[result] ?? 0;
    return number > 0 ? [`${number} ${resultWords(result)}`] : [];
  });
  return counts.length === 0 ? 'Apply: nothing to do.' : `Apply: ${joinParts(counts)}.`;
}

/** Returns the last line of a validation: `Valid. 2 warnings. Declared: 12 playlist.` */
export function validationSummary({ valid, findings, resources }: Validation): string {
  const [errors, warnings] = [countFindings(findings, 'error'), countFindings(findings, 'warning')];
  const counts = joinParts([errors > 0 ? count(errors, 'error') : '', warnings > 0 ? count(warnings, 'warning') : '']);
  const kinds = Object.entries(resources).flatMap(([kind, number]) => (number > 0 ? [`${number} ${kind}`] : []));
  return joinSentences(valid ? 'Valid' : 'Not valid', counts, kinds.length > 0 ? `Declared: ${joinParts(kinds)}` : '');
}

/** Formats a number with its noun: `1 read`, `2 reads`, `2 policies`. */
export function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun.replace(/([^aeiou])y$/, '$1ie')}s`;
}

/** Formats a number of resources of one kind: `3 playlists`, `2 DRM policies`. */
export function countOfKind(number: number, kind: string): string {
  return count(number, KIND_NOUNS[kind] ?? kind);
}

/** Formats a duration: `120 ms`, `1.5 s`. */
export function formatDuration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

function joinParts(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ');
}

function joinSentences(...parts: readonly string[]): string {
  return parts.flatMap((part) => (part === '' ? [] : `${part}.`)).join(' ');
}
