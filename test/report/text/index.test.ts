import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/core/model/outcome.ts';
import type { Document, Options } from '../../../src/report/index.ts';
import { render } from '../../../src/report/index.ts';
import { columns } from '../../../src/report/text/layout.ts';
import {
  change,
  failure,
  field,
  finding,
  HASH,
  history,
  historyEntry,
  impactSummary,
  OPTIONS,
  outcome,
  plan,
  planImpact,
  rule,
  validation,
  waiting,
} from '../documents.ts';

const text = (document: Document, options: Partial<Options> = {}) => render([document], 'text', { ...OPTIONS, ...options });
const planned = (...parts: Parameters<typeof plan>) => text({ type: 'plan', plan: plan(...parts) });
const lineWith = (report: string, part: string) => report.split('\n').find((line) => line.includes(part));

const blocked = { check: 'deletes', reason: '6 deletes of playlist, over the limit of 5', lift: { allow: 'deletes=6' } } as const;

describe('a plan as text', () => {
  it('lists the changes with aligned fields, then the summary, requests and fingerprint', () => {
    const update = change('playlist/evening-block', {
      name: 'Evening block',
      fields: [field('/desc', 'Evening', 'Evening block'), field('/studio_drm_required', 0, 1, { effect: 'strengthens' })],
      effect: 'strengthens',
    });
    const create = change('playlist/new', { action: 'create', fields: [field('/repeat', null, -1)] });
    expect(planned([update, create])).toBe(
      [
        'Ready to apply: 2 changes; none weakens protection or stops or reduces playback.',
        '',
        'Plan for production at commit 1a2b3c4d5e6f',
        '',
        'Strengthens protection (1)',
        '  ~ playlist/evening-block  "Evening block", strengthens protection',
        '      desc:                "Evening" -> "Evening block"',
        '      studio_drm_required: 0 -> 1  (strengthens protection)',
        '',
        'Other changes (1)',
        '  + playlist/new',
        '      repeat: -1',
        '',
        'Plan: 1 to create, 1 to update, 0 to delete, 10 unchanged.',
        'Requests: 4 reads, 0 writes.',
        `Fingerprint: ${HASH}`,
        '',
      ].join('\n'),
    );
  });

  it('lists blocked and weakening changes first, then the others by phase and wave', () => {
    const report = planned([
      change('playlist/late', { phase: 'delete', wave: 2 }),
      change('playlist/second', { phase: 'update', wave: 1, fields: [field('/repeat', 1, 2)] }),
      change('playlist/first', { phase: 'update', wave: 0 }),
      change('static-key', { phase: 'weaken', effect: 'weakens' }),
      change('playlist/kept', { phase: 'delete-policies', action: 'delete', blocked }),
    ]);
    const order = ['playlist/kept', 'static-key', 'playlist/first', 'playlist/second', 'playlist/late'];
    const sections = report.slice(report.indexOf('Plan for'));
    const places = order.map((address) => sections.indexOf(address));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('shows the safety check, the reason and the override of a blocked change, and counts blocked changes', () => {
    const report = planned([change('playlist/legacy', { action: 'delete', blocked, fields: [field('/desc', 'Legacy', null)] })]);
    expect(report).toContain('Blocked (1)');
    expect(report).toContain(
      '      blocked by safety check `deletes`: 6 deletes of playlist, over the limit of 5\n      to lift it: `--allow deletes=6`\n      desc: "Legacy"',
    );
    expect(report).toContain('Plan: 0 to create, 0 to update, 1 to delete; 1 of them blocked; 10 unchanged.');
    expect(report).not.toContain('Other changes');
  });

  it('shows the list of a playlist as a diff, with a note that running sessions keep the old settings', () => {
    const before = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ beam: { id } }));
    const after = [...before.slice(0, 4), { ad: { dur: 90 } }, ...before.slice(4)];
    const report = planned([change('playlist/x', { fields: [field('/playlist', before, after)] })], {
      requests: [{ method: 'PATCH', path: '/api/v4/linear-playlist/1', body: {}, addresses: ['playlist/x'] }],
    });
    expect(report).toContain('  ~ playlist/x  new sessions only\n      playlist: 5 -> 6 entries\n              … 3 unchanged\n');
    expect(report).toContain('\n          + 5 ad 90 s\n');
    expect(report).toContain('Running playback sessions keep the old settings');
    expect(planned([change('playlist/x')])).not.toContain('sessions');
  });

  it('counts the entries of an added and of a removed list', () => {
    const list = [{ beam: { id: 'a' } }, { ad: { dur: 5 } }];
    expect(planned([change('playlist/x', { action: 'create', fields: [field('/playlist', null, list)] })])).toContain(
      'playlist: 2 entries\n          + 1 beam a\n          + 2 ad 5 s\n',
    );
    expect(planned([change('playlist/x', { action: 'delete', fields: [field('/playlist', list, null)] })])).toContain(
      'playlist: 2 entries\n          - 1 beam a\n          - 2 ad 5 s\n',
    );
  });

  it('shows added and removed members of a set, and both lists if only their order differs', () => {
    const sides = (before: readonly string[] | null, after: readonly string[]) =>
      planned([change('x', { fields: [field('/ids', before, after)] })]);
    expect(sides(['A', 'B', 'C'], ['B', 'C', 'D e'])).toContain('ids: +"D e" -A (2 unchanged)\n');
    expect(sides(null, ['A'])).toContain('ids: +A\n');
    expect(sides(['A', 'B'], ['B', 'A'])).toContain('ids: ["A","B"] -> ["B","A"]\n');
    const many = Array.from({ length: 50 }, (_, index) => `member-${index}`);
    expect(sides([], many)).toMatch(/\+member-39\s+…\s+\(10 more\)\n/);
  });

  it('shows long values one below the other, starting shortly before they differ', () => {
    const report = planned([change('x', { fields: [field('/url', `${'a'.repeat(300)}one`, `${'a'.repeat(300)}two`)] })]);
    expect(report).toContain('url:    (291 more) …aaaaaaaaaaone"\n');
    expect(report).toContain('     -> (291 more) …aaaaaaaaaatwo"\n');
  });

  it('shows absent values, nested fields and the origin of each field', () => {
    const fields = [
      field('/fair~1play/lea~0se', null, true, { origin: 'drift' }),
      field('/b', 1, 2, { origin: 'change', effect: 'weakens' }),
    ];
    const report = planned([change('drm-policy/x', { origin: 'both', effect: 'weakens', fields })]);
    expect(report).toContain('Weakens protection (1)\n  ~ drm-policy/x  weakens protection, changed here and by hand\n');
    expect(report).toContain('fair/play.lea~se: (none) -> true  (changed by hand)\n');
    expect(lineWith(report, 'b:')).toBe('      b:                1 -> 2  (weakens protection)');
  });

  it('shows below each field why it weakens or strengthens protection, risk first', () => {
    const reasons = [
      { effect: 'strengthens', text: 'C gets no licenses' },
      { effect: 'weakens', text: `devices with VMP status ${'PLATFORM_UNVERIFIED '.repeat(5)}get licenses` },
    ] as const;
    const report = planned([
      change('vmp-reject-statuses', {
        effect: 'weakens',
        fields: [field('/vmp_reject_statuses', ['A'], ['C'], { effect: 'weakens', reasons })],
      }),
    ]);
    expect(report).toContain(
      [
        '  ~ vmp-reject-statuses  weakens protection',
        '      vmp_reject_statuses: +C -A',
        '          weakens: devices with VMP status PLATFORM_UNVERIFIED PLATFORM_UNVERIFIED',
        '              PLATFORM_UNVERIFIED PLATFORM_UNVERIFIED PLATFORM_UNVERIFIED get licenses',
        '          strengthens: C gets no licenses',
        '',
      ].join('\n'),
    );
  });

  it('lists changes of the ledger in a section of their own, and counts them apart', () => {
    const report = planned([
      change('playlist/x', { action: 'adopt', adopts: '8bd3' }),
      change('playlist/y', { action: 'move', movedFrom: 'playlist/z' }),
    ]);
    expect(report).toContain(
      'For the ledger only (2)\n  Nothing is written to the service.\n  = playlist/x  adopts 8bd3\n  > playlist/y  moved from playlist/z\n',
    );
    expect(report).toContain('Plan: 2 of the ledger only, 10 unchanged.');
  });

  it('does not say that the account matches if a kind was skipped or could not be read', () => {
    const readStatus = { playlist: 'complete', 'drm-policy': 'incomplete', 'static-key': 'unmanaged' } as const;
    const report = planned([], { readStatus });
    expect(report).toMatch(/^Cannot tell for drm-policy\. For the rest: Nothing to do in what was looked at\.\n/);
    expect(report).toContain('No changes in what could be read. 10 unchanged.');
    const only = planned([], { readStatus: { playlist: 'complete', 'static-key': 'skipped' } });
    expect(only).toContain('Not looked at, outside --only: static-key.');
    expect(only).toContain('No changes in what was looked at.');
    expect(planned([])).not.toMatch(/Cannot tell|Not looked at/);
  });

  it('lists requests with their addresses only with the option requests', () => {
    const addresses = Array.from({ length: 12 }, (_, index) => `playlist/p${index}`);
    const requests = [
      { method: 'POST', path: '/api/v4/smart-start', body: { assets: ['a'.repeat(90)] }, addresses },
      { method: 'DELETE', path: '/api/v4/linear-playlist/1', body: null, addresses: ['playlist/x'] },
    ] as const;
    const document: Document = { type: 'plan', plan: plan([], { requests }) };
    const report = text(document, { requests: true });
    expect(report).toContain('Requests, in this order (2)\n  1. POST /api/v4/smart-start\n');
    expect(report).toMatch(/for playlist\/p0, .*playlist\/p9 and\s+2 more\n/s);
    expect(report).toContain(`      {"assets":["${'a'.repeat(82)}\n      ${'a'.repeat(8)}"]}\n`);
    expect(report).toContain('  2. DELETE /api/v4/linear-playlist/1\n      for playlist/x\n\n');
    expect(text(document)).not.toContain('smart-start');
  });

  it('lists the undeclared objects of its own target only with the option undeclared', () => {
    const undeclared = [
      { address: 'playlist/~1', name: 'By hand' },
      { address: 'playlist/~2', name: '', target: 'production' },
      { address: 'playlist/~3', name: '', target: 'staging' },
    ];
    const report = text({ type: 'plan', plan: plan([]) }, { undeclared });
    expect(report).toContain('  ? playlist/~1  "By hand"\n  ? playlist/~2\n');
    expect(report).not.toContain('playlist/~3');
    expect(planned([])).not.toContain('Undeclared');
  });

  it('says neither that there are no changes nor a fingerprint where nothing was read', () => {
    const unread = [{ kind: 'playlist', refused: false, reason: 'HTTP 503 Service Unavailable' }];
    const parts = { readStatus: { playlist: 'incomplete', 'static-key': 'unmanaged' }, unread } as const;
    for (const type of ['plan', 'drift'] as const) {
      const report = text({ type, plan: plan([], parts) });
      expect(report).toMatch(/^Cannot tell: nothing could be read\.\n/);
      expect(report).not.toMatch(/No changes|No drift|Fingerprint/);
    }
    const nothing = planned([], { readStatus: { playlist: 'unmanaged' } });
    expect(nothing).toContain('Nothing was looked at.');
    expect(nothing).not.toContain('Fingerprint');
  });

  it('names the commit, and uncommitted edits, in its title', () => {
    const config = { commit: 'abcdef0123456789', dirty: true, digest: HASH };
    expect(planned([], { config })).toContain('Plan for production at commit abcdef012345, with uncommitted edits\n');
    expect(planned([], { config: null })).toContain('Plan for production\n');
  });
});

