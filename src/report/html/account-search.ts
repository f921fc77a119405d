/** The search of the account at a glance: a form that is hidden until the script shows it, and the script. Without it all is shown. */
import { html } from '../escape.ts';
import { COMMON_SCRIPT, foldedChoices } from './filters.ts';

/** A choice between fixed values; an option's value is a fixed word, never text from the data. */
export interface SearchChoice {
  /** `data-<name>` of an item holds its value. */
  readonly name: 'air' | 'drm' | 'look';
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly text: string; readonly count: number }[];
}

/** Renders the form, whose IDs begin with `id`. A choice with fewer than two values in use is left out. */
export function searchForm(choices: readonly SearchChoice[], id: string): readonly string[] {
  const useful = choices
    .map((choice) => ({ ...choice, options: choice.options.filter(({ count }) => count > 0) }))
    .filter(({ options }) => options.length > 1);
  return [
    '<form class="filters" role="search" aria-label="Search playlists" autocomplete="off" hidden>',
    `<div><label for="${id}-0">Search</label><input type="search" name="text" id="${id}-0" spellcheck="false" placeholder="name, ID, asset"></div>`,
    ...foldedChoices(
      useful.map(({ name, label, options }, index) => {
        const lines = options.map(({ value, text, count }) => `<option value="${value}">${html(text)} (${count})</option>`);
        return `<div><label for="${id}-${index + 1}">${label}</label><select name="${name}" id="${id}-${index + 1}"><option value="">all</option>${lines.join('')}</select></div>`;
      }),
      `${id}-${useful.length + 1}`,
    ),
    '<output></output>',
    '</form>',
  ];
}

/** The content of the `script` element, without data. It reads texts of the page, sets `hidden`, and writes nothing but numbers. */
export const SEARCH_SCRIPT = `
'use strict';
${COMMON_SCRIPT.trim()}
for (const form of document.querySelectorAll('form.filters')) {
  const lists = Array.from(form.closest('section').querySelectorAll('ul.playlists'), (list) => ({ list, items: Array.from(list.children) }));
  const fold = form.closest('section').querySelector('details:has(> .playlists)');
  const all = lists.reduce((sum, { items }) => sum + items.length, 0);
  const texts = new Map();
  const textOf = (item) => {
    if (!texts.has(item)) texts.set(item, item.textContent.toLowerCase());
    return texts.get(item);
  };
  const search = () => {
    const data = new FormData(form);
    const words = data.get('text').toLowerCase().split(/\\s+/).filter((word) => word !== '');
    const choices = Array.from(data).filter(([name, value]) => name !== 'text' && value !== '');
    const matches = (item) => choices.every(([name, value]) => item.dataset[name] === value) && words.every((word) => textOf(item).includes(word));
    let shown = 0;
    for (const { list, items } of lists) {
      let number = 0;
      for (const item of items) {
        item.hidden = !matches(item);
        if (!item.hidden) number += 1;
      }
      list.hidden = number === 0;
      shown += number;
    }
    const isAll = words.length === 0 && choices.length === 0;
    if (!isAll && fold) fold.open = true;
    form.querySelector('output').textContent = isAll ? '' : shown === 0 ? 'No matches.' : 'Shown: ' + shown + ' of ' + all + '.';
  };
  let timer;
  const searchLater = () => {
    clearTimeout(timer);
    timer = setTimeout(search, 150);
  };
  form.addEventListener('input', searchLater);
  form.addEventListener('reset', searchLater);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.hidden = false;
}
`;
