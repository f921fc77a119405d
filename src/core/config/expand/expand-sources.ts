/**
 * The second step of loading a desired state: expands the sources of a target to layers, and merges these. The layers are defaults of entries of `sources` and of files, templates and rows of tables, and what is
 * written directly in the documents. Later layers overlay earlier ones (design section 3, precedence).
 */
import { errorFinding, type UnlocatedFinding, warningFinding } from '../../kinds/kind.ts';
import { isJsonObject, isList, type Json, type JsonObject, nullProtoObject, type Path, valueAt } from '../../model/json.ts';
import { createFindingList, findingAt, limitFindings } from '../findings.ts';
import type { LoadedSources } from '../load-sources.ts';
import { mergeFindings } from '../merge-findings.ts';
import { mergeDocuments, type NullWithoutEffect, overlayLayers } from '../overlay.ts';
import { withoutInvalidParts } from '../path-set.ts';
import { describeSchemaError } from '../schema-errors.ts';
import { withSeverity } from '../severity-rules.ts';
import type { SourceDocument } from '../source-document.ts';
import { locationIn, type SourceLocation } from '../source-location.ts';
import type { ValueLayer } from '../source-map.ts';
import type { SourceModel } from '../source-model.ts';
import { expandVariables, mapMembers } from '../variables.ts';
import { entriesIn, tooManyEntries } from './budget.ts';
import { createContext, type ExpandContext, type SplitDocument } from './context.ts';
import { defaultsLayer, fileDefaults, firstDeclarations, sourceDefaults } from './defaults.ts';
import { type ExpandedDocument, locateExpanded, placeIn } from './definition.ts';
import { splitExpansionKeys, tablesKey } from './expansion-schema.ts';
import { expandEntries, type Instance, templateLayer } from './instances.ts';
import { readTemplate } from './templates.ts';

/** The layers of all sources and their merged value, and what is wrong with them. `unreadablePaths` are those of loading and expanding. */
export interface ExpandedSources extends LoadedSources {
  /** Earliest first. */
  readonly layers: readonly ValueLayer[];
  readonly merged: JsonObject;
  readonly nullsWithoutEffect: readonly NullWithoutEffect[];
  /** Paths that could not be expanded. */
  readonly unexpandedPaths: readonly Path[];
  /** Sections without a value, and what one source defines twice. */
  readonly ambiguousPaths: readonly Path[];
  readonly entryListNames: ReadonlySet<string>;
}

/** A finding with the place that it is about. */
type LocatedFinding = UnlocatedFinding & { readonly location: SourceLocation };

/** Expands the sources of a target, and merges them. All errors are findings. `maxPerCode` limits how many of them are listed for each file. */
export function expandSources(loaded: LoadedSources, model: SourceModel, maxPerCode?: number): ExpandedSources {
  const limit = (all: readonly LocatedFinding[]) => limitFindings(all, ({ location }) => location.file, maxPerCode);
  const list = createFindingList(limit);
  let isUnreadable = false;
  const unreadablePaths: Path[] = [];
  const context = createContext(loaded, model, unreadablePaths, (location, finding) => {
    list.add([{ ...finding, location }]);
    if (finding.severity !== 'warning' && !isUnreadable) unreadablePaths.push([]);
    isUnreadable ||= finding.severity !== 'warning';
  });
  const split = withoutTooMany(loaded.sources, context).map((documents) => documents.map((document) => splitDocument(document, context)));
  for (const { document, expansion } of split.flat()) collectTemplates(document, expansion, context);
  for (const { document, expansion } of split.flat()) collectEntryLists(document, expansion, context);
  context.listExpander.checkAll();
  const declared = new Set<string>();
  const expanded = split.map((documents, index) => {
    const read = documents.map((document) => expandDocument(document, context));
    const merged = mergeDocuments(
      read.map(({ definition }) => definition),
      model.keyedSections,
    );
    const templated = templateLayer(
      documents,
      read.flatMap(({ instances }) => instances),
      merged,
      context,
    );
    // Defaults go only to resources that no earlier source declares.
    const first = firstDeclarations(merged, templated, declared, context.sections);
    const [ofSource, ofFiles] = [sourceDefaults(index, context), fileDefaults(documents, context)];
    const layers = [
      defaultsLayer(first, ({ section }) => ofSource.get(section.key), context),
      defaultsLayer(first, ({ section, file }) => ofFiles.get(file)?.get(section.key), context),
      templated,
      merged,
    ];
    return { merged, layers: layers.filter(({ byPointer }) => byPointer.size > 0) };
  });
  if (!list.all().some(({ severity }) => severity === 'error')) reportUnused(context);
  const found = list.all();
  const findings = limit(found).map((finding) => findingAt(finding.location, finding));
  // What is too large is not validated: that would take as long as making it.
  const usable = found.some(({ code }) => code === 'too-large') ? [] : expanded;
  const layers = usable.flatMap((each) => each.layers);
  const mergedBySource = usable.map(({ merged }) => merged);
  const { value, nullsWithoutEffect } = overlayLayers(layers.map((layer) => layer.value));
  return {
    ...loaded,
    layers,
    merged: value,
    nullsWithoutEffect,
    findings: [
      ...loaded.findings,
      ...findings.flatMap((finding) => withSeverity(finding, loaded.project.rules)),
      ...mergedBySource.flatMap((merged) => mergeFindings(merged, model.keyedSections)),
    ],
    unreadablePaths: [...loaded.unreadablePaths, ...unreadablePaths],
    unexpandedPaths: unreadablePaths,
    ambiguousPaths: mergedBySource.flatMap(({ bareSections, duplicates }) => [...bareSections, ...duplicates].map(({ path }) => path)),
    entryListNames: new Set(context.entryLists.keys()),
  };
}

