/**
 * What CI systems and editors are told: findings, what is held, what drifted, what failed, each with its place in the YAML.
 * The formats that machines read draw on notices as those for people draw on pages.
 */
import { createHash } from 'node:crypto';
import type { Change } from '../../model/change.ts';
import type { Diagnosis } from '../../model/diagnosis.ts';
import { compareStrings, type Finding, type SourcePosition } from '../../model/finding.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { ErrorReport, Plan } from '../../model/plan.ts';
import type { Document, Site } from '../document.ts';
import { visible } from '../escape.ts';
import { cut } from '../text/layout.ts';
import { kindsSeen, writes } from '../view/labels.ts';

/** How grave a notice is: an error stops something, a warning wants a look, a note is good to know. */
export type DiagnosticLevel = 'error' | 'warning' | 'note';

/** One thing that is told. Its texts are data as they came. */
export interface Diagnostic {
  readonly level: DiagnosticLevel;
  /** Short stable name: a finding's code, `blocked-deletes`, `drift`, `failed`. */
  readonly code: string;
  readonly text: string;
  /** What to do about it. */
  readonly hint: string | null;
  /** Null where it concerns nothing that is declared. */
  readonly place: SourcePosition | null;
  readonly address: string | null;
  /** The targets of which it was said; empty where none was chosen. */
  readonly targets: readonly string[];
}

const GRAVITY: readonly DiagnosticLevel[] = ['error', 'warning', 'note'];

/** Characters of a notice that are told; all of it is in the JSON format. */
const LONGEST = 1_000;
/** Characters of a name that are told. */
const LONGEST_NAME = 240;
/** Fields of a drifted resource that are named. */
const MOST_FIELDS = 5;

/** All that the documents give notice of, risk first; what is said of several targets alike stands once. */
export function diagnosticsOf(documents: readonly Document[]): readonly Diagnostic[] {
  const told = new Map<string, Diagnostic>();
  for (const diagnostic of documents.flatMap(noticesIn)) {
    const key = JSON.stringify({ ...diagnostic, targets: [] });
    const targets = [...(told.get(key)?.targets ?? []), ...diagnostic.targets];
    told.set(key, { ...diagnostic, targets: [...new Set(targets)].sort(compareStrings) });
  }
  return [...told.values()].toSorted((a, b) => GRAVITY.indexOf(a.level) - GRAVITY.indexOf(b.level));
}

/** A notice in one line of plain text, escaped and not endless: what it is, and what to do. */
export function messageOf({ text, hint }: Pick<Diagnostic, 'text' | 'hint'>): string {
  const advice = (hint ?? '').replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase());
  const sentences = [text, advice].filter((each) => each !== '');
  // No consumer takes a message that says nothing.
  if (sentences.length === 0) return 'No reason was given.';
  return cut(visible(sentences.map((each) => (/[.!?]$/.test(each) ? each : `${each}.`)).join(' ')), LONGEST);
}

/** A code, an address or a path as one line of plain text, escaped and not endless. */
export function nameOf(text: string): string {
  return cut(visible(text), LONGEST_NAME);
}

/** The place of a notice from the top of the git work tree; what has none of its own stands at the beginning of upkeep.yaml. */
export function placeOf({ place }: Diagnostic, { folder, project }: Site): SourcePosition {
  return place ? { ...place, file: folder + place.file } : { file: folder + project, line: 1, column: 1 };
}

/** A name for each notice by which it is recognised in the next run, also where its line has moved; no two are alike. */
export function fingerprintsOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  const seen = new Map<string, number>();
  return diagnostics.map(({ code, text, place, address }) => {
    const about = JSON.stringify([code, text, place?.file ?? null, address]);
    const nth = seen.get(about) ?? 0;
    seen.set(about, nth + 1);
    return createHash('sha256').update(`${about}${nth}`).digest('hex');
  });
}

function noticesIn(document: Document): readonly Diagnostic[] {
  switch (document.type) {
    case 'plan':
    case 'drift':
      return planNotices(document.type, document.plan);
    case 'outcome':
      return outcomeNotices(document.outcome, document.plan);
    case 'validation':
      return document.validation.findings.map((finding) => findingNotice(finding, [document.validation.target]));
    case 'failure':
      return [...failureNotices(document.failure), ...(document.plan ? planNotices('plan', document.plan) : [])];
    case 'diagnosis':
      return diagnosisNotices(document.diagnosis);
    case 'acceptance':
    case 'history':
    case 'impact':
    case 'field':
    case 'address':
    case 'targets':
      return [];
  }
}

