/** The name of a policy as it is written finds its address wherever a command line takes one. */
import { expect, test } from 'vitest';
import { createGitProject } from '../support/git-project.ts';
import { config, declare } from './accounts.ts';

const WRITTEN = 'drm-policy/Kids & Co';
const ADDRESS = 'drm-policy/Kids%20%26%20Co';

const policyWith = (level: number) => ({ drm_policies: { 'Kids & Co': { fairplay: { hd: { hdcp_enforcement: level } } }, other: {} } });

test('a policy is found by its name as it is written, by every flag and argument that takes an address', async () => {
  const project = await createGitProject(config(policyWith(1)), { target: 'playback_loss: allow' });
  expect(await project.apply('--yes', '--only', WRITTEN)).toMatchObject({ code: 0, document: { outcomes: [{ address: ADDRESS }] } });
  expect(await project.json('explain', WRITTEN)).toMatchObject({ address: ADDRESS });
  expect(await project.json('history', WRITTEN)).toMatchObject({ entries: [{ changes: [{ address: ADDRESS }] }] });
  expect((await project.run('impact', WRITTEN)).code).toBe(0);
  expect(await project.run('drift', 'accept', WRITTEN)).toMatchObject({ code: 0, stderr: expect.not.stringContaining('is not declared') });

  declare(project, policyWith(-1));
  project.commit();
  expect(await project.run('apply', '--yes', '--only', WRITTEN)).toMatchObject({ code: 4 });
  expect(await project.apply('--yes', '--only', 'drm-policy/Kids & *', '--allow', `weakening=${WRITTEN}`)).toMatchObject({ code: 0 });
});

test('an address in `adopt` whose name is not encoded is an error that says the encoded one', async () => {
  const project = await createGitProject({ 'config/a.yaml': `drm_policies: { "Kids & Co": {} }\nadopt: { "${WRITTEN}": abc }\n` });
  expect(await project.json('validate')).toMatchObject({
    findings: [{ code: 'undeclared-address', hint: `Did you mean \`${ADDRESS}\`?` }],
  });
});
