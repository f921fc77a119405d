/** Listens inside the emulator: what took effect, in order, and the two boundaries of every request that reaches its route. */

import { isJsonObject, type Json, type JsonObject } from '../../src/core/model/json.ts';
import type { EmulatedKind, EmulatedRequest, Route } from '../../src/emulator/contract.ts';
import { emulatedKinds } from '../../src/emulator/kinds/index.ts';
import { storedName } from '../../src/emulator/quirks.ts';
import type { Boundary } from '../support/proxy.ts';

/** Which slicers use the static key. */
export type Usage = 'all' | ReadonlySet<string>;

/** One request that was handled, whether or not its response arrived. */
export interface HandledRequest {
  readonly emulation: string;
  readonly method: Route['method'];
  /** With its parameters filled in. */
  readonly path: string;
  readonly body: unknown;
  /** Who uses the static key after it; null for other kinds. */
  readonly usage: Usage | null;
  /** When it arrived, or for a read was answered, by the clock of its sender: Unix milliseconds. */
  readonly at: number;
  /** Playlists of its response. */
  readonly returnedPlaylists: readonly JsonObject[];
  /** The same playlists as the account held them then, where reads lag behind writes. */
  readonly heldPlaylists: readonly JsonObject[];
  /** Whether it is a lookup by name, which also returns the object of that name. */
  readonly isNameLookup: boolean;
  /** IDs that a create found under its own description before it took effect; asset-ID playlists have theirs from a smart start. */
  readonly namesakes: readonly string[];
}

/** The emulated kinds with a recorder in each of their routes. */
export interface RequestTap {
  readonly emulatedKinds: readonly EmulatedKind[];
  /** What was carried out since the last `begin`. */
  handled(): readonly HandledRequest[];
  /** The clock of who speaks to the emulator, Unix milliseconds. */
  now(): number;
  /** The clock of the service, Unix milliseconds. It never goes back. */
  serviceNow(): number;
  /** Lets seconds pass on both clocks; on that of the sender until the next `begin`. */
  advanceClock(seconds: number): void;
  /** Starts over; `watch` is called at both boundaries of each request, with its number from 1. */
  begin(watch?: (nth: number, boundary: Boundary) => void): void;
}

/** A new tap. `playlists` returns those of the account. */
export function createTap(playlists: () => readonly JsonObject[]): RequestTap {
  let handled: HandledRequest[] = [];
  let count = 0;
  let clockOffset = 0;
  let serviceOffset = 0;
  /** The description with which each playlist was created, by ID: the account may hold another form of it. */
  const sentNames = new Map<string, string>();
  const now = () => Date.now() + clockOffset;
  let watch: (nth: number, boundary: Boundary) => void = () => undefined;
  const recordRoute = (emulation: string, route: Route): Route => ({
    ...route,
    handle(request) {
      const nth = ++count;
      const arrived = now();
      watch(nth, 'before');
      const found = namesakes(route, request, sentNames);
      const idsBefore = isCreate(route) ? playlistIds(request) : [];
      const recordRequest = (returnedPlaylists: readonly JsonObject[]): void => {
        handled.push({
          emulation,
          method: route.method,
          path: route.path.replace(/:(\w+)/g, (_, name: string) => request.params[name] ?? ''),
          body: request.body,
          usage: emulation === 'static-key' ? usageIn(request) : null,
          at: route.method === 'GET' ? now() : arrived,
          returnedPlaylists,
          heldPlaylists: playlists().filter(({ id }) => returnedPlaylists.some((each) => each.id === id)),
          isNameLookup: Object.hasOwn(request.query, 'desc'),
          namesakes: found,
        });
      };
      try {
        const reply = route.handle(request);
        if (isCreate(route)) for (const id of playlistIds(request)) if (!idsBefore.includes(id)) sentNames.set(id, sentName(request));
        watch(nth, 'after');
        recordRequest(emulation === 'playlist' ? playlistsIn(reply.body) : []);
        return reply;
      } catch (refusal) {
        // A 404 is a response to a read too.
        if (route.method === 'GET') recordRequest([]);
        throw refusal;
      }
    },
  });
  return {
    emulatedKinds: emulatedKinds.map((each) => ({ ...each, routes: each.routes.map((route) => recordRoute(each.name, route)) })),
    handled: () => handled,
    now,
    serviceNow: () => Date.now() + serviceOffset,
    advanceClock(seconds) {
      clockOffset += seconds * 1000;
      serviceOffset += seconds * 1000;
    },
    begin(listener = () => undefined) {
      handled = [];
      count = 0;
      clockOffset = 0;
      watch = listener;
    },
  };
}

/** Who uses the static key, from its two settings (drm-api-v3 section 3). */
export function usage(status: unknown, slicers: unknown): Usage {
  return status === true ? 'all' : new Set(Array.isArray(slicers) ? slicers.map(String) : []);
}

function usageIn({ collection }: EmulatedRequest): Usage {
  const settings = collection('settings');
  return usage(settings.get('status')?.use_static_encryption_key, settings.get('slicers')?.static_key_slicer_ids);
}

function isCreate({ method, path }: Route): boolean {
  return method === 'POST' && path === '/api/v4/linear-playlist';
}

function sentName({ body }: EmulatedRequest): string {
  return typeof body === 'object' && body !== null && 'desc' in body ? String(body.desc) : '';
}

function playlistIds({ collection }: EmulatedRequest): readonly string[] {
  return Array.from(collection('playlists').entries(), ([id]) => id);
}

function namesakes(route: Route, request: EmulatedRequest, sentNames: ReadonlyMap<string, string>): readonly string[] {
  if (!isCreate(route)) return [];
  const desc = sentName(request);
  const isSame = (id: string, playlist: JsonObject) =>
    sentNames.has(id) ? sentNames.get(id) === desc && playlist.desc === storedName(desc, request.quirks) : playlist.desc === desc;
  return Array.from(request.collection('playlists').entries()).flatMap(([id, playlist]) =>
    isSame(id, playlist) && !isAssetPlaylist(id, playlist) ? [id] : [],
  );
}

function playlistsIn(body: Json | undefined): readonly JsonObject[] {
  if (!isJsonObject(body)) return [];
  return [body.items ?? body].flat().filter(isJsonObject);
}

/** Whether a playlist has the ID of the one asset that it plays. */
export function isAssetPlaylist(id: string, { playlist }: JsonObject): boolean {
  return JSON.stringify(playlist) === JSON.stringify([{ beam: { id } }]);
}
