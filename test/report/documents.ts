/** Builds documents for tests; a test gives only the members that it is about. */

import { decide } from '../../src/core/decide/decide.ts';
import { undecidedFacts } from '../../src/core/decide/facts.ts';
import type { Change, FieldChange } from '../../src/core/model/change.ts';
import type { Decision, Hold } from '../../src/core/model/decision.ts';
import type { Finding } from '../../src/core/model/finding.ts';
import type { ImpactReport, ImpactSummary, MatrixRow, PlanImpact, PlanMatrix, Rule } from '../../src/core/model/impact.ts';
import type { Json } from '../../src/core/model/json.ts';
import type { ChangeOutcome, Outcome, Result } from '../../src/core/model/outcome.ts';
import type { ErrorReport, Plan, Validation } from '../../src/core/model/plan.ts';
import { scopeOf } from '../../src/core/model/plan-scope.ts';
import type { History, HistoryEntry } from '../../src/report/documents/history.ts';
import type { Options, ReportOrigin } from '../../src/report/index.ts';
import { diagramOf } from '../../src/report/kind-views.ts';
import type { PlanDocument } from '../../src/report/view/verdict.ts';

import { type ChangeParts, changeOf } from '../support/changes.ts';

export const HASH = `sha256:${'0123456789abcdef'.repeat(4)}`;

/** The risks of every plan. */
export const RISKS = 'No change stops or reduces playback, and none weakens protection.';

export const SITE: ReportOrigin = { command: 'plan', version: '1.2.3', folder: 'accounts/eu/', project: 'upkeep.yaml' };

export const OPTIONS: Options = {
  color: false,
  width: 100,
  requests: false,
  full: false,
  afterPlan: false,
  why: false,
  undeclared: null,
  origin: SITE,
  diagramOf,
  previousReport: null,
};

export function field(path: string, before: Json, after: Json, more: Partial<FieldChange> = {}): FieldChange {
  return { path, before, after, origin: 'unknown', effect: 'neutral', ...more };
}

export function change(address: string, more: ChangeParts = {}): Change {
  const kind = address.split('/')[0] ?? address;
  const name = address.slice(address.indexOf('/') + 1);
  return changeOf({ address, kind, name, digest: HASH, ...more });
}

export function plan(changes: readonly Change[], more: Partial<Plan> = {}): PlanDocument {
  const number = (action: Change['action']) => changes.filter((each) => each.action === action).length;
  const { behind = [], unread = [], requests = [], readStatus = { playlist: 'complete', 'drm-policy': 'complete' } } = more;
  return {
    schemaVersion: 1,
    target: 'production',
    decision: decide(undecidedFacts({ changes, behind, unread, requests }, 'production', 0)),
    ...(scopeOf({ readStatus }) === 'none' ? {} : { fingerprint: HASH }),
    verdict: 'The first line of the report',
    risks: RISKS,
    config: { commit: '1a2b3c4d5e6f70819203a4b5c6d7e8f901234567', dirty: false, digest: HASH },
    readStatus,
    summary: {
      create: number('create'),
      update: number('update'),
      delete: number('delete'),
      blocked: changes.filter((each) => each.blocked !== null).length,
      unchanged: 10,
      undeclared: 0,
    },
    changes,
    requests: [],
    findings: [],
    cost: { reads: 4, writes: 0 },
    ...more,
  };
}

/** A decision that one hold of the run makes wait. */
export function waiting(...given: readonly (Pick<Hold, 'rule' | 'reason'> & Partial<Hold>)[]): Decision {
  const holds = given.map(({ until = null, ...hold }): Hold => ({ status: 'waits', on: null, lift: null, until, ...hold }));
  const [first] = holds;
  const until = holds.length === 1 ? (first?.until ?? null) : null;
  return {
    at: '2026-11-27T12:00:00.000Z',
    status: first?.status ?? 'ready',
    exit: 4,
    until,
    sends: [],
    withSkip: [],
    holds,
    overridden: [],
    next: [],
  };
}

export function outcome(outcomes: readonly ChangeOutcome[], verified = true): Outcome {
  const number = (result: Result) => outcomes.filter((each) => each.result === result).length;
  return {
    schemaVersion: 1,
    target: 'production',
    fingerprint: HASH,
    outcomes,
    summary: {
      created: number('created'),
      updated: number('updated'),
      deleted: number('deleted'),
      adopted: number('adopted'),
      moved: number('moved'),
      forgotten: number('forgotten'),
      failed: number('failed'),
      skipped: number('skipped'),
    },
    verified,
  };
}

