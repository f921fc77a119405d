import { describe, expect, it } from 'vitest';
import { declarationDigest } from '../../../src/core/config/declaration-digest.ts';
import type { IgnoredField } from '../../../src/core/model/ignored-fields.ts';
import { aSong, desiredStateOf } from '../../support/planning.ts';

const declared = { file: 'a.yaml', line: 1, column: 1 };
const ignored = (path: string, more: Partial<IgnoredField> = {}): readonly IgnoredField[] => [{ path, declared, ...more }];
const base = desiredStateOf([aSong('a'), aSong('b')]);
const digest = declarationDigest(base);

describe('declarationDigest', () => {
  it('is a hash that does not depend on the order of resources, nor on where files declare them', () => {
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(declarationDigest(desiredStateOf([aSong('b'), aSong('a')]))).toBe(digest);
    const moved = desiredStateOf([{ ...aSong('a'), ignored: ignored('/title', { why: 'x' }) }]);
    const same = desiredStateOf([{ ...aSong('a'), ignored: ignored('/title', { declared: { ...declared, line: 9 } }) }]);
    expect(declarationDigest(moved)).toBe(declarationDigest(same));
  });

  it.each([
    ['a field', desiredStateOf([aSong('a', { list: ['z', 'y'] }), aSong('b')])],
    ['a resource', desiredStateOf([aSong('a')])],
    ['an ignored field', desiredStateOf([{ ...aSong('a'), ignored: ignored('/title') }, aSong('b')])],
    ['its last day', desiredStateOf([{ ...aSong('a'), ignored: ignored('/title', { until: '2030-01-01' }) }, aSong('b')])],
    ['a managed section', { ...base, presentKeys: new Set(['songs', 'other']) }],
    ['`adopt`', { ...base, adopt: new Map([['song/a', '1']]) }],
    ['`moved`', { ...base, moved: new Map([['song/a', '1']]) }],
    ['`removed`', { ...base, removed: new Set(['song/c']) }],
  ])('differs with %s', (_, changed) => {
    expect(declarationDigest(changed)).not.toBe(digest);
  });

  it('tells `adopt` from `moved`, and an ignored field with a last day from one without', () => {
    const pair = new Map([['song/a', '1']]);
    expect(declarationDigest({ ...base, adopt: pair })).not.toBe(declarationDigest({ ...base, moved: pair }));
    const withDay = desiredStateOf([{ ...aSong('a'), ignored: ignored('/title', { until: '2030-01-01' }) }]);
    expect(declarationDigest(withDay)).not.toBe(declarationDigest(desiredStateOf([{ ...aSong('a'), ignored: ignored('/title') }])));
  });
});