describe('drift as text', () => {
  it('shows changes from what was applied to what is live', () => {
    const report = text({ type: 'drift', plan: plan([change('playlist/x', { origin: 'drift', fields: [field('/repeat', 0, 1)] })]) });
    expect(report).toContain('Drift for production');
    expect(report).toContain('Drifted (1)\n  ~ playlist/x  changed by hand\n      repeat: 0 -> 1\n');
    expect(report).toContain('Drift: 0 appeared, 1 changed, 0 gone, 10 unchanged.');
    expect(report).not.toContain('Fingerprint');
  });

  it('says that there is no drift, or none in what could be read', () => {
    expect(text({ type: 'drift', plan: plan([]) })).toContain('No drift: the account is as expected. 10 unchanged.');
    const readStatus = { playlist: 'incomplete', 'static-key': 'complete' } as const;
    expect(text({ type: 'drift', plan: plan([], { readStatus }) })).toContain('No drift in what could be read.');
  });
});

describe('an outcome as text', () => {
  const mixed = outcome(
    [
      { address: 'playlist/a', result: 'created', tookMs: 120 },
      { address: 'playlist/b', result: 'updated', tookMs: 1520 },
      { address: 'static-key', result: 'failed', error: 'refused: not allowed', tookMs: 20 },
      { address: 'drm-policy/x', result: 'skipped', because: 'static-key failed', tookMs: 0 },
    ],
    false,
  );

  it('lists failed changes first, with their errors', () => {
    const report = text({ type: 'outcome', outcome: mixed });
    expect(report).toContain('Failed (1)\n  failed static-key  20 ms\n      error: refused: not allowed\n');
    expect(report).toContain('Skipped (1)\n  skipped drm-policy/x\n      because: static-key failed\n');
    expect(report).toContain('Done (2)\n  created playlist/a  120 ms\n  updated playlist/b  1.5 s\n');
    expect(report).toContain('Apply: 1 created, 1 updated, 1 failed, 1 skipped.\nNot verified:');
    expect(report).not.toContain('sessions');
  });

  it('shows names and the note on running sessions if it has a plan', () => {
    const planned = plan([change('playlist/b', { name: 'Evening' })], {
      requests: [{ method: 'PATCH', path: '/api/v4/linear-playlist/1', body: {}, addresses: ['playlist/b', 'static-key'] }],
    });
    const report = text({ type: 'outcome', outcome: mixed, plan: planned });
    expect(report).toContain('failed static-key  20 ms\n');
    expect(report).toContain('playlist/b  "Evening", 1.5 s, new sessions only\n');
    expect(report).toContain('Running playback sessions keep the old settings');
  });

  it.each<[Outcome['unverified'], string]>([
    [undefined, 'not all that was to be written reads back as desired'],
    [{ differs: ['playlist/a'], notRead: [] }, 'playlist/a reads back otherwise than desired'],
    [{ differs: [], notRead: ['playlist', 'static-key'] }, 'playlist, static-key could not be read back'],
    [
      { differs: ['a', 'b', 'c', 'd', 'e'], notRead: ['x'] },
      'a, b, c, d and 1 more read back otherwise than desired; x could not be read back',
    ],
  ])('says why it is not verified: %j', (unverified, why) => {
    const unproven = { ...outcome([], false), ...(unverified ? { unverified } : {}) };
    expect(text({ type: 'outcome', outcome: unproven })).toContain(`\nNot verified: ${why}.\n`);
  });

  it('says that it is verified, or that there was nothing to do', () => {
    expect(text({ type: 'outcome', outcome: outcome([{ address: 'a', result: 'deleted', tookMs: 1 }]) })).toContain(
      'Verified: all that was written',
    );
    const idle = text({ type: 'outcome', outcome: outcome([]) });
    expect(idle).toContain('Apply: nothing to do.');
    expect(idle).not.toContain('erified');
  });
});

