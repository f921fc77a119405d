/** What a probe asks about playlists: how the service lists them, and what becomes of scratch playlists. */
import { equal, isObject, type Json, type JsonObject } from '../../model/json.ts';
import { asInteger, asList, asString } from '../../model/json-readers.ts';
import type {
  Exchange,
  Exchanges,
  Found,
  Item,
  KindQuestions,
  ProbedRead,
  Readers,
  Row,
  ScratchObject,
  WriteInput,
  WriteQuestions,
  WriteRow,
} from '../probe.ts';
import {
  agreed,
  deletedAgain,
  idOf,
  isNamed,
  isSameOrder,
  isSuccess,
  longName,
  MIN_ORDER_BITS,
  NO_ANSWER,
  nameWithControl,
  notFound,
  oddName,
  orderBits,
  refusalOf,
  succeeded,
  unknownId,
} from '../probe-answers.ts';
import { COLLECTION, pathOf } from './api.ts';
import { looksLikeId } from './asset-catalog.ts';
import { ASSET_ENDPOINT } from './asset-references.ts';
import { DEFAULTS, INTEGER_FIELD_NAMES, isSwitch } from './model.ts';
import { BULK } from './requests.ts';
import { unknownEntryMembers } from './unknown-members.ts';

/** The list of playlists. */
export const PLAYLISTS: ProbedRead = {
  name: 'playlists',
  path: COLLECTION,
  itemsIn: playlistsIn,
  integers: ['beam_break_duration', 'repeat'],
  documented: { main: 'items', ofItems: ['@id', '@type', 'id', 'profile', ...Object.keys(DEFAULTS)] },
  resettableIn: (exchange) => playlistsIn(exchange)?.flatMap(({ playlist }) => unknownEntryMembers(playlist).map(({ path }) => path)),
};

/** Returns the cheapest request of v4: a filter that finds nothing, where nothing has this name. */
export function filterByName(name: string): Pick<Row, 'path' | 'query'> {
  return { path: COLLECTION, query: { desc: name } };
}

/** The questions about playlists. */
export const playlistQuestions: KindQuestions = {
  reads: [PLAYLISTS],
  rows: (unknown) => [
    { name: 'unknown playlist', method: 'GET', path: pathOf(unknown), twice: true },
    {
      name: 'lookup',
      method: 'POST',
      path: ASSET_ENDPOINT.v2.path,
      fill(seen) {
        const [asset] = assetsIn(playlistsIn(seen.get('playlists')) ?? []);
        return asset === undefined ? null : { body: { [ASSET_ENDPOINT.v2.requestField]: [asset] } };
      },
    },
  ],
  readers: {
    switches: (seen) =>
      agreed(
        ['playlists', 'playlists again'].map((name) => formOfSwitches(playlistsIn(seen.get(name)) ?? [])),
        'no switch of a playlist was shown',
      ),
    'unknown-id-v4': (seen) => unknownId(seen.get('unknown playlist'), ['HTTP 404']),
    'lookup-form'(seen) {
      const exchange = seen.get('lookup');
      if (exchange === undefined) return notFound('no playlist shows an asset, or there was no usable answer');
      if (!isSuccess(exchange)) return refusalOf(exchange) === undefined ? NO_ANSWER : { found: 'refused' };
      const assets = isObject(exchange.body) ? exchange.body[ASSET_ENDPOINT.v2.listField] : undefined;
      return Array.isArray(assets) ? { found: 'list' } : isObject(assets) ? { found: 'object' } : NO_ANSWER;
    },
  },
  writes: { scratch: { noun: 'playlist', list: COLLECTION, pathOf, itemsIn: playlistsIn, isScratch }, questions },
};

const SWITCHES = INTEGER_FIELD_NAMES.filter(isSwitch);

function formOfSwitches(playlists: readonly Item[]): 'numbers' | 'booleans' | 'mixed' | undefined {
  const values = playlists.flatMap((item) => SWITCHES.map((name) => item[name] ?? null)).filter((value) => value !== null);
  const booleans = values.filter((value) => typeof value === 'boolean').length;
  if (values.length === 0) return undefined;
  return booleans === 0 ? 'numbers' : booleans === values.length ? 'booleans' : 'mixed';
}

function assetsIn(playlists: readonly Item[]): readonly string[] {
  return playlists.flatMap(({ playlist }) =>
    (asList(playlist) ?? []).flatMap((entry) => (isObject(entry) && isObject(entry.beam) ? (asString(entry.beam.id) ?? []) : [])),
  );
}

