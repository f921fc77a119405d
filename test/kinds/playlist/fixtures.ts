import fc from 'fast-check';
import type { Answer, Desired, Live, Planned, Problem, Request, Sections, Service, Tools } from '../../../src/kinds/kind.ts';
import { ServiceError } from '../../../src/kinds/kind.ts';
import { DEFAULTS } from '../../../src/kinds/playlist/canonical.ts';
import { playlist } from '../../../src/kinds/playlist/index.ts';
import { liveOf } from '../../../src/kinds/playlist/remote.ts';
import type { Action } from '../../../src/model/change.ts';
import type { Fields, Json } from '../../../src/model/json.ts';

/** IDs as the service makes them: 32 hexadecimal characters that end in the number. */
export function id(number: number): string {
  return `feed${number.toString(16).padStart(28, '0')}`;
}

/** A live playlist as `read` would give it. */
export function live(item: Fields): Live {
  return liveOf({ method: 'GET', path: '/test', repeatable: true }, item);
}

export function beam(number: number): Fields {
  return { beam: { id: id(number) } };
}

/** Tools whose files are given by name. */
function tools(files: { readonly [name: string]: string } = {}): Tools {
  return {
    readText: (path, name) => {
      const text = files[name];
      const problem: Problem = { severity: 'error', code: 'missing-file', summary: `${name} is missing`, path };
      return text === undefined ? { problem } : { file: `config/${name}`, text };
    },
  };
}

/** Declares and gives the resources by address, with the problems. */
export function declared(sections: Sections, files: { readonly [name: string]: string } = {}) {
  const { resources, problems } = playlist.declare(sections, tools(files));
  return { resources: new Map(resources.map((resource) => [resource.address, resource])), problems };
}

/** The one resource of sections without problems. */
export function only(sections: Sections): Desired {
  const { resources, problems } = playlist.declare(sections, tools());
  const [resource, ...more] = resources;
  if (!resource || more.length > 0 || problems.length > 0) throw new Error(`not one clean resource: ${JSON.stringify(problems)}`);
  return resource;
}

/** A change with both sides, as the engine hands it to a kind. */
export function planned(desired: Desired | null, object: Live | null): Planned {
  const action: Action = desired ? (object ? 'update' : 'create') : 'delete';
  const change = {
    address: desired?.address ?? `playlist/~${object?.id}`,
    kind: 'playlist',
    name: '',
    action,
    origin: 'unknown',
    effect: 'neutral',
    fields: [],
    phase: 2,
    wave: 0,
    digest: '',
    held: null,
  } as const;
  return { change, desired, live: object };
}

/** A service that answers from a function and notes what it was asked. */
export function serviceOf(answer: (request: Request) => Json): Service & { readonly asked: Request[] } {
  const asked: Request[] = [];
  return {
    asked,
    send: async (request): Promise<Answer> => {
      asked.push(request);
      return { status: 200, body: answer(request) };
    },
  };
}

/** The error of an unknown ID. */
export function absent(request: Request): ServiceError {
  const doing = `${request.method} ${request.path}`;
  return new ServiceError({ fault: 'absent', doing, what: 'not found', advice: '', written: 'no', status: 404 });
}

export function collection(items: readonly Json[]): Json {
  return { '@type': 'Collection', items, total_items: items.length };
}

const assetId = fc.integer({ min: 0, max: 30 }).map(id);

/** Canonical entries that a configuration may hold. */
export const entries = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: assetId.map((one): Fields => ({ beam: { id: one } })) },
      fc.integer({ min: 1, max: 600 }).map((dur): Fields => ({ ad: { dur } })),
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
export const items: fc.Arbitrary<readonly Fields[]> = fc.uniqueArray(
  fc
    .tuple(assetId, description, settings, entries, fc.boolean())
    .map(([one, desc, values, list, own]): Fields => ({ id: one, desc, ...values, playlist: own ? [{ beam: { id: one } }] : list })),
  { selector: (item) => item.id, maxLength: 12 },
);

/** The defaults as fields that tests can spread. */
export const defaults: Fields = DEFAULTS;
