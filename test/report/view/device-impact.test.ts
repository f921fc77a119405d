import { describe, expect, it } from 'vitest';
import type { ImpactSummary } from '../../../src/core/model/impact.ts';
import { render } from '../../../src/report/index.ts';
import { change, impactReport, impactSummary, matrixRow, OPTIONS, plan, planImpact, rule } from '../documents.ts';

function shown(summaries: readonly ImpactSummary[], width = 100): string {
  const blocked = { check: 'weakening', reason: 'r', lift: { edit: 'w' } } as const;
  const changes = [change('drm-policy/premium'), change('vmp-reject-statuses', { blocked })];
  return render([{ type: 'plan', plan: plan(changes, { impact: planImpact(...summaries) }) }], 'text', { ...OPTIONS, width });
}

describe('the playback impact of a plan', () => {
  it('names device, resolution and reason once for all devices that share them', () => {
    const two = [...impactSummary().devices, { device: 'phone', name: 'phone', system: 'widevine' as const }];
    const text = shown([impactSummary({ devices: two })], 120);
    expect(text).toContain('would lose desktop browser (software Widevine)  HD would no longer play (security_level 3 asked, 1 present)\n');
    expect(text).toContain('the same on phone');
    expect(text).toContain('Under policy premium.');
    expect(text).toContain('Classes of devices: 2 lose playback.');
    expect(text).toContain('Hold this against the light.');
  });

  it('names the policies of each impact, only the first of many, and marks blocked changes', () => {
    const policies = Array.from({ length: 500 }, (_, index) => `drm-policy/p${index}`);
    const gained = impactSummary({ outcome: 'gained', policies, changes: ['vmp-reject-statuses'], resolutions: ['SD', 'HD'] });
    const text = shown([impactSummary(), gained, impactSummary({ changes: ['drm-policy/premium', 'vmp-reject-statuses'] })]).replace(
      /\s+/g,
      ' ',
    );
    expect(text).toMatch(/SD, HD would play \(before: security_level 3 asked, 1 present\) under [^)]* and 494 more blocked/);
    expect(text).toContain('partly blocked');
    expect(text).toContain('p5 and 494 more');
    expect(text).not.toContain('drm-policy/p6');
  });

  it('shows the first of many summaries and says how many there are', () => {
    const many = Array.from({ length: 200 }, (_, index) => impactSummary({ rules: [rule({ text: `reason ${index}.` })] }));
    expect(shown(many).replace(/\s+/g, ' ')).toContain('The first 60 of 200; the JSON document has all.');
  });

  it.each([
    ['lost', { uncertain: true }, 'HD, which may have played, would no longer play'],
    ['uncertain', { uncertain: true }, 'it depends whether HD would still play'],
    ['uncertain', {}, 'HD would play for certain (before: '],
    ['gained', { uncertain: true }, 'HD might play (before: '],
    ['restricted', {}, 'HD would play with a new limit'],
    ['unrestricted', {}, 'HD would play with fewer limits (before: '],
    ['unrestricted', { uncertain: true }, 'HD would play with fewer limits, if it plays at all (before: '],
    ['restricted', { uncertain: true }, 'HD would play with a new limit, if it plays at all ('],
    ['changed', {}, 'HD would play under other conditions ('],
  ] as const)('describes the outcome %s', (outcome, more, words) => {
    expect(shown([impactSummary({ outcome, ...more })])).toContain(words);
  });

  it('counts no device classes where none is affected, and leaves the reason to the notes', () => {
    expect(shown([])).not.toContain('Classes of devices:');
    expect(shown([])).toContain('Hold this against the light.');
  });
});

it('the reasons that the same changes give are one line, and those of others another one', () => {
  const gains = (...texts: readonly string[]) => ({
    playback: 'gains' as const,
    playbackReasons: texts.map((text) => ({ playback: 'gains' as const, text })),
  });
  const changes = [change('playlist/a', gains('x', 'y')), change('playlist/b', gains('y')), change('playlist/c', gains('v', 'w'))];
  const report = render([{ type: 'drift', plan: plan(changes) }], 'text', OPTIONS);
  expect(report.slice(report.indexOf('What viewers notice'), report.indexOf('Drifted'))).toBe(
    'What viewers notice (3)\n  gains a     x\n  gains a, b  y\n  gains c     v; w\n\n',
  );
});

describe('the matrix of an impact report', () => {
  const text = (more: Parameters<typeof matrixRow>[0], width = 100, why = false) =>
    render([{ type: 'impact', impact: impactReport([matrixRow(more)]) }], 'text', { ...OPTIONS, width, why });

  it('shows the level before and after where they differ', () => {
    expect(text({ name: 'browser' })).toMatch(/ {6}browser {2}plays {2}plays>refused {2}plays {2}plays\n/);
  });

  it('marks a level whose conditions differ with an asterisk', () => {
    const { before } = matrixRow();
    const after = before && { ...before, SD: { playback: 'plays', rules: [rule({ outcome: 'plays' })] } as const };
    expect(text({ name: 'browser', after })).toMatch(/browser {2}plays\* {2}plays {2}plays/);
  });

  it('puts a long device name on a line of its own', () => {
    const name = 'a device with a name of many words';
    expect(text({ name }, 60)).toMatch(/ {6}a device with a name of many words\n {8,}plays {2}plays>refused/);
  });

  it('lists rules with field and section only with the option why', () => {
    expect(text({})).not.toContain('drm-api-v3 2.3');
    expect(text({}, 100, true)).toContain(
      '+ HD refused: security_level 3 asked, 1 present (/widevine/content_key_specs/HD/security_level, drm-api-v3 2.3)',
    );
    expect(text({ before: null }, 100, true)).toContain('  HD refused: security_level 3 asked');
  });
});