/** Returns the playlists of an answer: a list, or one playlist; undefined for any other answer. */
function playlistsIn(exchange: Exchange | undefined): readonly Item[] | undefined {
  if (exchange === undefined || !isSuccess(exchange) || !isObject(exchange.body)) return undefined;
  const { body } = exchange;
  return body.items === undefined ? (typeof body.id === 'string' ? [body] : undefined) : asList(body.items)?.filter(isObject);
}

/** Decides whether a playlist is the scratch playlist with this name, which is never active. */
function isScratch(item: Item, name: string): boolean {
  return isNamed(item.desc, name) && (item.active === false || asInteger(item.active) === 0);
}

/** The scratch playlists of one probe. */
interface Step {
  /** Empty where no asset may be used. */
  readonly asset: string;
  readonly playlist: ScratchObject;
  /** A second playlist with the description of the first. */
  readonly twin: ScratchObject;
  readonly smartStart: ScratchObject;
}

/** Returns the questions of one probe; without an asset it writes no playlist. */
function questions({ asset, randomName }: WriteInput): WriteQuestions {
  const name = randomName();
  const step: Step = {
    asset: asset ?? '',
    playlist: { kind: 'playlist', name },
    twin: { kind: 'playlist', name },
    smartStart: { kind: 'playlist', name: randomName(), ...(asset === undefined ? {} : { id: asset }) },
  };
  return {
    rows: playlistRows(step),
    readers: playlistReaders(step),
    idOf: (object, seen) => (object.name === name ? playlistIdIn(step, seen) : object.id),
    isShown(object, seen) {
      if (object.name === name) return playlistIdIn(step, seen) !== undefined;
      // Its answer shows that nothing was created, or what reads have not shown yet.
      const answers = ['smart start', 'smart start again'].flatMap((row) => {
        const lists = bulkLists(seen, row);
        return lists === undefined ? [] : [lists[0] ?? []];
      });
      return answers.length > 0 && answers.every((created) => created.length === 0);
    },
    rename: {
      request: 'rename',
      sent: oddName(name),
      answered: (seen) => asString(shownIn(step, seen, 'rename')?.desc),
      stored: (seen) => asString(shownIn(step, seen, 'renamed')?.desc),
    },
    created: 'playlists created',
    isAnswered: (seen) => playlistsIn(seen.get('create playlist'))?.[0] !== undefined,
    createdId: (seen) => createdId(step, seen),
  };
}

function createdId(step: Step, seen: Exchanges): 'new' | 'existing' | undefined {
  const before = playlistsIn(seen.get('playlists before')) ?? [];
  const created = playlistsIn(seen.get('create playlist'))?.[0];
  const id = playlistIdIn(step, seen);
  if (before.length === 0 || created === undefined || id === undefined) return undefined;
  return idOf(created) === id ? 'new' : 'existing';
}

/** The settings of a scratch playlist: inactive, with one asset. */
function scratchPlaylist(name: string, asset: string): JsonObject {
  return { desc: name, active: 0, playlist: [{ beam: { id: asset } }, { ad: { dur: 30 } }, { beam: { id: asset } }] };
}

const MAX_ASSETS = 100;

const playlistLists = ['filter', 'playlists created'] as const;

/** Returns the ID of the first scratch playlist, as a list shows it: the answer to the create may name another object. */
function playlistIdIn({ playlist }: Step, seen: Exchanges): string | undefined {
  const shown = playlistLists.map((name) => idOf(playlistsIn(seen.get(name))?.find((item) => isScratch(item, playlist.name))));
  return shown.find((id) => id !== undefined);
}

/** Decides whether the asset may be used: no asset playlist exists. */
function isAssetFree(seen: Exchanges): boolean {
  return refusalOf404(seen.get('asset playlist'));
}

function refusalOf404(exchange: Exchange | undefined): boolean {
  return exchange !== undefined && refusalOf(exchange) === 'HTTP 404';
}

const firstEntry = (asset: string): JsonObject => ({ beam: { id: asset } });
/** Returns an asset ID of 32 hexadecimal digits in the other case; undefined where it has no letter, or another form. */
function otherCase(asset: string): string | undefined {
  const other = asset === asset.toLowerCase() ? asset.toUpperCase() : asset.toLowerCase();
  return looksLikeId(asset) && other !== asset ? other : undefined;
}

const patchedList = (asset: string): readonly JsonObject[] => [firstEntry(asset), { ad: { dur: 60 } }];
const listWithAdFirst = (asset: string): readonly JsonObject[] => [{ ad: { dur: 45 } }, firstEntry(asset)];

