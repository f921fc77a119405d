import type { SeverityRule } from '../../src/core/config/project.ts';

/** Returns the rules of a map of severities by code. */
export function rulesOf(severities: { readonly [code: string]: SeverityRule['severity'] }): readonly SeverityRule[] {
  return Object.entries(severities).map(([code, severity]) => ruleFor({ code, severity }));
}

/** Returns a rule that is everywhere and has no end, unless `own` says otherwise. */
export function ruleFor(own: Pick<SeverityRule, 'code' | 'severity'> & Partial<SeverityRule>): SeverityRule {
  return { address: null, file: null, withinMs: null, why: null, until: null, isExpired: false, path: ['rules', own.code], ...own };
}