describe('a finding as text', () => {
  it('shows the line of the file with a caret below the column', () => {
    const report = text({ type: 'validation', validation: validation([finding({ address: 'playlist/x' })]) });
    expect(report).toContain(
      [
        'Errors (1)',
        '  error config/common.yaml:12:5  unknown-key, playlist/x',
        '      upkeep knows no key `repaet` here.',
        '      hint: Did you mean `repeat`?',
        '      12 |     repaet: -1',
        '         |     ^',
        '',
        'Not valid. 1 error. Declared: 12 playlist, 3 drm-policy.',
      ].join('\n'),
    );
  });

  it('keeps the caret in place after tabs and in long lines', () => {
    const caret = (excerpt: string, column: number) => {
      const lines = text({ type: 'validation', validation: validation([finding({ excerpt, column })]) }).split('\n');
      const at = lines.findIndex((line) => line.includes('12 | '));
      return lines[at]?.slice(lines[at + 1]?.indexOf('^'));
    };
    expect(caret('\t\tx: 1', 3)).toBe('x: 1');
    expect(caret(`${'a'.repeat(200)}HERE`, 201)).toBe('HERE');
  });

  it('is listed with errors before warnings, also without excerpt and hint', () => {
    const { excerpt: _excerpt, hint: _hint, ...warning } = finding({ severity: 'warning', line: 1 });
    const report = text({ type: 'failure', failure: failure([warning, finding({ line: 2 })]) });
    expect(report).toContain('Failed: production\nerror: The configuration is not valid.\nhint: Correct what is named below.\n');
    expect(report.indexOf('common.yaml:2:5')).toBeLessThan(report.indexOf('common.yaml:1:5'));
    expect(report).toContain('  warning config/common.yaml:1:5  unknown-key\n      upkeep knows no key `repaet` here.\n\n');
    expect(report).toContain('Exit code 8, invalid-configuration.');
  });

  it('does not make a validation invalid if it is a warning', () => {
    const report = text({ type: 'validation', validation: validation([finding({ severity: 'warning' })]) });
    expect(report).toContain('Valid. 1 warning. Declared:');
    expect(text({ type: 'validation', validation: validation([]) })).toContain('Valid. Declared: 12 playlist, 3 drm-policy.');
  });
});

