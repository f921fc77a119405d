import { describe, expect, it } from 'vitest';
import { type Document, render } from '../../../src/report/index.ts';
import { change, failure, finding, OPTIONS, plan, validation } from '../documents.ts';
import { readSarif } from '../languages/sarif.ts';

const sarif = (...documents: readonly Document[]) => readSarif(render(documents, 'sarif', OPTIONS));

describe('the reader of SARIF', () => {
  const valid = render([{ type: 'validation', validation: validation([finding()]) }], 'sarif', OPTIONS);

  it.each([
    ['an unknown member', '"runs":', '"run": [], "runs":', 'must NOT have additional properties'],
    ['an unknown version', '"2.1.0"', '"2.0.0"', 'data/version must be equal to one of the allowed values'],
    ['an unknown level', '"level": "error"', '"level": "fatal"', 'level must be equal to one of the allowed values'],
    ['a line before the first', /"startLine": \d+/, '"startLine": 0', 'startLine must be >= 1'],
    ['a message that is no object', /"message": \{[^}]*\}/, '"message": "x"', 'message must be object'],
    ['a tool without a name', '"name": "upkeep"', '"fullName": "upkeep"', "driver must have required property 'name'"],
    ['a rule that is not there', '"ruleIndex": 0', '"ruleIndex": 1', 'unknown-key is not rule 1'],
    ['a file outside of the repository', '%SRCROOT%', '%HOME%', 'is not in the repository'],
    ['a link', /("message": \{\s*"text": ")/, '$1[x](y)', 'a link in'],
  ])('refuses %s', (_what, part, replacement, expected) => {
    expect(valid).toMatch(part);
    expect(() => readSarif(valid.replace(part, replacement))).toThrow(expected);
    expect(readSarif(valid).results).toHaveLength(1);
  });
});

describe('renderSarif', () => {
  it('renders a result with location and rule for each diagnostic', () => {
    const blocked = { check: 'weakening', reason: 'it weakens', lift: { allow: 'weakening' } } as const;
    const declared = { file: 'config/drm policy#1.yaml', line: 3, column: 5 };
    const run = sarif({ type: 'plan', plan: plan([change('drm-policy/hd', { blocked, declared })], { findings: [finding()] }) });
    expect(run.tool.driver.rules.map(({ id }) => id)).toEqual(['blocked-weakening', 'unknown-key']);
    expect(run.results).toMatchObject([
      {
        ruleId: 'blocked-weakening',
        level: 'error',
        message: { text: 'production: drm-policy/hd is blocked by safety check `weakening`: it weakens. To lift it: --allow weakening.' },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'accounts/eu/config/drm%20policy%231.yaml', uriBaseId: '%SRCROOT%' },
              region: { startLine: 3, startColumn: 5 },
            },
            logicalLocations: [{ fullyQualifiedName: 'drm-policy/hd', kind: 'resource' }],
          },
        ],
        properties: { targets: ['production'] },
      },
      { ruleId: 'unknown-key', level: 'error' },
    ]);
    expect(run.invocations[0].executionSuccessful).toBe(true);
  });

  it('renders an empty run if there are no diagnostics, so that alerts are closed', () => {
    expect(sarif({ type: 'plan', plan: plan([]) }).results).toEqual([]);
    expect(sarif().results).toEqual([]);
  });

  it('marks a failed run as unsuccessful', () => {
    expect(sarif({ type: 'failure', failure: failure([]) }).invocations[0].executionSuccessful).toBe(false);
  });

  it('escapes links and placeholders in messages', () => {
    const [result] = sarif({ type: 'validation', validation: validation([finding({ summary: '[x](https://evil.example) {0}' })]) }).results;
    expect(result?.message.text).toBe('[x]\\u{{28}}https://evil.example) {{0}}. Did you mean `repeat`?');
  });

  it('omits results beyond the limit of code scanning and says how many', () => {
    const findings = Array.from({ length: 25_003 }, (_, index) =>
      finding({ line: index + 1, severity: index < 25_001 ? 'warning' : 'error' }),
    );
    const text = render([{ type: 'validation', validation: validation(findings) }], 'sarif', OPTIONS);
    const levels = readSarif(text).results.map(({ level }) => level);
    expect(levels).toHaveLength(25_000);
    expect(levels.slice(0, 3)).toEqual(['error', 'error', 'warning']);
    expect(text).toContain('3 more results are left out.');
  });
});
