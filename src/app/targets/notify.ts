/** Tells the receivers of `notify` in upkeep.yaml how a run ended. What fails here is a warning, and changes no exit code. */
import { basename, dirname, resolve } from 'node:path';
import { isLoopback, type NotificationReceiver, type Project } from '../../core/config/project.ts';
import { actorOf } from '../../core/ledger/actor.ts';
import type { HoldStatus } from '../../core/model/decision.ts';
import { EXIT_CODES, type ExitCode, highestPrecedence, isFailure } from '../../core/model/exit-codes.ts';
import { NOTIFICATION_EVENTS, type Notification, type NotificationEvent, type NotifiedTarget } from '../../core/model/notification.ts';
import type { Plan } from '../../core/model/plan.ts';
import { type Document, decisionOf } from '../../report/document.ts';
import { proxyFor } from '../account/proxy.ts';
import { toCliError } from '../run/exit-codes.ts';
import { info, warn } from '../run/messages.ts';
import { reportOrigin } from '../run/reports.ts';
import type { AppContext } from '../run/runtime.ts';
import { MIN_SECRET_LENGTH, type Secrets } from '../run/secrets.ts';

/** How a target ended. `secrets` are those of its own output. */
export interface TargetEnd {
  readonly target: string;
  readonly exits: readonly ExitCode[];
  readonly secrets: Secrets;
}

/** A run that has ended: its documents, and how its targets ended. */
export interface EndedRun {
  readonly documents: readonly Document[];
  readonly ends: readonly TargetEnd[];
}

