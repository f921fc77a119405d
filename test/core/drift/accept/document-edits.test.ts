/** Edits of the merged sources change the documents that define the edited values; variables, names and order are kept. */
import { describe, expect, test } from 'vitest';
import { editsPerDocument, NotEditable, setIn } from '../../../../src/core/drift/accept/document-edits.ts';
import type { Json, JsonObject, Path } from '../../../../src/core/model/json.ts';
import { asset, type Files, loadSources, type Targets, workspaceOf } from './project.ts';

describe('setIn', () => {
  test.each<readonly [string, Json | undefined, Path, Json | undefined, Json]>([
    ['replaces a member', { a: { b: 1, c: 2 } }, ['a', 'b'], 3, { a: { b: 3, c: 2 } }],
    ['adds a member', { a: 1 }, ['b'], { c: 2 }, { a: 1, b: { c: 2 } }],
    ['creates missing maps', { a: 1 }, ['b', 'c'], 2, { a: 1, b: { c: 2 } }],
    ['replaces a scalar on the path by a map', { a: 1 }, ['a', 'b'], 2, { a: { b: 2 } }],
    ['creates all maps for an undefined value', undefined, ['a', 'b'], null, { a: { b: null } }],
    ['replaces the whole value for an empty path', { a: 1 }, [], 2, 2],
    ['returns null for an empty path without a replacement', { a: 1 }, [], undefined, null],
    ['replaces an item', { a: [1, 2, 3] }, ['a', 1], 5, { a: [1, 5, 3] }],
    ['replaces a member of an item', [{ a: 1 }, { a: 2 }], [1, 'a'], 5, [{ a: 1 }, { a: 5 }]],
    ['removes a member', { a: { b: 1, c: 2 } }, ['a', 'b'], undefined, { a: { c: 2 } }],
    ['removes the last member and keeps the empty map', { a: { b: 1 } }, ['a', 'b'], undefined, { a: {} }],
    ['ignores the removal of a missing member', { a: 1 }, ['b'], undefined, { a: 1 }],
    ['removes an item', { a: [1, 2, 3] }, ['a', 1], undefined, { a: [1, 3] }],
    ['removes a member of an item', [{ a: 1, b: 1 }, { a: 2 }], [0, 'a'], undefined, [{ b: 1 }, { a: 2 }]],
    ['adds no item at an index beyond the list', [1], [1], 2, [1]],
    ['uses a number as the key of a map', { 1: 'a' }, [1], 'b', { 1: 'b' }],
  ])('%s', (_name, value, path, replacement, expected) => {
    const before = JSON.stringify(value);
    expect(setIn(value, path, replacement)).toEqual(expected);
    expect(JSON.stringify(value)).toBe(before);
  });

  test('keeps the order of the members', () => {
    expect(Object.keys(Object(setIn({ b: 1, a: 2, c: 3 }, ['a'], 5)))).toEqual(['b', 'a', 'c']);
  });

  test('never writes to inherited members', () => {
    expect(JSON.stringify(setIn({}, ['__proto__', 'a'], 1))).toBe('{"__proto__":{"a":1}}');
    expect(JSON.stringify(setIn({ a: 1, b: 1 }, ['a'], undefined))).toBe('{"b":1}');
    for (const result of [setIn({ a: 1 }, ['b'], 1), setIn({ a: 1 }, ['a'], undefined)]) expect(Object.getPrototypeOf(result)).toBeNull();
  });
});

/** Returns the edited documents by `file:document` after a change of the merged sources. */
function editedDocuments(files: Files, change: (merged: JsonObject) => Json, targets?: Targets): { readonly [part: string]: Json } {
  const sources = loadSources(workspaceOf(files, targets));
  const is = JSON.parse(JSON.stringify(change(sources.merged)));
  const { documents: edits } = editsPerDocument(sources, is);
  for (const { part, was } of edits) expect(was).toEqual(part.yaml.documents[part.index]);
  return Object.fromEntries(edits.map((edit) => [`${edit.part.file}:${edit.part.index}`, edit.is]));
}

const LIST = [{ beam: asset(1) }, { ad: 30 }, { beam: asset(2) }];
const text = (value: Json) => JSON.stringify(value);
const playlist = (fields: JsonObject) => ({ playlists: { a: { playlist: LIST, ...fields } } });
/** Returns a change of playlist `a` in the merged sources. */
const setInPlaylist =
  (path: Path, value: Json | undefined) =>
  (merged: JsonObject): Json =>
    setIn(merged, ['playlists', 'a', ...path], value);

