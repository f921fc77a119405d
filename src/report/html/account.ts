/** Renders the account at a glance as one HTML file that loads nothing else. No text of the data is in a tag, an attribute or an address. */
import type { AccountOverview, AccountPart, KindOverview, OverviewMark } from '../../core/model/account-overview.ts';
import { clockText, isLost } from '../../core/model/run-of-show.ts';
import { type Attention, type PlaylistItem, type PlaylistItems, playlistItems } from '../diagrams/account.ts';
import { type PolicyMatrix, type PolicyRow, policyMatrixOf } from '../diagrams/policy-matrix.ts';
import { foldMiddle, type RunRow, rowsOfOne } from '../diagrams/run-of-show.ts';
import { html } from '../escape.ts';
import { count } from '../view/labels.ts';
import { foldText, lengthText, lostText, offsetText, totalTexts } from '../view/run-of-show.ts';
import { attentionLines } from './account-attention.ts';
import { SEARCH_SCRIPT, type SearchChoice, searchForm } from './account-search.ts';
import { cutSentence, renderSentence, scrollingTable } from './elements.ts';
import { collapsed } from './item.ts';
import { htmlPage } from './page.ts';
import { scaleLine, stripSvg } from './run-of-show.ts';
import { STYLE } from './style.ts';

/** Maximum number of playlists that are drawn; the others are listed without strip and entries. */
const MAX_DRAWN_PLAYLISTS = 2_000;
/** Maximum number of playlists that are listed. */
const MAX_LISTED_PLAYLISTS = 10_000;
/** Maximum number of entries that are listed on the whole page, and of one playlist before its middle is left out. */
const MAX_ENTRIES = 60_000;
const MAX_ENTRIES_OF_ONE = 200;
/** Number of playlists in one list: a browser lays out a long page list by list, as the reader scrolls. */
const LIST_LENGTH = 25;
/** Maximum number of columns of the matrix of policies. */
const MAX_COLUMNS = 40;
/** Maximum number of members of a set, and of those that are not folded. */
const MAX_MEMBERS = 200;
const MAX_OPEN_MEMBERS = 12;
/** Maximum number of rows of the matrix of policies that are not folded. */
const MAX_OPEN_ROWS = 12;

/** Renders an account. */
export function renderAccount(account: AccountOverview): string {
  const listings = account.parts.flatMap(({ overview }) =>
    overview.type === 'playlists' ? [playlistItems(overview.playlists, account)] : [],
  );
  const items = listings.flatMap((listing) => listing.items);
  const anchors = new Map(items.slice(0, MAX_LISTED_PLAYLISTS).map((item, index) => [item, `p${index + 1}`]));
  const lines = [
    '<header>',
    `<h1>Account ${renderSentence(account.target)}</h1>`,
    `<p>${html(cutSentence(account.baseUrl))}, read ${timeText(account.readAt)}</p>`,
    ...warningLines(account),
    '</header>',
    ...attentionLines(account, items, anchors),
    ...navLines(account),
    ...settingLines(account),
    ...account.parts.flatMap((part) => (part.overview.type === 'policies' ? policyLines(part, part.overview, account) : [])),
    ...listings.flatMap((listing) => playlistLines(listing, account, anchors)),
    '<footer><p class="quiet">What the account held when it was read; nothing is compared with the configuration. Lengths of ad breaks are planned ones.</p></footer>',
  ];
  return htmlPage(`Account ${account.target}`, STYLE + ACCOUNT_STYLE, SEARCH_SCRIPT, lines);
}