/** Hides the addresses and keys of receivers from the output of a run: of an address, the parts that are no plain words. */
export function hideReceivers(receivers: readonly NotificationReceiver[], { env, secrets }: AppContext): void {
  for (const { url, secret } of receivers) {
    const address = env[url] ?? '';
    const parts = URL.canParse(address) ? new URL(address).href.replace(/^\w+:\/\/[^/]*/, '').split(/[/?&=#]/) : [address];
    for (const part of parts) if (part.length >= MIN_SECRET_LENGTH && /[\dA-Z]/.test(part)) secrets.add(part);
    if (secret !== null) secrets.add(env[secret] ?? '');
  }
}

/** Sends each receiver one notification for each of its events in the run, with all targets that have it. */
export async function notify(
  io: AppContext,
  options: { readonly project?: string | undefined },
  { notify: receivers, targets }: Pick<Project, 'notify' | 'targets'>,
  { documents, ends }: EndedRun,
): Promise<void> {
  if (receivers.length === 0) return;
  const inOrder = targets.flatMap(({ name }) => ends.filter(({ target }) => target === name));
  const told = inOrder.map((end) => ({ events: eventsOf(io, end, documents), target: targetOf(end, documents) }));
  await Promise.all(
    receivers.map(async (receiver) => {
      const events = told.map(({ events: all }) => NOTIFICATION_EVENTS.find((event) => receiver.on.includes(event) && all.has(event)));
      for (const event of NOTIFICATION_EVENTS.filter((each) => events.includes(each))) {
        const notified = told.flatMap(({ target }, index) => (events[index] === event ? [target] : []));
        await sendTo(receiver, notificationOf(io, options, event, notified), io);
      }
    }),
  );
}

/** The codes of errors that say that an argument names what does not exist: nobody but who typed it needs to know. */
const MISTAKES: ReadonlySet<string> = new Set(['usage', 'unknown-address', 'unknown-device', 'not-declared', 'no-entry', 'no-ledger']);

/** Decides whether a target failed for nothing but a mistaken argument: its own, or that of another target for which it was skipped. */
function isMistaken(target: string, all: readonly Document[]): boolean {
  const failures = all.flatMap((document) => (document.type === 'failure' ? [document.failure] : []));
  const own = failures.filter((failure) => failure.target === target);
  const counts = (code: string): boolean =>
    MISTAKES.has(code) || (code === 'skipped' && failures.every(({ error }) => error.code === 'skipped' || MISTAKES.has(error.code)));
  return own.length > 0 && own.every(({ error }) => counts(error.code));
}

/**
 * Returns the events of a target. Who answers a question with no has not failed, and needs no message; neither does who names what does not
 * exist.
 */
function eventsOf({ argv: [command] }: AppContext, { target, exits }: TargetEnd, all: readonly Document[]): ReadonlySet<NotificationEvent> {
  const documents = all.filter((document) => targetIn(document) === target);
  const events = documents.flatMap((document): NotificationEvent[] => {
    switch (document.type) {
      case 'drift':
        return document.plan.changes.length > 0 ? ['drift'] : [];
      case 'outcome': {
        const { failed, unseen = 0, skipped: _skipped, unchanged: _unchanged, ...done } = document.outcome.summary;
        const isApplied = Object.values(done).some((count) => count > 0);
        return [...(failed + unseen > 0 ? (['failed'] as const) : []), ...(isApplied ? (['applied'] as const) : [])];
      }
      case 'failure': {
        // What was decided of a plan is told by its status.
        const { decision, error } = document.failure;
        return error.exit === EXIT_CODES.blocked && decision === undefined ? ['failed'] : [];
      }
      default:
        return [];
    }
  });
  // What a commit merely lacks stops an apply of it, and no plan.
  const held: readonly HoldStatus[] = command === 'apply' ? ['blocked', 'behind'] : ['blocked'];
  const isBlocked =
    (command === 'plan' || command === 'apply') &&
    documents.some((document) => decisionOf(document)?.holds.some(({ status }) => held.includes(status)) ?? false);
  const hasFailed = exits.some(isFailure) && !isMistaken(target, all);
  return new Set([...events, ...(isBlocked ? (['blocked'] as const) : []), ...(hasFailed ? (['failed'] as const) : [])]);
}

function targetOf({ target, exits, secrets }: TargetEnd, all: readonly Document[]): NotifiedTarget {
  const documents = all.filter((document) => targetIn(document) === target);
  const plan = documents.map(planIn).find((each) => each !== undefined);
  const outcome = documents.find((document) => document.type === 'outcome')?.outcome;
  const failure = documents.find((document) => document.type === 'failure')?.failure;
  const { create, update, delete: deletes, blocked } = plan?.summary ?? { create: 0, update: 0, delete: 0, blocked: 0 };
  return secrets.redactIn({
    target,
    exit: highestPrecedence(exits),
    commit: plan?.config?.commit ?? null,
    decision: statusOf(documents),
    risks: plan?.risks ?? null,
    counts: plan ? { create, update, delete: deletes, blocked } : null,
    results: outcome?.summary ?? null,
    error: failure?.error.summary ?? null,
  });
}

/** Returns what was decided of a run, for a message; null where nothing was. */
function statusOf(documents: readonly Document[]): NotifiedTarget['decision'] {
  const decision = documents.map(decisionOf).find((each) => each !== undefined);
  if (decision === undefined) return null;
  const { status, until } = decision;
  return { status, ...(until === undefined ? {} : { until }) };
}

function planIn(document: Document): Plan | undefined {
  return 'plan' in document ? document.plan : undefined;
}

function targetIn(document: Document): string | null {
  switch (document.type) {
    case 'outcome':
      return document.outcome.target;
    case 'failure':
      return document.failure.target;
    default:
      return planIn(document)?.target ?? null;
  }
}

function notificationOf(
  io: AppContext,
  { project }: { readonly project?: string | undefined },
  event: NotificationEvent,
  targets: readonly NotifiedTarget[],
): Notification {
  const { by, where } = actorOf(io.env);
  return io.secrets.redactIn({
    schemaVersion: 1,
    event,
    command: io.argv[0] ?? '',
    project: projectName(io, project),
    runId: io.runId,
    at: new Date(io.now()).toISOString(),
    by,
    link: URL.canParse(where) && new URL(where).protocol === 'https:' ? new URL(where).href : null,
    targets,
  });
}

/** Returns the name of a project: that of its repository in CI, and its folder there; else that of its folder. */
function projectName(io: AppContext, project: string | undefined): string {
  const repository = io.env.GITHUB_REPOSITORY || io.env.CI_PROJECT_PATH;
  if (!repository) return basename(project === undefined ? io.cwd : resolve(io.cwd, project).replace(/\/[^/]*\.ya?ml$/, ''));
  const { folder } = reportOrigin(io, project);
  return folder === '' ? repository : `${repository}/${dirname(`${folder}_`)}`;
}

/** Sends a notification, or says why it was not sent. */
async function sendTo(receiver: NotificationReceiver, notification: Notification, io: AppContext): Promise<void> {
  const what = `notification of \`${notification.event}\``;
  const address = io.env[receiver.url];
  if (!address) return info(io, `no ${what} was sent: the environment variable ${receiver.url} is not set`);
  const problem = await send(receiver, address, notification, io);
  if (problem === null) io.telemetry?.emit('notification sent', { notification: notification.event, receiver: receiver.url });
  else
    warn(
      io,
      `no ${what} reached the receiver in ${receiver.url}: ${problem}`,
      'the exit code is that of the run; nothing else is affected',
    );
}

/** Returns why a notification was not sent, a clause; null where it was. */
async function send(receiver: NotificationReceiver, address: string, notification: Notification, io: AppContext): Promise<string | null> {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (!url || !isSafe || url.username !== '' || url.password !== '') return 'it is no https address without user information';
  const secret = receiver.secret === null ? null : (io.env[receiver.secret] ?? '');
  if (secret === '') return `the environment variable ${receiver.secret} is not set, which holds the key of the signature`;
  let proxy: string | undefined;
  try {
    proxy = proxyFor(url.href, io);
  } catch (error) {
    return toCliError(error).message;
  }
  const [{ notificationBody }, { sendNotification }] = await Promise.all([
    import('../../integrations/notifications/formats.ts'),
    import('../../integrations/notifications/send.ts'),
  ]);
  const { now, signal, fetch } = io;
  return sendNotification({ url, secret }, notificationBody(notification, receiver.format), { now, signal, fetch, proxy });
}
