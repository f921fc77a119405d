/** The second step of a probe: writes of scratch objects only, an inactive playlist and a policy with random names. */
import { equal, isObject, type Json, type JsonObject } from '../model/json.ts';
import { asBoolean, asInteger, asList, asString } from '../model/json-readers.ts';
import { agreed, type Found, NO_ANSWER, notFound, type Reader, type Row } from './answers.ts';
import { type Exchange, type Exchanges, isSuccess, randomHex, refusalOf } from './exchange.ts';
import { isSameOrder, MIN_ORDER_BITS, orderBits } from './read-step.ts';
import {
  type Item,
  idOf,
  isScratch,
  PLAYLISTS,
  POLICIES,
  playlistPath,
  playlistsIn,
  policiesIn,
  policyPath,
  type ScratchObject,
  scratchPlaylist,
} from './scratch.ts';

/** A row, with the scratch object that may exist once it was sent. */
export interface WriteRow extends Row {
  readonly intends?: ScratchObject;
}

/** The step for one probe: its requests, and the readers of its answers. */
export interface WriteStep {
  readonly rows: readonly WriteRow[];
  readonly readers: { readonly [id: string]: Reader };
  /** Returns the ID of a scratch object, the latest one, where an answer shows it. */
  idOf(object: ScratchObject, seen: Exchanges): string | undefined;
  /** Decides whether an answer showed that a scratch object exists. */
  isShown(object: ScratchObject, seen: Exchanges): boolean;
}

const UPDATE = '/api/v3/drm/policies/create-or-update';
const SMART_START = '/api/v4/smart-start';
/** Length of a `desc` that may be too long, characters. */
const LONG = 1_000;
const MAX_ASSETS = 100;

/** The name with which a playlist and a policy are renamed: a decomposed accent, characters of HTML, a space at the end. */
const oddName = (name: string): string => `${name} Cafe\u0301 & <b> `;
const nameWithControl = (name: string): string => `${name}\u0007x`;
const longName = (name: string): string => name + 'x'.repeat(LONG - name.length);

/**
 * Builds the step. `asset` is the ID of an asset without an asset playlist; without one, only a policy is written. `configuredPost` is how a
 * v3 POST carries its data with this key.
 */
export function writeStep(asset: string | undefined, configuredPost: 'form' | 'json', hasScopedKey: boolean): WriteStep {
  const playlist: ScratchObject = { kind: 'playlist', name: randomHex() };
  const twin: ScratchObject = { kind: 'playlist', name: playlist.name };
  const smartStart: ScratchObject = { kind: 'playlist', name: randomHex(), ...(asset === undefined ? {} : { id: asset }) };
  const policy: ScratchObject = { kind: 'policy', name: randomHex() };
  const step: Step = {
    asset: asset ?? '',
    playlist,
    twin,
    smartStart,
    policy,
    otherPost: configuredPost === 'form' ? 'json' : 'form',
    configuredPost,
    hasScopedKey,
  };
  return {
    rows: [...policyRows(step), ...(asset === undefined ? [] : playlistRows(step))],
    readers: { ...policyReaders(step), ...playlistReaders(step), ...sharedReaders(step) },
    idOf(object, seen) {
      if (object.name === policy.name) return idOfPolicy(policy, seen, 'policies created again') ?? policyIdIn(step, seen);
      return object.name === playlist.name ? playlistIdIn(step, seen) : object.id;
    },
    isShown(object, seen) {
      if (object.name === policy.name) return policyIdIn(step, seen) !== undefined;
      if (object.name === playlist.name) return playlistIdIn(step, seen) !== undefined;
      return ['smart start', 'smart start again'].some((name) => bulkLists(seen, name) !== undefined);
    },
  };
}

interface Step {
  readonly asset: string;
  readonly playlist: ScratchObject;
  /** A second playlist with the description of the first. */
  readonly twin: ScratchObject;
  readonly smartStart: ScratchObject;
  readonly policy: ScratchObject;
  readonly configuredPost: 'form' | 'json';
  readonly hasScopedKey: boolean;
  readonly otherPost: 'form' | 'json';
}

// Policies

const LICENSE_SECONDS = 43_200;
const UPDATED_SECONDS = 50_000;
const OTHER_FORM_SECONDS = 60_000;
const BEGIN_SECONDS = 60;

