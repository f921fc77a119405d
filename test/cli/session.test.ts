import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  chosenTargets,
  declarationOf,
  hasError,
  namedTargets,
  openSession,
  type Session,
  validDeclarationOf,
} from '../../src/cli/session.ts';
import { temporaryFolder } from '../harness.ts';
import { fakeIo, refusal } from './fake-io.ts';

const TARGET = `
    base_url: https://services.example.com
    credentials: { owner: { env: OWNER }, api_key: { env: KEY } }
    sources: [config]`;

/** A project with these targets, and one source. */
function project(names: readonly string[], source = 'playlists: {}', file = 'upkeep.yaml'): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'config'));
  writeFileSync(join(folder, 'config/all.yaml'), source);
  writeFileSync(join(folder, file), `version: 1\ntargets:${names.map((name) => `\n  ${name}:${TARGET}`).join('')}\n`);
  return folder;
}

function opened(names: readonly string[], source?: string): Session {
  return openSession(fakeIo({ cwd: project(names, source) }), {});
}

describe('openSession', () => {
  test('finds upkeep.yaml from a folder below it', () => {
    const folder = project(['live']);
    mkdirSync(join(folder, 'a/b'), { recursive: true });
    expect(openSession(fakeIo({ cwd: join(folder, 'a/b') }), {}).folder).toBe(folder);
  });

  test.each(['', 'upkeep.yaml'])('takes --project as folder or file: %j', (name) => {
    const folder = project(['live']);
    const session = openSession(fakeIo({ cwd: '/' }), { project: join(folder, name) });
    expect(session.project.targets.map((target) => target.name)).toEqual(['live']);
  });

  test('takes a file of another name, relative to the working directory', () => {
    const folder = project(['live'], 'playlists: {}', 'other.yaml');
    expect(openSession(fakeIo({ cwd: folder }), { project: 'other.yaml' }).project.file).toBe('other.yaml');
  });

  test('says where it looked', () => {
    const cwd = temporaryFolder();
    expect(refusal(() => openSession(fakeIo({ cwd }), {}))).toMatchObject({ exit: 8, code: 'no-project' });
    expect(refusal(() => openSession(fakeIo({ cwd }), {})).message).toBe(`no upkeep.yaml in ${cwd} or above it`);
    expect(refusal(() => openSession(fakeIo({ cwd }), { project: 'nowhere' })).message).toBe('no upkeep.yaml in nowhere');
  });

  test('refuses an invalid upkeep.yaml with all its findings', () => {
    const folder = project(['live']);
    writeFileSync(join(folder, 'upkeep.yaml'), 'version: 2\ntargets: []\n');
    const stop = refusal(() => openSession(fakeIo({ cwd: folder }), {}));
    expect(stop).toMatchObject({ exit: 8, code: 'invalid-configuration', message: 'the configuration has 2 errors' });
    expect(stop.findings.map(({ file, line }) => `${file}:${line}`)).toEqual(['upkeep.yaml:1', 'upkeep.yaml:2']);
  });
});

describe('targets', () => {
  const session = () => opened(['prod-eu', 'prod-us', 'staging']);
  const names = (targets: readonly { readonly name: string }[]) => targets.map((target) => target.name);

  test('the only one needs no name; of several none is guessed', () => {
    expect(names(chosenTargets(opened(['live']), []))).toEqual(['live']);
    const stop = refusal(() => chosenTargets(session(), []));
    expect(stop).toMatchObject({ exit: 8, code: 'no-target', hint: 'the targets are prod-eu, prod-us, staging' });
  });

  test('names and globs choose in the order of upkeep.yaml, each once', () => {
    expect(names(chosenTargets(session(), ['staging', 'prod-*', '*-us']))).toEqual(['prod-eu', 'prod-us', 'staging']);
    expect(names(namedTargets(session(), []))).toEqual(['prod-eu', 'prod-us', 'staging']);
  });

  test('a glob that matches nothing stops the run, even beside one that does', () => {
    for (const choose of [chosenTargets, namedTargets]) {
      const stop = refusal(() => choose(session(), ['prod-*', 'prd']));
      expect(stop).toMatchObject({ exit: 8, code: 'unknown-target', message: '--target prd matches no target' });
    }
  });
});

describe('the declaration of a target', () => {
  const target = (session: Session) => {
    const [only] = session.project.targets;
    if (!only) throw new Error('there is no target');
    return only;
  };

  test('without a mistake', () => {
    const session = opened(['live'], 'playlists: { a: { playlist: [{ beam: 10c5467d77c54dc4b739db2cd832143a }] } }');
    const declaration = validDeclarationOf(session, target(session));
    expect(declaration.resources.map((resource) => resource.address)).toEqual(['playlist/a']);
    expect(hasError(declaration.findings)).toBe(false);
  });

  test('with a mistake is told by validate, and refused by the others', () => {
    const session = opened(['live'], 'playlist: {}');
    expect(hasError(declarationOf(session, target(session)).findings)).toBe(true);
    const stop = refusal(() => validDeclarationOf(session, target(session)));
    expect(stop).toMatchObject({ exit: 8, message: 'the configuration has 1 error' });
    expect(stop.findings).toHaveLength(1);
  });
});
