/** The script of the HTML report, which only filters items. Without it all items are shown. */
import { createHash } from 'node:crypto';

/**
 * The script, as it stands between the tags: the same for every report, so no data is in it. It reads texts of the page and sets `hidden`;
 * it writes numbers only, as text.
 */
export const SCRIPT = `
'use strict';
for (const form of document.querySelectorAll('form.filters')) {
  const article = form.closest('article');
  const items = Array.from(article.querySelectorAll('.item'));
  const sections = Array.from(article.querySelectorAll('section.part'), (section) => ({
    section,
    lists: Array.from(section.querySelectorAll('ul.items'), (list) => ({ list, own: Array.from(list.querySelectorAll('.item')) })),
    count: section.querySelector('h2 .count'),
    links: Array.from(article.querySelectorAll('nav a[href="#' + section.getAttribute('aria-labelledby') + '"]'), (link) => link.parentElement),
  }));
  const texts = new Map();
  const textOf = (item) => {
    if (!texts.has(item)) texts.set(item, item.textContent.toLowerCase());
    return texts.get(item);
  };
  const show = () => {
    const data = new FormData(form);
    const words = data.get('text').toLowerCase().split(/\\s+/).filter((word) => word !== '');
    const choices = Array.from(data).filter(([name, value]) => name !== 'text' && value !== '');
    const fits = (item) => choices.every(([name, value]) => item.dataset[name] === value) && words.every((word) => textOf(item).includes(word));
    const isAll = words.length === 0 && choices.length === 0;
    let shown = 0;
    for (const { section, lists, count, links } of sections) {
      let number = 0;
      for (const { list, own } of lists) {
        for (const item of own) item.hidden = !fits(item);
        const left = own.filter((item) => !item.hidden).length;
        list.hidden = left === 0;
        list.style.containIntrinsicSize = isAll ? '' : left * 5.7 + 'rem';
        number += left;
      }
      shown += number;
      for (const element of [section, ...links]) element.hidden = number === 0;
      const all = lists.reduce((sum, { own }) => sum + own.length, 0);
      count.textContent = number === all ? all : number + ' of ' + all;
    }
    form.querySelector('output').textContent = isAll ? '' : shown === 0 ? 'Nothing fits.' : 'Shown: ' + shown + ' of ' + items.length + '.';
  };
  let waiting;
  const later = () => {
    clearTimeout(waiting);
    waiting = setTimeout(show, 150);
  };
  form.addEventListener('input', later);
  form.addEventListener('reset', later);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.hidden = false;
}
`;

/** The script as a source of a content security policy: this text and no other. */
export const SCRIPT_SOURCE = `sha256-${createHash('sha256').update(SCRIPT).digest('base64')}`;
