/** Writes notifications in the forms that their receivers take. Text from the account and from errors is data. */
import type { JsonObject } from '../model/json.ts';
import type { Notification, NotificationEvent, NotificationFormat, NotifiedTarget } from '../model/notification.ts';
import { truncate } from '../model/visible-text.ts';
import { visible, visibleJson } from '../report/escape.ts';

/** Maximum number of targets that a message for people names. */
export const MAX_TARGETS = 10;

/** Maximum length of what a message says of a target, characters. */
const MAX_LINE_LENGTH = 400;

const TITLES: { readonly [event in NotificationEvent]: string } = {
  failed: 'failed',
  blocked: 'changes are blocked',
  drift: 'the account has drifted',
  applied: 'applied',
};

/** Writes the body of a notification. */
export function notificationBody(notification: Notification, format: NotificationFormat): string {
  switch (format) {
    case 'json':
      return visibleJson(notification);
    case 'slack':
      return visibleJson(slackMessage(notification));
    case 'teams':
      return visibleJson(teamsMessage(notification));
  }
}

/** A message for people: its title, a line for each target, and where it comes from. */
interface Message {
  readonly title: string;
  readonly lines: readonly { readonly target: string; readonly text: string }[];
  readonly footer: string;
  readonly link: string | null;
}

function messageOf({ event, command, project, runId, by, link, targets }: Notification): Message {
  const shown = targets.slice(0, MAX_TARGETS).map((each) => ({ target: each.target, text: targetText(each) }));
  const rest = targets.length - shown.length;
  return {
    title: `upkeep ${command} of ${visible(project)}: ${TITLES[event]}`,
    lines: [...shown, ...(rest > 0 ? [{ target: `and ${rest} more`, text: 'see the report of the run' }] : [])],
    footer: `run ${runId} by ${visible(by)}`,
    link,
  };
}

function targetText({ exit, commit, verdict, counts, results, error }: NotifiedTarget): string {
  const parts = [
    error ?? verdict,
    countsText(results ?? counts),
    commit === null ? null : `commit ${commit.slice(0, 12)}`,
    `exit code ${exit}`,
  ];
  return truncate(visible(parts.filter((part) => part !== null && part !== '').join(' - ')), MAX_LINE_LENGTH);
}

function countsText(counts: object | null): string {
  return Object.entries(counts ?? {})
    .flatMap(([name, count]) => (Number(count) > 0 ? [`${count} ${name}`] : []))
    .join(', ');
}

/** Builds the message of an incoming webhook of Slack. Its markup begins with `<`, which data never holds. */
function slackMessage(notification: Notification): JsonObject {
  const { title, lines, footer, link } = messageOf(notification);
  const text = [
    `*${slackText(title)}*`,
    ...lines.map((line) => `• *${slackText(line.target)}*: ${slackText(line.text)}`),
    `${slackText(footer)}${link === null ? '' : ` - <${slackText(link).replaceAll('|', '%7C')}|open the run>`}`,
  ].join('\n');
  return { text, link_names: false, unfurl_links: false };
}

/** Escapes data for Slack: no markup, and no mention, not even where a workspace links names. */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('@', '@\u200b');
}

/** Builds the message of a webhook of Workflows for Teams: an Adaptive Card whose texts are no markup. */
function teamsMessage(notification: Notification): JsonObject {
  const { title, lines, footer, link } = messageOf(notification);
  const block = (...inlines: JsonObject[]): JsonObject => ({ type: 'RichTextBlock', inlines });
  const run = (text: string, more: JsonObject = {}): JsonObject => ({ type: 'TextRun', text: text.replaceAll('{{', '{\u200b{'), ...more });
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            block(run(title, { weight: 'Bolder', size: 'Medium' })),
            ...lines.map((line) => block(run(`${line.target}: `, { weight: 'Bolder' }), run(line.text))),
            block(run(footer, { isSubtle: true })),
          ],
          ...(link === null ? {} : { actions: [{ type: 'Action.OpenUrl', title: 'Open the run', url: link }] }),
        },
      },
    ],
  };
}