/** Returns the requests with scratch playlists, in order. */
function playlistRows(step: Step): readonly WriteRow[] {
  const { asset, playlist, twin, smartStart } = step;
  if (asset === '') return [];
  const list = (name: string, more: Partial<WriteRow> = {}): WriteRow => ({
    name,
    method: 'GET',
    path: COLLECTION,
    fill: (seen) => (isAssetFree(seen) ? {} : null),
    ...more,
  });
  const ofPlaylist = (row: WriteRow): WriteRow => ({
    ...row,
    fill(seen) {
      const id = playlistIdIn(step, seen);
      return id === undefined ? null : { path: pathOf(id) };
    },
  });
  const scratch = pathOf('{playlist}');
  const patch = (name: string, body: Json): WriteRow => ofPlaylist({ name, method: 'PATCH', path: scratch, body });
  const get = (name: string, more: Partial<WriteRow> = {}): WriteRow => ofPlaylist({ name, method: 'GET', path: scratch, ...more });
  const create = (name: string, intends: ScratchObject, when: (seen: Exchanges) => boolean): WriteRow => ({
    name,
    method: 'POST',
    path: COLLECTION,
    body: scratchPlaylist(playlist.name, asset),
    creates: true,
    intends,
    fill: (seen) => (isAssetFree(seen) && when(seen) ? {} : null),
  });
  const bulk = (name: string, more: Partial<WriteRow>): WriteRow => ({
    name,
    method: 'POST',
    path: BULK,
    body: { desc: smartStart.name, active: 0, assets: [asset] },
    intends: smartStart,
    fill: (seen) => (isAssetFree(seen) ? {} : null),
    ...more,
  });
  return [
    { name: 'asset playlist', method: 'GET', path: pathOf(asset), twice: true },
    list('playlists before'),
    create('create playlist', playlist, () => true),
    list('playlists created', {
      shows: (exchange, seen) =>
        playlistsIn(seen.get('create playlist')) && playlistsIn(exchange)?.some((item) => isScratch(item, playlist.name)),
    }),
    list('filter', { query: { desc: playlist.name } }),
    list('filter again', { query: { desc: playlist.name }, fill: (seen) => (isFiltered(step, seen, 'filter') === false ? {} : null) }),
    create('create twin', twin, (seen) => playlistIdIn(step, seen) !== undefined),
    list('playlists with twin'),
    create('create twin again', twin, (seen) => twinRefused(step, seen, 'create twin', 'playlists with twin')),
    patch('patch list', { playlist: patchedList(asset) }),
    get('list patched'),
    ...(otherCase(asset) === undefined
      ? []
      : [patch('other case', { playlist: [firstEntry(otherCase(asset) ?? asset)] }), get('case shown')]),
    patch('patch empty', {}),
    patch('ad first', { playlist: listWithAdFirst(asset) }),
    { ...patch('many entries', { playlist: Array.from({ length: MAX_ASSETS + 1 }, () => firstEntry(asset)) }), twice: true },
    patch('rename', { desc: oddName(playlist.name) }),
    get('renamed'),
    patch('control', { desc: nameWithControl(playlist.name) }),
    get('with control'),
    patch('long', { desc: longName(playlist.name) }),
    get('with long name'),
    ofPlaylist({ name: 'delete', method: 'DELETE', path: scratch }),
    get('deleted', { twice: true }),
    ofPlaylist({ name: 'delete again', method: 'DELETE', path: scratch, twice: true }),
    bulk('smart start', { creates: true }),
    bulk('smart start again', { creates: true }),
  ];
}

/** Returns whether the filter by description shows the scratch playlist; undefined where there is no such answer, or no such playlist. */
function isFiltered(step: Step, seen: Exchanges, name: string): boolean | undefined {
  const id = playlistIdIn(step, seen);
  return id === undefined ? undefined : playlistsIn(seen.get(name))?.some((item) => idOf(item) === id);
}

/** Returns the scratch playlists of a list. */
function twinsIn({ playlist }: Step, seen: Exchanges, name: string): readonly Item[] | undefined {
  return playlistsIn(seen.get(name))?.filter((item) => isScratch(item, playlist.name));
}

function twinRefused(step: Step, seen: Exchanges, create: string, list: string): boolean {
  const answer = seen.get(create);
  return answer !== undefined && refusalOf(answer) !== undefined && twinsIn(step, seen, list)?.length === 1;
}

/** Returns the scratch playlist of an answer that shows one playlist. */
function shownIn(step: Step, seen: Exchanges, name: string): Item | undefined {
  const id = playlistIdIn(step, seen);
  return playlistsIn(seen.get(name))?.find((item) => idOf(item) === id);
}

