/** Builds the layers of defaults: of the folders that `sources` names, and of files (design section 3, precedence). */
import { isJsonObject, type Json, type MemberPart, nullProtoObject, type Path, pointer } from '../../model/json.ts';
import type { MergedDocuments } from '../overlay.ts';
import type { ValueLayer } from '../source-map.ts';
import { expandVariables } from '../variables.ts';
import { entriesIn, tooManyEntries } from './budget.ts';
import type { ExpandContext, SplitDocument } from './context.ts';
import { type Definition, locateExpanded } from './definition.ts';
import type { Place } from './entry-lists.ts';
import type { TemplatedSection } from './expansion-schema.ts';
import { expandEntries } from './instances.ts';

/** A resource that no earlier source declares. */
export interface FirstDeclaration {
  readonly section: TemplatedSection;
  readonly key: string;
  readonly file: string;
}

/** Returns the resources that this source declares first, and updates the set of those that are declared. */
export function firstDeclarations(
  merged: MergedDocuments,
  templated: ValueLayer,
  declared: Set<string>,
  sections: readonly TemplatedSection[],
): readonly FirstDeclaration[] {
  return sections.flatMap((section) => {
    const members = [merged.value[section.key], templated.value[section.key]].filter(isJsonObject).flatMap((each) => Object.entries(each));
    return [...new Map(members)].flatMap(([key, value]): readonly FirstDeclaration[] => {
      const name = pointer([section.key, key]);
      const definition = merged.byPointer.get(name) ?? templated.byPointer.get(name) ?? merged.byPointer.get(pointer([section.key]));
      if (value === null) declared.delete(name);
      if (!isJsonObject(value) || declared.has(name) || definition === undefined) return [];
      declared.add(name);
      return [{ section, key, file: definition.declaredIn ?? definition.file }];
    });
  });
}

/** Builds a layer that gives every resource its defaults. Reports where that makes too many entries. */
export function defaultsLayer(
  resources: readonly FirstDeclaration[],
  defaultsOf: (resource: FirstDeclaration) => Definition | undefined,
  { budget, report }: Pick<ExpandContext, 'budget' | 'report'>,
): ValueLayer {
  const value: { [section: string]: { [key: string]: Json } } = Object.create(null);
  const byPointer = new Map<string, Definition>();
  const entries = new Map<Definition, number>();
  for (const resource of resources) {
    const definition = defaultsOf(resource);
    if (definition === undefined) continue;
    const added = entries.get(definition) ?? entriesIn(definition.value);
    entries.set(definition, added);
    if (!budget.addEntries(added)) {
      report(definition.locate([], 'key'), tooManyEntries([]));
      break;
    }
    const { key: section } = resource.section;
    const members = value[section] ?? nullProtoObject();
    members[resource.key] = definition.value;
    value[section] = members;
    byPointer.set(pointer([section, resource.key]), definition);
  }
  return { value, byPointer };
}

/** Returns the defaults of one entry of `sources`, by section. */
export function sourceDefaults(index: number, context: ExpandContext): ReadonlyMap<string, Definition> {
  const { target, projectDocument, sections } = context;
  const defaults = target.sources[index]?.defaults ?? {};
  return new Map(
    sections.flatMap((section): readonly (readonly [string, Definition])[] => {
      const written = defaults[section.key];
      if (written === undefined) return [];
      const path = ['targets', target.name, 'sources', index, 'defaults', section.key];
      return [
        [section.key, { layerType: 'folder-defaults', ...readDefaults(written, section, { document: projectDocument, path }, context) }],
      ];
    }),
  );
}

/** Returns the defaults of files, by section. A second `defaults` of a file is reported by `readFileDefaults`. */
export function fileDefaults(
  documents: readonly SplitDocument[],
  context: ExpandContext,
): ReadonlyMap<string, ReadonlyMap<string, Definition>> {
  const byFile = new Map<string, Map<string, Definition>>();
  for (const { document, expansion } of documents) {
    const { defaults } = expansion;
    if (!isJsonObject(defaults)) continue;
    const bySection = byFile.get(document.file) ?? new Map<string, Definition>();
    byFile.set(document.file, bySection);
    for (const section of context.sections) {
      const written = defaults[section.key];
      if (written === undefined) continue;
      const path = ['defaults', section.key];
      if (bySection.has(section.key)) {
        context.reportIn(document, {
          code: 'duplicate-key',
          path,
          summary: `\`defaults\` of ${section.key} is written twice in this file`,
          hint: 'Keep one of them.',
          otherPlace: bySection.get(section.key)?.locate([], 'key'),
        });
        continue;
      }
      bySection.set(section.key, { layerType: 'file-defaults', ...readDefaults(written, section, { document, path }, context) });
    }
  }
  return byFile;
}

/** Expands defaults that are written at a place. Reports variables without a value. */
function readDefaults(written: Json, section: TemplatedSection, place: Place, context: ExpandContext): Omit<Definition, 'layerType'> {
  const { vars, takesOnlyText, budget, listExpander, reportIn } = context;
  const { document, path } = place;
  const { value: replaced, findings } = expandVariables(written, vars, {
    takesOnlyText: (at) => takesOnlyText([section.key, '*', ...at]),
    budget,
  });
  for (const finding of findings) reportIn(document, { ...finding, path: [...path, ...finding.path] });
  const value = expandEntries(replaced, section, place, context);
  const locate = (rest: Path, part: MemberPart) => locateExpanded({ place, value }, rest, part, listExpander);
  return { file: document.file, isInOneFile: false, depth: 2, value, locate };
}
