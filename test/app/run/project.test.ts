import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  chosenTargets,
  desiredStateOf,
  hasError,
  namedTargets,
  type OpenProject,
  openProject,
  validDesiredStateOf,
} from '../../../src/app/run/project.ts';
import { fakeIo, thrownCliError } from '../../cli/fake-io.ts';
import { temporaryFolder } from '../../support/harness.ts';

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

function openProjectWith(names: readonly string[], source?: string): OpenProject {
  return openProject(fakeIo({ cwd: project(names, source) }), {});
}

describe('openProject', () => {
  test('openProject finds upkeep.yaml in a parent folder', () => {
    const folder = project(['live']);
    mkdirSync(join(folder, 'a/b'), { recursive: true });
    expect(openProject(fakeIo({ cwd: join(folder, 'a/b') }), {}).folder).toBe(folder);
  });

  test.each(['', 'upkeep.yaml'])('openProject accepts a folder or a file as --project: %j', (name) => {
    const folder = project(['live']);
    const session = openProject(fakeIo({ cwd: '/' }), { project: join(folder, name) });
    expect(session.project.targets.map((target) => target.name)).toEqual(['live']);
  });

  test('openProject accepts a file of another name, relative to the working directory', () => {
    const folder = project(['live'], 'playlists: {}', 'other.yaml');
    expect(openProject(fakeIo({ cwd: folder }), { project: 'other.yaml' }).project.file).toBe('other.yaml');
  });

  test('openProject reports where it looked for upkeep.yaml', () => {
    const cwd = temporaryFolder();
    expect(thrownCliError(() => openProject(fakeIo({ cwd }), {}))).toMatchObject({ exit: 8, code: 'no-project' });
    expect(thrownCliError(() => openProject(fakeIo({ cwd }), {})).message).toBe(`no upkeep.yaml in ${cwd} or above it`);
    expect(thrownCliError(() => openProject(fakeIo({ cwd }), { project: 'nowhere' })).message).toBe('no upkeep.yaml in nowhere');
  });

  test('openProject refuses an invalid upkeep.yaml with all its findings', () => {
    const folder = project(['live']);
    writeFileSync(join(folder, 'upkeep.yaml'), 'version: 2\ntargets: []\n');
    const error = thrownCliError(() => openProject(fakeIo({ cwd: folder }), {}));
    expect(error).toMatchObject({ exit: 8, code: 'invalid-configuration', message: 'the configuration has 2 errors' });
    expect(error.findings.map(({ file, line }) => `${file}:${line}`)).toEqual(['upkeep.yaml:1', 'upkeep.yaml:2']);
  });
});

describe('the chosen targets', () => {
  const session = () => openProjectWith(['prod-eu', 'prod-us', 'staging']);
  const names = (targets: readonly { readonly name: string }[]) => targets.map((target) => target.name);

  test('the only target needs no name; with several targets a name is required', () => {
    expect(names(chosenTargets(openProjectWith(['live']), []))).toEqual(['live']);
    const error = thrownCliError(() => chosenTargets(session(), []));
    expect(error).toMatchObject({ exit: 8, code: 'no-target', hint: 'the targets are prod-eu, prod-us, staging' });
  });

  test('names and globs select targets in the order of upkeep.yaml, each once', () => {
    expect(names(chosenTargets(session(), ['staging', 'prod-*', '*-us']))).toEqual(['prod-eu', 'prod-us', 'staging']);
    expect(names(namedTargets(session(), []))).toEqual(['prod-eu', 'prod-us', 'staging']);
  });

  test('a glob that matches no target is an error, even beside one that matches', () => {
    for (const choose of [chosenTargets, namedTargets]) {
      const error = thrownCliError(() => choose(session(), ['prod-*', 'prd']));
      expect(error).toMatchObject({ exit: 8, code: 'unknown-target', message: '--target prd matches no target' });
    }
  });

  test('where a glob matches nothing and there is one target only, the hint names it', () => {
    const error = thrownCliError(() => namedTargets(openProjectWith(['live']), ['prd']));
    expect(error).toMatchObject({ code: 'unknown-target', hint: 'the only target is live' });
  });
});

describe('the desired state of a target', () => {
  const target = (session: OpenProject) => {
    const [only] = session.project.targets;
    if (!only) throw new Error('there is no target');
    return only;
  };

  test('a valid configuration has no findings', () => {
    const session = openProjectWith(['live'], 'playlists: { a: { playlist: [{ beam: 10c5467d77c54dc4b739db2cd832143a }] } }');
    const desiredState = validDesiredStateOf(session, target(session));
    expect(desiredState.resources.map((resource) => resource.address)).toEqual(['playlist/a']);
    expect(hasError(desiredState.findings)).toBe(false);
  });

  test('an invalid configuration is returned with its findings by desiredStateOf and refused by validDesiredStateOf', () => {
    const session = openProjectWith(['live'], 'playlist: {}');
    expect(hasError(desiredStateOf(session, target(session)).findings)).toBe(true);
    const error = thrownCliError(() => validDesiredStateOf(session, target(session)));
    expect(error).toMatchObject({ exit: 8, message: 'the configuration has 1 error' });
    expect(error.findings).toHaveLength(1);
  });
});