const policyLists = ['policies created', 'policies updated', 'policies begin', 'policies other form', 'policies renamed'] as const;

/** Returns the ID of the scratch policy, as the lists show it. */
function policyIdIn({ policy }: Step, seen: Exchanges): string | undefined {
  const shown = policyLists.map((name) => idOfPolicy(policy, seen, name));
  return shown.find((id) => id !== undefined);
}

function idOfPolicy(policy: ScratchObject, seen: Exchanges, name: string): string | undefined {
  return idOf(policiesIn(seen.get(name))?.find((item) => isScratch(item, policy)));
}

function policyRows(step: Step): readonly WriteRow[] {
  const { policy, otherPost } = step;
  const list = (name: string): WriteRow => ({ name, method: 'GET', path: POLICIES });
  const update = (name: string, item: JsonObject, more: Partial<WriteRow> = {}): WriteRow => ({
    name,
    method: 'POST',
    path: UPDATE,
    fill(seen) {
      const id = policyIdIn(step, seen);
      return id === undefined ? null : { body: { _id: id, policy_name: policy.name, ...item } };
    },
    ...more,
  });
  const ofPolicy = (row: WriteRow): WriteRow => ({
    ...row,
    fill(seen) {
      const id = policyIdIn(step, seen);
      return id === undefined ? null : { path: policyPath(id) };
    },
  });
  const create = { policy_name: policy.name, playready: { license_duration_seconds: LICENSE_SECONDS, can_persist: true } };
  return [
    list('policies before'),
    { name: 'create policy', method: 'POST', path: UPDATE, body: create, creates: true, intends: policy },
    // A create with a name that exists updates that policy, so that a refused one can be sent again.
    {
      name: 'create policy once more',
      method: 'POST',
      path: UPDATE,
      body: create,
      creates: true,
      intends: policy,
      fill: (seen) => (isRefused(seen.get('create policy')) ? {} : null),
    },
    list('policies created'),
    update('update policy', { playready: { license_duration_seconds: UPDATED_SECONDS } }),
    list('policies updated'),
    update('begin', { playready: { license_begin_seconds: BEGIN_SECONDS } }),
    list('policies begin'),
    {
      ...update('other form', {}, { v3Post: otherPost, intends: policy }),
      fill(seen) {
        const id = policyIdIn(step, seen);
        return {
          body: {
            ...(id === undefined ? {} : { _id: id }),
            policy_name: policy.name,
            playready: { license_duration_seconds: OTHER_FORM_SECONDS },
          },
        };
      },
    },
    list('policies other form'),
    update('rename policy', { policy_name: oddName(policy.name) }),
    list('policies renamed'),
    ofPolicy({ name: 'delete policy', method: 'DELETE', path: policyPath('{policy}') }),
    list('policies deleted'),
    ofPolicy({ name: 'delete policy again', method: 'DELETE', path: policyPath('{policy}'), twice: true }),
    {
      name: 'create policy again',
      method: 'POST',
      path: UPDATE,
      intends: policy,
      fill: (seen) => (isPolicyDeleted(step, seen) ? { body: create } : null),
    },
    list('policies created again'),
  ];
}

function isPolicyDeleted(step: Step, seen: Exchanges): boolean {
  const id = policyIdIn(step, seen);
  const rest = policiesIn(seen.get('policies deleted'));
  const answer = seen.get('delete policy');
  if (id === undefined || answer === undefined || rest === undefined) return false;
  return isSuccess(answer) && rest.every((item) => idOf(item) !== id);
}

/** Returns the scratch policy of an answer. */
function policyIn(step: Step, seen: Exchanges, name: string): Item | undefined {
  const id = policyIdIn(step, seen);
  return policiesIn(seen.get(name))?.find((item) => idOf(item) === id);
}

function playreadyOf(item: Item | undefined): Item | undefined {
  return isObject(item) ? (isObject(item.playready) ? item.playready : {}) : undefined;
}

function licenseSeconds(step: Step, seen: Exchanges, name: string): number | undefined {
  return asInteger(playreadyOf(policyIn(step, seen, name))?.license_duration_seconds);
}