/** Returns whether a PATCH was accepted; undefined where the answer does not show it. */
function patchAcceptance(step: Step, seen: Exchanges, name: string): 'accepted' | 'refused' | undefined {
  const answer = seen.get(name);
  if (answer === undefined) return undefined;
  if (isSuccess(answer)) return shownIn(step, seen, name) === undefined ? undefined : 'accepted';
  return refusalOf(answer) === undefined ? undefined : 'refused';
}

function entriesOf(item: Item | undefined): readonly Json[] | undefined {
  return asList(item?.playlist)?.map((entry): Json => {
    if (!isObject(entry)) return null;
    if (isObject(entry.beam)) return { beam: { id: asString(entry.beam.id) ?? null } };
    return isObject(entry.ad) ? { ad: { dur: asInteger(entry.ad.dur) ?? null } } : null;
  });
}

/** Returns the readers of the answers about playlists, by assumption. */
function playlistReaders(step: Step): Readers {
  const { asset, playlist } = step;
  const readers: Readers = {
    'create-status': (seen) =>
      agreed(
        ['create playlist', 'create twin'].map((name) => {
          const answer = seen.get(name);
          if (answer === undefined || playlistsIn(answer) === undefined) return undefined;
          return answer.status === 200 || answer.status === 201 ? `HTTP ${answer.status}` : 'another 2xx';
        }),
      ),
    'new-object-place'(seen) {
      const lists = ['playlists before', 'playlists created', 'playlists with twin'].map((name) => playlistsIn(seen.get(name)));
      const [before, created] = lists;
      if (before === undefined || created === undefined) return NO_ANSWER;
      const others = lists.flatMap((list) =>
        list === undefined ? [] : [list.filter((item) => !isScratch(item, playlist.name)).map((item) => idOf(item) ?? '')],
      );
      const pairs = others.slice(1).map((ids, index) => [others[index] ?? [], ids] as const);
      if (pairs.some(([a, b]) => a.length !== b.length || !isSameOrder(a, b))) return notFound('the order of the list changes');
      if (pairs.reduce((sum, [a]) => sum + orderBits(a.length), 0) < MIN_ORDER_BITS) return notFound('the list is too short');
      const index = created.findIndex((item) => isScratch(item, playlist.name));
      if (index < 0) return NO_ANSWER;
      return { found: index === created.length - 1 ? 'last' : index === 0 ? 'first' : 'between' };
    },
    'desc-filter'(seen) {
      const id = playlistIdIn(step, seen);
      const [filtered, all] = [playlistsIn(seen.get('filter')), playlistsIn(seen.get('playlists created'))];
      const shown = all?.find((item) => idOf(item) === id);
      if (filtered === undefined || all === undefined || shown === undefined) return NO_ANSWER;
      if (shown.desc !== playlist.name) return notFound('the description is stored in another form');
      if (isFiltered(step, seen, 'filter') === false) {
        return isFiltered(step, seen, 'filter again') === false ? { found: 'finds nothing' } : NO_ANSWER;
      }
      if (filtered.length === 1) return all.length === 1 ? notFound('the account has no other playlist') : { found: 'finds' };
      return filtered.length === all.length ? { found: 'is ignored' } : NO_ANSWER;
    },
    'patch-list'(seen) {
      const [shown, read] = ['patch list', 'list patched'].map((name) => entriesOf(shownIn(step, seen, name)));
      if (shown === undefined || read === undefined || !equal(shown, read)) return NO_ANSWER;
      const sent = patchedList(asset);
      if (equal(shown, sent)) return { found: 'replaces' };
      return { found: shown.length > sent.length ? 'merges' : 'does something else' };
    },
    'asset-id-case'(seen) {
      const sent = otherCase(asset);
      if (sent === undefined) return notFound('the asset of --asset has no letter, or is no 32 hexadecimal digits');
      const acceptance = patchAcceptance(step, seen, 'other case');
      if (acceptance !== 'accepted') return agreed([acceptance]);
      const [shown, read] = ['other case', 'case shown'].map((name) => entriesOf(shownIn(step, seen, name))?.at(-1));
      if (shown === undefined || read === undefined || !equal(shown, read)) return NO_ANSWER;
      if (equal(shown, firstEntry(sent))) return { found: 'kept' };
      return equal(shown, firstEntry(asset)) ? { found: 'folded' } : NO_ANSWER;
    },
    'patch-empty': (seen) => agreed([patchAcceptance(step, seen, 'patch empty')]),
    'playlist-defaults'(seen) {
      const shown = [
        playlistsIn(seen.get('playlists created'))?.find((item) => isScratch(item, playlist.name)),
        shownIn(step, seen, 'renamed'),
      ];
      return agreed(shown.map((item) => item && formOfDefaults(item)));
    },
    'ad-first'(seen) {
      const acceptance = patchAcceptance(step, seen, 'ad first');
      if (acceptance !== 'accepted') return agreed([acceptance]);
      const sent = listWithAdFirst(asset);
      const shown = entriesOf(shownIn(step, seen, 'ad first'));
      return equal(shown?.slice(-sent.length) ?? null, sent) ? { found: 'accepted' } : { found: 'changed' };
    },
    'entries-limit': (seen) => agreed([patchAcceptance(step, seen, 'many entries')]),
    'name-controls': (seen) => storedText(step, seen, 'control', 'with control', nameWithControl(playlist.name), 'stored', 'changed'),
    'name-length': (seen) => storedText(step, seen, 'long', 'with long name', longName(playlist.name), 'whole', 'cut'),
    'equal-descriptions'(seen) {
      if (succeeded(seen, 'create twin'))
        return twinsIn(step, seen, 'playlists with twin')?.length === 2 ? { found: 'accepted' } : NO_ANSWER;
      const again = seen.get('create twin again');
      return again !== undefined && refusalOf(again) !== undefined ? { found: 'refused' } : NO_ANSWER;
    },
    'delete-again'(seen) {
      if (!succeeded(seen, 'delete') || !refusalOf404(seen.get('deleted'))) return notFound('the playlist was not deleted for certain');
      return deletedAgain(seen.get('delete again'), ['HTTP 404']);
    },
    'smart-start-elements'(seen) {
      return agreed(
        ['smart start', 'smart start again'].map((name) => {
          const elements = bulkLists(seen, name)?.flatMap((list) => list ?? []);
          if (elements === undefined || elements.length === 0) return undefined;
          if (elements.every((element) => element === asset)) return 'ids';
          return elements.every((element) => isObject(element) && element.id === asset) ? 'objects' : 'another form';
        }),
      );
    },
    'smart-start-empty': (seen) =>
      agreed(
        ['smart start', 'smart start again'].map((name) => {
          const lists = bulkLists(seen, name);
          if (lists === undefined || lists.every((list) => list === undefined || list.length === 0)) return undefined;
          return lists.every((list) => list !== undefined) ? 'present' : lists.some((list) => list?.length === 0) ? undefined : 'missing';
        }),
      ),
  };
  return Object.fromEntries(Object.entries(readers).map(([id, read]) => [id, (seen: Exchanges) => whyNotAsked(step, seen) ?? read(seen)]));
}

