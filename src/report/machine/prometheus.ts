import type { Outcome } from '../../model/outcome.ts';
import type { Plan, Validation } from '../../model/plan.ts';
import type { RunMetadata } from '../../model/run-metadata.ts';
import type { Document, Renderer, Site } from '../document.ts';
import { writes } from '../view/labels.ts';
import { nameOf } from './diagnostics.ts';

/** All metrics with their help text; all are gauges. A new one is a line here. */
const METRICS = {
  upkeep_success: 'Whether the run did its work: everything could be read, and what was to be written was written. Drift is no failure.',
  upkeep_last_success_timestamp_seconds: 'When a run last did its work, carried over from the file before where this one did not.',
  upkeep_run_timestamp_seconds: 'When the run made its report.',
  upkeep_last_apply_timestamp_seconds: 'When the target was applied last, by the ledger.',
  upkeep_requests: 'Requests that the run sent to the service, each attempt counted.',
  upkeep_retries: 'Attempts among them beyond the first.',
  upkeep_complete: 'Whether all of a kind could be read.',
  upkeep_changes: 'Changes of a plan, including blocked ones.',
  upkeep_blocked: 'Changes that a safety check blocks.',
  upkeep_loosening: 'Changes that loosen protection, blocked or not.',
  upkeep_unmanaged: 'Live objects that nobody declares.',
  upkeep_drift: 'Resources that were changed at the account since the last apply.',
  upkeep_drift_age_seconds:
    'How old drift can be at most: seconds since the last apply. Left out where there is no drift, or no record of an apply.',
  upkeep_results: 'What became of the changes of an apply.',
  upkeep_verified: 'Whether all that was written read back as desired.',
  upkeep_findings: 'Errors and warnings about the configuration.',
} as const;

type Metric = keyof typeof METRICS;

type Labels = { readonly [name: string]: string };

/** One sample of a metric, identified by its labels. */
interface Sample {
  readonly metric: Metric;
  readonly labels: Labels;
  readonly value: number;
}

/** Gauges in the text format of Prometheus (version 0.0.4), for a node exporter's text files and for push gateways. */
export const renderPrometheus: Renderer = (documents, { site, earlier }) => {
  const found = new Map(documents.flatMap((document) => samplesOf(document, site)).map((sample) => [seriesOf(sample), sample.value]));
  for (const [series, value] of carriedOver(found, earlier ?? '')) found.set(series, value);
  const lines = Object.entries(METRICS).flatMap(([metric, help]) => {
    const own = [...found].filter(([series]) => series.startsWith(`${metric}{`));
    return own.length === 0
      ? []
      : [`# HELP ${metric} ${help}`, `# TYPE ${metric} gauge`, ...own.map(([series, value]) => `${series} ${value}`)];
  });
  return `${lines.join('\n')}\n`;
};

const LAST_SUCCESS = /^(upkeep_last_success_timestamp_seconds(\{[^\n]*\})) (\d+(?:\.\d+)?)$/gm;

/** Returns the last-success samples of runs that failed now, from the previous file. */
function carriedOver(found: ReadonlyMap<string, number>, earlier: string): readonly (readonly [string, number])[] {
  return [...earlier.matchAll(LAST_SUCCESS)].flatMap(([, series = '', labels = '', value]) =>
    found.get(`upkeep_success${labels}`) === 0 ? [[series, Number(value)] as const] : [],
  );
}

/** A metric with its labels, as it stands in the file. */
function seriesOf({ metric, labels }: Sample): string {
  const written = Object.entries(labels).map(([name, text]) => `${name}="${escaped(text)}"`);
  return `${metric}{${written.join(',')}}`;
}

