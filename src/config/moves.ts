/** `moved` and `removed`: what the user says about resources that are no longer declared under their old address (design section 3). */
import type { DesiredResource, Kind, UnlocatedFinding } from '../kinds/kind.ts';
import { groupBy } from '../model/group-by.ts';
import { isJsonObject, type Json, type JsonObject, type Path } from '../model/json.ts';

/** What `moved` and `removed` say; only what is sound. */
export interface Moves {
  /** New address to old address. */
  readonly moved: ReadonlyMap<string, string>;
  readonly removed: ReadonlySet<string>;
  readonly problems: readonly UnlocatedFinding[];
}

/** The schemas of both keys. */
export const movesSchema = {
  moved: {
    description:
      'Resources that are declared under a new address: the live object stays the same, so that a rename is no delete and create.',
    type: 'array',
    examples: [[{ from: 'playlist/old-name', to: 'playlist/evening-block' }]],
    items: {
      description: 'One rename.',
      type: 'object',
      required: ['from', 'to'],
      additionalProperties: false,
      properties: {
        from: {
          description: 'The old address, for example playlist/old-name.',
          type: 'string',
          minLength: 1,
          examples: ['playlist/old-name'],
        },
        to: { description: 'The new address, which is declared.', type: 'string', minLength: 1, examples: ['playlist/evening-block'] },
      },
    },
  },
  removed: {
    description: 'Addresses that are no longer declared, and whose live objects stay: upkeep forgets them instead of deleting them.',
    type: 'array',
    uniqueItems: true,
    examples: [['playlist/legacy']],
    items: { description: 'An address.', type: 'string', minLength: 1, examples: ['playlist/legacy'] },
  },
} as const;

/** Reads both keys of the merged, schema-valid sources. `resources` is null where not all of them could be declared. */
export function movesOf(merged: JsonObject, kinds: readonly Kind[], resources: readonly DesiredResource[] | null): Moves {
  const declared = resources && new Set(resources.map((resource) => resource.address));
  const moves = list(merged.moved).flatMap((value, index) => readMove(value, index));
  const [from, to] = [groupBy(moves, (move) => move.from), groupBy(moves, (move) => move.to)];
  const contradicted = (move: Move) => [...(from.get(move.from) ?? []), ...(to.get(move.to) ?? [])].some((other) => other !== move);
  const bad = moves.flatMap((move) => misplaced(move, kinds, contradicted(move), declared) ?? []);
  const circles = circular(moves);
  const removals = list(merged.removed).flatMap((value, index) => (typeof value === 'string' ? [{ address: value, index }] : []));
  return {
    moved: new Map(moves.map(({ from, to }) => [to, from])),
    removed: new Set(removals.map(({ address }) => address)),
    problems: [...bad, ...circles, ...removals.flatMap(({ address, index }) => misremoved(address, index, kinds, declared) ?? [])],
  };
}

interface Move {
  readonly from: string;
  readonly to: string;
  readonly path: Path;
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function readMove(value: Json, index: number): readonly Move[] {
  if (!isJsonObject(value) || typeof value.from !== 'string' || typeof value.to !== 'string') return [];
  return [{ from: value.from, to: value.to, path: ['moved', index] }];
}

/** The old address may be declared again: a new resource may take an old name. */
function misplaced(
  { from, to, path }: Move,
  kinds: readonly Kind[],
  contradicted: boolean,
  declared: ReadonlySet<string> | null,
): UnlocatedFinding | undefined {
  const form = formOf(from, kinds);
  if (form === undefined || form !== formOf(to, kinds)) {
    const summary = `${from} cannot become ${to}: a move stays within one form of one kind`;
    return error('move', summary, 'Both addresses begin alike, for example `playlist/` or `drm-policy/`.', path);
  }
  if (contradicted) {
    const summary = `${from} -> ${to} contradicts another line of \`moved\``;
    return error('move', summary, 'An address moves once, and one address takes its place.', path);
  }
  return declared === null || declared.has(to)
    ? undefined
    : error('move', `${to} is not declared`, 'Declare the resource under its new address.', path);
}

/** Moves that lead back to where they began: no address in them is free to begin with. */
function circular(moves: readonly Move[]): readonly UnlocatedFinding[] {
  const next = new Map(moves.map((move) => [move.from, move]));
  const settled = new Set<Move>();
  return moves.flatMap((start) => {
    const trail = new Set<Move>();
    let move: Move | undefined = start;
    while (move && !settled.has(move) && !trail.has(move)) {
      trail.add(move);
      move = next.get(move.to);
    }
    const closed = move !== undefined && trail.has(move);
    for (const each of trail) settled.add(each);
    return closed
      ? [error('move', `${start.from} -> ${start.to} is part of a circle`, 'Move through a name that is free, in two applies.', start.path)]
      : [];
  });
}

function misremoved(
  address: string,
  index: number,
  kinds: readonly Kind[],
  declared: ReadonlySet<string> | null,
): UnlocatedFinding | undefined {
  const path = ['removed', index];
  if (formOf(address, kinds) === undefined)
    return error('removed', `\`${address}\` is no address that can be removed`, 'It is written as in a plan: `playlist/legacy`.', path);
  return declared?.has(address) ? error('removed', `${address} is removed and declared`, 'Leave out one of the two.', path) : undefined;
}

/** The part of an address before its key, for kinds whose objects can be moved. */
function formOf(address: string, kinds: readonly Kind[]): string | undefined {
  return kinds
    .filter((kind) => !kind.singleton)
    .flatMap((kind) => kind.addresses)
    .find((prefix) => address.startsWith(prefix) && address.length > prefix.length);
}

function error(code: string, summary: string, hint: string, path: Path): UnlocatedFinding {
  return { severity: 'error', code, summary, hint, path };
}
