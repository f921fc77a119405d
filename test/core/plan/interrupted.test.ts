import { describe, expect, it } from 'vitest';
import { interruptedCreates } from '../../../src/core/plan/interrupted.ts';
import { rule, song } from '../../support/fake-kinds.ts';
import { aLiveRule, aLiveSong, aRule, aSingle, aSong } from '../../support/planning.ts';
import { stateWith } from '../../support/previous-states.ts';

const NOW = 0;
const fresh = stateWith({});
const created = (id: string) => ({ id, origin: 'created' });
const asObject = (bindings: ReturnType<typeof interruptedCreates>) => Object.fromEntries(bindings);

describe('interruptedCreates', () => {
  it('binds as created what equals a declaration of the killed apply, by its name or its ID', () => {
    const declared = [aSong('a', { list: ['x'] }), aSong('b'), aSingle('y')];
    const objects = [
      aLiveSong('1', { title: 'a', list: ['x'] }),
      aLiveSong('2', { title: 'c' }),
      aLiveSong('y', { title: '', list: ['y'] }),
    ];
    expect(asObject(interruptedCreates(song, objects, declared, fresh, NOW))).toEqual({ 'song/a': created('1'), 'single/y': created('y') });
    expect(asObject(interruptedCreates(rule, [aLiveRule('1', 'p', 2)], [aRule('p', 2)], fresh, NOW))).toEqual({ 'rule/p': created('1') });
  });

  it('binds nothing that differs in a field', () => {
    const objects = [aLiveSong('1', { title: 'a', list: ['x', 'y'] })];
    expect(asObject(interruptedCreates(song, objects, [aSong('a', { list: ['x'] })], fresh, NOW))).toEqual({});
  });

  it('binds nothing to an address that has a binding, and no object that is bound or was forgotten', () => {
    const objects = [aLiveSong('1', { title: 'a' })];
    const declared = [aSong('a')];
    expect(asObject(interruptedCreates(song, objects, declared, stateWith({ 'song/a': '9' }), NOW))).toEqual({});
    expect(asObject(interruptedCreates(song, objects, declared, stateWith({ 'song/b': '1' }), NOW))).toEqual({});
    expect(asObject(interruptedCreates(song, objects, declared, { ...fresh, forgotten: new Set(['1']) }, NOW))).toEqual({});
  });

  it('binds neither of two objects that fit an address', () => {
    const objects = [aLiveSong('1', { title: 'a' }), aLiveSong('2', { title: 'a' })];
    expect(asObject(interruptedCreates(song, objects, [aSong('a')], fresh, NOW))).toEqual({});
  });

  it('asks the newest of several killed applies first, and gives an object to one address only', () => {
    const newest = [aSong('new', { title: 'a' })];
    const older = [aSong('old', { title: 'a' }), aSong('new', { title: 'b' })];
    const objects = [aLiveSong('1', { title: 'a' }), aLiveSong('2', { title: 'b' })];
    expect(asObject(interruptedCreates(song, objects, [...newest, ...older], fresh, NOW))).toEqual({ 'song/new': created('1') });
  });

  it('takes no resource of another kind', () => {
    expect(asObject(interruptedCreates(song, [aLiveSong('1', { title: 'p' })], [aRule('p')], fresh, NOW))).toEqual({});
  });
});
