/**
 * Diagnostics for CI systems and editors: findings, blocked, drifted and failed changes, each with its location in the YAML.
 * Machine-readable formats render diagnostics, as human-readable formats render views.
 */

import { createHash } from 'node:crypto';
import { type Change, liftsText, type Playback, writesOnService } from '../../core/model/change.ts';
import { type Hold, isLiftedByMerge } from '../../core/model/decision.ts';
import { compareStrings, type Finding, type SourcePosition } from '../../core/model/finding.ts';
import { liftText } from '../../core/model/lift.ts';
import type { Outcome } from '../../core/model/outcome.ts';
import type { ErrorReport, Plan } from '../../core/model/plan.ts';
import type { ProbeReport } from '../../probe/probe-report.ts';
import type { Document, ReportOrigin } from '../document.ts';
import type { Diagnosis } from '../documents/diagnosis.ts';
import type { TestReport } from '../documents/tests.ts';
import { visible } from '../escape.ts';
import { cut } from '../text/layout.ts';
import { MIN_EQUAL } from '../view/change.ts';
import { groupOutcomes } from '../view/equal-outcomes.ts';
import { holdText, runHolds } from '../view/holds.ts';
import { count, EFFECTS, kindsWithStatus, PLAYBACK_LABELS, riskLabels, riskRank } from '../view/labels.ts';

/** The level of a diagnostic: an error stops something, a warning needs attention, a note is information. */
export type DiagnosticLevel = 'error' | 'warning' | 'note';

/** One diagnostic. Its texts are unescaped data. */
export interface Diagnostic {
  readonly level: DiagnosticLevel;
  /** Short stable name: a finding's code, `blocked-deletes`, `drift`, `failed`. */
  readonly code: string;
  readonly text: string;
  /** What to do about it. */
  readonly hint: string | null;
  /** Null if it concerns nothing that is declared. */
  readonly location: SourcePosition | null;
  readonly address: string | null;
  /** The targets concerned; empty if none was chosen. */
  readonly targets: readonly string[];
}

const LEVELS: readonly DiagnosticLevel[] = ['error', 'warning', 'note'];

/** Maximum length of a message, characters; the JSON format contains the whole message. */
const MAX_MESSAGE_LENGTH = 1_000;
/** Maximum length of a name, characters. */
const MAX_NAME_LENGTH = 240;
/** Maximum number of fields of a drifted resource that are named. */
const MAX_FIELDS = 5;

/** Returns the diagnostics of documents, risk first; equal diagnostics of several targets are merged. */
export function diagnosticsOf(documents: readonly Document[]): readonly Diagnostic[] {
  const byContent = new Map<string, Diagnostic>();
  for (const diagnostic of documents.flatMap(diagnosticsIn)) {
    const key = JSON.stringify({ ...diagnostic, targets: [] });
    const targets = [...(byContent.get(key)?.targets ?? []), ...diagnostic.targets];
    byContent.set(key, { ...diagnostic, targets: [...new Set(targets)].sort(compareStrings) });
  }
  return [...byContent.values()].toSorted((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
}

/** Returns the risks of each plan and drift report, as one line of plain text after its target. */
export function risksOf(documents: readonly Document[]): readonly string[] {
  return documents.flatMap((document) =>
    document.type === 'plan' || document.type === 'drift'
      ? [formatMessage({ text: `${document.plan.target}: ${document.plan.risks}`, hint: null })]
      : [],
  );
}

/** Formats a diagnostic as one line of plain text, escaped and limited in length: what happened, and what to do. */
export function formatMessage({ text, hint }: Pick<Diagnostic, 'text' | 'hint'>): string {
  const advice = (hint ?? '').replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase());
  const sentences = [text, advice].filter((each) => each !== '');
  // Consumers reject empty messages.
  if (sentences.length === 0) return 'No reason was given.';
  return cut(visible(sentences.map((each) => (/[.!?]$/.test(each) ? each : `${each}.`)).join(' ')), MAX_MESSAGE_LENGTH);
}

/** Formats a code, an address or a path as one line of plain text, escaped and limited in length. */
export function formatName(text: string): string {
  return cut(visible(text), MAX_NAME_LENGTH);
}

/** Returns the location of a diagnostic from the root of the git work tree; without one, the start of upkeep.yaml. */
export function diagnosticLocation({ location }: Diagnostic, { folder, project }: ReportOrigin): SourcePosition {
  return location ? { ...location, file: folder + location.file } : { file: folder + project, line: 1, column: 1 };
}

/**
 * An annotation on a line of a file, for the check of a commit. Its texts are escaped and limited in length. `path` starts at the root of
 * the git work tree; line and column count from 1.
 */
export interface Annotation {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly level: DiagnosticLevel;
  readonly title: string;
  readonly message: string;
}

/** Returns the annotations of documents, risk first. */
export function annotationsOf(documents: readonly Document[], origin: ReportOrigin): readonly Annotation[] {
  return diagnosticsOf(documents).map((diagnostic) => {
    const { file, line, column } = diagnosticLocation(diagnostic, origin);
    return {
      path: file,
      line,
      column,
      level: diagnostic.level,
      title: formatName(`upkeep: ${diagnostic.code}`),
      message: formatMessage(diagnostic),
    };
  });
}

/** Returns a unique fingerprint for each diagnostic that is stable between runs, even if its line moves. */
export function fingerprintsOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  const seen = new Map<string, number>();
  return diagnostics.map(({ code, text, location, address }) => {
    const about = JSON.stringify([code, text, location?.file ?? null, address]);
    const number = seen.get(about) ?? 0;
    seen.set(about, number + 1);
    return createHash('sha256').update(`${about}${number}`).digest('hex');
  });
}

