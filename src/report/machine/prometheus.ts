import { PLAYBACKS, writesOnService } from '../../core/model/change.ts';
import { type Decision, STATUSES } from '../../core/model/decision.ts';
import { countFindings } from '../../core/model/finding.ts';
import type { Outcome } from '../../core/model/outcome.ts';
import type { ErrorReport, Plan, RunMetadata, Validation } from '../../core/model/plan.ts';
import type { Document, Renderer, ReportOrigin } from '../document.ts';
import { formatName } from './diagnostics.ts';

/** All metrics with their help text; all are gauges. A new one is a line here. */
export const METRICS = {
  upkeep_success: '1 if everything could be read, and everything that was to be written was written. Drift is not a failure.',
  upkeep_last_success_timestamp_seconds: 'When a run last succeeded. A failing run carries the value over from the file that it replaces.',
  upkeep_run_timestamp_seconds: 'When the report was made.',
  upkeep_last_apply_timestamp_seconds: 'When the target was last applied, according to the ledger.',
  upkeep_requests: 'Requests that were sent to the service; each attempt counts.',
  upkeep_retries: 'Attempts beyond the first of each request.',
  upkeep_complete: '1 if the kind could be read completely.',
  upkeep_changes: 'Changes of a plan, including blocked ones.',
  upkeep_blocked: 'Changes that a safety check blocks.',
  upkeep_decision: '1 for the status of the run: what an apply may do now, or could when it was decided; 0 for each other status.',
  upkeep_weakening: 'Changes that weaken protection, blocked or not.',
  upkeep_playback: 'Changes of a plan by what they do to playback, blocked or not.',
  upkeep_undeclared: 'Live objects that nobody declares.',
  upkeep_drift: 'Resources that were changed in the account since the last apply.',
  upkeep_drift_age_seconds:
    'Seconds since the last apply, so the greatest age that drift can have. Absent without drift, or where nothing was applied.',
  upkeep_results: 'Changes of an apply by their result.',
  upkeep_verified: '1 if everything that was written was read back as desired.',
  upkeep_asset_expires_timestamp_seconds:
    'When the first asset is gone that a playlist on air plays, also where that is over. Absent where no end is known.',
  upkeep_rotation_overdue:
    '1 if the static key should have been rotated, and has not been. Absent where the schedule was not read; 0 where `rules` switch `rotation-overdue` off.',
  upkeep_findings: 'Errors and warnings about the configuration and the assets in it.',
} as const;

type Metric = keyof typeof METRICS;

type Labels = { readonly [name: string]: string };

/** One sample of a metric, identified by its labels. */
interface Sample {
  readonly metric: Metric;
  readonly labels: Labels;
  readonly value: number;
}

/** Renders gauges in the text format of Prometheus (version 0.0.4), for a node exporter's text files and for push gateways. */
export const renderPrometheus: Renderer = (documents, { origin, previousReport }) => {
  const samples = new Map(documents.flatMap((document) => samplesOf(document, origin)).map((sample) => [seriesOf(sample), sample.value]));
  for (const [series, value] of carriedOver(samples, previousReport ?? '')) samples.set(series, value);
  const lines = Object.entries(METRICS).flatMap(([metric, help]) => {
    const ofMetric = [...samples].filter(([series]) => series.startsWith(`${metric}{`));
    return ofMetric.length === 0
      ? []
      : [`# HELP ${metric} ${help}`, `# TYPE ${metric} gauge`, ...ofMetric.map(([series, value]) => `${series} ${value}`)];
  });
  return `${lines.join('\n')}\n`;
};

const LAST_SUCCESS = /^(upkeep_last_success_timestamp_seconds(\{[^\n]*\})) (\d+(?:\.\d+)?)$/gm;

