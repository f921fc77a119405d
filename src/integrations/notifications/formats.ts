/** Writes notifications in the forms that their receivers take. Text from the account and from errors is data. */
import type { JsonObject } from '../../core/model/json.ts';
import type { Notification, NotificationEvent, NotificationFormat, NotifiedTarget } from '../../core/model/notification.ts';
import { truncate } from '../../core/model/visible-text.ts';
import { visible, visibleJson } from '../../report/escape.ts';

/** Maximum number of targets that a message for people names. */
export const MAX_TARGETS = 10;

/** Maximum length of what a message says of a target, characters. */
const MAX_LINE_LENGTH = 400;

/** What happened, after the name of the project. */
const HAPPENED: { readonly [event in NotificationEvent]: (command: string) => string } = {
  failed: (command) => `upkeep ${command} failed`,
  blocked: (command) => `upkeep ${command} has blocked changes`,
  drift: () => 'upkeep found drift',
  applied: () => 'upkeep applied changes',
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
  const shown = targets.slice(0, MAX_TARGETS).map((each) => ({ target: each.target, text: targetText(each, event) }));
  const rest = targets.length - shown.length;
  return {
    title: `${visible(project)}: ${HAPPENED[event](command)}`,
    lines: [...shown, ...(rest > 0 ? [{ target: `and ${rest} more`, text: 'See the report of the run.' }] : [])],
    footer: `Run ${runId}, started by ${visible(by)}.`,
    link,
  };
}

/** Says in sentences how a run ended for a target. */
function targetText({ exit, commit, risks, counts, results, error }: NotifiedTarget, event: NotificationEvent): string {
  const end = `${commit === null ? 'Exit code' : `Commit ${commit.slice(0, 12)}, exit code`} ${exit}`;
  const clauses = [error ?? risks ?? '', results ? resultsText(results) : counts ? countsText(counts, event) : '', end];
  const text = clauses.filter((clause) => clause !== '').map(asSentence);
  return truncate(visible(text.join(' ')), MAX_LINE_LENGTH);
}

/** Returns a clause with a capital and a full stop. A first word that is no plain word stays as it is. */
function asSentence(clause: string): string {
  const text = clause.replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase());
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function resultsText(results: NonNullable<NotifiedTarget['results']>): string {
  return joined(Object.entries(results).map(([result, count]) => (count > 0 ? `${count} ${result}` : '')));
}

function countsText(counts: NonNullable<NotifiedTarget['counts']>, event: NotificationEvent): string {
  const { create, update, delete: deletes, blocked } = counts;
  const changes = create + update + deletes;
  if (changes === 0) return '';
  if (event === 'drift') return `${changes} ${changes === 1 ? 'resource differs' : 'resources differ'}`;
  const named = [counted(create, 'create'), counted(update, 'update'), counted(deletes, 'delete')];
  return `Planned: ${joined(named)}${blocked > 0 ? `, of which ${blocked} ${blocked === 1 ? 'is' : 'are'} blocked` : ''}`;
}

/** Returns a number with its noun; empty for none. */
function counted(number: number, noun: string): string {
  return number === 0 ? '' : `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Joins texts with commas, and the last one with "and". Leaves out empty ones. */
function joined(texts: readonly string[]): string {
  const shown = texts.filter((text) => text !== '');
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** Builds the message of an incoming webhook of Slack. Its markup begins with `<`, which data never holds. */
function slackMessage(notification: Notification): JsonObject {
  const { title, lines, footer, link } = messageOf(notification);
  const text = [
    `*${slackText(title)}*`,
    ...lines.map((line) => `• *${slackText(line.target)}*: ${slackText(line.text)}`),
    `${slackText(footer)}${link === null ? '' : ` <${slackText(link).replaceAll('|', '%7C')}|Open the run>`}`,
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
