/** What the merged sources are to say is told to the documents that say it, which keep their variables, names and order. */
import { describe, expect, test } from 'vitest';
import { editsPerDocument, NotEditable, setIn } from '../../../src/drift/accept/document-edits.ts';
import type { Json, JsonObject, Path } from '../../../src/model/json.ts';
import { asset, deskOf, type Files, sourcedFrom, type Targets } from './project.ts';

describe('a value with another one at a path', () => {
  test.each<readonly [string, Json | undefined, Path, Json | undefined, Json]>([
    ['has it there', { a: { b: 1, c: 2 } }, ['a', 'b'], 3, { a: { b: 3, c: 2 } }],
    ['has it beside the others', { a: 1 }, ['b'], { c: 2 }, { a: 1, b: { c: 2 } }],
    ['has the maps on the way', { a: 1 }, ['b', 'c'], 2, { a: 1, b: { c: 2 } }],
    ['has a map where something else was', { a: 1 }, ['a', 'b'], 2, { a: { b: 2 } }],
    ['has them where nothing was', undefined, ['a', 'b'], null, { a: { b: null } }],
    ['is that one where the path is empty', { a: 1 }, [], 2, 2],
    ['is null where the path is empty, and nothing comes', { a: 1 }, [], undefined, null],
    ['has an item in its place', { a: [1, 2, 3] }, ['a', 1], 5, { a: [1, 5, 3] }],
    ['has something within an item', [{ a: 1 }, { a: 2 }], [1, 'a'], 5, [{ a: 1 }, { a: 5 }]],
    ['leaves a member out', { a: { b: 1, c: 2 } }, ['a', 'b'], undefined, { a: { c: 2 } }],
    ['leaves the last member out', { a: { b: 1 } }, ['a', 'b'], undefined, { a: {} }],
    ['leaves out what was not there', { a: 1 }, ['b'], undefined, { a: 1 }],
    ['leaves an item out', { a: [1, 2, 3] }, ['a', 1], undefined, { a: [1, 3] }],
    ['leaves out something within an item', [{ a: 1, b: 1 }, { a: 2 }], [0, 'a'], undefined, [{ b: 1 }, { a: 2 }]],
    ['has no item more than it had', [1], [1], 2, [1]],
    ['takes a number for a name in a map', { 1: 'a' }, [1], 'b', { 1: 'b' }],
  ])('%s', (_what, value, path, at, found) => {
    const before = JSON.stringify(value);
    expect(setIn(value, path, at)).toEqual(found);
    expect(JSON.stringify(value)).toBe(before);
  });

  test('is the same in the order of its members', () => {
    expect(Object.keys(Object(setIn({ b: 1, a: 2, c: 3 }, ['a'], 5)))).toEqual(['b', 'a', 'c']);
  });

  test('reaches nothing that every object inherits', () => {
    expect(JSON.stringify(setIn({}, ['__proto__', 'a'], 1))).toBe('{"__proto__":{"a":1}}');
    expect(JSON.stringify(setIn({ a: 1, b: 1 }, ['a'], undefined))).toBe('{"b":1}');
    for (const made of [setIn({ a: 1 }, ['b'], 1), setIn({ a: 1 }, ['a'], undefined)]) expect(Object.getPrototypeOf(made)).toBeNull();
  });
});

/** What each document is to say, by `file:document`; only the documents that say something else. */
function told(files: Files, change: (merged: JsonObject) => Json, targets?: Targets): { readonly [part: string]: Json } {
  const sourced = sourcedFrom(deskOf(files, targets));
  const is = JSON.parse(JSON.stringify(change(sourced.merged)));
  const revised = editsPerDocument(sourced, is);
  for (const { part, was } of revised) expect(was).toEqual(part.yaml.documents[part.index]);
  return Object.fromEntries(revised.map(({ part, is: says }) => [`${part.file}:${part.index}`, says]));
}

const LIST = [{ beam: asset(1) }, { ad: 30 }, { beam: asset(2) }];
const text = (value: Json) => JSON.stringify(value);
const playlist = (fields: JsonObject) => ({ playlists: { a: { playlist: LIST, ...fields } } });
/** A change of playlist `a` in the merged sources. */
const set =
  (path: Path, value: Json | undefined) =>
  (merged: JsonObject): Json =>
    setIn(merged, ['playlists', 'a', ...path], value);