function policyReaders(step: Step): { readonly [id: string]: Reader } {
  return {
    [step.hasScopedKey ? 'scoped-key-v3-post' : 'v3-post'](seen: Exchanges) {
      const isCreated = licenseSeconds(step, seen, 'policies created') === LICENSE_SECONDS;
      const creates = ['create policy', 'create policy once more'].filter((name) => seen.has(name));
      const [configured, again = configured] = creates.map((name) => postResult(seen, name, isCreated));
      const other = postResult(seen, 'other form', licenseSeconds(step, seen, 'policies other form') === OTHER_FORM_SECONDS);
      // One refusal is none.
      if (configured === undefined || again !== configured || other === undefined) return NO_ANSWER;
      if (!configured && creates.length < 2) return NO_ANSWER;
      if (configured && other) return { found: 'both' };
      return { found: configured ? step.configuredPost : other ? step.otherPost : 'neither' };
    },
    'policy-update'(seen) {
      const [before, after] = ['policies created', 'policies updated'].map((name) => playreadyOf(policyIn(step, seen, name)));
      if (before === undefined || after === undefined) return NO_ANSWER;
      // An answer that does not show what the list shows afterwards comes from somewhere else.
      const answered = licenseSeconds(step, seen, 'update policy');
      if (answered === undefined || answered !== asInteger(after.license_duration_seconds)) return NO_ANSWER;
      if (asBoolean(before.can_persist) !== true) return NO_ANSWER;
      if (asInteger(after.license_duration_seconds) !== UPDATED_SECONDS) return { found: 'does something else' };
      return { found: after.can_persist === true ? 'keeps' : 'resets' };
    },
    'policy-answers': (seen) => agreed(['update policy', 'begin', 'rename policy'].map((name) => shownPolicies(step, seen, name))),
    'abridged-policies'(seen) {
      const shown = policyIn(step, seen, 'policies updated');
      const playready = playreadyOf(shown);
      if (shown === undefined || playready === undefined) return NO_ANSWER;
      const fairplay = isObject(shown.fairplay) ? shown.fairplay : {};
      const present = [playready.can_play, playready.realtime_expiration, fairplay.lease].map((value) => value !== undefined);
      return present.every((each) => each) ? { found: 'shown' } : present.some((each) => each) ? NO_ANSWER : { found: 'left out' };
    },
    'license-begin'(seen) {
      if (policyIn(step, seen, 'begin') === undefined) return notFound('it cannot be set, or there was no usable answer');
      const playready = playreadyOf(policyIn(step, seen, 'policies begin'));
      if (playready === undefined) return NO_ANSWER;
      const shown = asInteger(playready.license_begin_seconds);
      if (shown === undefined) return { found: 'not shown' };
      return shown === BEGIN_SECONDS ? { found: 'shown' } : notFound('it was not set');
    },
    'policy-times'(seen) {
      const created = policyIn(step, seen, 'policies created');
      // A create that was sent twice has updated the policy.
      if (created === undefined || !succeeded(seen, 'create policy')) return NO_ANSWER;
      const [from, to] = [asInteger(created.created), asInteger(created.lastmod)];
      if (from === undefined || to === undefined) return { found: 'missing' };
      return { found: Math.abs(to - from) <= 1000 ? 'within a second' : 'apart' };
    },
    'policy-delete-again'(seen) {
      if (!isPolicyDeleted(step, seen)) return notFound('the policy was not deleted for certain');
      return deletedAgain(seen.get('delete policy again'), ['error', 'HTTP 404']);
    },
    'policy-name-reuse'(seen) {
      const answer = seen.get('create policy again');
      const list = policiesIn(seen.get('policies created again'));
      if (answer === undefined || list === undefined) return NO_ANSWER;
      const isThere = list.some((item) => isScratch(item, step.policy));
      if (isSuccess(answer)) return isThere ? { found: 'accepted' } : NO_ANSWER;
      return refusalOf(answer) === undefined || isThere ? NO_ANSWER : { found: 'refused' };
    },
  };
}

/** Returns whether a POST was accepted and took effect; undefined where the answer says neither, as where the key may not write. */
function postResult(seen: Exchanges, name: string, tookEffect: boolean): boolean | undefined {
  const answer = seen.get(name);
  if (answer === undefined) return undefined;
  if (isSuccess(answer)) return tookEffect ? true : undefined;
  const mayNotWrite = answer.status === 401 || answer.status === 403;
  return refusalOf(answer) === undefined || mayNotWrite || tookEffect ? undefined : false;
}

