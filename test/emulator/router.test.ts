import { describe, expect, test } from 'vitest';
import { findRoute } from '../../src/emulator/router.ts';

const endpoints = [
  { method: 'GET', path: '/things' },
  { method: 'GET', path: '/thing/:id' },
  { method: 'DELETE', path: '/thing/:id' },
  { method: 'GET', path: '/thing/:id/part/:part' },
];

describe('findRoute', () => {
  test.each([
    ['GET', '/things', endpoints[0], {}],
    ['GET', '/things/', endpoints[0], {}],
    ['GET', '/%74hings', endpoints[0], {}],
    ['GET', '/thing/a', endpoints[1], { id: 'a' }],
    ['DELETE', '/thing/a%20b%2Fc/', endpoints[2], { id: 'a b/c' }],
    ['GET', '/thing/a/part/b', endpoints[3], { id: 'a', part: 'b' }],
  ])('finds the endpoint of %s %s', (method, path, endpoint, params) => {
    expect(findRoute(endpoints, method, path)).toEqual({ endpoint, params });
  });

  test.each([
    ['GET', '/'],
    ['POST', '/things'],
    ['GET', '/Things'],
    ['GET', '/things//'],
    ['GET', '/thing/'],
    ['GET', '/thing//part/b'],
    ['GET', '/thing/a/b'],
  ])('finds no endpoint for %s %s', (method, path) => {
    expect(findRoute(endpoints, method, path)).toBeUndefined();
  });

  test('throws a URIError for a path that is not well encoded', () => {
    expect(() => findRoute(endpoints, 'GET', '/thing/%zz')).toThrow(URIError);
  });
});