/** Returns the last-success samples of runs that failed now, from the previous file. */
function carriedOver(samples: ReadonlyMap<string, number>, previousReport: string): readonly (readonly [string, number])[] {
  return [...previousReport.matchAll(LAST_SUCCESS)].flatMap(([, series = '', labels = '', value]) =>
    samples.get(`upkeep_success${labels}`) === 0 ? [[series, Number(value)] as const] : [],
  );
}

function seriesOf({ metric, labels }: Sample): string {
  const list = Object.entries(labels).map(([name, text]) => `${name}="${escapeLabel(text)}"`);
  return `${metric}{${list.join(',')}}`;
}

/** Escapes the value of a label. It has no line breaks, which `formatName` makes visible. */
function escapeLabel(text: string): string {
  return formatName(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}

function samplesOf(document: Document, origin: ReportOrigin): readonly Sample[] {
  switch (document.type) {
    case 'plan':
      return planSamples(document.plan);
    case 'drift':
      return driftSamples(document.plan);
    case 'outcome':
      return outcomeSamples(document.outcome, document.plan);
    case 'validation':
      return validationSamples(document.validation);
    case 'failure':
      return failureSamples({ command: origin.command, target: document.failure.target ?? '' }, document.failure, document.plan);
    case 'diagnosis':
    case 'probe':
    case 'acceptance':
    case 'tests':
    case 'export':
    case 'history':
    case 'impact':
    case 'field':
    case 'address':
    case 'targets':
      return [];
  }
}

function planSamples(plan: Plan): readonly Sample[] {
  const { target, summary, changes } = plan;
  const command = plan.base ? 'diff' : 'plan';
  const about = { command, target };
  const { create, update, delete: deleted, undeclared } = summary;
  return [
    ...readStatusSamples(command, plan),
    ...Object.entries({ create, update, delete: deleted }).map(([action, value]) => sample('upkeep_changes', { ...about, action }, value)),
    sample('upkeep_blocked', about, summary.blocked),
    ...decisionSamples(about, plan),
    sample('upkeep_weakening', about, changes.filter((change) => writesOnService(change) && change.effect === 'weakens').length),
    ...PLAYBACKS.filter((playback) => playback !== 'neutral').map((playback) =>
      sample(
        'upkeep_playback',
        { ...about, playback },
        changes.filter((change) => writesOnService(change) && change.playback === playback).length,
      ),
    ),
    sample('upkeep_undeclared', about, undeclared),
    ...expirySamples(about, plan),
    ...rotationSamples(about, plan),
    ...findingSamples(about, plan),
  ];
}

/** Counts the drift of each kind that was read, also where there is none, so that the end of drift is visible. */
function driftSamples(plan: Plan): readonly Sample[] {
  const { target, changes, readStatus, run } = plan;
  const age = (Date.parse(run?.at ?? '') - Date.parse(run?.lastApply ?? '')) / 1000;
  const kinds = Object.entries(readStatus).flatMap(([kind, status]) => (status === 'complete' ? [kind] : []));
  const drift = kinds.flatMap((kind) => {
    const about = { command: 'drift', target, kind };
    const drifted = changes.filter((change) => change.kind === kind).length;
    const ages = drifted > 0 && age >= 0 ? [sample('upkeep_drift_age_seconds', about, age)] : [];
    return [sample('upkeep_drift', about, drifted), ...ages];
  });
  const about = { command: 'drift', target };
  return [
    ...readStatusSamples('drift', plan),
    ...drift,
    ...expirySamples(about, plan),
    ...rotationSamples(about, plan),
    ...findingSamples(about, plan),
  ];
}

/** Returns one sample for each target, whatever the number of its assets. */
function expirySamples(about: Labels, { firstExpiry }: Plan): readonly Sample[] {
  const seconds = Date.parse(firstExpiry?.at ?? '') / 1000;
  return Number.isNaN(seconds) ? [] : [sample('upkeep_asset_expires_timestamp_seconds', about, seconds)];
}

/** Returns whether a rotation is overdue, which a finding says. */
function rotationSamples(about: Labels, { readStatus, findings }: Plan): readonly Sample[] {
  if (readStatus['key-rotation-schedule'] !== 'complete') return [];
  return [sample('upkeep_rotation_overdue', about, findings.some(({ code }) => code === 'rotation-overdue') ? 1 : 0)];
}

/** Returns whether each kind could be read completely, and the samples of the run. */
function readStatusSamples(command: string, { target, readStatus, run }: Plan): readonly Sample[] {
  const about = { command, target };
  const read = Object.entries(readStatus).filter(([, status]) => status === 'complete' || status === 'incomplete');
  const isComplete = read.every(([, status]) => status === 'complete');
  return [
    ...runSamples(about, isComplete, run),
    ...read.map(([kind, status]) => sample('upkeep_complete', { ...about, kind }, status === 'complete' ? 1 : 0)),
  ];
}

/** Returns one sample for each status: 1 for that of the run. */
function decisionSamples(about: Labels, { decision }: { readonly decision?: Decision }): readonly Sample[] {
  if (decision === undefined) return [];
  return STATUSES.map((status) => sample('upkeep_decision', { ...about, status }, status === decision.status ? 1 : 0));
}

function outcomeSamples(outcome: Outcome, plan: Plan | undefined): readonly Sample[] {
  const { target, summary, verified, run } = outcome;
  const about = { command: 'apply', target };
  return [
    ...runSamples(about, verified && summary.failed === 0, run),
    ...Object.entries({ ...summary, unseen: summary.unseen ?? 0, unchanged: summary.unchanged ?? 0 }).map(([result, value]) =>
      sample('upkeep_results', { ...about, result }, value),
    ),
    sample('upkeep_verified', about, verified ? 1 : 0),
    ...decisionSamples(about, outcome),
    ...(plan ? [sample('upkeep_blocked', about, plan.summary.blocked)] : []),
  ];
}

function failureSamples(about: Labels, failure: ErrorReport, plan: Plan | undefined): readonly Sample[] {
  return [
    sample('upkeep_success', about, 0),
    ...decisionSamples(about, failure),
    ...(plan ? [sample('upkeep_blocked', about, plan.summary.blocked)] : []),
  ];
}

function validationSamples(validation: Validation): readonly Sample[] {
  const about = { command: 'validate', target: validation.target };
  return [...runSamples(about, validation.valid, undefined), ...findingSamples(about, validation)];
}

/** Returns the samples about a run. A time that cannot be parsed is omitted. */
function runSamples(about: Labels, success: boolean, run: RunMetadata | undefined): readonly Sample[] {
  const at = unixSeconds(run?.at);
  const lastApply = unixSeconds(run?.lastApply);
  return [
    sample('upkeep_success', about, success ? 1 : 0),
    ...(at === null ? [] : [sample('upkeep_run_timestamp_seconds', about, at)]),
    ...(at === null || !success ? [] : [sample('upkeep_last_success_timestamp_seconds', about, at)]),
    ...(lastApply === null ? [] : [sample('upkeep_last_apply_timestamp_seconds', about, lastApply)]),
    ...(run ? [sample('upkeep_requests', about, run.requests), sample('upkeep_retries', about, run.retries)] : []),
  ];
}

function findingSamples(about: Labels, { findings }: Pick<Plan, 'findings'>): readonly Sample[] {
  return (['error', 'warning'] as const).map((severity) =>
    sample('upkeep_findings', { ...about, severity }, countFindings(findings, severity)),
  );
}

/** Converts an ISO 8601 time to Unix seconds; null if it is absent or cannot be parsed. */
function unixSeconds(at: string | undefined): number | null {
  const time = Date.parse(at ?? '') / 1000;
  return Number.isFinite(time) ? time : null;
}

function sample(metric: Metric, labels: Labels, value: number): Sample {
  return { metric, labels, value };
}