/** Returns the documents of each source without those that are read again, through a link or a copy, once these have too many entries. */
function withoutTooMany(sources: LoadedSources['sources'], { budget, reportIn }: ExpandContext): LoadedSources['sources'] {
  const sizes = new Map<JsonObject, number>();
  const fits = (document: SourceDocument): boolean => {
    const { content } = document;
    const size = sizes.get(content);
    sizes.set(content, size ?? 1 + entriesIn(content, 0));
    if (size === undefined || budget.addEntries(size)) return true;
    reportIn(document, tooManyEntries([]));
    return false;
  };
  return sources.map((documents) => documents.filter(fits));
}

/** Divides a document, and validates `defaults`, `templates`, `entry_lists` and `*_from`. Leaves out those with an error. */
function splitDocument(document: SourceDocument, context: ExpandContext): SplitDocument {
  const { expansion, sections } = splitExpansionKeys(document.content, context.model.expansionKeys);
  const errors = context.model.expansionErrorsOf(expansion);
  for (const error of errors) context.reportIn(document, describeSchemaError(error, undefined));
  if (errors.length > 0) context.mayLackTemplatesOrLists = true;
  const invalid = errors.map(({ path }) => path);
  return { document, sections, expansion: withoutInvalidParts(expansion, invalid, new Set(['templates', 'entry_lists'])) };
}

function collectTemplates(document: SourceDocument, { templates: declared }: JsonObject, context: ExpandContext): void {
  const { templates, reportIn } = context;
  for (const [name, body] of Object.entries(isJsonObject(declared) ? declared : {})) {
    const earlier = templates.get(name);
    if (earlier) reportIn(document, declaredTwice('template', name, ['templates', name], earlier.document));
    if (earlier || !isJsonObject(body)) continue;
    const { template, findings } = readTemplate(document, name, body, context);
    for (const finding of findings) reportIn(document, finding);
    if (template && !findings.some(({ severity }) => severity !== 'warning')) templates.set(name, template);
    else context.mayLackTemplatesOrLists = true;
  }
}

function collectEntryLists(document: SourceDocument, { entry_lists: declared }: JsonObject, context: ExpandContext): void {
  const { entryLists, vars, takesOnlyText, budget, reportIn } = context;
  const fieldPath = entriesPath(context.sections);
  for (const [name, written] of Object.entries(isJsonObject(declared) ? declared : {})) {
    const path = ['entry_lists', name];
    const earlier = entryLists.get(name);
    if (earlier) reportIn(document, declaredTwice('entry list', name, path, earlier.document));
    if (earlier || !isList(written)) continue;
    const { value, findings } = expandVariables(written, vars, { takesOnlyText: (at) => takesOnlyText([...fieldPath, ...at]), budget });
    for (const finding of findings) reportIn(document, { ...finding, path: [...path, ...finding.path] });
    entryLists.set(name, { document, path, items: isList(value) ? value : [] });
  }
}

function declaredTwice(noun: string, name: string, path: Path, earlier: SourceDocument): UnlocatedFinding {
  const hint = 'Rename one of them: the sources of a target share these names.';
  const finding = errorFinding('duplicate-key', path, `the ${noun} \`${name}\` is declared twice`, hint);
  return { ...finding, part: 'key', otherPlace: locationIn(earlier, path, 'key') };
}

