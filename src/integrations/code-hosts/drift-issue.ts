/** Maintains one issue per target while its account has drifted. The issue records since when each address drifts, in a hidden line. */

import { asList, asString } from '../../core/model/json-readers.ts';
import type { DriftSince, Plan } from '../../core/model/plan.ts';
import { visible } from '../../report/escape.ts';
import type { Options } from '../../report/index.ts';
import { type DriftAges, driftMarkdown, driftResolvedMarkdown } from '../../report/markdown/drift-issue.ts';
import { kindsWithStatus, riskRank } from '../../report/view/labels.ts';
import type { CodeHost, Issue, IssueText } from './code-host.ts';
import { markerLine, parseMarker } from './comment-marker.ts';

/** The label of the issues, by which they are listed. One that the host dropped is found by its author and its marker while it is open. */
export const DRIFT_LABEL = 'upkeep-drift';

/** Keeps since when the addresses of each target drift, between runs and beside the issue. */
export interface DriftStore {
  /** Returns what was saved of a target; null where nothing was. */
  load(target: string): string | null;
  save(target: string, known: string): void;
}

/** The inputs for the issues of a run. */
export interface DriftIssueContext {
  readonly host: CodeHost;
  /** The issues of the token's user that may be those of the targets, oldest first. */
  readonly issues: readonly Issue[];
  readonly store: DriftStore;
  readonly project: string;
  /** How the drift is rendered. */
  readonly render: Options;
  /** The page of the run; null if unknown. */
  readonly page: string | null;
  /** Unix milliseconds. */
  now(): number;
}

/** Maximum part of an issue's text that the known drift may take. */
const RECORD_SHARE = 0.25;

/** Opens, updates or closes the issue of a target. Returns a description of what was done. @throws CodeHostError */
export async function updateDriftIssue(context: DriftIssueContext, plan: Plan): Promise<string> {
  const own = issuesOf(context, plan.target);
  if (plan.changes.length === 0) return closeWithoutDrift(context, plan, own);
  const [issue, ...duplicates] = own;
  const body = bodyOf(context, plan, agesOf(context, plan, issue));
  const result = await writeIssue(context, { title: titleOf(context, plan.target), body }, issue);
  for (const duplicate of duplicates) await closeDuplicate(context, duplicate);
  return result;
}

/** Closes the issues of a target without drift, unless a read was incomplete. */
async function closeWithoutDrift(context: DriftIssueContext, plan: Plan, issues: readonly Issue[]): Promise<string> {
  const incomplete = kindsWithStatus(plan, 'incomplete');
  const open = issues.filter((issue) => issue.open);
  if (incomplete.length > 0)
    return open.length === 0
      ? 'no drift in what could be read, and no open issue'
      : `its issue is left as it is, because not everything could be read (${incomplete.join(', ')})`;
  context.store.save(plan.target, knownDriftText([]));
  return open.length === 0 ? 'no drift, and no open issue' : closeIssues(context, plan, open);
}

/** Returns since when each address drifts: by the issue, else by the store. Saves it for the next run. */
function agesOf({ store, now }: DriftIssueContext, plan: Plan, issue: Issue | undefined): DriftAges {
  const [at, incomplete] = [now(), kindsWithStatus(plan, 'incomplete')];
  const inIssue = issue ? driftSinceIn(issue.body, at) : [];
  const known = new Map([...parseKnownDrift(store.load(plan.target), at), ...inIssue].map((each) => [each.address, each.since]));
  const drifted = plan.changes
    .toSorted((a, b) => riskRank(a) - riskRank(b))
    .map(({ address, kind }) => ({ address, kind, since: known.get(address) ?? null }));
  const addresses = new Set(drifted.map(({ address }) => address));
  const unread = inIssue.filter(({ address, kind }) => !addresses.has(address) && incomplete.includes(kind));
  const ages = { drifted, unread, now: at, lastApply: plan.run?.lastApply ?? null };
  store.save(plan.target, knownDriftText(knownFrom(ages)));
  return ages;
}

/** Returns the drift that the next run will know; new drift counts from now. */
function knownFrom({ drifted, unread, now }: DriftAges): readonly KnownDrift[] {
  const at = new Date(now).toISOString();
  return [...drifted, ...unread].map((each) => ({ ...each, since: each.since ?? at }));
}

function bodyOf(context: DriftIssueContext, plan: Plan, ages: DriftAges): string {
  const { budget } = context.host;
  const head = `${markerOf(context, plan.target)}\n${driftSinceLine(knownFrom(ages), Math.floor(budget.most * RECORD_SHARE))}\n`;
  const run = context.page === null ? '' : ` by [this run](${context.page})`;
  const footer = `\nLast looked at \`${new Date(ages.now).toISOString()}\`${run}.\n`;
  const most = budget.most - budget.size(head) - budget.size(footer);
  return head + driftMarkdown(plan, ages, context.render, { ...budget, most }) + footer;
}

