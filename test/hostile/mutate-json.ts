/** Changes of a JSON document that keep it JSON: a value replaced, removed, repeated, moved to another key, or nested. */
import type { Random } from './random.ts';
import { ATTACKS } from './tokens.ts';

/** Values as they are written, some of which no JavaScript value would be written as. */
const VALUES: readonly string[] = [
  'null',
  'true',
  '{}',
  '[]',
  '""',
  '0',
  '-1',
  '1e400',
  '-1e400',
  '9007199254740993',
  '1.5',
  '"1"',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '"\\ud800"',
  '[[[[[[[[]]]]]]]]',
  `${'['.repeat(200)}${']'.repeat(200)}`,
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  JSON.stringify('x'.repeat(1_000_000)),
  `[${'0,'.repeat(100_000)}0]`,
  ...ATTACKS.map((text) => JSON.stringify(text)),
];

const KEYS: readonly string[] = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'error', 'id', '~', 'a/b', ...ATTACKS];

/** A location in the document: a member of a list or an object, which can be set and removed. */
interface Member {
  readonly holder: { [key: string]: unknown } | unknown[];
  readonly key: string | number;
}

/** The document with one to three changes; null where the bytes are no JSON document with members. */
export function mutateJson(bytes: Buffer, random: Random): Buffer | null {
  const root = { value: parsed(bytes) };
  if (!isHolder(root.value)) return null;
  for (let left = 1 + random.below(3); left > 0; left--) {
    const members = [...membersOf(root)];
    if (members.length === 0) break;
    random.of(CHANGES)(random.of(members), random.of(members), random);
  }
  // Values that JSON.stringify would write differently are in the tree as their number.
  return Buffer.from(JSON.stringify(root.value ?? null).replace(/"@@(\d+)"/g, (_mark, number) => VALUES[Number(number)] ?? 'null'));
}

type Change = (member: Member, other: Member, random: Random) => void;

const CHANGES: readonly Change[] = [
  (member, _other, random) => set(member, `@@${random.below(VALUES.length)}`),
  (member, _other, random) => set(member, `@@${random.below(VALUES.length)}`),
  ({ holder, key }) => {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  },
  (member, other) => set(member, structuredClone(get(other))),
  (member, other) => {
    const [own, its] = [structuredClone(get(member)), structuredClone(get(other))];
    set(member, its);
    set(other, own);
  },
  (member) => set(member, [get(member), structuredClone(get(member))]),
  ({ holder, key }, _other, random) => {
    const twice = structuredClone(get({ holder, key }));
    if (Array.isArray(holder)) holder.push(twice);
    else Object.defineProperty(holder, random.of(KEYS), { value: twice, enumerable: true, configurable: true, writable: true });
  },
  (member, _other, random) => {
    const value = get(member);
    if (typeof value === 'string') set(member, value.slice(0, random.below(value.length + 1)) + random.of(ATTACKS) + value.slice(-3));
    else if (typeof value === 'number') set(member, value + random.of([1, -1, 0.5, 2 ** 31, -(2 ** 53)]));
    else set(member, typeof value === 'object' ? JSON.stringify(value) : String(value));
  },
];

function get({ holder, key }: Member): unknown {
  return Array.isArray(holder) ? holder[Number(key)] : holder[key];
}

function set({ holder, key }: Member, value: unknown): void {
  if (Array.isArray(holder)) holder[Number(key)] = value;
  else holder[key] = value;
}

/** Every member below the root, and the root itself as a member. */
function* membersOf(holder: Member['holder']): Generator<Member> {
  for (const [key, value] of Object.entries(holder)) {
    yield { holder, key };
    if (isHolder(value)) yield* membersOf(value);
  }
}

function isHolder(value: unknown): value is Member['holder'] {
  return typeof value === 'object' && value !== null;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return null;
  }
}
