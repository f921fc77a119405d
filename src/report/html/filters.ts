/** The filters of the HTML report: a form that is hidden until the script shows it, and the script. Without it all items are shown. */
import { PLAYBACKS } from '../../core/model/change.ts';
import { html } from '../escape.ts';
import type { Facets, View } from '../view/model.ts';

/** A filter with its options; an option value is a fixed word or a number, never text from the data. */
interface Choice {
  readonly name: 'action' | 'effect' | 'playback' | 'blocked' | 'kind';
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly text: string; readonly count: number }[];
}

/** The filters of one page. */
export interface Filters {
  /** Returns the attributes of an item that stands for a number of changes; empty if the page has no filters. */
  readonly attributesOf: (facets: Facets | undefined, size: number) => string;
  /** Renders the form, whose IDs begin with `id`; empty if the page has no filters. */
  readonly form: (id: string) => readonly string[];
}

/** Builds the filters of a page; none if it has fewer than two changes. */
export function filtersOf({ sections }: View): Filters {
  const changeItems = sections.flatMap(({ items }) =>
    items.flatMap(({ facets, members }) => (facets ? [{ facets, size: members?.length ?? 1 }] : [])),
  );
  const facetsOfItems = changeItems.map(({ facets }) => facets);
  if (changeItems.length < 2) return { attributesOf: () => '', form: () => [] };
  const kinds = [...new Set(facetsOfItems.map(({ kind }) => kind))].sort();
  const numbers = new Map(kinds.map((kind, index) => [kind, index]));
  const valuesOf = ({ action, effect, playback, blocked, kind }: Facets) =>
    ({ action, effect, playback, blocked: blocked ? 'yes' : 'no', kind: `${numbers.get(kind) ?? ''}` }) as const;
  const counts = countValues(changeItems.map(({ facets, size }) => ({ values: valuesOf(facets), size })));
  const choice = (name: Choice['name'], label: string, options: readonly (readonly [value: string, text: string])[]): Choice => ({
    name,
    label,
    options: options.flatMap(([value, text]) => {
      const count = counts.get(`${name} ${value}`) ?? 0;
      return count > 0 ? [{ value, text, count }] : [];
    }),
  });
  const choices = [
    choice('effect', 'Protection', [
      ['weakens', 'weakens'],
      ['strengthens', 'strengthens'],
      ['neutral', 'neutral'],
    ]),
    choice(
      'playback',
      'Playback',
      PLAYBACKS.map((playback) => [playback, playback] as const),
    ),
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
    attributesOf: (facets, size) =>
      facets
        ? Object.entries({ ...valuesOf(facets), ...(size > 1 ? { size } : {}) })
            .map(([name, value]) => ` data-${name}="${value}"`)
            .join('')
        : '',
    form: (id) =>
      formLines(
        choices.filter(({ options }) => options.length > 1),
        id,
      ),
  };
}

function countValues(
  items: readonly { readonly values: { readonly [name: string]: string }; readonly size: number }[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { values, size } of items) {
    for (const [name, value] of Object.entries(values)) {
      const key = `${name} ${value}`;
      counts.set(key, (counts.get(key) ?? 0) + size);
    }
  }
  return counts;
}

function formLines(choices: readonly Choice[], id: string): readonly string[] {
  return [
    '<form class="filters" role="search" aria-label="Search and filter" autocomplete="off" hidden>',
    `<div><label for="${id}-0">Search</label><input type="search" name="text" id="${id}-0" spellcheck="false" placeholder="name, address, field, value"></div>`,
    ...foldedChoices(
      choices.map((choice, index) => selectLine(choice, `${id}-${index + 1}`)),
      `${id}-${choices.length + 1}`,
    ),
    '<output></output>',
    '</form>',
  ];
}

/** Renders the choices of a form, and the button that shows them on a narrow screen, where the script hides them at first. */
export function foldedChoices(choices: readonly string[], id: string): readonly string[] {
  return [
    ...(choices.length === 0 ? [] : [`<button type="button" class="more" aria-expanded="false" aria-controls="${id}">Filters</button>`]),
    `<div class="choices" id="${id}">`,
    ...choices,
    '<button type="reset">Clear</button>',
    '</div>',
  ];
}

function selectLine({ name, label, options }: Choice, id: string): string {
  const optionElements = options.map(({ value, text, count }) => `<option value="${value}">${html(text)} (${count})</option>`);
  return `<div><label for="${id}">${label}</label><select name="${name}" id="${id}"><option value="">all</option>${optionElements.join('')}</select></div>`;
}

