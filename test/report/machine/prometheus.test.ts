import { describe, expect, it } from 'vitest';
import { type Document, render } from '../../../src/report/index.ts';
import { change, failure, finding, impactReport, OPTIONS, outcome, plan, validation } from '../documents.ts';
import { readExposition } from '../languages/exposition.ts';

const at = '2026-03-02T10:00:00.500Z';
const run = { at, by: 'ada', where: 'https://ci.example/7', requests: 12, retries: 1, lastApply: '2026-03-01T10:00:00.000Z' };
const blocked = { check: 'deletes', reason: 'all 2 go', lift: { allow: 'deletes' } } as const;

/** Returns the samples as name, label values without command and target, and value. */
function gauges(documents: readonly Document[], previousReport: string | null = null): readonly string[] {
  return readExposition(render(documents, 'prometheus', { ...OPTIONS, previousReport })).map(({ metric, labels, value }) => {
    const { command: _command, target: _target, ...rest } = labels;
    return `${metric.replace('upkeep_', '')} ${[...Object.values(rest), value].join(' ')}`;
  });
}

describe('renderPrometheus', () => {
  it('renders each gauge with its help and type', () => {
    const text = render([{ type: 'validation', validation: validation([finding()]) }], 'prometheus', OPTIONS);
    expect(text).toBe(
      [
        '# HELP upkeep_success 1 if everything could be read, and everything that was to be written was written. Drift is not a failure.',
        '# TYPE upkeep_success gauge',
        'upkeep_success{command="validate",target="production"} 0',
        '# HELP upkeep_findings Errors and warnings about the configuration and the assets in it.',
        '# TYPE upkeep_findings gauge',
        'upkeep_findings{command="validate",target="production",severity="error"} 1',
        'upkeep_findings{command="validate",target="production",severity="warning"} 0',
        '',
      ].join('\n'),
    );
  });

  it('renders the gauges of a plan', () => {
    const changes = [change('playlist/a', { blocked, effect: 'weakens' }), change('playlist/b', { action: 'create', playback: 'gains' })];
    const readStatus = { playlist: 'complete', 'drm-policy': 'incomplete', 'static-key': 'skipped' } as const;
    expect(gauges([{ type: 'plan', plan: plan(changes, { run, readStatus }) }])).toEqual([
      'success 0',
      `run_timestamp_seconds ${Date.parse(at) / 1000}`,
      `last_apply_timestamp_seconds ${Date.parse(run.lastApply) / 1000}`,
      'requests 12',
      'retries 1',
      'complete playlist 1',
      'complete drm-policy 0',
      'changes create 1',
      'changes update 1',
      'changes delete 0',
      'blocked 1',
      'decision unknown 0',
      'decision refused 0',
      'decision blocked 1',
      'decision behind 0',
      'decision waits 0',
      'decision ready 0',
      'decision nothing 0',
      'weakening 1',
      'playback stops 0',
      'playback reduces 0',
      'playback unknown 0',
      'playback gains 1',
      'undeclared 0',
      'findings error 0',
      'findings warning 0',
    ]);
  });

  it('renders the drift of every kind that was read, and its age if the last apply is known', () => {
    const readStatus = { playlist: 'complete', 'drm-policy': 'complete', 'static-key': 'incomplete' } as const;
    const drifted = plan([change('playlist/a'), change('playlist/b')], { run, readStatus });
    const of = (text: readonly string[]) => text.filter((line) => line.startsWith('drift'));
    expect(of(gauges([{ type: 'drift', plan: drifted }]))).toEqual([
      'drift playlist 2',
      'drift drm-policy 0',
      'drift_age_seconds playlist 86400.5',
    ]);
    const { lastApply: _lastApply, ...unknown } = run;
    expect(of(gauges([{ type: 'drift', plan: { ...drifted, run: unknown } }]))).toEqual(['drift playlist 2', 'drift drm-policy 0']);
  });

  it('renders one end for each target, whatever the number of its assets, by plan and by drift', () => {
    const expiring = plan([], { firstExpiry: { asset: 'a', at: '2027-01-01T00:00:00Z' } });
    for (const type of ['plan', 'drift'] as const)
      expect(gauges([{ type, plan: expiring }]).filter((line) => line.startsWith('asset'))).toEqual([
        `asset_expires_timestamp_seconds ${Date.parse('2027-01-01T00:00:00Z') / 1000}`,
      ]);
    expect(gauges([{ type: 'drift', plan: plan([]) }]).filter((line) => line.startsWith('asset'))).toEqual([]);
  });

  it('counts the findings of a drift report', () => {
    const found = plan([], { findings: [finding({ severity: 'warning' })] });
    expect(gauges([{ type: 'drift', plan: found }]).slice(-2)).toEqual(['findings error 0', 'findings warning 1']);
  });

  it('renders the results of an apply', () => {
    const done = outcome([{ address: 'playlist/a', result: 'updated', tookMs: 1 }]);
    const { lastApply: _lastApply, ...facts } = run;
    const of = (document: Document) =>
      gauges([document]).filter((line) => /^(success|last_success|verified|blocked|results (updated|failed))/.test(line));
    expect(of({ type: 'outcome', outcome: { ...done, run: facts }, plan: plan([change('playlist/b', { blocked })]) })).toEqual([
      'success 1',
      `last_success_timestamp_seconds ${Date.parse(at) / 1000}`,
      'blocked 1',
      'results updated 1',
      'results failed 0',
      'verified 1',
    ]);
    expect(of({ type: 'outcome', outcome: { ...done, verified: false, run: facts } })[0]).toBe('success 0');
  });

  it('keeps the last success of each command and target while runs fail', () => {
    const successful: Document = { type: 'plan', plan: plan([], { run }) };
    const failureOf = (target: string): Document => ({ type: 'failure', failure: failure([], target) });
    const file = render([successful], 'prometheus', OPTIONS);
    expect(gauges([failureOf('production')], file)).toEqual(['success 0', `last_success_timestamp_seconds ${Date.parse(at) / 1000}`]);
    expect(gauges([failureOf('staging')], file)).toEqual(['success 0']);
    const later = { ...run, at: '2026-03-03T10:00:00.000Z' };
    expect(gauges([{ type: 'plan', plan: plan([], { run: later }) }], file)).toContain(
      `last_success_timestamp_seconds ${Date.parse(later.at) / 1000}`,
    );
  });

  it('omits times that cannot be parsed, and renders nothing for documents without gauges', () => {
    expect(gauges([{ type: 'plan', plan: plan([], { run: { ...run, at: 'yesterday' } }) }]).join()).not.toMatch(
      /run_timestamp|last_success/,
    );
    expect(gauges([{ type: 'impact', impact: impactReport([]) }])).toEqual([]);
  });
});