describe('the edit of one document', () => {
  const file = (fields: JsonObject) => ({ 'a.yaml': text(playlist(fields)) });

  test.each<readonly [string, JsonObject, Path, Json | undefined, JsonObject]>([
    ['replaces a value', { repeat: 1 }, ['repeat'], 2, { repeat: 2 }],
    ['adds a value', { repeat: 1 }, ['active'], 0, { repeat: 1, active: 0 }],
    ['removes a value', { repeat: 1, active: 0 }, ['active'], undefined, { repeat: 1 }],
    ['escapes a live text that looks like a variable', { desc: 'x' }, ['desc'], `a \${b}`, { desc: `a $\${b}` }],
    ['escapes a live text that looks like a variable in a new member', { repeat: 1 }, ['desc'], `a \${b}`, { repeat: 1, desc: `a $\${b}` }],
    ['keeps an escaped text that does not change', { desc: `a $\${b}`, repeat: 1 }, ['repeat'], 2, { desc: `a $\${b}`, repeat: 2 }],
    ['replaces an escaped text', { desc: `a $\${b}` }, ['desc'], 'c', { desc: 'c' }],
  ])('%s', (_name, fields, path, value, expected) => {
    expect(editedDocuments(file(fields), setInPlaylist(path, value))).toEqual({ 'a.yaml:0': playlist(expected) });
  });

  test('is left out where nothing changes', () => {
    expect(editedDocuments(file({ repeat: 1 }), (merged) => merged)).toEqual({});
  });

  test('contains all changes of the document', () => {
    const change = (merged: JsonObject) => setInPlaylist(['repeat'], 2)(Object(setInPlaylist(['active'], 0)(merged)));
    expect(editedDocuments(file({ repeat: 1 }), change)).toEqual({ 'a.yaml:0': playlist({ repeat: 2, active: 0 }) });
  });

  test('replaces a list and keeps the items that stay', () => {
    const list = [{ beam: asset(3) }, { ad: 45 }, { beam: asset(2) }, { ad: 60 }];
    expect(editedDocuments(file({}), setInPlaylist(['playlist'], list))).toEqual({ 'a.yaml:0': playlist({ playlist: list }) });
  });
});

describe('a variable', () => {
  const files = (fields: JsonObject) => ({ 'a.yaml': text(playlist(fields)) });
  const targets = { main: { sources: ['a.yaml'], vars: { id: asset(1), more: 'x' } } };
  const list = (first: Json, dur: number) => [first, { ad: dur }, { beam: asset(2) }];

  test('stays in the unchanged items of a list', () => {
    const written = { playlist: list({ beam: `\${id}` }, 30) };
    expect(editedDocuments(files(written), setInPlaylist(['playlist'], list({ beam: asset(1) }, 60)), targets)).toEqual({
      'a.yaml:0': playlist({ playlist: list({ beam: `\${id}` }, 60) }),
    });
  });

  test('stays in an item that moves, and new items are written without variables', () => {
    const written = { playlist: list({ beam: `\${id}` }, 30) };
    const moved = [{ ad: 20 }, { beam: asset(1) }, { beam: `\${x}` }];
    expect(editedDocuments(files(written), setInPlaylist(['playlist'], moved), targets)).toEqual({
      'a.yaml:0': playlist({ playlist: [{ ad: 20 }, { beam: `\${id}` }, { beam: `$\${x}` }] }),
    });
  });

  test('stays in the unchanged members of an item that gets another member', () => {
    const tracks = (hdcp: string, level: number, more: JsonObject) => ({
      drm_policies: {
        p: {
          widevine: { content_key_specs: [{ track_type: 'ALL', security_level: level, required_output_protection: { hdcp }, ...more }] },
        },
      },
    });
    const before = text(tracks(`\${hdcp}`, 1, {}));
    const vars = { main: { sources: ['a.yaml'], vars: { hdcp: 'HDCP_V2' } } };
    expect(editedDocuments({ 'a.yaml': before }, () => tracks('HDCP_V2', 2, { x: `\${y}` }), vars)).toEqual({
      'a.yaml:0': tracks(`\${hdcp}`, 2, { x: `$\${y}` }),
    });
  });

  test('is removed with its value', () => {
    expect(editedDocuments(files({ desc: `\${more} a`, repeat: 1 }), setInPlaylist(['desc'], undefined), targets)).toEqual({
      'a.yaml:0': playlist({ repeat: 1 }),
    });
  });

  test.each([
    ['a part of a text', { desc: `a \${more}` }, ['desc'], 'b', `a \${more}`],
    ['a whole text', { desc: `\${more}` }, ['desc'], 'b', `\${more}`],
    [
      'an item of a list',
      { playlist: [{ beam: `\${id}`, ad: null }, { beam: asset(2) }].map(({ beam }) => ({ beam })) },
      ['playlist'],
      [{ beam: asset(4) }, { beam: asset(2) }],
      `\${id}`,
    ],
  ])('prevents the edit of %s', (_name, fields, path, value, raw) => {
    const attempt = () => editedDocuments(files(fields), setInPlaylist(path, value), targets);
    expect(attempt).toThrow(
      new NotEditable(`the value is made of a variable: ${raw}`, 'edit it by hand: other values may be made of the same variable'),
    );
  });
});