describe('a text report', () => {
  it('lists targets, and shows a failure without a target', () => {
    const targets = [{ name: 'production', baseUrl: 'https://services.example.com', ownership: 'shared', ledger: 'git' }] as const;
    expect(text({ type: 'targets', targets })).toContain('* production  https://services.example.com, shared, ledger git\n');
    const withoutTarget = failure([], null);
    expect(text({ type: 'failure', failure: { ...withoutTarget, error: { ...withoutTarget.error, hint: '' } } })).toMatch(
      /^Failed\nerror: The configuration is not valid\.\n\nExit/,
    );
  });

  it('lists the applies of a history with user, results and commit', () => {
    const bad = historyEntry({ id: 'f'.repeat(40), verified: false, commit: null });
    const report = text({ type: 'history', history: history([bad, historyEntry()]) });
    expect(report).toContain('Applies, newest first (2)\n');
    expect(report).toContain(
      '  * ffffffffffff  2026-03-01T10:00:00.000Z, by ada, 1 created, not verified\n      uncommitted, build-1, upkeep 1.0.0\n',
    );
    expect(report).toContain('  * eeeeeeeeeeee  2026-03-01T10:00:00.000Z, by ada, 1 created\n      commit cccccccccccc, build-1');
    const { summary } = outcome([]);
    expect(text({ type: 'history', history: history([historyEntry({ summary })]) })).toContain('by ada, nothing changed');
    expect(text({ type: 'history', history: history([]) })).toBe('History of production\nThe ledger records no such apply.\n');
  });

  it('keeps the hint of a failure on one line, so that its command can be copied', () => {
    const hint = `wait for it; if that run is dead: upkeep unlock -t ${'production'.repeat(9)} --id 0123456789ab`;
    const { error } = failure([]);
    expect(text({ type: 'failure', failure: { ...failure([]), error: { ...error, hint } } })).toContain(`hint: ${hint}\n`);
  });

  it('separates documents by an empty line', () => {
    const two = render(
      [
        { type: 'plan', plan: plan([]) },
        { type: 'plan', plan: plan([], { target: 'staging' }) },
      ],
      'text',
      OPTIONS,
    );
    expect(two).toContain(`Fingerprint: ${HASH}\n\nNothing to do: the account matches the repository.\n\nPlan for staging`);
  });

  it('is colored only with the option color, and has the same text then', () => {
    const document: Document = {
      type: 'plan',
      plan: plan([change('playlist/x', { effect: 'weakens', blocked, fields: [field('/playlist', [], [{ ad: { dur: 1 } }])] })], {
        findings: [finding()],
      }),
    };
    const colored = text(document, { color: true });
    expect(colored).toContain('\u001b[31m');
    expect(colored.replace(/\u001b\[\d+m/g, '')).toBe(text(document));
    expect(text(document)).not.toContain('\u001b');
  });

  it.each([10, 60, 80, 120])('has lines of at most %i columns, or 60 if that is more', (width) => {
    const long = change(`playlist/${'k'.repeat(200)}`, {
      name: 'A long name of a playlist '.repeat(8),
      blocked: { ...blocked, reason: 'a long reason '.repeat(20) },
      fields: [
        field(`/${'p'.repeat(90)}`, 'v'.repeat(200), 'w'.repeat(300)),
        field(
          '/ids',
          [],
          Array.from({ length: 30 }, (_, index) => `id-${index}`),
        ),
      ],
    });
    const findings = [finding({ excerpt: 'e'.repeat(300), column: 250, summary: 'many words '.repeat(30) })];
    const requests = [{ method: 'PATCH', path: '/p', body: { text: 'b'.repeat(500) }, addresses: ['a', 'b'] }] as const;
    const report = text(
      { type: 'plan', plan: plan([long, change('short', { effect: 'weakens' })], { findings, requests }) },
      { width, requests: true },
    );
    for (const line of report.split('\n'))
      if (!line.startsWith('Fingerprint')) expect(columns(line)).toBeLessThanOrEqual(Math.max(60, width));
  });
});

describe('what viewers notice, as text', () => {
  it('has the outcome in words, and one line for a short reason without a gap behind its subject', () => {
    const stop = [{ playback: 'stops', text: 'it goes off air', offAir: true }] as const;
    const report = planned([change('playlist/a', { name: 'a', playback: 'stops', playbackReasons: stop })], {
      impact: planImpact(impactSummary({ changes: ['playlist/b'], rules: [rule({ text: 'no '.repeat(30).trim() })] })),
    });
    expect(report).toContain('\n  would stop 1 playlist  would go off air\n');
    expect(report).toContain('\n  would lose desktop browser (software Widevine)\n      HD would no longer play (no no');
  });
});

describe('a command in a sentence, as text', () => {
  it('has a line of its own, whole however narrow the text is', () => {
    const allow = { check: 'deletes', reason: 'too many', lift: { allow: 'deletes=6' } } as const;
    const deleted = change('playlist/legacy', { action: 'delete', blocked: allow });
    const command = ['upkeep', 'apply', '--target', 'production-of-the-north', '--allow', 'deletes=6', '--expect', 'sha256:0123'];
    const next = [{ from: 'now', say: 'apply this plan', allow: ['deletes=6'], command }];
    const decision = { ...waiting(), status: 'blocked', next } as const;
    const report = text({ type: 'plan', plan: plan([deleted], { target: 'production-of-the-north', decision }) }, { width: 60 });
    expect(report).toContain('runs:\n    upkeep apply --target production-of-the-north --allow deletes=6 --expect sha256:0123\n');
  });
});

describe('a risk reason below its field, as text', () => {
  it('does not repeat the name of the field, and has no marks of code', () => {
    const reasons = [
      { effect: 'weakens', text: 'any HDCP instead of 2.2 (`hdcp`)' },
      { effect: 'weakens', text: 'more devices (`srm`)' },
    ] as const;
    const report = planned([change('x', { effect: 'weakens', fields: [field('/UHD1/hdcp', 1, 0, { effect: 'weakens', reasons })] })]);
    expect(report).toContain('weakens: any HDCP instead of 2.2\n          weakens: more devices (srm)\n');
  });
});