function diagnosticsIn(document: Document): readonly Diagnostic[] {
  switch (document.type) {
    case 'plan':
    case 'drift':
      return planDiagnostics(document.type, document.plan);
    case 'outcome':
      return outcomeDiagnostics(document.outcome, document.plan);
    case 'validation':
      return document.validation.findings.map((finding) => findingDiagnostic(finding, [document.validation.target]));
    case 'failure':
      return [...failureDiagnostics(document.failure), ...(document.plan ? planDiagnostics('plan', document.plan) : [])];
    case 'diagnosis':
      return checkDiagnostics(document.diagnosis);
    case 'probe':
      return probeDiagnostics(document.probe);
    case 'tests':
      return testDiagnostics(document.tests);
    case 'acceptance':
    case 'export':
    case 'history':
    case 'impact':
    case 'field':
    case 'address':
    case 'targets':
      return [];
  }
}

function testDiagnostics({ cases }: TestReport): readonly Diagnostic[] {
  return cases.flatMap(({ file, line, name, target, result, reasons = [], errors = [] }): readonly Diagnostic[] =>
    result === 'passed'
      ? []
      : [
          {
            level: 'error',
            code: 'test-failed',
            text: `${name}: ${[...reasons, ...errors].join('; ')}`,
            hint: null,
            location: { file, line, column: 1 },
            address: null,
            targets: [target],
          },
        ],
  );
}

function planDiagnostics(type: 'plan' | 'drift', plan: Plan): readonly Diagnostic[] {
  const reasons = new Map(plan.unread?.map(({ kind, reason }) => [kind, `: ${reason}`]));
  const incomplete = kindsWithStatus(plan, 'incomplete').map((kind) => {
    const text = `${kind} could not be read completely${reasons.get(kind) ?? ''}`;
    return createDiagnostic(plan.target, 'error', 'incomplete', text, 'Nothing is planned for it; fix the read');
  });
  const blocked = plan.changes.filter((change) => change.blocked !== null).toSorted((a, b) => riskRank(a) - riskRank(b));
  const unblocked = plan.changes.filter((change) => change.blocked === null && writesOnService(change));
  const rest = type === 'drift' ? unblocked.map((change) => driftDiagnostic(change, plan.target)) : riskDiagnostics(unblocked, plan.target);
  return [
    ...incomplete,
    ...blocked.flatMap((change) => blockedDiagnostics(change, plan.target)),
    ...holdDiagnostics(plan),
    ...rest,
    ...plan.findings.map((finding) => findingDiagnostic(finding, [plan.target])),
  ];
}