describe('edits of several documents', () => {
  const base = playlist({ repeat: 1, desc: 'x' });
  const over = (fields: JsonObject) => ({ playlists: { a: fields } });
  const files = (...layers: readonly Json[]) => Object.fromEntries(layers.map((layer, index) => [`${index}.yaml`, text(layer)]));

  test('change only the document that defines the effective value', () => {
    expect(editedDocuments(files(base, over({ repeat: 2 })), setInPlaylist(['repeat'], 3))).toEqual({ '1.yaml:0': over({ repeat: 3 }) });
    expect(editedDocuments(files(base, over({ repeat: 2 })), setInPlaylist(['desc'], 'y'))).toEqual({
      '0.yaml:0': playlist({ repeat: 1, desc: 'y' }),
    });
  });

  test('add a member to the document that defines its neighbors last', () => {
    expect(editedDocuments(files(base, over({ repeat: 2 })), setInPlaylist(['active'], 0))).toEqual({
      '1.yaml:0': over({ repeat: 2, active: 0 }),
    });
  });

  test('change each document that defines a changed value', () => {
    const change = (merged: JsonObject) => setInPlaylist(['repeat'], 3)(Object(setInPlaylist(['desc'], 'y')(merged)));
    expect(editedDocuments(files(base, over({ repeat: 2 })), change)).toEqual({
      '0.yaml:0': playlist({ repeat: 1, desc: 'y' }),
      '1.yaml:0': over({ repeat: 3 }),
    });
  });

  test('remove a value by null where an earlier document defines it too, and by removing the member otherwise', () => {
    expect(editedDocuments(files(base, over({ repeat: 2, active: 0 })), setInPlaylist(['repeat'], undefined))).toEqual({
      '1.yaml:0': over({ repeat: null, active: 0 }),
    });
    expect(editedDocuments(files(base, over({ repeat: 2, active: 0 })), setInPlaylist(['active'], undefined))).toEqual({
      '1.yaml:0': over({ repeat: 2 }),
    });
  });

  test('replace the null of a document that had removed the value', () => {
    expect(editedDocuments(files(base, over({ repeat: null })), setInPlaylist(['repeat'], 3))).toEqual({ '1.yaml:0': over({ repeat: 3 }) });
  });

  test('distinguish the documents of one file', () => {
    const two = `${text(base)}\n---\n${text({ playlists: { b: { playlist: LIST } } })}\n`;
    expect(editedDocuments({ 'a.yaml': two }, (merged) => setIn(merged, ['playlists', 'b', 'repeat'], 2))).toEqual({
      'a.yaml:1': { playlists: { b: { playlist: LIST, repeat: 2 } } },
    });
  });

  test('are refused for a section that no document defines', () => {
    const attempt = () => editedDocuments(files(base), (merged) => ({ ...merged, static_key: { scope: 'all' } }));
    expect(attempt).toThrow(new NotEditable('nothing in the sources defines `static_key`', 'edit the sources by hand'));
    expect(() => editedDocuments(files(base), setInPlaylist(['a', 'b'], 1))).not.toThrow();
    expect(() => editedDocuments(files(base), (merged) => setIn(merged, ['x', 'y'], 1))).toThrow('nothing in the sources defines `x`');
  });
});

test('an edit that no document defines is refused with its whole path', () => {
  const sources = { ...loadSources(workspaceOf({ 'a.yaml': text(playlist({ repeat: 1 })) })), definitionsOf: () => [] };
  const is = { playlists: { a: { playlist: LIST, repeat: 2 } } };
  expect(() => editsPerDocument(sources, is)).toThrow(
    new NotEditable('nothing in the sources defines `playlists.a.repeat`', 'edit the sources by hand'),
  );
});

test('NotEditable has a reason and a hint', () => {
  const refusal = new NotEditable('it cannot', 'do it by hand');
  expect([refusal.name, refusal.message, refusal.hint]).toEqual(['NotEditable', 'it cannot', 'do it by hand']);
});
