/** The contract of the probe, for every kind: it asks about what upkeep reads and writes. */
import { describe, expect, it } from 'vitest';
import { kinds } from '../../../src/core/kinds/index.ts';
import { createUnrestrictedExample, type TestProject } from '../../support/harness.ts';
import { only } from './contract-support.ts';

const ASSET = 'fe'.repeat(16);
const SEED = {
  playlist: [{ id: 'ab'.repeat(16), desc: 'Late films', playlist: [{ beam: { id: 'cd'.repeat(16) } }] }],
  'drm-policy': [{ policy_name: 'premium' }],
};

/** Returns the paths that were asked for since the last call, without duplicates. */
function takePaths(project: TestProject, methods: readonly string[]): readonly string[] {
  const asked = project.emulator.requests().filter(({ method }) => methods.includes(method));
  project.emulator.clearRequests();
  return [...new Set(asked.map(({ path }) => path.replace(/\?.*$/, '').replace(/[0-9a-f]{32}$/, '{id}')))];
}

describe.each(kinds.map((kind) => [kind.name, kind] as const))('a probe of the kind %s', (name, kind) => {
  it('reads what a plan reads', async () => {
    const project = await createUnrestrictedExample({ seed: SEED });
    await project.run('plan', '-t', 'production', ...only(kind));
    const read = takePaths(project, ['GET']);
    expect(read).not.toEqual([]);
    expect((await project.run('probe', '-t', 'production')).code).toBe(0);
    const probed = takePaths(project, ['GET']);
    expect(probed, `write src/core/kinds/${name}/probe.ts, and add it to src/probe/kind-questions.ts`).toEqual(
      expect.arrayContaining([...read]),
    );
  });
});

describe.each(kinds.filter(({ type }) => type === 'collection').map((kind) => [kind.name, kind] as const))(
  'a probe of the kind %s that writes',
  (name, kind) => {
    it('creates, changes and deletes objects of its own, and leaves the account as it was', async () => {
      const project = await createUnrestrictedExample({ seed: SEED });
      const lists = kind.type === 'collection' ? await pathsOfCreates(project, kind) : [];
      const before = project.emulator.dump();
      expect((await project.run('probe', '-t', 'production', '--write', '--yes', '--asset', ASSET)).code).toBe(0);
      const created = takePaths(project, ['POST']);
      expect(created, `src/core/kinds/${name}/probe.ts asks nothing about writes`).toEqual(expect.arrayContaining([...lists]));
      expect(project.emulator.dump()).toEqual(before);
    });
  },
);

/** Returns the paths at which an apply of the example creates objects of a kind. */
async function pathsOfCreates(project: TestProject, kind: (typeof kinds)[number]): Promise<readonly string[]> {
  const { requests } = (await project.plan('-t', 'production', '--allow', 'weakening', ...only(kind))).document;
  return [...new Set(requests.filter(({ method }) => method === 'POST').map(({ path }) => path))];
}
