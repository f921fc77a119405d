/** Renders explanations: of a field from the schemas, of a resource from its plan. */
import type { AddressExplanation, FieldExplanation, MatchedBy, ValuePlace } from '../../core/model/explanation.ts';
import type { Options } from '../document.ts';
import { visibleJson } from '../escape.ts';
import { changeItem, plainContext } from './change.ts';
import { ignoredText } from './labels.ts';
import { type Line, noDetail, type View, type ViewItem, type ViewSection } from './model.ts';
import { runOfShowSection } from './run-of-show.ts';

/** Builds the view of a field: its meaning, its allowed values, then its members. */
export function fieldView(explained: FieldExplanation): View {
  const { field, description, members } = explained;
  const file = explained.file === 'source file' ? 'a source file' : explained.file;
  const memberItems = members.map(({ key, description: text }) => plainItem(key, [], text));
  const isRoot = field === '';
  return {
    title: isRoot ? `Keys of ${file}` : `Field ${field}, in ${file}`,
    opening: description === '' ? [] : [{ style: 'plain', text: description }],
    sections: [
      { title: 'What it may be', columns: ['', 'About', 'Value'], items: isRoot ? [] : fieldProperties(explained) },
      { title: isRoot ? 'Keys' : 'Below it', columns: ['', 'Key', 'Meaning'], items: memberItems },
    ],
    closing: memberItems.length === 0 ? [] : [{ style: 'quiet', text: `Go on with: upkeep explain ${isRoot ? '' : `${field}.`}KEY` }],
  };
}

function fieldProperties({ type, unit, default: defaultValue, values, examples, rules, section }: FieldExplanation): readonly ViewItem[] {
  const formatList = (items: readonly unknown[]) => items.map((item) => JSON.stringify(item)).join(', ');
  const rows: readonly (readonly [name: string, value: string])[] = [
    ['type', type],
    ['unit', unit ?? ''],
    ['default', defaultValue === undefined ? '' : visibleJson(defaultValue)],
    ['values', formatList(values)],
    ['examples', formatList(examples)],
    ['rules', rules.join('; ')],
    ['specification', section ?? ''],
  ];
  return rows.filter(([, value]) => value !== '').map(([name, value]) => plainItem(name, [value]));
}

function plainItem(subject: string, remarks: readonly string[], ...texts: readonly string[]): ViewItem {
  const notes: readonly Line[] = texts.filter((text) => text !== '').map((text) => ({ style: 'plain', text }));
  return { style: 'plain', sign: '*', word: 'about', subject, remarks, notes, detail: noDetail };
}

/** Builds the view of a resource: its live object and why, its planned change and what blocks it, and the source of its values. */
export function addressView(explanation: AddressExplanation, { diagramOf }: Options): View {
  const { target, address, identity, change, ignored = [], values, runOfShow } = explanation;
  return {
    title: `Resource ${address} in ${target}`,
    opening: [
      { style: 'plain', text: identity.because },
      ...(change === null ? [noChangeLine(identity.rule)] : []),
      ...ignored.map((field): Line => ({ style: 'quiet', text: ignoredText(field) })),
    ],
    sections: [
      {
        title: 'Planned',
        columns: ['', 'Address', 'Remarks'],
        items: change === null ? [] : [changeItem(change, plainContext(target, diagramOf))],
      },
      ...(runOfShow ? [runOfShowSection(runOfShow)] : []),
      valueSection(values),
    ],
    closing: values.length === 0 ? [] : [{ style: 'quiet', text: 'Fields that are not listed have their defaults.' }],
  };
}

function noChangeLine(rule: MatchedBy): Line {
  if (rule === 'not-read') return { style: 'warning', text: 'Nothing is planned for what was not read.' };
  if (rule === 'undeclared') return { style: 'plain', text: 'Nothing is planned: a resource that is not declared stays as it is.' };
  return { style: 'good', text: 'Nothing is planned: it is as the repository says.' };
}

function valueSection(values: AddressExplanation['values']): ViewSection {
  const items = values.map(({ path, value, vars, overrides, ...place }): ViewItem => {
    const variables = vars.map((name) => `\${${name}}`).join(', ');
    const lines = [
      `${placeOf(place)}${variables === '' ? '' : `, with ${variables} from vars in upkeep.yaml`}`,
      ...overrides.map((each) => `instead of ${visibleJson(each.value)}: ${placeOf(each)}`),
    ];
    return plainItem(path, [visibleJson(value)], ...lines);
  });
  return { title: 'Where its values come from', columns: ['', 'Field', 'Value and place'], items };
}

/** Describes a place: where it is, and what it is unless it is a field of the resource itself. */
function placeOf({ file, line, column, layer, template }: ValuePlace): string {
  const at = `${file}:${line}:${column}`;
  if (layer === 'document') return at;
  return `${at}, ${layer === 'template' ? `template ${template ?? ''}` : `defaults of the ${layer === 'file-defaults' ? 'file' : 'folder'}`}`;
}
