/** What all parts of the expansion of a target's sources share. */
import type { Kind, UnlocatedFinding } from '../../kinds/kind.ts';
import { isObject, type JsonObject, type Path } from '../../model/json.ts';
import type { FileReader } from '../file-reader.ts';
import type { Source, SourceDocument } from '../load-sources.ts';
import type { Target } from '../project.ts';
import { locationIn, type SourceLocation } from '../source-location.ts';
import { expandedSchema } from '../source-schema.ts';
import type { Scope } from '../variables.ts';
import { createBudget, type ExpansionBudget } from './budget.ts';
import { createListExpander, type EntryList, type ListExpander } from './entry-lists.ts';
import { type TemplatedSection, templatedSections } from './expansion-schema.ts';
import type { Template } from './templates.ts';
import { type TakesOnlyText, textFieldsOf } from './text-fields.ts';

/** What expanding takes. */
export interface ExpandInput {
  /** Whether a file of the sources has an error, so that what it declares may be missing. */
  readonly isIncomplete: boolean;
  readonly sources: readonly Source[];
  readonly target: Target;
  readonly kinds: readonly Kind[];
  readonly reader: FileReader;
  /** The content of upkeep.yaml. */
  readonly projectDocument: SourceDocument;
}

/** A document, divided into the expansion keys and the sections that declare resources. */
export interface SplitDocument {
  readonly document: SourceDocument;
  readonly expansion: JsonObject;
  readonly sections: JsonObject;
}

/** What all parts of the expansion share. */
export interface ExpandContext extends ExpandInput {
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
export function createContext(input: ExpandInput, unreadablePaths: Path[], report: ExpandContext['report']): ExpandContext {
  const reportIn: ExpandContext['reportIn'] = (document, finding) => report(locationIn(document, finding.path, finding.part), finding);
  const budget = createBudget();
  const schema = expandedSchema(input.kinds);
  const entryLists = new Map<string, EntryList>();
  const context: ExpandContext = {
    ...input,
    sections: templatedSections(input.kinds),
    vars: input.target.vars,
    takesOnlyText: textFieldsOf(schema),
    isKnownKey: (key) => isObject(schema.properties) && Object.hasOwn(schema.properties, key),
    budget,
    templates: new Map(),
    entryLists,
    listExpander: createListExpander(entryLists, budget, ({ document }, finding) => {
      if (finding.code === 'unknown-entry-list' && context.mayLackTemplatesOrLists) unreadablePaths.push([]);
      else reportIn(document, finding);
    }),
    usedTemplates: new Set(),
    unreadablePaths,
    mayLackTemplatesOrLists: input.isIncomplete,
    report,
    reportIn,
  };
  return context;
}