export function finding(more: Partial<Finding> = {}): Finding {
  return {
    severity: 'error',
    code: 'unknown-key',
    summary: 'upkeep knows no key `repaet` here.',
    hint: 'Did you mean `repeat`?',
    file: 'config/common.yaml',
    line: 12,
    column: 5,
    excerpt: '    repaet: -1',
    ...more,
  };
}

export function validation(findings: readonly Finding[]): Validation {
  const valid = findings.every(({ severity }) => severity !== 'error');
  return { schemaVersion: 1, target: 'production', valid, findings, resources: { playlist: 12, 'drm-policy': 3, 'static-key': 0 } };
}

export function failure(findings: readonly Finding[], target: string | null = 'production'): ErrorReport {
  const error = {
    exit: 8,
    code: 'invalid-configuration',
    summary: 'The configuration is not valid.',
    hint: 'Correct what is named below.',
  };
  return { schemaVersion: 1, target, error, findings };
}

export function historyEntry(more: Partial<HistoryEntry> = {}): HistoryEntry {
  const { fingerprint = null, summary, verified } = outcome([{ address: 'playlist/x', result: 'created', tookMs: 1 }]);
  const about = { at: '2026-03-01T10:00:00.000Z', by: 'ada', where: 'build-1', tool: '1.0.0', commit: 'c'.repeat(40) };
  return { id: 'e'.repeat(40), ...about, fingerprint, summary, verified, ...more };
}

export function history(entries: readonly HistoryEntry[], more: Partial<History> = {}): History {
  return { schemaVersion: 1, target: 'production', entries, ...more };
}

export function rule(more: Partial<Rule> = {}): Rule {
  const field = '/widevine/content_key_specs/HD/security_level';
  return { outcome: 'refused', text: 'security_level 3 asked, 1 present', field, section: 'drm-api-v3 2.3', ...more };
}

/** Builds the summary of a lost resolution: HD on a browser under one policy. */
export function impactSummary(more: Partial<ImpactSummary> = {}): ImpactSummary {
  const { outcome, uncertain = false } = more;
  const isOfBefore = outcome === 'gained' || outcome === 'unrestricted' || (outcome === 'uncertain' && !uncertain);
  return {
    outcome: 'lost',
    resolutions: ['HD'],
    uncertain: false,
    side: isOfBefore ? 'before' : 'after',
    devices: [{ device: 'browser', name: 'desktop browser (software Widevine)', system: 'widevine' }],
    policies: ['drm-policy/premium'],
    changes: ['drm-policy/premium'],
    rules: [rule()],
    ...more,
  };
}

export function planImpact(...summaries: readonly ImpactSummary[]): PlanImpact {
  return { summaries, matrices: [], notes: ['Hold this against the light.'] };
}

/** Builds a matrix in which a browser gets another limit at SD and loses HD. */
export function planMatrix(more: Partial<PlanMatrix> = {}): PlanMatrix {
  const before = { SD: 'restricted', HD: 'plays', UHD1: 'refused', UHD2: 'unknown' } as const;
  const about = { device: 'browser', name: 'desktop browser (software Widevine)', system: 'widevine' } as const;
  const row = { ...about, before, after: { ...before, HD: 'refused' }, noticed: ['SD', 'HD'] } as const;
  return { policies: ['drm-policy/premium'], devices: [row], ...more };
}

/** Builds the row of a browser that loses HD; everything else plays. */
export function matrixRow(more: Partial<MatrixRow> = {}): MatrixRow {
  const plays = { playback: 'plays', rules: [] } as const;
  const before = { SD: plays, HD: plays, UHD1: plays, UHD2: plays };
  const after = { ...before, HD: { playback: 'refused', rules: [rule()] } } as const;
  const lists = { lost: ['HD'], gained: [], restricted: [], unrestricted: [], uncertain: [], changed: [] } as const;
  return { device: 'browser', name: 'desktop browser (software Widevine)', system: 'widevine', before, after, ...lists, ...more };
}

export function impactReport(rows: readonly MatrixRow[], more: Partial<ImpactReport> = {}): ImpactReport {
  const matrices = [{ policies: ['drm-policy/premium'], devices: rows }];
  return {
    schemaVersion: 1,
    target: 'production',
    of: 'difference',
    matrices,
    unchanged: [],
    notes: ['Hold this against the light.'],
    ...more,
  };
}
