import type { Finding } from '../../model/finding.ts';
import type { Document, Renderer } from '../document.ts';
import { finish, visibleJson } from '../escape.ts';

/** The documents of design section 5: exactly one for one target, an array for several. */
export const renderJson: Renderer = (documents) => {
  const members = documents.map(memberOf);
  const [one] = members;
  return finish([visibleJson(one && members.length === 1 ? one : members, 2)]);
};

function memberOf(document: Document): object {
  switch (document.type) {
    case 'plan':
    case 'drift':
      return { ...document.plan, findings: document.plan.findings.map(published) };
    case 'outcome':
      return document.outcome;
    case 'validation':
      return { ...document.validation, findings: document.validation.findings.map(published) };
    case 'failure':
      return { ...document.failure, findings: document.failure.findings.map(published) };
    case 'impact':
      return document.impact;
    case 'diagnosis':
      return document.diagnosis;
    case 'acceptance':
      return document.acceptance;
    case 'field':
      return document.field;
    case 'address':
      return document.address;
    case 'history':
      return document.history;
    case 'targets':
      return { schemaVersion: 1, targets: document.targets };
  }
}

/** Returns a finding without its excerpt, which only text reports show. */
export function published({ excerpt: _excerpt, ...finding }: Finding): Omit<Finding, 'excerpt'> {
  return finding;
}