/** Returns the diagnostics of what holds a run back besides its changes, and one of what its commit merely lacks. */
function holdDiagnostics({ target, decision, changes, behind = [] }: Plan): readonly Diagnostic[] {
  const holds = runHolds(decision).map((hold) =>
    createDiagnostic(target, levelOf(hold, changes.length > 0), `${hold.status}-${hold.rule}`, holdText(hold), liftText(hold.lift)),
  );
  if (behind.length === 0) return holds;
  const text = `behind the commit last applied: ${count(behind.length, 'change')} would take back what a newer commit has brought`;
  return [...holds, createDiagnostic(target, 'warning', 'behind', text, 'Rebase')];
}

/** Returns the level of a hold: a note where there is nothing to do, or a merge lifts it. */
function levelOf(hold: Hold, hasChanges: boolean): DiagnosticLevel {
  if (!hasChanges || isLiftedByMerge(hold)) return 'note';
  return hold.status === 'waits' ? 'warning' : 'error';
}

/** Returns the diagnostic of a blocked change; none if it is not blocked. */
function blockedDiagnostics(change: Change, target: string): readonly Diagnostic[] {
  const { blocked, address } = change;
  return blocked === null
    ? []
    : [
        createDiagnostic(
          target,
          'error',
          `blocked-${blocked.check}`,
          `${address}${change.playback === 'stops' ? ', which stops playback,' : ''} is blocked by safety check \`${blocked.check}\`: ${blocked.reason}`,
          `To lift it: ${liftsText(blocked)}`,
          change,
        ),
      ];
}

/**
 * Returns notes on the changes that stop or reduce playback, or may affect it, with their first reason, and on those that weaken
 * protection.
 */
function riskDiagnostics(changes: readonly Change[], target: string): readonly Diagnostic[] {
  const note = (code: string, change: Change, text: string | null) =>
    createDiagnostic(target, 'note', code, `${change.address} ${text}`, null, change);
  const onPlayback = (code: string, risk: Playback) =>
    changes.flatMap((change) => {
      const reason = change.playbackReasons?.find(({ playback }) => playback === risk);
      return change.playback === risk ? [note(code, change, `${PLAYBACK_LABELS[risk]}${reason ? `: ${reason.text}` : ''}`)] : [];
    });
  return [
    ...onPlayback('stops-playback', 'stops'),
    ...changes.flatMap((change) => (change.effect === 'weakens' ? [note('weakens', change, EFFECTS.weakens)] : [])),
    ...onPlayback('reduces-playback', 'reduces'),
    ...onPlayback('may-affect-playback', 'unknown'),
  ];
}

const DRIFTED: { readonly [action in Change['action']]: string } = {
  create: 'appeared',
  update: 'was changed',
  delete: 'is gone',
  adopt: 'was taken over',
  move: 'was moved',
  forget: 'was forgotten',
};

/** Returns what the worst of a drift did, as the end of a sentence; empty where it neither stopped playback nor weakened protection. */
export function driftRisk(change: Pick<Change, 'effect' | 'playback'>): string {
  const [worst] = riskLabels(change);
  return riskRank(change) < 2 ? `, which ${worst}` : '';
}

function driftDiagnostic(change: Change, target: string): Diagnostic {
  const { address, action, fields } = change;
  const names = fields.slice(0, MAX_FIELDS).map(({ path }) => path);
  const more = fields.length - names.length;
  const list = action === 'update' ? ` (${[...names, ...(more > 0 ? [`${more} more`] : [])].join(', ')})` : '';
  const by = action === 'update' ? ` by ${change.changedBy === undefined ? 'hand' : `project ${change.changedBy}`}` : '';
  const text = `${address} ${DRIFTED[action]}${by}${list}${driftRisk(change)}`;
  return createDiagnostic(target, riskRank(change) < 2 ? 'error' : 'warning', 'drift', text, null, change);
}

