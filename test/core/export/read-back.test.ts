/** What is exported is proved by reading it back: what does not stand the proof becomes a comment with its reason. */

import { describe, expect, it } from 'vitest';
import type { DesiredState } from '../../../src/core/config/desired-state.ts';
import { loadDesiredState } from '../../../src/core/config/load-desired-state.ts';
import type { Project } from '../../../src/core/config/project.ts';
import { memoryFiles } from '../../../src/core/config/project-folder.ts';
import { createSourceModel } from '../../../src/core/config/source-model.ts';
import { escapeVariables } from '../../../src/core/config/variables.ts';
import { exportAccount } from '../../../src/core/export/export-account.ts';
import type { ExportedFile } from '../../../src/core/export/source-files.ts';
import {
  type ConfigEntry,
  type DesiredResource,
  errorFinding,
  isLiveObject,
  type Kind,
  type LiveResource,
  type LiveSetting,
  type UnlocatedFinding,
  warningFinding,
} from '../../../src/core/kinds/kind.ts';
import { isJsonObject, type JsonObject } from '../../../src/core/model/json.ts';
import { asString, asStringArray } from '../../../src/core/model/json-readers.ts';
import { NO_WINDOWS } from '../../../src/core/windows/windows.ts';
import { dial, song } from '../../support/fake-kinds.ts';
import { aLiveSong, aSingle, aSong, desiredStateOf, target, theDial } from '../../support/planning.ts';

const MAP = { type: 'object', additionalProperties: { type: 'object' } };

function membersOf(section: unknown): readonly [string, JsonObject][] {
  return Object.entries(Object(section)).map(([key, value]) => [key, Object(value)]);
}

/** Singles are declared in groups, as `{ assets, level }`. */
function singlesIn([group, { assets, ...fields }]: readonly [string, JsonObject]): readonly DesiredResource[] {
  return (asStringArray(assets) ?? []).map((asset, index) => ({ ...aSingle(asset, fields), path: ['singles', group, 'assets', index] }));
}

/** What is wrong with a song is what its member `error` or `warning` says. */
function problemsIn([key, fields]: readonly [string, JsonObject]): readonly UnlocatedFinding[] {
  return Object.entries({ error: errorFinding, warning: warningFinding }).flatMap(([member, say]) => {
    const summary = asString(fields[member]);
    return summary === undefined ? [] : [say('odd', ['songs', key, member], summary, 'mend it')];
  });
}

/** Songs as they are declared, and as `express` says. */
function songs(express: Kind['toConfig']): Kind {
  return {
    ...song,
    findingCodes: { odd: { meaning: 'an odd value' } },
    schema: { properties: { songs: MAP, singles: MAP, shelf: MAP } },
    declare: (sections) => {
      const own = membersOf(sections.songs);
      const resources = own.map(([key, { error: _error, warning: _warning, ...fields }]) => aSong(key, fields));
      return { resources: [...resources, ...membersOf(sections.singles).flatMap(singlesIn)], findings: own.flatMap(problemsIn) };
    },
    toConfig: express,
  };
}

/** The dial is declared below its section. */
function dials(value: JsonObject): Kind {
  return {
    ...dial,
    schema: { properties: { dial: { type: 'object' } } },
    declare: ({ dial: said }) => {
      const list = asStringArray(isJsonObject(said) ? said.list : []) ?? [];
      return { resources: [{ ...theDial(isJsonObject(said) && said.open === true, list), path: ['dial', 'open'] }], findings: [] };
    },
    toConfig: (objects) => ({ entries: [{ section: 'dial', key: null, value, adopt: {}, objects }], notDeclarable: [] }),
  };
}

const liveDial: LiveSetting = {
  id: null,
  fields: { list: ['s'], open: true },
  unknownMembers: [],
};

function entry(key: string, value: JsonObject, objects: readonly LiveResource[], adopt: ConfigEntry['adopt'] = {}): ConfigEntry {
  const [section = 'songs'] = objects.flatMap((object) => (isLiveObject(object) ? [object.configSection] : []));
  return { section, key, value, adopt, objects };
}

const variable = (name: string) => `$\{${name}}`;
const project: Project = {
  file: 'upkeep.yaml',
  name: null,
  targets: [target],
  rules: [],
  guards: [],
  notify: [],
  windows: NO_WINDOWS,
  devices: {},
};

