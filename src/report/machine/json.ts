import type { Finding } from '../../core/model/finding.ts';
import type { Document, Renderer } from '../document.ts';
import { finish, visibleJson } from '../escape.ts';
import { withVerdict } from '../view/verdict.ts';

/** Renders the documents of design section 5, JSON: one object for one document, else an array. */
export const renderJson: Renderer = (documents) => {
  const objects = documents.map(jsonDocumentOf);
  const [first] = objects;
  return finish([visibleJson(first && objects.length === 1 ? first : objects, 2)]);
};

function jsonDocumentOf(document: Document): object {
  switch (document.type) {
    case 'plan':
    case 'drift':
      return { ...withVerdict(document.type, document.plan), findings: document.plan.findings.map(withoutExcerpt) };
    case 'outcome':
      return document.outcome;
    case 'validation':
      return { ...document.validation, findings: document.validation.findings.map(withoutExcerpt) };
    case 'failure':
      return { ...document.failure, findings: document.failure.findings.map(withoutExcerpt) };
    case 'impact':
      return document.impact;
    case 'diagnosis':
      return document.diagnosis;
    case 'probe':
      return document.probe;
    case 'acceptance':
      return document.acceptance;
    case 'tests':
      return document.tests;
    case 'export':
      return { ...document.accountExport, findings: document.accountExport.findings.map(withoutExcerpt) };
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
export function withoutExcerpt({ excerpt: _excerpt, ...finding }: Finding): Omit<Finding, 'excerpt'> {
  return finding;
}