function outcomeDiagnostics({ target, outcomes, verified, unverified }: Outcome, plan: Plan | undefined): readonly Diagnostic[] {
  const changes = new Map(plan?.changes.map((change) => [change.address, change]));
  const diagnostics = groupOutcomes(outcomes, MIN_EQUAL).flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { address, result, error, because } = first;
    const change = changes.get(address) ?? { address };
    const subject = others.length === 0 ? address : `${address} and ${others.length} more`;
    if (result === 'failed') return [createDiagnostic(target, 'error', 'failed', `${subject} failed: ${error ?? ''}`, null, change)];
    if (result === 'unseen')
      return [createDiagnostic(target, 'error', 'not-verified', `${subject} not seen yet: ${because ?? ''}`, null, change)];
    if (result !== 'skipped') return [];
    const blocked = 'blocked' in change ? blockedDiagnostics(change, target) : [];
    return blocked.length > 0
      ? blocked
      : [
          createDiagnostic(
            target,
            'warning',
            'skipped',
            `${subject} ${others.length === 0 ? 'was' : 'were'} skipped: ${because ?? ''}`,
            null,
            change,
          ),
        ];
  });
  const isNamed = outcomes.some(({ result }) => result === 'failed' || result === 'unseen');
  const isUnverified = !verified && (unverified ? unverified.notRead.length > 0 : !isNamed);
  const kinds = unverified ? ` of ${unverified.notRead.join(', ')}` : '';
  const message = `what was written${kinds} could not be read back, so it is not verified`;
  return [
    ...diagnostics,
    ...(isUnverified ? [createDiagnostic(target, 'error', 'not-verified', message, 'Plan again: what it shows was not written')] : []),
  ];
}

function checkDiagnostics({ target, checks }: Diagnosis): readonly Diagnostic[] {
  return checks.flatMap(({ check, state, summary, remedy = null }) => {
    if (state === 'ok' || state === 'skipped') return [];
    return [createDiagnostic(target, state === 'failed' ? 'error' : 'warning', 'set-up', `${check}: ${summary}`, remedy)];
  });
}

/** Returns what upkeep must not be used for, which settings are needed, and what a probe left behind. */
function probeDiagnostics({ target, answers, settings, leftBehind }: ProbeReport): readonly Diagnostic[] {
  return [
    ...answers.flatMap(({ state, question, found, assumed, notFor }) =>
      state === 'contradicted'
        ? [
            createDiagnostic(
              target,
              'error',
              'contradicted',
              `${question} ${found}; assumed: ${assumed}`,
              `Do not use upkeep for ${notFor}`,
            ),
          ]
        : [],
    ),
    ...settings.map(({ path, value }) =>
      createDiagnostic(target, 'warning', 'setting', `the service needs \`${path}: ${value}\``, 'Write it into upkeep.yaml'),
    ),
    ...leftBehind.map((name) =>
      createDiagnostic(
        target,
        'warning',
        'left-behind',
        `${name} may be left in the account`,
        'Run `upkeep probe --write` again: it removes or restores it first',
      ),
    ),
  ];
}

function failureDiagnostics({ target, error, findings }: ErrorReport): readonly Diagnostic[] {
  const targets = target === null ? [] : [target];
  const failure = {
    level: 'error',
    code: error.code,
    text: error.summary,
    hint: error.hint,
    location: null,
    address: null,
    targets,
  } as const;
  return [failure, ...findings.map((finding) => findingDiagnostic(finding, targets))];
}

function findingDiagnostic({ severity, code, summary, hint, address, ...where }: Finding, targets: readonly string[]): Diagnostic {
  const { file, line, column } = where;
  return { level: severity, code, text: summary, hint: hint ?? null, location: { file, line, column }, address: address ?? null, targets };
}

/** Creates a diagnostic of a target, or of one of its changes. */
function createDiagnostic(
  target: string,
  level: DiagnosticLevel,
  code: string,
  text: string,
  hint: string | null,
  about: Partial<Pick<Change, 'address' | 'declared'>> = {},
): Diagnostic {
  const { address = null, declared = null } = about;
  return { level, code, text: `${target}: ${text}`, hint, location: declared, address, targets: [target] };
}
