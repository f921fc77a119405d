import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Notification, NotifiedTarget } from '../../../src/core/model/notification.ts';
import { MAX_TARGETS, notificationBody } from '../../../src/integrations/notifications/formats.ts';
import { hostileText } from '../../report/hostile.ts';
import { assertProperty } from '../../support/property.ts';

const TARGET: NotifiedTarget = {
  target: 'production',
  exit: 4,
  commit: 'abcdef0123456789',
  decision: { status: 'blocked' },
  risks: '2 changes stop playback.',
  counts: { create: 3, update: 0, delete: 2, blocked: 2 },
  results: null,
  error: null,
};

const NOTIFICATION: Notification = {
  schemaVersion: 1,
  event: 'blocked',
  command: 'plan',
  project: 'acme/streaming',
  runId: 'run-1',
  at: '2026-01-02T03:04:05.000Z',
  by: 'alice',
  link: 'https://ci.example/runs/1?a=b&c=d|e',
  targets: [TARGET],
};

/** Returns all texts in a document. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function slackText(notification: Notification): string {
  return textsIn(JSON.parse(notificationBody(notification, 'slack'))).join('');
}

describe('a message for Slack', () => {
  test('says what happened, to which target, at which commit, and where', () => {
    expect(JSON.parse(notificationBody(NOTIFICATION, 'slack'))).toEqual({
      text: [
        '*acme/streaming: upkeep plan has blocked changes*',
        '• *production*: 2 changes stop playback. Planned: 3 creates and 2 deletes, of which 2 are blocked. Commit abcdef012345, exit code 4.',
        'Run run-1, started by alice. <https://ci.example/runs/1?a=b&amp;c=d%7Ce|Open the run>',
      ].join('\n'),
      link_names: false,
      unfurl_links: false,
    });
  });

  test('has an error in place of the risks, and what was done in place of what was planned', () => {
    const results = { created: 1, updated: 0, deleted: 0, adopted: 0, moved: 0, forgotten: 0, failed: 2, skipped: 0 };
    const text = slackText({ ...NOTIFICATION, targets: [{ ...TARGET, error: 'it broke', results }] });
    expect(text).toContain('• *production*: It broke. 1 created and 2 failed. Commit abcdef012345, exit code 4.');
  });

  test.each<[Notification['event'], string, string]>([
    ['failed', 'upkeep plan failed', 'Planned: 1 update. Exit code 1.'],
    ['blocked', 'upkeep plan has blocked changes', 'Planned: 1 update. Exit code 1.'],
    ['drift', 'upkeep found drift', '1 resource differs. Exit code 1.'],
    ['applied', 'upkeep applied changes', 'Planned: 1 update. Exit code 1.'],
  ])('names the event %s in a sentence', (event, title, line) => {
    const counts = { create: 0, update: 1, delete: 0, blocked: 0 };
    const text = slackText({ ...NOTIFICATION, event, targets: [{ ...TARGET, exit: 1, commit: null, risks: null, counts }] });
    expect(text.split('\n').slice(0, 2)).toEqual([`*acme/streaming: ${title}*`, `• *production*: ${line}`]);
  });

  test('names the first targets only, and says how many there are', () => {
    const targets = Array.from({ length: 25 }, (_, index) => ({ ...TARGET, target: `tenant-${index}` }));
    const text = slackText({ ...NOTIFICATION, targets });
    expect(text.match(/tenant-/g)).toHaveLength(MAX_TARGETS);
    expect(text).toContain('• *and 15 more*');
  });

  test('cannot mention anybody, link or forge a line, whatever a text of the account is', () => {
    const hostile = fc.oneof(
      hostileText,
      fc.constantFrom('<!channel>', '<@U012AB3CD>', '@here', '<https://evil.example|click>', 'a\n• *x*: y'),
    );
    assertProperty(
      fc.property(hostile, hostile, (risks, by) => {
        const text = slackText({ ...NOTIFICATION, by, targets: [{ ...TARGET, risks }] });
        expect(text.match(/<(?!https:\/\/ci\.example\/)/)).toBeNull();
        expect(text).not.toMatch(/@(?!\u200b)/);
        expect(text.split('\n')).toHaveLength(3);
      }),
    );
  });
});

describe('a message for Teams', () => {
  test('is an Adaptive Card with the same texts and a button', () => {
    const message = JSON.parse(notificationBody(NOTIFICATION, 'teams'));
    expect(message).toMatchObject({ type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive' }] });
    const { content } = message.attachments[0];
    expect(content).toMatchObject({ type: 'AdaptiveCard', version: '1.4' });
    expect(content.actions).toEqual([{ type: 'Action.OpenUrl', title: 'Open the run', url: NOTIFICATION.link }]);
    expect(textsIn(content.body)).toContain('acme/streaming: upkeep plan has blocked changes');
  });

  test('holds data in runs of text only, which are no markup, and without functions of templates', () => {
    const hostile = fc.oneof(hostileText, fc.constantFrom('{{DATE(2017-02-14T06:08:39Z)}}', '<at>All</at>', '[x](https://evil.example)'));
    assertProperty(
      fc.property(hostile, (error) => {
        const body = notificationBody({ ...NOTIFICATION, targets: [{ ...TARGET, error }] }, 'teams');
        expect(body).not.toContain('{{');
        const blocks: readonly { readonly type: string }[] = JSON.parse(body).attachments[0].content.body;
        for (const block of blocks) expect(block.type).toBe('RichTextBlock');
      }),
    );
  });

  test('has no button without the address of a run', () => {
    expect(notificationBody({ ...NOTIFICATION, link: null }, 'teams')).not.toContain('Action.OpenUrl');
  });
});

test('the JSON form is the document itself, in one line of visible characters', () => {
  assertProperty(
    fc.property(hostileText, (error) => {
      const notification = { ...NOTIFICATION, targets: [{ ...TARGET, error }] };
      const body = notificationBody(notification, 'json');
      expect(body).not.toMatch(/\n/);
      expect(JSON.parse(body)).toEqual(notification);
    }),
  );
});