/** Returns why nothing about playlists was asked; undefined if it was. */
function whyNotAsked({ asset }: Step, seen: Exchanges): Found | undefined {
  if (asset === '') return notFound('needs --asset');
  if (isAssetFree(seen)) return undefined;
  return playlistsIn(seen.get('asset playlist')) === undefined ? NO_ANSWER : notFound('the asset of --asset has an asset playlist');
}

/** Returns whether a scratch playlist shows what it was created without; undefined where it shows a part of it. */
function formOfDefaults(item: Item): string | undefined {
  const present = [item.repeat, item.skip_drm, item.ad_slate_fill].map((value) => value !== undefined && value !== null);
  return present.every((each) => each) ? 'shown' : present.some((each) => each) ? undefined : 'left out';
}

const BULK_LISTS = ['ss_created', 'ss_not_created', 'ss_errored'];

/** Returns the lists of the answer to a bulk create; undefined for a list that is missing, and for any other answer. */
function bulkLists(seen: Exchanges, name: string): readonly (readonly unknown[] | undefined)[] | undefined {
  const answer = seen.get(name);
  if (answer === undefined || !isSuccess(answer) || !isObject(answer.body)) return undefined;
  const { body } = answer;
  return BULK_LISTS.map((list) => asList(body[list]));
}

/** Returns whether a `desc` is stored as it was sent, where the names of the service are not changed anyway. */
function storedText(step: Step, seen: Exchanges, patch: string, get: string, sent: string, whole: string, changed: string): Found {
  const acceptance = patchAcceptance(step, seen, patch);
  if (acceptance !== 'accepted') return agreed([acceptance]);
  const shown = asString(shownIn(step, seen, get)?.desc);
  if (shown === undefined) return NO_ANSWER;
  return shown === sent
    ? { found: whole }
    : { found: changed, detail: `${Array.from(shown).length} of ${Array.from(sent).length} characters` };
}