/** Closes an issue that another run opened at the same time; the older one stays. */
async function closeDuplicate({ host }: DriftIssueContext, issue: Issue): Promise<void> {
  await host.addIssueComment(issue, 'An older issue reports the same drift.');
  await host.editIssue(issue, issue, false);
}

async function writeIssue({ host }: DriftIssueContext, text: IssueText, issue: Issue | undefined): Promise<string> {
  if (!issue) return withUrl('issue opened', await host.openIssue(text, DRIFT_LABEL));
  await host.editIssue(issue, text, true);
  if (issue.open) return withUrl('issue updated', issue);
  await host.addIssueComment(issue, 'The account has drifted again.');
  return withUrl('issue opened again', issue);
}

async function closeIssues({ host, ...context }: DriftIssueContext, plan: Plan, issues: readonly Issue[]): Promise<string> {
  const gone = driftResolvedMarkdown(plan, new Date(context.now()).toISOString());
  const body = `${markerOf(context, plan.target)}\n${driftSinceLine([], 100)}\n${gone}`;
  for (const issue of issues) {
    await host.addIssueComment(issue, gone);
    await host.editIssue(issue, { title: titleOf(context, plan.target), body }, false);
  }
  return withUrl('issue closed', issues[0]);
}

function withUrl(text: string, issue: Issue | undefined): string {
  const done = issue?.url ? `${text} ${visible(issue.url)}` : text;
  return issue?.hasLabel === false && issue.open ? `${done}, ${MISSING_LABEL}` : done;
}

const MISSING_LABEL =
  `without the label ${DRIFT_LABEL}, which the token may not set: ` +
  'give it write access to the repository (on GitLab the role Reporter), or set the label by hand';

/** Returns the issues of a target: the open ones, oldest first, or else the one that was opened last. */
function issuesOf({ issues, project }: DriftIssueContext, target: string): readonly Issue[] {
  const own = issues.filter(({ body }) => {
    const marker = parseMarker(body)?.marker;
    return marker?.about === 'drift' && marker.project === project && marker.target === target;
  });
  const open = own.filter((issue) => issue.open);
  return open.length > 0 ? open : own.slice(-1);
}

function markerOf({ project }: Pick<DriftIssueContext, 'project'>, target: string): string {
  return markerLine({ about: 'drift', project, target, commit: null, outdated: false });
}

function titleOf({ project }: Pick<DriftIssueContext, 'project'>, target: string): string {
  return visible(`upkeep: ${target} has drifted${project === '.' ? '' : ` (${project})`}`);
}

/** An address that drifts, and since when. */
export type KnownDrift = DriftSince & { readonly since: string };

const DRIFT_SINCE = /^<!-- upkeep seen (\[.*\]) -->$/m;

/** Formats known drift as a hidden line of at most `most` characters; if not all fit, the oldest stay. */
export function driftSinceLine(known: readonly KnownDrift[], most: number): string {
  const rows: string[] = [];
  let left = most - '<!-- upkeep seen [] -->'.length;
  for (const each of known.toSorted((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : 0))) {
    const row = rowOf(each);
    left -= row.length + 1;
    if (left < 0) break;
    rows.push(row);
  }
  return `<!-- upkeep seen [${rows.join(',')}] -->`;
}

/** Parses the known drift in the text of an issue; rows of another form, or later than `now` (Unix milliseconds), are skipped. */
export function driftSinceIn(text: string, now: number): readonly KnownDrift[] {
  const [, json = null] = DRIFT_SINCE.exec(text) ?? [];
  return parseKnownDrift(json, now);
}

/** Formats known drift for the store, one row a line. */
function knownDriftText(known: readonly KnownDrift[]): string {
  return `[${known.map(rowOf).join(',\n')}]\n`;
}

/** Formats a row in ASCII, without characters that could end the HTML comment. */
function rowOf({ address, kind, since }: KnownDrift): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify([address, kind, since]).replace(/[^ -~]|[<>]|--/g, (part) => [...part].map(escaped).join(''));
}

function parseKnownDrift(json: string | null, now: number): readonly KnownDrift[] {
  return (asList(parseJson(json)) ?? []).flatMap((row) => {
    const [address, kind, since] = (asList(row) ?? []).map(asString);
    if (address === undefined || kind === undefined || since === undefined) return [];
    return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(since) && Date.parse(since) <= now ? [{ address, kind, since }] : [];
  });
}

/** Parses JSON; null if there is none, or somebody has edited it. */
function parseJson(json: string | null): unknown {
  try {
    return json === null ? null : JSON.parse(json);
  } catch {
    return null;
  }
}