function planNotices(type: 'plan' | 'drift', plan: Plan): readonly Diagnostic[] {
  const incomplete = kindsSeen(plan, 'incomplete').map((kind) =>
    notice(plan.target, 'error', 'incomplete', `${kind} could not be read completely`, 'Nothing is planned for it; mend the read'),
  );
  const loosens = ({ effect }: Change) => Number(effect === 'loosens');
  const held = plan.changes.filter((change) => change.blocked !== null).toSorted((a, b) => loosens(b) - loosens(a));
  const free = plan.changes.filter((change) => change.blocked === null && writes(change));
  const rest = type === 'drift' ? free.map((change) => driftNotice(change, plan.target)) : loosening(free, plan.target);
  return [
    ...incomplete,
    ...held.flatMap((change) => heldNotices(change, plan.target)),
    ...rest,
    ...plan.findings.map((finding) => findingNotice(finding, [plan.target])),
  ];
}

/** None where nothing holds the change. */
function heldNotices(change: Change, target: string): readonly Diagnostic[] {
  const { blocked, address } = change;
  return blocked === null
    ? []
    : [
        notice(
          target,
          'error',
          `blocked-${blocked.check}`,
          `${address} is held: ${blocked.reason}`,
          `Way out: ${blocked.override}`,
          change,
        ),
      ];
}

function loosening(changes: readonly Change[], target: string): readonly Diagnostic[] {
  const loose = changes.filter(({ effect }) => effect === 'loosens');
  return loose.map((change) => notice(target, 'note', 'loosens', `${change.address} loosens protection`, null, change));
}

const DRIFTED: { readonly [action in Change['action']]: string } = {
  create: 'appeared',
  update: 'was changed by hand',
  delete: 'is gone',
  adopt: 'was taken over',
  move: 'was moved',
  forget: 'was forgotten',
};

function driftNotice(change: Change, target: string): Diagnostic {
  const { address, action, effect, fields } = change;
  const names = fields.slice(0, MOST_FIELDS).map(({ path }) => path);
  const more = fields.length - names.length;
  const which = action === 'update' ? ` (${[...names, ...(more > 0 ? [`${more} more`] : [])].join(', ')})` : '';
  const loosens = effect === 'loosens';
  const text = `${address} ${DRIFTED[action]}${which}${loosens ? ', which loosens protection' : ''}`;
  return notice(target, loosens ? 'error' : 'warning', 'drift', text, null, change);
}

function outcomeNotices({ target, outcomes, verified }: Outcome, plan: Plan | undefined): readonly Diagnostic[] {
  const changes = new Map(plan?.changes.map((change) => [change.address, change]));
  const told = outcomes.flatMap(({ address, result, error, because }) => {
    const change = changes.get(address) ?? { address };
    if (result === 'failed') return [notice(target, 'error', 'failed', `${address} failed: ${error ?? ''}`, null, change)];
    if (result !== 'skipped') return [];
    const held = 'blocked' in change ? heldNotices(change, target) : [];
    return held.length > 0 ? held : [notice(target, 'warning', 'skipped', `${address} was skipped: ${because ?? ''}`, null, change)];
  });
  const unread = !verified && outcomes.every(({ result }) => result !== 'failed');
  const doubt = 'what was written could not be read back, so nobody knows that it took';
  return [...told, ...(unread ? [notice(target, 'error', 'not-verified', doubt, 'Run `upkeep plan` again')] : [])];
}

function diagnosisNotices({ target, checks }: Diagnosis): readonly Diagnostic[] {
  return checks.flatMap(({ check, state, summary, remedy = null }) => {
    if (state === 'ok' || state === 'skipped') return [];
    return [notice(target, state === 'failed' ? 'error' : 'warning', 'set-up', `${check}: ${summary}`, remedy)];
  });
}

function failureNotices({ target, error, findings }: ErrorReport): readonly Diagnostic[] {
  const targets = target === null ? [] : [target];
  const stop = { level: 'error', code: error.code, text: error.summary, hint: error.hint, place: null, address: null, targets } as const;
  return [stop, ...findings.map((finding) => findingNotice(finding, targets))];
}

function findingNotice({ severity, code, summary, hint, address, ...where }: Finding, targets: readonly string[]): Diagnostic {
  const { file, line, column } = where;
  return { level: severity, code, text: summary, hint: hint ?? null, place: { file, line, column }, address: address ?? null, targets };
}

/** A notice about a target, or about one of its changes. */
function notice(
  target: string,
  level: DiagnosticLevel,
  code: string,
  text: string,
  hint: string | null,
  about: Partial<Pick<Change, 'address' | 'declared'>> = {},
): Diagnostic {
  const { address = null, declared = null } = about;
  return { level, code, text: `${target}: ${text}`, hint, place: declared, address, targets: [target] };
}
