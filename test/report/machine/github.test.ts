import { describe, expect, it } from 'vitest';
import { type Document, render } from '../../../src/report/index.ts';
import { change, finding, OPTIONS, plan, RISKS, validation } from '../documents.ts';
import { readAnnotations } from '../languages/workflow-commands.ts';

const github = (...documents: readonly Document[]) => render(documents, 'github', OPTIONS);

describe('renderGithub', () => {
  it('renders workflow commands with escaped properties and messages', () => {
    const blocked = { check: 'deletes', reason: 'all 2 go: 100 %, really', lift: { allow: 'deletes' } } as const;
    const declared = { file: 'config/a,b.yaml', line: 3, column: 5 };
    const report = github({
      type: 'plan',
      plan: plan([change('playlist/a', { blocked, declared }), change('drm-policy/b', { effect: 'weakens' })]),
    });
    expect(report).toBe(
      [
        `::notice title=upkeep%3A risks::production: ${RISKS}`,
        '::error file=accounts/eu/config/a%2Cb.yaml,line=3,col=5,title=upkeep%3A blocked-deletes::production: playlist/a is blocked by safety check `deletes`: all 2 go: 100 %25, really. To lift it: --allow deletes.',
        '::notice file=accounts/eu/upkeep.yaml,line=1,col=1,title=upkeep%3A weakens::production: drm-policy/b weakens protection.',
        '',
      ].join('\n'),
    );
  });

  it('renders nothing, and no empty line, where there is nothing to say', () => {
    expect(github({ type: 'validation', validation: validation([]) })).toBe('');
  });

  it('renders at most ten annotations of each level, the last of which counts the omitted ones', () => {
    const findings = Array.from({ length: 33 }, (_, index) => finding({ line: index + 1, severity: index < 20 ? 'warning' : 'error' }));
    const annotations = readAnnotations(github({ type: 'validation', validation: validation(findings) }));
    const of = (command: string) => annotations.filter((each) => each.command === command);
    expect([of('error').length, of('warning').length]).toEqual([10, 10]);
    expect(of('error').at(-1)?.message).toBe('4 more of this level; GitHub shows 10 for one step, the other formats show all of them.');
    expect(of('warning').at(-1)?.message).toMatch(/^11 more/);
    const ten = readAnnotations(github({ type: 'validation', validation: validation(findings.slice(0, 10)) }));
    expect(ten.map(({ properties }) => properties.line)).toEqual(findings.slice(0, 10).map(({ line }) => String(line)));
  });
});
