/** What runs with this repository's permissions: actions pinned by commit, the fewest permissions, an end in time. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isObject } from '../src/model/json.ts';

const folder = new URL('../.github/workflows/', import.meta.url);

/** Every value under a key, wherever it stands. */
function valuesOf(node: unknown, key: string): readonly unknown[] {
  if (Array.isArray(node)) return node.flatMap((item) => valuesOf(item, key));
  if (!isObject(node)) return [];
  return Object.entries(node).flatMap(([name, value]) => [...(name === key ? [value] : []), ...valuesOf(value, key)]);
}

function jobsOf(workflow: unknown): readonly (readonly [string, { readonly [member: string]: unknown }])[] {
  const jobs = isObject(workflow) && isObject(workflow.jobs) ? workflow.jobs : {};
  return Object.entries(jobs).flatMap(([name, job]) => (isObject(job) ? [[name, job] as const] : []));
}

const files = readdirSync(folder);

test('there are workflows to check', () => {
  expect(files).toEqual(expect.arrayContaining(['ci.yml', 'release.yml']));
});

describe.each(files)('the workflow %s', (file) => {
  const text = readFileSync(new URL(file, folder), 'utf8');
  const workflow: unknown = parse(text);

  test('pins every action by its commit and says which version that is', () => {
    const used = valuesOf(workflow, 'uses').map(String);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used.filter((each) => !each.startsWith('./'))) {
      expect(action).toMatch(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/);
      expect(text).toMatch(new RegExp(`${action} # v\\d+\\.\\d+\\.\\d+\\n`));
    }
  });

  test('may read the repository at most, and a job that may more says what for', () => {
    const allowed = isObject(workflow) ? workflow.permissions : undefined;
    expect([{}, { contents: 'read' }]).toContainEqual(allowed);
    for (const [, { permissions }] of jobsOf(workflow)) {
      for (const [what, how] of Object.entries(isObject(permissions) ? permissions : {})) {
        if (how !== 'read') expect(text).toMatch(new RegExp(`^ +${what}: ${String(how)} # \\w+`, 'm'));
      }
    }
  });

  test('ends in time, and leaves no token in the checkout', () => {
    for (const [name, job] of jobsOf(workflow)) expect(job, name).toMatchObject({ 'timeout-minutes': expect.any(Number) });
    const checkouts = valuesOf(workflow, 'steps')
      .flat()
      .filter((step) => isObject(step) && String(step.uses).startsWith('actions/checkout@'));
    for (const step of checkouts) expect(step).toMatchObject({ with: { 'persist-credentials': false } });
  });

  test('puts no text that others choose into a shell script', () => {
    for (const script of valuesOf(workflow, 'run')) expect(String(script)).not.toMatch(/\$\{\{/);
  });
});
