import { describe, expect, it } from 'vitest';
import type { Document } from '../../../src/report/index.ts';
import { render } from '../../../src/report/index.ts';
import { change, failure, field, finding, HASH, OPTIONS, outcome, plan } from '../documents.ts';

const markdown = (document: Document) => render([document], 'markdown', OPTIONS);

describe('renderMarkdown', () => {
  it('renders a plan with a table and a block of details', () => {
    const blocked = {
      check: 'protect',
      reason: '`protect` names it (playlist/main-*)',
      lift: { edit: 'edit upkeep.yaml, under review' },
    } as const;
    const report = markdown({
      type: 'plan',
      plan: plan([change('playlist/main-1', { name: 'Main | one', action: 'delete', blocked, fields: [field('/repeat', -1, null)] })]),
    });
    expect(report).toBe(
      [
        '> [!CAUTION]',
        '> **Blocked: playlist Main `\\u{7c}` one: `protect` names it (`playlist/main-*`).**',
        '>',
        '> While anything is blocked, apply writes nothing.',
        '>',
        '> **To unblock it:**',
        '>',
        '> 1. `protect` names it (`playlist/main-*`). Edit `upkeep.yaml`, under review.',
        '',
        '## Plan for production at commit `1a2b3c4d5e6f`',
        '',
        '### Blocked (1)',
        '',
        '| Action | Resource | Details |',
        '| --- | --- | --- |',
        '| delete | `playlist/main-1` | "Main `\\u{7c}` one"<br>blocked by safety check `protect`: `protect` names it (`playlist/main-*`)<br>to lift it: edit `upkeep.yaml`, under review |',
        '',
        '```diff',
        '- playlist/main-1',
        '-   repeat: -1',
        '```',
        '',
        '**Plan: 0 to create, 0 to update, 1 to delete; 1 of them blocked; 10 unchanged.**',
        '',
        'Requests: 4 reads, no write while changes are blocked.',
        '',
        `Fingerprint: \`${HASH}\``,
        '',
      ].join('\n'),
    );
  });

  it('shows below each field why it weakens or strengthens protection', () => {
    const reasons = [{ effect: 'weakens', text: 'playback without a signature' }] as const;
    const report = markdown({
      type: 'plan',
      plan: plan([change('playlist/x', { effect: 'weakens', fields: [field('/skip_drm', 0, 1, { effect: 'weakens', reasons })] })]),
    });
    expect(report).toContain('```diff\n! playlist/x\n!   skip_drm: 0 -> 1\n        weakens: playback without a signature\n```');
  });

  it('collapses long tables and long details', () => {
    const many = Array.from({ length: 30 }, (_, index) => change(`playlist/p${index}`, { fields: [field('/repeat', 0, index)] }));
    const report = markdown({ type: 'plan', plan: plan(many) });
    expect(report).toContain('<details>\n<summary>List</summary>\n\n| Action | Resource |');
    expect(report).toContain('<details>\n<summary>Details</summary>\n\n```diff\n! playlist/p0\n!   repeat: 0 -> 0\n');
    expect(report.match(/<details>/g)).toHaveLength(2);
    expect(report.match(/<\/details>/g)).toHaveLength(2);
  });

  it('names the members of equal changes above their fields, without the sign of a changed line', () => {
    const off = [{ playback: 'stops', text: 'it goes off air', offAir: true }] as const;
    const three = ['a', 'b-1', 'c'].map((key) =>
      change(`playlist/${key}`, { playback: 'stops', playbackReasons: off, fields: [field('/active', 1, 0)] }),
    );
    const report = markdown({ type: 'plan', plan: plan(three) });
    expect(report).toContain('\n```diff\n! 3 playlists\n    a, b-1, c\n!   active: 1 -> 0\n```\n');
    expect(report).toContain('| update | 3 playlists | stop playback<br>stop playback: they go off air<br>`a`, `b-1`, `c` |');
  });

  it('shows the line of a finding in a block that is no diff', () => {
    const report = markdown({ type: 'failure', failure: failure([finding({ excerpt: 'repeat: x' })]) });
    expect(report).toMatch(/\n```\n {2}\S+:\d+:\d+\n/);
    expect(report).toContain('| Severity | Place | Finding |');
    expect(report).not.toContain('```diff');
  });

  it('lists each check that blocks a change with its override', () => {
    const checks = [
      { check: 'protect', reason: '`protect` names it', lift: { edit: 'edit upkeep.yaml, under review' } },
      { check: 'deletes', reason: '6 deletes', lift: { allow: 'deletes=6' } },
    ] as const;
    const blocked = { ...checks[0], reason: '`protect` names it; 6 deletes', checks };
    const report = markdown({ type: 'plan', plan: plan([change('playlist/x', { action: 'delete', blocked })]) });
    expect(report).toContain(
      '| blocked by safety check `protect`: `protect` names it<br>to lift it: edit `upkeep.yaml`, under review<br>blocked by safety check `deletes`: 6 deletes<br>to lift it: `--allow deletes=6`<br>both are needed |',
    );
  });

  it('encloses a block in more backticks than its data contains', () => {
    const report = markdown({ type: 'plan', plan: plan([change('x', { fields: [field('/desc', '```', '````')] })]) });
    expect(report).toContain('`````diff\n! x\n!   desc: "```" -> "````"\n`````\n');
  });

  it('renders failures, outcomes and several documents', () => {
    expect(markdown({ type: 'failure', failure: failure([finding()]) })).toContain(
      '**error: The configuration is not valid.**\n\nhint: Correct what is named below.\n\n### Errors (1)\n',
    );
    const failed = outcome([{ address: 'static-key', result: 'failed', error: 'see https://x.example @you', tookMs: 5 }], false);
    expect(markdown({ type: 'outcome', outcome: failed })).toContain(
      '| failed | `static-key` | 5 ms<br>error: see `https://x.example @you` |',
    );
    expect(
      render(
        [
          { type: 'targets', targets: [] },
          { type: 'targets', targets: [] },
        ],
        'markdown',
        OPTIONS,
      ),
    ).toBe('## Targets\n\n## Targets\n');
  });
});