function timeText(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? 'at an unknown time' : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function dayText(time: number): string {
  return timeText(time).slice(0, 10);
}

/** Says what is missing on the page, before anything else. */
function warningLines({ unread, assetsUnread }: AccountOverview): readonly string[] {
  return [
    ...unread.map(
      ({ kind, reason, hint }) =>
        `<p class="missing"><strong>Not read: ${html(kind)}.</strong> ${renderSentence(reason)}. Nothing of it is shown here, and there may be objects. ${renderSentence(hint)}</p>`,
    ),
    ...assetsUnread.map((text) => `<p class="missing">${renderSentence(text)}</p>`),
  ];
}

function navLines({ parts }: AccountOverview): readonly string[] {
  const order = ['setting', 'policies', 'playlists'];
  const sorted = parts.toSorted((a, b) => order.indexOf(a.overview.type) - order.indexOf(b.overview.type));
  const entries = sorted.map(({ kind, overview }) => {
    const number =
      overview.type === 'playlists' ? overview.playlists.length : overview.type === 'policies' ? overview.policies.length : null;
    return `<li><a href="#${kind}">${html(titleOf(overview))}${number === null ? '' : ` <span class="count">${number}</span>`}</a></li>`;
  });
  return ['<nav aria-label="Parts of the account">', '<ul>', ...entries, '</ul>', '</nav>'];
}

function titleOf(overview: KindOverview): string {
  return overview.type === 'playlists' ? 'Playlists' : overview.type === 'policies' ? 'DRM policies' : overview.title;
}

function markHtml({ style, text }: OverviewMark): string {
  return `<li><span class="mark ${style}">${html(cutSentence(text))}</span></li>`;
}

function settingLines({ parts, remarks }: AccountOverview): readonly string[] {
  const cards = parts.flatMap(({ kind, overview }) => {
    if (overview.type !== 'setting') return [];
    const { title, summary, members } = overview;
    const more = members.length - MAX_MEMBERS;
    const list = [
      ...(members.length === 0 ? [] : [`<ul class="members">${members.slice(0, MAX_MEMBERS).map(markHtml).join('')}</ul>`]),
      ...(more > 0 ? [`<p class="quiet">and ${more} more</p>`] : []),
    ];
    return [
      `<section class="group" aria-labelledby="${kind}"><h2 id="${kind}">${html(title)}</h2>`,
      `<p class="${summary.style}">${renderSentence(summary.text)}</p>`,
      ...(members.length > MAX_OPEN_MEMBERS ? collapsed(`Show all ${members.length}`, list) : list),
      ...remarks.filter((remark) => remark.kind === kind).map(({ text }) => `<p class="warning">${renderSentence(text)}</p>`),
      '</section>',
    ];
  });
  return cards.length === 0 ? [] : ['<div class="groups settings">', ...cards, '</div>'];
}

function policyLines(
  { kind }: AccountPart,
  overview: Extract<KindOverview, { readonly type: 'policies' }>,
  { remarks }: AccountOverview,
): readonly string[] {
  const matrix = policyMatrixOf(overview);
  const own = remarks.filter((remark) => remark.kind === kind);
  const names = new Map(overview.policies.map(({ id, name }) => [id, name]));
  return [
    `<section aria-labelledby="${kind}">`,
    `<h2 id="${kind}">DRM policies <span class="count">${overview.policies.length}</span></h2>`,
    ...(overview.policies.length === 0 ? ['<p class="quiet">The account has no policy of its own.</p>'] : matrixLines(matrix, kind)),
    ...own.map(({ id, text }) => `<p class="warning">${html(cutSentence(names.get(id ?? '') ?? id ?? ''))}: ${renderSentence(text)}</p>`),
    '</section>',
  ];
}

function matrixLines({ columns, groups, atDefault }: PolicyMatrix, id: string): readonly string[] {
  const shown = columns.slice(0, MAX_COLUMNS);
  const rest = columns.length - shown.length;
  const head = shown.map((policies) => {
    const [first] = policies;
    return policies.length > 1 ? `${first?.name ?? ''} and ${policies.length - 1} equal` : first?.name || first?.id || '';
  });
  const rows = groups.flatMap(({ title, rows: own }) => [
    `<tr><th class="system" colspan="${shown.length + 1}" scope="rowgroup">${html(title)}</th></tr>`,
    ...own.map((row) => matrixRow(row, shown.length, head)),
  ]);
  const equal = columns.filter((policies) => policies.length > 1);
  const table = scrollingTable(`${id}-settings`, ['Setting', ...head.map(cutSentence)], rows, 'policies');
  return [
    `<p class="quiet" id="${id}-settings">Marked rows differ between policies; pale values are defaults. ${count(atDefault, 'more setting')} ${atDefault === 1 ? 'is' : 'are'} at the default in every policy.</p>`,
    ...equal.map(
      (policies) =>
        `<details><summary>${policies.length} policies with equal settings</summary><p>${policies.map(({ name }) => html(cutSentence(name))).join(', ')}</p></details>`,
    ),
    ...(groups.length === 0
      ? ['<p>Every setting is at its default in every policy.</p>']
      : rows.length > MAX_OPEN_ROWS
        ? collapsed('Show the settings', table)
        : table),
    ...(rest > 0
      ? [
          `<p class="missing">${count(rest, 'more policy setting')} not shown: the table has the first ${MAX_COLUMNS} different policies.</p>`,
        ]
      : []),
  ];
}

function matrixRow({ name, isDifferent, cells }: PolicyRow, columns: number, head: readonly string[]): string {
  const shown = cells.slice(0, columns).map(({ value, isDefault }, index) => {
    const label = `<span class="column" aria-hidden="true">${html(cutSentence(head[index] ?? ''))}</span>`;
    if (value === null)
      return `<td class="default">${label}<span aria-hidden="true">·</span><span class="visually-hidden">not set</span></td>`;
    return `<td${isDefault ? ' class="default"' : ''}>${label}${html(cutSentence(value))}</td>`;
  });
  return `<tr${isDifferent ? ' class="different"' : ''}><th scope="row">${html(name).replaceAll('.', '.<wbr>')}${isDifferent ? '<span class="visually-hidden"> (differs)</span>' : ''}</th>${shown.join('')}</tr>`;
}

function playlistLines(
  { items, ticks }: PlaylistItems,
  account: AccountOverview,
  anchors: ReadonlyMap<PlaylistItem, string>,
): readonly string[] {
  const listed = items.slice(0, MAX_LISTED_PLAYLISTS);
  const page: PageState = { entries: MAX_ENTRIES, assetHtml: assetRenderer(), anchors };
  const rendered = listed.map((item, index) => itemLines(item, account, index < MAX_DRAWN_PLAYLISTS, page));
  const withoutEntries = rendered.filter(({ hasEntries }) => !hasEntries).length;
  const lists = Array.from({ length: Math.ceil(rendered.length / LIST_LENGTH) }, (_, list) =>
    rendered.slice(list * LIST_LENGTH, (list + 1) * LIST_LENGTH).flatMap(({ lines }) => lines),
  );
  const all = [
    ...(ticks.length > 0 ? [`<div class="axis">${scaleLine(ticks)}</div>`] : []),
    ...lists.flatMap((lines) => ['<ul class="playlists">', ...lines, '</ul>']),
  ];
  const date = account.at === null ? 'when the account was read' : `at ${account.at.text}`;
  return [
    '<section aria-labelledby="playlist">',
    `<h2 id="playlist">Playlists <span class="count">${items.length}</span></h2>`,
    ...totalLines(items),
    `<p class="quiet">Drawn to one scale: assets, and ad breaks between them. Gray is of unknown length, red cannot be played ${html(date)}; a playlist without any known duration is drawn by its number of entries.</p>`,
    ...(items.length > listed.length
      ? [
          `<p class="missing">${count(items.length - listed.length, 'more playlist')} not listed: the page has the first ${MAX_LISTED_PLAYLISTS}.</p>`,
        ]
      : []),
    ...(withoutEntries > 0
      ? [
          `<p class="missing">${count(withoutEntries, 'playlist')} listed without entries, so that the page stays small: the search finds them by name and ID only.</p>`,
        ]
      : []),
    ...(items.length === 0 ? ['<p>The account has no playlist.</p>'] : searchForm(choicesOf(items), 'search')),
    ...(listed.length > LIST_LENGTH ? collapsed(`Show all ${listed.length}`, all) : all),
    '</section>',
  ];
}

function totalLines(items: readonly PlaylistItem[]): readonly string[] {
  if (items.length === 0) return [];
  const numberOf = (matches: (item: PlaylistItem) => boolean) => items.filter(matches).length;
  const seconds = items.reduce((sum, { run }) => sum + run.seconds, 0);
  const unknown = items.some(({ run }) => run.unknown > 0 || run.hasUnknownBreaks);
  const ads = items.reduce((sum, { run }) => sum + run.adSeconds, 0);
  const tiles: readonly (readonly [style: string, number: number | string, label: string])[] = [
    ['good', numberOf(({ playlist }) => playlist.isOnAir), 'on air'],
    ['quiet', numberOf(({ playlist }) => !playlist.isOnAir), 'off air'],
    ['good', numberOf(({ playlist }) => playlist.requiresDrm === true), 'require DRM'],
    ['alarm', numberOf(({ attention }) => attention === 'gone'), 'with an asset that cannot be played'],
    ['warning', numberOf(({ attention }) => attention === 'soon'), 'with an asset that ends within 14 days'],
    ['plain', `${unknown ? '≥ ' : ''}${clockText(seconds)}`, 'in all'],
    ['plain', clockText(ads), 'of it planned ads'],
  ];
  const lines = tiles.map(([style, number, label]) => `<li class="tile ${number === 0 ? 'quiet' : style}"><b>${number}</b> ${label}</li>`);
  return [`<ul class="sums">${lines.join('')}</ul>`];
}

const ATTENTION_TEXTS: { readonly [attention in Attention]: string } = {
  gone: 'an asset cannot be played',
  soon: 'an asset ends within 14 days',
  remark: 'cannot be declared, or not fully known',
  none: 'nothing',
};

function choicesOf(items: readonly PlaylistItem[]): readonly SearchChoice[] {
  const option = (value: string, text: string, matches: (item: PlaylistItem) => boolean) => ({
    value,
    text,
    count: items.filter(matches).length,
  });
  return [
    {
      name: 'air',
      label: 'On air',
      options: [option('yes', 'on air', ({ playlist }) => playlist.isOnAir), option('no', 'off air', ({ playlist }) => !playlist.isOnAir)],
    },
    {
      name: 'drm',
      label: 'DRM',
      options: [
        option('yes', 'required', ({ playlist }) => playlist.requiresDrm === true),
        option('no', 'not required', ({ playlist }) => playlist.requiresDrm === false),
        option('unclear', 'not clear', ({ playlist }) => playlist.requiresDrm === null),
      ],
    },
    {
      name: 'look',
      label: 'To look at',
      options: Object.entries(ATTENTION_TEXTS).map(([value, text]) => option(value, text, ({ attention }) => attention === value)),
    },
  ];
}

interface RenderedItem {
  readonly lines: readonly string[];
  readonly hasEntries: boolean;
}

/** What the playlists of a page share. */
interface PageState {
  /** Number of entries that the page may still list. */
  entries: number;
  readonly assetHtml: ReturnType<typeof assetRenderer>;
  /** The ID of each playlist. */
  readonly anchors: ReadonlyMap<PlaylistItem, string>;
}

function itemLines(item: PlaylistItem, account: AccountOverview, isDrawn: boolean, page: PageState): RenderedItem {
  const { playlist, run, blocks, remarks, attention } = item;
  const rows = isDrawn ? foldMiddle(rowsOfOne(run), MAX_ENTRIES_OF_ONE) : [];
  const hasEntries = isDrawn && rows.length <= page.entries;
  if (hasEntries) page.entries -= rows.length;
  const anchor = page.anchors.get(item);
  const drm = playlist.requiresDrm === null ? 'unclear' : playlist.requiresDrm ? 'yes' : 'no';
  const totals = totalTexts(run).map((text) => `<li>${renderSentence(text)}</li>`);
  const name = playlist.name === '' ? '<span class="quiet">no description</span>' : renderSentence(playlist.name);
  const lines = [
    `<li class="item"${anchor === undefined ? '' : ` id="${anchor}"`} data-air="${playlist.isOnAir ? 'yes' : 'no'}" data-drm="${drm}" data-look="${attention}">`,
    `<div class="title"><h3>${name}</h3> <code>${html(cutSentence(playlist.id))}</code><ul class="marks">${[...playlist.marks, ...endMarks(item, account)].map(markHtml).join('')}</ul></div>`,
    ...(isDrawn && blocks.length > 0 ? [stripSvg(blocks)] : []),
    `<ul class="remarks">${totals.join('')}</ul>`,
    ...remarks.map((text) => `<p class="warning">${renderSentence(text)}</p>`),
    ...(hasEntries && rows.length > 0
      ? [
          `<details><summary>${run.entries.length === 1 ? '1 entry' : `${run.entries.length} entries`}</summary><ol class="run">`,
          ...rows.map((row) => ('type' in row ? `<li class="fold">${foldText(row)}</li>` : entryLine(row, page.assetHtml))),
          '</ol></details>',
        ]
      : []),
    '</li>',
  ];
  return { lines, hasEntries };
}

/** Says which asset ends first, and how many cannot be played. */
function endMarks({ run, firstEnd, attention }: PlaylistItem, { assets, at, readAt }: AccountOverview): readonly OverviewMark[] {
  const lost = new Set(run.entries.flatMap((entry) => (isLost(entry) ? [entry.id] : [])));
  const when = at === null ? 'now' : `at ${at.text}`;
  const time = at?.time ?? readAt;
  return [
    ...(lost.size === 0 ? [] : [{ style: 'alarm', text: `${count(lost.size, 'asset')} cannot be played ${when}` } as const]),
    ...(firstEnd === null || firstEnd.time <= time
      ? []
      : [
          {
            style: attention === 'soon' ? 'warning' : 'quiet',
            text: `${assets[firstEnd.id]?.name ?? firstEnd.id} ends ${dayText(firstEnd.time)}`,
          } as const,
        ]),
  ];
}

/** Renders an entry as one line of text with few elements, because a page may hold tens of thousands of them. */
function entryLine(row: RunRow, assetHtml: (id: string, name: string | undefined) => string): string {
  const { type, id, name } = row.entry;
  const why = lostText(row.entry);
  const lost = why === '' ? '' : ` <span class="mark alarm">${html(why)}</span>`;
  const place = `${offsetText(row).padStart(9, FIGURE_SPACE)}  ${lengthText(row.entry).padStart(8, FIGURE_SPACE)}`;
  return `<li${type === 'beam' ? '' : ` class="${type}"`}>${place}  ${type === 'ad' ? 'ad' : assetHtml(id, name)}${lost}</li>`;
}

/** As wide as a digit. */
const FIGURE_SPACE = '\u2007';

/** Returns a function that renders assets, each once: most are in several playlists. */
function assetRenderer(): (id: string, name: string | undefined) => string {
  const rendered = new Map<string, string>();
  return (id, name) => {
    const known = rendered.get(id);
    if (known !== undefined) return known;
    const code = `<code>${html(cutSentence(id))}</code>`;
    const text = name === undefined ? code : `${html(cutSentence(name))} ${code}`;
    rendered.set(id, text);
    return text;
  };
}

/** What the account needs beside the style of reports. */
const ACCOUNT_STYLE = `
.missing { background: var(--removed-back); color: var(--ink); border-left: 4px solid var(--removed); padding: .45rem .8rem; margin: .5rem 0; border-radius: .3rem; }
.settings h2 { margin: 0 0 .3rem; font-size: 1rem; }
.settings .group { flex: 1 1 20rem; min-width: 0; }
.settings .members, .marks { display: flex; flex-direction: row; flex-wrap: wrap; gap: .3rem; margin-top: .35rem; }
.members .mark, .marks .mark { margin: 0; font-weight: 500; }
.members .mark { font-family: ui-monospace, monospace; font-size: .78rem; }
.sums { display: flex; flex-wrap: wrap; gap: .35rem 1.6rem; margin: .3rem 0 .5rem; }
.sums b { min-width: 0; }
.policies { border-collapse: collapse; width: auto; }
.policies th, .policies td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: left; font-weight: 400; vertical-align: top; }
.policies thead th { color: var(--ink); font-weight: 600; max-width: 12rem; background: var(--raised); text-align: left; }
.policies tbody th { font: .82rem/1.5 ui-monospace, monospace; position: sticky; left: 0; background: var(--card); max-width: 22rem; }
.policies td { font: 600 .85rem/1.5 ui-monospace, monospace; background: var(--card); }
.policies .system { font: 600 .85rem/1.5 system-ui, sans-serif; color: var(--faint); background: var(--raised); position: static; }
.policies .default { color: var(--faint); font-weight: 400; }
.policies .different th { border-left: 4px solid var(--changed); }
.policies .different td:not(.default) { background: color-mix(in srgb, var(--changed-back) 55%, var(--card)); }
.policies .column { display: none; }
.playlists { content-visibility: auto; contain-intrinsic-size: auto 165rem; }
.playlists .item { padding: .55rem .9rem .6rem; margin: .5rem 0; }
.playlists .title { display: flex; flex-wrap: wrap; align-items: baseline; gap: .15rem .7rem; }
.playlists .marks { margin: 0; }
.playlists h3 { font: 600 1rem/1.4 system-ui, sans-serif; }
.playlists .title code { color: var(--faint); background: none; font-size: .8rem; }
.playlists .item[data-look='gone'] { border-left: 4px solid var(--removed); }
.playlists .item[data-look='soon'] { border-left: 4px solid var(--warning); }
.playlists .item[data-air='no'] .strip { opacity: .55; }
.playlists .remarks { display: flex; margin-top: .15rem; font-size: .88rem; color: var(--faint); font-variant-numeric: tabular-nums; }
.playlists .run li { display: block; padding-left: 11.5rem; text-indent: -11.2rem; white-space: pre-wrap; }
.playlists .run .mark { text-indent: 0; }
.playlists .run code { font-size: .7rem; color: var(--faint); background: none; }
.playlists details { font-size: .9rem; }
form + details { margin-top: .8rem; }
.axis { padding: .6rem .95rem 0; }
.attention h2 { margin-top: 1.25rem; }
.attention .mark { min-width: 4.5rem; text-align: center; }
.attention ul ul, .attention details { margin-top: .2rem; font-size: .95rem; }
.attention .names { display: flex; flex-wrap: wrap; gap: 0 1rem; }
@media (max-width: 40rem) {
  .playlists .run li { padding-left: 1.5rem; text-indent: -1.2rem; }
  .policies, .policies tbody, .policies th, .policies td { display: block; border: 0; max-width: none; }
  .policies thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .policies tr { display: flex; flex-wrap: wrap; gap: .1rem .6rem; border-bottom: 1px solid var(--line); padding: .2rem 0 .35rem; }
  .policies tbody th { flex: 1 0 100%; max-width: none; }
  .policies td { display: flex; align-items: baseline; gap: .4rem; padding: 0 .35rem; border-radius: .25rem; overflow-wrap: anywhere; }
  .policies .column { display: block; font: .8rem/1.5 system-ui, sans-serif; color: var(--faint); }
  .policies .different td:not(.default) .column { color: var(--ink); }
}
@media print {
  .playlists { content-visibility: visible; }
  .settings { display: block; }
  .settings .group { margin-top: .5rem; }
  .playlists .item, .settings .group:not(:has(details)), .attention .item:not(:has(details)), .policies tr { break-inside: avoid; }
  .playlists .item { padding: .25rem .5rem; margin: .25rem 0; }
  .playlists details { display: none; }
  .missing, .policies td { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
