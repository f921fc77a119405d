/** Renders what of an account needs attention: warnings, assets that cannot be played or end soon, and playlists off air or not fully known. */
import type { AccountOverview } from '../../core/model/account-overview.ts';
import { isLost, type RunOfShowEntry } from '../../core/model/run-of-show.ts';
import { type PlaylistItem, SOON } from '../diagrams/account.ts';
import { html } from '../escape.ts';
import { count, sentence } from '../view/labels.ts';
import { lostText } from '../view/run-of-show.ts';
import { copyTitle, cutSentence, renderSentence } from './elements.ts';
import { collapsed } from './item.ts';

/** Number of assets that are shown without a click, and the maximum number of those that are named. */
const OPEN_ASSETS = 5;
const MAX_ASSETS = 200;
/** Number of playlists that are shown without a click, and the maximum number of those that are named. */
const OPEN_PLAYLISTS = 12;
const MAX_PLAYLISTS = 1_000;
/** Number of playlists that are named of one asset. */
const PLAYLISTS_OF_ASSET = 4;

/** An asset to look at, and the playlists that have it. */
interface AssetUse {
  readonly id: string;
  readonly name: string;
  readonly why: string;
  readonly items: PlaylistItem[];
}

/** Returns the address of a playlist on the page; undefined where it is not listed. */
type Anchors = ReadonlyMap<PlaylistItem, string>;

/** Renders the section; no lines where nothing is to be looked at. `anchors` are the IDs of the playlists that the page lists. */
export function attentionLines(account: AccountOverview, items: readonly PlaylistItem[], anchors: Anchors): readonly string[] {
  const rows = [
    ...account.parts.flatMap(({ warnings }) => warnings.map((text) => rowLines('alarm', 'warning', sentence(text), []))),
    ...assetRow('alarm', 'cannot be played', lostAssets(items), anchors),
    ...assetRow('warning', 'ends within 14 days', endingAssets(items, account), anchors),
    ...playlistRow(
      'quiet',
      'off air',
      items.filter(({ playlist }) => !playlist.isOnAir),
      anchors,
    ),
    ...playlistRow(
      'warning',
      'cannot be declared, or not fully known',
      items.filter(({ remarks }) => remarks.length > 0),
      anchors,
    ),
  ];
  if (rows.length === 0) return [];
  return [
    '<section class="attention brief" aria-labelledby="attention">',
    '<h2 id="attention">Needs attention</h2>',
    '<ul class="items">',
    ...rows.flat(),
    '</ul>',
    '</section>',
  ];
}

function rowLines(style: string, mark: string, title: string, lines: readonly string[]): readonly string[] {
  return [
    '<li class="item">',
    `<div class="head"><span class="mark ${style}">${mark}</span> <h3>${renderSentence(title)}</h3></div>`,
    ...lines,
    '</li>',
  ];
}

function assetRow(style: string, mark: string, uses: readonly AssetUse[], anchors: Anchors): readonly (readonly string[])[] {
  if (uses.length === 0) return [];
  const playlists = new Set(uses.flatMap(({ items }) => items)).size;
  const lines = uses.slice(0, MAX_ASSETS).map(({ id, name, why, items }) => {
    const names = items.slice(0, PLAYLISTS_OF_ASSET).map((item) => playlistLink(item, anchors));
    const more = items.length > names.length ? ` and ${items.length - names.length} more` : '';
    const asset = name === '' ? `<code>${html(cutSentence(id))}</code>` : `<b${copyTitle(id, name)}>${html(cutSentence(name))}</b>`;
    return `<li>${asset} ${html(cutSentence(why))}: ${names.join(', ')}${more}</li>`;
  });
  return [
    rowLines(style, mark, `${count(uses.length, 'asset')} in ${count(playlists, 'playlist')}`, openFirst(lines, OPEN_ASSETS, uses.length)),
  ];
}

function playlistRow(style: string, mark: string, items: readonly PlaylistItem[], anchors: Anchors): readonly (readonly string[])[] {
  if (items.length === 0) return [];
  const lines = items.slice(0, MAX_PLAYLISTS).map((item) => `<li>${playlistLink(item, anchors)}</li>`);
  return [rowLines(style, mark, count(items.length, 'playlist'), openFirst(lines, OPEN_PLAYLISTS, items.length, 'names'))];
}

/** Shows the first entries of a list and folds the others; one alone is not folded. `all` is how many there are beside those given. */
function openFirst(lines: readonly string[], open: number, all: number, className = 'assets'): readonly string[] {
  const list = (some: readonly string[]) => [`<ul class="${className}">`, ...some, '</ul>'];
  if (all <= open + 1) return list(lines);
  const left = all - lines.length;
  const rest = [...list(lines.slice(open)), ...(left > 0 ? [`<p class="quiet">and ${left} more</p>`] : [])];
  return [...list(lines.slice(0, open)), ...collapsed(`${all - open} more`, rest)];
}

function playlistLink(item: PlaylistItem, anchors: Anchors): string {
  const { id, name } = item.playlist;
  const text = name === '' ? `<code>${html(cutSentence(id))}</code>` : html(cutSentence(name));
  const anchor = anchors.get(item);
  return anchor === undefined ? text : `<a href="#${anchor}">${text}</a>`;
}

function lostAssets(items: readonly PlaylistItem[]): readonly AssetUse[] {
  return assetUses(items, (entry) => (isLost(entry) ? lostText(entry) : null));
}

/** Returns the assets that can be played and end soon, those that end first before the others. */
function endingAssets(items: readonly PlaylistItem[], { assets, at, readAt }: AccountOverview): readonly AssetUse[] {
  const time = at?.time ?? readAt;
  const endOf = (id: string) => assets[id]?.until ?? Number.POSITIVE_INFINITY;
  const uses = assetUses(items, (entry) => {
    const end = endOf(entry.id);
    return !isLost(entry) && end - time <= SOON ? `ends ${new Date(end).toISOString().slice(0, 10)}` : null;
  });
  return uses.toSorted((a, b) => endOf(a.id) - endOf(b.id));
}

/** Collects assets with a reason to look at them, each once. */
function assetUses(items: readonly PlaylistItem[], whyOf: (entry: RunOfShowEntry) => string | null): readonly AssetUse[] {
  const uses = new Map<string, AssetUse>();
  for (const item of items) {
    for (const entry of item.run.entries) {
      const why = entry.type === 'beam' ? whyOf(entry) : null;
      if (why === null) continue;
      const use = uses.get(entry.id) ?? { id: entry.id, name: entry.name ?? '', why, items: [] };
      if (use.items.at(-1) !== item) use.items.push(item);
      uses.set(entry.id, use);
    }
  }
  return [...uses.values()];
}
