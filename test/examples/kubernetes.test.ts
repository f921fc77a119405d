/**
 * The Kubernetes recipes: their fields are those of the Kubernetes API (package `kubernetes-types`, which is generated from its OpenAPI
 * description); how they use them is checked here; and the scripts of their containers are run, from the clone to the exit code.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { lazy } from '../../src/core/config/lazy.ts';
import { isObject } from '../../src/core/model/json.ts';
import { manyPlaylists } from '../e2e/accounts.ts';
import { temporaryFolder } from '../support/harness.ts';
import { readTypes } from '../support/published-types.ts';
import { createRecipeProject, type RecipeProject, runProgram, SECRETS } from './recipe-project.ts';

const folder = new URL('../../examples/ci/kubernetes/', import.meta.url);

type Members = { readonly [member: string]: unknown };

function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((rest, key) => (Array.isArray(rest) ? rest[Number(key)] : isObject(rest) ? rest[key] : undefined), value);
}

function manifest(file: string): unknown {
  return parse(readFileSync(new URL(file, folder), 'utf8'), { merge: true });
}

function list(value: unknown): readonly Members[] {
  return [value].flat().filter(isObject);
}

/** The Job that a manifest describes, be it a Job or a CronJob. */
function jobOf(file: string): unknown {
  const all = manifest(file);
  return at(all, 'kind') === 'CronJob' ? at(all, 'spec', 'jobTemplate', 'spec') : at(all, 'spec');
}

const batchV1 = lazy(() => readTypes('kubernetes-types/batch/v1.d.ts'));

/** Returns what the Kubernetes API does not allow of a Job or a CronJob; an empty text if it allows everything. */
function violations(value: unknown): string {
  const ajv = new Ajv({ strict: false, allErrors: true });
  ajv.validate(batchV1()(String(at(value, 'kind'))).schema(), value);
  return ajv.errors ? ajv.errorsText(ajv.errors) : '';
}

describe.each(readdirSync(folder))('the Kubernetes manifest %s', (file) => {
  test('takes its image from one variable, which the command in its head fills in and nothing else', () => {
    const text = readFileSync(new URL(file, folder), 'utf8');
    const [, command = ''] = /^# {3}UPKEEP_IMAGE=\.\.\. (envsubst '\S+') </m.exec(text) ?? [];
    const image = `registry.example.com/upkeep@sha256:${'0'.repeat(64)}`;
    const filledIn = execFileSync('sh', ['-c', command], { input: text, env: { PATH: process.env.PATH, UPKEEP_IMAGE: image } }).toString();
    expect(filledIn).toBe(text.replaceAll('${UPKEEP_IMAGE}', image));
    expect(filledIn.match(new RegExp(`^ +image: ${image}$`, 'gm'))).toHaveLength(containers.length);
  });
  const job = jobOf(file);
  const pod = at(job, 'template', 'spec');
  const containers = [...list(at(pod, 'initContainers')), ...list(at(pod, 'containers'))];

  test('has only fields of the Kubernetes API, with values of their types', () => {
    expect(manifest(file)).toMatchObject({ apiVersion: 'batch/v1', kind: expect.stringMatching(/^(Cron)?Job$/) });
    expect(violations(manifest(file))).toBe('');
  });

  test('has a deadline, and is not retried', () => {
    expect(job).toMatchObject({ activeDeadlineSeconds: expect.any(Number) });
    expect([at(job, 'backoffLimit'), at(job, 'backoffLimitPerIndex')]).toContain(0);
    expect(pod).toMatchObject({ restartPolicy: 'Never', automountServiceAccountToken: false, enableServiceLinks: false });
    if (at(manifest(file), 'kind') === 'CronJob') expect(at(manifest(file), 'spec')).toMatchObject({ concurrencyPolicy: 'Forbid' });
  });

  test('runs without privileges, on a read-only root file system', () => {
    expect(at(pod, 'securityContext')).toMatchObject({ runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } });
    expect(containers.length).toBeGreaterThan(1);
    for (const container of containers) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.resources).toMatchObject({ limits: { memory: expect.any(String) } });
      expect(container.image).toBe('${UPKEEP_IMAGE}');
    }
  });

  test('mounts its secrets as read-only files, and one empty volume for everything it writes', () => {
    const volumes = new Map(list(at(pod, 'volumes')).map((volume) => [volume.name, volume]));
    for (const container of containers) {
      for (const variable of list(container.env)) expect(Object.keys(variable).sort()).toEqual(['name', 'value']);
      expect(container).not.toHaveProperty('envFrom');
      for (const mount of list(container.volumeMounts)) {
        const volume = volumes.get(mount.name);
        if (volume?.secret === undefined) expect([mount.mountPath, volume?.emptyDir]).toEqual(['/checkout', expect.anything()]);
        else expect(mount).toMatchObject({ readOnly: true });
      }
      expect(list(container.env)).toContainEqual({ name: 'HOME', value: '/checkout' });
    }
    for (const volume of volumes.values()) if (volume.secret) expect(volume.secret).toMatchObject({ defaultMode: 0o440 });
  });
});

