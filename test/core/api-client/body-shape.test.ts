import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bodyShape } from '../../../src/core/api-client/body-shape.ts';
import { assertProperty } from '../../support/property.ts';

describe('the form of a body', () => {
  test.each([
    [undefined, 'none'],
    [null, 'null'],
    [[], '[]'],
    [{ a: 'secret', b: 1, c: true, d: null }, '{a: string, b: number, c: boolean, d: null}'],
    [{ items: [{ id: 'x' }, { id: 'y' }], total_items: 2 }, '{items: 2 x {id: string}, total_items: number}'],
    [{ a: { b: { c: { d: 1 } } } }, '{a: {b: {c: {1 members}}}}'],
    [
      Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`m${index}`, index])),
      `{${Array.from({ length: 12 }, (_, index) => `m${index}: number`).join(', ')}}`,
    ],
    [
      Object.fromEntries(Array.from({ length: 14 }, (_, index) => [`m${index}`, index])),
      `{${Array.from({ length: 12 }, (_, index) => `m${index}: number`).join(', ')}, 2 more}`,
    ],
  ])('of %j is %s', (body, shape) => {
    expect(bodyShape(body)).toBe(shape);
  });

  test('never holds a value', () => {
    const value = fc.constantFrom('Secret4711', 47_114_711);
    const names = fc.constantFrom('a', 'b', 'c');
    const { body } = fc.letrec((tie) => ({
      body: fc.oneof(value, fc.array(tie('body'), { maxLength: 3 }), fc.dictionary(names, tie('body'), { maxKeys: 3 })),
    }));
    assertProperty(
      fc.property(body, (each) => {
        expect(bodyShape(each)).not.toMatch(/4711/);
      }),
    );
  });
});
