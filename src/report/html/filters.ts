/** The filter controls of the HTML report, hidden until the script shows them. */
import { html } from '../escape.ts';
import type { Facets, View } from '../view/model.ts';

/** A filter with its options; an option value is a fixed word or a number, never text from the data. */
interface Choice {
  readonly name: 'action' | 'effect' | 'blocked' | 'kind';
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly text: string; readonly count: number }[];
}

/** The filters of one page: the attributes of its items, and the form. */
export interface Filters {
  /** Attributes of an item; empty where there is nothing to filter. */
  readonly marks: (facets: Facets | undefined) => string;
  /** The form; no lines where there is nothing to filter. */
  readonly form: (label: string) => readonly string[];
}

/** Builds the filters of a page; none if it has fewer than two changes. */
export function filtersOf({ sections }: View): Filters {
  const all = sections.flatMap(({ items }) => items.flatMap(({ facets }) => facets ?? []));
  if (all.length < 2) return { marks: () => '', form: () => [] };
  const kinds = [...new Set(all.map(({ kind }) => kind))].sort();
  const numbers = new Map(kinds.map((kind, index) => [kind, index]));
  const values = ({ action, effect, blocked, kind }: Facets) =>
    ({ action, effect, blocked: blocked ? 'yes' : 'no', kind: `${numbers.get(kind) ?? ''}` }) as const;
  const counts = countsOf(all.map(values));
  const choice = (name: Choice['name'], label: string, options: readonly (readonly [value: string, text: string])[]): Choice => ({
    name,
    label,
    options: options.flatMap(([value, text]) => {
      const count = counts.get(`${name} ${value}`) ?? 0;
      return count > 0 ? [{ value, text, count }] : [];
    }),
  });
  const choices = [
    choice('effect', 'Effect', [
      ['loosens', 'loosens'],
      ['tightens', 'tightens'],
      ['neutral', 'neutral'],
    ]),
    choice(
      'action',
      'Action',
      ['create', 'update', 'delete', 'adopt', 'move', 'forget'].map((action) => [action, action] as const),
    ),
    choice('blocked', 'Blocked', [
      ['yes', 'blocked'],
      ['no', 'not blocked'],
    ]),
    choice(
      'kind',
      'Kind',
      kinds.map((kind, index) => [`${index}`, kind] as const),
    ),
  ];
  return {
    marks: (facets) =>
      facets
        ? Object.entries(values(facets))
            .map(([name, value]) => ` data-${name}="${value}"`)
            .join('')
        : '',
    form: (label) =>
      formLines(
        choices.filter(({ options }) => options.length > 1),
        label,
      ),
  };
}

function countsOf(values: readonly { readonly [name: string]: string }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [name, value] of values.flatMap((each) => Object.entries(each))) {
    const key = `${name} ${value}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function formLines(choices: readonly Choice[], label: string): readonly string[] {
  return [
    '<form class="filters" role="search" aria-label="Search and filter" autocomplete="off" hidden>',
    `<div><label for="${label}-0">Search</label><input type="search" name="text" id="${label}-0" spellcheck="false" placeholder="address, field, value"></div>`,
    ...choices.map((choice, index) => selectLine(choice, `${label}-${index + 1}`)),
    '<button type="reset">Clear</button>',
    '<output></output>',
    '</form>',
  ];
}

function selectLine({ name, label, options }: Choice, id: string): string {
  const shown = options.map(({ value, text, count }) => `<option value="${value}">${html(text)} (${count})</option>`);
  return `<div><label for="${id}">${label}</label><select name="${name}" id="${id}"><option value="">all</option>${shown.join('')}</select></div>`;
}