describe('one document', () => {
  const file = (fields: JsonObject) => ({ 'a.yaml': text(playlist(fields)) });

  test.each<readonly [string, JsonObject, Path, Json | undefined, JsonObject]>([
    ['says another value', { repeat: 1 }, ['repeat'], 2, { repeat: 2 }],
    ['says a value more', { repeat: 1 }, ['active'], 0, { repeat: 1, active: 0 }],
    ['says a value less', { repeat: 1, active: 0 }, ['active'], undefined, { repeat: 1 }],
    ['says a variable as text', { desc: 'x' }, ['desc'], `a \${b}`, { desc: `a $\${b}` }],
    ['says a variable as text where it is new', { repeat: 1 }, ['desc'], `a \${b}`, { repeat: 1, desc: `a $\${b}` }],
    ['keeps a text with a mark of a variable', { desc: `a $\${b}`, repeat: 1 }, ['repeat'], 2, { desc: `a $\${b}`, repeat: 2 }],
    ['says something else than a text with such a mark', { desc: `a $\${b}` }, ['desc'], 'c', { desc: 'c' }],
  ])('%s', (_what, fields, path, value, says) => {
    expect(told(file(fields), set(path, value))).toEqual({ 'a.yaml:0': playlist(says) });
  });

  test('says the same where nothing changes', () => {
    expect(told(file({ repeat: 1 }), (merged) => merged)).toEqual({});
  });

  test('says all that changes at once', () => {
    const change = (merged: JsonObject) => set(['repeat'], 2)(Object(set(['active'], 0)(merged)));
    expect(told(file({ repeat: 1 }), change)).toEqual({ 'a.yaml:0': playlist({ repeat: 2, active: 0 }) });
  });

  test('says another list with the items that stay', () => {
    const list = [{ beam: asset(3) }, { ad: 45 }, { beam: asset(2) }, { ad: 60 }];
    expect(told(file({}), set(['playlist'], list))).toEqual({ 'a.yaml:0': playlist({ playlist: list }) });
  });
});

describe('variables', () => {
  const files = (fields: JsonObject) => ({ 'a.yaml': text(playlist(fields)) });
  const targets = { main: { sources: ['a.yaml'], vars: { id: asset(1), more: 'x' } } };
  const list = (first: Json, dur: number) => [first, { ad: dur }, { beam: asset(2) }];

  test('stay in the items of a list beside the one that changes', () => {
    const written = { playlist: list({ beam: `\${id}` }, 30) };
    expect(told(files(written), set(['playlist'], list({ beam: asset(1) }, 60)), targets)).toEqual({
      'a.yaml:0': playlist({ playlist: list({ beam: `\${id}` }, 60) }),
    });
  });

  test('stay in the items of a list that moves, and what is new is said without', () => {
    const written = { playlist: list({ beam: `\${id}` }, 30) };
    const moved = [{ ad: 20 }, { beam: asset(1) }, { beam: `\${x}` }];
    expect(told(files(written), set(['playlist'], moved), targets)).toEqual({
      'a.yaml:0': playlist({ playlist: [{ ad: 20 }, { beam: `\${id}` }, { beam: `$\${x}` }] }),
    });
  });

  test('stay in the members of an item that changes, which may have more of them then', () => {
    const tracks = (hdcp: string, level: number, more: JsonObject) => ({
      drm_policies: {
        p: {
          widevine: { content_key_specs: [{ track_type: 'ALL', security_level: level, required_output_protection: { hdcp }, ...more }] },
        },
      },
    });
    const before = text(tracks(`\${hdcp}`, 1, {}));
    const vars = { main: { sources: ['a.yaml'], vars: { hdcp: 'HDCP_V2' } } };
    expect(told({ 'a.yaml': before }, () => tracks('HDCP_V2', 2, { x: `\${y}` }), vars)).toEqual({
      'a.yaml:0': tracks(`\${hdcp}`, 2, { x: `$\${y}` }),
    });
  });

  test('go with what is taken away', () => {
    expect(told(files({ desc: `\${more} a`, repeat: 1 }), set(['desc'], undefined), targets)).toEqual({
      'a.yaml:0': playlist({ repeat: 1 }),
    });
  });

  test.each([
    ['a text', { desc: `a \${more}` }, ['desc'], 'b', `a \${more}`],
    ['a text that begins with one', { desc: `\${more}` }, ['desc'], 'b', `\${more}`],
    [
      'an item',
      { playlist: [{ beam: `\${id}`, ad: null }, { beam: asset(2) }].map(({ beam }) => ({ beam })) },
      ['playlist'],
      [{ beam: asset(4) }, { beam: asset(2) }],
      `\${id}`,
    ],
  ])('make %s, which is left to people then', (_what, fields, path, value, raw) => {
    const attempt = () => told(files(fields), set(path, value), targets);
    expect(attempt).toThrow(
      new NotEditable(`the value is made of a variable: ${raw}`, 'edit it by hand: other values may be made of the same variable'),
    );
  });
});

