/** The mutator: bytes in, other bytes out, the same ones for the same random numbers. */
import { mutateJson } from './mutate-json.ts';
import type { Random } from './random.ts';
import { ATTACKS, BYTES, PIECES } from './tokens.ts';

/** Changes bytes; `others` are the files of the corpus that it may splice in. */
export type Mutator = (bytes: Buffer, others: readonly Buffer[], random: Random) => Buffer;

/** One to four changes, of which JSON suffers one that leaves it JSON every other time: else nothing would get past the parser. */
export const mutate: Mutator = (bytes, others, random) => {
  const structured = random.below(2) === 0 ? mutateJson(bytes, random) : null;
  if (structured !== null && random.below(4) > 0) return structured;
  let mutant = structured ?? bytes;
  for (let left = 1 + random.below(4); left > 0; left--) mutant = random.of(CHANGES)(mutant, others, random);
  return mutant;
};

const CHANGES: readonly Mutator[] = [
  function flipBit(bytes, _others, random) {
    const mutant = Buffer.from(bytes);
    const at = random.below(bytes.length + 1);
    mutant[at] = (mutant[at] ?? 0) ^ (1 << random.below(8));
    return mutant;
  },
  function insertBytes(bytes, _others, random) {
    return inserted(bytes, placeIn(bytes, random), Buffer.from(Array.from({ length: 1 + random.below(8) }, () => random.below(256))));
  },
  function remove(bytes, _others, random) {
    const [from, to] = rangeIn(bytes, random);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  function duplicate(bytes, _others, random) {
    const [from, to] = rangeIn(bytes, random);
    const times = Math.min(1 + random.below(40), Math.ceil(LONGEST / (to - from + 1)));
    return inserted(bytes, from, repeated(bytes.subarray(from, to), times));
  },
  function splice(bytes, others, random) {
    const other = random.of(others);
    return Buffer.concat([bytes.subarray(0, placeIn(bytes, random)), other.subarray(placeIn(other, random))]);
  },
  insertToken,
  insertToken,
  insertToken,
  function replaceWord(bytes, _others, random) {
    const at = placeIn(bytes, random);
    const [start, end] = [wordEdge(bytes, at, -1), wordEdge(bytes, at, 1)];
    return Buffer.concat([bytes.subarray(0, start), tokenOf(random), bytes.subarray(end)]);
  },
  function swapLines(bytes, _others, random) {
    const lines = bytes.toString('latin1').split('\n');
    const [a, b] = [random.below(lines.length), random.below(lines.length)];
    const [first = '', second = ''] = [lines[a], lines[b]];
    lines[a] = second;
    lines[b] = first;
    return Buffer.from(lines.join('\n'), 'latin1');
  },
  function otherLineEnds(bytes, _others, random) {
    return Buffer.from(bytes.toString('latin1').replaceAll('\n', random.of(['\r\n', '\r', '\n\n', '\n\t', '\n ', ' '])), 'latin1');
  },
  function tabs(bytes, _others, random) {
    return Buffer.from(bytes.toString('latin1').replaceAll(random.of(['    ', '  ', ': ']), '\t'), 'latin1');
  },
  function nest(bytes, _others, random) {
    const depth = random.of([8, 63, 64, 64, 65, 65, 500, 1_500, 1_500, 20_000]);
    const opening = random.of(['[', '{a: ', '{"a":', '- ', '? ', '[{', '!x &a ', '"', "'", '((']);
    const text = random.below(4) === 0 ? stairs(Math.min(depth, 1_500)) : opening.repeat(depth);
    return inserted(bytes, placeIn(bytes, random), Buffer.from(text));
  },
  function longLine(bytes, _others, random) {
    const length = random.of([1_000, 1_000, 1_000, 1_000, 70_000, 70_000, 1_000_000]);
    return inserted(bytes, placeIn(bytes, random), Buffer.alloc(length, random.of(['x', ' ', '0', '9', '#', '-', 'a: ', '*', '\\'])));
  },
];

/** Longest piece that is made by repeating, bytes. */
const LONGEST = 65_536;

function insertToken(bytes: Buffer, _others: readonly Buffer[], random: Random): Buffer {
  return inserted(bytes, placeIn(bytes, random), tokenOf(random));
}

function tokenOf(random: Random): Buffer {
  return random.below(6) === 0 ? Buffer.from(random.of(BYTES)) : Buffer.from(random.of(random.below(3) === 0 ? ATTACKS : PIECES));
}

/** A place: anywhere, or where lines and values begin. */
function placeIn(bytes: Buffer, random: Random): number {
  const anywhere = random.below(bytes.length + 1);
  const sign = random.of(['', '\n', ': ', '- ', '"']);
  const found = sign === '' ? -1 : bytes.indexOf(sign, anywhere);
  return found < 0 ? anywhere : found + sign.length;
}

function rangeIn(bytes: Buffer, random: Random): readonly [from: number, to: number] {
  const from = placeIn(bytes, random);
  return [from, Math.min(bytes.length, from + 1 + random.below(random.of([4, 60, 600])))];
}

function wordEdge(bytes: Buffer, from: number, step: -1 | 1): number {
  const isWord = (at: number) => /[\w.-]/.test(String.fromCharCode(bytes[at] ?? 0));
  let edge = from;
  while (edge > 0 && edge < bytes.length && isWord(step > 0 ? edge : edge - 1)) edge += step;
  return edge;
}

function inserted(bytes: Buffer, at: number, piece: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
}

function repeated(piece: Buffer, times: number): Buffer {
  return Buffer.concat(Array.from({ length: times }, () => piece));
}

/** A map in a map in a map, by indentation. */
function stairs(depth: number): string {
  return Array.from({ length: depth }, (_, level) => `\n${' '.repeat(level)}a:`).join('');
}
