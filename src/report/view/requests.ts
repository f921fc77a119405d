/** The requests of a plan, in the order in which they would be sent. */
import type { PlannedRequest } from '../../model/plan.ts';
import type { Options } from '../document.ts';
import { visibleJson } from '../escape.ts';
import { chunks, cut } from '../text/layout.ts';
import { noDetail, type ViewItem, type ViewSection } from './model.ts';

/** Characters of a request's body that are shown. */
const LONGEST_BODY = 4_000;
/** Addresses named under one request. */
const MOST_COVERED = 10;
/** Requests that are listed where nobody asked for them. */
const MOST_UNASKED = 200;

/** Builds the section of requests: all with `--requests`, else the first ones, for formats with diagrams only. */
export function requestSection(requests: readonly PlannedRequest[], options: Options): ViewSection {
  const shown = options.requests ? requests : requests.slice(0, MOST_UNASKED);
  const isCut = shown.length < requests.length;
  return {
    title: 'Requests, in this order',
    ...(isCut ? { description: `The first ${shown.length} of ${requests.length}; --requests lists all.` } : {}),
    columns: ['', 'Request', 'For'],
    items: shown.map(requestItem),
    htmlOnly: !options.requests,
  };
}

function requestItem({ method, path, body, addresses }: PlannedRequest, index: number): ViewItem {
  const named = addresses.slice(0, MOST_COVERED).join(', ');
  const more = addresses.length > MOST_COVERED ? ` and ${addresses.length - MOST_COVERED} more` : '';
  return {
    style: 'plain',
    sign: `${index + 1}.`,
    subject: `${method} ${path}`,
    remarks: [],
    notes: [{ style: 'quiet', text: `for ${named}${more}` }],
    detail: body === null ? noDetail : (_paint, room) => chunks(cut(visibleJson(body), LONGEST_BODY), room),
  };
}
