/** A plan with every diagram. */
import { type Document, render } from '../../../src/report/index.ts';
import { change, field, finding, impactSummary, OPTIONS, plan, planImpact, planMatrix } from '../documents.ts';

const entries = (short: string) =>
  [...short].map((each) => (/\d/.test(each) ? { ad: { dur: Number(each) * 10 } } : { beam: { id: each.repeat(32) } }));
const weakens = {
  effect: 'weakens',
  reasons: [{ effect: 'weakens', text: 'UHD1: software instead of hardware (`security_level`)' }],
} as const;
const strengthens = { effect: 'strengthens', reasons: [{ effect: 'strengthens', text: 'only studio-a will use the static key' }] } as const;

/** Five changes: one blocked and weakening, one that strengthens, three of playlists. */
const SHOWCASE: Document = {
  type: 'plan',
  plan: plan(
    [
      change('drm-policy/premium', {
        effect: 'weakens',
        blocked: { check: 'weakening', reason: 'it weakens protection', lift: { allow: 'weakening' } },
        fields: [
          field('/widevine/content_key_specs/UHD1/security_level', 5, 3, weakens),
          field('/playready/can_persist', false, true, weakens),
        ],
      }),
      change('static-key', {
        effect: 'strengthens',
        fields: [field('/scope', 'all', 'specific', strengthens), field('/slicer_ids', [], ['studio-a'])],
      }),
      change('playlist/main', {
        name: 'Harbour TV',
        fields: [field('/playlist', entries('ab3cdefghijklmno'), entries('ab9dcefghpijklmn')), field('/repeat', 0, -1)],
      }),
      change('playlist/new', { action: 'create', fields: [field('/playlist', null, entries('ab'))] }),
      change('playlist/old', { action: 'delete', origin: 'drift', fields: [field('/playlist', entries('a'), null)] }),
    ],
    {
      requests: [
        { method: 'POST', path: '/slicers', body: { static_key_slicer_ids: ['studio-a'] }, addresses: ['static-key'] },
        { method: 'POST', path: '/status', body: { use_static_encryption_key: false }, addresses: ['static-key'] },
      ],
      findings: [finding({ severity: 'warning' })],
      impact: { ...planImpact(impactSummary()), matrices: [planMatrix()] },
    },
  ),
};

/** The HTML report of the plan. */
export const SHOWN = render([SHOWCASE], 'html', { ...OPTIONS, requests: true, undeclared: [{ address: 'playlist/~1', name: 'By hand' }] });
