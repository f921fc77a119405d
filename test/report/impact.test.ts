import { describe, expect, it } from 'vitest';
import type { ImpactSummary } from '../../src/model/impact.ts';
import { render } from '../../src/report/index.ts';
import { change, impactReport, matrixRow, OPTIONS, plan, planImpact, rule, story } from './documents.ts';

function shown(summaries: readonly ImpactSummary[], width = 100): string {
  const held = { check: 'loosening', reason: 'r', override: 'w' } as const;
  const changes = [change('drm-policy/premium'), change('vmp-reject-statuses', { blocked: held })];
  return render([{ type: 'plan', plan: plan(changes, { impact: planImpact(...summaries) }) }], 'text', { ...OPTIONS, width });
}

describe('the impact of a plan', () => {
  it('names device, resolution and reason, once for all that share it', () => {
    const two = [...story().devices, { device: 'phone', name: 'phone', system: 'widevine' as const }];
    const text = shown([story({ devices: two })], 120);
    expect(text).toContain('- desktop browser, software Widevine  HD no longer plays (security_level 3 asked, 1 present)\n');
    expect(text).toContain('the same on phone');
    expect(text).toContain('Under drm-policy/premium.');
    expect(text).toContain('classes that lose playback: 2; that gain it: 0');
    expect(text).toContain('Hold this against the light.');
  });

  it('tells policies apart, gives of many the first, and says what is blocked', () => {
    const policies = Array.from({ length: 500 }, (_, index) => `drm-policy/p${index}`);
    const gained = story({ outcome: 'gained', policies, changes: ['vmp-reject-statuses'], resolutions: ['SD', 'HD'] });
    const text = shown([story(), gained, story({ changes: ['drm-policy/premium', 'vmp-reject-statuses'] })]).replace(/\s+/g, ' ');
    expect(text).toContain('SD, HD play now (before: security_level 3 asked, 1 present), blocked');
    expect(text).toContain('partly blocked');
    expect(text).toContain('drm-policy/p5 and 494 more');
    expect(text).not.toContain('drm-policy/p6');
  });

  it('counts the stories that are too many to be read', () => {
    const many = Array.from({ length: 200 }, (_, index) => story({ rules: [rule({ text: `reason ${index}.` })] }));
    expect(shown(many)).toContain('The first 60 of 200; the JSON document has all.');
  });

  it.each([
    ['lost', { uncertain: true }, 'HD, which may have played, no longer plays'],
    ['uncertain', {}, 'it depends whether HD still plays'],
    ['gained', { uncertain: true }, 'HD may play now (before: '],
    ['restricted', {}, 'HD plays with a new limit'],
    ['unrestricted', {}, 'HD plays with fewer limits (before: '],
    ['unrestricted', { uncertain: true }, 'HD plays for certain (before: '],
  ] as const)('tells what is %s', (outcome, more, words) => {
    expect(shown([story({ outcome, ...more })])).toContain(words);
  });

  it('says so where nobody plays more or less', () => {
    expect(shown([])).toContain('Devices: no class of them plays more or less than before.');
  });
});

describe('a matrix', () => {
  const text = (more: Parameters<typeof matrixRow>[0], width = 100, why = false) =>
    render([{ type: 'impact', impact: impactReport([matrixRow(more)]) }], 'text', { ...OPTIONS, width, why });

  it('shows both sides where they differ', () => {
    expect(text({ name: 'browser' })).toMatch(/ {6}browser {2}plays {2}plays>refused {2}plays {2}plays\n/);
  });

  it('marks other conditions under which it plays all the same', () => {
    const { before } = matrixRow();
    const after = before && { ...before, SD: { playback: 'plays', rules: [rule({ outcome: 'plays' })] } as const };
    expect(text({ name: 'browser', after })).toMatch(/browser {2}plays\* {2}plays {2}plays/);
  });

  it('gives a name a line of its own where there is no room beside the cells', () => {
    const name = 'a device with a name of many words';
    expect(text({ name }, 60)).toMatch(/ {6}a device with a name of many words\n {8,}plays {2}plays>refused/);
  });

  it('lists rules with field and section where that is asked for', () => {
    expect(text({})).not.toContain('drm-api-v3 2.3');
    expect(text({}, 100, true)).toContain(
      '+ HD refused: security_level 3 asked, 1 present (/widevine/content_key_specs/HD/security_level, drm-api-v3 2.3)',
    );
    expect(text({ before: null }, 100, true)).toContain('  HD refused: security_level 3 asked');
  });
});
