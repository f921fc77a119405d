import fc from 'fast-check';
import type {
  ApiRequest,
  ApiResponse,
  ApiService,
  DeclareContext,
  DesiredResource,
  LiveObject,
  Sections,
  UnlocatedFinding,
} from '../../../src/kinds/kind.ts';
import { ApiError } from '../../../src/kinds/kind.ts';
import { liveOf } from '../../../src/kinds/playlist/api.ts';
import { playlist } from '../../../src/kinds/playlist/index.ts';
import { DEFAULTS } from '../../../src/kinds/playlist/model.ts';
import type { Json, JsonObject } from '../../../src/model/json.ts';

/** IDs as the service makes them: 32 hexadecimal characters that end in the number. */
export function id(number: number): string {
  return `feed${number.toString(16).padStart(28, '0')}`;
}

/** A live playlist as `read` would give it. */
export function live(item: JsonObject): LiveObject {
  return liveOf({ method: 'GET', path: '/test', repeatable: true }, item);
}

export function beam(number: number): JsonObject {
  return { beam: { id: id(number) } };
}

/** Tools whose files are given by name. */
function tools(files: { readonly [name: string]: string } = {}): DeclareContext {
  return {
    readText: (path, name) => {
      const text = files[name];
      const finding: UnlocatedFinding = { severity: 'error', code: 'missing-file', summary: `${name} is missing`, path };
      return text === undefined ? { problem: finding } : { file: `config/${name}`, text };
    },
  };
}

/** Declares and gives the resources by address, with the findings. */
export function declared(sections: Sections, files: { readonly [name: string]: string } = {}) {
  const { resources, findings } = playlist.declare(sections, tools(files));
  return { resources: new Map(resources.map((resource) => [resource.address, resource])), findings: findings };
}

/** The one resource of sections without findings. */
export function only(sections: Sections): DesiredResource {
  const { resources, findings } = playlist.declare(sections, tools());
  const [resource, ...more] = resources;
  if (!resource || more.length > 0 || findings.length > 0) throw new Error(`not one clean resource: ${JSON.stringify(findings)}`);
  return resource;
}

/** A change with both sides, as the engine hands it to a kind. */
/** A service that answers from a function and notes what it was asked. */
export function serviceOf(answer: (request: ApiRequest) => Json): ApiService & { readonly asked: ApiRequest[] } {
  const asked: ApiRequest[] = [];
  return {
    asked,
    send: async (request): Promise<ApiResponse> => {
      asked.push(request);
      return { status: 200, body: answer(request) };
    },
  };
}

/** The error of an unknown ID. */
export function absent(request: ApiRequest): ApiError {
  const doing = `${request.method} ${request.path}`;
  return new ApiError({ kind: 'not-found', operation: doing, what: 'not found', advice: '', mayHaveWritten: 'no', status: 404 });
}

export function collection(items: readonly Json[]): Json {
  return { '@type': 'Collection', items, total_items: items.length };
}

const assetId = fc.integer({ min: 0, max: 30 }).map(id);

/** Canonical entries that a configuration may hold. */
export const entries = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: assetId.map((one): JsonObject => ({ beam: { id: one } })) },
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
  fc
    .tuple(assetId, description, settings, entries, fc.boolean())
    .map(([one, desc, values, list, own]): JsonObject => ({ id: one, desc, ...values, playlist: own ? [{ beam: { id: one } }] : list })),
  { selector: (item) => item.id, maxLength: 12 },
);

/** The defaults as fields that tests can spread. */
export const defaults: JsonObject = DEFAULTS;