describe('several documents', () => {
  const base = playlist({ repeat: 1, desc: 'x' });
  const over = (fields: JsonObject) => ({ playlists: { a: fields } });
  const files = (...layers: readonly Json[]) => Object.fromEntries(layers.map((layer, index) => [`${index}.yaml`, text(layer)]));

  test('that in force is told, and no other one', () => {
    expect(told(files(base, over({ repeat: 2 })), set(['repeat'], 3))).toEqual({ '1.yaml:0': over({ repeat: 3 }) });
    expect(told(files(base, over({ repeat: 2 })), set(['desc'], 'y'))).toEqual({ '0.yaml:0': playlist({ repeat: 1, desc: 'y' }) });
  });

  test('that in force is told what is new beside it', () => {
    expect(told(files(base, over({ repeat: 2 })), set(['active'], 0))).toEqual({ '1.yaml:0': over({ repeat: 2, active: 0 }) });
  });

  test('each is told its own part', () => {
    const change = (merged: JsonObject) => set(['repeat'], 3)(Object(set(['desc'], 'y')(merged)));
    expect(told(files(base, over({ repeat: 2 })), change)).toEqual({
      '0.yaml:0': playlist({ repeat: 1, desc: 'y' }),
      '1.yaml:0': over({ repeat: 3 }),
    });
  });

  test('what an earlier one says too is taken away by null, and what none says by nothing', () => {
    expect(told(files(base, over({ repeat: 2, active: 0 })), set(['repeat'], undefined))).toEqual({
      '1.yaml:0': over({ repeat: null, active: 0 }),
    });
    expect(told(files(base, over({ repeat: 2, active: 0 })), set(['active'], undefined))).toEqual({ '1.yaml:0': over({ repeat: 2 }) });
  });

  test('what one has taken away is said where the null stands', () => {
    expect(told(files(base, over({ repeat: null })), set(['repeat'], 3))).toEqual({ '1.yaml:0': over({ repeat: 3 }) });
  });

  test('in one file are told apart', () => {
    const two = `${text(base)}\n---\n${text({ playlists: { b: { playlist: LIST } } })}\n`;
    expect(told({ 'a.yaml': two }, (merged) => setIn(merged, ['playlists', 'b', 'repeat'], 2))).toEqual({
      'a.yaml:1': { playlists: { b: { playlist: LIST, repeat: 2 } } },
    });
  });

  test('that no document says has no place', () => {
    const attempt = () => told(files(base), (merged) => ({ ...merged, static_key: { scope: 'all' } }));
    expect(attempt).toThrow(new NotEditable('nothing in the sources defines `static_key`', 'edit the sources by hand'));
    expect(() => told(files(base), set(['a', 'b'], 1))).not.toThrow();
    expect(() => told(files(base), (merged) => setIn(merged, ['x', 'y'], 1))).toThrow('nothing in the sources defines `x`');
  });
});

test('a place that no document says is named by all its steps', () => {
  const sourced = { ...sourcedFrom(deskOf({ 'a.yaml': text(playlist({ repeat: 1 })) })), definingDocuments: () => [] };
  const is = { playlists: { a: { playlist: LIST, repeat: 2 } } };
  expect(() => editsPerDocument(sourced, is)).toThrow(
    new NotEditable('nothing in the sources defines `playlists.a.repeat`', 'edit the sources by hand'),
  );
});

test('a refusal says what and how', () => {
  const refusal = new NotEditable('it cannot', 'do it by hand');
  expect([refusal.name, refusal.message, refusal.hint]).toEqual(['NotEditable', 'it cannot', 'do it by hand']);
});