/** A label's value: backslashes, quotes and line breaks are written with a backslash; the last are no longer in it. */
function escaped(text: string): string {
  return nameOf(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}

function samplesOf(document: Document, site: Site): readonly Sample[] {
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
      return failureSamples({ command: site.command, target: document.failure.target ?? '' }, document.plan);
    case 'diagnosis':
    case 'acceptance':
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
  const about = { command: 'plan', target };
  const { create, update, delete: deleted, unmanaged } = summary;
  return [
    ...observedSamples('plan', plan),
    ...Object.entries({ create, update, delete: deleted }).map(([action, value]) => sample('upkeep_changes', { ...about, action }, value)),
    sample('upkeep_blocked', about, summary.blocked),
    sample('upkeep_loosening', about, changes.filter((change) => writes(change) && change.effect === 'loosens').length),
    sample('upkeep_unmanaged', about, unmanaged),
    ...findingSamples(about, plan),
  ];
}

/** The drift of each kind that was looked at, none included, so that it can be seen to end. */
function driftSamples(plan: Plan): readonly Sample[] {
  const { target, changes, observed, run } = plan;
  const age = (Date.parse(run?.at ?? '') - Date.parse(run?.lastApply ?? '')) / 1000;
  const kinds = Object.entries(observed).flatMap(([kind, seen]) => (seen === 'complete' ? [kind] : []));
  const drift = kinds.flatMap((kind) => {
    const about = { command: 'drift', target, kind };
    const drifted = changes.filter((change) => change.kind === kind).length;
    const aged = drifted > 0 && age >= 0 ? [sample('upkeep_drift_age_seconds', about, age)] : [];
    return [sample('upkeep_drift', about, drifted), ...aged];
  });
  return [...observedSamples('drift', plan), ...drift];
}

/** What was seen of the account, and when. */
function observedSamples(command: string, { target, observed, run }: Plan): readonly Sample[] {
  const about = { command, target };
  const seen = Object.entries(observed).filter(([, how]) => how === 'complete' || how === 'incomplete');
  const isWhole = seen.every(([, how]) => how === 'complete');
  return [
    ...runSamples(about, isWhole, run),
    ...seen.map(([kind, how]) => sample('upkeep_complete', { ...about, kind }, how === 'complete' ? 1 : 0)),
  ];
}

function outcomeSamples({ target, summary, verified, run }: Outcome, plan: Plan | undefined): readonly Sample[] {
  const about = { command: 'apply', target };
  return [
    ...runSamples(about, verified && summary.failed === 0, run),
    ...Object.entries(summary).map(([result, value]) => sample('upkeep_results', { ...about, result }, value)),
    sample('upkeep_verified', about, verified ? 1 : 0),
    ...(plan ? [sample('upkeep_blocked', about, plan.summary.blocked)] : []),
  ];
}

function failureSamples(about: Labels, plan: Plan | undefined): readonly Sample[] {
  return [sample('upkeep_success', about, 0), ...(plan ? [sample('upkeep_blocked', about, plan.summary.blocked)] : [])];
}

function validationSamples(validation: Validation): readonly Sample[] {
  const about = { command: 'validate', target: validation.target };
  return [...runSamples(about, validation.valid, undefined), ...findingSamples(about, validation)];
}

/** How a run went. A moment that cannot be read is left out. */
function runSamples(about: Labels, success: boolean, run: RunMetadata | undefined): readonly Sample[] {
  const at = moment(run?.at);
  const lastApply = moment(run?.lastApply);
  return [
    sample('upkeep_success', about, success ? 1 : 0),
    ...(at === null ? [] : [sample('upkeep_run_timestamp_seconds', about, at)]),
    ...(at === null || !success ? [] : [sample('upkeep_last_success_timestamp_seconds', about, at)]),
    ...(lastApply === null ? [] : [sample('upkeep_last_apply_timestamp_seconds', about, lastApply)]),
    ...(run ? [sample('upkeep_requests', about, run.requests), sample('upkeep_retries', about, run.retries)] : []),
  ];
}

function findingSamples(about: Labels, { findings }: Pick<Plan, 'findings'>): readonly Sample[] {
  return (['error', 'warning'] as const).map((severity) => {
    const number = findings.filter((finding) => finding.severity === severity).length;
    return sample('upkeep_findings', { ...about, severity }, number);
  });
}

/** Unix time in seconds. */
function moment(at: string | undefined): number | null {
  const time = Date.parse(at ?? '') / 1000;
  return Number.isFinite(time) ? time : null;
}

function sample(metric: Metric, labels: Labels, value: number): Sample {
  return { metric, labels, value };
}
