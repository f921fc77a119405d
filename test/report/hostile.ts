/** Arbitrary documents in which every text attacks the reader of the report. */
import fc from 'fast-check';
import { drmPolicyViews } from '../../src/core/kinds/drm-policy/views.ts';
import { playlistViews } from '../../src/core/kinds/playlist/views.ts';
import type { Change, FieldChange } from '../../src/core/model/change.ts';
import type { Diagram } from '../../src/core/model/diagram.ts';
import { OUTCOMES, type PlanMatrix } from '../../src/core/model/impact.ts';
import type { Document, Options } from '../../src/report/index.ts';
import { anyText } from '../support/property.ts';
import {
  change,
  failure,
  field,
  finding,
  history,
  historyEntry,
  impactReport,
  impactSummary,
  matrixRow,
  outcome,
  plan,
  planMatrix,
  rule,
  validation,
} from './documents.ts';

const ATTACKS = [
  '::set-output name=x::y',
  '\n::error::x',
  ' ::stop-commands::x',
  '##[group]x',
  '##vso[task.setvariable]x',
  '#',
  '[x]',
  '\u001b[2J\u001b]0;x\u0007',
  '\u009b31m',
  '\u202ereversed\u2066',
  '\u200b',
  '\ufeff',
  '\u2028',
  '\u0085',
  '\ud800',
  '\udc00',
  '\u{e0041}',
  '\u00a0',
  '\r\n',
  '\t',
  '@everyone',
  'https://evil.example/x',
  'www.evil.example',
  'x@evil.example',
  '[x](https://evil.example)',
  '![x](y)',
  '<img src=x onerror=y>',
  '</details>',
  '<!--',
  '```',
  '````\n# x',
  '`',
  '``',
  '|',
  '\\|',
  '\\',
  '\n\n# x',
  '&lt;',
  '*x*',
  '__x__',
  '~~x~~',
  '#1',
  'GH-1',
  'owner/repository#1',
  '0123456789abcdef0123456789abcdef01234567',
  'deadbeef',
  ':+1:',
  '\u{1f600}',
  '漢字',
  '$&',
  ' ',
  'word',
  '"',
  '::',
  ':',
  '\u0000',
  '\u200f',
  '[x](javascript:alert(1))',
  'javascript:alert(1)',
  '" onload="x',
  "' onload='x",
  ']]>',
  '<?xml',
];

