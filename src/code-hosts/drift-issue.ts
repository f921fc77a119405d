/** One issue per target for as long as its account has drifted. */
import type { Plan } from '../model/plan.ts';
import { visible } from '../report/escape.ts';
import type { ReportOrigin } from '../report/index.ts';
import { type DriftAges, driftMarkdown, driftResolvedMarkdown } from '../report/markdown/drift-issue.ts';
import { kindsWithStatus } from '../report/view/labels.ts';
import type { CodeHost, Issue, IssueText } from './code-host.ts';
import { type Marker, markedText, markerLine } from './comment-marker.ts';
import { driftSinceIn, driftSinceLine, type KnownDrift, loadDriftSince, saveDriftSince } from './drift-since-store.ts';
import { lookOf } from './pr-comment-body.ts';

/** The label of the issues, by which they are listed. */
export const LABEL = 'upkeep-drift';

/** What the issues of a run are about. */
export interface Drifting {
  readonly host: CodeHost;
  /** The own issues with the label. */
  readonly issues: readonly Issue[];
  /** Folder of upkeep.yaml. */
  readonly folder: string;
  readonly project: string;
  readonly site: ReportOrigin;
  readonly page: string | null;
  /** Unix milliseconds. */
  now(): number;
}

/** Part of an issue's text that may record since when addresses drift. */
const RECORD = 0.25;

/** Opens, updates or closes the issue of a target. Returns a description of what was done. @throws CodeHostError, CliError */
export async function keepIssue(drifting: Drifting, plan: Plan): Promise<string> {
  const own = ownIssues(drifting, plan.target);
  if (plan.changes.length === 0) return settle(drifting, plan, own);
  const [issue, ...others] = own;
  const body = bodyOf(drifting, plan, agesOf(drifting, plan, issue));
  const done = await write(drifting, { title: titleOf(drifting, plan.target), body }, issue);
  for (const other of others) await closeTwin(drifting, other);
  return done;
}

/** Where nothing has drifted the issue is closed, unless something could not be read. */
async function settle(drifting: Drifting, plan: Plan, issues: readonly Issue[]): Promise<string> {
  const incomplete = kindsWithStatus(plan, 'incomplete');
  const open = issues.filter((issue) => issue.open);
  if (incomplete.length > 0)
    return open.length === 0
      ? 'no drift in what could be read, and no open issue'
      : `its issue is left as it is, because not everything could be read (${incomplete.join(', ')})`;
  saveDriftSince(drifting.folder, plan.target, []);
  return open.length === 0 ? 'no drift, and no open issue' : close(drifting, plan, open);
}

/** Since when each address drifts: by the issue, else by this folder, in which it is kept for the next run. */
function agesOf({ folder, now }: Drifting, plan: Plan, issue: Issue | undefined): DriftAges {
  const [at, incomplete] = [now(), kindsWithStatus(plan, 'incomplete')];
  const inIssue = issue ? driftSinceIn(issue.body, at) : [];
  const records = new Map([...loadDriftSince(folder, plan.target, at), ...inIssue].map((each) => [each.address, each.since]));
  const drifted = plan.changes
    .toSorted((a, b) => Number(b.effect === 'loosens') - Number(a.effect === 'loosens'))
    .map(({ address, kind }) => ({ address, kind, since: records.get(address) ?? null }));
  const addresses = new Set(drifted.map(({ address }) => address));
  const unread = inIssue.filter(({ address, kind }) => !addresses.has(address) && incomplete.includes(kind));
  const ages = { drifted, unread, now: at, lastApply: plan.run?.lastApply ?? null };
  saveDriftSince(folder, plan.target, knownFrom(ages));
  return ages;
}

/** What the next run will know: what was new is known from now on. */
function knownFrom({ drifted, unread, now }: DriftAges): readonly KnownDrift[] {
  const at = new Date(now).toISOString();
  return [...drifted, ...unread].map((each) => ({ ...each, since: each.since ?? at }));
}

function bodyOf(drifting: Drifting, plan: Plan, ages: DriftAges): string {
  const { room: budget } = drifting.host;
  const head = `${headOf(drifting, plan.target)}\n${driftSinceLine(knownFrom(ages), Math.floor(budget.most * RECORD))}\n`;
  const by = drifting.page === null ? '' : ` by [this run](${drifting.page})`;
  const foot = `\nLast looked at \`${new Date(ages.now).toISOString()}\`${by}.\n`;
  const most = budget.most - budget.size(head) - budget.size(foot);
  return head + driftMarkdown(plan, ages, lookOf(drifting.site), { ...budget, most }) + foot;
}

/** Two runs that began at once may have opened two: the older is kept. */
async function closeTwin({ host }: Drifting, issue: Issue): Promise<void> {
  await host.addIssueComment(issue, 'An older issue reports the same drift.');
  await host.editIssue(issue, issue, false);
}

async function write({ host }: Drifting, text: IssueText, issue: Issue | undefined): Promise<string> {
  if (!issue) return `issue opened ${visible((await host.openIssue(text, LABEL)).url)}`.trimEnd();
  await host.editIssue(issue, text, true);
  if (issue.open) return `issue updated ${visible(issue.url)}`.trimEnd();
  await host.addIssueComment(issue, 'The account has drifted again.');
  return `issue opened again ${visible(issue.url)}`.trimEnd();
}

async function close({ host, ...drifting }: Drifting, plan: Plan, issues: readonly Issue[]): Promise<string> {
  const gone = driftResolvedMarkdown(plan, new Date(drifting.now()).toISOString());
  const text = { title: titleOf(drifting, plan.target), body: `${headOf(drifting, plan.target)}\n${driftSinceLine([], 100)}\n${gone}` };
  for (const issue of issues) {
    await host.addIssueComment(issue, gone);
    await host.editIssue(issue, text, false);
  }
  return `issue closed ${visible(issues[0]?.url ?? '')}`.trimEnd();
}

/** The issues of a target: the one that is kept first, which is the oldest open one, or else the one that was opened last. */
function ownIssues({ issues, project }: Drifting, target: string): readonly Issue[] {
  const own = issues.filter(({ body }) => {
    const marker = markedText(body)?.marker;
    return marker?.about === 'drift' && marker.project === project && marker.target === target;
  });
  const open = own.filter((issue) => issue.open);
  return open.length > 0 ? open : own.slice(-1);
}

function headOf({ project }: Pick<Drifting, 'project'>, target: string): string {
  const marker: Marker = { about: 'drift', project, target, commit: '', outdated: false };
  return markerLine(marker);
}

function titleOf({ project }: Pick<Drifting, 'project'>, target: string): string {
  return visible(`upkeep: ${target} has drifted${project === '.' ? '' : ` (${project})`}`);
}
