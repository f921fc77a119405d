import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findingAt } from '../../../src/core/config/findings.ts';
import { expandVariables, type Scope } from '../../../src/core/config/variables.ts';
import { assertProperty } from '../../support/property.ts';

/** Returns the variables with these values. */
function scopeOf(values: { readonly [name: string]: string | number | boolean }): Scope {
  return new Map(Object.entries(values).map(([name, value]) => [name, { value, text: () => String(value) }]));
}

/** A use of a variable, as it is written in a source. */
const use = (name: string) => `\${${name}}`;

describe('expandVariables', () => {
  test('replaces variables in every text, but not in keys', () => {
    const document = { [use('a')]: [`x ${use('a')}-${use('b')}`, { deep: use('a') }, 1, null, true] };
    expect(expandVariables(document, scopeOf({ a: 'eu', b: '' })).value).toEqual({ [use('a')]: ['x eu-', { deep: 'eu' }, 1, null, true] });
  });

  test('does not expand values again', () => {
    expect(expandVariables(use('a'), scopeOf({ a: use('b'), b: 'no' })).value).toBe(use('b'));
    expect(expandVariables(use('a'), scopeOf({ a: '$$' })).value).toBe('$$');
  });

  test('reads `$${` as a literal `${`, and leaves other dollar signs alone', () => {
    expect(expandVariables([`$${use('a')}`, `$$${use('a')}`, '$', '$$', 'a$b', '$$x'], scopeOf({ a: 'no' }))).toEqual({
      value: [use('a'), `$${use('a')}`, '$', '$$', 'a$b', '$$x'],
      findings: [],
    });
  });

  test('reports the path of an unknown variable, and suggests a name', () => {
    const { value, findings } = expandVariables({ list: ['ok', use('regoin')] }, scopeOf({ region: 'eu' }));
    expect(value).toEqual({ list: ['ok', use('regoin')] });
    expect(findings.map((finding) => findingAt({ file: 'a.yaml', line: 1, column: 1 }, finding))).toMatchObject([
      {
        code: 'unknown-variable',
        summary: expect.stringContaining('regoin'),
        hint: expect.stringContaining('`region`'),
      },
    ]);
  });

  test('rejects inherited names and unclosed variables', () => {
    const vars = scopeOf({ a: 'x' });
    expect(expandVariables([use('toString'), use('__proto__'), use(''), use(' a'), '${a'], vars).findings).toHaveLength(5);
    expect(expandVariables('${a', vars).findings[0]?.summary).toContain('closing brace');
  });

  test('limits how much text variables can add', () => {
    const { findings } = expandVariables(use('a').repeat(10_000), scopeOf({ a: 'x'.repeat(4_096) }));
    expect(findings).toEqual([{ code: 'too-large', path: [], summary: expect.stringContaining('32 MiB'), hint: expect.any(String) }]);
  });

  test('does not change the document, and shares parts without variables', () => {
    const document = { a: { b: 'plain' }, c: use('x') };
    const { value } = expandVariables(document, scopeOf({ x: '1' }));
    expect(document.c).toBe(use('x'));
    expect(Object(value).a).toBe(document.a);
  });

  test('reads any text literally if every `${` is written `$${`', () => {
    assertProperty(
      fc.property(fc.string({ unit: fc.constantFrom('$', '{', '}', 'a') }), (text) => {
        expect(
          expandVariables(
            text.replaceAll('${', () => '$${'),
            scopeOf({ a: 'no' }),
          ),
        ).toEqual({ value: text, findings: [] });
      }),
    );
  });
});