/** The part of the scripts that shows and hides the choices of the forms on a narrow screen, and opens what a link leads to and what is printed. */
export const COMMON_SCRIPT = `
for (const button of document.querySelectorAll('button.more')) {
  button.addEventListener('click', () => {
    button.setAttribute('aria-expanded', button.getAttribute('aria-expanded') === 'true' ? 'false' : 'true');
  });
}
addEventListener('beforeprint', () => {
  for (const element of document.querySelectorAll('details')) element.open = true;
});
const openTarget = () => {
  const target = document.getElementById(location.hash.slice(1));
  for (let element = target; element; element = element.parentElement) if (element.localName === 'details') element.open = true;
  if (target) target.scrollIntoView();
};
addEventListener('hashchange', openTarget);
openTarget();
`;

/**
 * The content of the `script` element: the same for every report, so that it contains no data. It reads texts of the page, sets `hidden`,
 * writes nothing but numbers, copies addresses and IDs in place of names, opens what a link leads to and what is printed, and marks what
 * can be scrolled.
 */
export const SCRIPT = `
'use strict';
${COMMON_SCRIPT.trim()}
const countOf = (items) => items.reduce((sum, item) => sum + Number(item.dataset.size || 1), 0);
for (const form of document.querySelectorAll('form.filters')) {
  const article = form.closest('article');
  const items = Array.from(article.querySelectorAll('.item'));
  const sections = Array.from(article.querySelectorAll('section.part'), (section) => ({
    section,
    lists: Array.from(section.querySelectorAll('ul.items'), (list) => ({ list, listItems: Array.from(list.querySelectorAll('.item')) })),
    count: section.querySelector('h2 .count'),
    links: Array.from(article.querySelectorAll('nav a[href="#' + section.getAttribute('aria-labelledby') + '"]'), (link) => link.parentElement),
  }));
  const texts = new Map();
  const textOf = (item) => {
    if (!texts.has(item)) {
      const titles = Array.from(item.querySelectorAll('[title]'), (element) => element.title);
      texts.set(item, [item.textContent, ...titles].join(' ').toLowerCase());
    }
    return texts.get(item);
  };
  const applyFilters = () => {
    const data = new FormData(form);
    const words = data.get('text').toLowerCase().split(/\\s+/).filter((word) => word !== '');
    const choices = Array.from(data).filter(([name, value]) => name !== 'text' && value !== '');
    const matches = (item) => choices.every(([name, value]) => item.dataset[name] === value) && words.every((word) => textOf(item).includes(word));
    const isAll = words.length === 0 && choices.length === 0;
    let shown = 0;
    for (const { section, lists, count, links } of sections) {
      let number = 0;
      for (const { list, listItems } of lists) {
        for (const item of listItems) item.hidden = !matches(item);
        const visible = listItems.filter((item) => !item.hidden);
        list.hidden = visible.length === 0;
        list.style.containIntrinsicSize = isAll ? '' : visible.length * 5.7 + 'rem';
        number += countOf(visible);
      }
      shown += number;
      for (const element of [section, ...links]) element.hidden = number === 0;
      const all = lists.reduce((sum, { listItems }) => sum + countOf(listItems), 0);
      count.textContent = number === all ? all : number + ' of ' + all;
    }
    form.querySelector('output').textContent = isAll ? '' : shown === 0 ? 'No matches.' : 'Shown: ' + shown + ' of ' + countOf(items) + '.';
  };
  let timer;
  const applyLater = () => {
    clearTimeout(timer);
    timer = setTimeout(applyFilters, 150);
  };
  form.addEventListener('input', applyLater);
  form.addEventListener('reset', applyLater);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.hidden = false;
}
document.addEventListener('copy', (event) => {
  const selection = getSelection();
  if (selection.rangeCount === 0 || /^(?:input|textarea)$/.test(document.activeElement.localName)) return;
  const range = selection.getRangeAt(0);
  const node = range.commonAncestorContainer;
  const inside = (node.nodeType === 1 ? node : node.parentElement).closest('[title]');
  if (inside) event.clipboardData.setData('text/plain', inside.title);
  else {
    const named = Array.from(document.querySelectorAll('[title]')).filter((element) => selection.containsNode(element, true) && element.getClientRects().length > 0);
    if (named.length === 0) return;
    let text = selection.toString();
    let from = 0;
    for (const element of named) {
      const at = text.indexOf(element.innerText, from);
      if (at === -1) continue;
      text = text.slice(0, at) + element.title + text.slice(at + element.innerText.length);
      from = at + element.title.length;
    }
    event.clipboardData.setData('text/plain', text);
  }
  event.preventDefault();
});
const markScrolling = () => {
  for (const element of document.querySelectorAll('.scroll')) element.dataset.scrolls = element.scrollWidth > element.clientWidth + 1 ? 'yes' : 'no';
};
addEventListener('resize', markScrolling);
markScrolling();
`;
