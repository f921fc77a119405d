import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { fillIn } from './fill-in.ts';
import { temporaryFolder } from './harness.ts';
import { readTypes } from './published-types.ts';

const DECLARATIONS = `
import type { Shared } from './shared';
export interface Tree { name: string; parent?: Tree | null; children: Tree[]; shared?: Shared }
export interface Members {
  text: string; count: number; big: bigint; flag: boolean; nothing: null; any: unknown; state: 'open' | 'closed' | null;
  labels: { [name: string]: string }; free: Record<string, never>; joined: { a: number } & { b?: string }; either: string | { id: number };
  vague: { a?: number; [other: string]: unknown };
  never?: never; optional?: string;
}
`;

function declared() {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'types.d.ts'), DECLARATIONS);
  writeFileSync(join(folder, 'shared.d.ts'), 'export type Shared = 1 | 2;');
  return readTypes(join(folder, 'types.d.ts'));
}

const VALID = {
  ...{ text: 'x', count: 1.5, big: 7, flag: false, nothing: null, any: [], state: 'open', labels: { a: 'b' }, free: { x: 1 } },
  ...{ joined: { a: 1 }, either: 'x', vague: {} },
};

test('the schema of a type accepts its values and no others', () => {
  const accepts = new Ajv({ strict: false }).compile(declared()('Members').schema());
  const accepted = [VALID, { ...VALID, optional: 'x' }, { ...VALID, either: { id: 1 }, state: null }];
  for (const value of accepted) expect(accepts(value), JSON.stringify([value, accepts.errors])).toBe(true);
  const refused: readonly object[] = [
    ...[{ text: 7 }, { count: 'x' }, { big: 1.5 }, { flag: 'true' }, { nothing: 0 }, { state: 'half' }, { labels: { a: 1 } }],
    ...[{ free: 'x' }, { joined: {} }, { joined: { a: 1, c: 2 } }, { either: 7 }, { either: {} }, { vague: { b: 1 } }],
    ...[{ never: 'x' }, { optional: null }, { unknown: 1 }, { text: undefined }],
  ];
  for (const members of refused) expect(accepts(JSON.parse(JSON.stringify({ ...VALID, ...members }))), JSON.stringify(members)).toBe(false);
});

test('the schema of a type that contains itself, and of a type from another file, checks every level', () => {
  const accepts = new Ajv({ strict: false }).compile(declared()('Tree').schema());
  const leaf = { name: 'leaf', children: [] };
  expect(accepts({ name: 'root', parent: null, children: [{ ...leaf, parent: { name: 'root', children: [] }, shared: 2 }] })).toBe(true);
  expect(accepts({ name: 'root', children: [{ ...leaf, children: [{ name: 7, children: [] }] }] })).toBe(false);
  expect(accepts({ ...leaf, shared: 3 })).toBe(false);
});

test('a type tells its members, without those that may never be set', () => {
  const type = declared()('Members');
  expect(type.names()).toContain('never');
  expect([type.member('never'), type.member('unknown')]).toEqual([undefined, undefined]);
  expect(type.member('optional')?.schema()).toMatchObject({ type: 'string' });
});

test('a name that a file does not export is an error', () => {
  expect(() => declared()('Missing')).toThrow(/types\.d\.ts exports no type Missing/);
});

test('the members that a schema requires are filled in at every level, and a value is never changed', () => {
  const schema = declared()('Members').schema();
  const accepts = new Ajv({ strict: false }).compile(schema);
  expect(accepts(fillIn(schema, {}))).toBe(true);
  expect(fillIn(schema, { text: 7, either: { id: 'x' }, joined: {}, extra: 1 })).toMatchObject({
    ...{ text: 7, either: { id: 'x' }, joined: { a: 0 }, extra: 1, state: null, flag: false },
  });
  const tree = declared()('Tree').schema();
  expect(fillIn(tree, { children: [{ name: 'leaf' }] })).toEqual({ name: 'filled in', children: [{ name: 'leaf', children: [] }] });
  expect([null, 'x', [1]].map((value) => fillIn(tree, value))).toEqual([null, 'x', [1]]);
});