test.each([
  ['a misspelled field', 'activeDeadlineSeconds:', 'activeDeadlineSecond:', 'must NOT have additional properties'],
  ['a field in another place', 'restartPolicy: Never', 'backoffLimit: 0', 'template/spec must NOT have additional properties'],
  ['a value of another type', 'automountServiceAccountToken: false', 'automountServiceAccountToken: "no"', 'must be equal to one of the'],
  ['a missing field', /^ *containers:$/m, '      ephemeralContainers:', "must have required property 'containers'"],
  ['another API version', 'batch/v1', 'batch/v1beta1', '/apiVersion must be equal to one of the allowed values'],
])('the schema of the Kubernetes API notices %s', (_what, part, replacement, expected) => {
  const text = readFileSync(new URL('apply.yaml', folder), 'utf8');
  expect(text).toMatch(part);
  expect(violations(parse(text.replace(part, replacement), { merge: true }))).toContain(expected);
});

/**
 * Runs the containers of a pod one after another, as the kubelet does, with its folders in a place of their own; gives the exit code of the
 * first that fails.
 */
async function run(recipeProject: RecipeProject, file: string, values: { readonly [variable: string]: string }) {
  const root = recipeProject.folder('pod');
  const toLocalPath = (text: unknown) => String(text).replaceAll('/checkout', join(root, 'checkout'));
  const pod = at(jobOf(file), 'template', 'spec');
  mkdirSync(join(root, 'checkout'));
  let ended = { code: 0, stdout: '', stderr: '' };
  for (const { command, args, env, workingDir } of [...list(at(pod, 'initContainers')), ...list(at(pod, 'containers'))]) {
    const variables = Object.fromEntries(list(env).map(({ name, value }) => [String(name), toLocalPath(values[String(name)] ?? value)]));
    const [shell = '', ...flags] = [command].flat().map(String);
    const cwd = workingDir === undefined ? root : toLocalPath(workingDir);
    ended = await runProgram(cwd, { ...recipeProject.env, ...variables }, shell, ...flags, ...[args].flat().map(toLocalPath));
    if (ended.code !== 0) return ended;
  }
  return ended;
}

test('the Kubernetes manifests apply only the reviewed plan of the reviewed commit, and drift exits 3 after a hand edit', async () => {
  const credentials = temporaryFolder();
  const file = (name: string, text: string) => {
    writeFileSync(join(credentials, name), text);
    return { file: join(credentials, name) };
  };
  const recipeProject = await createRecipeProject({
    owner: file('owner', SECRETS.UPKEEP_OWNER),
    api_key: file('api_key', SECRETS.UPKEEP_API_KEY),
  });
  const COMMIT = recipeProject.push('refs/heads/main', {
    'config/account.yaml': JSON.stringify({ playlists: manyPlaylists(2, { repeat: 1 }) }),
  });
  const planned = await runProgram(recipeProject.checkout('main'), recipeProject.env, 'upkeep', 'plan', '--format', 'json');
  const FINGERPRINT = String(at(JSON.parse(planned.stdout), 'fingerprint'));
  const other = await run(recipeProject, 'apply.yaml', {
    REPOSITORY: recipeProject.remote,
    COMMIT,
    FINGERPRINT: `sha256:${'0'.repeat(64)}`,
  });
  expect([other.code, await recipeProject.playlists()]).toEqual([6, []]);
  const applied = await run(recipeProject, 'apply.yaml', { REPOSITORY: recipeProject.remote, COMMIT, FINGERPRINT });
  expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining('2 created')]);
  expect(await run(recipeProject, 'drift.yaml', { REPOSITORY: recipeProject.remote })).toMatchObject({ code: 0 });
  await recipeProject.edit('p1', { repeat: 9 });
  const drifted = await run(recipeProject, 'drift.yaml', { REPOSITORY: recipeProject.remote });
  expect([drifted.code, drifted.stdout]).toEqual([3, expect.stringContaining('playlist/p1')]);
});
