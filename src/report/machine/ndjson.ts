import { comparePhases } from '../../core/model/change.ts';
import type { ImpactReport } from '../../core/model/impact.ts';
import type { ChangeOutcome, Outcome } from '../../core/model/outcome.ts';
import type { ErrorReport, Plan } from '../../core/model/plan.ts';
import type { ProbeReport } from '../../probe/probe-report.ts';
import type { Document, Renderer } from '../document.ts';
import type { Diagnosis } from '../documents/diagnosis.ts';
import { visibleJson } from '../escape.ts';
import { riskRank } from '../view/labels.ts';
import { withVerdict } from '../view/verdict.ts';
import { withoutExcerpt } from './json.ts';

/** One event: its name and members (schemas/event.schema.json). */
export interface Event {
  readonly event: string;
  readonly [member: string]: unknown;
}

/** Renders JSON with one event per line: single items first, then the summary. */
export const renderNdjson: Renderer = (documents) =>
  documents
    .flatMap(eventsOf)
    .map((event) => `${eventLine(event)}\n`)
    .join('');

/** Returns the line of an event, without the line break. */
export function eventLine(event: Event): string {
  return visibleJson({ schemaVersion: 1, ...event });
}

/** Builds the event with the result of one change. */
export function resultEvent(target: string, outcome: ChangeOutcome): Event {
  return { event: 'result', target, ...outcome };
}

/** Builds the events of a document, in order. */
export function eventsOf(document: Document): readonly Event[] {
  switch (document.type) {
    case 'plan':
    case 'drift':
      return planEvents(document.type, document.plan);
    case 'outcome':
      return [...(document.plan ? planEvents('plan', document.plan) : []), ...outcomeEvents(document.outcome)];
    case 'validation': {
      const { schemaVersion: _version, findings, ...about } = document.validation;
      return [...findingEvents(about.target, findings), { event: 'validation', ...about }];
    }
    case 'failure':
      return [...(document.plan ? planEvents('plan', document.plan) : []), ...failureEvents(document.failure)];
    case 'history':
      return document.history.entries.map((entry) => ({ event: 'apply', target: document.history.target, ...entry }));
    case 'impact':
      return impactEvents(document.impact);
    case 'diagnosis':
      return diagnosisEvents(document.diagnosis);
    case 'probe':
      return probeEvents(document.probe);
    case 'acceptance':
    case 'tests':
    case 'export':
      return [];
    case 'field':
      return [{ event: 'explanation', explanation: document.field }];
    case 'address':
      return [{ event: 'explanation', explanation: document.address }];
    case 'targets':
      return document.targets.map(({ name, ...about }) => ({ event: 'target', target: name, ...about }));
  }
}

/**
 * Builds the events of a plan or a drift report: blocked changes first, then those that stop playback or weaken protection, then the others
 * in order.
 */
function planEvents(type: 'plan' | 'drift', plan: Plan) {
  const { target, fingerprint, unread, overrides, decision, risks, config, readStatus, summary, changes, findings, cost, run } = plan;
  const { verdict } = withVerdict(type, plan);
  const risk = (change: Plan['changes'][number]) => (change.blocked ? 0 : 1 + riskRank(change));
  const inOrder = changes.toSorted((a, b) => risk(a) - risk(b) || comparePhases(a.phase, b.phase) || a.wave - b.wave);
  const event = type === 'plan' ? 'planned' : 'drifted';
  return [
    ...inOrder.map(
      ({ fields, ignored: _ignored, playbackReasons: _reasons, phase: _phase, wave: _wave, digest: _digest, ...change }): Event => {
        return { event, target, ...change, fields: fields.map(({ path }) => path) };
      },
    ),
    ...findingEvents(target, findings),
    {
      event: type,
      target,
      ...(fingerprint === undefined ? {} : { fingerprint }),
      ...(unread ? { unread } : {}),
      ...(overrides ? { overrides } : {}),
      verdict,
      ...(decision && type === 'plan' ? { decision } : {}),
      risks,
      config,
      readStatus,
      summary,
      cost,
      ...(run ? { run } : {}),
    },
  ];
}

function outcomeEvents({ schemaVersion: _version, outcomes, ...about }: Outcome): readonly Event[] {
  return [...outcomes.map((outcome) => resultEvent(about.target, outcome)), { event: 'outcome', ...about }];
}

function failureEvents({ target, error, decision, findings }: ErrorReport): readonly Event[] {
  return [...findingEvents(target, findings), { event: 'failure', target, error, ...(decision ? { decision } : {}) }];
}

function diagnosisEvents({ target, healthy, checks }: Diagnosis): readonly Event[] {
  return [...checks.map((check): Event => ({ event: 'check', target, ...check })), { event: 'diagnosis', target, healthy }];
}

function probeEvents({ schemaVersion: _version, answers, ...about }: ProbeReport): readonly Event[] {
  return [...answers.map((answer): Event => ({ event: 'answer', target: about.target, ...answer })), { event: 'probe', ...about }];
}

function findingEvents(target: string | null, findings: Plan['findings']): readonly Event[] {
  return findings.map((finding) => ({ event: 'finding', target, ...withoutExcerpt(finding) }));
}

/** Builds an event for each device, without the rules behind its playback. */
function impactEvents({ target, matrices }: ImpactReport): readonly Event[] {
  return matrices.flatMap(({ policies, devices }) =>
    devices.map(({ before: _before, after: _after, ...row }): Event => ({ event: 'device', target, policies, ...row })),
  );
}
