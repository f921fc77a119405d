/** Recognizes lists that say themselves that they are not whole: no API document promises pages, and none is followed. */
import { asInteger } from '../model/json-readers.ts';
import { memberOf } from './api-version.ts';

/**
 * Returns why a list is not whole, or contradicts itself; undefined where nothing says so. `body` is the parsed response, `link` its `Link`
 * headers.
 */
export function whyIncomplete(body: unknown, link: string | undefined): string | undefined {
  const next = memberOf(body, 'next');
  // An empty text names no page.
  if (typeof next === 'string' && next !== '') return 'its `next` names another page';
  if (memberOf(body, 'has_more') === true) return 'its `has_more` is true';
  const pages = asInteger(memberOf(body, 'pages'));
  if (pages !== undefined && pages > 1) return `it is one of ${pages} pages`;
  if (hasNextLink(link ?? '')) return 'its `Link` header names another page';
  const total = memberOf(body, 'total_items');
  return isCount(total) ? undefined : `its \`total_items\` is ${String(total)}`;
}

/** Decides whether a `Link` header (RFC 8288) has a relation `next`, alone or among others. */
function hasNextLink(link: string): boolean {
  const relations = [...link.matchAll(/;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/gi)].map(([, quoted, token]) => quoted ?? token ?? '');
  return relations.some((names) => names.toLowerCase().split(/\s+/).includes('next'));
}

/** Decides whether a value can be a number of items. One that is no number at all is for the reader of the list. */
function isCount(value: unknown): boolean {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number !== 'number' || Number.isNaN(number) || (Number.isInteger(number) && number >= 0);
}
