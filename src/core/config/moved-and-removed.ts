/** Reads and validates `moved` and `removed`: which addresses have a new name, and which objects are given up (design section 3, identity). */
import { type DesiredResource, errorFinding, type UnlocatedFinding } from '../kinds/kind.ts';
import { groupBy } from '../model/collections.ts';
import { isJsonObject, type Json, type JsonObject, type Path } from '../model/json.ts';
import type { SourceModel } from './source-model.ts';

/** The entries of `moved` and `removed`, and errors about them. */
export interface Moves {
  /** New address to old address. */
  readonly moved: ReadonlyMap<string, string>;
  readonly removed: ReadonlySet<string>;
  readonly findings: readonly UnlocatedFinding[];
}

/** Reads `moved` and `removed` from the merged sources. `resources` is null where the sources may declare more than could be read. */
export function readMovedAndRemoved(
  merged: JsonObject,
  { collectionPrefixes }: Pick<SourceModel, 'collectionPrefixes'>,
  resources: readonly DesiredResource[] | null,
): Moves {
  const declared = resources && new Map(resources.map((resource) => [resource.address, resource]));
  const moves = list(merged.moved).flatMap((value, index) => readMove(value, index));
  const [byFrom, byTo] = [groupBy(moves, (move) => move.from), groupBy(moves, (move) => move.to)];
  const contradicting = (move: Move) => [...(byFrom.get(move.from) ?? []), ...(byTo.get(move.to) ?? [])].find((other) => other !== move);
  const errors = moves.flatMap(
    (move) =>
      invalidMove(move, { prefixes: collectionPrefixes, contradicting: contradicting(move), isTaken: byTo.has(move.from), declared }) ?? [],
  );
  const cycles = cyclicMoves(moves);
  const removals = list(merged.removed).flatMap((value, index) => (typeof value === 'string' ? [{ address: value, index }] : []));
  return {
    moved: new Map(moves.map(({ from, to }) => [to, from])),
    removed: new Set(removals.map(({ address }) => address)),
    findings: [
      ...errors,
      ...cycles,
      ...removals.flatMap(({ address, index }) => invalidRemoval(address, index, collectionPrefixes, declared) ?? []),
    ],
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

/** What a move is checked with. */
interface MoveContext {
  readonly prefixes: readonly string[];
  /** Another move from or to one of its addresses. */
  readonly contradicting: Move | undefined;
  /** Whether another move takes its old address, so that this one is declared. */
  readonly isTaken: boolean;
  readonly declared: ReadonlyMap<string, DesiredResource> | null;
}

/** Returns what is wrong with a move. */
function invalidMove({ from, to, path }: Move, { prefixes, contradicting, isTaken, declared }: MoveContext): UnlocatedFinding | undefined {
  const prefix = movablePrefixOf(from, prefixes);
  if (prefix === undefined || prefix !== movablePrefixOf(to, prefixes)) {
    const summary = `${from} cannot become ${to}: a move keeps the prefix of the address`;
    return errorFinding('move', path, summary, 'Both addresses must begin with the same prefix, for example `playlist/`.');
  }
  if (contradicting !== undefined) {
    const summary = `${from} -> ${to} contradicts another line of \`moved\``;
    const hint = 'Each address may be `from` in one line and `to` in one line. Remove one of these lines.';
    return { ...errorFinding('move', path, summary, hint), other: contradicting };
  }
  if (declared === null) return undefined;
  const still = isTaken ? undefined : declared.get(from);
  if (still !== undefined) {
    const summary = `${from} is still declared, so that nobody can tell which of the two its object becomes`;
    const hint = `Remove this line, if the object is ${to} already, or has to stay ${from}. Or declare the new resource under another address.`;
    return { ...errorFinding('move', path, summary, hint), other: still };
  }
  return declared.has(to) ? undefined : errorFinding('move', path, `${to} is not declared`, 'Declare the resource under its new address.');
}

/** Returns errors about moves that form a cycle. None of them can be first, because each new address is the old address of another. */
function cyclicMoves(moves: readonly Move[]): readonly UnlocatedFinding[] {
  const next = new Map(moves.map((move) => [move.from, move]));
  const visited = new Set<Move>();
  return moves.flatMap((start) => {
    const trail = new Set<Move>();
    let move: Move | undefined = start;
    while (move && !visited.has(move) && !trail.has(move)) {
      trail.add(move);
      move = next.get(move.to);
    }
    const isCycle = move !== undefined && trail.has(move);
    for (const each of trail) visited.add(each);
    return isCycle
      ? [
          errorFinding(
            'move',
            start.path,
            `${start.from} -> ${start.to} is part of a cycle of moves`,
            start.from === start.to
              ? 'Remove this line: the address stays as it is.'
              : 'Move one of the resources to an unused address first, and apply. Then move it to its new address.',
          ),
        ]
      : [];
  });
}

function invalidRemoval(
  address: string,
  index: number,
  prefixes: readonly string[],
  declared: ReadonlyMap<string, DesiredResource> | null,
): UnlocatedFinding | undefined {
  const path = ['removed', index];
  if (movablePrefixOf(address, prefixes) === undefined)
    return errorFinding(
      'removed',
      path,
      `\`${address}\` is not an address that can be removed`,
      'Write the address as a plan shows it, for example `playlist/legacy`.',
    );
  return declared?.has(address)
    ? errorFinding('removed', path, `${address} is removed and declared`, 'Remove it from `removed`, or remove its declaration.')
    : undefined;
}

/** Returns the prefix of an address before its key; undefined for kinds whose objects cannot be moved. */
function movablePrefixOf(address: string, prefixes: readonly string[]): string | undefined {
  return prefixes.find((prefix) => address.startsWith(prefix) && address.length > prefix.length);
}
