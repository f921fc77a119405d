/** Renders explanations: of a field from the schemas, of a resource from its plan. */
import type { AddressExplanation, FieldExplanation, IdentityRule } from '../../model/explanation.ts';
import type { Options } from '../document.ts';
import { visibleJson } from '../escape.ts';
import { changeItem } from './change.ts';
import { type Line, noDetail, type View, type ViewItem, type ViewSection } from './model.ts';

/** Builds the view of a field: its meaning, its allowed values, then its members. */
export function fieldView(explained: FieldExplanation): View {
  const { field, description, members } = explained;
  const file = explained.file === 'source file' ? 'a source file' : explained.file;
  const below = members.map(({ key, description: text }) => plainItem(key, [], text));
  const isTop = field === '';
  return {
    title: isTop ? `Keys of ${file}` : `Field ${field}, in ${file}`,
    opening: description === '' ? [] : [{ style: 'plain', text: description }],
    sections: [
      { title: 'What it may be', columns: ['', 'About', 'Value'], items: isTop ? [] : facts(explained) },
      { title: isTop ? 'Keys' : 'Below it', columns: ['', 'Key', 'Meaning'], items: below },
    ],
    closing: below.length === 0 ? [] : [{ style: 'quiet', text: `Go on with: upkeep explain ${isTop ? '' : `${field}.`}KEY` }],
  };
}

function facts({ type, unit, default: initial, values, examples, rules, section }: FieldExplanation): readonly ViewItem[] {
  const listed = (items: readonly unknown[]) => items.map((item) => JSON.stringify(item)).join(', ');
  const rows: readonly (readonly [name: string, value: string])[] = [
    ['type', type],
    ['unit', unit ?? ''],
    ['default', initial === undefined ? '' : visibleJson(initial)],
    ['values', listed(values)],
    ['examples', listed(examples)],
    ['rules', rules.join('; ')],
    ['specification', section ?? ''],
  ];
  return rows.filter(([, value]) => value !== '').map(([name, value]) => plainItem(name, [value]));
}

function plainItem(subject: string, remarks: readonly string[], note = ''): ViewItem {
  const notes: readonly Line[] = note === '' ? [] : [{ style: 'plain', text: note }];
  return { style: 'plain', sign: '*', word: 'about', subject, remarks, notes, detail: noDetail };
}

/** Builds the view of a resource: its live object and why, its planned change and what blocks it, and the source of its values. */
export function addressView({ target, address, identity, change, values }: AddressExplanation, { diagramOf }: Options): View {
  return {
    title: `Resource ${address} in ${target}`,
    opening: [{ style: 'plain', text: identity.because }, ...(change === null ? [unplanned(identity.rule)] : [])],
    sections: [
      { title: 'Planned', columns: ['', 'Address', 'Remarks'], items: change === null ? [] : [changeItem(change, new Set(), diagramOf)] },
      valueSection(values),
    ],
    closing: values.length === 0 ? [] : [{ style: 'quiet', text: 'What is not listed stands at its default.' }],
  };
}

function unplanned(rule: IdentityRule): Line {
  if (rule === 'unread') return { style: 'warning', text: 'Nothing is planned for what was not read.' };
  if (rule === 'undeclared') return { style: 'plain', text: 'Nothing is planned: what nobody declares stays as it is.' };
  return { style: 'good', text: 'Nothing is planned: it is as the repository says.' };
}

function valueSection(values: AddressExplanation['values']): ViewSection {
  const items = values.map(({ path, value, file, line, column, vars }): ViewItem => {
    const named = vars.map((name) => `\${${name}}`).join(', ');
    return plainItem(
      path,
      [visibleJson(value)],
      `${file}:${line}:${column}${named === '' ? '' : `, with ${named} from vars in upkeep.yaml`}`,
    );
  });
  return { title: 'Where its values come from', columns: ['', 'Field', 'Value and place'], items };
}
