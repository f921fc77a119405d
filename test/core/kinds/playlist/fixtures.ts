import fc from 'fast-check';
import { createFindingList } from '../../../../src/core/config/findings.ts';
import type { ApiRequest, ApiResponse, ApiService, DeclareServices, Sections, UnlocatedFinding } from '../../../../src/core/kinds/kind.ts';
import { ApiError } from '../../../../src/core/kinds/kind.ts';
import { liveOf } from '../../../../src/core/kinds/playlist/api.ts';
import { playlist } from '../../../../src/core/kinds/playlist/index.ts';
import { type Beam, DEFAULTS, type DesiredPlaylist, type LivePlaylist } from '../../../../src/core/kinds/playlist/model.ts';
import type { Json, JsonObject } from '../../../../src/core/model/json.ts';

/** IDs as the service makes them: 32 hexadecimal characters that end in the number. */
export function id(number: number): string {
  return `feed${number.toString(16).padStart(28, '0')}`;
}

/** Returns a live playlist as `read` would. */
export function live(item: JsonObject): LivePlaylist {
  return liveOf({ method: 'GET', path: '/test', repeatable: true }, item);
}

export function beam(number: number): Beam {
  return { beam: { id: id(number) } };
}

type TextsByName = { readonly [name: string]: string };

/** Returns the services of `declare`, with these files by name and adopted IDs by address. */
function declareServices(files: TextsByName = {}, adopt: TextsByName = {}): DeclareServices {
  return {
    adoptedId: (address) => adopt[address],
    findingList: () => createFindingList((found) => found),
    readText: (path, name) => {
      const text = files[name];
      const finding: UnlocatedFinding = { severity: 'error', code: 'missing-file', summary: `${name} is missing`, path };
      return text === undefined ? { error: finding } : { file: `config/${name}`, text };
    },
  };
}

/** Declares the sections with these files by name and adopted IDs by address; returns the resources by address, and the findings. */
export function declare(sections: Sections, files: TextsByName = {}, adopt: TextsByName = {}) {
  const { resources, findings } = playlist.declare(sections, declareServices(files, adopt));
  return { resources: new Map(resources.map((resource) => [resource.address, resource])), findings };
}

/** Returns the only resource of sections without findings. @throws Error for any other sections */
export function onlyResource(sections: Sections): DesiredPlaylist {
  const { resources, findings } = playlist.declare(sections, declareServices());
  const [resource, ...more] = resources;
  if (!resource || more.length > 0 || findings.length > 0)
    throw new Error(`not exactly one resource without findings: ${JSON.stringify(findings)}`);
  return resource;
}

/** Returns a service that responds by a function, and the requests that it received. */
export function fakeService(respond: (request: ApiRequest) => Json): ApiService & { readonly requests: ApiRequest[] } {
  const requests: ApiRequest[] = [];
  return {
    requests,
    send: async (request): Promise<ApiResponse> => {
      requests.push(request);
      return { status: 200, body: respond(request) };
    },
  };
}

/** Returns the error for an unknown ID. */
export function notFound(request: ApiRequest): ApiError {
  const operation = `${request.method} ${request.path}`;
  return new ApiError({ category: 'not-found', operation, what: 'not found', advice: '', mayHaveWritten: 'no', status: 404 });
}

export function collection(items: readonly Json[]): Json {
  return { '@type': 'Collection', items, total_items: items.length };
}

const assetId = fc.integer({ min: 0, max: 30 }).map(id);

/** Canonical entries that a configuration may hold. */
export const entries = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: assetId.map((assetId): JsonObject => ({ beam: { id: assetId } })) },
      fc.integer({ min: 1, max: 600 }).map((dur): JsonObject => ({ ad: { dur } })),
    ),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .filter((list) => list.some((entry) => 'beam' in entry));

/** Settings within the documented ranges. */
export const settings = fc.record({
  active: fc.constantFrom(0, 1),
  ad_slate_fill: fc.constantFrom(0, 1),
  beam_break_duration: fc.nat(300),
  repeat: fc.integer({ min: -1, max: 9 }),
  skip_drm: fc.constantFrom(0, 1),
  studio_drm_required: fc.constantFrom(0, 1),
});

const description = fc.oneof(
  fc.constantFrom('', 'News', 'news', 'Evening block', 'evening-block', 'constructor', '123', 'Café ☕'),
  fc.string(),
);

/** Objects as the service shows them, each ID once; some asset-ID playlists, some with equal descriptions. */
export const items: fc.Arbitrary<readonly JsonObject[]> = fc.uniqueArray(
  fc.tuple(assetId, description, settings, entries, fc.boolean()).map(
    ([assetId, desc, values, list, isSmartStart]): JsonObject => ({
      id: assetId,
      desc,
      ...values,
      playlist: isSmartStart ? [{ beam: { id: assetId } }] : list,
    }),
  ),
  { selector: (item) => item.id, maxLength: 12 },
);

/** The defaults as fields that tests can spread. */
export const defaults: JsonObject = DEFAULTS;