/** The files of an account with these objects, by name. */
function exported(kind: Kind, objects: readonly LiveResource[]): { readonly [name: string]: string } {
  const model = createSourceModel([kind]);
  const read = (files: readonly ExportedFile[]) =>
    loadDesiredState(memoryFiles(files), project, { ...target, sources: files.map(({ name }) => ({ path: name, defaults: {} })) }, model);
  const { files } = exportAccount([{ kind, result: { objects, warnings: [] } }], read, 0);
  return Object.fromEntries(files.map(({ name, text }) => [name, text]));
}

/** How an object is managed that is left out for a finding whose severity can be set. */
const AT_RULE = ' To manage it as it is, write `rules: { odd: warning }` in upkeep.yaml, and export again.';

const [a, b, c] = [aLiveSong('one', { title: 'a' }), aLiveSong('two', { title: 'b' }), aLiveSong('three', { title: 'c' })];

describe('an exported declaration', () => {
  it('stands as it is where it reads back as the account is', () => {
    const kind = songs(() => ({ entries: [entry('a', {}, [a]), entry('b', { level: 0 }, [b])], notDeclarable: [] }));
    expect(exported(kind, [a, b])).toEqual({ 'songs.yaml': 'songs:\n  a: {}\n  b:\n    level: 0\n', 'singles.yaml': 'singles: {}\n' });
  });

  it('is left out where it would read back as different, and the rest stands', () => {
    const kind = songs(() => ({ entries: [entry('a', { level: 1, list: [] }, [a]), entry('b', {}, [b])], notDeclarable: [] }));
    expect(exported(kind, [a, b])['songs.yaml']).toBe(
      '# song/~one "a" is left out: it would read back as different in /level, /list\nsongs:\n  b: {}\n',
    );
  });

  it('is left out although all that is found are warnings', () => {
    const entries = [entry('a', { level: 1 }, [a]), entry('b', { warning: 'Doubtful.' }, [b])];
    expect(
      exported(
        songs(() => ({ entries, notDeclarable: [] })),
        [a, b],
      )['songs.yaml'],
    ).toBe('# song/~one "a" is left out: it would read back as different in /level\nsongs:\n  b:\n    warning: Doubtful.\n');
  });

  it('is left out as a whole with every object behind it, where one of them would be different', () => {
    const objects = ['p', 'q', 'r'].map((id) => aLiveSong(id, { title: '', list: [id], level: id === 'q' ? 1 : 0 }));
    const [p, q, r] = objects;
    const entries = [
      entry(
        'vod',
        { assets: ['p', 'q'] },
        [p, q].flatMap((live) => live ?? []),
      ),
      entry('z', { assets: ['r'] }, r ? [r] : []),
    ];
    expect(
      exported(
        songs(() => ({ entries, notDeclarable: [] })),
        objects,
      ),
    ).toEqual({
      'songs.yaml': 'songs: {}\n',
      'singles.yaml': [
        '# song/~p is left out: it would read back as different in /level',
        '# song/~q is left out: it would read back as different in /level',
        'singles:\n  z:\n    assets:\n      - r\n',
      ].join('\n'),
    });
  });

  it('is left out where its object cannot be told, among the comments in their order', () => {
    const twin = aLiveSong('other', { title: 'a' });
    const notDeclarable = [{ object: twin, reason: 'it has a twin' }];
    const kind = songs(() => ({ entries: [entry('a', {}, [a]), entry('b', {}, [b])], notDeclarable }));
    expect(exported(kind, [a, b, twin])['songs.yaml']).toBe(
      [
        '# song/~one "a" is left out: 2 live objects fit it: one, other',
        '# song/~other "a" is left out: it has a twin',
        'songs:\n  b: {}\n',
      ].join('\n'),
    );
  });

  it.each([
    ['first', ['a', 'b', 'c']],
    ['second', ['b', 'a', 'c']],
    ['last', ['b', 'c', 'a']],
  ])('is left out for what validation says of it, as the %s of its file', (_place, keys) => {
    const all = { a: entry('a', { level: 1, error: 'It is odd.' }, [a]), b: entry('b', { list: ['x', 'y'] }, [b]), c: entry('c', {}, [c]) };
    const entries = keys.flatMap((key) => Object.values(all).filter((each) => each.key === key));
    const texts = { a: '', b: '  b:\n    list:\n      - x\n      - "y"\n', c: '  c: {}\n' };
    const rest = keys.map((key) => new Map(Object.entries(texts)).get(key)).join('');
    expect(
      exported(
        songs(() => ({ entries, notDeclarable: [] })),
        [a, b, c],
      )['songs.yaml'],
    ).toBe(`# song/~one "a" is left out: It is odd.${AT_RULE}\nsongs:\n${rest}`);
  });

  it('is left out where it is refused below the comments', () => {
    const notDeclarable = [{ object: c, reason: 'it is a secret' }];
    const entries = [entry('b', {}, [b]), entry('a', { error: 'It is odd.' }, [a])];
    expect(
      exported(
        songs(() => ({ entries, notDeclarable })),
        [a, b, c],
      )['songs.yaml'],
    ).toBe(`# song/~one "a" is left out: It is odd.${AT_RULE}\n# song/~three "c" is left out: it is a secret\nsongs:\n  b: {}\n`);
  });

  it('is named in a comment of one line without hidden characters or commands of a CI system, whatever its reason holds', () => {
    const notDeclarable = [{ object: c, reason: 'it is\n##[error] a\u202esecret # plain' }];
    expect(
      exported(
        songs(() => ({ entries: [entry('b', {}, [b])], notDeclarable })),
        [b, c],
      )['songs.yaml'],
    ).toBe('# song/~three "c" is left out: it is\\n\\u{23}#[error] a\\u{202e}secret # plain\nsongs:\n  b: {}\n');
  });

  it('is bound by one line under `adopt`, in order, and left out where that line is refused', () => {
    const odd = aLiveSong('no id', { title: 'odd' });
    const entries = [
      entry('z', { title: 'c' }, [c], { 'song/z': 'three' }),
      entry('m', { title: 'odd' }, [odd], { 'song/m': 'no id' }),
      entry('b', { title: 'a' }, [a], { 'song/b': 'one' }),
    ];
    const files = exported(
      songs(() => ({ entries, notDeclarable: [] })),
      [a, c, odd],
    );
    expect(files['adopt.yaml']).toBe('adopt:\n  song/b: one\n  song/z: three\n');
    expect(files['songs.yaml']).toMatch(/^# song\/~no id "odd" is left out: .+\nsongs:\n {2}z:\n {4}title: c\n {2}b:\n {4}title: a\n$/);
  });
});

describe('an exported setting', () => {
  it('is the value of its section', () => {
    const text = 'dial:\n  list:\n    - $${x}\n  open: true\n';
    const live = { ...liveDial, fields: { list: [variable('x')], open: true } };
    expect(exported(dials(live.fields), [live])).toEqual({ 'dial.yaml': text });
  });

  it('that would read back as different leaves its section out, since an empty one would say something', () => {
    const text = '# dial is left out: it would read back as different in /list, /open\n';
    expect(exported(dials({ list: [], open: false }), [liveDial])).toEqual({ 'dial.yaml': text });
  });
});

describe('a reader', () => {
  const kind = songs(() => ({ entries: [entry('a', {}, [a])], notDeclarable: [] }));
  const account = [{ kind, result: { objects: [a], warnings: [] } }];
  const finding = { severity: 'error', code: 'odd', summary: 'It is odd.', column: 1 } as const;

  it.each([
    ['another file', { ...finding, file: 'other.yaml', line: 2 }],
    ['the line of the section', { ...finding, file: 'songs.yaml', line: 1 }],
  ])('that refuses %s finds a mistake of the program', (_what, found) => {
    const refused = 'an exported file is refused outside of every declaration: It is odd.';
    expect(() => exportAccount(account, () => ({ ...desiredStateOf([]), findings: [found] }), 0)).toThrow(refused);
  });

  it.each<[string, DesiredState, string]>([
    ['other resources', desiredStateOf([]), ''],
    ['an error', { ...desiredStateOf([aSong('a')]), findings: [{ ...finding, file: 'songs.yaml', line: 2 }] }, ': songs.yaml: It is odd.'],
  ])('that finds %s in another layout finds a mistake of the program', (_what, other, detail) => {
    const states = [desiredStateOf([aSong('a')]), other];
    const read = () => states.shift() ?? other;
    expect(() => exportAccount(account, read, 0, { groupBy: 'file' })).toThrow(
      `the exported files declare something else in this layout${detail}`,
    );
  });

  it('that finds what nobody wrote finds a mistake of the program', () => {
    const lost = 'an exported declaration cannot be found again: song/b';
    expect(() => exportAccount(account, () => desiredStateOf([aSong('b')]), 0)).toThrow(lost);
  });
});

it('a text is taken literally wherever it stands', () => {
  const [x, y] = [variable('x'), variable('y')];
  expect(escapeVariables({ a: [x, { b: `${y} and ${x}` }, 1, null], c: false })).toEqual({
    a: [`$${x}`, { b: `$${y} and $${x}` }, 1, null],
    c: false,
  });
});
