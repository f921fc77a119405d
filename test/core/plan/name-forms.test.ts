import { describe, expect, it } from 'vitest';
import { createNameFormSearch } from '../../../src/core/plan/name-forms.ts';
import { rule, song } from '../../support/fake-kinds.ts';
import { aLiveRule, aLiveSong, aRule, aSingle, aSong } from '../../support/planning.ts';

function isOtherForm(desired: string, live: string, list: readonly string[] = ['x', 'y']): boolean {
  const object = aLiveSong('1', { title: live, list });
  return createNameFormSearch(song, [object])(aSong('a', { title: desired })).length === 1;
}

describe('createNameFormSearch', () => {
  it.each([
    ['Evening ', 'Evening'],
    ['Evening', ' Evening\n'],
    ['Cafe\u0301', 'Caf\u00e9'],
    ['Us & Them', 'Us &amp; Them'],
    ['Us & Them', 'Us &amp;amp; Them'],
    ['Us & Them', 'Us &amp;amp;amp; Them'],
    ['Us & Them', 'Us &AMP; Them'],
    ['<b> "x"', '&lt;b&gt; &quot;x&#34;'],
    ["it's", 'it&#x27;s'],
    ["it's", 'it&apos;s'],
    ['late show', 'late&nbsp;show'],
    [' Us & Caf\u00e9', 'Us &amp; Cafe\u0301'],
  ])('for %j, finds an object with the name %j, whatever its content', (desired, live) => {
    expect(isOtherForm(desired, live, ['z'])).toBe(true);
  });

  it.each([
    ['Evening block', 'Evening'],
    ['Evening block', 'Evening '],
    ['Caf\u00e9', 'Cafe'],
    ['  ', ''],
  ])('for %j, finds an object with the name %j only if the content is equal', (desired, live) => {
    expect(isOtherForm(desired, live)).toBe(true);
    expect(isOtherForm(desired, live, ['z'])).toBe(false);
  });

  it.each([
    ['Evening', 'Evening block'],
    ['Evening', 'evening'],
    ['Evening', ''],
    ['Evening', 'Morning'],
    ['&', '&zz;'],
  ])('for %j, does not find an object with the name %j', (desired, live) => {
    expect(isOtherForm(desired, live)).toBe(false);
  });

  it('finds nothing for a resource that is not matched by its name, and nothing that must not be bound', () => {
    const nameless = aLiveSong('1', { title: '', list: ['u'] });
    expect(createNameFormSearch(song, [nameless])(aSingle('u'))).toEqual([]);
    const refusing = { ...song, whyNotBindable: () => 'never' };
    expect(createNameFormSearch(refusing, [aLiveSong('1', { title: 'a ' })])(aSong('a'))).toEqual([]);
  });

  it('finds the object of a kind that binds any object', () => {
    const { whyNotBindable: _refuses, ...willing } = song;
    expect(createNameFormSearch(willing, [aLiveSong('1', { title: 'a ' })])(aSong('a'))).toHaveLength(1);
  });

  it('compares the content fields of any kind', () => {
    const search = createNameFormSearch(rule, [aLiveRule('1', 'prem', 3)]);
    expect(search(aRule('premium', 3))).toHaveLength(1);
    expect(search(aRule('premium', 4))).toEqual([]);
  });
});