function shownPolicies(step: Step, seen: Exchanges, name: string): string | undefined {
  const [shown, all] = [policiesIn(seen.get(name)), policiesIn(seen.get('policies created'))];
  const id = policyIdIn(step, seen);
  if (shown === undefined || all === undefined || id === undefined) return undefined;
  if (!shown.some((item) => idOf(item) === id)) return 'not the written one';
  return shown.length === all.length ? 'all' : shown.length === 1 ? 'the written one' : undefined;
}

function isRefused(exchange: Exchange | undefined): boolean {
  return exchange !== undefined && refusalOf(exchange) !== undefined;
}

function succeeded(seen: Exchanges, name: string): boolean {
  const answer = seen.get(name);
  return answer !== undefined && isSuccess(answer);
}

function deletedAgain(answer: Exchange | undefined, expected: readonly string[]): Found {
  if (answer === undefined) return NO_ANSWER;
  if (isSuccess(answer)) return { found: 'a success', detail: `HTTP ${answer.status}` };
  const refusal = refusalOf(answer);
  if (refusal === undefined) return NO_ANSWER;
  return expected.includes(refusal) ? { found: refusal } : { found: 'another status', detail: refusal };
}

// Playlists

const playlistLists = ['filter', 'playlists created'] as const;

/** Returns the ID of the first scratch playlist, as a list shows it: the answer to the create may name another object. */
function playlistIdIn({ playlist }: Step, seen: Exchanges): string | undefined {
  const shown = playlistLists.map((name) => idOf(playlistsIn(seen.get(name))?.find((item) => isScratch(item, playlist))));
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
const patchedList = (asset: string): readonly JsonObject[] => [firstEntry(asset), { ad: { dur: 60 } }];
const listWithAdFirst = (asset: string): readonly JsonObject[] => [{ ad: { dur: 45 } }, firstEntry(asset)];

function playlistRows(step: Step): readonly WriteRow[] {
  const { asset, playlist, twin, smartStart } = step;
  const list = (name: string, more: Partial<WriteRow> = {}): WriteRow => ({
    name,
    method: 'GET',
    path: PLAYLISTS,
    fill: (seen) => (isAssetFree(seen) ? {} : null),
    ...more,
  });
  const ofPlaylist = (row: WriteRow): WriteRow => ({
    ...row,
    fill(seen) {
      const id = playlistIdIn(step, seen);
      return id === undefined ? null : { path: playlistPath(id) };
    },
  });
  const scratch = playlistPath('{playlist}');
  const patch = (name: string, body: Json): WriteRow => ofPlaylist({ name, method: 'PATCH', path: scratch, body });
  const get = (name: string, more: Partial<WriteRow> = {}): WriteRow => ofPlaylist({ name, method: 'GET', path: scratch, ...more });
  const create = (name: string, intends: ScratchObject, when: (seen: Exchanges) => boolean): WriteRow => ({
    name,
    method: 'POST',
    path: PLAYLISTS,
    body: scratchPlaylist(playlist.name, asset),
    creates: true,
    intends,
    fill: (seen) => (isAssetFree(seen) && when(seen) ? {} : null),
  });
  const bulk = (name: string, more: Partial<WriteRow>): WriteRow => ({
    name,
    method: 'POST',
    path: SMART_START,
    body: { desc: smartStart.name, active: 0, assets: [asset] },
    intends: smartStart,
    fill: (seen) => (isAssetFree(seen) ? {} : null),
    ...more,
  });
  return [
    { name: 'asset playlist', method: 'GET', path: playlistPath(asset), twice: true },
    list('playlists before'),
    create('create playlist', playlist, () => true),
    list('filter', { query: { desc: playlist.name } }),
    list('playlists created'),
    list('filter again', { query: { desc: playlist.name }, fill: (seen) => (isFiltered(step, seen, 'filter') === false ? {} : null) }),
    create('create twin', twin, (seen) => playlistIdIn(step, seen) !== undefined),
    list('playlists with twin'),
    create('create twin again', twin, (seen) => twinRefused(step, seen, 'create twin', 'playlists with twin')),
    patch('patch list', { playlist: patchedList(asset) }),
    get('list patched'),
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
  return playlistsIn(seen.get(name))?.filter((item) => isScratch(item, playlist));
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

/** Returns the entries of a playlist, with integers as numbers. */
function entriesOf(item: Item | undefined): readonly Json[] | undefined {
  return asList(item?.playlist)?.map((entry): Json => {
    if (!isObject(entry)) return null;
    if (isObject(entry.beam)) return { beam: { id: asString(entry.beam.id) ?? null } };
    return isObject(entry.ad) ? { ad: { dur: asInteger(entry.ad.dur) ?? null } } : null;
  });
}

function playlistReaders(step: Step): { readonly [id: string]: Reader } {
  const { asset, playlist } = step;
  const readers: { readonly [id: string]: Reader } = {
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
        list === undefined ? [] : [list.filter((item) => !isScratch(item, playlist)).map((item) => idOf(item) ?? '')],
      );
      const pairs = others.slice(1).map((ids, index) => [others[index] ?? [], ids] as const);
      if (pairs.some(([a, b]) => a.length !== b.length || !isSameOrder(a, b))) return notFound('the order of the list changes');
      if (pairs.reduce((sum, [a]) => sum + orderBits(a.length), 0) < MIN_ORDER_BITS) return notFound('the list is too short');
      const index = created.findIndex((item) => isScratch(item, playlist));
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
    'patch-empty': (seen) => agreed([patchAcceptance(step, seen, 'patch empty')]),
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

// Both

const HTML_ESCAPES: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Returns the form in which a name is stored. */
function storedForm(sent: string, stored: string): string {
  if (stored === sent) return 'asSent';
  if (stored === sent.trim()) return 'trimmed';
  if (stored === sent.normalize('NFC')) return 'nfc';
  if (stored === sent.replace(/[&<>]/g, (character) => HTML_ESCAPES[character] ?? character)) return 'escaped';
  return sent.startsWith(stored) ? 'cut' : 'in another form';
}

function sharedReaders(step: Step): { readonly [id: string]: Reader } {
  const { playlist, policy } = step;
  const names = [
    {
      sent: oddName(playlist.name),
      patch: 'rename',
      shown: 'desc',
      answered: (seen: Exchanges) => shownIn(step, seen, 'rename'),
      stored: (seen: Exchanges) => shownIn(step, seen, 'renamed'),
    },
    {
      sent: oddName(policy.name),
      patch: 'rename policy',
      shown: 'policy_name',
      answered: (seen: Exchanges) => policyIn(step, seen, 'rename policy'),
      stored: (seen: Exchanges) => policyIn(step, seen, 'policies renamed'),
    },
  ];
  return {
    'names-stored'(seen) {
      const forms = names.map(({ sent, patch, shown, stored }) => {
        const answer = seen.get(patch);
        if (answer === undefined) return undefined;
        const text = asString(stored(seen)?.[shown]);
        if (isSuccess(answer)) return text === undefined ? undefined : storedForm(sent, text);
        return refusalOf(answer) === undefined ? undefined : 'refused';
      });
      return agreed(forms);
    },
    'names-answered'(seen) {
      const forms = names.map(({ sent, answered, shown, stored }) => {
        const [answer, text] = [answered(seen), stored(seen)].map((item) => asString(item?.[shown]));
        if (answer === undefined || text === undefined || text === sent) return undefined;
        return answer === text ? 'stored' : answer === sent ? 'asSent' : undefined;
      });
      return agreed(forms, 'names are stored as they are sent, or there was no usable answer');
    },
    'ids-answered'(seen) {
      const others = (name: string, items: readonly Item[] | undefined) => (items ?? []).length > 0 && seen.has(name);
      const created = playlistsIn(seen.get('create playlist'))?.[0];
      const id = playlistIdIn(step, seen);
      const ofPlaylist =
        created === undefined || id === undefined || !others('playlists before', playlistsIn(seen.get('playlists before')))
          ? undefined
          : idOf(created) === id
            ? 'new'
            : 'existing';
      return agreed([ofPlaylist, answeredPolicyId(step, seen)], 'the account has no other object, or there was no usable answer');
    },
  };
}

/** Returns whether the answer to the create of the policy shows its own ID, where the account has another policy. */
function answeredPolicyId(step: Step, seen: Exchanges): string | undefined {
  const { policy } = step;
  const before = policiesIn(seen.get('policies before'));
  const created = policiesIn(seen.get('create policy'))?.find((item) => isScratch(item, policy));
  const id = policyIdIn(step, seen);
  if (before === undefined || before.length === 0 || created === undefined || id === undefined) return undefined;
  return idOf(created) === id ? 'new' : 'existing';
}