/** Expands what is written directly in a document, and returns the resources in it that name a template. */
function expandDocument(
  { document, sections: content, expansion }: SplitDocument,
  context: ExpandContext,
): { readonly definition: ExpandedDocument; readonly instances: readonly Instance[] } {
  const { vars, budget, listExpander, sections } = context;
  const { value: replaced, findings } = expandVariables(content, vars, {
    takesOnlyText: (path) => documentFieldTakesOnlyText(path, content, context),
    budget,
  });
  for (const finding of findings) {
    context.unreadablePaths.push(finding.path);
    // A key that is misspelled, such as `playlist_from`, is reported as unknown.
    if (finding.path.length === 0 || context.isKnownKey(String(finding.path[0]))) context.reportIn(document, finding);
  }
  const instances: Instance[] = [];
  const value: { [section: string]: Json } = Object.assign(nullProtoObject(), replaced);
  for (const section of sections) {
    const members = value[section.key];
    if (members === undefined && expansion[tablesKey(section)] !== undefined) value[section.key] = {};
    if (!isJsonObject(members)) continue;
    value[section.key] = mapMembers(members, (key, member) => {
      const own = expandEntries(member, section, { document, path: [section.key, key] }, context);
      if (isJsonObject(own) && own.template === undefined && own.with !== undefined)
        return withoutArguments(own, document, [section.key, key], context);
      if (!isJsonObject(own) || own.template === undefined) return own;
      const { template, with: given, ...fields } = own;
      instances.push({ document, section, key, template, given, fields: Object.keys(fields) });
      return Object.assign(nullProtoObject(), fields);
    });
  }
  const written = { place: { document, path: [] }, value };
  return {
    definition: {
      layerType: 'document',
      file: document.file,
      isInOneFile: true,
      depth: 0,
      value,
      document,
      locate: (rest, part) => locateExpanded(written, rest, part, listExpander),
      writtenAt: (rest) => ({ place: placeIn(written, rest, listExpander) }),
    },
    instances,
  };
}

/** Reports arguments without a template, and returns the resource without them. */
function withoutArguments(own: JsonObject, document: SourceDocument, path: Path, { unreadablePaths, reportIn }: ExpandContext): JsonObject {
  const { with: _given, ...fields } = own;
  unreadablePaths.push(path);
  reportIn(document, {
    ...errorFinding('missing-key', [...path, 'with'], '`with` needs `template` beside it', 'Write template: NAME.'),
    part: 'key',
  });
  return Object.assign(nullProtoObject(), fields);
}

/**
 * Decides whether a field of a document takes only text: there, a variable gives text even if its value is a number. An argument of type
 * `entries` follows the rules of the entries of a playlist; any other takes only text if its parameter is a `string`.
 */
function documentFieldTakesOnlyText(
  path: Path,
  content: JsonObject,
  { takesOnlyText: fieldTakesOnlyText, templates, sections }: ExpandContext,
): boolean {
  const [section, key, field, name, ...rest] = path;
  if (field !== 'with') return fieldTakesOnlyText(path);
  const template = templates.get(String(valueAt(content, [section ?? '', key ?? '', 'template'])));
  const type = template?.params.get(String(name))?.type;
  return type === 'entries' ? fieldTakesOnlyText([...entriesPath(sections), ...rest]) : type === 'string';
}

function entriesPath(sections: ExpandContext['sections']): Path {
  const section = sections.find(({ entriesField }) => entriesField !== undefined);
  return [section?.key ?? '', '*', section?.entriesField ?? ''];
}

/** Reports templates and entry lists that nothing uses. */
function reportUnused({ templates, usedTemplates, entryLists, listExpander, reportIn }: ExpandContext): void {
  for (const { name, document } of templates.values()) {
    if (usedTemplates.has(name)) continue;
    const finding = warningFinding(
      'unused-template',
      ['templates', name],
      `nothing uses the template \`${name}\``,
      'Remove it, or use it.',
    );
    reportIn(document, { ...finding, part: 'key' });
  }
  for (const [name, { document }] of entryLists) {
    if (listExpander.isIncluded(name)) continue;
    const finding = warningFinding(
      'unused-entry-list',
      ['entry_lists', name],
      `no list includes the entry list \`${name}\``,
      'Remove it, or include it.',
    );
    reportIn(document, { ...finding, part: 'key' });
  }
}