/** Attacks, alone and joined, among arbitrary characters. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...ATTACKS) }, anyText({ maxLength: 8 })), { maxLength: 6 })
  .map((parts) => parts.join(''));

const hostileField = fc.tuple(hostileText, hostileText, hostileText, fc.integer({ min: 0, max: 9 })).map(([path, was, is, form]) => {
  if (form === 0) return field(path, [{ beam: { id: was } }], [{ beam: { id: is } }, { ad: { dur: 5 } }]);
  if (form === 1) return field(path, [was], [is]);
  if (form === 2)
    return field(path, { [was]: is }, [[was], is.repeat(40)], { effect: 'weakens', reasons: [{ effect: 'weakens', text: is }] });
  // Fields with diagrams: moves, long lists, settings by system and track.
  const [one, other] = [{ beam: { id: was } }, { beam: { id: is } }];
  if (form === 7)
    return field(path, [one, other, ...Array(30).fill(one), { ad: { dur: 3 } }], [other, ...Array(30).fill(one), { ad: { dur: 4 } }, one]);
  if (form === 8)
    return field(`/widevine/content_key_specs/HD/${path}`, was, is, { effect: 'weakens', reasons: [{ effect: 'weakens', text: was }] });
  if (form === 9) return field(`/playready/uhd1/${path}`, [was, is], null);
  if (form === 3) return field(path, null, is, { effect: 'strengthens' });
  return field(path, was, is, { effect: 'strengthens', reasons: [{ effect: 'strengthens', text: was.repeat(40) }] });
});

const hostileChange = fc
  .record({
    address: hostileText,
    name: hostileText,
    movedFrom: hostileText,
    adopts: hostileText,
    action: fc.constantFrom('create', 'update', 'delete', 'adopt', 'forget'),
    effect: fc.constantFrom('strengthens', 'weakens', 'neutral'),
    origin: fc.constantFrom('change', 'drift', 'both', 'unknown'),
    fields: fc.array(hostileField, { maxLength: 3 }),
    blocked: fc.option(fc.record({ check: fc.constant('deletes' as const), reason: hostileText, lift: fc.record({ edit: hostileText }) })),
    isSetting: fc.boolean(),
    declared: fc.record({
      file: fc.oneof(hostileText, fc.constant('../../evil/x.yaml')),
      line: fc.integer({ min: 1, max: 9 }),
      column: fc.integer({ min: 1, max: 9 }),
    }),
  })
  .map(({ address, isSetting, ...more }) => change(address, { ...more, ...(isSetting ? { kind: address } : {}) }));

const hostileFinding = fc
  .record({
    code: hostileText,
    summary: hostileText,
    hint: hostileText,
    file: hostileText,
    address: hostileText,
    excerpt: hostileText,
    column: fc.integer({ min: 1, max: 30 }),
  })
  .map(finding);

const hostileStory = fc
  .record({
    outcome: fc.constantFrom(...OUTCOMES),
    devices: fc.array(hostileText, { minLength: 1, maxLength: 3 }),
    policies: fc.array(hostileText, { minLength: 1, maxLength: 9 }),
    text: hostileText,
  })
  .map(({ outcome: of, devices, policies, text }) => {
    const classes = devices.map((device) => ({ device, name: device, system: 'widevine' as const }));
    return impactSummary({
      outcome: of,
      devices: classes,
      policies,
      changes: policies,
      rules: [rule({ text, field: text, output: 'analog' })],
    });
  });

const hostileMatrix = fc.tuple(hostileText, hostileText, fc.boolean()).map(([name, text, isWhole]) => {
  const refused = { playback: 'refused', rules: [rule({ text, field: text, section: text })] } as const;
  const row = matrixRow({ device: name, name });
  return isWhole ? { ...row, after: { SD: refused, HD: refused, UHD1: refused, UHD2: refused } } : { ...row, before: null };
});

function hostilePlanMatrix(text: string): PlanMatrix {
  const [row] = planMatrix().devices;
  return { policies: [text, text], devices: row ? [{ ...row, device: text, name: text }] : [] };
}

const hostilePlan = fc
  .record({
    target: hostileText,
    fingerprint: hostileText,
    changes: fc.array(hostileChange, { maxLength: 3 }),
    findings: fc.array(hostileFinding, { maxLength: 2 }),
    kind: hostileText,
    commit: hostileText,
    path: hostileText,
    body: hostileText,
    addresses: fc.array(hostileText, { maxLength: 3 }),
    impact: fc.option(fc.array(hostileStory, { maxLength: 3 }), { nil: undefined }),
    assetNames: fc.dictionary(hostileText, hostileText, { maxKeys: 2 }),
    isPartlyRead: fc.boolean(),
    where: fc.oneof(
      hostileText,
      hostileText.map((text) => `https://${text}`),
    ),
  })
  .map(({ changes, kind, commit, path, body, addresses, impact, isPartlyRead, where, ...more }) =>
    plan(changes, {
      ...more,
      ...(impact ? { impact: { summaries: impact, matrices: [hostilePlanMatrix(kind)], notes: [kind] } } : {}),
      readStatus: { [kind]: 'incomplete', [`${kind}.`]: 'skipped', ...(isPartlyRead ? { playlist: 'complete' } : {}) },
      config: { commit, dirty: isPartlyRead, digest: commit },
      run: { at: kind, by: commit, where, requests: 1, retries: 0 },
      requests: [{ method: 'PATCH', path, body: { [body]: body }, addresses: [...addresses, ...changes.map(({ address }) => address)] }],
    }),
  );

const hostileOutcome = fc
  .record({ address: hostileText, error: hostileText, because: hostileText, tookMs: fc.nat(3000) })
  .map((each) => outcome([{ ...each, result: 'failed' }], false));

export const hostileDocument: fc.Arbitrary<Document> = fc.oneof(
  hostilePlan.map((each): Document => ({ type: 'plan', plan: each })),
  hostilePlan.map((each): Document => ({ type: 'drift', plan: each })),
  fc.tuple(hostileOutcome, hostilePlan).map(([each, its]): Document => ({ type: 'outcome', outcome: each, plan: its })),
  fc
    .tuple(hostileFinding, hostileText)
    .map(([each, target]): Document => ({ type: 'validation', validation: { ...validation([each]), target, resources: { [target]: 1 } } })),
  fc.tuple(hostileFinding, hostileText).map(
    ([each, text]): Document => ({
      type: 'failure',
      failure: { ...failure([each], text), error: { exit: 1, code: text, summary: text, hint: text } },
    }),
  ),
  fc.tuple(hostileOutcome, hostileText).map(([{ outcomes }, text]): Document => {
    const changes = outcomes.map((each) => ({ ...each, movedFrom: text, overwritten: [text], paths: [text] }));
    const accepted = [{ address: text, fields: [field(text, text, null)] }];
    return { type: 'history', history: history([historyEntry({ changes, accepted, unread: text })], { address: text, near: text }) };
  }),
  hostileText.map(
    (text): Document => ({
      type: 'history',
      history: { ...history([historyEntry({ by: text, where: text, tool: text, at: text })]), target: text },
    }),
  ),
  fc
    .tuple(fc.array(hostileMatrix, { maxLength: 3 }), fc.array(hostileText, { minLength: 1, maxLength: 3 }))
    .map(([devices, policies]): Document => {
      const more = { target: policies.join(''), matrices: [{ policies, devices }], unchanged: policies, notes: policies };
      return { type: 'impact', impact: impactReport([], more) };
    }),
  hostileText.map((text): Document => {
    const members = [{ key: text, description: text }];
    const texts = {
      description: text,
      type: text,
      unit: text,
      default: text,
      values: [text],
      examples: [text],
      rules: [text],
      section: text,
    };
    return { type: 'field', field: { schemaVersion: 1, field: text, file: 'source file', ...texts, members } };
  }),
  hostileText.map((text): Document => {
    const identity = { rule: 'name', id: text, because: text } as const;
    const place = { file: text, line: 1, column: 1, layer: 'template', template: text } as const;
    const values = [{ path: text, value: text, ...place, vars: [text], overrides: [{ ...place, value: text }] }];
    const seen = { kind: text, readStatus: 'complete' } as const;
    return { type: 'address', address: { schemaVersion: 1, target: text, address: text, ...seen, identity, change: null, values } };
  }),
  hostileText.map((text): Document => {
    const states = ['ok', 'warning', 'failed', 'skipped'] as const;
    const checks = states.map((state) => ({ check: text, state, summary: text, remedy: text }));
    return { type: 'diagnosis', diagnosis: { schemaVersion: 1, target: text, healthy: false, checks } };
  }),
  hostileText.map((text): Document => {
    const states = ['assumed', 'also works', 'setting', 'contradicted', 'measured', 'not found out'] as const;
    const answers = states.map(
      (state) => ({ id: text, step: 'read', question: text, assumed: text, state, found: text, detail: text, notFor: text }) as const,
    );
    const head = { schemaVersion: 1, target: text, at: text, upkeep: text, steps: ['read'], requests: 1 } as const;
    return { type: 'probe', probe: { ...head, answers, settings: [{ path: text, value: text }], leftBehind: [text] } };
  }),
  hostileText.map((text): Document => ({ type: 'targets', targets: [{ name: text, baseUrl: text, ownership: 'shared', ledger: 'none' }] })),
);

export const anyOptions: fc.Arbitrary<Options> = fc.record({
  color: fc.boolean(),
  width: fc.integer({ min: 0, max: 200 }),
  requests: fc.boolean(),
  full: fc.boolean(),
  afterPlan: fc.boolean(),
  why: fc.boolean(),
  undeclared: fc.option(fc.array(fc.record({ address: hostileText, name: hostileText }), { maxLength: 2 })),
  origin: fc.record({
    command: hostileText,
    version: fc.constant('1.2.3'),
    folder: hostileText,
    project: hostileText,
    pages: fc.constant({ host: 'github', repository: 'https://github.com/acme/tv', pullRequest: 1 } as const),
  }),
  diagramOf: fc.constant(diagramOfAnyKind),
  previousReport: fc.option(hostileText),
});

/** Returns a diagram whatever the kind of a change is called, so that hostile text reaches every place of a diagram. */
function diagramOfAnyKind(change: Change): Diagram | null {
  if (change.kind === change.address) return { type: 'account-setting', fields: change.fields };
  const list = change.fields.find(({ before }) => Array.isArray(before));
  return drmPolicyViews.diagram(change) ?? (list ? hostilePlaylist(list) : null);
}

/** Returns the diagram of a playlist whose list field has any path. */
function hostilePlaylist(field: FieldChange): Diagram | null {
  const list = playlistViews.diagram(change('playlist/x', { fields: [{ ...field, path: '/playlist' }] }));
  return list?.type === 'playlist' ? { ...list, field } : null;
}
