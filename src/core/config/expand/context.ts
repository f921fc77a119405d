/** What all parts of the expansion of a target's sources share. */
import type { UnlocatedFinding } from '../../kinds/kind.ts';
import { isObject, type JsonObject, type Path } from '../../model/json.ts';
import type { LoadedSources } from '../load-sources.ts';
import type { SourceDocument } from '../source-document.ts';
import { locationIn, type SourceLocation } from '../source-location.ts';
import type { SourceModel } from '../source-model.ts';
import type { Scope } from '../variables.ts';
import { createBudget, type ExpansionBudget } from './budget.ts';
import { createListExpander, type EntryList, type ListExpander } from './entry-lists.ts';
import type { TemplatedSection } from './expansion-schema.ts';
import type { Template } from './templates.ts';
import type { TakesOnlyText } from './text-fields.ts';

/** A document, divided into the expansion keys and the sections that declare resources. */
export interface SplitDocument {
  readonly document: SourceDocument;
  readonly expansion: JsonObject;
  readonly sections: JsonObject;
}

/** What all parts of the expansion share. */
export interface ExpandContext extends Pick<LoadedSources, 'sources' | 'target' | 'reader' | 'projectDocument'> {
  readonly model: SourceModel;
  readonly sections: readonly TemplatedSection[];
  readonly vars: Scope;
  readonly takesOnlyText: TakesOnlyText;
  /** Decides whether the expanded sources have such a key at the top. */
  isKnownKey(key: string): boolean;
  readonly budget: ExpansionBudget;
  readonly templates: Map<string, Template>;
  readonly entryLists: Map<string, EntryList>;
  readonly listExpander: ListExpander;
  readonly usedTemplates: Set<string>;
  /** Paths in the merged sources whose value is missing because of an error that is reported. */
  readonly unreadablePaths: Path[];
  /**
   * Whether templates or entry lists may be missing because of an error that is reported. A name that is not found is no finding then.
   */
  mayLackTemplatesOrLists: boolean;
  /** Reports a finding at a location. */
  report(location: SourceLocation, finding: UnlocatedFinding): void;
  /** Reports a finding at its path in a document. */
  reportIn(document: SourceDocument, finding: UnlocatedFinding): void;
}

/** Creates the context. `report` collects the findings. */
export function createContext(
  { sources, target, reader, projectDocument, findings }: LoadedSources,
  model: SourceModel,
  unreadablePaths: Path[],
  report: ExpandContext['report'],
): ExpandContext {
  const reportIn: ExpandContext['reportIn'] = (document, finding) => report(locationIn(document, finding.path, finding.part), finding);
  const budget = createBudget();
  const { properties } = model.schema;
  const entryLists = new Map<string, EntryList>();
  const context: ExpandContext = {
    sources,
    target,
    reader,
    projectDocument,
    model,
    sections: model.templatedSections,
    vars: target.vars,
    takesOnlyText: model.takesOnlyText,
    isKnownKey: (key) => isObject(properties) && Object.hasOwn(properties, key),
    budget,
    templates: new Map(),
    entryLists,
    listExpander: createListExpander(entryLists, budget, ({ document }, finding) => {
      if (finding.code === 'unknown-entry-list' && context.mayLackTemplatesOrLists) unreadablePaths.push([]);
      else reportIn(document, finding);
    }),
    usedTemplates: new Set(),
    unreadablePaths,
    mayLackTemplatesOrLists: findings.some(({ severity }) => severity === 'error'),
    report,
    reportIn,
  };
  return context;
}
